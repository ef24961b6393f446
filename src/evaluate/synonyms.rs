//! WordNet as a source of replacements, without and with a language model.

use pgen_core::thesaurus::{Inflection, Thesaurus, WordClass};
use pgen_core::{
    Part, Piece, Proposal, ReplacementModel, RuleId, Sentence, Span, SplitMix64, Target, TokenKind,
};
use std::sync::Arc;

/// Members of a word's first synset, inflected like the word (Quirk et al. 2004, §4.1: WN and WN + LM).
///
/// As a [`ReplacementModel`] every other member is proposed, with the one feature `synset`, ln(1 / number
/// of members, the word included). Of several word classes the one whose tag the sentence has is taken,
/// else the first of noun, verb, adjective, adverb. The first synset is the first in the thesaurus's own
/// order, which is the most frequent one only if the table lists senses by frequency.
#[derive(Clone, Debug)]
pub struct Synonyms {
    thesaurus: Arc<Thesaurus>,
    features: [String; 1],
}

impl Synonyms {
    /// Synonyms from a thesaurus.
    #[must_use]
    pub fn new(thesaurus: Arc<Thesaurus>) -> Self {
        Synonyms {
            thesaurus,
            features: ["synset".to_owned()],
        }
    }

    /// The other members of a word's first synset, inflected like the word; ascending.
    #[must_use]
    pub fn members(&self, word: &str, class: Option<WordClass>) -> Vec<String> {
        let analyses = self.thesaurus.analyses(word);
        let fits = |analysis: &&(WordClass, String, Inflection)| {
            class.is_none_or(|class| class == analysis.0)
        };
        let Some((class, lemma, form)) = analyses.iter().find(fits).or(analyses.first()) else {
            return Vec::new();
        };
        let Some(synset) = self.thesaurus.synsets(lemma, *class).next() else {
            return Vec::new();
        };
        let others = self
            .thesaurus
            .members(synset)
            .filter(|member| member != lemma);
        let inflected = |member: &str| {
            self.thesaurus
                .inflect(member, *class, *form)
                .into_iter()
                .next()
        };
        let mut found: Vec<String> = others
            .filter_map(inflected)
            .filter(|other| other != word)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn members_at(&self, sentence: &Sentence, at: usize) -> Vec<String> {
        let token = sentence.tokens().get(at);
        if !token.is_some_and(|token| token.kind == TokenKind::Word && !token.protected) {
            return Vec::new();
        }
        let Some(&word) = sentence.words().get(at) else {
            return Vec::new();
        };
        let tag = sentence.tags().and_then(|tags| tags.get(at));
        self.members(
            sentence.lexicon().word(word),
            tag.and_then(|tag| class_of(tag)),
        )
    }

    /// WN without a language model: `replacements` words, chosen at random, each by a member chosen at
    /// random; all words that have one if there are fewer. The same seed gives the same choice. Returns
    /// token positions and new words, ascending.
    #[must_use]
    pub fn replace_words(
        &self,
        sentence: &Sentence,
        replacements: usize,
        seed: u64,
    ) -> Vec<(usize, String)> {
        let mut random = SplitMix64::new(seed);
        let all = (0..sentence.len()).map(|at| (at, self.members_at(sentence, at)));
        let mut able: Vec<(usize, Vec<String>)> =
            all.filter(|(_, members)| !members.is_empty()).collect();
        random.shuffle(&mut able);
        able.truncate(replacements);
        able.sort_unstable_by_key(|(at, _)| *at);
        let choose = |(at, members): (usize, Vec<String>)| {
            let chosen = random.index(members.len())?;
            Some((at, members.into_iter().nth(chosen)?))
        };
        able.into_iter().filter_map(choose).collect()
    }
}

impl ReplacementModel for Synonyms {
    fn features(&self) -> &[String] {
        &self.features
    }

    fn propose(&self, sentence: &Sentence, emit: &mut dyn FnMut(&Proposal<'_>)) {
        for at in 0..sentence.len() {
            let members = self.members_at(sentence, at);
            let value = -((members.len() + 1) as f32).ln();
            for (number, member) in (0u32..).zip(&members) {
                let pieces: Vec<Piece<'_>> = member.split(' ').map(Piece::Text).collect();
                emit(&Proposal {
                    parts: &[Part {
                        span: Span::single(at as u32),
                        target: Target::Pieces(&pieces),
                    }],
                    values: &[value],
                    rule: RuleId::new(number),
                });
            }
        }
    }
}

/// The class of a Penn or universal tag.
fn class_of(tag: &str) -> Option<WordClass> {
    Some(match tag {
        "NOUN" | "NN" | "NNS" => WordClass::Noun,
        "ADJ" | "JJ" | "JJR" | "JJS" => WordClass::Adjective,
        "ADV" | "RB" | "RBR" | "RBS" => WordClass::Adverb,
        _ if tag.starts_with("VB") || tag == "VERB" => WordClass::Verb,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgen_core::thesaurus::ThesaurusBuilder;
    use pgen_core::{Lexicon, Limits, Vocab};

    fn synonyms() -> Synonyms {
        let mut builder = ThesaurusBuilder::new();
        for (number, line) in ["n1\tcar auto\t", "v2\tpurchase buy\t", "n3\tpurchase\t"]
            .iter()
            .enumerate()
        {
            builder.synset_line(number as u64 + 1, line).unwrap();
        }
        Synonyms::new(Arc::new(builder.build().unwrap()))
    }

    #[test]
    fn members_are_inflected_like_the_word() {
        assert_eq!(synonyms().members("cars", None), ["autos"]);
        assert_eq!(synonyms().members("buys", None), ["purchases"]);
        assert_eq!(
            synonyms().members("purchase", Some(WordClass::Verb)),
            ["buy"]
        );
        assert_eq!(synonyms().members("dog", None), [""; 0]);
    }

    #[test]
    fn arbitrary_words_are_the_same_for_the_same_seed() {
        let lexicon = Lexicon::new(Arc::new(Vocab::new()));
        let words = ["he", "buys", "cars", "and", "autos"];
        let sentence = Sentence::from_words(words, lexicon, &Limits::default()).unwrap();
        let model = synonyms();
        let (one, again) = (
            model.replace_words(&sentence, 2, 7),
            model.replace_words(&sentence, 2, 7),
        );
        assert_eq!((one.len(), &one), (2, &again));
        assert_eq!(model.replace_words(&sentence, 9, 1).len(), 3);
    }
}
