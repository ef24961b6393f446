//! For people who write a decoder or a language model of their own: a brute-force reference, a plain
//! exact decoder, a small back-off model and random lattices.

mod backoff;
mod brute;
mod random;
mod reference;

pub use backoff::BackoffModel;
pub use brute::brute_force;
pub use random::{RandomLattice, random_lattice};
pub use reference::Reference;
