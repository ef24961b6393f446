//! Patterns with nested fillers and collocations on random annotated sentences: matching, planning and
//! exact decoding together equal a brute force that knows nothing of lattices.

use pgen_core::{
    CollocationTable, Dependencies, LanguageModel, Lexicon, Limits, LogProb, MatchParams,
    PatternTable, Sentence, Slot, SlotBound, SplitMix64, TableBuilder, Vocab, WordId,
    normalize_pattern,
};
use pgen_decode::testing::BackoffModel;
use pgen_decode::{Decoder, Exact, Identity, LogLinear, Plan, Request};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const WORDS: [&str; 4] = ["a", "b", "c", "d"];
const TAGS: [&str; 2] = ["N", "V"];

type Rows = Vec<(Vec<String>, Vec<String>, f64)>;

struct Case {
    tokens: Vec<String>,
    tags: Vec<String>,
    heads: Vec<Option<u32>>,
    phrases: Rows,
    patterns: Rows,
    collocations: Rows,
    bound: SlotBound,
}

fn pick<'a>(rng: &mut SplitMix64, from: &[&'a str]) -> &'a str {
    from[rng.below(from.len() as u64) as usize]
}

fn words(rng: &mut SplitMix64, least: u64, most: u64) -> Vec<String> {
    let count = least + rng.below(most - least + 1);
    (0..count).map(|_| pick(rng, &WORDS).to_owned()).collect()
}

/// Values on a coarse grid, so that sums are exact.
fn value(rng: &mut SplitMix64) -> f64 {
    -(rng.below(64) as f64) / 32.0
}

fn pattern(rng: &mut SplitMix64) -> (Vec<String>, Vec<String>) {
    let slots: Vec<String> = (1..=1 + rng.below(2))
        .map(|at| format!("[{}_{at}]", pick(rng, &TAGS)))
        .collect();
    let mut sides = [words(rng, 1, 2), words(rng, 0, 2)];
    for side in &mut sides {
        for slot in &slots {
            side.insert(rng.below(side.len() as u64 + 1) as usize, slot.clone());
        }
    }
    let [source, target] = sides.map(|side| side.join(" "));
    let (source, target) = normalize_pattern(&source, &target).unwrap();
    let split = |side: String| side.split(' ').map(str::to_owned).collect();
    (split(source), split(target))
}

fn case(seed: u64) -> Case {
    let rng = &mut SplitMix64::stream(seed, 77);
    let tokens = words(rng, 2, 6);
    let tags = tokens.iter().map(|_| pick(rng, &TAGS).to_owned()).collect();
    // Heads in a random order, each below what comes before: a forest, often crossing.
    let mut order: Vec<u32> = (0..tokens.len() as u32).collect();
    rng.shuffle(&mut order);
    let mut heads = vec![None; tokens.len()];
    for at in 1..order.len() {
        if rng.below(8) > 0 {
            // Mostly neighbours, so that projections without gaps abound.
            let above = &order[..at];
            let near = above
                .iter()
                .min_by_key(|&&head| head.abs_diff(order[at]))
                .copied();
            heads[order[at] as usize] = near;
        }
    }
    let phrases = (0..rng.below(4))
        .map(|_| (words(rng, 1, 2), words(rng, 1, 2), value(rng)))
        .collect();
    let patterns = (0..1 + rng.below(4))
        .map(|_| {
            let (source, target) = pattern(rng);
            (source, target, value(rng))
        })
        .collect();
    let collocations = (0..rng.below(4))
        .map(|_| {
            let side = |rng: &mut SplitMix64| {
                vec![
                    pick(rng, &WORDS).to_owned(),
                    "OBJ".to_owned(),
                    pick(rng, &WORDS).to_owned(),
                ]
            };
            (side(rng), side(rng), value(rng))
        })
        .collect();
    let bound = [SlotBound::Maximal, SlotBound::All, SlotBound::Word][rng.below(3) as usize];
    Case {
        tokens,
        tags,
        heads,
        phrases,
        patterns,
        collocations,
        bound,
    }
}

// ---------------------------------------------------------------- the brute force

#[derive(Clone, Debug)]
enum Unit {
    /// Start, end, target, fillers, value.
    Span(
        usize,
        usize,
        Vec<String>,
        BTreeMap<String, (usize, usize)>,
        f64,
    ),
    /// Head, dependent, their words, value.
    Pair(usize, usize, [String; 2], f64),
}

