//! N-gram language models for pgen: estimation, ARPA, automaton queries.
