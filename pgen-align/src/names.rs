//! Settings that go by names on the command line and in files.

use pgen_core::Error;

/// A choice of which each possibility has a name.
pub(crate) trait Named: Copy + PartialEq + 'static {
    /// What is chosen, for messages.
    const WHAT: &'static str;
    /// All names, for messages.
    const EXPECTED: &'static str;

    /// All possibilities with their names.
    fn all() -> &'static [(&'static str, Self)];

    /// The name of this one.
    fn of(self) -> &'static str {
        let mut all = Self::all().iter();
        all.find(|(_, each)| *each == self)
            .map_or("", |(name, _)| name)
    }

    /// The one of this name.
    fn find(name: &str) -> Result<Self, Error> {
        let mut all = Self::all().iter();
        all.find(|(each, _)| *each == name)
            .map(|(_, each)| *each)
            .ok_or_else(|| Error::parameter(Self::WHAT, name, Self::EXPECTED))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Heuristic, Method};

    fn check<T: Named + std::fmt::Debug>() {
        for (name, each) in T::all() {
            assert_eq!(each.of(), *name);
            assert_eq!(T::find(name).unwrap(), *each);
            assert!(T::EXPECTED.contains(name), "{name}");
        }
        assert_eq!(T::find("").unwrap_err().code(), "bad-parameter");
    }

    #[test]
    fn every_name_is_found_and_told() {
        check::<Method>();
        check::<Heuristic>();
    }
}
