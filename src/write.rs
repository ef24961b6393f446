//! From a decoder's hypothesis to a paraphrase: text, edits in bytes, evidence.

use crate::answer::{Paraphrase, TextEdit};
use crate::confidence::Evidence;
use crate::diversity::EditKind;
use crate::edits::cover_differences;
use crate::paraphraser::{Paraphraser, Planned};
use crate::values::Values;
use pgen_core::text::detokenize;
use pgen_core::{
    ByteSpan, Edit, FeatureId, Hypothesis, LanguageModel, LogProb, Score, Span, WordId,
};

/// Writes the hypotheses of one request.
pub(crate) struct Writer<'a> {
    paraphraser: &'a Paraphraser,
    planned: &'a Planned<'a>,
    /// ln P of the source.
    source_language: f64,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(paraphraser: &'a Paraphraser, planned: &'a Planned<'a>) -> Self {
        let language = &paraphraser.bundle().language;
        Writer {
            paraphraser,
            planned,
            source_language: language.sentence(planned.sentence.words()).ln(),
        }
    }

    /// The normalised words of a hypothesis.
    pub(crate) fn words(&self, hypothesis: &Hypothesis) -> Vec<&str> {
        let lexicon = self.planned.lattice.lexicon();
        hypothesis
            .words
            .iter()
            .map(|&word| lexicon.word(word))
            .collect()
    }

    /// True if a token stands twice in a row more often than in the source (`that that`).
    pub(crate) fn doubles_a_word(&self, hypothesis: &Hypothesis) -> bool {
        let source = self.planned.sentence.words();
        let doubled = |pair: &&[WordId]| matches!(pair, [a, b] if a == b);
        hypothesis.words.windows(2).filter(doubled).any(|pair| {
            let times =
                |words: &[WordId]| words.windows(2).filter(|window| *window == pair).count();
            times(&hypothesis.words) > times(source)
        })
    }

    /// The last guard: every protected token appears, in order, as it was written; no digit is new.
    pub(crate) fn keeps_protected(&self, text: &str) -> bool {
        let sentence = &self.planned.sentence;
        let mut rest = text;
        for (at, token) in sentence.tokens().iter().enumerate() {
            if !token.protected {
                continue;
            }
            let surface = sentence.surface(at);
            match rest.find(surface) {
                Some(place) => rest = rest.get(place + surface.len()..).unwrap_or(""),
                None => return false,
            }
        }
        let digits = |text: &str| text.chars().filter(|c| c.is_numeric()).collect::<String>();
        digits(text) == digits(sentence.text())
    }

    /// The paraphrase, without confidence.
    pub(crate) fn paraphrase(&self, hypothesis: &Hypothesis) -> Paraphrase {
        let Planned {
            sentence, lattice, ..
        } = self.planned;
        let proper = |word: &str| self.paraphraser.proper(word);
        let written = detokenize(sentence, lattice, hypothesis, Some(&proper));
        let edits = outermost(hypothesis.edits(lattice, sentence));
        let mut bytes = written.edit_bytes(sentence, &edits);
        cover_differences(sentence.text(), &written.text, &mut bytes);
        let language = hypothesis.language.ln();
        let texts: Vec<TextEdit> = edits
            .iter()
            .zip(bytes)
            .map(|(edit, bytes)| {
                let gained = language - self.without(hypothesis, &edits, edit);
                self.edit(edit, bytes, &written.text, gained)
            })
            .collect();
        let evidence = self.evidence(hypothesis, &edits, &texts);
        Paraphrase {
            edits: texts,
            score: hypothesis.score,
            confidence: 0.0,
            language: hypothesis.language,
            text: written.text,
            evidence,
            words: hypothesis.words.clone(),
        }
    }

    /// Adds what depends on the list: the margin to its best score, and the confidence.
    pub(crate) fn judged(&self, mut item: Paraphrase, best: Option<Score>) -> Paraphrase {
        let margin = best.map_or(0.0, |best| item.score.ln() - best.ln());
        item.evidence.margin = if margin.is_nan() { 0.0 } else { margin };
        item.confidence = self.paraphraser.confidence().probability(&item.evidence);
        item
    }

    fn edit(
        &self,
        edit: &Edit,
        (source, target): (ByteSpan, ByteSpan),
        text: &str,
        language: f64,
    ) -> TextEdit {
        let lattice = &self.planned.lattice;
        let cut = |text: &str, span: ByteSpan| text.get(span.range()).unwrap_or("").to_owned();
        let unit = lattice.unit(edit.unit);
        let values = unit.map_or(&[][..], |unit| lattice.unit_features(unit));
        let usability = lattice.feature_set().find("usability");
        let gain = values.iter().find(|(id, _)| Some(*id) == usability);
        let (from, to) = (cut(self.planned.sentence.text(), source), cut(text, target));
        TextEdit {
            source,
            target,
            kind: EditKind::of(&from, &to),
            from,
            to,
            table: self.paraphraser.table_name(edit.table.index()).to_owned(),
            rule: edit.rule,
            log_prob: LogProb::from_ln(first_value(values)),
            features: Values::new(lattice.feature_set(), values),
            language,
            gain: gain.map_or(0.0, |&(_, value)| f64::from(value)),
        }
    }

    /// ln P of the text with one edit undone; all parts of a collocation go together.
    fn without(&self, hypothesis: &Hypothesis, edits: &[Edit], undone: &Edit) -> f64 {
        if edits.iter().all(|edit| edit.unit == undone.unit) {
            return self.source_language;
        }
        let mut words = Vec::with_capacity(hypothesis.words.len());
        let mut at = 0;
        for edit in edits.iter().filter(|edit| edit.unit == undone.unit) {
            let target = edit.target.range();
            words.extend_from_slice(hypothesis.words.get(at..target.start).unwrap_or(&[]));
            words.extend_from_slice(self.planned.sentence.words_in(edit.source));
            at = target.end;
        }
        words.extend_from_slice(hypothesis.words.get(at..).unwrap_or(&[]));
        self.paraphraser.bundle().language.sentence(&words).ln()
    }

    fn evidence(&self, hypothesis: &Hypothesis, edits: &[Edit], texts: &[TextEdit]) -> Evidence {
        let lattice = &self.planned.lattice;
        let mut tables = Values::new(lattice.feature_set(), &[]);
        let (mut changed, mut unigram) = (0, 0.0);
        for edit in edits {
            if let Some(unit) = lattice.unit(edit.unit) {
                tables.keep_smaller(lattice.unit_features(unit));
            }
            let source = self.planned.sentence.words_in(edit.source);
            let target = words_of(hypothesis, edit.target);
            let kept = common(source, target);
            changed += source.len() + target.len() - 2 * kept;
            unigram += self.unigrams(target) - self.unigrams(source);
        }
        let least = |value: fn(&TextEdit) -> f64| {
            let smallest = texts.iter().map(value).fold(f64::INFINITY, f64::min);
            if texts.is_empty() { 0.0 } else { smallest }
        };
        let language = hypothesis.language.ln() - self.source_language;
        Evidence {
            edits: texts.len() as f64,
            changed: changed as f64,
            log_prob: least(|edit| edit.log_prob.ln()),
            language,
            worst_edit: least(|edit| edit.language),
            in_context: language - unigram,
            margin: 0.0,
            derivations: hypothesis
                .derivations
                .as_ref()
                .map_or(0.0, |count| count.ln().max(0.0)),
            tables,
        }
    }

    fn unigrams(&self, words: &[WordId]) -> f64 {
        let language = &self.paraphraser.bundle().language;
        words
            .iter()
            .map(|word| language.unit(std::slice::from_ref(word)).ln())
            .sum()
    }
}

