//! Any aligner by its name: trained, used, saved and loaded in the same way.

use crate::agreement::TwoChains;
use crate::aligner::{Symmetric, WordAligner};
use crate::consensus::Consensus;
use crate::corpus::{Corpus, Direction};
use crate::error::Result;
use crate::hmm::Hmm;
use crate::model1::Model1;
use crate::model2::Model2;
use crate::model34::{BothClasses, Model34};
use crate::names::Named;
use crate::params::{ConsensusParams, HmmParams, Model1Params, Model2Params, Model34Params};
use crate::prior::LexiconWeight;
use crate::store::{Stored, number};
use crate::symmetrize::Heuristic;
use pgen_core::codec::{Container, ContainerWriter, Encoder, Packing, save, to_bytes};
use pgen_core::{Alignment, Limits, Progress, Vocab, WordId};
use std::path::Path;

/// Kind of our alignment model files.
const KIND: &str = "pgen-align";
const VERSION: u32 = 1;

/// Which model aligns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Method {
    /// IBM Model 1.
    Model1,
    /// IBM Model 2.
    Model2,
    /// The HMM.
    Hmm,
    /// IBM Model 3.
    Model3,
    /// IBM Model 4.
    Model4,
    /// The recommended one for pairs in one language: [`Consensus`].
    #[default]
    Best,
}

impl Method {
    /// All methods with their names.
    pub const ALL: [(&'static str, Method); 6] = [
        ("model1", Method::Model1),
        ("model2", Method::Model2),
        ("hmm", Method::Hmm),
        ("model3", Method::Model3),
        ("model4", Method::Model4),
        ("best", Method::Best),
    ];

    /// The name in the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.of()
    }
}

impl Named for Method {
    const WHAT: &'static str = "method";
    const EXPECTED: &'static str = "model1, model2, hmm, model3, model4 or best";

    fn all() -> &'static [(&'static str, Self)] {
        &Self::ALL
    }
}

impl std::str::FromStr for Method {
    type Err = pgen_core::Error;

    fn from_str(name: &str) -> Result<Self, pgen_core::Error> {
        Named::find(name)
    }
}

/// How an aligner is trained.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct TrainOptions<'a> {
    /// The model.
    pub method: Method,
    /// How the directions are combined; `None` is what we recommend: probabilities for
    /// [`Method::Best`], the intersection for the others.
    pub heuristic: Option<Heuristic>,
    /// Classes for Model 4.
    pub classes: BothClasses,
    /// Pseudo-count of variational Bayes for Model 1 and the HMM, and what is trained from them; 0 is plain
    /// EM.
    pub alpha: f64,
    /// A lexicon for [`Method::Best`].
    pub lexicon: Option<LexiconWeight<'a>>,
}

impl std::fmt::Debug for TrainOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TrainOptions")
            .field("method", &self.method)
            .field("heuristic", &self.heuristic)
            .field("alpha", &self.alpha)
            .field("lexicon", &self.lexicon.is_some())
            .finish_non_exhaustive()
    }
}

impl<'a> TrainOptions<'a> {
    /// This method with the recommended combination.
    #[must_use]
    pub fn new(method: Method) -> Self {
        TrainOptions {
            method,
            ..Self::default()
        }
    }

    /// Sets how the directions are combined.
    #[must_use]
    pub fn with_heuristic(mut self, heuristic: Option<Heuristic>) -> Self {
        self.heuristic = heuristic;
        self
    }

    /// Sets the word classes of Model 4.
    #[must_use]
    pub fn with_classes(mut self, classes: BothClasses) -> Self {
        self.classes = classes;
        self
    }

    /// Sets the pseudo-count of variational Bayes.
    #[must_use]
    pub fn with_alpha(mut self, alpha: f64) -> Self {
        self.alpha = alpha;
        self
    }

    /// Sets the lexicon of [`Method::Best`].
    #[must_use]
    pub fn with_lexicon(mut self, lexicon: LexiconWeight<'a>) -> Self {
        self.lexicon = Some(lexicon);
        self
    }
}

/// A trained aligner of any kind.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Trained {
    /// Model 1.
    Model1(Symmetric<Model1>),
    /// Model 2.
    Model2(Symmetric<Model2>),
    /// The HMM.
    Hmm(Symmetric<Hmm>),
    /// Models 3 and 4.
    Model34(Box<Symmetric<Model34>>),
    /// The recommended aligner; by its probabilities, or by a heuristic.
    Consensus(Box<Consensus>, Option<Heuristic>),
}

