//! Moses's extract files: a line `source ||| target ||| links` for each phrase pair that was found, links
//! `i-j` counted within the phrases; in the inverse file sides and links are swapped.

use crate::corpus::{Direction, Pair};
use crate::error::Result;
use crate::extract::PhraseSpans;
use crate::lexical::{for_each_event, relative, running_weights};
use crate::phrase_counts::{Builder, Entry};
use crate::phrase_table::PhraseTable;
use crate::table::TranslationTable;
use hashbrown::HashMap;
use pgen_core::formats::alignment::pharaoh;
use pgen_core::formats::moses::{escape, unescape};
use pgen_core::text::tokens;
use pgen_core::{Alignment, Limits, Lines, Link, Phrases, Place, Stop, Vocab, WordId};
use std::collections::BTreeMap;

/// Words that the separator `|||` would be read in are escaped.
const BARS: &str = "|||";

/// Whether a line has the source first or the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ExtractOrder {
    /// `source ||| target ||| links`.
    #[default]
    Direct,
    /// `target ||| source ||| links`, as in `extract.inv`.
    Inverse,
}

/// A line of an extract file, without its end. Words that hold `|||` are written with Moses's escapes.
#[must_use]
pub fn extract_line(
    pair: Pair<'_>,
    alignment: &Alignment,
    spans: &PhraseSpans,
    vocab: &Vocab,
    order: ExtractOrder,
) -> String {
    let (sources, targets) = (spans.source.range(), spans.target.range());
    let inside = alignment.links().iter().filter(|link| {
        sources.contains(&(link.source as usize)) && targets.contains(&(link.target as usize))
    });
    let (i, j) = (spans.source.start(), spans.target.start());
    let moved = inside.map(|link| match order {
        ExtractOrder::Direct => Link::new(link.source - i, link.target - j),
        ExtractOrder::Inverse => Link::new(link.target - j, link.source - i),
    });
    let links = pharaoh::format(&moved.collect());
    let source = spell(&pair.source[sources], vocab);
    let target = spell(&pair.target[targets], vocab);
    match order {
        ExtractOrder::Direct => format!("{source} ||| {target} ||| {links}"),
        ExtractOrder::Inverse => format!("{target} ||| {source} ||| {links}"),
    }
}

/// Words separated by spaces; those that hold `|||` with Moses's escapes.
#[must_use]
pub fn spell(words: &[WordId], vocab: &Vocab) -> String {
    let mut out = String::new();
    for &word in words {
        let word = vocab.word(word).unwrap_or("<unk>");
        if !out.is_empty() {
            out.push(' ');
        }
        if word.contains(BARS) {
            out.push_str(&escape(word));
        } else {
            out.push_str(word);
        }
    }
    out
}

/// Reads an extract file into a table: pairs are counted, lexical weights come from the links of all lines
/// (which count a link once for each phrase pair that holds it). `escaped` turns Moses's escapes back.
///
/// Memory: 16 bytes a distinct line and 20 a distinct pair, and the phrases.
///
/// # Errors
/// With file and line: [`pgen_core::Error::Syntax`] for a line that is not three fields of which the first
/// two are filled; as [`pharaoh::parse`]; [`pgen_core::Error::BadSpan`] for a link outside the phrases;
/// what [`Lines`] says of the input.
pub fn read_extract(
    mut lines: Lines,
    vocab: &mut Vocab,
    order: ExtractOrder,
    escaped: bool,
    limits: &Limits,
) -> Result<PhraseTable> {
    let mut tally = Tally::default();
    while let Some((number, line)) = lines.next_line()? {
        if line.trim().is_empty() {
            continue;
        }
        let added = tally.line(line, vocab, order, escaped, limits);
        added.map_err(|error| error.at_line(number))?;
    }
    tally.finish(vocab.len())
}

/// Lines that may wait unsorted.
const FRESH: usize = 1 << 23;

