//! The decoder seam.

use crate::error::Result;
use crate::loglinear::LogLinear;
use crate::params::Request;
use pgen_core::{LanguageModel, Lattice, NBest};

/// Finds high-scoring texts of a lattice. Object-safe for a fixed language model.
///
/// Laws that every decoder keeps: texts are distinct and pass the request's filters; they descend by
/// score, equal scores ascend by text (spelling, word by word); an item's score is the score of its
/// derivation, never above the true score of its text; the certificate promises no more than is known.
/// A lattice without a possible path gives an empty list.
pub trait Decoder<L: LanguageModel> {
    /// The best texts that pass the request.
    ///
    /// # Errors
    /// Bad parameters, or a lattice that this decoder is not made for. Running out of time or budget
    /// is no error: the certificate says so.
    fn decode(
        &self,
        lattice: &Lattice,
        model: &LogLinear<'_, L>,
        request: &Request,
    ) -> Result<NBest>;
}

impl<L: LanguageModel, D: Decoder<L> + ?Sized> Decoder<L> for &D {
    fn decode(
        &self,
        lattice: &Lattice,
        model: &LogLinear<'_, L>,
        request: &Request,
    ) -> Result<NBest> {
        (**self).decode(lattice, model, request)
    }
}

/// Decodes many lattices, in order. With feature `parallel`, on all threads of the current pool; the
/// answers do not depend on how many there are.
///
/// # Errors
/// Each lattice has its own result.
pub fn decode_batch<L, D>(
    decoder: &D,
    lattices: &[Lattice],
    model: &LogLinear<'_, L>,
    request: &Request,
) -> Vec<Result<NBest>>
where
    L: LanguageModel + Sync,
    D: Decoder<L> + Sync + ?Sized,
{
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        let run = |lattice: &Lattice| decoder.decode(lattice, model, request);
        lattices.par_iter().map(run).collect()
    }
    #[cfg(not(feature = "parallel"))]
    {
        let run = |lattice: &Lattice| decoder.decode(lattice, model, request);
        lattices.iter().map(run).collect()
    }
}
