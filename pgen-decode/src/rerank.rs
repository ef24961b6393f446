//! The rerank study: how far a decoder's lists are from the order of the true score (Chevelu et al.
//! 2010, §3.2–3.3).

/// Pairs in order and out of order, and Kendall's τ_A = (in − out) / (n(n−1)/2).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Kendall {
    /// Pairs that keep their order.
    pub concordant: u64,
    /// Pairs that change it.
    pub discordant: u64,
    /// τ_A; `None` for fewer than two items.
    pub tau: Option<f64>,
}

/// Compares an order with 1, 2, 3, …: `ranks` holds the new rank of each item, all distinct.
/// O(n log n).
#[must_use]
pub fn kendall(ranks: &[usize]) -> Kendall {
    let n = ranks.len() as u64;
    let pairs = n * n.saturating_sub(1) / 2;
    let discordant = sort_and_count(&mut ranks.to_vec());
    let tau = (n > 1).then(|| (pairs as f64 - 2.0 * discordant as f64) / pairs as f64);
    Kendall {
        concordant: pairs - discordant,
        discordant,
        tau,
    }
}

/// Merge sort from short runs to long ones; the number of pairs out of order.
fn sort_and_count(items: &mut [usize]) -> u64 {
    let mut inversions = 0;
    let mut width = 1;
    let mut merged = Vec::with_capacity(items.len());
    while width < items.len() {
        merged.clear();
        for block in items.chunks(2 * width) {
            let (mut left, mut right) = block.split_at(width.min(block.len()));
            while let (Some(&a), Some(&b)) = (left.first(), right.first()) {
                if b < a {
                    inversions += left.len() as u64;
                    merged.push(b);
                    right = &right[1..];
                } else {
                    merged.push(a);
                    left = &left[1..];
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        items.copy_from_slice(&merged);
        width *= 2;
    }
    inversions
}

/// A list's new ranks, from 1, in the old order: by true score, ties in the old order.
#[must_use]
pub fn rerank(true_scores: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..true_scores.len()).collect();
    order.sort_by(|&a, &b| true_scores[b].total_cmp(&true_scores[a]));
    let mut ranks = vec![0; order.len()];
    for (rank, old) in order.into_iter().enumerate() {
        ranks[old] = rank + 1;
    }
    ranks
}

/// Mean, standard deviation (of the sample's population) and largest value.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Moments {
    /// Number of values.
    pub count: u64,
    /// Mean; 0 without values.
    pub mean: f64,
    /// Standard deviation.
    pub sd: f64,
    /// Largest value.
    pub max: f64,
    #[cfg_attr(feature = "serde", serde(skip))]
    squares: f64,
}

impl Moments {
    /// Takes one more value (Welford's update).
    pub fn add(&mut self, value: f64) {
        self.max = if self.count == 0 {
            value
        } else {
            self.max.max(value)
        };
        self.count += 1;
        let delta = value - self.mean;
        self.mean += delta / self.count as f64;
        self.squares += delta * (value - self.mean);
        self.sd = (self.squares / self.count as f64).sqrt();
    }
}

/// τ by list length, from 5 on.
pub const LENGTHS: [usize; 8] = [5, 10, 20, 30, 40, 60, 80, 100];

/// What a set of lists looks like under the true score.
///
/// For each length k of [`LENGTHS`], τ compares the first k items of each list that has as many; all
/// other figures use whole lists.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct RerankStudy {
    /// Lists looked at, empty ones left out.
    pub lists: u64,
    /// Items in them.
    pub items: u64,
    /// Items whose true score is higher than the decoder's.
    pub modified: u64,
    /// Lists whose first item is not the best one of the list.
    pub first_not_optimal: u64,
    /// τ_A by list length.
    pub tau: Vec<(usize, Moments)>,
    /// New rank of the old first items: all lists, and those where it changed.
    pub new_rank_of_old_first: [Moments; 2],
    /// Old rank of the new first items: all lists, and those where it changed.
    pub old_rank_of_new_first: [Moments; 2],
    /// True score of the best item less that of the last one.
    pub gap: Moments,
}

impl RerankStudy {
    /// Adds a list in the decoder's order: its scores and the true scores. A score counts as modified
    /// if it differs by more than `tolerance` (what the decoder's number format rounds away).
    pub fn add(&mut self, list: &[(f64, f64)], tolerance: f64) {
        if list.is_empty() {
            return;
        }
        let truth: Vec<f64> = list.iter().map(|&(_, truth)| truth).collect();
        self.lists += 1;
        self.items += list.len() as u64;
        let modified = list.iter().filter(|(old, truth)| truth - old > tolerance);
        self.modified += modified.count() as u64;
        for length in LENGTHS.into_iter().filter(|&length| length <= list.len()) {
            let Some(tau) = kendall(&rerank(&truth[..length])).tau else {
                continue;
            };
            match self.tau.iter_mut().find(|(known, _)| *known == length) {
                Some((_, moments)) => moments.add(tau),
                None => {
                    let mut moments = Moments::default();
                    moments.add(tau);
                    self.tau.push((length, moments));
                }
            }
        }
        let ranks = rerank(&truth);
        let new_rank = ranks[0];
        let old_rank = ranks
            .iter()
            .position(|&rank| rank == 1)
            .map_or(1, |at| at + 1);
        self.new_rank_of_old_first[0].add(new_rank as f64);
        self.old_rank_of_new_first[0].add(old_rank as f64);
        if new_rank != 1 {
            self.first_not_optimal += 1;
            self.new_rank_of_old_first[1].add(new_rank as f64);
            self.old_rank_of_new_first[1].add(old_rank as f64);
        }
        let best = truth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let worst = truth.iter().copied().fold(f64::INFINITY, f64::min);
        if worst.is_finite() {
            self.gap.add(best - worst);
        }
    }

    /// Share of items with a higher true score; 0 without items.
    #[must_use]
    pub fn share_modified(&self) -> f64 {
        self.modified as f64 / self.items.max(1) as f64
    }

    /// Share of lists whose first item is not the best; 0 without lists.
    #[must_use]
    pub fn share_first_not_optimal(&self) -> f64 {
        self.first_not_optimal as f64 / self.lists.max(1) as f64
    }
}