/// A source, a target, links between them, and how often they came.
type Seen = (u32, u32, u32, f32);

#[derive(Default)]
struct Tally {
    sources: Phrases,
    targets: Phrases,
    /// Distinct links, and their numbers by their text.
    links: Vec<Alignment>,
    numbers: HashMap<String, u32>,
    seen: Vec<Seen>,
    /// Number of lines after the last compaction.
    settled: usize,
}

impl Tally {
    fn line(
        &mut self,
        line: &str,
        vocab: &mut Vocab,
        order: ExtractOrder,
        escaped: bool,
        limits: &Limits,
    ) -> Result<()> {
        let fields: Vec<&str> = line.split(BARS).map(str::trim).collect();
        let [first, second, links, ..] = fields[..] else {
            let expected = "source ||| target ||| links";
            let hint = "write three fields, separated by `|||`";
            return Err(pgen_core::Error::syntax(Place::default(), expected, line, hint).into());
        };
        let mut ids = |text: &str| -> Result<Vec<WordId>> {
            let text = if escaped { unescape(text) } else { text.into() };
            let words = tokens(&text).map(|token| Ok(vocab.intern(token)?));
            let words = words.collect::<Result<Vec<_>>>()?;
            Limits::check("number of words of a phrase", words.len(), limits.phrase)?;
            if words.is_empty() {
                let reason = "a phrase without words";
                return Err(pgen_core::Error::table(Place::default(), reason).into());
            }
            Ok(words)
        };
        let (first, second) = (ids(first)?, ids(second)?);
        let links = pharaoh::parse(links)?;
        links.check(first.len(), second.len())?;
        match order {
            ExtractOrder::Direct => self.add(&first, &second, links),
            ExtractOrder::Inverse => self.add(&second, &first, links.transposed()),
        }
    }

    fn add(&mut self, source: &[WordId], target: &[WordId], links: Alignment) -> Result<()> {
        let (source, target) = (self.sources.intern(source)?, self.targets.intern(target)?);
        let next = self.links.len() as u32;
        let text = pharaoh::format(&links);
        let number = *self.numbers.entry(text).or_insert(next);
        if number == next {
            self.links.push(links);
        }
        self.seen.push((source, target, number, 1.0));
        if self.seen.len() >= FRESH.max(2 * self.settled) {
            self.compact();
        }
        Ok(())
    }

    fn compact(&mut self) {
        let key = |seen: &Seen| (seen.0, seen.1, seen.2);
        self.seen.sort_unstable_by_key(key);
        self.seen.dedup_by(|next, kept| {
            let same = key(next) == key(kept);
            if same {
                kept.3 += next.3;
            }
            same
        });
        self.settled = self.seen.len();
    }

    fn finish(mut self, id_bound: usize) -> Result<PhraseTable> {
        self.compact();
        let directions = [Direction::SourceGivenTarget, Direction::TargetGivenSource];
        let [backward, forward] = directions.map(|direction| self.lexical(direction, id_bound));
        let tables = [backward?, forward?];
        let weight = |seen: &Seen, at: usize| {
            let (pair, links) = self.parts(seen);
            let (generated, given) = pair.sides(directions[at]);
            let sums = running_weights(generated, given, links, directions[at], &tables[at]);
            sums.last().copied().unwrap_or(0.0) as f32
        };
        let entries = self.seen.iter().map(|seen| Entry {
            source: seen.0,
            target: seen.1,
            count: seen.3,
            lexical_source: weight(seen, 0),
            lexical_target: weight(seen, 1),
        });
        let entries = entries.collect();
        Builder::with(self.sources, self.targets, entries).finish(&Stop::never())
    }

