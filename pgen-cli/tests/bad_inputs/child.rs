//! A case in a process of its own, bounded by the shell that starts it.

use crate::case::{self, Case, Outcome};
use crate::{input, probes, stage};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// Address space in KiB. The embedded model and its copies take about a tenth of it.
const MEMORY: u64 = 1 << 20;
/// Seconds of processor time.
const SECONDS: u64 = 20;
/// The stack of the thread that runs a case.
const STACK: usize = 256 << 10;

/// Runs a case and says what came of it.
pub(crate) fn run(case: &Case) -> Outcome {
    let started = Instant::now();
    if case.probe == "open" {
        return Outcome {
            text: "open".to_owned(),
            peak_kib: 0,
            milliseconds: 0,
        };
    }
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let (text, peak_kib) = if case.probe == "sh" {
        (stage::shell(case.input, folder.path()), 0)
    } else {
        library(case, folder.path())
    };
    Outcome {
        text,
        peak_kib,
        milliseconds: started.elapsed().as_millis(),
    }
}

fn library(case: &Case, folder: &std::path::Path) -> (String, u64) {
    let own = std::env::current_exe().expect("a program knows where it is");
    let limits = format!("ulimit -v {MEMORY} -t {SECONDS} -c 0; exec \"$0\" --case \"$1\"");
    let output = Command::new("bash")
        .args(["-c", &limits])
        .arg(own)
        .arg(case.name())
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("there is a shell");
    let text = String::from_utf8_lossy(&output.stdout);
    let answer = text.lines().find_map(|line| line.strip_prefix("got\t"));
    let peak = text.lines().find_map(|line| line.strip_prefix("peak\t"));
    let peak = peak.and_then(|peak| peak.parse().ok()).unwrap_or(0);
    match answer {
        Some(answer) if output.status.success() => (answer.replace("\\n", "\n"), peak),
        _ => {
            let said = String::from_utf8_lossy(&output.stderr);
            let said: Vec<&str> = said.lines().take(3).collect();
            (format!("crash: {} {}", output.status, said.join(" ")), peak)
        }
    }
}

/// The child's part: runs the case on a thread with a small stack and prints what came of it.
pub(crate) fn answer(name: &str) -> ExitCode {
    if name == "I49.save" {
        return ExitCode::from(u8::from(probes::run("rust", b"save for ever").is_err()));
    }
    let Some(case) = case::cases().into_iter().find(|case| case.name() == name) else {
        return ExitCode::from(3);
    };
    let worker = std::thread::Builder::new().stack_size(STACK);
    let work = worker.spawn(move || probes::run(case.probe, &input::bytes(case.input)));
    let got = match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(value))) => format!("ok: {value}"),
        Ok(Ok(Err(failure))) => format!("{}: {}", failure.code, failure.message),
        Ok(Err(_)) => "panic".to_owned(),
        Err(error) => format!("no thread: {error}"),
    };
    println!("got\t{}", got.replace('\n', "\\n"));
    println!("peak\t{}", peak_kib());
    ExitCode::SUCCESS
}

fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}
