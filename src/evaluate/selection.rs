//! Blind selection of test pairs: held-out clusters, moderate edit distance.

use pgen_core::SplitMix64;

/// How test pairs are chosen (Quirk et al. 2004, §4.1: pairs of held-out clusters, edit distance 5–20).
///
/// | field | default | meaning |
/// |---|---|---|
/// | `pairs` | 250 | how many pairs |
/// | `min_edit`, `max_edit` | 5, 20 | words inserted, deleted or exchanged between the sentences |
/// | `held_out` | 0.1 | share of the clusters that no training sees |
/// | `seed` | 0 | the same seed chooses the same clusters and pairs |
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct Selection {
    pub pairs: usize,
    pub min_edit: usize,
    pub max_edit: usize,
    pub held_out: f64,
    pub seed: u64,
}

impl Default for Selection {
    fn default() -> Self {
        Selection {
            pairs: 250,
            min_edit: 5,
            max_edit: 20,
            held_out: 0.1,
            seed: 0,
        }
    }
}

/// A test pair: its cluster and the places of its sentences there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)] // the line above says what each one means
pub struct Selected {
    pub cluster: usize,
    pub first: usize,
    pub second: usize,
}

impl Selection {
    /// True if a cluster is held out. Depends on nothing but its name and the seed, so training and test
    /// agree without talking to each other.
    #[must_use]
    pub fn is_held_out(&self, cluster: &str) -> bool {
        // FNV-1a, then mixed with the seed.
        let hash = cluster
            .bytes()
            .fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
            });
        SplitMix64::stream(self.seed, hash).unit() < self.held_out
    }

    /// Chooses pairs of the held-out clusters at random; all that fit if there are fewer. Ascending.
    #[must_use]
    pub fn choose(&self, clusters: &[(String, Vec<String>)]) -> Vec<Selected> {
        let mut fit = Vec::new();
        let held_out = clusters
            .iter()
            .enumerate()
            .filter(|(_, (name, _))| self.is_held_out(name));
        for (cluster, (_, sentences)) in held_out {
            let words: Vec<Vec<&str>> = sentences
                .iter()
                .map(|text| text.split_whitespace().collect())
                .collect();
            for first in 0..words.len() {
                for second in first + 1..words.len() {
                    let distance = distance(&words[first], &words[second], self.max_edit);
                    if distance.is_some_and(|distance| distance >= self.min_edit) {
                        fit.push(Selected {
                            cluster,
                            first,
                            second,
                        });
                    }
                }
            }
        }
        SplitMix64::new(self.seed).shuffle(&mut fit);
        fit.truncate(self.pairs);
        fit.sort_unstable();
        fit
    }
}

/// Levenshtein distance over words; `None` if it is above `most`. O(words · words).
fn distance(a: &[&str], b: &[&str], most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let exchanged = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = exchanged.min(row[j] + 1).min(diagonal + 1);
        }
        if row.iter().all(|&value| value > most) {
            return None;
        }
    }
    Some(row[b.len()]).filter(|&found| found <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_words() {
        let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        assert_eq!(distance(&words("a b c"), &words("a x c d"), 9), Some(2));
        assert_eq!(distance(&words("a b c"), &words("x y z"), 2), None);
    }

    #[test]
    fn only_held_out_clusters_and_fitting_pairs() {
        let sentences = |i: usize| {
            vec![
                "a b c d e f".to_owned(),
                format!("u v w x y f{i}"),
                "a b".to_owned(),
            ]
        };
        let clusters: Vec<_> = (0..200)
            .map(|i| (format!("cluster {i}"), sentences(i)))
            .collect();
        let selection = Selection {
            pairs: 8,
            held_out: 0.3,
            ..Selection::default()
        };
        let chosen = selection.choose(&clusters);
        assert_eq!((chosen.len(), &chosen), (8, &selection.choose(&clusters)));
        for one in chosen {
            assert!(selection.is_held_out(&clusters[one.cluster].0));
            assert_ne!((one.first, one.second), (0, 2), "4 words apart");
        }
    }
}
