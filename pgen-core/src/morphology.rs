//! Lemmas and inflected forms by tag.

use crate::thesaurus::{Inflection, Thesaurus, WordClass};
use std::fmt;

/// What a word's lemma is, and which form of a lemma a tag asks for. Tags are those of the sentences: of
/// the Penn treebank for [`Thesaurus`], which knows English.
///
/// Must answer the same whenever it is asked the same.
pub trait Morphology: fmt::Debug + Send + Sync {
    /// The lemma of a lower-case form under a tag; `None` if it is not known.
    fn lemma(&self, form: &str, tag: &str) -> Option<String>;

    /// The form of a lemma for a tag; `None` if there is none.
    fn inflect(&self, lemma: &str, tag: &str) -> Option<String>;
}

/// Class and inflection that a tag of the Penn treebank stands for.
fn inflection_of(tag: &str) -> Option<(WordClass, Inflection)> {
    use Inflection::{
        Base, Comparative, Gerund, Past, PastParticiple, Plural, Superlative, ThirdPerson,
    };
    Some(match tag {
        "NN" => (WordClass::Noun, Base),
        "NNS" => (WordClass::Noun, Plural),
        "VB" | "VBP" => (WordClass::Verb, Base),
        "VBZ" => (WordClass::Verb, ThirdPerson),
        "VBD" => (WordClass::Verb, Past),
        "VBG" => (WordClass::Verb, Gerund),
        "VBN" => (WordClass::Verb, PastParticiple),
        "JJ" => (WordClass::Adjective, Base),
        "JJR" => (WordClass::Adjective, Comparative),
        "JJS" => (WordClass::Adjective, Superlative),
        "RB" => (WordClass::Adverb, Base),
        "RBR" => (WordClass::Adverb, Comparative),
        "RBS" => (WordClass::Adverb, Superlative),
        _ => return None,
    })
}

/// Forms of `be` and `have` that tags of the Penn treebank do not tell apart from those of other verbs.
const OUT_OF_LINE: [&str; 3] = ["am", "are", "be"];

impl Morphology for Thesaurus {
    fn lemma(&self, form: &str, tag: &str) -> Option<String> {
        let wanted = inflection_of(tag)?;
        let analyses = self.analyses(form).into_iter();
        // Of several lemmas the first by spelling, so that the answer is the same everywhere.
        analyses
            .filter(|(class, _, inflection)| (*class, *inflection) == wanted)
            .map(|(_, lemma, _)| lemma)
            .next()
    }

    fn inflect(&self, lemma: &str, tag: &str) -> Option<String> {
        let (class, inflection) = inflection_of(tag)?;
        if OUT_OF_LINE.contains(&lemma) {
            return None;
        }
        Thesaurus::inflect(self, lemma, class, inflection)
            .into_iter()
            .next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thesaurus::ThesaurusBuilder;

    #[test]
    fn a_form_and_its_tag_lead_to_the_lemma_and_back() {
        let mut builder = ThesaurusBuilder::new();
        for (number, line) in (1..).zip(["v1\tmake\t", "v2\tfind\t", "v3\tfound\t", "n4\tstep\t"]) {
            builder.synset_line(number, line).unwrap();
        }
        for (number, line) in (1..).zip(["verb\tmade\tmake", "verb\tfound\tfind"]) {
            builder.exception_line(number, line).unwrap();
        }
        let english = builder.build().unwrap();
        let there_and_back = |form: &str, tag: &str| -> Option<(String, String)> {
            let lemma = english.lemma(form, tag)?;
            let back = Morphology::inflect(&english, &lemma, tag)?;
            Some((lemma, back))
        };
        for (form, tag, lemma) in [
            ("made", "VBD", "make"),
            ("made", "VBN", "make"),
            ("making", "VBG", "make"),
            ("makes", "VBZ", "make"),
            ("found", "VBD", "find"),
            ("found", "VB", "found"),
            ("steps", "NNS", "step"),
            ("step", "NN", "step"),
        ] {
            assert_eq!(
                there_and_back(form, tag),
                Some((lemma.to_owned(), form.to_owned())),
                "{form} {tag}"
            );
        }
        for (form, tag) in [
            ("steps", "NN"),
            ("made", "VB"),
            ("made", "IN"),
            ("", "NN"),
            ("x", ""),
        ] {
            assert_eq!(there_and_back(form, tag), None, "{form} {tag}");
        }
    }
}
