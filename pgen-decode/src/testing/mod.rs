//! For people who write a decoder or a language model of their own: cases with known answers, a
//! brute-force reference, a plain exact decoder, a small back-off model and random lattices.

mod backoff;
mod brute;
mod conformance;
mod random;
mod reference;

pub use backoff::BackoffModel;
pub use brute::brute_force;
pub use conformance::{Case, Promise, cases, conformance, read_cases};
pub use random::{RandomLattice, random_lattice};
pub use reference::Reference;
