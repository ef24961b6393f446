//! Lexical weights (Koehn et al. 2003, §3.3): word translation probabilities by counting links, and the
//! factor of each word of a sentence.

use crate::corpus::{Corpus, Direction};
use crate::error::Result;
use crate::grouping::sorted;
use crate::sparse::{NULL_ROW, Rows, row_of};
use crate::table::{TranslationTable, normalize};
use pgen_core::{Alignment, Link, Stop, WordId};

/// w(s|t) = count(s, t) / count(t) over the links; words without links are linked to NULL. Alignments
/// beyond the corpus, or the other way round, are ignored.
#[must_use]
pub fn lexical_table(
    corpus: &Corpus,
    alignments: &[Alignment],
    direction: Direction,
) -> TranslationTable {
    lexical_table_until(corpus, alignments, direction, &Stop::never()).unwrap_or_default()
}

/// [`lexical_table`] that can be stopped.
pub(crate) fn lexical_table_until(
    corpus: &Corpus,
    alignments: &[Alignment],
    direction: Direction,
    stop: &Stop,
) -> Result<TranslationTable> {
    let (mut events, mut ticker) = (Vec::new(), stop.ticker());
    for (pair, alignment) in corpus.pairs().zip(alignments) {
        ticker.tick()?;
        let (generated, given) = pair.sides(direction);
        for_each_event(generated, given, alignment, direction, |event| {
            events.push(event);
        });
    }
    let row = |event: &u64| (event >> 32) as usize;
    let events = sorted(events, corpus.id_bound() + 1, row, |event| *event, stop)?;
    let counted = events.chunk_by(|a, b| a == b);
    let counted = counted.map(|same| (same[0], same.len() as f64));
    relative(counted, corpus.id_bound(), stop)
}

/// The key of a conditioning word (none for NULL) and a generated word.
pub(crate) fn event(given: Option<WordId>, generated: WordId) -> u64 {
    (given.map_or(NULL_ROW, row_of) as u64) << 32 | u64::from(generated.raw())
}

/// Relative frequencies of events that come once each, ascending.
pub(crate) fn relative(
    events: impl Iterator<Item = (u64, f64)>,
    id_bound: usize,
    stop: &Stop,
) -> Result<TranslationTable> {
    let mut ticker = stop.ticker();
    let mut table = TranslationTable {
        rows: Rows {
            starts: vec![0; id_bound + 2],
            words: Vec::new(),
        },
        probabilities: Vec::new(),
    };
    for (event, count) in events {
        ticker.tick()?;
        table.rows.starts[(event >> 32) as usize + 1] += 1;
        table.rows.words.push(WordId::new(event as u32));
        table.probabilities.push(count);
    }
    for row in 1..table.rows.starts.len() {
        table.rows.starts[row] += table.rows.starts[row - 1];
    }
    for row in 0..table.rows.len() {
        ticker.tick()?;
        let range = table.rows.range(row);
        normalize(&mut table.probabilities[range]);
    }
    Ok(table)
}

/// Calls `visit` with the event of each link of a pair, and of each generated word without links.
pub(crate) fn for_each_event(
    generated: &[WordId],
    given: &[WordId],
    alignment: &Alignment,
    direction: Direction,
    mut visit: impl FnMut(u64),
) {
    let links = by_generated(generated.len(), alignment, direction);
    for (&word, links) in generated.iter().zip(&links) {
        if links.is_empty() {
            visit(event(None, word));
        }
        for from in links.iter().filter_map(|&from| given.get(from as usize)) {
            visit(event(Some(*from), word));
        }
    }
}

/// Conditioning positions of each generated position; links outside the sentence are left out.
fn by_generated(length: usize, alignment: &Alignment, direction: Direction) -> Vec<Vec<u32>> {
    let mut links = vec![Vec::new(); length];
    for &Link { source, target } in alignment.links() {
        let (generated, given) = match direction {
            Direction::SourceGivenTarget => (source, target),
            Direction::TargetGivenSource => (target, source),
        };
        if let Some(list) = links.get_mut(generated as usize) {
            list.push(given);
        }
    }
    links
}

/// For each generated word the natural log of the mean of w(s|t) over its links, or of w(s|NULL): sums
/// over a phrase give its lexical weight, because a phrase pair holds all links of its words. Returned
/// as running sums, one more than words.
pub(crate) fn running_weights(
    generated: &[WordId],
    given: &[WordId],
    alignment: &Alignment,
    direction: Direction,
    table: &TranslationTable,
) -> Vec<f64> {
    let mut sums = Vec::with_capacity(generated.len() + 1);
    let mut sum = 0.0;
    sums.push(sum);
    let links = by_generated(generated.len(), alignment, direction);
    for (&word, links) in generated.iter().zip(&links) {
        let mean = if links.is_empty() {
            table.probability(word, None)
        } else {
            let given = links.iter().filter_map(|&from| given.get(from as usize));
            given
                .map(|&from| table.probability(word, Some(from)))
                .sum::<f64>()
                / links.len() as f64
        };
        // Links of the corpus that the table was counted on are never 0; others get a floor.
        sum += mean.max(1e-30).ln();
        sums.push(sum);
    }
    sums
}