impl Trained {
    /// Trains with the usual schedule: Model 1, then the model itself; Models 3 and 4 go through the HMM;
    /// five iterations each.
    ///
    /// # Errors
    /// [`Error::EmptyCorpus`](crate::Error::EmptyCorpus).
    pub fn fit(
        corpus: &Corpus,
        vocab: &Vocab,
        options: &TrainOptions<'_>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let heuristic = options.heuristic.unwrap_or(Heuristic::Intersection);
        let (one, chain) = (
            Model1Params::default().with_alpha(options.alpha),
            HmmParams::default().with_alpha(options.alpha),
        );
        let first = |direction| Model1::fit(corpus, direction, &one, progress);
        let hmm = |direction| Hmm::fit(corpus, first(direction)?, &chain, progress);
        let fertility = |direction, model4| {
            let params = Model34Params::default().with_iterations(5, model4);
            Model34::fit(corpus, hmm(direction)?, &options.classes, &params, progress)
        };
        Ok(match options.method {
            Method::Model1 => Trained::Model1(both(heuristic, first)?),
            Method::Model2 => Trained::Model2(both(heuristic, |direction| {
                Model2::fit(
                    corpus,
                    first(direction)?,
                    &Model2Params::default(),
                    progress,
                )
            })?),
            Method::Hmm => Trained::Hmm(both(heuristic, hmm)?),
            Method::Model3 => Trained::Model34(Box::new(both(heuristic, |d| fertility(d, 0))?)),
            Method::Model4 => Trained::Model34(Box::new(both(heuristic, |d| fertility(d, 5))?)),
            Method::Best => {
                let lexicon = options.lexicon.unwrap_or(&|_, _| 0.0);
                let params = ConsensusParams::default();
                let model = Consensus::fit(corpus, vocab, lexicon, &params, progress)?;
                Trained::Consensus(Box::new(model), options.heuristic)
            }
        })
    }

    /// Writes model and vocabulary to a file, whole or not at all.
    ///
    /// # Errors
    /// [`pgen_core::Error::Io`].
    pub fn save(&self, path: &Path, vocab: &Vocab, packing: Packing) -> Result<()> {
        Ok(save(path, KIND, |out| self.write(out, vocab, packing))?)
    }

    /// As [`Trained::save`], to memory.
    ///
    /// # Errors
    /// As [`Trained::save`].
    pub fn to_bytes(&self, vocab: &Vocab, packing: Packing) -> Result<Vec<u8>> {
        Ok(to_bytes(KIND, |out| self.write(out, vocab, packing))?)
    }

    fn write(
        &self,
        out: &mut ContainerWriter<'_>,
        vocab: &Vocab,
        packing: Packing,
    ) -> pgen_core::Result<()> {
        let mut head = Encoder::new();
        head.u32(VERSION);
        head.u64(vocab.len() as u64);
        let (name, heuristic) = self.kind();
        head.str(name);
        head.str(heuristic.map_or("best", Heuristic::name));
        let [first, second] = self.parts();
        vocab.write_to(out, "", packing)?;
        out.section("aligner", Packing::Plain, &head)?;
        out.section("first", packing, &first)?;
        out.section("second", packing, &second)
    }

    fn kind(&self) -> (&'static str, Option<Heuristic>) {
        match self {
            Trained::Model1(model) => ("model1", Some(model.heuristic)),
            Trained::Model2(model) => ("model2", Some(model.heuristic)),
            Trained::Hmm(model) => ("hmm", Some(model.heuristic)),
            Trained::Model34(model) => ("model4", Some(model.heuristic)),
            Trained::Consensus(_, heuristic) => ("best", *heuristic),
        }
    }

    fn parts(&self) -> [Encoder; 2] {
        match self {
            Trained::Model1(model) => [encode(&model.backward), encode(&model.forward)],
            Trained::Model2(model) => [encode(&model.backward), encode(&model.forward)],
            Trained::Hmm(model) => [encode(&model.backward), encode(&model.forward)],
            Trained::Model34(model) => [encode(&model.backward), encode(&model.forward)],
            Trained::Consensus(model, _) => encode_consensus(model),
        }
    }

    /// Loads what [`Self::save`] saved: model and vocabulary.
    ///
    /// # Errors
    /// As [`Container::open`]; [`pgen_core::Error::Corrupt`] for contents that make no sense.
    pub fn load(path: &Path, limits: &Limits) -> Result<(Vocab, Self)> {
        Self::read(&Container::open(path, limits)?, limits)
    }

