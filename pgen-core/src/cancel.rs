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

/// A question of the host, and whether it was ever answered with yes.
struct Condition {
    ask: Box<dyn Fn() -> bool + Send + Sync>,
    told: AtomicBool,
}

/// When to stop: a deadline, a token, a condition, some of them or none.
#[derive(Clone, Default)]
pub struct Stop {
    deadline: Option<Instant>,
    token: Option<CancelToken>,
    condition: Option<Arc<Condition>>,
}

impl std::fmt::Debug for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stop")
            .field("deadline", &self.deadline)
            .field("token", &self.token)
            .field("condition", &self.condition.is_some())
            .finish()
    }
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
            ..Stop::default()
        }
    }

    /// At this moment.
    #[must_use]
    pub fn at(deadline: Instant) -> Self {
        Stop {
            deadline: Some(deadline),
            ..Stop::default()
        }
    }

    /// Also when this token is pulled.
    #[must_use]
    pub fn with_token(mut self, token: CancelToken) -> Self {
        self.token = Some(token);
        self
    }

    /// Also once this answers with yes, which counts as cancelled. It is called from every thread that
    /// works, as often as the work asks, and no more after its first yes: it should be quick. For hosts
    /// whose own signals are to be heard (an interpreter's, a window's), and for tests.
    #[must_use]
    pub fn with_condition(mut self, ask: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        self.condition = Some(Arc::new(Condition {
            ask: Box::new(ask),
            told: AtomicBool::new(false),
        }));
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
        if let Some(condition) = &self.condition
            && (condition.told.load(Ordering::Acquire) || (condition.ask)())
        {
            condition.told.store(true, Ordering::Release);
            return Err(Error::Cancelled);
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

    #[test]
    fn a_condition_that_said_yes_is_not_asked_again() {
        let asked = Arc::new(std::sync::atomic::AtomicU32::new(0));
        let counter = asked.clone();
        let third = move || counter.fetch_add(1, Ordering::Relaxed) == 2;
        let stop = Stop::never().with_condition(third);
        let answers: Vec<bool> = (0..6).map(|_| stop.clone().check().is_ok()).collect();
        assert_eq!(answers, [true, true, false, false, false, false]);
        assert_eq!(asked.load(Ordering::Relaxed), 3);
        assert_eq!(stop.check().unwrap_err().code(), "cancelled");
        assert!(format!("{stop:?}").contains("condition: true"));
    }
}
