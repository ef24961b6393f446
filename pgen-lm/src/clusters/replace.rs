//! Members of a word's class as its replacements.

use pgen_core::{Part, Proposal, ReplacementModel, RuleId, Sentence, Span, Target, WordClasses};
use std::sync::Arc;

/// Every other member of a word's class may replace it, all with the same probability: the clustering
/// baseline of Quirk, Brockett and Dolan (2004), section 4.2, whose classes come from
/// [`ClusterTrainer`](crate::ClusterTrainer).
///
/// The one feature, `class`, is ln(1 / number of members, the word itself included). A rule's number is the
/// id of the new word. Words in no class and alone in theirs stay as they are. Members are proposed in the
/// order of their ids.
#[derive(Clone, Debug)]
pub struct ClassReplacements {
    classes: Arc<WordClasses>,
    features: [String; 1],
}

impl ClassReplacements {
    /// Replacements by these classes, whose word ids are those of the sentences' vocabulary.
    #[must_use]
    pub fn new(classes: Arc<WordClasses>) -> Self {
        ClassReplacements {
            classes,
            features: ["class".to_owned()],
        }
    }
}

impl ReplacementModel for ClassReplacements {
    fn features(&self) -> &[String] {
        &self.features
    }

    fn propose(&self, sentence: &Sentence, emit: &mut dyn FnMut(&Proposal<'_>)) {
        for (at, &word) in sentence.words().iter().enumerate() {
            let Some(class) = self.classes.class(word) else {
                continue;
            };
            let members = self.classes.members(class);
            let value = -(members.len() as f32).ln();
            for &member in members.iter().filter(|&&member| member != word) {
                let words = [member];
                let part = Part {
                    span: Span::single(at as u32),
                    target: Target::Words(&words),
                };
                emit(&Proposal {
                    parts: &[part],
                    values: &[value],
                    rule: RuleId::new(member.raw()),
                });
            }
        }
    }
}
