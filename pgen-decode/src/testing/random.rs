//! Random lattices of any shape with a random language model, small enough for brute force.

use super::backoff::BackoffModel;
use pgen_core::{
    EdgeSpec, FeatureId, FeatureSet, Lattice, LatticeBuilder, Lexicon, Limits, NodeId, SplitMix64,
    Vocab, WordId,
};
use std::sync::Arc;

/// A lattice and a model over its words.
#[derive(Clone, Debug)]
pub struct RandomLattice {
    /// The lattice: two features, "tm" and "um".
    pub lattice: Lattice,
    /// A back-off model of order 1 to 4 that knows some of the words.
    pub model: BackoffModel,
}

const WORDS: [&str; 6] = ["a", "b", "c", "d", "ab", "e"];

/// A random lattice: any acyclic shape, multi-word, empty and parallel edges, and, for every other
/// seed, coarse scores so that ties abound.
///
/// # Errors
/// None for limits at their defaults.
pub fn random_lattice(seed: u64) -> pgen_core::Result<RandomLattice> {
    let mut rng = SplitMix64::stream(seed, 17);
    let mut vocab = Vocab::new();
    let known = 3 + rng.below(3) as usize;
    // Ids are not in the order of spelling.
    let mut order = WORDS;
    rng.shuffle(&mut order);
    for word in &order[..known] {
        vocab.intern(word)?;
    }
    let coarse = seed.is_multiple_of(2);
    let ids: Vec<WordId> = (3..3 + known as u32).map(WordId::new).collect();
    let model = random_model(&mut rng, &ids, coarse);
    let features = Arc::new(FeatureSet::new(vec!["tm".into(), "um".into()]));
    let lexicon = Lexicon::new(Arc::new(vocab));
    let mut builder = LatticeBuilder::new(features, lexicon, &Limits::default());
    let nodes = 2 + rng.below(5) as u32;
    builder.add_nodes(nodes as usize)?;
    let mut edges: Vec<(u32, u32)> = (1..nodes).map(|node| (node - 1, node)).collect();
    for _ in 0..rng.below(14) {
        let from = rng.below(u64::from(nodes) - 1) as u32;
        let to = from + 1 + rng.below(u64::from(nodes - from - 1)) as u32;
        edges.push((from, to.min(from + 3)));
    }
    for (from, to) in edges {
        add_edge(&mut builder, &mut rng, from, to, coarse)?;
    }
    let lattice = builder.build(NodeId::new(0), NodeId::new(nodes - 1))?;
    Ok(RandomLattice { lattice, model })
}

fn add_edge(
    builder: &mut LatticeBuilder,
    rng: &mut SplitMix64,
    from: u32,
    to: u32,
    coarse: bool,
) -> pgen_core::Result<()> {
    let length = [0, 1, 1, 1, 2, 2, 3][rng.below(7) as usize];
    let mut words = Vec::new();
    for _ in 0..length {
        let word = WORDS[rng.below(WORDS.len() as u64) as usize];
        words.push(builder.intern(word)?);
    }
    let mut features = vec![(FeatureId::new(0), log_value(rng, coarse) as f32)];
    if rng.below(3) == 0 {
        features.push((FeatureId::new(1), log_value(rng, coarse) as f32));
    }
    if rng.below(20) == 0 {
        features[0].1 = f32::NEG_INFINITY;
    }
    builder.add_edge(EdgeSpec {
        from: NodeId::new(from),
        to: NodeId::new(to),
        span: None,
        words: &words,
        features: &features,
        unit: None,
    })
}

fn log_value(rng: &mut SplitMix64, coarse: bool) -> f64 {
    if coarse {
        -(rng.below(3) as f64) * 0.5
    } else {
        // 12 bits, so that sums of a few values are exact and orders of addition cannot matter.
        -(rng.below(4096) as f64) / 1024.0
    }
}

/// Suffix-closed, as back-off models are, with back-off weights of both signs.
fn random_model(rng: &mut SplitMix64, ids: &[WordId], coarse: bool) -> BackoffModel {
    let mut model = BackoffModel::uniform(pgen_core::LogProb::from_ln(-4.0));
    model.insert(&[WordId::UNK], -4.0, log_value(rng, coarse) * 0.25);
    model.insert(&[WordId::BOS], -99.0, log_value(rng, coarse));
    model.insert(&[WordId::EOS], log_value(rng, coarse), 0.0);
    let mut shorter: Vec<Vec<WordId>> = vec![vec![WordId::BOS]];
    for &word in ids {
        model.insert(
            &[word],
            log_value(rng, coarse),
            0.5 + log_value(rng, coarse),
        );
        shorter.push(vec![word]);
    }
    for _ in 1..1 + rng.below(4) {
        let mut longer = Vec::new();
        for context in &shorter {
            for &word in ids.iter().chain([&WordId::EOS]) {
                let mut ngram = context.clone();
                ngram.push(word);
                // Every end of an n-gram must be listed, or states would not shorten soundly.
                let listed = shorter.contains(&ngram[1..].to_vec()) || word == WordId::EOS;
                if listed && rng.below(5) < 2 {
                    model.insert(&ngram, log_value(rng, coarse), log_value(rng, coarse));
                    if word != WordId::EOS {
                        longer.push(ngram);
                    }
                }
            }
        }
        shorter = longer;
    }
    model
}
