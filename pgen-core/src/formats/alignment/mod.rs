//! Word alignments as text.
//!
//! | module | a line |
//! |---|---|
//! | [`pharaoh`] | `0-0 1-2`, possible links `3?4` or `3p4`; also after the last ` \|\|\| ` |
//! | [`naacl`] | `1 2 3 P`: sentence, source and target from 1, 0 for NULL |
//! | [`giza`] | records of three lines (`A3.final`) |
//! | [`gold`] | tab-separated: id, two sentences, sure links, possible links; and any of the above, told by content |
//!
//! Link sets are sets: a link given twice is there once, and order means nothing. Numbers are ASCII
//! digits and nothing else.

pub mod giza;
pub mod gold;
pub mod naacl;
pub mod pharaoh;
