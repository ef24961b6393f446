//! The five-minute door: a model, a sentence, its paraphrases.

use crate::answer::{Answer, Paraphrase, TextEdit};
use crate::applications::Goal;
use crate::article::WithArticles;
use crate::bundle::{Bundle, Language};
use crate::error::Result;
use crate::guard;
use crate::options::{Options, Search};
use pgen_core::text::{Detokenized, TextOptions, detokenize, normalize};
use pgen_core::{
    ByteSpan, Certificate, Edit, Hypothesis, Lattice, Lexicon, Limits, LogProb, NBest,
    ParaphraseTable, SearchStats, Sentence, Token, TokenKind, Weight,
};
use pgen_decode::{Beam, Decoder, Exact, Identity, LogLinear, MonteCarlo, Plan, Request};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

/// How often the list may be asked for again, longer, because distinct word sequences became the same
/// text or did not achieve the application.
const ROUNDS: usize = 5;

/// Paraphrases sentences with one model. `&self`, `Send` and `Sync`: share it between threads.
#[derive(Debug)]
pub struct Paraphraser {
    bundle: Bundle,
    tables: Vec<(String, WithArticles<ParaphraseTable>)>,
    /// Lower-cased name → its usual spelling.
    names: BTreeMap<String, String>,
    exact: Exact,
}

impl Paraphraser {
    /// With the embedded English model.
    ///
    /// # Errors
    /// None, unless the program was damaged.
    #[cfg(feature = "english")]
    pub fn english() -> Result<Self> {
        Ok(Self::new(crate::english::bundle()?))
    }

    /// With a model file made by [`train`](crate::train::train).
    ///
    /// # Errors
    /// As [`Bundle::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Ok(Self::new(Bundle::open(path.as_ref(), &Limits::default())?))
    }

    /// With a model in memory.
    #[must_use]
    pub fn new(mut bundle: Bundle) -> Self {
        let tables = std::mem::take(&mut bundle.tables).into_iter();
        let tables = tables
            .map(|(name, table)| (name, WithArticles(table)))
            .collect();
        let names = bundle
            .names
            .iter()
            .map(|name| (name.to_lowercase(), name.clone()))
            .collect();
        Paraphraser {
            bundle,
            tables,
            names,
            exact: Exact::new(),
        }
    }

    /// The model. Its tables are held apart and not listed.
    #[must_use]
    pub fn bundle(&self) -> &Bundle {
        &self.bundle
    }

    /// The best `n` paraphrases of a sentence.
    ///
    /// # Errors
    /// As [`Paraphraser::answer`].
    pub fn paraphrase(&self, text: &str, n: usize) -> Result<Answer> {
        self.answer(text, &Options::best(n))
    }

    /// Paraphrases of a sentence: distinct texts, none of them the sentence itself unless asked for, best
    /// first. Text without words has none.
    ///
    /// # Errors
    /// [`LimitExceeded`](pgen_core::Error::LimitExceeded) for text beyond `options.limits`;
    /// [`BadSpan`](pgen_core::Error::BadSpan) for a protected span outside the text; what the decoder
    /// says.
    pub fn answer(&self, text: &str, options: &Options) -> Result<Answer> {
        let sentence = self.sentence(text, options)?;
        if sentence.is_empty() || options.n == 0 {
            let stats = SearchStats::default();
            let certificate = Certificate::Exhausted;
            return Ok(Answer {
                source: text.to_owned(),
                items: Vec::new(),
                certificate,
                stats,
            });
        }
        let goal = Goal::new(&options.application, &self.bundle, &options.limits)?;
        let mut plan =
            Plan::new(options.limits.clone()).with_identity(Identity::Always(LogProb::ONE));
        for (name, table) in &self.tables {
            plan = plan.with_table(name.clone(), table);
        }
        if let Some(usability) = goal.usability() {
            plan = plan.with_usability(usability);
        }
        let lattice = plan.build(&sentence)?.lattice;
        let model = self.model(&plan)?;
        let view = View {
            paraphraser: self,
            sentence: &sentence,
            lattice: &lattice,
            options,
            goal: &goal,
        };
        view.search(&model)
    }

    fn model(&self, plan: &Plan<'_>) -> Result<LogLinear<'_, Language>> {
        let weight = |name: &str| self.bundle.weights.get(name).copied();
        let weights: Vec<Weight> = plan
            .features()
            .names()
            .iter()
            .map(|name| weight(name).unwrap_or(Weight::ONE))
            .collect();
        let language = weight("language").unwrap_or(Weight::ONE);
        Ok(LogLinear::new(&self.bundle.language)
            .with_weights(weights)?
            .with_language_weight(language)?)
    }

    fn sentence(&self, text: &str, options: &Options) -> Result<Sentence> {
        let vocab = &self.bundle.vocab;
        let mut sentence = if options.pretokenized {
            pretokenized(text, Lexicon::new(Arc::clone(vocab)), &options.limits)?
        } else {
            Sentence::tokenize(text, vocab, &TextOptions::default(), &options.limits)?
        };
        sentence.protect_spans(&options.protect)?;
        if options.protect_names {
            guard::names(&sentence)
                .into_iter()
                .for_each(|span| sentence.protect(span));
        }
        if options.protect_quotations {
            guard::quotations(&sentence)
                .into_iter()
                .for_each(|span| sentence.protect(span));
        }
        Ok(sentence)
    }
}

