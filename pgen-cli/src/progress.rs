//! A progress bar on standard error, drawn only on a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use pgen::core::Progress;
use std::io::IsTerminal;

/// Shows stages as a bar; remarks become lines of their own.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    quiet: bool,
}

impl Bar {
    /// A bar; `quiet` shows nothing at all.
    pub(crate) fn new(quiet: bool) -> Self {
        let hidden = quiet || !std::io::stderr().is_terminal();
        let bar = if hidden {
            ProgressBar::hidden()
        } else {
            ProgressBar::no_length()
        };
        Bar { bar, quiet }
    }

    /// Clears the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn stage(&self, name: &str, total: Option<u64>) {
        let template = match total {
            Some(_) => "{msg:24} {wide_bar} {human_pos}/{human_len} {eta}",
            None => "{msg:24} {spinner} {human_pos} {elapsed}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        match total {
            Some(total) => self.bar.set_length(total),
            None => self.bar.unset_length(),
        }
        self.bar.reset();
        self.bar.set_message(name.to_owned());
    }

    fn done(&self, steps: u64) {
        self.bar.set_position(steps);
    }

    fn note(&self, text: &str) {
        if !self.quiet {
            self.bar.suspend(|| crate::output::message(text));
        }
    }
}
