//! Chunks and traces.
/// Chunks and traces.
#[derive(Clone, Debug)]
pub struct Chunks;
impl Chunks {
    /// Number of tokens.
    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        0
    }
}
