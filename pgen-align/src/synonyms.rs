//! Synonym tables: from a thesaurus, with inflection, and from lists of pairs.

use crate::error::Result;
use hashbrown::HashMap;
use pgen_core::text::tokens;
use pgen_core::thesaurus::{Inflection, Thesaurus, WordClass};
use pgen_core::{Error, Lines, ParaphraseTable, TableBuilder, Vocab, WordId};

/// Which senses of a word count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum Senses {
    /// The first of each word class, which is the most frequent one in WordNet.
    First,
    /// All; the k-th weighs 1/k.
    #[default]
    All,
}

const CLASSES: [WordClass; 4] = [
    WordClass::Noun,
    WordClass::Verb,
    WordClass::Adjective,
    WordClass::Adverb,
];

/// Collects weighted synonyms for a table.
///
/// Weights of a pair add up; p(t|s) is the weight of (s, t) over all weights of s, which is neither a
/// frequency nor learned from text.
#[derive(Debug, Default)]
pub struct SynonymTable {
    vocab: Vocab,
    /// Spellings may hold several words.
    weights: HashMap<(WordId, WordId), f64>,
}

impl SynonymTable {
    /// No synonyms.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of pairs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// True without pairs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// Adds to a pair's weight. A word is no synonym of its own.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] for too many words; [`Error::BadParameter`] for a weight that is not above
    /// 0 or not finite.
    pub fn add(&mut self, source: &str, target: &str, weight: f64) -> Result<()> {
        if !(weight > 0.0 && weight.is_finite()) {
            return Err(Error::parameter("weight", weight, "above 0").into());
        }
        if source != target {
            let pair = (self.vocab.intern(source)?, self.vocab.intern(target)?);
            *self.weights.entry(pair).or_default() += weight;
        }
        Ok(())
    }

