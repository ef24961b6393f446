//! Tuning of weights: minimum error rate training on the replacement f-measure (Zhao et al. 2009, §3.6;
//! Och 2003).
//!
//! A derivation's replacements are correct or not; rp is the share of correct ones, rr the share of
//! words replaced, rf their harmonic mean. Along a line in the space of weights the best derivation of a
//! sentence changes at finitely many points, so the best step is found exactly ([`line_search`]). The
//! optimum may be degenerate (replace hardly anything, and that correctly): look at rp and rr too.

mod counts;
mod label;
mod line;
mod params;
mod search;
mod shrink;

pub use counts::{Counts, Rates};
pub use label::{LabelKey, counts_of, key_of, units_of};
pub use line::{Segment, TuneItem, TuneSentence, best_step, line_search};
pub use params::TuneParams;
pub use search::{TuneCase, Tuned, evaluate, tune};
pub use shrink::{Shrunk, tune_shrunk};
