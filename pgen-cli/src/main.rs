//! The pgen command line.
fn main() {}
