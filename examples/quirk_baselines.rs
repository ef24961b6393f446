//! The baselines of Quirk, Brockett & Dolan (2004, §4) beside the phrase table: WordNet without and with a
//! language model, word classes with a language model.
//!
//!     cargo run --release --example quirk_baselines
//!     cargo run --release --example quirk_baselines -- SETS EXCEPTIONS CLASSES SENTENCES OUT
//!
//! With arguments the systems answer a file of sentences, each into `OUT/NAME.json`, which
//! `pgen judge --auto` reads. CLASSES comes from `pgen lm clusters`.
#![allow(clippy::print_stdout)]

use pgen::core::text::TextOptions;
use pgen::core::thesaurus::Thesaurus;
use pgen::core::{Limits, Lines, Sentence, Vocab, Weight, WordClasses};
use pgen::evaluate::Synonyms;
use pgen::lm::ClassReplacements;
use pgen::{Bundle, Options, Paraphraser};
use std::sync::Arc;

type Failure = Box<dyn std::error::Error>;

const SETS: &str = "n1\tquestion inquiry\t\nn2\tcommittee commission\t\nv3\texamine study\t\n\
                    v4\tanswer reply\t\na5\timportant significant\t\n";
const CLASSES: &str = "question\t0\nproblem\t0\nmatter\t0\ncommittee\t1\nparliament\t1\n\
                       examine\t2\ndiscuss\t2\n";
const SENTENCES: &str =
    "The committee will examine this important question.\nParliament answered him.\n";

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let limits = Limits::default();
    let (thesaurus, mut classes, mut sentences, out) = match &args[..] {
        [sets, exceptions, classes, sentences, out] => {
            let open = |path: &String| Lines::open(path.as_ref(), &limits);
            let thesaurus = Thesaurus::read(open(sets)?, Some(open(exceptions)?))?;
            (thesaurus, open(classes)?, open(sentences)?, Some(out))
        }
        [] => {
            let open = |text| Lines::from_text(text, &limits);
            let thesaurus = Thesaurus::read(open(SETS)?, None)?;
            (thesaurus, open(CLASSES)?, open(SENTENCES)?, None)
        }
        _ => return Err("give SETS EXCEPTIONS CLASSES SENTENCES OUT, or nothing".into()),
    };
    let systems = Systems::new(Arc::new(thesaurus), &mut classes)?;
    let mut answers: [String; 4] = Default::default();
    while let Some((number, line)) = sentences.next_line()? {
        for (place, (name, text)) in systems.answers(line, number)?.into_iter().enumerate() {
            if out.is_none() {
                println!("{name:8}{}", text.as_deref().unwrap_or("(no paraphrase)"));
            }
            let texts = text.map(|text| serde_json::json!({ "text": text }));
            let texts: Vec<serde_json::Value> = texts.into_iter().collect();
            let answer = serde_json::json!({ "source": line, "paraphrases": texts });
            answers[place] += &format!("{answer}\n");
        }
    }
    if let Some(folder) = out {
        for (name, text) in NAMES.iter().zip(&answers) {
            std::fs::write(format!("{folder}/{name}.json"), text)?;
        }
    }
    Ok(())
}

const NAMES: [&str; 4] = ["PR", "WN", "WN+LM", "CL"];

struct Systems {
    table: Paraphraser,
    synonyms: Synonyms,
    /// The language model decides among synonyms, among members of a class.
    informed: [Paraphraser; 2],
}

impl Systems {
    fn new(thesaurus: Arc<Thesaurus>, classes: &mut Lines) -> Result<Self, Failure> {
        let without_tables = || -> Result<Bundle, Failure> {
            let mut bundle = Bundle::english()?;
            bundle.tables.clear();
            bundle
                .weights
                .insert("language".to_owned(), Weight::new(1.0)?);
            Ok(bundle)
        };
        let mut bundle = without_tables()?;
        let mut vocab = Vocab::clone(&bundle.vocab);
        let classes = Arc::new(WordClasses::read(classes, &mut vocab)?);
        bundle.vocab = Arc::new(vocab);
        let synonyms = Synonyms::new(thesaurus);
        Ok(Systems {
            table: Paraphraser::english()?,
            informed: [
                Paraphraser::new(without_tables()?).with_replacements("wn", synonyms.clone()),
                Paraphraser::new(bundle).with_replacements("cl", ClassReplacements::new(classes)),
            ],
            synonyms,
        })
    }

    /// The first answer of each system. WN replaces as many words as PR has edits.
    fn answers(
        &self,
        line: &str,
        seed: u64,
    ) -> Result<[(&'static str, Option<String>); 4], Failure> {
        let best = self
            .table
            .answer(line, &Options::best(1))?
            .items
            .into_iter()
            .next();
        let edits = best.as_ref().map_or(1, |item| item.edits.len());
        let first = |paraphraser: &Paraphraser| -> Result<Option<String>, Failure> {
            let items = paraphraser.paraphrase(line, 1)?.items;
            Ok(items.into_iter().next().map(|item| item.text))
        };
        let [wordnet, classes] = &self.informed;
        let texts = [
            best.map(|item| item.text),
            self.by_chance(line, edits, seed)?,
            first(wordnet)?,
            first(classes)?,
        ];
        let mut texts = texts.into_iter();
        Ok(NAMES.map(|name| (name, texts.next().flatten())))
    }

    fn by_chance(&self, line: &str, edits: usize, seed: u64) -> Result<Option<String>, Failure> {
        let vocab = &self.table.bundle().vocab;
        let sentence =
            Sentence::tokenize(line, vocab, &TextOptions::default(), &Limits::default())?;
        let chosen = self.synonyms.replace_words(&sentence, edits, seed);
        let mut text = line.to_owned();
        for (at, word) in chosen.iter().rev() {
            text.replace_range(sentence.tokens()[*at].bytes.range(), word);
        }
        Ok((!chosen.is_empty()).then_some(text))
    }
}
