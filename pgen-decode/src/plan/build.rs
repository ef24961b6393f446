//! One sentence's lattice.

use super::{Identity, Plan, PlanReport, Planned};
use crate::error::{Error, Result};
use pgen_core::{
    EdgeSpec, Error as CoreError, FeatureId, LatticeBuilder, NodeId, Part, Piece, Proposal,
    Replacement, Sentence, Span, TableId, Target, UnitPiece, UnitSpec, WordId,
};

pub(super) struct Build<'p, 's> {
    plan: &'p Plan<'p>,
    sentence: &'s Sentence,
    builder: LatticeBuilder,
    report: PlanReport,
    /// For each position whether a table has an entry for the word alone, and one that copies it.
    has_entry: Vec<bool>,
    has_copy: Vec<bool>,
    /// The spans of all edges, for the error message.
    spans: Vec<Span>,
    words: Vec<WordId>,
    pieces: Vec<UnitPiece>,
    features: Vec<(FeatureId, f32)>,
    identity_feature: u32,
}

/// Why a proposal was dropped.
enum Drop {
    Useless,
    Protected,
    Invalid,
    Unsupported,
}

impl<'p, 's> Build<'p, 's> {
    pub(super) fn new(plan: &'p Plan<'p>, sentence: &'s Sentence) -> Result<Self> {
        let lexicon = sentence.lexicon().clone();
        let mut builder = LatticeBuilder::new(plan.features.clone(), lexicon, &plan.limits);
        builder.add_nodes(sentence.len() + 1)?;
        let blocks = plan.tables.iter().map(|(_, table)| table.features().len());
        Ok(Build {
            plan,
            sentence,
            builder,
            report: PlanReport::default(),
            has_entry: vec![false; sentence.len()],
            has_copy: vec![false; sentence.len()],
            spans: Vec::new(),
            words: Vec::new(),
            pieces: Vec::new(),
            features: Vec::new(),
            identity_feature: blocks.sum::<usize>() as u32,
        })
    }

    pub(super) fn run(mut self) -> Result<Planned> {
        let mut first = 0;
        for (number, (name, table)) in (0u32..).zip(&self.plan.tables) {
            let width = table.features().len();
            let mut failure = None;
            table.propose(self.sentence, &mut |proposal| {
                if failure.is_some() {
                    return;
                }
                let block = Block {
                    table: TableId::new(number),
                    name,
                    first,
                    width,
                };
                failure = self.take(proposal, &block).err();
            });
            if let Some(error) = failure {
                return Err(error);
            }
            first += width as u32;
        }
        self.copy_words()?;
        let end = NodeId::new(self.sentence.len() as u32);
        match self.builder.build(NodeId::new(0), end) {
            Ok(lattice) => Ok(Planned {
                lattice,
                report: self.report,
            }),
            Err(CoreError::DisconnectedGraph) => Err(unreachable(self.sentence, &self.spans)),
            Err(error) => Err(error.into()),
        }
    }

    fn take(&mut self, proposal: &Proposal<'_>, block: &Block<'_>) -> Result<()> {
        self.report.proposed += 1;
        match self.check(proposal, block) {
            Ok((part, gain)) => {
                self.report.planned += 1;
                self.add(proposal, &part, gain, block)
            }
            Err(reason) => {
                let counter = match reason {
                    Drop::Useless => &mut self.report.useless,
                    Drop::Protected => &mut self.report.protected,
                    Drop::Invalid => &mut self.report.invalid,
                    Drop::Unsupported => &mut self.report.unsupported,
                };
                *counter += 1;
                Ok(())
            }
        }
    }

