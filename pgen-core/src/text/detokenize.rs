//! Words back into text: what was not edited is copied byte for byte, the rest is spaced and cased to
//! fit.

use super::casing::{self, Case, Style};
use super::chunks::Chunks;
use super::spacing::{Binding, Quotes, is_clitic};
use crate::hypothesis::{Edit, Hypothesis};
use crate::id::WordId;
use crate::lattice::Lattice;
use crate::lexicon::Lexicon;
use crate::sentence::Sentence;
use crate::span::{ByteSpan, Span};

/// Knows how a lower-case word is spelled: `europe` → `Europe`; `None` for ordinary words.
pub type ProperForm<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// A stretch of output words and the source tokens that it stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment<'a> {
    /// The source tokens; `None` for words that stand for none in particular.
    pub source: Option<Span>,
    /// The words, of the lexicon given with the segments.
    pub words: &'a [WordId],
}

/// Text with the place of each of its words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Detokenized {
    /// The text.
    pub text: String,
    /// Where each output word stands in it, in order.
    pub tokens: Vec<ByteSpan>,
}

impl Detokenized {
    /// The bytes from the first to the last word of a span; for an empty span an empty one behind the
    /// word before.
    #[must_use]
    pub fn bytes_of(&self, span: Span) -> ByteSpan {
        let end = (span.end() as usize).min(self.tokens.len());
        let start = (span.start() as usize).min(end);
        match self.tokens.get(start..end).unwrap_or(&[]) {
            [first, .., last] => first.cover(*last),
            [only] => *only,
            [] => {
                let before = self.tokens.get(..start).and_then(<[ByteSpan]>::last);
                ByteSpan::empty(before.map_or(0, |token| token.end()))
            }
        }
    }

    /// The bytes of each edit in the source and in this text.
    #[must_use]
    pub fn edit_bytes(&self, sentence: &Sentence, edits: &[Edit]) -> Vec<(ByteSpan, ByteSpan)> {
        let bytes = |edit: &Edit| (sentence.bytes_of(edit.source), self.bytes_of(edit.target));
        edits.iter().map(bytes).collect()
    }
}

/// The text of a hypothesis. `proper` may know how a lower-case word is spelled (`europe` → `Europe`).
///
/// Linear in the text, quadratic in the length of single edges.
#[must_use]
pub fn detokenize(
    sentence: &Sentence,
    lattice: &Lattice,
    hypothesis: &Hypothesis,
    proper: Option<&ProperForm<'_>>,
) -> Detokenized {
    let edges = hypothesis
        .derivation
        .iter()
        .filter_map(|&id| lattice.edge(id));
    let mut chunks = Chunks::default();
    let segments: Vec<Segment<'_>> = edges
        .map(|edge| Segment {
            source: chunks.source_of(lattice, edge),
            words: lattice.words(edge),
        })
        .collect();
    render(sentence, lattice.lexicon(), &segments, proper)
}

/// The text of segments of words in order. A word that its segment's source has too is copied from
/// there as it was written; tokens that follow each other in source and output keep what lies between
/// them; before and behind all tokens the text stays as it is. Protected tokens never change case.
///
/// New words take the case of what they replace: title case, upper case, the capital at the start of a
/// sentence. A word that a deletion puts there gets one, a word moved away from there loses it if it is
/// an ordinary one.
#[must_use]
pub fn render(
    sentence: &Sentence,
    lexicon: &Lexicon,
    segments: &[Segment<'_>],
    proper: Option<&ProperForm<'_>>,
) -> Detokenized {
    let mut writer = Writer::new(sentence, lexicon, proper);
    for segment in segments {
        writer.place(segment);
    }
    writer.contract();
    writer.start_sentences();
    writer.write()
}

/// An output word on its way.
#[derive(Debug)]
struct Word {
    text: String,
    /// The source token that it copies.
    origin: Option<u32>,
    /// The source token whose left side it takes.
    first: Option<u32>,
    /// The source token whose right side it takes.
    last: Option<u32>,
}

struct Writer<'a> {
    sentence: &'a Sentence,
    lexicon: &'a Lexicon,
    proper: Option<&'a ProperForm<'a>>,
    /// For each source token, whether it starts a sentence.
    starts: Vec<bool>,
    shouting: bool,
    words: Vec<Word>,
}

impl<'a> Writer<'a> {
    fn new(
        sentence: &'a Sentence,
        lexicon: &'a Lexicon,
        proper: Option<&'a ProperForm<'a>>,
    ) -> Self {
        let surfaces = || (0..sentence.len()).map(|token| sentence.surface(token));
        let mut starter = Starter::default();
        Writer {
            sentence,
            lexicon,
            proper,
            starts: surfaces().map(|surface| starter.next(surface)).collect(),
            shouting: casing::is_shouting(surfaces()),
            words: Vec::new(),
        }
    }

