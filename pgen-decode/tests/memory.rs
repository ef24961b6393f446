//! Lattices that would take more memory than there is: every decoder stays within the room that its limits
//! give, says so, and still answers.

use pgen_core::{
    Certificate, LanguageModel, Lattice, Lexicon, Limits, LogProb, Sentence, TableBuilder, Vocab,
    WordId,
};
use pgen_decode::testing::BackoffModel;
use pgen_decode::{Beam, Decoder, Exact, LogLinear, MonteCarlo, Plan, Request, TrueScore};
use std::sync::Arc;

/// A sentence under a table of (source, target), each a little worse than the one before.
fn lattice(source: &str, rows: &[(String, String)]) -> (Lattice, Vec<WordId>, Vocab) {
    let mut vocab = Vocab::new();
    let mut builder = TableBuilder::new(["tm"]);
    for (at, (source, target)) in rows.iter().enumerate() {
        let value = -1.0 - at as f32 / 64.0;
        builder
            .push_text(&mut vocab, source, target, &[value])
            .unwrap();
    }
    let table = builder.build(&vocab).unwrap();
    let lexicon = Lexicon::new(Arc::new(vocab.clone()));
    let sentence = Sentence::from_words(source.split(' '), lexicon, &Limits::default()).unwrap();
    let plan = Plan::new(Limits::default()).with_table("tm", &table);
    let lattice = plan.build(&sentence).unwrap().lattice;
    (lattice, sentence.words().to_vec(), vocab)
}

/// One word, `words` times, where every run of up to eight is a rule that writes up to eight of another: few
/// states, few texts, and derivations without number.
fn runs(words: usize) -> (Lattice, Vec<WordId>) {
    let run = |word: &str, length: usize| vec![word; length].join(" ");
    let lengths = (1..=8).flat_map(|from| (1..=8).map(move |to| (from, to)));
    let rows: Vec<_> = lengths
        .map(|(from, to)| (run("a", from), run("b", to)))
        .collect();
    let (lattice, source, _) = lattice(&run("a", words), &rows);
    (lattice, source)
}

/// Positions of so many words, all different, of which the model lists each and no pairs.
fn fans(positions: usize, options: usize) -> (Lattice, BackoffModel) {
    let rows: Vec<_> = (0..positions)
        .flat_map(|at| {
            (0..options).map(move |option| (format!("s{at}"), format!("t{at}x{option}")))
        })
        .collect();
    let source: Vec<_> = (0..positions).map(|at| format!("s{at}")).collect();
    let (lattice, _, vocab) = lattice(&source.join(" "), &rows);
    let mut model = BackoffModel::uniform(LogProb::from_ln(-9.0));
    for id in 3..vocab.len() as u32 {
        model.insert(&[WordId::new(id)], -2.0 - f64::from(id % 7), -0.25);
    }
    // A bigram makes the words before it states.
    model.insert(&[WordId::new(3), WordId::new(4)], -1.0, 0.0);
    (lattice, model)
}

/// A model that remembers a word and lists all words after it.
struct Listing;

impl LanguageModel for Listing {
    type State = WordId;
    fn start(&self) -> WordId {
        WordId::BOS
    }
    fn null(&self) -> WordId {
        WordId::UNK
    }
    fn advance(&self, state: &WordId, word: WordId) -> (WordId, LogProb) {
        let mixed = (state.raw() * 31 + word.raw()) % 97;
        (word, LogProb::from_ln(-1.0 - f64::from(mixed) / 8.0))
    }
}

fn limited(states: usize) -> Limits {
    let mut limits = Limits::default();
    limits.states = states;
    limits
}

/// Resident memory at the most so far, in MiB, where the system tells (Linux).
fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kib / 1024.0)
}

