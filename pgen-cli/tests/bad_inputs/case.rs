//! Rows, their cases, and what a case expects.

/// A row of `rows.tsv`: an input, told in words.
pub(crate) struct Row {
    pub(crate) id: &'static str,
    pub(crate) input: &'static str,
}

/// A line of `cases.tsv`: the row it proves, how the input is given, the input, what must come of it.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    pub(crate) row: &'static str,
    /// Its place among the cases of its row, from 1.
    pub(crate) number: usize,
    pub(crate) probe: &'static str,
    pub(crate) input: &'static str,
    pub(crate) expect: &'static str,
}

/// What came of a case.
pub(crate) struct Outcome {
    pub(crate) text: String,
    pub(crate) peak_kib: u64,
    pub(crate) milliseconds: u128,
}

fn lines(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
}

pub(crate) fn rows() -> Vec<Row> {
    let rows = lines(include_str!("rows.tsv")).skip(1);
    rows.map(|columns| Row {
        id: columns[0],
        input: columns[2],
    })
    .collect()
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for columns in lines(include_str!("cases.tsv")) {
        let [row, probe, input, expect] = columns[..] else {
            panic!("a case has four columns: {columns:?}");
        };
        let number = cases.iter().filter(|case| case.row == row).count() + 1;
        cases.push(Case {
            row,
            number,
            probe,
            input,
            expect,
        });
    }
    cases
}

impl Case {
    pub(crate) fn name(&self) -> String {
        format!("{}.{}", self.row, self.number)
    }

    /// `KIND`, `KIND = WHOLE` or `KIND ~ PART`, where KIND is `ok`, the code of an error or `exit N`.
    pub(crate) fn expects(&self, got: &str) -> bool {
        let (kind, rest) = got.split_once(": ").unwrap_or((got, ""));
        if let Some((expected, whole)) = self.expect.split_once(" = ") {
            kind == expected && rest == whole
        } else if let Some((expected, part)) = self.expect.split_once(" ~ ") {
            kind == expected && rest.contains(part)
        } else {
            kind == self.expect
        }
    }
}
