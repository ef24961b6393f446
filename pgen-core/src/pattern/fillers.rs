//! What may fill slots in one sentence.

use super::{PatternTable, SlotBound};
use crate::sentence::Sentence;
use crate::span::Span;

/// For each start the possible fillers: tag's place among the table's, and end; longest first.
pub(super) struct Fillers {
    first: Vec<u32>,
    items: Vec<(u32, u32)>,
}

impl Fillers {
    pub(super) fn of(sentence: &Sentence, table: &PatternTable) -> Self {
        let mut found: Vec<(u32, u32, u32)> = Vec::new();
        let tags = sentence.tags().unwrap_or(&[]);
        let spans = match (table.params.bound, sentence.dependencies()) {
            (SlotBound::Word, _) | (_, None) => (0..sentence.len() as u32)
                .map(|at| Some(Span::single(at)))
                .collect(),
            (_, Some(dependencies)) => dependencies.projections(),
        };
        for (tag, span) in tags.iter().zip(spans) {
            let Some(span) = span else { continue };
            for (number, slot_tag) in (0u32..).zip(table.slots.keys()) {
                let class = |(slot, other): &(String, String)| slot == slot_tag && other == tag;
                if slot_tag == tag || table.params.classes.iter().any(class) {
                    found.push((span.start(), number, span.end()));
                }
            }
        }
        // Longest first, so that of equal ends the match with the longer first slots is met first.
        found.sort_unstable_by_key(|&(start, tag, end)| (start, u32::MAX - end, tag));
        let mut first = vec![0u32; sentence.len() + 1];
        for &(start, ..) in &found {
            first[start as usize + 1] += 1;
        }
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        Fillers {
            first,
            items: found.into_iter().map(|(_, tag, end)| (tag, end)).collect(),
        }
    }

    /// Tag numbers and ends of the fillers that start here, longest first.
    pub(super) fn at(&self, start: u32) -> &[(u32, u32)] {
        let start = start as usize;
        match (self.first.get(start), self.first.get(start + 1)) {
            (Some(&from), Some(&to)) => self.items.get(from as usize..to as usize).unwrap_or(&[]),
            _ => &[],
        }
    }
}
