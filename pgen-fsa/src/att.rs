//! AT&T (OpenFst) text: `from TAB to TAB label [TAB cost]`, a final state alone with its cost.
//!
//! Costs are negative weights. As in OpenFst, `Infinity` (or `inf`) is impossible: such a transition is
//! none, such a state is not final; other costs must be finite. The start is the source of the first line.
//! A word that is spelled like ε (`<eps>`, `<epsilon>`) has a backslash before it, and so has one that
//! begins with backslashes before such a spelling: every word comes back as it was.

use crate::build::FsaBuilder;
use crate::error::Result;
use crate::fsa::{Fsa, StateId};
use hashbrown::{HashMap, HashSet};
use pgen_core::{Error, Limits, Lines, Place};
use std::io::{self, Write};

/// How labels are spelled.
#[derive(Debug)]
pub enum Labels<'a> {
    /// As words; `<eps>` is ε, `\\<eps>` the word `<eps>`.
    Words,
    /// As numbers of a symbol table (number → word), 0 is ε.
    Numbers(&'a HashMap<u64, String>),
}

/// Spellings of ε.
const EPSILONS: [&str; 4] = ["<eps>", "<epsilon>", "ε", "-"];

/// True for what is spelled like ε in AT&T text, with or without backslashes before it.
fn needs_escape(word: &str) -> bool {
    ["<eps>", "<epsilon>"].contains(&word.trim_start_matches('\\'))
}

/// A word as it is spelled in AT&T text.
struct Spelled<'a>(&'a str);

impl std::fmt::Display for Spelled<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let escape = if needs_escape(self.0) { "\\" } else { "" };
        write!(f, "{escape}{}", self.0)
    }
}

/// The word of a spelling; `None` for ε.
fn unspelled(text: &str) -> Option<&str> {
    if needs_escape(text) {
        text.strip_prefix('\\')
    } else {
        Some(text)
    }
}

/// Reads a symbol table: `word TAB number` a line, 0 for ε. Words and numbers are there once; 0 is ε by any
/// of its spellings (`<eps>`, `<epsilon>`, `ε`, `-`), and `<eps>` and `<epsilon>` are nothing else.
///
/// # Errors
/// [`Syntax`](pgen_core::Error::Syntax) with file and line, and as [`Lines::next_line`].
pub fn read_symbols(lines: &mut Lines) -> Result<HashMap<u64, String>> {
    let name = lines.input().name().clone();
    let mut symbols: HashMap<u64, String> = HashMap::new();
    let mut words = HashSet::new();
    while let Some((number, line)) = lines.next_line()? {
        let mut fields = line.split_whitespace();
        let Some(word) = fields.next() else { continue };
        let wrong = |expected, hint| {
            let place = Place::line(number).in_file(name.clone());
            Error::syntax(place, expected, line, hint)
        };
        let id = fields.next().and_then(|field| field.parse().ok());
        let id = id.filter(|_| fields.next().is_none());
        let id: u64 = id.ok_or_else(|| wrong("a word and its number", ""))?;
        let epsilon = EPSILONS.contains(&word);
        if (id == 0 && !epsilon) || (id != 0 && unspelled(word).is_none()) {
            let hint = "0 stands for ε, which is spelled <eps>";
            return Err(wrong("0 for ε and nothing else", hint).into());
        }
        let word = unspelled(word).unwrap_or(word);
        if !words.insert(word.to_owned()) || symbols.insert(id, word.to_owned()).is_some() {
            return Err(wrong("each word and each number once", "").into());
        }
    }
    Ok(symbols)
}

/// Reads an acceptor up to a blank line or the end; `None` if there is nothing more. Columns are separated
/// by blanks or tabs; a transducer whose two labels are the same is an acceptor.
///
/// # Errors
/// [`Syntax`](pgen_core::Error::Syntax) for a line that is none of the format, with line and file;
/// [`Error::Cyclic`](crate::Error::Cyclic) naming a state as numbered in the input, and the line that has it
/// first; limits. The acceptor is
/// then read to its end, so that the next call goes on behind it; after an error of the file itself (a
/// line that is too long, or no UTF-8) it is not.
pub fn read_att(lines: &mut Lines, labels: &Labels<'_>, limits: &Limits) -> Result<Option<Fsa>> {
    let mut reader = Reader {
        builder: FsaBuilder::new(limits),
        numbers: Vec::new(),
        states: HashMap::new(),
        start: None,
    };
    let name = lines.input().name().clone();
    let (mut seen, mut failed) = (false, None);
    while let Some((number, line)) = lines.next_line()? {
        let fields: Vec<&str> = line.split_whitespace().collect();
        if fields.is_empty() {
            if seen {
                break;
            }
            continue;
        }
        seen = true;
        if failed.is_none() {
            let place = Place::line(number).in_file(name.clone());
            failed = reader.line(&fields, labels, line, place).err();
        }
    }
    if let Some(error) = failed {
        return Err(error);
    }
    let Some(start) = reader.start else {
        return Ok(None);
    };
    match reader.builder.build(start) {
        Err(crate::Error::Cyclic { state }) => {
            let known = reader.numbers.get(state as usize).copied();
            let (state, line) = known.unwrap_or((state, 0));
            let error = crate::Error::Cyclic { state };
            Err(at(&Place::line(line).in_file(name), error))
        }
        made => made.map(Some),
    }
}

