//! From the plain form to the fast layout.

use super::{After, FREE, FastModel, HASHED, HEADER, LINEAR, slot};
use crate::bounds::{BOUNDLESS, BigramBounds};
use crate::error::Result;
use crate::ngrams::Ngrams;
use pgen_core::{Error, Place, WordId};

impl FastModel {
    /// Builds the layout in time and memory linear in the model.
    ///
    /// # Errors
    /// [`pgen_core::Error::LimitExceeded`] if the tables exceed 2³² words (16 GiB).
    pub fn new(ngrams: &Ngrams) -> Result<Self> {
        let places = Places::new(ngrams)?;
        let mut model = FastModel {
            // A few words more, so that a small table's keys can be read as eight.
            arena: vec![0; places.end + LINEAR],
            unigrams: Vec::with_capacity(ngrams.vocabulary()),
            canonical: canonical(ngrams),
            known: bits(&ngrams.listed),
            counts: ngrams.counts().iter().map(|&count| count as u64).collect(),
            start: 0,
            bounds: Vec::new(),
            after: After::default(),
        };
        if let Some(first) = ngrams.levels.first() {
            for word in 0..first.len() {
                let known = if ngrams.listed[word] { word } else { 0 };
                let next = places.next(ngrams, 0, known as u32);
                model.unigrams.push((round(first.log_probs[known]), next));
            }
            model.start = model.unigrams[WordId::BOS.index()].1;
        }
        for depth in 0..ngrams.order().saturating_sub(1) {
            for node in 0..ngrams.levels[depth].len() as u32 {
                if places.place(depth, node) != 0 {
                    model.write_state(ngrams, &places, depth, node);
                }
            }
        }
        model.bounds = crate::bounds::word_bounds(ngrams, |ln| f64::from(round(ln)));
        model.after = model.after(ngrams, &places);
        Ok(model)
    }

    /// Bounds of bigrams in the order of the tables.
    fn after(&self, ngrams: &Ngrams, places: &Places) -> After {
        let BigramBounds { unlisted, excess } =
            BigramBounds::new(ngrams, |ln| f64::from(round(ln)));
        let mut after = After {
            unlisted,
            ..After::default()
        };
        let [first, second, ..] = &ngrams.levels[..] else {
            return after;
        };
        for node in 0..first.len() as u32 {
            after.starts.push(after.codes.len() as u32);
            let place = places.place(0, node);
            if place == 0 {
                continue;
            }
            let range = first.range(node);
            let start = after.codes.len();
            let (_, slots) = shape(range.len());
            let size = slots.map_or(range.len(), |slots| slots as usize);
            after.codes.resize(start + size, BOUNDLESS);
            for bigram in range {
                if let Some(at) = self.place_of(place, second.words[bigram]) {
                    after.codes[start + at] = excess[bigram];
                }
            }
        }
        after
    }

    fn write_state(&mut self, ngrams: &Ngrams, places: &Places, depth: usize, node: u32) {
        let level = &ngrams.levels[depth];
        let next_level = &ngrams.levels[depth + 1];
        let suffix = match depth {
            0 => 0,
            _ => places.next(ngrams, depth - 1, level.suffixes[node as usize]),
        };
        let range = level.range(node);
        let place = places.place(depth, node) as usize;
        let (size, slots) = shape(range.len());
        let table = &mut self.arena[place..place + size];
        table[0] = suffix;
        table[1] = round(level.backoffs[node as usize]).to_bits();
        table[2] = slots.map_or(range.len() as u32, |slots| slots | HASHED);
        let table = &mut table[HEADER..];
        if slots.is_some() {
            table.iter_mut().step_by(3).for_each(|key| *key = FREE);
        }
        for (at, child) in range.clone().enumerate() {
            let word = next_level.words[child];
            let log_prob = round(next_level.log_probs[child]).to_bits();
            let next = places.next(ngrams, depth + 1, child as u32);
            match slots {
                None => {
                    table[at] = word;
                    let value = range.len() + 2 * at;
                    table[value..value + 2].copy_from_slice(&[log_prob, next]);
                }
                Some(slots) => {
                    // Ordered hashing (Amble and Knuth 1974): along the way of a search words ascend, so
                    // that the search for an absent one ends as soon as that for a present one.
                    let mut entry = [word, log_prob, next];
                    let mut at = slot(word, slots) as usize;
                    while table[3 * at] != FREE {
                        if table[3 * at] > entry[0] {
                            table[3 * at..3 * at + 3].swap_with_slice(&mut entry);
                        }
                        at = if at + 1 == slots as usize { 0 } else { at + 1 };
                    }
                    table[3 * at..3 * at + 3].copy_from_slice(&entry);
                }
            }
        }
    }
}