    /// Adds a segment's words: those that the source has too as copies, the runs between as new.
    fn place(&mut self, segment: &Segment<'_>) {
        let span = segment.source.unwrap_or_default();
        let source = self.sentence.words_in(span);
        let copies = common_words(source, segment.words);
        let (mut written, mut read) = (0, 0);
        for (from, to) in copies
            .into_iter()
            .chain([(source.len(), segment.words.len())])
        {
            let region = Span::new(span.start() + read as u32, span.start() + from as u32);
            let new = segment.words.get(written..to).unwrap_or(&[]);
            self.place_new(region.unwrap_or_default(), new);
            if from < source.len() {
                let token = span.start() + from as u32;
                let text = self.sentence.surface(token as usize).to_owned();
                let token = Some(token);
                self.words.push(Word {
                    text,
                    origin: token,
                    first: token,
                    last: token,
                });
            }
            (written, read) = (to + 1, from + 1);
        }
    }

    /// Adds words that replace the source tokens of `region`, which may be empty.
    fn place_new(&mut self, region: Span, words: &[WordId]) {
        let starts = self
            .starts
            .get(region.start() as usize)
            .copied()
            .unwrap_or(false);
        let surfaces = region.range().map(|token| self.sentence.surface(token));
        let style = if region.is_empty() && self.shouting {
            Style::Shout
        } else {
            casing::style_of(surfaces, starts, self.shouting)
        };
        for (at, &word) in words.iter().enumerate() {
            let plain = self.lexicon.word(word);
            let known = self.proper.and_then(|proper| proper(plain));
            let known = known.or_else(|| (plain == "i").then(|| "I".to_owned()));
            let text = match known {
                Some(known) if style != Style::Shout => known,
                _ if casing::case_of(plain) != Case::Lower && style != Style::Shout => {
                    plain.to_owned()
                }
                _ => casing::in_style(plain, style),
            };
            let first = (at == 0 && !region.is_empty()).then(|| region.start());
            let ends = at + 1 == words.len() && !region.is_empty();
            let last = ends.then(|| region.end() - 1);
            self.words.push(Word {
                text,
                origin: None,
                first,
                last,
            });
        }
    }

    /// `ca` + `not` → `can not`, `will` + `n't` → `won't`: stems that exist only before a clitic.
    fn contract(&mut self) {
        for at in 0..self.words.len() {
            let next = self.words.get(at + 1);
            let negated =
                next.is_some_and(|next| next.text.to_lowercase().replace('’', "'") == "n't");
            let word = &self.words[at];
            let untouched = word.origin.is_some()
                && next.is_some_and(|next| next.origin == word.origin.map(|token| token + 1));
            if untouched || word.origin.is_some_and(|token| self.is_protected(token)) {
                continue;
            }
            let stems = [("ca", "can"), ("wo", "will"), ("sha", "shall")];
            let lower = word.text.to_lowercase();
            let changed = stems.iter().find_map(|&(short, long)| match negated {
                true => (lower == long).then_some(short),
                // Only what was cut from a contraction is such a stem.
                false => (lower == short && self.was_contracted(word)).then_some(long),
            });
            if let Some(changed) = changed {
                let upper = casing::case_of(&word.text) == Case::Capital;
                let changed = if upper {
                    casing::capitalize(changed)
                } else {
                    changed.to_owned()
                };
                self.words[at].text = changed;
            }
        }
    }

    fn was_contracted(&self, word: &Word) -> bool {
        match word.origin {
            Some(token) => {
                let next = self.sentence.surface(token as usize + 1);
                is_clitic(next) && self.gap(token).is_empty()
            }
            None => true,
        }
    }

    fn is_protected(&self, token: u32) -> bool {
        self.sentence.is_protected(Span::single(token))
    }

    /// Gives sentences their capital, and takes it from words that no longer start one.
    fn start_sentences(&mut self) {
        let first = self.starts.iter().position(|&starts| starts);
        let first = first.map_or(Case::None, |token| {
            casing::case_of(self.sentence.surface(token))
        });
        let capitals = matches!(first, Case::Capital | Case::Upper);
        let mut starter = Starter::default();
        for at in 0..self.words.len() {
            let word = &self.words[at];
            let starts = starter.next(&word.text);
            let started = word.origin.is_some_and(|token| self.started(token));
            if starts == started || word.origin.is_some_and(|token| self.is_protected(token)) {
                continue;
            }
            let lower = word.text.to_lowercase();
            if starts && capitals {
                self.words[at].text = casing::capitalize(&word.text);
            } else if started && casing::case_of(&word.text) == Case::Capital && lower != "i" {
                let known = self.proper.and_then(|proper| proper(&lower));
                if let Some(text) = known.or_else(|| casing::within_sentence(&word.text)) {
                    self.words[at].text = text;
                }
            }
        }
    }

    fn started(&self, token: u32) -> bool {
        self.starts.get(token as usize).copied().unwrap_or(false)
    }

