//! How long work tells the outside where it is. Libraries never print; the caller draws the bar.

/// Receives the progress of long work. Every method has an empty default, and `()` listens to nothing.
pub trait Progress: Sync {
    /// A stage begins; `total` counts its steps if known.
    fn stage(&self, _name: &str, _total: Option<u64>) {}

    /// Steps done so far in this stage.
    fn done(&self, _steps: u64) {}

    /// A remark for people: a likelihood, a count, an estimate of memory.
    fn note(&self, _text: &str) {}
}

impl Progress for () {}

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
}
