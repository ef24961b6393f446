//! The seam of alignment, and two directions made one aligner.

use crate::corpus::{Corpus, Direction};
use crate::error::Result;
use crate::hmm::Hmm;
use crate::model1::Model1;
use crate::model2::Model2;
use crate::model34::Model34;
use crate::parallel;
use crate::params::{HmmParams, Model1Params};
use crate::symmetrize::{Heuristic, symmetrize};
use pgen_core::{Alignment, Progress, WordId};

/// Aligns the words of two sentences. An empty side has no links; links lie within the sentences.
pub trait WordAligner {
    /// The links between two sentences whose ids come from the vocabulary that the aligner was trained
    /// with; words that it has not seen are legal.
    fn align(&self, source: &[WordId], target: &[WordId]) -> Alignment;
}

impl WordAligner for Model1 {
    fn align(&self, source: &[WordId], target: &[WordId]) -> Alignment {
        Model1::align(self, source, target)
    }
}

impl WordAligner for Hmm {
    fn align(&self, source: &[WordId], target: &[WordId]) -> Alignment {
        Hmm::align(self, source, target)
    }
}

impl WordAligner for Model2 {
    fn align(&self, source: &[WordId], target: &[WordId]) -> Alignment {
        Model2::align(self, source, target)
    }
}

impl WordAligner for Model34 {
    fn align(&self, source: &[WordId], target: &[WordId]) -> Alignment {
        Model34::align(self, source, target)
    }
}

/// Two aligners of opposite directions and a heuristic that combines their links.
#[derive(Clone, Debug, PartialEq)]
pub struct Symmetric<A> {
    /// The model of P(s|t).
    pub backward: A,
    /// The model of P(t|s).
    pub forward: A,
    /// The heuristic.
    pub heuristic: Heuristic,
}

impl<A: WordAligner> WordAligner for Symmetric<A> {
    fn align(&self, source: &[WordId], target: &[WordId]) -> Alignment {
        let forward = self.forward.align(source, target);
        let backward = self.backward.align(source, target);
        let sizes = (source.len(), target.len());
        // An aligner that lies about positions yields no links.
        symmetrize(&forward, &backward, sizes, self.heuristic).unwrap_or_default()
    }
}

impl Symmetric<Model1> {
    /// Trains Model 1 in both directions.
    ///
    /// # Errors
    /// As [`Model1::fit`].
    pub fn model1(
        corpus: &Corpus,
        params: &Model1Params,
        heuristic: Heuristic,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let backward = Model1::fit(corpus, Direction::SourceGivenTarget, params, progress)?;
        let forward = Model1::fit(corpus, Direction::TargetGivenSource, params, progress)?;
        Ok(Symmetric {
            backward,
            forward,
            heuristic,
        })
    }
}

impl Symmetric<Hmm> {
    /// Trains Model 1 and from it an HMM, in both directions.
    ///
    /// # Errors
    /// As [`Model1::fit`] and [`Hmm::fit`].
    pub fn hmm(
        corpus: &Corpus,
        start: &Model1Params,
        params: &HmmParams,
        heuristic: Heuristic,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let train = |direction| {
            let start = Model1::fit(corpus, direction, start, progress)?;
            Hmm::fit(corpus, start, params, progress)
        };
        let backward = train(Direction::SourceGivenTarget)?;
        let forward = train(Direction::TargetGivenSource)?;
        Ok(Symmetric {
            backward,
            forward,
            heuristic,
        })
    }
}

/// Aligns all text pairs of a corpus, in order.
pub fn align_corpus<A: WordAligner + Sync>(aligner: &A, corpus: &Corpus) -> Vec<Alignment> {
    let chunks: Vec<_> = (0..corpus.len()).step_by(256).collect();
    let aligned = parallel::map(chunks, |start| {
        (start..corpus.len().min(start + 256))
            .map(|index| {
                let pair = corpus.pair(index);
                aligner.align(pair.source, pair.target)
            })
            .collect::<Vec<_>>()
    });
    aligned.into_iter().flatten().collect()
}
