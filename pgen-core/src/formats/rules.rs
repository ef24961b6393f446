//! Patterns and collocations as text: `source ||| target ||| scores`.
//!
//! ```text
//! a [JJ_1] proportion of [NN_1] ||| a [JJ_1] part of [NN_1] ||| 0.4
//! occupy OBJ proportion ||| take OBJ share ||| 1
//! ```
//!
//! Slots may also be written `[NN-1]` and `[NN,1]`. Rows with a first score of 0 say that the rule never
//! holds; they are left out and reported. [`moses::write`](super::moses::write) writes both kinds.

use super::record::{LoadReport, Outcome, bar_fields, each_line, number};
use super::table::{Loader, TableOptions};
use crate::collocation::{CollocationTable, check_collocation};
use crate::error::{Error, Place, Result};
use crate::input::Lines;
use crate::pattern::{PatternTable, normalize_pattern};
use crate::table::{ParaphraseTable, words};
use crate::vocab::Vocab;

/// Tags of the Penn treebank, and the universal ones.
const TAGS: &str = " CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP SYM TO \
UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB # $ '' `` -LRB- -RRB- , . : HYPH NFP ADD AFX GW XX \
ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ VERB X ";

/// Reads patterns. Slots are brought to normal form ([`normalize_pattern`]). A slot of a tag that is
/// neither of the Penn treebank nor universal is taken as it stands: it matches sentences that carry
/// this tag, and no others; see [`unknown_tags`].
///
/// # Errors
/// [`Error::Syntax`] for a line without three fields and a score that is no number;
/// [`Error::BadTable`] for what is no pattern; [`Error::ProbabilityOutOfRange`];
/// [`Error::LimitExceeded`]. With the file and the line.
pub fn load_patterns(
    lines: &mut Lines,
    vocab: &mut Vocab,
    options: &TableOptions,
) -> Result<(PatternTable, LoadReport)> {
    let (table, report) = load(lines, vocab, options, normalize_pattern)?;
    Ok((PatternTable::new(table, vocab)?, report))
}

/// Reads collocations: head, relation, dependent on both sides.
///
/// # Errors
/// As [`load_patterns`]; [`Error::BadTable`] for what is no collocation.
pub fn load_collocations(
    lines: &mut Lines,
    vocab: &mut Vocab,
    options: &TableOptions,
) -> Result<(CollocationTable, LoadReport)> {
    let normal = |source: &str, target: &str| {
        check_collocation(source, target)?;
        let join = |text| words(text).collect::<Vec<_>>().join(" ");
        Ok((join(source), join(target)))
    };
    let (table, report) = load(lines, vocab, options, normal)?;
    Ok((CollocationTable::new(table, vocab)?, report))
}

/// The tags of a table's slots that are neither of the Penn treebank nor universal, ascending.
pub fn unknown_tags(table: &PatternTable) -> impl Iterator<Item = &str> {
    table
        .tags()
        .filter(|tag| !TAGS.contains(&format!(" {tag} ")))
}

fn load(
    lines: &mut Lines,
    vocab: &mut Vocab,
    options: &TableOptions,
    normal: impl Fn(&str, &str) -> Result<(String, String)>,
) -> Result<(ParaphraseTable, LoadReport)> {
    let mut loader = Loader::new(options, vocab);
    let report = each_line(lines, options.lenient, |line| {
        let fields = bar_fields(line)?;
        let [source, target, scores, ..] = fields[..] else {
            let expected = "source ||| target ||| scores";
            return Err(Error::syntax(Place::default(), expected, line, ""));
        };
        let (source, target) = normal(source, target)?;
        let scores: Vec<f64> = words(scores).map(number).collect::<Result<_>>()?;
        match scores.first() {
            None => Err(Error::syntax(Place::default(), "a score", line, "")),
            Some(0.0) => Ok(Outcome::Skipped("a rule of probability 0")),
            Some(_) => loader.take(&source, &target, &scores),
        }
    })?;
    loader.finish(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn lines(text: &str) -> Lines {
        Lines::from_text(text, &Limits::default()).unwrap()
    }

    #[test]
    fn patterns_come_in_normal_form() {
        let text = "of [NN-1] ||| [NN,1] 's ||| 0.5\nof [NN_1] ||| the [NN_1] ||| 0\n\nof [ZZ_3] ||| [ZZ_3] ||| 1\n";
        let mut vocab = Vocab::new();
        let (table, report) =
            load_patterns(&mut lines(text), &mut vocab, &TableOptions::default()).unwrap();
        assert_eq!((report.read, report.kept, report.skipped), (3, 2, 1));
        assert_eq!(unknown_tags(&table).collect::<Vec<_>>(), ["ZZ"]);
        let mut out = Vec::new();
        super::super::moses::write(&mut out, table.table(), &vocab, false).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.contains("of [NN_1] ||| [NN_1] 's ||| 0.4999"),
            "{text}"
        );
        let again = load_patterns(&mut lines(&text), &mut vocab, &TableOptions::default())
            .unwrap()
            .0;
        assert_eq!(again.table().len(), 2);
    }

    #[test]
    fn bad_rows_name_their_line() {
        let load = |text: &str| {
            load_patterns(
                &mut lines(text),
                &mut Vocab::new(),
                &TableOptions::default(),
            )
            .unwrap_err()
        };
        for (text, code) in [
            ("a [NN_1] ||| b [NN_1 ||| 1", "bad-table"),
            ("a [NN_1] ||| b ||| 1", "bad-table"),
            ("[NN_1] ||| b [NN_1] ||| 1", "bad-table"),
            ("a ||| b", "syntax"),
            ("a ||| b ||| x", "syntax"),
            ("a ||| b ||| ", "syntax"),
            ("a ||| b ||| 2", "probability-out-of-range"),
            ("a ||| b ||| -1", "probability-out-of-range"),
            ("a ||| ||| 1", "bad-table"),
        ] {
            let error = load(&format!("x ||| y ||| 1\n{text}\n"));
            assert_eq!(error.code(), code, "{text}");
            assert!(error.to_string().contains("input:2:"), "{error}");
        }
        let error = load_collocations(
            &mut lines("a b ||| c d ||| 1"),
            &mut Vocab::new(),
            &TableOptions::default(),
        );
        assert_eq!(error.unwrap_err().code(), "bad-table");
    }
}
