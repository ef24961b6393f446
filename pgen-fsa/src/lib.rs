//! Automata of paraphrases for pgen: forests, multiple alignment, measures.
