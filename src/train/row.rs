//! A candidate that passed, and what tells a reliable one from an unreliable one.

use super::judgement::Verdicts;
use super::pool::FEATURES;
use super::reliability::Reliability;
use super::similarity::Similarity;
use pgen_core::{Vocab, WordId};
use std::collections::BTreeMap;

/// Where the reliability stands among the features.
const RELIABILITY: usize = 7;

/// How many judgements of a row the model of all rows is worth.
const STRENGTH: f64 = 1.2;

/// A row that passed.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) source: String,
    pub(super) target: String,
    pub(super) values: [f32; FEATURES.len()],
    pub(super) merit: f64,
    pub(super) verdicts: Verdicts,
    /// No rule objects; otherwise judgements overruled the rules.
    pub(super) approved_by_rules: bool,
}

/// The company that words keep, for words by spelling.
#[derive(Clone, Copy, Debug)]
pub(super) struct Company<'a> {
    pub(super) similarity: &'a Similarity,
    /// Words by frequency.
    pub(super) words: &'a Vocab,
    /// Words with larger ids are not of the text.
    pub(super) known: usize,
}

impl Company<'_> {
    fn word(&self, word: &str) -> Option<WordId> {
        let id = self.words.get(word)?;
        (id.index() < self.known).then_some(id)
    }

    fn cosine(&self, a: &str, b: &str) -> Option<f64> {
        self.similarity.cosine(self.word(a)?, self.word(b)?)
    }

    /// ln of the rank of the rarest word.
    fn rarity(&self, words: &[&str]) -> f64 {
        let rank = |word: &&str| self.word(word).map_or(self.known, WordId::index);
        (words.iter().map(rank).max().unwrap_or(0) as f64 + 1.0).ln()
    }
}

/// Learns from the judged rows how reliable each row is, and makes that its feature and its merit.
/// Without judgements nothing changes.
pub(super) fn learn_reliability(
    rows: &mut [Row],
    company: Option<Company<'_>>,
) -> Option<Reliability> {
    let mut rivals: BTreeMap<&str, u32> = BTreeMap::new();
    for row in rows.iter() {
        *rivals.entry(&row.source).or_default() += 1;
    }
    let evidence: Vec<Vec<f64>> = rows
        .iter()
        .map(|row| {
            let of = |phrase: &str| f64::from(rivals.get(phrase).copied().unwrap_or(0));
            row.evidence(company, [of(&row.source), of(&row.target)])
        })
        .collect();
    let judged: Vec<(Vec<f64>, Verdicts)> = rows
        .iter()
        .zip(&evidence)
        .filter(|(row, _)| row.verdicts != Verdicts::default())
        .map(|(row, evidence)| (evidence.clone(), row.verdicts))
        .collect();
    if judged.is_empty() {
        return None;
    }
    let model = Reliability::fit(&judged, STRENGTH);
    for (row, evidence) in rows.iter_mut().zip(&evidence) {
        let p = model.probability(evidence, row.verdicts);
        row.merit = (p / (1.0 - p)).ln();
        row.values[RELIABILITY] = row.merit as f32;
    }
    Some(model)
}

impl Row {
    /// What tells a reliable row from an unreliable one; `rivals` counts the rows of source and target.
    fn evidence(&self, company: Option<Company<'_>>, rivals: [f64; 2]) -> Vec<f64> {
        let [
            pivot,
            inverse,
            pairs,
            pairs_inverse,
            thesaurus,
            synonyms,
            lexicon,
            ..,
        ] = self.values.map(f64::from);
        let [source, target]: [Vec<&str>; 2] =
            [&self.source, &self.target].map(|side| side.split(' ').collect());
        let (a, b) = differing(&source, &target);
        let cosine = match (company, a, b) {
            (Some(company), &[a], &[b]) => company.cosine(a, b),
            _ => None,
        };
        let alike = cosine.unwrap_or(0.0);
        let rarity = |words: &[&str]| company.map_or(0.0, |company| company.rarity(words));
        let flag = |yes: bool| f64::from(u8::from(yes));
        vec![
            pivot,
            inverse,
            pivot * inverse,
            pairs,
            pairs_inverse,
            thesaurus,
            synonyms,
            thesaurus * synonyms,
            source.len() as f64,
            target.len() as f64,
            a.len() as f64,
            b.len() as f64,
            flag(cosine.is_some()),
            alike,
            alike * alike,
            alike * thesaurus,
            alike * synonyms,
            rarity(a),
            rarity(b),
            (1.0 + rivals[0]).ln(),
            (1.0 + rivals[1]).ln(),
            shared_start(a, b),
            flag(self.approved_by_rules),
            lexicon,
            lexicon * (source.len() as f64),
            lexicon * alike,
        ]
    }
}

/// The phrases without the words that both begin and end with.
fn differing<'p, 'w>(a: &'p [&'w str], b: &'p [&'w str]) -> (&'p [&'w str], &'p [&'w str]) {
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[start..], &b[start..]);
    let tail = a.iter().rev().zip(b.iter().rev());
    let end = tail.take_while(|(a, b)| a == b).count();
    (&a[..a.len() - end], &b[..b.len() - end])
}

/// Share of the source's letters, from its start, that the target begins with too: forms and derivations
/// of one stem.
fn shared_start(a: &[&str], b: &[&str]) -> f64 {
    let (a, b) = (a.join(" "), b.join(" "));
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    same as f64 / a.chars().count().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_words_at_the_edges_do_not_differ() {
        let split = |text: &'static str| text.split(' ').collect::<Vec<&str>>();
        let (a, b) = (split("the big red house"), split("the large house"));
        assert_eq!(differing(&a, &b), (&["big", "red"][..], &["large"][..]));
        let (a, b) = (split("a a"), split("a"));
        assert_eq!(differing(&a, &b), (&["a"][..], &[][..]));
        assert_eq!(shared_start(&["photo"], &["photograph"]), 1.0);
    }

    #[test]
    fn judged_rows_teach_the_others() {
        let row = |source: &str, target: &str, thesaurus: f32, verdicts: [u32; 2]| Row {
            source: source.to_owned(),
            target: target.to_owned(),
            values: [-3.0, -3.0, -9.0, -9.0, thesaurus, 0.0, 0.0, 0.0, 1.0],
            merit: 0.0,
            verdicts: Verdicts {
                accepted: verdicts[0],
                rejected: verdicts[1],
            },
            approved_by_rules: true,
        };
        let mut rows = vec![
            row("a", "b", 1.0, [8, 2]),
            row("c", "d", 0.0, [2, 8]),
            row("e", "f", 1.0, [0, 0]),
            row("g", "h", 0.0, [0, 0]),
        ];
        assert!(learn_reliability(&mut rows, None).is_some());
        assert!(rows[2].merit > rows[3].merit);
        assert!(rows[0].merit > rows[2].merit);
        assert_eq!(rows[2].values[RELIABILITY], rows[2].merit as f32);
        rows.iter_mut()
            .for_each(|row| row.verdicts = Verdicts::default());
        assert!(learn_reliability(&mut rows, None).is_none());
    }
}
