//! Constituency trees.
/// A constituency tree.
#[derive(Clone, Debug)]
pub struct Tree;
impl Tree {
    /// Number of leaves.
    #[must_use]
    pub fn leaf_count(&self) -> usize {
        0
    }
}
