//! Table 2 of Quirk et al. (2004) from judgements: share of accepted paraphrases by system and rank.

use pgen_core::{Error, Limits, Lines, Result};
use pgen_decode::judge::{spearman, wilson};
use std::collections::BTreeMap;
use std::path::Path;

/// One rater's verdict on one paraphrase.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the names say it
pub struct Judgement {
    pub item: String,
    pub system: String,
    /// From 1.
    pub rank: u32,
    pub rater: String,
    pub accepted: bool,
}

/// Verdicts of one system at one rank.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[allow(missing_docs)] // the names say it
pub struct Cell {
    pub accepted: u64,
    pub judged: u64,
    /// Wilson's 95 % interval of the share accepted.
    pub interval: (f64, f64),
}

/// Judgements counted by system and rank.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tabulation {
    counts: BTreeMap<(String, u32), (u64, u64)>,
    /// Verdicts on the same item, system and rank that agree, and pairs of them.
    agreeing: (u64, u64),
    seen: BTreeMap<(String, String, u32), Vec<bool>>,
}

const Z: f64 = 1.959_963_984_540_054;

impl Tabulation {
    /// Reads judgements: tab-separated `item, system, rank, rater, verdict`, the verdict 0 or 1; `#`
    /// begins a comment.
    ///
    /// # Errors
    /// Those of [`Lines`]; [`Error::Syntax`] for another number of columns, a rank that is no number above
    /// 0, or a verdict that is neither 0 nor 1.
    pub fn read(path: &Path, limits: &Limits) -> Result<Self> {
        let mut lines = Lines::open(path, limits)?;
        let whole = lines.place();
        let mut made = Tabulation::default();
        while let Some((number, line)) = lines.next_line()? {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let judgement = parse(line).ok_or_else(|| {
                let expected =
                    "item, system, rank (1, 2, …), rater, verdict (0 or 1), separated by tabs";
                Error::syntax(whole.clone().at_line(number), expected, line, "")
            })?;
            made.add(judgement);
        }
        Ok(made)
    }

    /// Counts a judgement.
    pub fn add(&mut self, judgement: Judgement) {
        let Judgement {
            item,
            system,
            rank,
            accepted,
            ..
        } = judgement;
        let count = self.counts.entry((system.clone(), rank)).or_default();
        count.0 += u64::from(accepted);
        count.1 += 1;
        let before = self.seen.entry((item, system, rank)).or_default();
        for &other in before.iter() {
            self.agreeing.0 += u64::from(other == accepted);
            self.agreeing.1 += 1;
        }
        before.push(accepted);
    }

    /// The cells, by system and rank.
    pub fn cells(&self) -> impl Iterator<Item = (&str, u32, Cell)> {
        self.counts
            .iter()
            .map(|((system, rank), &(accepted, judged))| {
                let interval = wilson(accepted, judged, Z);
                (
                    system.as_str(),
                    *rank,
                    Cell {
                        accepted,
                        judged,
                        interval,
                    },
                )
            })
    }

    /// Share of pairs of verdicts on the same paraphrase that agree (the paper: 84 % before discussion);
    /// `None` with one rater.
    #[must_use]
    pub fn agreement(&self) -> Option<f64> {
        (self.agreeing.1 > 0).then(|| self.agreeing.0 as f64 / self.agreeing.1 as f64)
    }

    /// Spearman's correlation of rank and share accepted of a system; `None` for fewer than two ranks or
    /// equal shares.
    #[must_use]
    pub fn rank_correlation(&self, system: &str) -> Option<f64> {
        let cells = self.cells().filter(|(name, ..)| *name == system);
        let (ranks, shares): (Vec<f64>, Vec<f64>) = cells
            .map(|(_, rank, cell)| (f64::from(rank), cell.accepted as f64 / cell.judged as f64))
            .unzip();
        spearman(&ranks, &shares)
    }
}

fn parse(line: &str) -> Option<Judgement> {
    let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
    let [item, system, rank, rater, verdict] = fields.as_slice() else {
        return None;
    };
    Some(Judgement {
        item: (*item).to_owned(),
        system: (*system).to_owned(),
        rank: rank.parse().ok().filter(|&rank| rank > 0)?,
        rater: (*rater).to_owned(),
        accepted: match *verdict {
            "1" => true,
            "0" => false,
            _ => return None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&str]) -> Result<Tabulation> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), rows.join("\n")).unwrap();
        Tabulation::read(file.path(), &Limits::default())
    }

    #[test]
    fn cells_intervals_and_agreement() {
        // 177 of 200, the count behind the paper's PR #1 (printed 89.5 %).
        let mut rows: Vec<String> = (0..200)
            .map(|i| format!("{i}\tPR\t1\ta\t{}", u8::from(i < 177)))
            .collect();
        rows.extend((0..100).map(|i| format!("{i}\tPR\t2\ta\t{}", i % 2)));
        rows.extend((0..4).map(|i| format!("{i}\tPR\t1\tb\t{}", u8::from(i != 0))));
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let made = table(&rows).unwrap();
        let cells: Vec<_> = made.cells().collect();
        assert_eq!((cells[0].2.accepted, cells[0].2.judged), (180, 204));
        assert!(cells[0].2.interval.0 < 180.0 / 204.0 && 180.0 / 204.0 < cells[0].2.interval.1);
        assert_eq!(made.agreement(), Some(0.75));
        assert_eq!(made.rank_correlation("PR"), Some(-1.0));
        assert_eq!(made.rank_correlation("WN"), None);
    }

    #[test]
    fn bad_rows_are_named() {
        for row in ["1\tPR\t1\ta", "1\tPR\t0\ta\t1", "1\tPR\t1\ta\tyes"] {
            let error = table(&["# judged", row]).unwrap_err();
            assert_eq!(error.code(), "syntax");
            assert!(error.to_string().contains(":2"), "{error}");
        }
    }
}
