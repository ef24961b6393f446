//! Choosing between arms: UCB1-Tuned (Auer et al. 2002) over the largest reward instead of the mean,
//! mixed with all-moves-as-first values (RAVE; Gelly & Silver 2007), as Chevelu et al. 2010, §4.1.

/// The finite rewards seen so far. Log scores know no bounds, but UCB presumes rewards in 0..=1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Range {
    pub(super) least: f64,
    pub(super) most: f64,
}

impl Range {
    pub(super) const EMPTY: Range = Range {
        least: f64::INFINITY,
        most: f64::NEG_INFINITY,
    };

    pub(super) fn include(&mut self, reward: f64) {
        if reward.is_finite() {
            self.least = self.least.min(reward);
            self.most = self.most.max(reward);
        }
    }

    /// Into 0..=1: impossible becomes 0; one half as long as all rewards are the same.
    fn scale(self, reward: f64) -> f64 {
        if !reward.is_finite() {
            0.0
        } else if self.most > self.least {
            (reward - self.least) / (self.most - self.least)
        } else {
            0.5
        }
    }
}

/// The rewards of the episodes that took an arm, unscaled.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Stats {
    pub(super) visits: u64,
    finite: u64,
    sum: f64,
    squares: f64,
    pub(super) most: f64,
    /// The largest reward of episodes that took this arm here or anywhere later.
    pub(super) rave: f64,
}

impl Stats {
    pub(super) const NEW: Stats = Stats {
        visits: 0,
        finite: 0,
        sum: 0.0,
        squares: 0.0,
        most: f64::NEG_INFINITY,
        rave: f64::NEG_INFINITY,
    };

    pub(super) fn add(&mut self, reward: f64) {
        self.visits += 1;
        if reward.is_finite() {
            self.finite += 1;
            self.sum += reward;
            self.squares += reward * reward;
            self.most = self.most.max(reward);
        }
    }

    /// Population variance of the scaled rewards.
    fn variance(&self, range: Range) -> f64 {
        let (n, finite) = (self.visits as f64, self.finite as f64);
        let width = range.most - range.least;
        if width <= 0.0 || self.finite == 0 {
            return 0.0;
        }
        let sum = (self.sum - finite * range.least) / width;
        let least = range.least;
        let squares =
            (self.squares - 2.0 * least * self.sum + finite * least * least) / (width * width);
        (squares / n - (sum / n) * (sum / n)).max(0.0)
    }

    /// How promising the arm is at a node with so many visits.
    pub(super) fn index(&self, range: Range, node_visits: u64, rave_visits: f64) -> f64 {
        let trust = rave_trust(rave_visits, node_visits);
        let value = combine(trust, range.scale(self.rave), range.scale(self.most));
        value + exploration(self.variance(range), self.visits, node_visits)
    }
}

/// sqrt(ln N / n · min(¼, V)), V = σ² + sqrt(2 ln N / n): how far the value may be off. Infinite for an
/// arm without visits.
pub(super) fn exploration(variance: f64, visits: u64, node_visits: u64) -> f64 {
    if visits == 0 {
        return f64::INFINITY;
    }
    let share = (node_visits.max(1) as f64).ln() / visits as f64;
    let bound = variance + (2.0 * share).sqrt();
    (share * bound.min(0.25)).sqrt()
}

/// β = sqrt(k / (3N + k)): how much all-moves-as-first counts.
fn rave_trust(rave_visits: f64, node_visits: u64) -> f64 {
    if rave_visits <= 0.0 {
        return 0.0;
    }
    (rave_visits / (3.0 * node_visits as f64 + rave_visits)).sqrt()
}

fn combine(trust: f64, rave: f64, own: f64) -> f64 {
    trust * rave + (1.0 - trust) * own
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn golden() -> Value {
        serde_json::from_str(include_str!("../../tests/golden/c06_bandit.json")).unwrap()
    }

    fn close(a: f64, b: &Value) {
        let b = b.as_f64().unwrap();
        assert!((a - b).abs() <= 1e-9 * b.abs().max(1.0), "{a} {b}");
    }

    #[test]
    fn ucb_c06() {
        for case in golden()["ucb"].as_array().unwrap() {
            let pattern = case["rewards"]
                .as_array()
                .or(case["rewards"]["pattern"].as_array());
            let pattern: Vec<f64> = pattern
                .unwrap()
                .iter()
                .map(|r| r.as_f64().unwrap())
                .collect();
            let n = case["n"].as_u64().unwrap();
            let mut stats = Stats::NEW;
            (0..n as usize).for_each(|at| stats.add(pattern[at % pattern.len()]));
            let range = Range {
                least: 0.0,
                most: 1.0,
            };
            let variance = stats.variance(range);
            close(variance, &case["variance"]);
            let node = case["N"].as_u64().unwrap();
            close(exploration(variance, n, node), &case["explore"]);
            close(stats.index(range, node, 0.0), &case["index_max"]);
        }
    }

    #[test]
    fn rave_c06() {
        for case in golden()["rave"].as_array().unwrap() {
            let trust = rave_trust(case["k"].as_f64().unwrap(), case["N"].as_u64().unwrap());
            close(trust, &case["beta"]);
            let value = |name: &str| case[name].as_f64().unwrap();
            let combined = combine(trust, value("q_rave"), value("q_uct"));
            close(combined, &case["combined"]);
        }
    }

    #[test]
    fn odd_rewards_give_no_nan() {
        let mut stats = Stats::NEW;
        let mut range = Range::EMPTY;
        assert_eq!(exploration(0.0, 0, 0), f64::INFINITY);
        stats.add(f64::NEG_INFINITY);
        range.include(f64::NEG_INFINITY);
        assert!(stats.index(range, 1, 1000.0).is_finite());
        stats.add(-3.0);
        range.include(-3.0);
        assert!(stats.index(range, 2, 1000.0).is_finite());
        assert_eq!(stats.variance(range), 0.0);
    }

    #[test]
    fn impossible_rewards_count_as_nothing() {
        let mut stats = Stats::NEW;
        let range = Range {
            least: -10.0,
            most: -5.0,
        };
        stats.add(f64::NEG_INFINITY);
        stats.add(-5.0);
        // Scaled: 0 and 1.
        assert!((stats.variance(range) - 0.25).abs() < 1e-12);
    }
}