/// Tokens separated by space, TAB, CR and LF only.
fn pretokenized(text: &str, mut lexicon: Lexicon, limits: &Limits) -> Result<Sentence> {
    let mut tokens = Vec::new();
    let mut start = 0;
    for word in text.split([' ', '\t', '\r', '\n']) {
        let end = start + word.len();
        if !word.is_empty() {
            Limits::check("bytes of a token", word.len(), limits.token_bytes)?;
            Limits::check("bytes of a text", end, u32::MAX as usize)?;
            let number = word.chars().any(char::is_numeric);
            let kind = match word.chars().any(char::is_alphanumeric) {
                _ if number => TokenKind::Number,
                true => TokenKind::Word,
                false => TokenKind::Punctuation,
            };
            tokens.push(Token {
                bytes: ByteSpan::new(start as u32, end as u32)?,
                word: lexicon.intern(&normalize(word, kind, true))?,
                kind,
                protected: number,
            });
        }
        start = end + 1;
    }
    Ok(Sentence::new(text.to_owned(), tokens, lexicon, limits)?)
}

/// One request, planned.
struct View<'a> {
    paraphraser: &'a Paraphraser,
    sentence: &'a Sentence,
    lattice: &'a Lattice,
    options: &'a Options,
    goal: &'a Goal<'a>,
}

