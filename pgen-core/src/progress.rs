//! How long work tells the outside where it is, and asks whether to go on. Libraries never print; the
//! caller draws the bar.

use crate::cancel::Stop;

/// Receives the progress of long work. Every method has an empty default, and `()` listens to nothing
/// and never stops anything.
pub trait Progress: Sync {
    /// A stage begins; `total` counts its steps if known.
    fn stage(&self, _name: &str, _total: Option<u64>) {}

    /// Steps done so far in this stage.
    fn done(&self, _steps: u64) {}

    /// A remark for people: a likelihood, a count, an estimate of memory.
    fn note(&self, _text: &str) {}

    /// When to give up. Trainers ask it between sentences; once it says so, they end with
    /// [`Cancelled`](crate::Error::Cancelled) or [`DeadlineExceeded`](crate::Error::DeadlineExceeded) and
    /// leave nothing behind.
    fn stop(&self) -> Stop {
        Stop::never()
    }
}

impl Progress for () {}

/// Listens to nothing; stops when told.
impl Progress for Stop {
    fn stop(&self) -> Stop {
        self.clone()
    }
}

impl<P: Progress + ?Sized> Progress for &P {
    fn stage(&self, name: &str, total: Option<u64>) {
        (**self).stage(name, total);
    }
    fn done(&self, steps: u64) {
        (**self).done(steps);
    }
    fn note(&self, text: &str) {
        (**self).note(text);
    }
    fn stop(&self) -> Stop {
        (**self).stop()
    }
}
