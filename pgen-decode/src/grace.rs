//! What may still be done once a request should have ended.

use pgen_core::Stop;
use std::time::{Duration, Instant};

/// How long the way out may take.
pub(crate) const GRACE: Duration = Duration::from_millis(2);

/// Lets a list be written for a moment after a deadline or a pulled token: long enough for the best of
/// what was found, too short for all of it.
#[derive(Debug)]
pub(crate) struct Grace<'a> {
    stop: &'a Stop,
    since: Option<Instant>,
}

impl<'a> Grace<'a> {
    pub(crate) fn new(stop: &'a Stop) -> Self {
        Grace { stop, since: None }
    }

    /// True once the request should have ended and the moment after has passed. Never at the first call.
    pub(crate) fn is_over(&mut self) -> bool {
        match self.since {
            Some(since) => since.elapsed() > GRACE,
            None => {
                if self.stop.check().is_err() {
                    self.since = Some(Instant::now());
                }
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgen_core::CancelToken;

    #[test]
    fn a_moment_after_the_end() {
        let token = CancelToken::new();
        let stop = Stop::never().with_token(token.clone());
        let mut grace = Grace::new(&stop);
        assert!(!grace.is_over());
        token.cancel();
        assert!(!grace.is_over());
        std::thread::sleep(GRACE * 2);
        assert!(grace.is_over());
    }
}
