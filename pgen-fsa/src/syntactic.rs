//! When two words match (Shen et al. 2006, figure 4).

use crate::params::MsaParams;
use crate::symbols::Interner;
use hashbrown::{HashMap, HashSet};
use pgen_core::Chunks;

/// A sentence to align: its words and, for V4 and V5, its syntax.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Aligned {
    /// The words, already normalised.
    pub words: Vec<String>,
    /// Tags, chunks and traces of the words; `None` for lexical versions.
    pub syntax: Option<(Vec<String>, Chunks)>,
}

/// Half of a chunk or trace tag: label and position, `O` apart.
type Tag = Option<(bool, u32)>;

/// A word with what its matches depend on, as numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Item {
    pub(crate) word: u32,
    /// False for words that never match.
    matches: bool,
    tag: u32,
    chunk: Tag,
    /// The trace without first and last tag, from the bottom up.
    trace: Box<[Tag]>,
}

/// Sentences as numbers.
#[derive(Debug)]
pub(crate) struct Items {
    pub(crate) sentences: Vec<Vec<Item>>,
}

impl Items {
    /// Numbers words, tags and labels of all sentences alike.
    pub(crate) fn new(
        sentences: &[Aligned],
        words: &mut Interner,
        params: &MsaParams,
    ) -> crate::Result<Self> {
        let stop: HashSet<&str> = params.stop_words.iter().map(String::as_str).collect();
        let mut names = Names::default();
        let mut all = Vec::with_capacity(sentences.len());
        for sentence in sentences {
            let mut items = Vec::with_capacity(sentence.words.len());
            for (at, word) in sentence.words.iter().enumerate() {
                let skipped = (params.version.skips_commas() && word == ",")
                    || (params.version.skips_stop_words() && stop.contains(word.as_str()));
                let mut item = Item {
                    word: words.intern(word)?,
                    matches: !skipped,
                    ..Item::default()
                };
                if let Some((tags, chunks)) = &sentence.syntax {
                    item.tag = names.number(tags.get(at).map_or("", String::as_str));
                    names.describe(&mut item, chunks, at);
                }
                items.push(item);
            }
            all.push(items);
        }
        Ok(Items { sentences: all })
    }
}

#[derive(Default)]
struct Names(HashMap<String, u32>);

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry_ref(name).or_insert(next)
    }

    fn describe(&mut self, item: &mut Item, chunks: &Chunks, at: usize) {
        let mut tag = |tag: pgen_core::TraceTag| (tag.inside, self.number(chunks.label_of(tag)));
        item.chunk = chunks.tag(at).map(&mut tag);
        let trace = chunks.trace(at);
        let inner = trace.get(1..trace.len().saturating_sub(1)).unwrap_or(&[]);
        item.trace = inner.iter().rev().map(|&part| Some(tag(part))).collect();
    }
}

/// Score of two chunk or trace tags.
fn compare(a: Tag, b: Tag, params: &MsaParams) -> f64 {
    match (a, b) {
        (a, b) if a == b => params.full,
        (Some(a), Some(b)) if a.1 == b.1 => params.partial,
        _ => params.none,
    }
}

/// Score of two traces: tags from the bottom up, less a penalty for different lengths.
fn compare_traces(a: &[Tag], b: &[Tag], params: &MsaParams) -> f64 {
    let tags: f64 = a
        .iter()
        .zip(b)
        .map(|(&a, &b)| params.decay * compare(a, b, params))
        .sum();
    tags - params.length_penalty * a.len().abs_diff(b.len()) as f64
}

/// Are the relative positions, counted from 1, too far apart? In integers: fractions would round.
fn is_far((p, length): (usize, usize), (q, other): (usize, usize), most: (u32, u32)) -> bool {
    let (p, q, length, other) = (p as u128 + 1, q as u128 + 1, length as u128, other as u128);
    u128::from(most.1) * (p * other).abs_diff(q * length) > u128::from(most.0) * length * other
}

/// Do the words at these places of two sentences match?
pub(crate) fn is_match(
    (a, i): (&[Item], usize),
    (b, j): (&[Item], usize),
    params: &MsaParams,
) -> bool {
    let (x, y) = (&a[i], &b[j]);
    if x.word != y.word || !x.matches {
        return false;
    }
    if !params.version.is_syntactic() {
        return true;
    }
    let score = || compare(x.chunk, y.chunk, params) + compare_traces(&x.trace, &y.trace, params);
    x.tag == y.tag && score() >= 0.0 && !is_far((i, a.len()), (j, b.len()), params.position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgen_core::Limits;

    fn golden(name: &str) -> serde_json::Value {
        let text = match name {
            "units" => include_str!("../tests/golden/s02_match_units.json"),
            _ => include_str!("../tests/golden/s01_milan.json"),
        };
        serde_json::from_str(text).unwrap()
    }

    fn item(chunk: &str, trace: &str) -> Item {
        let mut chunks = Chunks::new();
        chunks.push(chunk, trace, &Limits::default()).unwrap();
        let mut item = Item::default();
        // Fixed numbers for labels, so that items of different calls compare.
        let mut names = Names::default();
        ["S", "NP", "VP", "PP", "SBAR", "ADJP"]
            .iter()
            .for_each(|name| {
                names.number(name);
            });
        names.describe(&mut item, &chunks, 0);
        item
    }

    #[test]
    fn golden_scores() {
        let golden = golden("units");
        let params = MsaParams::default();
        for case in golden["iob"].as_array().unwrap() {
            let [a, b] = ["a", "b"].map(|key| item(case[key].as_str().unwrap(), "").chunk);
            assert_eq!(
                compare(a, b, &params),
                case["score"].as_f64().unwrap(),
                "{case}"
            );
        }
        for case in golden["trace"].as_array().unwrap() {
            let [a, b] = ["a", "b"].map(|key| item("O", case[key].as_str().unwrap()).trace);
            assert_eq!(
                compare_traces(&a, &b, &params),
                case["score"].as_f64().unwrap(),
                "{case}"
            );
        }
        let mut traps = 0;
        for case in golden["relpos"].as_array().unwrap() {
            let [p1, l1, p2, l2] =
                ["p1", "l1", "p2", "l2"].map(|key| case[key].as_u64().unwrap() as usize);
            let far = is_far((p1 - 1, l1), (p2 - 1, l2), params.position);
            assert_eq!(far, case["rejected"].as_bool().unwrap(), "{case}");
            traps += usize::from(far != case["naive_f64_rejected"].as_bool().unwrap());
        }
        assert!(traps >= 4);
    }

    #[test]
    fn milan_is_rejected_by_its_place_alone() {
        let golden = golden("milan");
        assert_eq!(golden["iob_score"], 1);
        let params = MsaParams::default();
        let (a, b) = (item("B-NP", "I-S/B-NP"), item("B-NP", "I-S/I-VP/I-PP/B-NP"));
        assert_eq!(
            compare_traces(&a.trace, &b.trace, &params),
            golden["trace_score"].as_f64().unwrap()
        );
        let same = |item: Item| Item {
            matches: true,
            ..item
        };
        let (a, b) = (vec![same(a); 3], vec![same(b); 4]);
        assert!(!is_match((&a, 0), (&b, 3), &params));
        assert!(is_match((&a, 1), (&b, 3), &params));
    }
}