impl Case {
    /// Complete projections that start here, by definition: a head with this tag and all below it.
    fn fillers(&self, start: usize, tag: &str) -> Vec<usize> {
        let n = self.tokens.len();
        let below = |mut token: usize, head: usize| loop {
            if token == head {
                return true;
            }
            match self.heads[token] {
                Some(above) => token = above as usize,
                None => return false,
            }
        };
        let mut ends = Vec::new();
        for head in (0..n).filter(|&head| self.tags[head] == tag) {
            let covered: Vec<usize> = match self.bound {
                SlotBound::Word => vec![head],
                _ => (0..n).filter(|&token| below(token, head)).collect(),
            };
            let (first, last) = (covered[0], covered[covered.len() - 1]);
            if first == start && last - first + 1 == covered.len() {
                ends.push(last + 1);
            }
        }
        ends
    }

    /// Every way to match a source from a position on: end and fillers in order.
    fn matches(&self, source: &[String], at: usize) -> Vec<(usize, Vec<(usize, usize)>)> {
        let Some((first, rest)) = source.split_first() else {
            return vec![(at, Vec::new())];
        };
        let mut found = Vec::new();
        if let Some(slot) = Slot::parse(first) {
            for end in self.fillers(at, slot.tag) {
                for (last, mut fillers) in self.matches(rest, end) {
                    fillers.insert(0, (at, end));
                    found.push((last, fillers));
                }
            }
        } else if self.tokens.get(at) == Some(first) {
            found = self.matches(rest, at + 1);
        }
        found
    }

    fn units(&self) -> Vec<Unit> {
        let mut units = Vec::new();
        for (source, target, value) in self.phrases.iter().chain(&self.patterns) {
            let slots: Vec<&String> = source.iter().filter(|w| Slot::parse(w).is_some()).collect();
            for start in 0..self.tokens.len() {
                let mut matches = self.matches(source, start);
                if self.bound == SlotBound::Maximal {
                    // Longest; of equally long ones that with the longer first slots.
                    matches.sort();
                    matches = matches.pop().into_iter().collect();
                }
                for (end, fillers) in matches {
                    let fill = slots
                        .iter()
                        .map(|slot| (*slot).clone())
                        .zip(fillers)
                        .collect();
                    units.push(Unit::Span(start, end, target.clone(), fill, *value));
                }
            }
        }
        for (source, target, value) in &self.collocations {
            for (dependent, head) in self.heads.iter().enumerate() {
                let Some(head) = head.map(|head| head as usize) else {
                    continue;
                };
                if self.tokens[head] == source[0] && self.tokens[dependent] == source[2] {
                    let pair = [target[0].clone(), target[2].clone()];
                    units.push(Unit::Pair(head, dependent, pair, *value));
                }
            }
        }
        units
    }

    /// All ways to write a stretch: words, value, which halves of which pairs are used.
    #[allow(clippy::type_complexity)]
    fn write(
        &self,
        units: &[Unit],
        from: usize,
        to: usize,
    ) -> Vec<(Vec<String>, f64, Vec<(usize, u8)>)> {
        if from == to {
            return vec![(Vec::new(), 0.0, Vec::new())];
        }
        let mut heads = vec![(from + 1, vec![self.tokens[from].clone()], -1.0, vec![])];
        for (number, unit) in units.iter().enumerate() {
            match unit {
                Unit::Pair(head, dependent, words, value) => {
                    if *head == from {
                        heads.push((from + 1, vec![words[0].clone()], *value, vec![(number, 0)]));
                    }
                    if *dependent == from {
                        heads.push((from + 1, vec![words[1].clone()], 0.0, vec![(number, 1)]));
                    }
                }
                Unit::Span(start, end, target, fillers, value) if *start == from && *end <= to => {
                    let mut done = vec![(Vec::new(), *value, Vec::new())];
                    for word in target {
                        let pieces = match fillers.get(word) {
                            Some(&(a, b)) => self.write(units, a, b),
                            None => vec![(vec![word.clone()], 0.0, Vec::new())],
                        };
                        done = join(&done, &pieces);
                    }
                    heads.extend(
                        done.into_iter()
                            .map(|(words, value, used)| (*end, words, value, used)),
                    );
                }
                Unit::Span(..) => {}
            }
        }
        let mut all = Vec::new();
        for (end, words, value, used) in heads {
            all.extend(join(&[(words, value, used)], &self.write(units, end, to)));
        }
        all
    }
}

type Piece = (Vec<String>, f64, Vec<(usize, u8)>);

fn join(left: &[Piece], right: &[Piece]) -> Vec<Piece> {
    let mut all = Vec::new();
    for (a, x, used) in left {
        for (b, y, more) in right {
            all.push(([&a[..], b].concat(), x + y, [&used[..], more].concat()));
        }
    }
    all
}

// ---------------------------------------------------------------- pgen

fn builder(vocab: &mut Vocab, rows: &Rows) -> pgen_core::ParaphraseTable {
    let mut builder = TableBuilder::new(["p"]);
    for (source, target, value) in rows {
        builder
            .push_text(
                vocab,
                &source.join(" "),
                &target.join(" "),
                &[*value as f32],
            )
            .unwrap();
    }
    builder.build(vocab).unwrap()
}