    fn lexical(&self, direction: Direction, id_bound: usize) -> Result<TranslationTable> {
        let mut counts: BTreeMap<u64, f64> = BTreeMap::new();
        for seen in &self.seen {
            let (pair, links) = self.parts(seen);
            let (generated, given) = pair.sides(direction);
            for_each_event(generated, given, links, direction, |event| {
                *counts.entry(event).or_default() += f64::from(seen.3);
            });
        }
        relative(counts.into_iter(), id_bound, &Stop::never())
    }

    fn parts(&self, seen: &Seen) -> (Pair<'_>, &Alignment) {
        let source = self.sources.get(seen.0);
        let target = self.targets.get(seen.1);
        (Pair { source, target }, &self.links[seen.2 as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Corpus, ExtractParams, for_each_phrase_pair};

    fn read(text: &str, order: ExtractOrder) -> Result<(PhraseTable, Vocab)> {
        let (mut vocab, limits) = (Vocab::new(), Limits::default());
        let lines = Lines::from_text(text, &limits)?;
        let table = read_extract(lines, &mut vocab, order, false, &limits)?;
        Ok((table, vocab))
    }

    fn rows(table: &PhraseTable, vocab: &Vocab) -> Vec<String> {
        let mut rows: Vec<String> = table
            .rows()
            .map(|row| {
                let (s, t) = (spell(row.source, vocab), spell(row.target, vocab));
                let (p, q) = (row.source_given_target, row.target_given_source);
                format!("{s} = {t} {} {p:.6} {q:.6}", row.count)
            })
            .collect();
        rows.sort();
        rows
    }

    #[test]
    fn what_extraction_writes_is_read_back_with_the_same_counts() {
        let mut vocab = Vocab::new();
        let mut corpus = Corpus::new();
        let limits = Limits::default();
        let text = [
            ("a b c", "x y", "0-0 2-1"),
            ("a b", "x", "0-0 1-0"),
            ("c a", "y ||| x", "0-0 1-2"),
        ];
        let mut alignments = Vec::new();
        for (source, target, links) in text {
            corpus
                .push_text(source, target, &mut vocab, &limits)
                .unwrap();
            alignments.push(pharaoh::parse(links).unwrap());
        }
        let params = ExtractParams::default();
        let mut files = [String::new(), String::new()];
        for (pair, alignment) in corpus.pairs().zip(&alignments) {
            let sizes = (pair.source.len(), pair.target.len());
            for_each_phrase_pair(sizes, alignment, &params, |spans| {
                for (file, order) in files
                    .iter_mut()
                    .zip([ExtractOrder::Direct, ExtractOrder::Inverse])
                {
                    *file += &extract_line(pair, alignment, &spans, &vocab, order);
                    file.push('\n');
                }
            })
            .unwrap();
        }
        let direct = PhraseTable::extract(&corpus, &alignments, &params, |_, _| true, &()).unwrap();
        let expected = rows(&direct, &vocab);
        assert_eq!(expected.len(), 8, "{expected:?}");
        for (file, order) in files
            .iter()
            .zip([ExtractOrder::Direct, ExtractOrder::Inverse])
        {
            let (table, vocab) = read(file, order).unwrap();
            assert_eq!(rows(&table, &vocab), expected);
            for row in table.rows() {
                assert!(row.lexical_source <= 0.0 && row.lexical_target <= 0.0);
            }
        }
    }

    #[test]
    fn bad_lines_name_their_number() {
        for (text, code) in [
            ("a ||| b", "syntax"),
            ("a ||| b ||| 0-1", "bad-span"),
            ("a ||| b ||| 1-0", "bad-span"),
            ("a ||| b ||| x", "syntax"),
            (" ||| b ||| ", "bad-table"),
        ] {
            let error = read(
                &format!("a ||| b ||| 0-0\n\n{text}\n"),
                ExtractOrder::Direct,
            )
            .unwrap_err();
            assert_eq!(error.code(), code, "{text}");
            assert!(error.to_string().contains('3'), "{error}");
        }
        assert!(read("", ExtractOrder::Direct).unwrap().0.is_empty());
    }
}
