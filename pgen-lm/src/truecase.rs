//! Restoring upper and lower case.

use crate::error::Result;
use crate::estimate::Estimator;
use crate::fast::{FastModel, State};
use crate::params::EstimateParams;
use hashbrown::{HashMap, HashSet};
use pgen_core::{LanguageModel, LogProb, Vocab, WordId};

/// Learns from text in its true case; made into a [`Truecaser`].
///
/// Sentences are kept until [`TruecaseTrainer::finish`], 4 bytes a token.
#[derive(Clone, Debug, Default)]
pub struct TruecaseTrainer {
    vocab: Vocab,
    tokens: Vec<WordId>,
    ends: Vec<usize>,
    /// Words that occur elsewhere than at the start of a sentence.
    inner: HashSet<WordId>,
}

/// Finds the likeliest casing of a sentence: a hidden Markov model over the casings seen of each word, with
/// an n-gram model of cased words for its transitions (Lita, Ittycheriah, Roukos and Kambhatla 2003,
/// "tRuEcasIng", section 3).
#[derive(Clone, Debug)]
pub struct Truecaser {
    vocab: Vocab,
    model: FastModel,
    /// By lower-cased word: its casings, ascending.
    forms: HashMap<Box<str>, Vec<WordId>>,
}

/// A cased sentence.
#[derive(Clone, PartialEq, Debug)]
pub struct Truecased {
    /// The tokens, in the casing of the middle of a sentence.
    pub tokens: Vec<String>,
    /// ln P of the cased sentence, `</s>` included.
    pub log_prob: LogProb,
}

impl Truecased {
    /// The tokens with the first letter of the sentence in upper case.
    #[must_use]
    pub fn as_sentence(&self) -> Vec<String> {
        let mut tokens = self.tokens.clone();
        if let Some(first) = tokens.first_mut() {
            let mut letters = first.chars();
            if let Some(letter) = letters.next() {
                *first = letter.to_uppercase().chain(letters).collect();
            }
        }
        tokens
    }
}

impl TruecaseTrainer {
    /// Nothing learnt yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Learns a sentence.
    ///
    /// # Errors
    /// As [`Vocab::intern`].
    pub fn add<'a>(&mut self, sentence: impl IntoIterator<Item = &'a str>) -> Result<()> {
        for (at, token) in sentence.into_iter().enumerate() {
            let word = self.vocab.intern(token)?;
            if at > 0 {
                self.inner.insert(word);
            }
            self.tokens.push(word);
        }
        self.ends.push(self.tokens.len());
        Ok(())
    }

    /// Puts the first word of each sentence into lower case if that form also occurs
    /// inside sentences, since its upper case then tells nothing.
    fn decase(&mut self) {
        let mut start = 0;
        for &end in &self.ends {
            if let Some(first) = self.tokens[start..end].first_mut()
                && let Some(lower) = self.vocab.word(*first).map(str::to_lowercase)
                && let Some(lower) = self.vocab.get(&lower)
                && self.inner.contains(&lower)
            {
                *first = lower;
            }
            start = end;
        }
    }

    /// Estimates the model of cased words.
    ///
    /// # Errors
    /// As [`Estimator::new`] and [`Estimator::finish`].
    pub fn finish(mut self, params: EstimateParams) -> Result<Truecaser> {
        self.decase();
        let mut estimator = Estimator::new(params)?;
        let mut start = 0;
        for &end in &self.ends {
            estimator.add(&self.tokens[start..end])?;
            start = end;
        }
        let (ngrams, _) = estimator.finish(&self.vocab, &())?;
        let mut forms: HashMap<Box<str>, Vec<WordId>> = HashMap::new();
        for (id, word) in self.vocab.words() {
            if !id.is_control() && ngrams.knows(id) {
                forms
                    .entry(word.to_lowercase().into())
                    .or_default()
                    .push(id);
            }
        }
        for casings in forms.values_mut() {
            casings.sort_unstable_by(|&a, &b| self.vocab.word(a).cmp(&self.vocab.word(b)));
        }
        Ok(Truecaser {
            model: FastModel::new(&ngrams)?,
            vocab: self.vocab,
            forms,
        })
    }
}

/// The best way to a state: choices among the casings of each word.
#[derive(Clone)]
struct Path {
    state: State,
    score: f64,
    choices: Vec<u16>,
}

impl Truecaser {
    /// The casings seen of a word, ascending; empty for a word never seen.
    #[must_use]
    pub fn forms(&self, word: &str) -> Vec<&str> {
        let ids = self.forms.get(word.to_lowercase().as_str());
        let spelled = ids
            .into_iter()
            .flatten()
            .filter_map(|&id| self.vocab.word(id));
        spelled.collect()
    }

    /// The likeliest casing of a sentence; of equal ones the first by spelling. Words never seen stay as
    /// they are. O(length · casings^order).
    #[must_use]
    pub fn truecase(&self, tokens: &[&str]) -> Truecased {
        let mut paths = vec![Path {
            state: self.model.start(),
            score: 0.0,
            choices: Vec::with_capacity(tokens.len()),
        }];
        let lower: Vec<String> = tokens.iter().map(|token| token.to_lowercase()).collect();
        let unknown = [WordId::UNK];
        let casings = |at: usize| -> &[WordId] {
            let known = self.forms.get(lower[at].as_str());
            known.map_or(&unknown[..], Vec::as_slice)
        };
        for at in 0..tokens.len() {
            paths = self.step(&paths, casings(at));
        }
        for path in &mut paths {
            path.score += self.model.finish(&path.state).ln();
        }
        // Paths are in the order of their choices, so the first of equal ones stays.
        let best = paths
            .into_iter()
            .reduce(|best, path| if path.score > best.score { path } else { best });
        let best = best.map_or((Vec::new(), f64::NEG_INFINITY), |path| {
            (path.choices, path.score)
        });
        let spelled = best.0.iter().enumerate().map(|(at, &choice)| {
            match casings(at)
                .get(usize::from(choice))
                .filter(|&&id| id != WordId::UNK)
            {
                Some(&id) => self.vocab.word(id).unwrap_or(tokens[at]).to_owned(),
                None => tokens[at].to_owned(),
            }
        });
        Truecased {
            tokens: spelled.collect(),
            log_prob: LogProb::from_ln(best.1),
        }
    }

    /// The best way to each state after one more word, in the order of choices.
    fn step(&self, paths: &[Path], casings: &[WordId]) -> Vec<Path> {
        let mut next: Vec<Path> = Vec::new();
        let mut places: HashMap<State, usize> = HashMap::new();
        for path in paths {
            for (choice, &word) in (0u16..).zip(casings) {
                let (state, log_prob) = self.model.advance(&path.state, word);
                let score = path.score + log_prob.ln();
                let place = *places.entry(state).or_insert(next.len());
                if next.get(place).is_some_and(|known| known.score >= score) {
                    continue;
                }
                let mut choices = path.choices.clone();
                choices.push(choice);
                let better = Path {
                    state,
                    score,
                    choices,
                };
                match next.get_mut(place) {
                    Some(known) => *known = better,
                    None => next.push(better),
                }
            }
        }
        next.sort_by(|a, b| a.choices.cmp(&b.choices));
        next
    }
}