/// `Infinity` or `inf`, or a finite number; one too large for 32 bits is neither.
fn read_cost(text: &str) -> Option<f32> {
    let cost: f32 = text.parse().ok()?;
    let is_word = text.to_ascii_lowercase().contains("inf");
    let possible = cost.is_finite() || (is_word && cost == f32::INFINITY);
    possible.then_some(cost)
}

struct Reader {
    builder: FsaBuilder,
    /// The number in the input of each state, and the line that has it first.
    numbers: Vec<(u32, u64)>,
    states: HashMap<u32, StateId>,
    start: Option<StateId>,
}

impl Reader {
    fn line(
        &mut self,
        fields: &[&str],
        labels: &Labels<'_>,
        line: &str,
        place: Place,
    ) -> Result<()> {
        let wrong = |expected, hint| Error::syntax(place.clone(), expected, line, hint);
        let from = self.state(fields[0], &place)?;
        self.start.get_or_insert(from);
        let cost = |at: usize| match fields.get(at) {
            None => Ok(0.0),
            Some(text) => read_cost(text).ok_or_else(|| {
                wrong(
                    "a cost",
                    "costs are finite numbers of 32 bits, or Infinity for no path",
                )
            }),
        };
        let label = |text: &str| match labels {
            Labels::Words => Ok(unspelled(text).map(str::to_owned)),
            Labels::Numbers(words) => match text.parse() {
                Ok(0) => Ok(None),
                Ok(id) if words.contains_key(&id) => Ok(Some(words[&id].clone())),
                _ => Err(wrong(
                    "a number of the symbol table",
                    "give the table that belongs to it",
                )),
            },
        };
        let known = matches!(fields.len(), 1..=5);
        if !known {
            return Err(wrong("one to five columns", "").into());
        }
        if fields.len() <= 2 {
            return self.builder.set_final(from, -cost(1)?);
        }
        let to = self.state(fields[1], &place)?;
        let word = label(fields[2])?;
        // A fourth column is a cost, unless it can only be the output of a transducer.
        let output = fields
            .get(3)
            .filter(|text| fields.len() == 5 || text.parse::<f32>().is_err());
        if let Some(output) = output
            && label(output)? != word
        {
            return Err(wrong("an acceptor", "project the transducer first").into());
        }
        let weight = -cost(if output.is_some() { 4 } else { 3 })?;
        let added = self.builder.add_weighted(from, word.as_deref(), to, weight);
        added.map_err(|error| at(&place, error))
    }

    fn state(&mut self, text: &str, place: &Place) -> Result<StateId> {
        let Ok(number) = text.parse::<u32>() else {
            let hint = "states are numbers from 0";
            return Err(Error::syntax(place.clone(), "a state", text, hint).into());
        };
        if let Some(&known) = self.states.get(&number) {
            return Ok(known);
        }
        let state = self.builder.add_state().map_err(|error| at(place, error))?;
        self.states.insert(number, state);
        self.numbers.push((number, place.line));
        Ok(state)
    }
}

/// An error in its place.
fn at(place: &Place, error: crate::Error) -> crate::Error {
    crate::Error::At {
        place: place.clone(),
        source: Box::new(error),
    }
}

impl Fsa {
    /// Writes the automaton with words as labels (`<eps>` for ε), or with their numbers.
    ///
    /// # Errors
    /// As the writer.
    pub fn write_att(&self, out: &mut dyn Write, numbers: bool) -> io::Result<()> {
        if self.transitions().is_empty() {
            // The start is the source of the first line, final or not.
            let cost = self
                .final_weight(self.start())
                .map_or(f32::INFINITY, |weight| -weight);
            return writeln!(out, "0\t{}", Cost(cost));
        }
        for transition in self.transitions() {
            write!(out, "{}\t{}\t", transition.from.raw(), transition.to.raw())?;
            match transition.label {
                label if numbers => write!(out, "{}", label.raw())?,
                label if label.is_epsilon() => write!(out, "<eps>")?,
                label => write!(out, "{}", Spelled(self.text(label)))?,
            }
            writeln!(out, "{}", Tail(-transition.weight))?;
        }
        for state in self.finals() {
            let cost = -self.final_weight(state).unwrap_or(0.0);
            writeln!(out, "{}{}", state.raw(), Tail(cost))?;
        }
        Ok(())
    }

    /// Writes the symbol table: `word TAB number`, `<eps>` first.
    ///
    /// # Errors
    /// As the writer.
    pub fn write_symbols(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "<eps>\t0")?;
        self.symbols()
            .words()
            .try_for_each(|(label, word)| writeln!(out, "{}\t{}", Spelled(word), label.raw()))
    }
}

struct Cost(f32);

impl std::fmt::Display for Cost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 == f32::INFINITY {
            f.write_str("Infinity")
        } else {
            write!(f, "{}", self.0 + 0.0)
        }
    }
}

/// A cost behind a tab; nothing for none.
struct Tail(f32);

impl std::fmt::Display for Tail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 == 0.0 {
            Ok(())
        } else {
            write!(f, "\t{}", Cost(self.0))
        }
    }
}
