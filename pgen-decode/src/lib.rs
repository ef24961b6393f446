//! Exact distinct n-best paraphrase decoding for pgen.
