//! Counting phrase pairs: sorted runs of distinct entries, merged now and then.

use crate::error::Result;
use crate::extract::PhraseSpans;
use crate::grouping::sorted;
use crate::phrase_table::PhraseTable;
use pgen_core::{Phrases, Stop};

/// A phrase pair with its count and the best lexical weights of its occurrences.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Entry {
    pub(crate) source: u32,
    pub(crate) target: u32,
    pub(crate) count: f32,
    /// Natural logs.
    pub(crate) lexical_source: f32,
    pub(crate) lexical_target: f32,
}

impl Entry {
    pub(crate) fn key(&self) -> u64 {
        u64::from(self.source) << 32 | u64::from(self.target)
    }
}

/// A phrase pair of a sentence with its lexical weights.
pub(crate) struct Found {
    pub(crate) spans: PhraseSpans,
    pub(crate) lexical_source: f32,
    pub(crate) lexical_target: f32,
}

/// Entries that may wait unsorted.
const FRESH: usize = 1 << 23;
/// Collects occurrences: a sorted run and what came since.
#[derive(Default)]
pub(crate) struct Builder {
    sources: Phrases,
    targets: Phrases,
    run: Vec<Entry>,
    fresh: Vec<Entry>,
}

impl Builder {
    /// From entries that are yet to be sorted and combined.
    pub(crate) fn with(sources: Phrases, targets: Phrases, fresh: Vec<Entry>) -> Self {
        Builder {
            sources,
            targets,
            run: Vec::new(),
            fresh,
        }
    }

    pub(crate) fn add(
        &mut self,
        pair: crate::Pair<'_>,
        found: &[Found],
        stop: &Stop,
    ) -> Result<()> {
        for found in found {
            self.fresh.push(Entry {
                source: self
                    .sources
                    .intern(&pair.source[found.spans.source.range()])?,
                target: self
                    .targets
                    .intern(&pair.target[found.spans.target.range()])?,
                count: 1.0,
                lexical_source: found.lexical_source,
                lexical_target: found.lexical_target,
            });
        }
        if self.fresh.len() >= FRESH.max(self.run.len() / 2) {
            self.compact(stop)?;
        }
        Ok(())
    }

    fn compact(&mut self, stop: &Stop) -> Result<()> {
        // Equal keys combine by sum of whole numbers and by maximum: their order does not matter.
        let fresh = std::mem::take(&mut self.fresh);
        let (groups, source) = (self.sources.len(), |entry: &Entry| entry.source as usize);
        let fresh = sorted(fresh, groups, source, |entry| entry.target, stop)?;
        self.run = merge(&std::mem::take(&mut self.run), &fresh, stop)?;
        Ok(())
    }

    pub(crate) fn finish(mut self, stop: &Stop) -> Result<PhraseTable> {
        self.compact(stop)?;
        let mut ticker = stop.ticker();
        let mut table = PhraseTable {
            source_counts: vec![0.0; self.sources.len()],
            target_counts: vec![0.0; self.targets.len()],
            sources: self.sources,
            targets: self.targets,
            entries: self.run,
            given: None,
        };
        for entry in &table.entries {
            ticker.tick()?;
            table.source_counts[entry.source as usize] += f64::from(entry.count);
            table.target_counts[entry.target as usize] += f64::from(entry.count);
        }
        Ok(table)
    }
}

fn absorb(into: &mut Entry, other: &Entry) {
    into.count += other.count;
    into.lexical_source = into.lexical_source.max(other.lexical_source);
    into.lexical_target = into.lexical_target.max(other.lexical_target);
}

/// Merges two sorted runs into one in which no key repeats.
fn merge(a: &[Entry], b: &[Entry], stop: &Stop) -> Result<Vec<Entry>> {
    let mut out: Vec<Entry> = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut ticker = stop.ticker();
    loop {
        ticker.tick()?;
        let next = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) if x.key() <= y.key() => a.next(),
            (Some(_), None) => a.next(),
            (_, Some(_)) => b.next(),
            (None, None) => break,
        };
        let Some(&next) = next else { break };
        match out.last_mut() {
            Some(last) if last.key() == next.key() => absorb(last, &next),
            _ => out.push(next),
        }
    }
    out.shrink_to_fit();
    Ok(out)
}
