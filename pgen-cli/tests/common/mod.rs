//! The program from outside.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs `pgen` in a folder with this standard input.
pub(crate) fn pgen(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pgen"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        // Answers are read while requests are written: pipes hold only so much. A program that ends early
        // closes its input; that is for the caller to see in the output.
        scope.spawn(move || to.write_all(input));
        child.wait_with_output().unwrap()
    })
}
