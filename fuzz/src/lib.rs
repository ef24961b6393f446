//! Fuzz targets of pgen; the bodies are ordinary functions.

pub mod targets;
