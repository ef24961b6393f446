//! Readers and writers of text formats.
pub mod alignment;
pub mod chunk;
pub mod conll;
pub mod penn;
