//! Any model of the next word can score paraphrases: implement `LanguageModel`, three methods and a
//! state. This one is a bigram model with add-one smoothing; equal states must have equal futures.
#![allow(clippy::print_stdout)]

use pgen::core::{LanguageModel, Lexicon, Limits, LogProb, Sentence, TableBuilder, Vocab, WordId};
use pgen::decode::{Decoder, Exact, Identity, LogLinear, Plan, Request};
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Default)]
struct AddOne {
    words: f64,
    seen: HashMap<WordId, f64>,
    pairs: HashMap<(WordId, WordId), f64>,
}

impl AddOne {
    fn learn(&mut self, words: &[WordId]) {
        let all = [&[WordId::BOS], words, &[WordId::EOS]].concat();
        for pair in all.windows(2) {
            *self.seen.entry(pair[0]).or_default() += 1.0;
            *self.pairs.entry((pair[0], pair[1])).or_default() += 1.0;
        }
    }
}

impl LanguageModel for AddOne {
    type State = WordId; // the last word is all that it remembers
    fn start(&self) -> WordId {
        WordId::BOS
    }
    fn null(&self) -> WordId {
        WordId::UNK // no context
    }
    fn advance(&self, last: &WordId, word: WordId) -> (WordId, LogProb) {
        let seen = self.seen.get(last).copied().unwrap_or(0.0);
        let pair = self.pairs.get(&(*last, word)).copied().unwrap_or(0.0);
        (
            word,
            LogProb::from_ln(((pair + 1.0) / (seen + self.words)).ln()),
        )
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let limits = Limits::default();
    let (mut vocab, mut model) = (Vocab::new(), AddOne::default());
    for line in [
        "he drank strong tea",
        "she drank strong coffee",
        "a powerful car",
    ] {
        let words: Result<Vec<_>, _> = line.split(' ').map(|word| vocab.intern(word)).collect();
        model.learn(&words?);
    }
    let mut table = TableBuilder::new(["ln p"]);
    for (source, target) in [("good", "strong"), ("good", "powerful")] {
        table.push_text(&mut vocab, source, target, &[0.5f32.ln()])?;
    }
    model.words = vocab.len() as f64;
    let table = table.build(&vocab)?;
    let lexicon = Lexicon::new(Arc::new(vocab));
    let plan = Plan::new(limits.clone())
        .with_table("rules", &table)
        .with_identity(Identity::WhereMissing(LogProb::ONE));
    for text in ["he drank good tea", "a good car"] {
        let sentence = Sentence::from_words(text.split(' '), lexicon.clone(), &limits)?;
        let lattice = plan.build(&sentence)?.lattice;
        let request = Request::best(2).with_min_edit(sentence.words().to_vec(), 1);
        let best = Exact::default().decode(&lattice, &LogLinear::new(&model), &request)?;
        for item in &best.items {
            println!(
                "{:8.3}  {text} → {}",
                item.score.ln(),
                lattice.lexicon().join(&item.words)
            );
        }
    }
    Ok(())
}