/// Where each state lies; 0 for n-grams that are no state.
struct Places {
    levels: Vec<Vec<u32>>,
    end: usize,
}

impl Places {
    fn new(ngrams: &Ngrams) -> Result<Self> {
        // Offset 0 is the empty state, whose table is `unigrams`.
        let mut end = HEADER;
        let mut levels = Vec::new();
        for level in &ngrams.levels[..ngrams.order().saturating_sub(1)] {
            let mut places = vec![0; level.len()];
            for (node, place) in places.iter_mut().enumerate() {
                if level.is_context(node) {
                    *place = u32::try_from(end).unwrap_or(u32::MAX);
                    end += shape(level.range(node as u32).len()).0;
                }
            }
            levels.push(places);
        }
        if end > u32::MAX as usize {
            return Err(Error::LimitExceeded {
                place: Place::default(),
                what: "size of the tables in 4-byte words",
                limit: u64::from(u32::MAX),
                found: end as u64,
            }
            .into());
        }
        Ok(Places { levels, end })
    }

    fn place(&self, depth: usize, node: u32) -> u32 {
        self.levels
            .get(depth)
            .map_or(0, |level| level[node as usize])
    }

    /// The state after an n-gram: the longest of its ends that is one.
    fn next(&self, ngrams: &Ngrams, depth: usize, node: u32) -> u32 {
        let (mut depth, mut node) = (depth, node);
        loop {
            let place = self.place(depth, node);
            if place != 0 || depth == 0 {
                return place;
            }
            node = ngrams.levels[depth].suffixes[node as usize];
            depth -= 1;
        }
    }
}

/// Size of a state's table with so many next words, and the number of slots if it is hashed.
fn shape(children: usize) -> (usize, Option<u32>) {
    if children <= LINEAR {
        return (HEADER + 3 * children, None);
    }
    // At most 3 of 4 slots are taken, so a search for an absent word ends soon.
    let slots = children + children.div_ceil(3);
    (HEADER + 3 * slots, Some(slots as u32))
}

/// f32, and a multiple of 2⁻⁴⁰: then sums of a sentence's values are exact in f64, so the order of addition
/// does not matter. The change is below 10⁻¹².
pub(crate) fn round(ln: f64) -> f32 {
    const GRID: f64 = (1u64 << 40) as f64;
    let value = ln as f32;
    if value.is_infinite() || value.abs() >= 1.0 {
        return value;
    }
    ((f64::from(value) * GRID).round() / GRID + 0.0) as f32
}

/// The word that each word is scored as, if any n-gram could tell the difference.
pub(crate) fn canonical(ngrams: &Ngrams) -> Vec<u32> {
    let unknown_matters = ngrams
        .levels
        .iter()
        .skip(1)
        .any(|level| level.words.contains(&0));
    if !unknown_matters || ngrams.listed.iter().all(|&listed| listed) {
        return Vec::new();
    }
    let word = |(word, &listed): (u32, &bool)| if listed { word } else { 0 };
    (0..).zip(&ngrams.listed).map(word).collect()
}

pub(crate) fn bits(flags: &[bool]) -> Vec<u64> {
    let pack = |chunk: &[bool]| {
        let bit = |(at, &flag): (usize, &bool)| u64::from(flag) << at;
        chunk.iter().enumerate().map(bit).sum()
    };
    flags.chunks(64).map(pack).collect()
}
