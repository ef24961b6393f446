//! Verbs of application-driven paraphrasing (Zhao et al. 2009): acquisition of patterns and
//! collocations, planning, tuning, judging.

mod acquire;
mod automatic;
mod collocations;
mod goal;
mod judge;
mod labelled;
mod morphology;
mod pairs;
mod patterns;
mod plan;
mod resources;
mod summary;
mod tune;

pub(crate) use collocations::Collocations;
pub(crate) use judge::Judge;
pub(crate) use patterns::Patterns;
pub(crate) use plan::PlanVerb;
pub(crate) use tune::Tune;
