//! From a planned sentence to its answer: longer and longer lists until enough of them passes.

use crate::answer::{Answer, Paraphrase};
use crate::bundle::Language;
use crate::diversity::{Listed, spelling_key};
use crate::error::Result;
use crate::options::{Options, Search};
use crate::paraphraser::{Paraphraser, Planned, check};
use crate::phrase::PhraseFilter;
use crate::shortage::{Because, Rule, Shortage};
use crate::write::Writer;
use pgen_core::{Certificate, Hypothesis, NBest, Score, SearchStats};
use pgen_decode::{Beam, Decoder, MonteCarlo, Request};
use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};

/// How often the list may be asked for again, longer, because distinct word sequences became the same
/// text or broke a rule of the request.
const ROUNDS: usize = 5;

/// How many more texts are looked at once time is up, and how long: enough that a late list is not an empty
/// one. The first that passes is written whatever the time.
const GRACE: usize = 32;
const GRACE_TIME: Duration = Duration::from_millis(1);

/// One request, planned.
pub(crate) struct View<'a> {
    planned: &'a Planned<'a>,
    options: &'a Options,
    decoder: Option<&'a (dyn Decoder<Language> + Sync)>,
    paraphraser: &'a Paraphraser,
    writer: Writer<'a>,
    phrases: PhraseFilter,
}

/// What of a list passes.
struct Selection {
    items: Vec<Paraphrase>,
    /// More would have passed.
    cut: bool,
    /// The best of what was not written when time was up.
    late: Option<Score>,
    kept_out: BTreeMap<Rule, usize>,
}

impl<'a> View<'a> {
    pub(crate) fn new(
        paraphraser: &'a Paraphraser,
        planned: &'a Planned<'a>,
        options: &'a Options,
        decoder: Option<&'a (dyn Decoder<Language> + Sync)>,
    ) -> Result<Self> {
        check(options, planned.sentence.text().len())?;
        Ok(View {
            phrases: PhraseFilter::new(options, &planned.sentence)?,
            writer: Writer::new(paraphraser, planned),
            planned,
            options,
            decoder,
            paraphraser,
        })
    }

    /// Asks the decoder for longer and longer lists until enough of it passes.
    pub(crate) fn search(&self) -> Result<Answer> {
        if self.planned.sentence.is_empty() || self.options.n == 0 {
            let list = NBest::new(Vec::new(), Certificate::Exhausted, SearchStats::default());
            let because = Some(Because::NoWords).filter(|_| self.options.n > 0);
            return Ok(self.answer(&list, self.select(&list), because));
        }
        let mut ask = self.options.n.saturating_add(2);
        let mut round = 0;
        loop {
            let list = self.decode(ask)?;
            let more = match list.certificate {
                Certificate::Exact => round < ROUNDS,
                Certificate::Heuristic => round < ROUNDS && list.items.len() >= ask,
                _ => false,
            };
            let selection = self.select(&list);
            if selection.items.len() < self.options.n && more && selection.late.is_none() {
                ask = ask.saturating_mul(4);
                round += 1;
                continue;
            }
            let because = match list.certificate {
                _ if selection.late.is_some() => Because::Budget,
                Certificate::Exhausted if self.planned.lattice.unit_count() == 0 => {
                    Because::NoReplacement
                }
                Certificate::Exhausted => Because::Exhausted,
                Certificate::Bounded { .. } => Because::Budget,
                _ => Because::Depth,
            };
            return Ok(self.answer(&list, selection, Some(because)));
        }
    }

    fn answer(&self, list: &NBest, selection: Selection, because: Option<Because>) -> Answer {
        let certificate = match list.certificate {
            // More texts exist, as this list or its tail shows.
            Certificate::Exhausted if selection.cut => Certificate::Exact,
            Certificate::Exhausted | Certificate::Exact => match selection.late {
                Some(upper_bound_of_rest) => Certificate::Bounded {
                    upper_bound_of_rest,
                },
                None => list.certificate,
            },
            other => other,
        };
        let certificate = match self.planned.complete {
            true => certificate,
            // Exact for the lattice, which lacks what a bound left out.
            false => Certificate::Heuristic,
        };
        let (asked, found) = (self.options.n, selection.items.len());
        let shortage = because.filter(|_| found < asked).map(|because| Shortage {
            asked,
            found,
            because,
            kept_out: selection.kept_out,
        });
        Answer {
            source: self.planned.sentence.text().to_owned(),
            items: selection.items,
            certificate,
            shortage,
            stats: list.stats,
        }
    }

