//! Feature values by name.

use pgen_core::{FeatureId, FeatureSet};
use std::sync::Arc;

/// Values of some features of a plan. Cheap to make: names are shared.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Values {
    names: Arc<FeatureSet>,
    values: Vec<(FeatureId, f32)>,
}

impl Values {
    pub(crate) fn new(names: &Arc<FeatureSet>, values: &[(FeatureId, f32)]) -> Self {
        Values {
            names: Arc::clone(names),
            values: values.to_vec(),
        }
    }

    /// Keeps the smaller value of each feature that either has.
    pub(crate) fn keep_smaller(&mut self, other: &[(FeatureId, f32)]) {
        for &(feature, value) in other {
            match self.values.iter_mut().find(|(known, _)| *known == feature) {
                Some((_, known)) => *known = known.min(value),
                None => self.values.push((feature, value)),
            }
        }
    }

    /// Names and values (natural logs unless the feature says otherwise), in the plan's order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        let named =
            |&(feature, value): &(FeatureId, f32)| (self.names.name(feature), f64::from(value));
        self.values.iter().map(named)
    }

    /// The value of a feature by its name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        self.iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Values {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}
