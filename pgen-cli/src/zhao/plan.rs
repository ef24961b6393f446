//! `pgen plan`: what may be replaced in annotated sentences, what is best, and how much of each.

use super::acquire::each_sentence;
use super::goal::{GoalArgs, GoalMaker, Purpose};
use super::labelled::Labelled;
use super::resources::{Loaded, Resources};
use super::summary::{Summary, overlap};
use crate::Common;
use crate::failure::Result;
use crate::output::Output;
use clap::Args;
use pgen::core::formats::conll::ConllSentence;
use pgen::core::{Hypothesis, Sentence};
use pgen::decode::{Decoder, Exact, Planned, Request};
use std::path::PathBuf;

/// Show what may be replaced in annotated sentences, and the best paraphrase.
///
/// Input is CoNLL-U. With --grouped, sentences with the same sent_id before the first `/` are a group: the
/// first is the source, the others its references; the second is what similarity moves towards.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pgen plan --model en.pgen --patterns patterns.txt --application compression news.conllu
  pgen plan --model en.pgen --grouped --label --json groups.conllu > dev.jsonl
  pgen plan --model en.pgen --grouped --application similarity --summary groups.conllu")]
pub(crate) struct PlanVerb {
    #[command(flatten)]
    resources: Resources,
    #[command(flatten)]
    goal: GoalArgs,
    /// Sentences come in groups.
    #[arg(long)]
    grouped: bool,
    /// Label every replacement by the references of its group.
    #[arg(long, requires = "grouped")]
    label: bool,
    /// How many texts to look through for one that achieves the application.
    #[arg(long, value_name = "N", default_value_t = 50)]
    depth: usize,
    /// List only texts with a higher score than the sentence itself.
    #[arg(long, conflicts_with = "json")]
    beat_source: bool,
    /// Sentences (or groups) to pass over.
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: usize,
    /// Sentences (or groups) at most.
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    first: usize,
    /// One object a line with every possible replacement: what `pgen tune` reads.
    #[arg(long)]
    json: bool,
    /// Only totals: coverage, replacements, what is achieved.
    #[arg(long, conflicts_with = "json")]
    summary: bool,
    /// The annotated sentences.
    file: PathBuf,
}

/// A source with its references.
struct Group {
    id: String,
    source: ConllSentence,
    references: Vec<Vec<String>>,
}

impl PlanVerb {
    /// Runs the verb.
    pub(crate) fn run(&self, _common: &Common) -> Result<u64> {
        let loaded = self.resources.load()?;
        let maker = self.goal.load()?;
        let mut output = Output::new();
        let mut summary = Summary::default();
        for (at, group) in (1..).zip(self.groups()?) {
            let number = self.skip.saturating_add(at);
            let place = || {
                format!(
                    "{}: sentence {number} (`{}`)",
                    self.file.display(),
                    group.id
                )
            };
            self.answer(&loaded, &maker, &group, &mut output, &mut summary)
                .map_err(|failure| failure.at(place()))?;
        }
        if self.summary {
            output.json(&summary.totals())?;
        }
        output.flush()?;
        Ok(0)
    }

    fn groups(&self) -> Result<Vec<Group>> {
        let mut groups: Vec<Group> = Vec::new();
        let most = self.skip.saturating_add(self.first);
        each_sentence(&self.file, |sentence| {
            let id = sentence.id.clone().unwrap_or_default();
            let id = id.split('/').next().unwrap_or("").to_owned();
            let full = groups.len() >= most;
            match groups
                .last_mut()
                .filter(|last| self.grouped && last.id == id)
            {
                Some(group) => group.references.push(words(&sentence)),
                None if full => return Ok(false),
                None => groups.push(Group {
                    id,
                    source: sentence,
                    references: Vec::new(),
                }),
            }
            Ok(true)
        })?;
        Ok(groups.into_iter().skip(self.skip).collect())
    }

    fn answer(
        &self,
        loaded: &Loaded,
        maker: &GoalMaker,
        group: &Group,
        output: &mut Output,
        summary: &mut Summary,
    ) -> Result<()> {
        let sentence = loaded.sentence(&group.source)?;
        let reference = group.references.first().cloned().unwrap_or_default();
        let goal = maker.goal(loaded, &reference)?;
        let plan = loaded.plan(goal.usability());
        let planned = plan.build(&sentence).map_err(pgen::Error::from)?;
        if self.json {
            let mut line = Labelled::new(&group.source, &sentence, reference);
            line.add_units(&planned.lattice, &sentence, loaded);
            if self.label {
                line.label(&group.references, &sentence);
            }
            return output.json(&line);
        }
        let model = loaded.scorer(&loaded.weight_vector(&plan))?;
        let list = Exact::new()
            .decode(&planned.lattice, &model, &Request::best(self.depth))
            .map_err(pgen::Error::from)?;
        let achieved = |item: &&Hypothesis| achieves(maker, &planned, &sentence, item, &reference);
        let candidate = |item: &&Hypothesis| !self.beat_source || item.words != sentence.words();
        // An application lists only what achieves it.
        let best = list.items.iter().take_while(candidate).find(achieved);
        summary.add(loaded, &planned, &sentence, best, &reference);
        if self.summary {
            return Ok(());
        }
        match best {
            Some(best) => print(loaded, &sentence, &planned, best, output),
            None => output.line(&format!("source\t{}\n", sentence.text())),
        }
    }
}

/// True if a text is what the application asks for: anything; shorter; changed (all that is planned is
/// easier); closer to the reference.
fn achieves(
    maker: &GoalMaker,
    planned: &Planned,
    sentence: &Sentence,
    item: &Hypothesis,
    reference: &[String],
) -> bool {
    let source = sentence.lexicon().join(sentence.words());
    let text = planned.lattice.lexicon().join(&item.words);
    match maker.purpose {
        Purpose::None => true,
        Purpose::Compression => text.len() < source.len(),
        Purpose::Simplification => item.words != sentence.words(),
        Purpose::Similarity => overlap(&text, reference) > overlap(&source, reference),
        Purpose::Approved => maker.unapproved(&text) < maker.unapproved(&source),
    }
}

fn words(sentence: &ConllSentence) -> Vec<String> {
    pgen::align::patterns::Annotation::from_conll(sentence).words
}

/// Source, best paraphrase and its replacements, as a person reads them.
fn print(
    loaded: &Loaded,
    sentence: &Sentence,
    planned: &Planned,
    best: &Hypothesis,
    output: &mut Output,
) -> Result<()> {
    let lattice = &planned.lattice;
    output.line(&format!(
        "source\t{}",
        sentence.lexicon().join(sentence.words())
    ))?;
    output.line(&format!("best\t{}", lattice.lexicon().join(&best.words)))?;
    for unit in pgen::decode::tune::units_of(lattice, &best.derivation) {
        let Some(key) = pgen::decode::tune::key_of(lattice, sentence, unit) else {
            continue;
        };
        let table = lattice.unit(unit).map_or(0, |unit| unit.table.index());
        let name = loaded.tables.get(table).map_or("", |table| &table.0);
        output.line(&format!("\t{name}\t{} → {}", key.from, key.to))?;
    }
    output.line("")
}
