//! One sentence's lattice.

use super::check::{Drop, check};
use super::choices::{Choice, Choices, Copied};
use super::expand;
use super::{Identity, Plan, PlanReport, Planned};
use crate::error::{Error, Result};
use pgen_core::{
    EdgeSpec, Error as CoreError, FeatureId, LatticeBuilder, NodeId, Part, Piece, Proposal,
    Sentence, Span, TableId, Target, UnitId, UnitPiece, UnitSpec, WordId,
};

pub(super) struct Build<'p, 's> {
    plan: &'p Plan<'p>,
    sentence: &'s Sentence,
    builder: LatticeBuilder,
    report: PlanReport,
    choices: Choices,
    /// For each position whether a table has an entry for the word alone, and one that copies it.
    has_entry: Vec<bool>,
    has_copy: Vec<bool>,
    features: Vec<(FeatureId, f32)>,
    identity_feature: u32,
}

/// A table's place among the features.
pub(super) struct Block<'a> {
    pub(super) table: TableId,
    pub(super) name: &'a str,
    pub(super) first: u32,
    pub(super) width: usize,
}

impl<'p, 's> Build<'p, 's> {
    pub(super) fn new(plan: &'p Plan<'p>, sentence: &'s Sentence) -> Self {
        let lexicon = sentence.lexicon().clone();
        let builder = LatticeBuilder::new(plan.features.clone(), lexicon, &plan.limits);
        let blocks = plan.tables.iter().map(|(_, table)| table.features().len());
        Build {
            plan,
            sentence,
            builder,
            report: PlanReport::default(),
            choices: Choices::default(),
            has_entry: vec![false; sentence.len()],
            has_copy: vec![false; sentence.len()],
            features: Vec::new(),
            identity_feature: blocks.sum::<usize>() as u32,
        }
    }