    fn decode(&self, ask: usize) -> Result<NBest> {
        let source = self.planned.sentence.words();
        let mut request = Request::best(ask.min(self.options.limits.n_best))
            .with_limits(self.options.limits.clone())
            .with_stop(self.options.stop.clone());
        if !self.options.include_source {
            request = request.excluding(source.to_vec());
        }
        if self.options.details {
            request = request.with_details();
        }
        let Planned { lattice, model, .. } = self.planned;
        if let Some(decoder) = self.decoder {
            return Ok(decoder.decode(lattice, model, &request)?);
        }
        Ok(match self.options.search {
            Search::Exact => self.paraphraser.exact().decode(lattice, model, &request)?,
            Search::Beam => Beam::default().decode(lattice, model, &request)?,
            Search::MonteCarlo { seed } => {
                let request = request.with_source(source.to_vec());
                let generator = MonteCarlo::default().with_seed(seed);
                generator.decode(lattice, model, &request)?
            }
        })
    }

    /// The texts of a list that pass, at most n; and whether more would have.
    fn select(&self, list: &NBest) -> Selection {
        let source = self.planned.sentence.text();
        let mut seen = HashSet::from([spelling_key(source)]);
        let mut listed = Listed::default();
        let mut selection = Selection {
            items: Vec::new(),
            cut: false,
            late: None,
            kept_out: BTreeMap::new(),
        };
        let best = list.items.first().map(|hypothesis| hypothesis.score);
        let (mut grace, mut since) = (GRACE, None);
        for hypothesis in &list.items {
            if self.options.stop.check().is_err() {
                let since: &mut Instant = since.get_or_insert_with(Instant::now);
                let over = since.elapsed() > GRACE_TIME && !selection.items.is_empty();
                if grace == 0 || over {
                    selection.late = Some(hypothesis.score);
                    return selection;
                }
                grace -= 1;
            }
            let item = match self.candidate(hypothesis) {
                Ok(item) => item,
                Err(rule) => {
                    *selection.kept_out.entry(rule).or_default() += 1;
                    continue;
                }
            };
            let itself = self.options.include_source && item.text == source;
            let broken = if !itself && !seen.insert(spelling_key(&item.text)) {
                Some(Rule::Spelling)
            } else if !listed.accept(&self.options.diversity, &item.edits) {
                Some(Rule::Alike)
            } else {
                None
            };
            if let Some(rule) = broken {
                *selection.kept_out.entry(rule).or_default() += 1;
                continue;
            }
            let item = self.writer.judged(item, best);
            if item.confidence < self.options.min_confidence && !itself {
                *selection.kept_out.entry(Rule::Confidence).or_default() += 1;
                continue;
            }
            if selection.items.len() == self.options.n {
                selection.cut = true;
                return selection;
            }
            selection.items.push(item);
        }
        selection
    }

    /// The paraphrase that a hypothesis writes, if it keeps every rule that concerns it alone.
    fn candidate(&self, hypothesis: &Hypothesis) -> std::result::Result<Paraphrase, Rule> {
        let sentence = &self.planned.sentence;
        let rule = |broken: bool, rule: Rule| if broken { Err(rule) } else { Ok(()) };
        rule(self.writer.doubles_a_word(hypothesis), Rule::DoubledWord)?;
        let item = self.writer.paraphrase(hypothesis);
        rule(!self.writer.keeps_protected(&item.text), Rule::Protected)?;
        let goal = &self.planned.goal;
        let achieved = goal.is_achieved(sentence.text(), &item.text, !item.edits.is_empty());
        rule(!achieved, Rule::Application)?;
        let words = self.writer.words(hypothesis);
        rule(self.phrases.brings_forbidden(&words), Rule::Forbidden)?;
        rule(self.phrases.lacks_forced(&words), Rule::Forced)?;
        if item.text == sentence.text() {
            return Ok(item);
        }
        let unchanged = self.options.change.iter().any(|&span| {
            let touches = |edit: &crate::TextEdit| edit.source.overlaps(span);
            !item.edits.iter().any(touches)
        });
        rule(unchanged, Rule::Unchanged)?;
        let bounds = &self.options.diversity;
        let change = (bounds.min_change..=bounds.max_change).contains(&item.changed_words());
        let edits = (bounds.min_edits..=bounds.max_edits).contains(&item.edits.len());
        rule(!change || !edits, Rule::Change)?;
        Ok(item)
    }
}