impl View<'_> {
    /// Asks the decoder for longer and longer lists until enough of it passes.
    fn search(&self, model: &LogLinear<'_, Language>) -> Result<Answer> {
        let mut ask = self.options.n.saturating_add(2);
        let mut round = 0;
        loop {
            let mut request = Request::best(ask.min(self.options.limits.n_best))
                .with_limits(self.options.limits.clone())
                .with_stop(self.options.stop.clone());
            if !self.options.include_source {
                request = request.excluding(self.sentence.words().to_vec());
            }
            let list = self.decode(model, &request)?;
            let more = match list.certificate {
                Certificate::Exact => round < ROUNDS,
                Certificate::Heuristic => round < ROUNDS && list.items.len() >= request.n,
                _ => false,
            };
            let (items, cut) = self.select(&list);
            if items.len() < self.options.n && more {
                ask = ask.saturating_mul(4);
                round += 1;
                continue;
            }
            let certificate = match list.certificate {
                // More texts exist, as this list or its tail shows.
                Certificate::Exhausted if cut => Certificate::Exact,
                other => other,
            };
            let source = self.sentence.text().to_owned();
            return Ok(Answer {
                source,
                items,
                certificate,
                stats: list.stats,
            });
        }
    }

    fn decode(&self, model: &LogLinear<'_, Language>, request: &Request) -> Result<NBest> {
        Ok(match self.options.search {
            Search::Exact => self
                .paraphraser
                .exact
                .decode(self.lattice, model, request)?,
            Search::Beam => Beam::default().decode(self.lattice, model, request)?,
            Search::MonteCarlo { seed } => {
                let request = request.clone().with_source(self.sentence.words().to_vec());
                let generator = MonteCarlo::default().with_seed(seed);
                generator.decode(self.lattice, model, &request)?
            }
        })
    }

    /// The texts of a list that pass, at most n; and whether more would have.
    fn select(&self, list: &NBest) -> (Vec<Paraphrase>, bool) {
        let mut seen = HashSet::new();
        if !self.options.include_source {
            seen.insert(self.sentence.text().to_owned());
        }
        let mut items = Vec::new();
        for hypothesis in &list.items {
            let written = self.write(hypothesis);
            let edits = hypothesis.edits(self.lattice, self.sentence);
            let fits = self.keeps_protected(&written.text)
                && self
                    .goal
                    .is_achieved(self.sentence.text(), &written.text, !edits.is_empty());
            if !fits || !seen.insert(written.text.clone()) {
                continue;
            }
            if items.len() == self.options.n {
                return (items, true);
            }
            items.push(self.paraphrase(hypothesis, written, &edits));
        }
        (items, false)
    }

    fn write(&self, hypothesis: &Hypothesis) -> Detokenized {
        let names = &self.paraphraser.names;
        let proper = |word: &str| names.get(word).cloned();
        detokenize(self.sentence, self.lattice, hypothesis, Some(&proper))
    }

    /// The last guard: every protected token appears, in order, as it was written; no digit is new.
    fn keeps_protected(&self, text: &str) -> bool {
        let mut rest = text;
        for (at, _) in self
            .sentence
            .tokens()
            .iter()
            .enumerate()
            .filter(|(_, token)| token.protected)
        {
            let surface = self.sentence.surface(at);
            match rest.find(surface) {
                Some(place) => rest = &rest[place + surface.len()..],
                None => return false,
            }
        }
        let digits = |text: &str| text.chars().filter(|c| c.is_numeric()).collect::<String>();
        digits(text) == digits(self.sentence.text())
    }

    fn paraphrase(
        &self,
        hypothesis: &Hypothesis,
        written: Detokenized,
        edits: &[Edit],
    ) -> Paraphrase {
        let bytes = written.edit_bytes(self.sentence, edits);
        let texts = edits.iter().zip(bytes).map(|(edit, (source, target))| {
            let cut = |text: &str, span: ByteSpan| text.get(span.range()).unwrap_or("").to_owned();
            let unit = self.lattice.unit(edit.unit);
            let values = unit.map_or(&[][..], |unit| self.lattice.unit_features(unit));
            let value = |at: usize| values.get(at).map_or(0.0, |&(_, value)| f64::from(value));
            let table = self.paraphraser.tables.get(edit.table.index());
            let usability = self.lattice.feature_set().find("usability");
            let gain = values.iter().find(|(id, _)| Some(*id) == usability);
            TextEdit {
                source,
                target,
                from: cut(self.sentence.text(), source),
                to: cut(&written.text, target),
                table: table.map(|(name, _)| name.clone()).unwrap_or_default(),
                rule: edit.rule,
                log_prob: LogProb::from_ln(value(0)),
                gain: gain.map_or(0.0, |&(_, value)| f64::from(value)),
            }
        });
        Paraphrase {
            edits: texts.collect(),
            score: hypothesis.score,
            confidence: hypothesis.confidence,
            text: written.text,
        }
    }
}