fn model(vocab: &mut Vocab, seed: u64) -> BackoffModel {
    let rng = &mut SplitMix64::stream(seed, 3);
    let mut model = BackoffModel::uniform(LogProb::from_ln(-3.0));
    let ids: Vec<WordId> = WORDS
        .iter()
        .map(|word| vocab.intern(word).unwrap())
        .collect();
    model.insert(&[WordId::BOS], -99.0, 0.0);
    for &id in &ids {
        model.insert(&[id], value(rng), value(rng));
    }
    for &a in &ids {
        for &b in &ids {
            if rng.below(2) == 0 {
                model.insert(&[a, b], value(rng), 0.0);
            }
        }
    }
    model
}

fn check(seed: u64) -> (usize, usize) {
    let mut case = case(seed);
    // A table keeps the best of equal rules.
    for rows in [
        &mut case.phrases,
        &mut case.patterns,
        &mut case.collocations,
    ] {
        rows.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)).then(b.2.total_cmp(&a.2)));
        rows.dedup_by(|b, a| a.0 == b.0 && a.1 == b.1);
    }
    let mut vocab = Vocab::new();
    let model = model(&mut vocab, seed);
    let phrases = builder(&mut vocab, &case.phrases);
    let patterns = builder(&mut vocab, &case.patterns);
    let collocations = builder(&mut vocab, &case.collocations);
    let mut params = MatchParams::default();
    params.bound = case.bound;
    params.matches = usize::MAX;
    let patterns = PatternTable::new(patterns, &vocab)
        .unwrap()
        .with_params(params);
    let collocations = CollocationTable::new(collocations, &vocab).unwrap();
    let arcs: Vec<_> = case.heads.iter().map(|&head| (head, "dobj")).collect();
    let lexicon = Lexicon::new(Arc::new(vocab));
    let sentence = Sentence::from_words(&case.tokens, lexicon, &Limits::default())
        .unwrap()
        .with_tags(case.tags.clone())
        .unwrap()
        .with_dependencies(Dependencies::new(&arcs).unwrap())
        .unwrap();
    let plan = Plan::new(Limits::default())
        .with_identity(Identity::Always(LogProb::from_ln(-1.0)))
        .with_table("phrases", &phrases)
        .with_table("patterns", &patterns)
        .with_table("collocations", &collocations);
    let planned = plan.build(&sentence).unwrap();
    assert!(planned.report.is_complete());
    let scorer = LogLinear::new(&model);
    let request = Request::best(1_000_000).with_details();
    let list = Exact::new()
        .decode(&planned.lattice, &scorer, &request)
        .unwrap();

    let units = case.units();
    let mut texts: BTreeMap<Vec<String>, (f64, u64)> = BTreeMap::new();
    for (words, value, used) in case.write(&units, 0, case.tokens.len()) {
        let mut halves: BTreeMap<usize, BTreeSet<u8>> = BTreeMap::new();
        used.iter().for_each(|&(number, half)| {
            halves.entry(number).or_default().insert(half);
        });
        if halves.values().all(|halves| halves.len() == 2) {
            let text = texts.entry(words).or_insert((f64::NEG_INFINITY, 0));
            *text = (text.0.max(value), text.1 + 1);
        }
    }
    assert_eq!(list.items.len(), texts.len(), "{seed}");
    for item in &list.items {
        let spelled: Vec<String> = (item.words.iter())
            .map(|&word| planned.lattice.lexicon().word(word).to_owned())
            .collect();
        let &(value, count) = texts
            .get(&spelled)
            .unwrap_or_else(|| panic!("{seed}: {spelled:?}"));
        let language = model.sentence(&item.words);
        assert!(
            (item.score.ln() - value - language.ln()).abs() < 1e-6,
            "{seed}: {spelled:?}"
        );
        assert_eq!(
            item.derivations.as_ref().map(ToString::to_string),
            Some(count.to_string()),
            "{seed}"
        );
    }
    let sorted = list
        .items
        .windows(2)
        .all(|pair| pair[0].score.ln() >= pair[1].score.ln());
    assert!(sorted, "{seed}");
    (units.len(), texts.len())
}

#[test]
fn matching_and_decoding_equal_brute_force() {
    let seeds = if cfg!(debug_assertions) { 600 } else { 6000 };
    let (mut units, mut texts) = (0, 0);
    for seed in 0..seeds {
        let (u, t) = check(seed);
        (units, texts) = (units + u, texts + t);
    }
    eprintln!("{seeds} sentences, {units} units, {texts} texts");
    assert!(units > seeds as usize && texts > 3 * seeds as usize);
}
