//! pgen.
