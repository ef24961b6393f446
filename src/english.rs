//! The embedded English model.

use crate::bundle::Bundle;
use crate::error::Result;
use pgen_core::Limits;

/// Made by `models/english/build.sh`; its sources and their licences are in `models/english/NOTICE`.
const MODEL: &[u8] = include_bytes!("../models/english/english.pgen");

/// Unpacks the model.
pub(crate) fn bundle() -> Result<Bundle> {
    Bundle::from_bytes(MODEL, &Limits::default())
}
