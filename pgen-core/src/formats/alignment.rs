//! Alignment formats.