    /// As [`Trained::load`], from bytes in memory.
    ///
    /// # Errors
    /// As [`Trained::load`].
    pub fn from_bytes(bytes: &[u8], limits: &Limits) -> Result<(Vocab, Self)> {
        Self::read(&Container::from_bytes(bytes, limits)?, limits)
    }

    fn read(container: &Container<'_>, limits: &Limits) -> Result<(Vocab, Self)> {
        container.expect_kind(KIND)?;
        let vocab = Vocab::read_from(container, "", limits)?;
        let section = container.section("aligner")?;
        let mut head = section.cursor();
        pgen_core::codec::check_version(container, "aligner", head.u32()?, VERSION)?;
        if head.u64()? != vocab.len() as u64 {
            return Err(head.error("the vocabulary has another size").into());
        }
        let (name, heuristic) = (head.str()?, head.str()?);
        let unknown = || head.error("no such model or heuristic");
        let method: Method = name.parse().map_err(|_| unknown())?;
        let heuristic: Option<Heuristic> = match heuristic {
            "best" => None,
            name => Some(name.parse().map_err(|_| unknown())?),
        };
        head.clone().finish()?;
        let plain = heuristic.unwrap_or(Heuristic::Intersection);
        let model = match method {
            Method::Model1 => Trained::Model1(read_both(container, plain)?),
            Method::Model2 => Trained::Model2(read_both(container, plain)?),
            Method::Hmm => Trained::Hmm(read_both(container, plain)?),
            Method::Model3 | Method::Model4 => {
                Trained::Model34(Box::new(read_both(container, plain)?))
            }
            Method::Best => Trained::Consensus(Box::new(read_consensus(container)?), heuristic),
        };
        Ok((vocab, model))
    }
}

fn both<A>(heuristic: Heuristic, train: impl Fn(Direction) -> Result<A>) -> Result<Symmetric<A>> {
    let backward = train(Direction::SourceGivenTarget)?;
    let forward = train(Direction::TargetGivenSource)?;
    Ok(Symmetric {
        backward,
        forward,
        heuristic,
    })
}

fn encode(part: &impl Stored) -> Encoder {
    let mut out = Encoder::new();
    part.write(&mut out);
    out
}

fn read<A: Stored>(container: &Container<'_>, name: &str) -> Result<A> {
    let section = container.section(name)?;
    let mut cursor = section.cursor();
    let part = A::read(&mut cursor)?;
    cursor.finish()?;
    Ok(part)
}

fn read_both<A: Stored>(container: &Container<'_>, heuristic: Heuristic) -> Result<Symmetric<A>> {
    let (backward, forward) = (read(container, "first")?, read(container, "second")?);
    Ok(Symmetric {
        backward,
        forward,
        heuristic,
    })
}

/// The two members, each followed by its likelihoods, the first also by the threshold.
fn encode_consensus(model: &Consensus) -> [Encoder; 2] {
    let (members, likelihoods) = (model.members(), model.log_likelihoods());
    let mut parts = [encode(&members[0]), encode(&members[1])];
    for (part, likelihoods) in parts.iter_mut().zip(likelihoods) {
        part.f64s(likelihoods);
        part.f64(model.threshold());
    }
    parts
}

fn read_consensus(container: &Container<'_>) -> Result<Consensus> {
    let read = |name| {
        let section = container.section(name)?;
        let mut cursor = section.cursor();
        let member = TwoChains::read(&mut cursor)?;
        let likelihoods = cursor.f64s()?;
        let threshold = number(&mut cursor, 0.0, 1.0)?;
        cursor.finish()?;
        Ok::<_, pgen_core::Error>((member, likelihoods, threshold))
    };
    let (first, second) = (read("first")?, read("second")?);
    Ok(Consensus::from_parts(
        [first.0, second.0],
        first.2,
        [first.1, second.1],
    ))
}

impl WordAligner for Trained {
    fn align(&self, source: &[WordId], target: &[WordId]) -> Alignment {
        match self {
            Trained::Model1(model) => model.align(source, target),
            Trained::Model2(model) => model.align(source, target),
            Trained::Hmm(model) => model.align(source, target),
            Trained::Model34(model) => model.align(source, target),
            Trained::Consensus(model, None) => model.align(source, target),
            Trained::Consensus(model, Some(heuristic)) => {
                model.align_by(source, target, *heuristic)
            }
        }
    }
}