    /// What lies behind a source token and before the next.
    fn gap(&self, token: u32) -> &'a str {
        let tokens = self.sentence.tokens();
        let at = token as usize;
        match (tokens.get(at), tokens.get(at + 1)) {
            (Some(a), Some(b)) => {
                let range = a.bytes.end() as usize..b.bytes.start() as usize;
                self.sentence.text().get(range).unwrap_or("")
            }
            _ => "",
        }
    }

    fn write(self) -> Detokenized {
        let text = self.sentence.text();
        let mut out = Detokenized::default();
        let (Some(first), Some(last)) = (
            self.sentence.tokens().first(),
            self.sentence.tokens().last(),
        ) else {
            out.text.push_str(text);
            return out;
        };
        let mut quotes = Quotes::default();
        let source: Vec<Binding> = (0..self.sentence.len())
            .map(|token| quotes.next(self.sentence.surface(token)))
            .collect();
        let mut quotes = Quotes::default();
        let mut before: Option<(&Word, Binding)> = None;
        out.text
            .push_str(text.get(..first.bytes.start() as usize).unwrap_or(""));
        for word in &self.words {
            let binding = quotes.next(&word.text);
            if let Some(before) = before {
                out.text
                    .push_str(self.between(before, (word, binding), &source));
            }
            let start = out.text.len();
            out.text.push_str(&word.text);
            // A source below 2³² bytes can grow beyond only by replacements of absurd length.
            let position = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            let bytes =
                ByteSpan::empty(position(start)).cover(ByteSpan::empty(position(out.text.len())));
            out.tokens.push(bytes);
            before = Some((word, binding));
        }
        out.text
            .push_str(text.get(last.bytes.end() as usize..).unwrap_or(""));
        out
    }

    /// What to write between two output words: what the source has there if both sides still bind as
    /// its tokens did, a space or nothing otherwise.
    fn between(
        &self,
        left: (&Word, Binding),
        right: (&Word, Binding),
        source: &[Binding],
    ) -> &'a str {
        if let (Some(a), Some(b)) = (left.0.last, right.0.first)
            && a < b
            && let (Some(bind_a), Some(bind_b)) = (source.get(a as usize), source.get(b as usize))
        {
            let copied = left.0.origin.is_some() && right.0.origin.is_some() && a + 1 == b;
            let alike = bind_a.right == left.1.right && bind_b.left == right.1.left;
            let (behind, before) = (self.gap(a), self.gap(b - 1));
            if copied || (alike && a + 1 == b) {
                return behind;
            }
            if alike {
                let chosen = if bind_b.left { before } else { behind };
                return if chosen.is_empty() && !bind_a.right && !bind_b.left {
                    if before.is_empty() { " " } else { before }
                } else {
                    chosen
                };
            }
        }
        if left.1.right || right.1.left {
            ""
        } else {
            " "
        }
    }
}

/// Follows tokens and tells which start a sentence.
#[derive(Debug)]
struct Starter {
    waiting: bool,
}

impl Default for Starter {
    fn default() -> Self {
        Starter { waiting: true }
    }
}

impl Starter {
    fn next(&mut self, token: &str) -> bool {
        if matches!(token, "." | "!" | "?") {
            self.waiting = true;
            return false;
        }
        let word = token.chars().any(char::is_alphanumeric);
        word && std::mem::take(&mut self.waiting)
    }
}

/// Positions of a longest common subsequence, in order. Equal sequences cost nothing extra.
fn common_words(source: &[WordId], target: &[WordId]) -> Vec<(usize, usize)> {
    let start = source
        .iter()
        .zip(target)
        .take_while(|(a, b)| a == b)
        .count();
    let (source_rest, target_rest) = (&source[start..], &target[start..]);
    let pairs = source_rest.iter().rev().zip(target_rest.iter().rev());
    let end = pairs.take_while(|(a, b)| a == b).count();
    let a = &source_rest[..source_rest.len() - end];
    let b = &target_rest[..target_rest.len() - end];
    let mut common: Vec<_> = (0..start).map(|at| (at, at)).collect();
    // Longer stretches come from hostile tables only; their middle counts as new.
    if a.len().saturating_mul(b.len()) <= 1 << 16 {
        common.extend(
            middle(a, b)
                .into_iter()
                .map(|(i, j)| (i + start, j + start)),
        );
    }
    let (from, to) = (source.len() - end, target.len() - end);
    common.extend((0..end).map(|at| (from + at, to + at)));
    common
}

fn middle(a: &[WordId], b: &[WordId]) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    let mut length = vec![0u16; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            length[i * width + j] = if a[i] == b[j] {
                length[(i + 1) * width + j + 1] + 1
            } else {
                length[(i + 1) * width + j].max(length[i * width + j + 1])
            };
        }
    }
    let mut common = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            common.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if length[(i + 1) * width + j] >= length[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    common
}