    /// Adds the synonyms of a word in the word's own inflection, from every analysis of the word: other
    /// members of each synonym set, those of a set alike, 1/k for the k-th sense.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn add_word(&mut self, thesaurus: &Thesaurus, word: &str, senses: Senses) -> Result<()> {
        for (class, lemma, inflection) in thesaurus.analyses(word) {
            self.add_lemma(thesaurus, word, &lemma, class, inflection, senses)?;
        }
        Ok(())
    }

    /// Adds the synonyms of all forms of all lemmas.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn add_all(&mut self, thesaurus: &Thesaurus, senses: Senses) -> Result<()> {
        for lemma in thesaurus.lemmas() {
            for class in CLASSES {
                if !thesaurus.knows(lemma, class) {
                    continue;
                }
                for &inflection in Inflection::of(class) {
                    for form in thesaurus.inflect(lemma, class, inflection) {
                        self.add_lemma(thesaurus, &form, lemma, class, inflection, senses)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn add_lemma(
        &mut self,
        thesaurus: &Thesaurus,
        form: &str,
        lemma: &str,
        class: WordClass,
        inflection: Inflection,
        senses: Senses,
    ) -> Result<()> {
        let most = match senses {
            Senses::First => 1,
            Senses::All => usize::MAX,
        };
        for (rank, synset) in thesaurus.synsets(lemma, class).take(most).enumerate() {
            for member in thesaurus.members(synset).filter(|member| *member != lemma) {
                for synonym in thesaurus.inflect(member, class, inflection) {
                    self.add(form, &synonym, 1.0 / (rank + 1) as f64)?;
                }
            }
        }
        Ok(())
    }

    /// Adds a list, each pair both ways with weight 1: two tab-separated entries a line, or a word and its
    /// synonyms separated by spaces.
    ///
    /// # Errors
    /// [`Error::Syntax`] with file and line for a line with a single entry; what [`Lines`] says.
    pub fn add_list(&mut self, lines: &mut Lines) -> Result<()> {
        let place = lines.place();
        while let Some((number, line)) = lines.next_line()? {
            if line.trim().is_empty() {
                continue;
            }
            let mut entries: Vec<String> = if line.contains('\t') {
                let entries = line
                    .split('\t')
                    .map(|entry| tokens(entry).collect::<Vec<_>>());
                entries.map(|words| words.join(" ")).collect()
            } else {
                tokens(line).map(str::to_owned).collect()
            };
            entries.retain(|entry| !entry.is_empty());
            let [first, others @ ..] = &entries[..] else {
                continue;
            };
            if others.is_empty() {
                let (expected, hint) = ("a word and its synonyms", "separate them by a tab");
                let error = Error::syntax(place.clone(), expected, line, hint);
                return Err(error.at_line(number).into());
            }
            for other in others {
                self.add(first, other, 1.0)?;
                self.add(other, first, 1.0)?;
            }
        }
        Ok(())
    }

    /// The table with the feature `synonym` = ln p(t|s); words join `vocab`.
    ///
    /// # Errors
    /// As [`TableBuilder::push_text`].
    pub fn build(&self, vocab: &mut Vocab) -> Result<ParaphraseTable> {
        let mut pairs: Vec<_> = self
            .weights
            .iter()
            .map(|(pair, weight)| (*pair, *weight))
            .collect();
        pairs.sort_unstable_by_key(|(pair, _)| *pair);
        let spell = |word: WordId| self.vocab.word(word).unwrap_or("");
        let mut builder = TableBuilder::new(["synonym"]);
        for same in pairs.chunk_by(|a, b| a.0.0 == b.0.0) {
            let mut weights: Vec<f64> = same.iter().map(|(_, weight)| *weight).collect();
            // The sum must not depend on the order of additions.
            weights.sort_unstable_by(f64::total_cmp);
            let total: f64 = weights.iter().sum();
            for ((source, target), weight) in same {
                let value = (weight / total).ln() as f32;
                builder.push_text(vocab, spell(*source), spell(*target), &[value])?;
            }
        }
        Ok(builder.build(vocab)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgen_core::Limits;
    use pgen_core::thesaurus::ThesaurusBuilder;

    fn thesaurus() -> Thesaurus {
        let mut builder = ThesaurusBuilder::new();
        let sets = [
            "v00000001\tbuy purchase\t",
            "v00000002\tbuy bribe pay_off\t",
            "n00000003\tpurchase buy acquisition\t",
        ];
        for (number, line) in (1..).zip(sets) {
            builder.synset_line(number, line).unwrap();
        }
        builder.exception_line(1, "verb\tbought\tbuy").unwrap();
        builder.exception_line(2, "verb\tpaid\tpay").unwrap();
        builder.build().unwrap()
    }

    fn rows(table: &SynonymTable) -> Vec<(String, f64)> {
        let mut vocab = Vocab::new();
        let built = table.build(&mut vocab).unwrap();
        let mut rows = Vec::new();
        built.for_each(|_, rule| {
            let (source, target) = built.spell(rule.id, &vocab).unwrap();
            rows.push((
                format!("{source} = {target}"),
                f64::from(rule.values[0]).exp(),
            ));
        });
        rows
    }

    #[test]
    fn synonyms_take_the_inflection_of_the_word() {
        let thesaurus = thesaurus();
        let mut table = SynonymTable::new();
        table.add_word(&thesaurus, "bought", Senses::All).unwrap();
        let found = rows(&table);
        let texts: Vec<&str> = found.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(
            texts,
            ["bought = purchased", "bought = bribed", "bought = paid off"]
        );
        // Of the first sense 1, of the second ½ each.
        let expected = [0.5, 0.25, 0.25];
        assert!(
            found
                .iter()
                .zip(expected)
                .all(|((_, p), e)| (p - e).abs() < 1e-6),
            "{found:?}"
        );
        let mut first = SynonymTable::new();
        first.add_word(&thesaurus, "bought", Senses::First).unwrap();
        assert_eq!(rows(&first).len(), 1);
        let mut all = SynonymTable::new();
        all.add_all(&thesaurus, Senses::All).unwrap();
        let texts: Vec<String> = rows(&all).into_iter().map(|(text, _)| text).collect();
        for row in [
            "bought = purchased",
            "acquisitions = buys",
            "paying off = buying",
            "buy = pay off",
        ] {
            assert!(texts.iter().any(|text| text == row), "{row}");
        }
    }

    #[test]
    fn lists_of_either_form_count_both_ways() {
        let limits = Limits::default();
        let mut table = SynonymTable::new();
        let mut pairs = Lines::from_text("big\tlarge\nbig\tof great  size\n\n", &limits).unwrap();
        table.add_list(&mut pairs).unwrap();
        let mut adjacency = Lines::from_text("big huge large\n", &limits).unwrap();
        table.add_list(&mut adjacency).unwrap();
        let found = rows(&table);
        let p = |row: &str| found.iter().find(|(text, _)| text == row).unwrap().1;
        assert!((p("big = large") - 0.5).abs() < 1e-6);
        assert!((p("big = of great size") - 0.25).abs() < 1e-6);
        assert!((p("huge = big") - 1.0).abs() < 1e-6);
        let mut bad = Lines::from_text("a b\nalone\n", &limits).unwrap();
        let error = table.add_list(&mut bad).unwrap_err();
        assert_eq!(error.code(), "syntax");
        assert!(error.to_string().contains('2'), "{error}");
        assert!(table.add("a", "b", f64::NAN).is_err());
    }
}
