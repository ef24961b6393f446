//! Edit distance between sentences, banded.

/// What counts as an edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum Metric {
    /// Insertions and deletions of words; a substitution costs 2 (Quirk et al. 2004, §3.1).
    #[default]
    InsDel,
    /// Insertions, deletions and substitutions.
    Levenshtein,
}

impl Metric {
    /// Fewest common items (with multiplicity) that sequences of these lengths need to be within
    /// `limit`; 0 or less means none.
    pub(crate) fn needed_overlap(self, a: usize, b: usize, limit: usize) -> i64 {
        let (a, b, limit) = (a as i64, b as i64, limit as i64);
        match self {
            Metric::InsDel => (a + b - limit + 1).div_euclid(2),
            Metric::Levenshtein => a.max(b) - limit,
        }
    }

    /// The distance if it is at most `limit`. O(limit · shorter length).
    #[must_use]
    pub fn within<T: PartialEq>(self, a: &[T], b: &[T], limit: usize) -> Option<usize> {
        let (a, b) = if a.len() <= b.len() { (a, b) } else { (b, a) };
        let limit = limit.min(a.len() + b.len());
        if b.len() - a.len() > limit {
            return None;
        }
        // row[j]: distance of a[..i] and b[..j]; cells beyond the band stay above the limit.
        let over = limit + 1;
        let mut row: Vec<usize> = (0..=b.len()).map(|j| j.min(over)).collect();
        for i in 1..=a.len() {
            let (low, high) = (i.saturating_sub(limit), (i + limit).min(b.len()));
            let mut diagonal = if low == 0 { i - 1 } else { row[low - 1] };
            let mut least = over;
            if low == 0 {
                row[0] = i.min(over);
                least = row[0];
            } else {
                row[low - 1] = over;
            }
            for j in low.max(1)..=high {
                let above = if j == i + limit { over } else { row[j] };
                let edit = above.min(row[j - 1]) + 1;
                let value = match self {
                    _ if a[i - 1] == b[j - 1] => diagonal,
                    Metric::InsDel => edit,
                    Metric::Levenshtein => edit.min(diagonal + 1),
                };
                diagonal = above;
                row[j] = value.min(over);
                least = least.min(row[j]);
            }
            if least > limit {
                return None;
            }
        }
        row.last().copied().filter(|&distance| distance <= limit)
    }

    /// The distance. O(|a| · |b|).
    #[must_use]
    pub fn distance<T: PartialEq>(self, a: &[T], b: &[T]) -> usize {
        // No distance is larger than the sum of the lengths.
        self.within(a, b, a.len() + b.len())
            .unwrap_or(a.len() + b.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn full(metric: Metric, a: &[u8], b: &[u8]) -> usize {
        let mut d = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                d[i][j] = if i == 0 || j == 0 {
                    i + j
                } else if a[i - 1] == b[j - 1] {
                    d[i - 1][j - 1]
                } else {
                    let swap = if metric == Metric::Levenshtein {
                        d[i - 1][j - 1] + 1
                    } else {
                        usize::MAX
                    };
                    (d[i - 1][j] + 1).min(d[i][j - 1] + 1).min(swap)
                };
            }
        }
        d[a.len()][b.len()]
    }

    proptest! {
        #[test]
        fn the_band_changes_nothing(
            a in proptest::collection::vec(0u8..4, 0..14),
            b in proptest::collection::vec(0u8..4, 0..14),
            limit in 0usize..20,
        ) {
            for metric in [Metric::InsDel, Metric::Levenshtein] {
                let expected = full(metric, &a, &b);
                prop_assert_eq!(metric.distance(&a, &b), expected);
                prop_assert_eq!(metric.within(&a, &b, limit), (expected <= limit).then_some(expected));
            }
        }
    }
}
