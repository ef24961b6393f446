//! The three applications of Zhao et al. 2009, §3.3, as usability models: what a replacement gains, and
//! whether planning keeps it.

mod compression;
mod similarity;
mod simplification;

pub use compression::Compression;
pub use similarity::Similarity;
pub use simplification::Simplification;