/// Runs something that may take so many MiB more than what was taken before.
fn within<T>(mib: f64, run: impl FnOnce() -> T) -> T {
    let before = peak();
    let result = run();
    match (before, peak()) {
        (Some(before), Some(after)) => {
            println!("{:.0} MiB more", after - before);
            assert!(after - before <= mib, "{before} MiB, then {after}");
        }
        _ => println!("skipped: the system does not tell a process's memory"),
    }
    result
}

fn is_bounded(certificate: Certificate) -> bool {
    matches!(certificate, Certificate::Bounded { .. })
}

/// One test, so that what one part takes is not counted for another.
#[test]
#[cfg_attr(debug_assertions, ignore = "release only")]
fn no_decoder_outgrows_its_room() {
    // Room for 8 MiB; twice that for the exact decoder, and vectors may be twice as long as needed.
    let (lattice, source) = runs(600);
    let model = BackoffModel::uniform(LogProb::from_ln(-1.0));
    let model = LogLinear::new(&model);
    let request = Request::best(50).with_limits(limited(60_000));
    let exact = within(64.0, || Exact::new().decode(&lattice, &model, &request)).unwrap();
    assert!(is_bounded(exact.certificate) && !exact.items.is_empty());
    let request = request.with_source(source);
    let beam = within(64.0, || Beam::default().decode(&lattice, &model, &request)).unwrap();
    assert!(!beam.items.is_empty() && beam.items[0].score <= exact.items[0].score);
    let settings = MonteCarlo::default().with_episodes(1_000_000).unwrap();
    let carlo = within(64.0, || settings.decode(&lattice, &model, &request)).unwrap();
    assert_eq!(carlo.certificate, Certificate::Heuristic);
    let text = &[exact.items[0].words[0]; 300];
    let limits = limited(1_000);
    let error = within(16.0, || TrueScore::within(&lattice, &model, text, &limits)).unwrap_err();
    assert_eq!(error.code(), "limit-exceeded");
    let truth = TrueScore::new(&lattice, &model, text).unwrap();
    assert!(truth.derivations().ln() > 300.0);

    // Few states, but each lists many words.
    let (lattice, flat) = fans(8, 800);
    let model = LogLinear::new(&Listing);
    let request = Request::best(5).with_limits(limited(60_000));
    let list = within(96.0, || Exact::new().decode(&lattice, &model, &request)).unwrap();
    assert!(is_bounded(list.certificate) && list.items.len() == 5);
    // Few states that list little, but many words after each.
    let model = LogLinear::new(&flat);
    let (lattice, _) = fans(4, 1_600);
    let list = within(96.0, || Exact::new().decode(&lattice, &model, &request)).unwrap();
    assert!(is_bounded(list.certificate) && list.items.len() == 5);
    // With room enough both are exact, and nothing scores above the bound told before.
    let bound = match list.certificate {
        Certificate::Bounded {
            upper_bound_of_rest,
        } => upper_bound_of_rest,
        _ => unreachable!(),
    };
    let all = Exact::new()
        .decode(&lattice, &model, &Request::best(5))
        .unwrap();
    assert_eq!(all.certificate, Certificate::Exact);
    assert!(all.items.iter().all(|item| item.score <= bound));
}

/// A text with too many derivations has a score, and no number.
#[test]
#[cfg_attr(debug_assertions, ignore = "release only")]
fn too_many_derivations_are_not_counted() {
    let (lattice, _) = runs(30);
    let model = BackoffModel::uniform(LogProb::from_ln(-1.0));
    let model = LogLinear::new(&model);
    let request = Request::best(3).with_details();
    let list = Exact::new().decode(&lattice, &model, &request).unwrap();
    assert!(list.items.iter().all(|item| item.derivations.is_some()));
    let (lattice, _) = runs(400);
    let request = request.with_limits(limited(50_000));
    let list = Exact::new().decode(&lattice, &model, &request).unwrap();
    assert!(!list.items.is_empty());
    assert!(list.items.iter().all(|item| item.derivations.is_none()));
}
