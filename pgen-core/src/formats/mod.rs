//! Readers and writers of text formats.
pub mod alignment;
