//! Cases for the command line: a script in an empty folder, with `$pgen` and bounds.

use std::path::Path;
use std::process::{Command, Stdio};

const PRELUDE: &str = r#"
ulimit -v 1048576 -t 20 -c 0
arpa() { printf '\\data\\\nngram 1=5\nngram 2=2\n\n\\1-grams:\n-1.0\t<unk>\n-99\t<s>\t-0.4\n-1.1\t</s>\n-0.7\ta\t-0.3\n-0.9\tb\t-0.2\n\n\\2-grams:\n-0.3\t<s> a\n-0.4\ta b\n\n\\end\\\n'; }
table() { printf 'a ||| b ||| 0.5\nb ||| a ||| 0.25\n'; }
pairs() { for i in 1 2 3 4; do printf 'the cat sat\tthe cat sat down\na dog ran\ta dog ran off\n'; done; }
"#;

/// Runs a script; `exit N: what it said`, standard output first.
pub(crate) fn shell(script: &str, folder: &Path) -> String {
    let text = format!("{PRELUDE}{script}");
    let output = Command::new("bash")
        .args(["-c", &text])
        .env("pgen", env!("CARGO_BIN_EXE_pgen"))
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("there is a shell");
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    let said = String::from_utf8_lossy(&said);
    let left: Vec<_> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with(".pgen-"))
        .collect();
    if !left.is_empty() && !script.contains("kill -9") {
        return format!("left over: {left:?}");
    }
    let said: String = said.chars().take(20_000).collect();
    match output.status.code() {
        Some(code) => format!("exit {code}: {}", said.trim_end()),
        None => format!("killed: {} {said}", output.status),
    }
}
