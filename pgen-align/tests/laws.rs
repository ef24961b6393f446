//! Laws that must hold for all input: likelihoods, sums, extraction, symmetrisation, threads, bad input.

use pgen_align::{
    Corpus, Direction, ExtractParams, Heuristic, Hmm, HmmParams, Model1, Model1Params, Model2,
    Model2Params, PhraseSpans, TrainOptions, Trained, Unaligned, WordAligner, for_each_phrase_pair,
    symmetrize,
};
use pgen_core::{Alignment, Limits, Lines, Link, SplitMix64, Stop, Vocab, WordId};
use proptest::prelude::*;
use std::collections::BTreeSet;

const DIRECTIONS: [Direction; 2] = [Direction::SourceGivenTarget, Direction::TargetGivenSource];

/// A small corpus of words from a small vocabulary.
fn corpora() -> impl Strategy<Value = Corpus> {
    let sentence = || prop::collection::vec(3u32..12, 1..8);
    prop::collection::vec((sentence(), sentence()), 1..12).prop_map(|pairs| {
        let mut corpus = Corpus::new();
        for (source, target) in pairs {
            let ids = |side: Vec<u32>| side.into_iter().map(WordId::new).collect::<Vec<_>>();
            corpus.push(&ids(source), &ids(target)).unwrap();
        }
        corpus
    })
}

fn links(m: u32, n: u32) -> impl Strategy<Value = Alignment> {
    prop::collection::vec((0..m, 0..n), 0..10)
        .prop_map(|links| links.into_iter().map(|(i, j)| Link::new(i, j)).collect())
}

fn never_falls(values: &[f64]) -> bool {
    values
        .windows(2)
        .all(|pair| pair[1] >= pair[0] - 1e-7 * pair[0].abs().max(1.0))
}