    /// The one part of a phrase that may be planned, and its gain.
    fn check<'t>(
        &self,
        proposal: &Proposal<'t>,
        block: &Block<'_>,
    ) -> Result<(Part<'t>, f64), Drop> {
        let bad = |value: &f32| value.is_nan() || *value == f32::INFINITY;
        if proposal.values.len() != block.width || proposal.values.iter().any(bad) {
            return Err(Drop::Invalid);
        }
        let mut behind = 0;
        for part in proposal.parts {
            let span = part.span;
            if span.is_empty() || span.start() < behind || span.end() as usize > self.sentence.len()
            {
                return Err(Drop::Invalid);
            }
            behind = span.end();
            if self.sentence.is_protected(span) {
                return Err(Drop::Protected);
            }
        }
        let &[part] = proposal.parts else {
            let empty = proposal.parts.is_empty();
            return Err(if empty {
                Drop::Invalid
            } else {
                Drop::Unsupported
            });
        };
        for piece in part.target.pieces() {
            match piece {
                Piece::Word(word) if word.is_control() => return Err(Drop::Invalid),
                Piece::Copy(_) => return Err(Drop::Unsupported),
                Piece::Word(_) | Piece::Text(_) => {}
            }
        }
        Ok((part, self.gain(proposal, &part, block)?))
    }

    /// What the application gains; copies of the source are no replacements and gain nothing.
    fn gain(
        &self,
        proposal: &Proposal<'_>,
        part: &Part<'_>,
        block: &Block<'_>,
    ) -> Result<f64, Drop> {
        let Some(usability) = self.plan.usability else {
            return Ok(0.0);
        };
        if matches!(part.target, Target::Words(words) if words == self.sentence.words_in(part.span))
        {
            return Ok(0.0);
        }
        let replacement = Replacement {
            sentence: self.sentence,
            proposal,
            table: block.name,
        };
        match usability.gain(&replacement) {
            None => Err(Drop::Useless),
            Some(gain) if !(gain as f32).is_finite() => Err(Drop::Invalid),
            Some(gain) => Ok(gain),
        }
    }

    fn add(
        &mut self,
        proposal: &Proposal<'_>,
        part: &Part<'_>,
        gain: f64,
        block: &Block<'_>,
    ) -> Result<()> {
        let span = part.span;
        self.words.clear();
        match part.target {
            Target::Words(words) => self.words.extend_from_slice(words),
            Target::Pieces(pieces) => {
                for piece in pieces {
                    match *piece {
                        Piece::Word(word) => self.words.push(word),
                        Piece::Text(text) => self.words.push(self.builder.intern(text)?),
                        Piece::Copy(_) => {}
                    }
                }
            }
        }
        if span.len() == 1 {
            let at = span.start() as usize;
            self.has_entry[at] = true;
            self.has_copy[at] |= self.words == self.sentence.words_in(span);
        }
        self.pieces.clear();
        self.pieces
            .extend(self.words.iter().map(|&word| UnitPiece::Word(word)));
        self.features.clear();
        let values = (block.first..).zip(proposal.values);
        self.features
            .extend(values.map(|(feature, &value)| (FeatureId::new(feature), value)));
        if gain != 0.0 {
            let usability = FeatureId::new(self.identity_feature + 2);
            self.features.push((usability, gain as f32));
        }
        let unit = self.builder.add_unit(UnitSpec {
            table: block.table,
            rule: proposal.rule,
            spans: &[span],
            target: &self.pieces,
            features: &self.features,
        })?;
        self.spans.push(span);
        let edge = edge(span, &self.words, &[]);
        Ok(self.builder.add_unit_edge(edge, unit)?)
    }

    /// Adds what copies words: protected ones for nothing, others as the plan says.
    fn copy_words(&mut self) -> Result<()> {
        for (at, &word) in self.sentence.words().iter().enumerate() {
            let span = Span::single(at as u32);
            let identity = match self.plan.identity {
                Identity::Always(log_prob) => Some(log_prob),
                Identity::WhereMissing(log_prob) if !self.has_copy[at] => Some(log_prob),
                Identity::WhereMissing(_) | Identity::Off => None,
            };
            let unknown = self.plan.unknown_penalty.filter(|_| !self.has_entry[at]);
            let feature = match (identity, unknown) {
                _ if self.sentence.is_protected(span) => None,
                (Some(log_prob), _) => Some((self.identity_feature, log_prob)),
                (None, Some(log_prob)) => Some((self.identity_feature + 1, log_prob)),
                (None, None) => continue,
            };
            let features = feature.map(|(id, value)| (FeatureId::new(id), value.ln() as f32));
            self.spans.push(span);
            self.builder
                .add_edge(edge(span, &[word], features.as_slice()))?;
        }
        Ok(())
    }
}

/// A table's place among the features.
struct Block<'a> {
    table: TableId,
    name: &'a str,
    first: u32,
    width: usize,
}

fn edge<'a>(span: Span, words: &'a [WordId], features: &'a [(FeatureId, f32)]) -> EdgeSpec<'a> {
    EdgeSpec {
        from: NodeId::new(span.start()),
        to: NodeId::new(span.end()),
        span: Some(span),
        words,
        features,
        unit: None,
    }
}

/// The error for a sentence that cannot be covered: the first position that cannot be left.
fn unreachable(sentence: &Sentence, spans: &[Span]) -> Error {
    let mut spans = spans.to_vec();
    spans.sort();
    let mut reached = vec![false; sentence.len() + 1];
    reached[0] = true;
    for span in &spans {
        if reached[span.start() as usize] {
            reached[span.end() as usize] = true;
        }
    }
    let farthest = reached.iter().rposition(|&is| is).unwrap_or(0);
    let word = sentence.words().get(farthest).copied().unwrap_or_default();
    Error::Unreachable {
        position: farthest,
        word: sentence.lexicon().word(word).into(),
    }
}
