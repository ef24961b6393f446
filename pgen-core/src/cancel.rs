//! Stopping in time: a deadline, a token another thread can pull, and a cheap way to ask.

use crate::error::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A switch that another thread can pull. Clones share it; the default one can be pulled too.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A fresh token.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks every holder of a clone to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// True once cancelled; never false again.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// When to stop: a deadline, a token, both or neither.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    deadline: Option<Instant>,
    token: Option<CancelToken>,
}

impl Stop {
    /// Never.
    #[must_use]
    pub fn never() -> Self {
        Self::default()
    }

    /// After this time from now. A time too long to represent means never.
    #[must_use]
    pub fn after(time: Duration) -> Self {
        Stop {
            deadline: Instant::now().checked_add(time),
            token: None,
        }
    }

    /// At this moment.
    #[must_use]
    pub fn at(deadline: Instant) -> Self {
        Stop {
            deadline: Some(deadline),
            token: None,
        }
    }

    /// Also when this token is pulled.
    #[must_use]
    pub fn with_token(mut self, token: CancelToken) -> Self {
        self.token = Some(token);
        self
    }

    /// Asks now; one clock reading.
    ///
    /// # Errors
    /// [`Error::Cancelled`] or [`Error::DeadlineExceeded`].
    pub fn check(&self) -> Result<()> {
        if self.token.as_ref().is_some_and(CancelToken::is_cancelled) {
            return Err(Error::Cancelled);
        }
        if self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            return Err(Error::DeadlineExceeded);
        }
        Ok(())
    }

    /// A counter that asks once in 1,024 ticks.
    #[must_use]
    pub fn ticker(&self) -> Ticker<'_> {
        Ticker {
            stop: self,
            ticks: 0,
        }
    }
}

/// Asks its [`Stop`] on the first and then on every 1,024th tick: cheap enough for inner loops.
#[derive(Debug)]
pub struct Ticker<'a> {
    stop: &'a Stop,
    ticks: u32,
}

impl Ticker<'_> {
    /// Counts a step.
    ///
    /// # Errors
    /// As [`Stop::check`].
    #[inline]
    pub fn tick(&mut self) -> Result<()> {
        let due = self.ticks & 1023 == 0;
        self.ticks = self.ticks.wrapping_add(1);
        if due { self.stop.check() } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_past_deadline_and_a_pulled_token_stop() {
        assert!(Stop::never().check().is_ok());
        assert_eq!(
            Stop::after(Duration::ZERO).check().unwrap_err().code(),
            "deadline-exceeded"
        );
        let token = CancelToken::new();
        let stop = Stop::never().with_token(token.clone());
        assert!(stop.ticker().tick().is_ok());
        token.cancel();
        assert_eq!(stop.ticker().tick().unwrap_err().code(), "cancelled");
        assert!(Stop::after(Duration::MAX).check().is_ok());
    }
}