/// Edits within the filler of a slot are part of the pattern's edit.
fn outermost(edits: Vec<Edit>) -> Vec<Edit> {
    let inner = |edit: &Edit| {
        let holds = |outer: &Edit| {
            outer.unit != edit.unit
                && outer.source.contains(edit.source)
                && outer.source != edit.source
        };
        edits.iter().any(holds)
    };
    edits.iter().filter(|edit| !inner(edit)).copied().collect()
}

fn first_value(values: &[(FeatureId, f32)]) -> f64 {
    values.first().map_or(0.0, |&(_, value)| f64::from(value))
}

fn words_of(hypothesis: &Hypothesis, span: Span) -> &[WordId] {
    hypothesis.words.get(span.range()).unwrap_or(&[])
}

/// Length of a longest common subsequence; of long texts only their equal ends count.
fn common(a: &[WordId], b: &[WordId]) -> usize {
    let start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(x, y)| x == y)
        .count();
    let (a, b) = (&a[..a.len() - end], &b[..b.len() - end]);
    if a.len().saturating_mul(b.len()) > 1 << 16 {
        return start + end;
    }
    let mut row = vec![0usize; b.len() + 1];
    for x in a {
        let mut diagonal = 0;
        for (at, y) in b.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if x == y {
                diagonal + 1
            } else {
                above.max(row[at])
            };
            diagonal = above;
        }
    }
    start + end + row[b.len()]
}
