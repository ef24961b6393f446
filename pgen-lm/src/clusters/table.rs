//! Counts of pairs of classes, by row and by column.

/// Sparse square table of counts; a row is sorted by column.
#[derive(Clone, Debug)]
pub(super) struct Rows(Vec<Vec<(u32, u64)>>);

impl Rows {
    pub(super) fn new(size: usize) -> Self {
        Rows(vec![Vec::new(); size])
    }

    #[inline]
    pub(super) fn row(&self, row: u32) -> &[(u32, u64)] {
        &self.0[row as usize]
    }

    #[inline]
    pub(super) fn get(&self, row: u32, column: u32) -> u64 {
        let row = self.row(row);
        row.binary_search_by_key(&column, |cell| cell.0)
            .map_or(0, |at| row[at].1)
    }

    /// Adds to a cell.
    pub(super) fn add(&mut self, row: u32, column: u32, count: u64) {
        let row = &mut self.0[row as usize];
        match row.binary_search_by_key(&column, |cell| cell.0) {
            Ok(at) => row[at].1 += count,
            Err(at) => row.insert(at, (column, count)),
        }
    }

    /// Takes from a cell that has at least as much; an empty cell goes.
    pub(super) fn take(&mut self, row: u32, column: u32, count: u64) {
        let row = &mut self.0[row as usize];
        if let Ok(at) = row.binary_search_by_key(&column, |cell| cell.0) {
            row[at].1 = row[at].1.saturating_sub(count);
            if row[at].1 == 0 {
                row.remove(at);
            }
        }
    }
}

/// n ln n, from a table where n is small.
#[derive(Clone, Debug)]
pub(super) struct Logs(Vec<f64>);

impl Logs {
    pub(super) fn new() -> Self {
        Logs((0..1u32 << 16).map(|n| exact(f64::from(n))).collect())
    }

    #[inline]
    pub(super) fn of(&self, n: u64) -> f64 {
        match self.0.get(n as usize) {
            Some(&value) => value,
            None => exact(n as f64),
        }
    }
}

fn exact(n: f64) -> f64 {
    if n > 0.0 { n * n.ln() } else { 0.0 }
}
