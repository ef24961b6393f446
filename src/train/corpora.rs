//! Sentence pairs made ready for alignment, aligned, and turned into candidate rows.

use super::params::TrainParams;
use super::pool::{Origin, Pool};
use crate::error::Result;
use crate::words::is_function_word;
use pgen_align::{
    Corpus, ExtractParams, Heuristic, HmmParams, Model1Params, PhraseTable, PivotParams, Side,
    Symmetric, align_corpus, pivot,
};
use pgen_core::text::{normalize, tokenize};
use pgen_core::thesaurus::Thesaurus;
use pgen_core::{Limits, Progress, Vocab, WordId};

/// Splits and normalises one sentence and interns its words; `None` if it has no tokens, or more than
/// `most`. Sentences that break a limit are left out too: training data may hold anything.
///
/// # Errors
/// Too many words.
pub fn prepare(
    text: &str,
    vocab: &mut Vocab,
    most: usize,
    limits: &Limits,
) -> Result<Option<Vec<WordId>>> {
    let Ok(tokens) = tokenize(text, limits) else {
        return Ok(None);
    };
    if tokens.is_empty() || tokens.len() > most {
        return Ok(None);
    }
    let mut words = Vec::with_capacity(tokens.len());
    for token in tokens {
        let surface = text.get(token.bytes.range()).unwrap_or("");
        words.push(vocab.intern(&normalize(surface, token.kind, true))?);
    }
    Ok(Some(words))
}

/// Puts a space behind elided French (and Italian) words: `l'accord` becomes `l' accord`, as alignment
/// needs it.
#[must_use]
pub fn split_elisions(text: &str) -> String {
    const ELIDED: [&str; 21] = [
        "l", "d", "n", "s", "j", "m", "t", "c", "qu", "jusqu", "lorsqu", "puisqu", "quelqu",
        "quoiqu", "presqu", "dell", "nell", "all", "dall", "sull", "un",
    ];
    let mut out = String::with_capacity(text.len() + 8);
    let mut start = 0;
    for (at, letter) in text.char_indices() {
        if letter == '\'' || letter == '’' {
            let word = text[start..at].to_lowercase();
            out.push('\'');
            if ELIDED.contains(&word.as_str()) {
                out.push(' ');
            }
        } else {
            out.push(letter);
        }
        if !letter.is_alphabetic() {
            start = at + letter.len_utf8();
        }
    }
    out
}

/// Aligns a corpus with the HMM in both directions and extracts its phrase pairs.
///
/// # Errors
/// Those of the aligners.
pub fn phrase_pairs(
    corpus: &Corpus,
    params: &TrainParams,
    keep: impl Fn(&[WordId], &[WordId]) -> bool + Sync + Send,
    progress: &dyn Progress,
) -> Result<PhraseTable> {
    let model1 = Model1Params::default().with_iterations(params.model1_iterations);
    let hmm = HmmParams::default().with_iterations(params.hmm_iterations);
    let aligner = Symmetric::hmm(corpus, &model1, &hmm, Heuristic::GrowDiagFinalAnd, progress)?;
    progress.stage("alignment", None);
    let alignments = align_corpus(&aligner, corpus);
    let extract = ExtractParams::default().with_max_words(params.max_words);
    Ok(PhraseTable::extract(
        corpus,
        &alignments,
        &extract,
        keep,
        progress,
    )?)
}

/// Adds the paraphrases of the first language of a bitext, through the second.
///
/// # Errors
/// Those of the join.
pub fn add_pivot(
    pool: &mut Pool,
    table: &PhraseTable,
    vocab: &Vocab,
    params: &TrainParams,
    progress: &dyn Progress,
) -> Result<()> {
    let pruning = PivotParams::default()
        .with_pruning(params.tau, params.epsilon, params.kappa.max(50))
        .with_identity(false);
    let mut failed = Ok(());
    pivot(
        table,
        Side::Source,
        &pruning,
        vocab,
        progress,
        |source, paraphrases| {
            for paraphrase in paraphrases {
                if failed.is_ok() {
                    failed = pool.add(
                        source,
                        paraphrase.words,
                        Origin::Pivot,
                        paraphrase.probability,
                    );
                }
            }
            Ok(())
        },
    )?;
    failed
}

/// Adds the phrase pairs of sentence pairs in one language, in both directions.
///
/// # Errors
/// Too many phrases.
pub fn add_pairs(pool: &mut Pool, table: &PhraseTable, params: &TrainParams) -> Result<()> {
    for row in table.rows().filter(|row| row.source != row.target) {
        let seen = |probability: f64| row.count / probability;
        let frequent = seen(row.target_given_source) >= params.min_count
            && seen(row.source_given_target) >= params.min_count;
        if !frequent {
            continue;
        }
        for (source, target, p) in [
            (row.source, row.target, row.target_given_source),
            (row.target, row.source, row.source_given_target),
        ] {
            if p >= params.epsilon {
                pool.add(source, target, Origin::Pairs, p)?;
            }
        }
    }
    Ok(())
}

/// Adds the synonyms of every word of `known`, in the word's inflection, as candidates without a
/// probability: they live by votes alone, at the end of the list.
///
/// # Errors
/// Too many phrases.
pub fn add_thesaurus(
    pool: &mut Pool,
    thesaurus: &Thesaurus,
    known: &Vocab,
    words: &mut Vocab,
) -> Result<()> {
    for (_, word) in known
        .words()
        .skip(3)
        .filter(|(_, word)| !is_function_word(word))
    {
        for (class, lemma, form) in thesaurus.analyses(word) {
            for synset in thesaurus.synsets(&lemma, class) {
                for member in thesaurus.members(synset).filter(|member| *member != lemma) {
                    for synonym in thesaurus.inflect(member, class, form) {
                        if synonym.split(' ').any(|part| known.get(part).is_none()) {
                            continue;
                        }
                        let source = [words.intern(word)?];
                        let target: Result<Vec<_>, _> =
                            synonym.split(' ').map(|part| words.intern(part)).collect();
                        pool.add(&source, &target?, Origin::Pivot, 0.0)?;
                    }
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elided_words_stand_alone() {
        assert_eq!(
            split_elisions("l’accord qu'il n'a"),
            "l' accord qu' il n' a"
        );
        assert_eq!(split_elisions("aujourd'hui"), "aujourd'hui");
    }

    #[test]
    fn long_and_empty_sentences_are_left_out() {
        let (mut vocab, limits) = (Vocab::new(), Limits::default());
        let words = prepare("The Dog ran.", &mut vocab, 4, &limits)
            .unwrap()
            .unwrap();
        let words: Vec<_> = words.iter().map(|&id| vocab.word(id).unwrap()).collect();
        assert_eq!(words, ["the", "dog", "ran", "."]);
        assert_eq!(prepare("a b c d e", &mut vocab, 4, &limits).unwrap(), None);
        assert_eq!(prepare(" ", &mut vocab, 4, &limits).unwrap(), None);
    }
}