fn rows_sum_to_one(table: &pgen_align::TranslationTable) -> bool {
    let given = (0..12).map(|raw| Some(WordId::new(raw))).chain([None]);
    let sums = given.map(|given| table.row(given).map(|(_, p)| p).sum::<f64>());
    sums.into_iter()
        .all(|sum| sum == 0.0 || (sum - 1.0).abs() < 1e-9)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn likelihood_never_falls_and_rows_sum_to_one(corpus in corpora(), identity: bool) {
        let mut corpus = corpus;
        if identity {
            corpus.add_identity_lexicon();
        }
        for direction in DIRECTIONS {
            let one = Model1Params::default().with_iterations(8).with_prune(0.0);
            let first = Model1::fit(&corpus, direction, &one, &()).unwrap();
            prop_assert!(never_falls(first.log_likelihoods()), "{:?}", first.log_likelihoods());
            prop_assert!(rows_sum_to_one(first.table()));
            let two = Model2Params::default().with_iterations(8).with_prune(0.0);
            let second = Model2::fit(&corpus, first.clone(), &two, &()).unwrap();
            prop_assert!(never_falls(second.log_likelihoods()), "{:?}", second.log_likelihoods());
            prop_assert!(rows_sum_to_one(second.table()));
            let chain = HmmParams::default().with_iterations(8).without_cutoffs();
            let hmm = Hmm::fit(&corpus, first, &chain, &()).unwrap();
            prop_assert!(never_falls(hmm.log_likelihoods()), "{:?}", hmm.log_likelihoods());
            prop_assert!(rows_sum_to_one(hmm.table()));
            prop_assert!((hmm.jumps().iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn pruned_rows_sum_to_one_and_posteriors_too(corpus in corpora()) {
        let params = Model1Params::default().with_prune(0.05);
        let first = Model1::fit(&corpus, Direction::SourceGivenTarget, &params, &()).unwrap();
        prop_assert!(rows_sum_to_one(first.table()));
        let hmm = Hmm::fit(&corpus, first, &HmmParams::default(), &()).unwrap();
        prop_assert!(rows_sum_to_one(hmm.table()));
        for pair in corpus.pairs() {
            for row in hmm.posteriors(pair.source, pair.target) {
                prop_assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn extraction_equals_its_definition(
        (m, n, alignment) in (1u32..7, 1u32..7).prop_flat_map(|(m, n)| (Just(m), Just(n), links(m, n))),
        most in 1usize..6,
        words in prop::option::of(1usize..5),
        policy in 0usize..3,
    ) {
        let policy = [Unaligned::Singleton, Unaligned::NotCounted, Unaligned::Forbid][policy];
        let mut params = ExtractParams::default().with_max_cepts(most).with_unaligned(policy);
        params.max_words = words;
        let sizes = (m as usize, n as usize);
        let mut found = Vec::new();
        for_each_phrase_pair(sizes, &alignment, &params, |spans| found.push(spans)).unwrap();
        let expected = by_definition(sizes, &alignment, &params);
        prop_assert!(found.is_sorted_by_key(key));
        prop_assert_eq!(found.iter().map(key).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn symmetrisation_equals_its_definition(
        (m, n, one, two) in (1u32..6, 1u32..6)
            .prop_flat_map(|(m, n)| (Just(m), Just(n), links(m, n), links(m, n))),
    ) {
        // Each source has at most one target in B, each target one source in F.
        let backward = first_of(&one, |link| link.source);
        let forward = first_of(&two, |link| link.target);
        for (name, heuristic) in Heuristic::ALL {
            let sizes = (m as usize, n as usize);
            let found = symmetrize(&forward, &backward, sizes, heuristic).unwrap();
            let found: BTreeSet<(u32, u32)> =
                found.links().iter().map(|link| (link.source, link.target)).collect();
            if let Some(expected) = walked(&forward, &backward, heuristic) {
                prop_assert_eq!(&found, &expected, "{}", name);
            }
            let (both, either) = (forward.intersection(&backward), forward.union(&backward));
            prop_assert!(both.links().iter().all(|link| found.contains(&(link.source, link.target))));
            prop_assert!(found.iter().all(|&(i, j)| either.contains(Link::new(i, j))));
        }
    }
}

type Key = (usize, usize, usize, usize, u32);

fn key(spans: &PhraseSpans) -> Key {
    let (source, target) = (spans.source.range(), spans.target.range());
    (
        source.start,
        source.end,
        target.start,
        target.end,
        spans.cepts,
    )
}

/// All pairs of spans that hold a link, none that leaves them, and few enough cepts: the definition.
fn by_definition(
    (m, n): (usize, usize),
    alignment: &Alignment,
    params: &ExtractParams,
) -> Vec<Key> {
    let links: Vec<(usize, usize)> = alignment
        .links()
        .iter()
        .map(|link| (link.source as usize, link.target as usize))
        .collect();
    let mut found = Vec::new();
    for (i, k) in (0..m).flat_map(|i| (i + 1..=m).map(move |k| (i, k))) {
        for (j, l) in (0..n).flat_map(|j| (j + 1..=n).map(move |l| (j, l))) {
            let inside: Vec<(usize, usize)> = links
                .iter()
                .copied()
                .filter(|(s, t)| (i..k).contains(s) || (j..l).contains(t))
                .collect();
            let whole = inside
                .iter()
                .all(|(s, t)| (i..k).contains(s) && (j..l).contains(t));
            let words = params
                .max_words
                .is_none_or(|most| k - i <= most && l - j <= most);
            if inside.is_empty() || !whole || !words {
                continue;
            }
            let sources = (i..k)
                .filter(|s| !links.iter().any(|link| link.0 == *s))
                .count();
            let targets = (j..l)
                .filter(|t| !links.iter().any(|link| link.1 == *t))
                .count();
            let free = sources + targets;
            let cepts = components(&inside);
            let counted = match params.unaligned {
                Unaligned::Singleton => cepts + free,
                Unaligned::NotCounted => cepts,
                Unaligned::Forbid if free > 0 => continue,
                Unaligned::Forbid => cepts,
            };
            if counted <= params.max_cepts {
                found.push((i, k, j, l, (cepts + free) as u32));
            }
        }
    }
    found
}

/// Number of connected components of links.
fn components(links: &[(usize, usize)]) -> usize {
    let mut groups: Vec<Vec<(usize, usize)>> = Vec::new();
    for &link in links {
        let touches = |group: &Vec<(usize, usize)>| {
            group
                .iter()
                .any(|other| other.0 == link.0 || other.1 == link.1)
        };
        let (joined, rest): (Vec<_>, Vec<_>) = groups.into_iter().partition(touches);
        groups = rest;
        groups.push(joined.into_iter().flatten().chain([link]).collect());
    }
    groups.len()
}

fn first_of(alignment: &Alignment, side: impl Fn(&Link) -> u32) -> Alignment {
    let mut seen = BTreeSet::new();
    let links = alignment.links().iter().copied();
    links.filter(|link| seen.insert(side(link))).collect()
}

/// The specification's walk, written down without regard to speed; none for Och's method, which has its
/// golden cases.
fn walked(
    forward: &Alignment,
    backward: &Alignment,
    heuristic: Heuristic,
) -> Option<BTreeSet<(u32, u32)>> {
    let set = |alignment: &Alignment| -> BTreeSet<(u32, u32)> {
        alignment
            .links()
            .iter()
            .map(|link| (link.source, link.target))
            .collect()
    };
    let (f, b) = (set(forward), set(backward));
    let union: BTreeSet<_> = f.union(&b).copied().collect();
    let mut links: BTreeSet<_> = f.intersection(&b).copied().collect();
    let covered = |links: &BTreeSet<(u32, u32)>, (i, j): (u32, u32)| {
        (
            links.iter().any(|link| link.0 == i),
            links.iter().any(|link| link.1 == j),
        )
    };
    let diagonal = match heuristic {
        Heuristic::Intersection => return Some(links),
        Heuristic::Union => return Some(union),
        Heuristic::Grow => false,
        Heuristic::Och => return None,
        _ => true,
    };
    let straight = [(-1, 0), (0, -1), (1, 0), (0, 1)];
    let slanted = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
    let steps: Vec<(i64, i64)> = straight
        .into_iter()
        .chain(slanted.into_iter().filter(|_| diagonal))
        .collect();
    loop {
        let before = links.len();
        let mut cursor = None;
        while let Some(at) = links
            .iter()
            .copied()
            .find(|link| cursor.is_none_or(|c| *link > c))
        {
            cursor = Some(at);
            for (di, dj) in &steps {
                let (i, j) = (i64::from(at.0) + di, i64::from(at.1) + dj);
                let Ok(link) = u32::try_from(i).and_then(|i| Ok((i, u32::try_from(j)?))) else {
                    continue;
                };
                if union.contains(&link)
                    && !links.contains(&link)
                    && covered(&links, link) != (true, true)
                {
                    links.insert(link);
                }
            }
        }
        if links.len() == before {
            break;
        }
    }
    let rest = b.difference(&f).chain(f.difference(&b));
    for &link in rest {
        let (row, column) = covered(&links, link);
        let add = match heuristic {
            Heuristic::GrowDiagFinal => !row || !column,
            Heuristic::GrowDiagFinalAnd => !row && !column,
            _ => false,
        };
        if add {
            links.insert(link);
        }
    }
    Some(links)
}

/// Pairs of Zipf-like words, the same on every run.
fn text(pairs: usize) -> (Corpus, Vocab) {
    let (mut chance, mut vocab, mut corpus) = (SplitMix64::new(3), Vocab::new(), Corpus::new());
    for _ in 0..pairs {
        let mut side = |prefix: &str| -> String {
            let length = 3 + chance.below(12);
            let words = (0..length).map(|_| {
                let rank = 300f64.powf(chance.unit()) as u32;
                format!("{prefix}{rank}")
            });
            words.collect::<Vec<_>>().join(" ")
        };
        let (source, target) = (side("a"), side("b"));
        corpus
            .push_text(&source, &target, &mut vocab, &Limits::default())
            .unwrap();
    }
    (corpus, vocab)
}

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let (corpus, vocab) = text(150);
    let run = |threads: usize| -> Vec<Vec<Alignment>> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let methods = pgen_align::Method::ALL.iter();
            let align = |(_, method): &(&str, pgen_align::Method)| {
                let options = TrainOptions::new(*method);
                let model = Trained::fit(&corpus, &vocab, &options, &()).unwrap();
                pgen_align::align_corpus(&model, &corpus)
            };
            methods.map(align).collect()
        })
    };
    let one = run(1);
    assert!(one == run(2) && one == run(8));
}

#[test]
fn overlong_and_odd_pairs_are_refused_or_aligned_without_positions() {
    let limits = Limits::default();
    let (mut vocab, mut corpus) = (Vocab::new(), Corpus::new());
    corpus.push_text("a b", "x y", &mut vocab, &limits).unwrap();
    let words: Vec<String> = (0..20_000).map(|i| format!("w{}", i % 500)).collect();
    let long = words.join(" ");
    let pushed = corpus.push_text(&long, &long, &mut vocab, &limits);
    assert_eq!(pushed.unwrap_err().code(), "too-long");
    // Even let in, such a pair neither hangs nor exhausts memory.
    let mut wide = Limits::default();
    wide.tokens = 30_000;
    corpus.push_text(&long, &long, &mut vocab, &wide).unwrap();
    corpus.add_identity_lexicon();
    let start = Model1::fit(&corpus, DIRECTIONS[0], &Model1Params::default(), &()).unwrap();
    let hmm = Hmm::fit(&corpus, start, &HmmParams::default(), &()).unwrap();
    let pair = corpus.get(1).unwrap();
    assert!(hmm.posteriors(pair.source, pair.target).is_empty());
    let short = &pair.source[..2_000];
    assert_eq!(hmm.align(short, short).links().len(), 2_000);
}

#[test]
fn training_ends_when_told() {
    let (corpus, vocab) = text(50);
    let stop = Stop::after(std::time::Duration::ZERO);
    for (_, method) in pgen_align::Method::ALL {
        let ended = Trained::fit(&corpus, &vocab, &TrainOptions::new(method), &stop);
        assert_eq!(ended.unwrap_err().code(), "deadline-exceeded");
    }
}

#[test]
fn variational_training_goes_through_every_model() {
    let (corpus, vocab) = text(50);
    for (_, method) in pgen_align::Method::ALL {
        let options = TrainOptions::new(method).with_alpha(0.01);
        let model = Trained::fit(&corpus, &vocab, &options, &()).unwrap();
        assert!(
            corpus
                .pairs()
                .any(|pair| !model.align(pair.source, pair.target).is_empty())
        );
    }
}

#[test]
fn damaged_lines_are_skipped_with_their_numbers() {
    let limits = Limits::default();
    let bytes = b"\xEF\xBB\xBFa\tb\r\none side\nc\t\nd\xFF\te\nf\tg\n".to_vec();
    let lines = Lines::from_reader(std::io::Cursor::new(bytes), "pairs", &limits).unwrap();
    let (corpus, report) = pgen_align::read_pairs(lines, &mut Vocab::new(), &limits).unwrap();
    assert_eq!((corpus.len(), report.skipped), (2, 3));
    let told: Vec<String> = report.reasons.iter().map(ToString::to_string).collect();
    for (line, told) in [2, 3, 4].iter().zip(&told) {
        assert!(told.starts_with(&format!("pairs:{line}: ")), "{told}");
    }
}
