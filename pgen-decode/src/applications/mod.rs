//! Applications as usability models: what a replacement gains, and whether planning keeps it. The three
//! of Zhao et al. 2009, §3.3; word lists for controlled languages, house styles and glossaries; and ways to
//! combine them. Any closure is one too ([`UsabilityModel`](pgen_core::UsabilityModel)).

mod combined;
mod compression;
mod similarity;
mod simplification;
mod words;

pub use combined::{Combined, InContext, Keep};
pub use compression::Compression;
pub use similarity::Similarity;
pub use simplification::Simplification;
pub use words::{ApprovedWords, AvoidWords, FewerWords, PreferWords};
