//! Dependency analyses.
/// A dependency analysis.
#[derive(Clone, Debug)]
pub struct Dependencies;
impl Dependencies {
    /// Number of tokens.
    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        0
    }
}
