//! Candidate rows from all sources in one pool, then cleaned, judged and cut to a table.

use super::evidence::Voters;
use super::filter::{Reason, RowFilter};
use super::judgement::{Judgements, Verdicts};
use super::reliability::Reliability;
use super::row::{Company, Row, learn_reliability};
use super::similarity::Similarity;
use super::sources::each_row;
use crate::error::Result;
use hashbrown::HashMap;
use pgen_core::text::tokens;
use pgen_core::{Error, Limits, ParaphraseTable, Phrases, TableBuilder, Vocab, WordId};
use std::collections::BTreeMap;
use std::path::Path;

/// Names of a row's features, in order; natural logs unless said otherwise.
///
/// | feature | value |
/// |---|---|
/// | `pivot` | ln p(target \| source) through another language |
/// | `pivot-inverse` | ln p(source \| target) the same way |
/// | `pairs` | ln p(target \| source) in sentence pairs |
/// | `pairs-inverse` | ln p(source \| target) the same way |
/// | `thesaurus` | 1 if a thesaurus has both in one set, 0 if not |
/// | `synonyms` | 1 if a synonym list has the pair, 0 if not |
/// | `lexicon` | 1 if a lexicon has the row, or nothing but judgements, 0 if not |
/// | `reliability` | ln of the odds of being right, by judged rows ([`Reliability`]); 0 if nothing was judged |
/// | `change` | 1: what a replacement costs as such |
pub const FEATURES: [&str; 9] = [
    "pivot",
    "pivot-inverse",
    "pairs",
    "pairs-inverse",
    "thesaurus",
    "synonyms",
    "lexicon",
    "reliability",
    "change",
];

/// Rows below these odds of being right (one in fifty), as a natural log, are dropped.
const LEAST_ODDS: f64 = -3.9;

/// Stands for a probability that no source gives.
pub const FLOOR: f64 = 1e-4;

/// Where a probability comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Through another language.
    Pivot,
    /// Sentence pairs in one language.
    Pairs,
    /// A lexicon, whose rows have no probabilities.
    Lexicon,
}

/// Candidate rows by source and target phrase.
#[derive(Debug, Default)]
pub struct Pool {
    phrases: Phrases,
    rows: HashMap<(u32, u32), [f32; 3]>,
}

/// How the pool became a table.
#[derive(Clone, Debug, Default)]
pub struct PoolReport {
    /// Candidates before cleaning.
    pub candidates: u64,
    /// Candidates below the probability threshold.
    pub improbable: u64,
    /// Candidates that a shorter row makes superfluous.
    pub decomposable: u64,
    /// Candidates that broke a rule, by the rule's name.
    pub dropped: BTreeMap<&'static str, u64>,
    /// Rows that are hardly ever right.
    pub unreliable: u64,
    /// Rows cut because their source had enough better ones.
    pub cut: u64,
    /// Rows kept.
    pub rows: u64,
    /// Rows that the thesaurus, the synonym lists, or both vote for.
    pub voted: [u64; 3],
    /// The model of reliability, if rows were judged.
    pub reliability: Option<Reliability>,
}

/// What rows must satisfy.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'a> {
    /// Hard rules, if any.
    pub filter: Option<RowFilter<'a>>,
    /// Votes.
    pub voters: Voters<'a>,
    /// Least probability, in both directions together (their geometric mean), for rows without votes.
    /// Rows with one vote need a tenth, with two a hundredth.
    pub min_probability: f64,
    /// Most rows of a source.
    pub kappa: usize,
    /// Judged rows. With any, a row's merit is its reliability, and a row that readers approve
    /// ([`Verdicts::approve`]) need not satisfy the rules that guess ([`Reason::is_guess`]).
    pub judgements: &'a Judgements,
    /// Which words are alike, by the ids of the table's vocabulary.
    pub company: Option<&'a Similarity>,
}

impl Pool {
    /// An empty pool.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of candidates.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True without candidates.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds p(target | source); of several the largest counts.
    ///
    /// # Errors
    /// Too many phrases.
    pub fn add(
        &mut self,
        source: &[WordId],
        target: &[WordId],
        origin: Origin,
        p: f64,
    ) -> Result<()> {
        let key = (self.phrases.intern(source)?, self.phrases.intern(target)?);
        let slot = &mut self.rows.entry(key).or_default()[origin as usize];
        *slot = slot.max(p as f32);
        Ok(())
    }

    /// Adds the rows that readers approve, whatever other source has them.
    ///
    /// # Errors
    /// Too many phrases or words.
    pub fn add_judged(&mut self, judgements: &Judgements, words: &mut Vocab) -> Result<()> {
        for (source, target) in judgements.approved() {
            self.row(source, target, words)?;
        }
        Ok(())
    }

