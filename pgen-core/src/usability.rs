//! The usability seam: what an application gains by a replacement.

use crate::replacement::Replacement;

/// Planning test and usability score in one question (Zhao et al. 2009, §3.3 and eq. 5): what does this
/// replacement gain for the application? `None` drops it from the plan; a number, which must be finite,
/// is added to the usability feature. Must depend on nothing but the replacement and its sentence; the
/// gains of a paraphrase's replacements are summed.
///
/// Closures implement it:
///
/// ```
/// use pgen_core::{Replacement, UsabilityModel};
///
/// let only_short = |r: &Replacement<'_>| (r.proposal.parts.len() == 1).then_some(0.0);
/// fn takes(_: &dyn UsabilityModel) {}
/// takes(&only_short);
/// ```
pub trait UsabilityModel {
    /// The gain, or `None` if the replacement is of no use.
    fn gain(&self, replacement: &Replacement<'_>) -> Option<f64>;
}

impl<F: Fn(&Replacement<'_>) -> Option<f64>> UsabilityModel for F {
    fn gain(&self, replacement: &Replacement<'_>) -> Option<f64> {
        self(replacement)
    }
}