    pub(super) fn run(mut self) -> Result<Planned> {
        let mut first = 0;
        for (number, (name, table)) in (0u32..).zip(&self.plan.tables) {
            let width = table.features().len();
            let block = Block {
                table: TableId::new(number),
                name,
                first,
                width,
            };
            let mut failure = None;
            let cut = table.propose_bounded(self.sentence, &mut |proposal| {
                if failure.is_none() {
                    failure = self.take(proposal, &block).err();
                }
            });
            if let Some(error) = failure {
                return Err(error);
            }
            self.report.cut_matches += cut;
            first += width as u32;
        }
        self.copy_words();
        let ends = if self.choices.nested {
            let (ends, cut) = expand::emit(&self.choices, self.plan, &mut self.builder)?;
            (self.report.cut_nesting, self.report.cut_open) = (cut.nesting, cut.open);
            ends
        } else {
            Some(self.emit_flat()?)
        };
        let Some((start, end)) = ends else {
            return Err(unreachable(self.sentence, &self.choices.spans()));
        };
        match self.builder.build(start, end) {
            Ok(lattice) => Ok(Planned {
                lattice,
                report: self.report,
            }),
            Err(CoreError::DisconnectedGraph) => {
                Err(unreachable(self.sentence, &self.choices.spans()))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn take(&mut self, proposal: &Proposal<'_>, block: &Block<'_>) -> Result<()> {
        self.report.proposed += 1;
        match check(self.plan, self.sentence, proposal, block) {
            Ok(gain) => {
                self.report.planned += 1;
                self.add(proposal, gain, block)
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

    fn add(&mut self, proposal: &Proposal<'_>, gain: f64, block: &Block<'_>) -> Result<()> {
        let first_piece = self.choices.pieces.len();
        let parts = proposal.parts.len() as u8;
        self.choices.nested |= parts > 1;
        for (part, number) in proposal.parts.iter().zip(0u8..) {
            let start = self.choices.pieces.len();
            self.add_pieces(part)?;
            let pieces = start..self.choices.pieces.len();
            self.note_entry(part.span, pieces.clone(), parts);
            self.choices.items.push(Choice {
                unit: UnitId::default(),
                span: part.span,
                pieces,
                part: number,
                parts,
            });
        }
        self.features.clear();
        let values = (block.first..).zip(proposal.values);
        self.features
            .extend(values.map(|(feature, &value)| (FeatureId::new(feature), value)));
        if gain != 0.0 {
            let usability = FeatureId::new(self.identity_feature + 2);
            self.features.push((usability, gain as f32));
        }
        let spans: smallvec::SmallVec<[Span; 2]> =
            proposal.parts.iter().map(|part| part.span).collect();
        let lengths: smallvec::SmallVec<[u32; 2]> = (self.choices.items.iter())
            .skip(self.choices.items.len() - usize::from(parts))
            .map(|choice| choice.pieces.len() as u32)
            .collect();
        let unit = self.builder.add_unit(UnitSpec {
            table: block.table,
            rule: proposal.rule,
            spans: &spans,
            target: &self.choices.pieces[first_piece..],
            lengths: &lengths,
            features: &self.features,
        })?;
        let places = self.choices.items.len() - usize::from(parts)..;
        self.choices.items[places]
            .iter_mut()
            .for_each(|choice| choice.unit = unit);
        Ok(())
    }

    fn add_pieces(&mut self, part: &Part<'_>) -> Result<()> {
        match part.target {
            Target::Words(words) => {
                self.choices
                    .pieces
                    .extend(words.iter().map(|&word| UnitPiece::Word(word)));
            }
            Target::Pieces(pieces) => {
                for piece in pieces {
                    self.choices.pieces.push(match *piece {
                        Piece::Word(word) => UnitPiece::Word(word),
                        Piece::Text(text) => UnitPiece::Word(self.builder.intern(text)?),
                        Piece::Copy(span) => {
                            self.choices.nested = true;
                            UnitPiece::Copy(span)
                        }
                    });
                }
            }
        }
        Ok(())
    }

    /// Remembers what a table says of a single word.
    fn note_entry(&mut self, span: Span, pieces: std::ops::Range<usize>, parts: u8) {
        if span.len() == 1 && parts == 1 {
            let at = span.start() as usize;
            self.has_entry[at] = true;
            let copied = self.sentence.words_in(span).first().copied();
            let copies = matches!(self.choices.pieces[pieces], [UnitPiece::Word(word)] if Some(word) == copied);
            self.has_copy[at] |= copies;
        }
    }

    /// Notes what copies words: protected ones for nothing, others as the plan says.
    fn copy_words(&mut self) {
        for (at, &word) in self.sentence.words().iter().enumerate() {
            let span = Span::single(at as u32);
            let identity = match self.plan.identity {
                Identity::Always(log_prob) => Some(log_prob),
                Identity::WhereMissing(log_prob) if !self.has_copy[at] => Some(log_prob),
                Identity::WhereMissing(_) | Identity::Off => None,
            };
            let unknown = self.plan.unknown_penalty.filter(|_| !self.has_entry[at]);
            let priced = |feature, value: pgen_core::LogProb| {
                let feature = Some((FeatureId::new(feature), value.ln() as f32));
                Some(Copied { word, feature })
            };
            self.choices.copies.push(match (identity, unknown) {
                _ if self.sentence.is_protected(span) => Some(Copied {
                    word,
                    feature: None,
                }),
                (Some(log_prob), _) => priced(self.identity_feature, log_prob),
                (None, Some(log_prob)) => priced(self.identity_feature + 1, log_prob),
                (None, None) => None,
            });
        }
    }

    /// Nodes are source positions, every choice is one edge.
    fn emit_flat(&mut self) -> Result<(NodeId, NodeId)> {
        self.builder.add_nodes(self.sentence.len() + 1)?;
        let mut words: Vec<WordId> = Vec::new();
        for choice in &self.choices.items {
            words.clear();
            words.extend(
                self.choices
                    .pieces(choice)
                    .iter()
                    .filter_map(|piece| match piece {
                        UnitPiece::Word(word) => Some(*word),
                        UnitPiece::Copy(_) => None,
                    }),
            );
            self.builder
                .add_unit_edge(edge(choice.span, &words, &[]), choice.unit)?;
        }
        for (at, copied) in (0u32..).zip(&self.choices.copies) {
            if let Some(Copied { word, feature }) = copied {
                self.builder
                    .add_edge(edge(Span::single(at), &[*word], feature.as_slice()))?;
            }
        }
        Ok((NodeId::new(0), NodeId::new(self.sentence.len() as u32)))
    }
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