    /// Adds the rows of a lexicon: lines `source TAB target`, lower-case words and clitics separated by
    /// blanks.
    ///
    /// # Errors
    /// Those of [`Lines`](pgen_core::Lines); [`Error::Syntax`] for other lines; too many phrases or words.
    pub fn add_lexicon(&mut self, path: &Path, limits: &Limits, words: &mut Vocab) -> Result<()> {
        each_row(path, limits, |place, fields, line| match fields {
            [source, target] if !source.trim().is_empty() && !target.trim().is_empty() => {
                self.row(source, target, words)?[Origin::Lexicon as usize] = 1.0;
                Ok(())
            }
            _ => {
                let expected = "source and target, separated by a tab";
                Err(Error::syntax(place, expected, line, ""))
            }
        })?;
        Ok(())
    }

    /// The row of two spelled phrases, new if it must be.
    fn row(
        &mut self,
        source: &str,
        target: &str,
        words: &mut Vocab,
    ) -> pgen_core::Result<&mut [f32; 3]> {
        let mut intern = |phrase: &str| -> pgen_core::Result<u32> {
            let ids = tokens(phrase).map(|word| words.intern(word));
            let ids: Vec<WordId> = ids.collect::<pgen_core::Result<_>>()?;
            self.phrases.intern(&ids)
        };
        let key = (intern(source)?, intern(target)?);
        Ok(self.rows.entry(key).or_default())
    }

    fn probability(&self, from: u32, to: u32, origin: Origin) -> f64 {
        self.rows
            .get(&(from, to))
            .map_or(0.0, |row| f64::from(row[origin as usize]))
    }

    /// Cleans the pool and makes the table. Words of the table are interned into `vocab`, which must be
    /// the one that the candidates' ids are of or an extension of it.
    ///
    /// # Errors
    /// Limits of the table.
    pub fn into_table(
        self,
        words: &Vocab,
        vocab: &mut Vocab,
        selection: &Selection<'_>,
    ) -> Result<(ParaphraseTable, PoolReport)> {
        let mut report = PoolReport {
            candidates: self.rows.len() as u64,
            ..PoolReport::default()
        };
        let mut keys: Vec<(u32, u32)> = self.rows.keys().copied().collect();
        keys.sort_unstable();
        let verdicts = self.verdicts(words, selection.judgements);
        let mut rows: Vec<Row> = Vec::new();
        for key in keys {
            let verdicts = verdicts.get(&key).copied().unwrap_or_default();
            if let Some(row) = self.judge(key, verdicts, words, selection, &mut report) {
                rows.push(row);
            }
        }
        let company = selection.company.map(|similarity| Company {
            similarity,
            words: vocab,
            known: vocab.len(),
        });
        report.reliability = learn_reliability(&mut rows, company);
        // Best first within a source; ties by spelling.
        rows.sort_by(|a, b| {
            let merit = || b.merit.total_cmp(&a.merit);
            a.source
                .cmp(&b.source)
                .then_with(merit)
                .then_with(|| a.target.cmp(&b.target))
        });
        if report.reliability.is_some() {
            let all = rows.len();
            rows.retain(|row| row.merit >= LEAST_ODDS);
            report.unreliable = (all - rows.len()) as u64;
        }
        let mut builder = TableBuilder::new(FEATURES);
        let mut run = 0;
        for (at, row) in rows.iter().enumerate() {
            run = if at > 0 && rows[at - 1].source == row.source {
                run + 1
            } else {
                1
            };
            if run > selection.kappa {
                report.cut += 1;
                continue;
            }
            let ids = |phrase: &str, vocab: &mut Vocab| -> Result<Vec<WordId>> {
                Ok(phrase
                    .split(' ')
                    .map(|word| vocab.intern(word))
                    .collect::<Result<_, _>>()?)
            };
            let (source, target) = (ids(&row.source, vocab)?, ids(&row.target, vocab)?);
            builder.push(&source, &target, &row.values)?;
            report.count(row);
        }
        Ok((builder.build(vocab)?, report))
    }

    /// The judgements on rows of the pool.
    fn verdicts(&self, words: &Vocab, judgements: &Judgements) -> HashMap<(u32, u32), Verdicts> {
        let phrase = |text: &str| {
            let ids: Option<Vec<WordId>> = tokens(text).map(|word| words.get(word)).collect();
            self.phrases.find(&ids?)
        };
        let row = |(source, target, verdicts): (&str, &str, Verdicts)| {
            Some(((phrase(source)?, phrase(target)?), verdicts))
        };
        judgements.iter().filter_map(row).collect()
    }

