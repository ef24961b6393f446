//! What the papers measure of automata, all by dynamic programming over their states.

mod distance;
mod edgain;
mod entropy;
mod paths;
mod repetition;

pub use distance::{Distance, word_distance};
pub use edgain::{Edgain, GrowthStep};
pub use entropy::Entropy;
pub use paths::{PathStatistics, PathSummary};
pub use repetition::{Repetition, RepetitionSummary, WordRepetition};
