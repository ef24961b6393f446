//! Word alignment, phrase extraction and pivoting for pgen.