    fn judge(
        &self,
        key: (u32, u32),
        verdicts: Verdicts,
        words: &Vocab,
        selection: &Selection<'_>,
        report: &mut PoolReport,
    ) -> Option<Row> {
        let spell = |phrase: u32| -> Vec<&str> {
            let ids = self.phrases.get(phrase).iter();
            ids.map(|&id| words.word(id).unwrap_or_default()).collect()
        };
        let (source, target) = (spell(key.0), spell(key.1));
        let probabilities = [Origin::Pivot, Origin::Pairs].map(|origin| {
            [
                self.probability(key.0, key.1, origin),
                self.probability(key.1, key.0, origin),
            ]
        });
        let mean = |[a, b]: [f64; 2]| (a.max(FLOOR) * b.max(FLOOR)).sqrt();
        let best = mean(probabilities[0]).max(mean(probabilities[1]));
        // A lexicon's rows were chosen, as approved ones were: no statistics need to speak for them.
        let listed = self.probability(key.0, key.1, Origin::Lexicon) > 0.0;
        let chosen = listed || verdicts.approve();
        if best < selection.min_probability / 100.0 && !chosen {
            report.improbable += 1;
            return None;
        }
        let objection = selection
            .filter
            .and_then(|filter| filter.check(&source, &target).err());
        let approved_by_rules = objection.is_none();
        if let Some(reason) = objection.filter(|reason| !chosen || !reason.is_guess()) {
            *report.dropped.entry(Reason::name(reason)).or_default() += 1;
            return None;
        }
        let votes = selection.voters.votes(&source, &target);
        let count = i32::from(votes.thesaurus) + i32::from(votes.synonyms);
        if best < selection.min_probability / 10f64.powi(count) && !chosen {
            report.improbable += 1;
            return None;
        }
        if !chosen && self.is_decomposable(key) {
            report.decomposable += 1;
            return None;
        }
        let ln = |p: f64| p.max(FLOOR).ln() as f32;
        let vote = |yes: bool| f32::from(u8::from(yes));
        let [[a, b], [c, d]] = probabilities;
        let values = [
            ln(a),
            ln(b),
            ln(c),
            ln(d),
            vote(votes.thesaurus),
            vote(votes.synonyms),
            vote(listed || best <= FLOOR && count == 0),
            0.0,
            1.0,
        ];
        let merit = best.ln() + 2.0 * f64::from(count);
        Some(Row {
            source: source.join(" "),
            target: target.join(" "),
            values,
            merit,
            verdicts,
            approved_by_rules,
        })
    }

    /// True if the row without a first or last word that both sides share is in the pool and at least
    /// half as probable: then the shorter row does the same in more places.
    fn is_decomposable(&self, (source, target): (u32, u32)) -> bool {
        let (s, t) = (self.phrases.get(source), self.phrases.get(target));
        if s.len() < 2 || t.len() < 2 {
            return false;
        }
        let own = self
            .rows
            .get(&(source, target))
            .map_or(0.0, |row| row[0].max(row[1]));
        let shorter = |s: &[WordId], t: &[WordId]| {
            let key = (self.phrases.find(s), self.phrases.find(t));
            let (Some(s), Some(t)) = key else {
                return false;
            };
            self.rows
                .get(&(s, t))
                .is_some_and(|row| row[0].max(row[1]) >= own / 2.0)
        };
        (s[0] == t[0] && shorter(&s[1..], &t[1..]))
            || (s.last() == t.last() && shorter(&s[..s.len() - 1], &t[..t.len() - 1]))
    }
}

impl PoolReport {
    fn count(&mut self, row: &Row) {
        self.rows += 1;
        let [.., thesaurus, synonyms, _, _, _] = row.values;
        self.voted[0] += u64::from(thesaurus > 0.0);
        self.voted[1] += u64::from(synonyms > 0.0);
        self.voted[2] += u64::from(thesaurus > 0.0 && synonyms > 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::evidence::SynonymList;
    use super::*;

    #[test]
    fn chosen_rows_need_no_statistics_but_keep_the_hard_rules() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lexicon.tsv");
        let add = |text: &str, pool: &mut Pool, words: &mut Vocab| {
            std::fs::write(&path, text).unwrap();
            pool.add_lexicon(&path, &Limits::default(), words)
        };
        let (mut pool, mut words) = (Pool::new(), Vocab::new());
        let rows = "because\tsince\n\ndo n't know\tknow\nbecause of\tdue to\n";
        add(rows, &mut pool, &mut words).unwrap();
        let mut judgements = Judgements::new();
        let verdicts = |accepted, rejected| Verdicts { accepted, rejected };
        judgements.add("such as", "like", verdicts(8, 1));
        judgements.add("such as", "unlike", verdicts(1, 8));
        pool.add_judged(&judgements, &mut words).unwrap();
        let casing = super::super::casing::Casing::default();
        let selection = Selection {
            filter: Some(RowFilter::new(None, &casing)),
            voters: Voters {
                thesaurus: None,
                synonyms: &SynonymList::new(),
            },
            min_probability: 0.1,
            kappa: 10,
            judgements: &judgements,
            company: None,
        };
        let mut vocab = Vocab::new();
        let (table, report) = pool.into_table(&words, &mut vocab, &selection).unwrap();
        assert_eq!((table.len(), report.dropped["negation"]), (3, 1));
        for bad in ["alone\n", "a\tb\tc\n", "\tb\n"] {
            let error = add(bad, &mut Pool::new(), &mut words).unwrap_err();
            assert!(error.to_string().contains("lexicon.tsv:1"), "{error}");
        }
    }
}
