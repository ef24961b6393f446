//! Text input: opened from a file, standard input or any reader; unpacked; cut into checked lines.

mod lines;
mod source;

pub use lines::Lines;
pub use source::Input;
