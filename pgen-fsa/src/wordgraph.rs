//! PLF (Moses) and SLF (HTK) out.

use crate::error::{Error, Result};
use crate::fsa::Fsa;
use pgen_core::Limits;
use std::fmt::Write;

impl Fsa {
    /// The automaton in Moses' PLF: a column for each state but the last, each with arcs
    /// `('word',score,jump)`. Scores are probabilities, e^weight. Several ends, or an end that goes on, are
    /// joined by arcs with the word `*EPS*`.
    ///
    /// # Errors
    /// [`Error::Epsilon`]; [`Error::ReservedWord`] for a word `*EPS*`;
    /// [`DisconnectedGraph`](pgen_core::Error::DisconnectedGraph) for an automaton
    /// without strings.
    pub fn to_plf(&self) -> Result<String> {
        if self.has_epsilon() {
            return Err(Error::Epsilon);
        }
        self.check_reserved("*EPS*", "PLF")?;
        let finals: Vec<_> = self.finals().collect();
        let last = self.state_count() as u32 - 1;
        let single = matches!(finals.as_slice(), [end] if end.raw() == last);
        if finals.is_empty() {
            return Err(pgen_core::Error::DisconnectedGraph.into());
        }
        let end = if single { last } else { last + 1 };
        let mut plf = String::from("(");
        for state in self.states().filter(|state| state.raw() < end) {
            plf.push('(');
            for transition in self.out(state) {
                let word = self
                    .text(transition.label)
                    .replace('\\', "\\\\")
                    .replace('\'', "\\'");
                let jump = transition.to.raw() - state.raw();
                let _ = write!(plf, "('{word}',{},{jump}),", probability(transition.weight));
            }
            if let Some(weight) = self.final_weight(state).filter(|_| !single) {
                let _ = write!(
                    plf,
                    "('*EPS*',{},{}),",
                    probability(weight),
                    end - state.raw()
                );
            }
            plf.push_str("),");
        }
        plf.push(')');
        Ok(plf)
    }

    /// The automaton in HTK's SLF with words on links, natural logs as acoustic scores; `!NULL` is ε.
    ///
    /// # Errors
    /// [`Error::ReservedWord`] for a word `!NULL`; [`LimitExceeded`](pgen_core::Error::LimitExceeded) for
    /// more than 2³² links.
    pub fn to_slf(&self, utterance: &str) -> Result<String> {
        self.check_reserved("!NULL", "SLF")?;
        let finals: Vec<_> = self.finals().collect();
        let links = self.transitions().len() + finals.len();
        Limits::check("links of a word graph", links, u32::MAX as usize)?;
        let end = self.state_count();
        let mut slf = String::from("VERSION=1.1\n");
        let _ = writeln!(slf, "UTTERANCE={}", quoted(utterance));
        let _ = writeln!(
            slf,
            "base={}\nstart=0 end={end}\nN={}\tL={links}",
            std::f64::consts::E,
            end + 1
        );
        (0..=end).for_each(|node| {
            let _ = writeln!(slf, "I={node}");
        });
        for (link, transition) in self.transitions().iter().enumerate() {
            let (from, to) = (transition.from.raw(), transition.to.raw());
            let word = if transition.label.is_epsilon() {
                "!NULL"
            } else {
                self.text(transition.label)
            };
            let (word, weight) = (quoted(word), transition.weight);
            let _ = writeln!(slf, "J={link}\tS={from}\tE={to}\tW={word}\ta={weight}");
        }
        for (link, state) in (self.transitions().len()..).zip(finals) {
            let weight = self.final_weight(state).unwrap_or(0.0);
            let _ = writeln!(
                slf,
                "J={link}\tS={}\tE={end}\tW=!NULL\ta={weight}",
                state.raw()
            );
        }
        Ok(slf)
    }

    fn check_reserved(&self, word: &'static str, format: &'static str) -> Result<()> {
        match self.symbols().label(word) {
            Some(_) => Err(Error::ReservedWord { word, format }),
            None => Ok(()),
        }
    }
}

/// A probability with a point, as Joshua wants it.
fn probability(weight: f32) -> String {
    format!("{:?}", f64::from(weight).exp())
}

/// HTK escapes: quotes around what holds one or a blank.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    if escaped.contains([' ', '\'', '"', '=', '#']) || escaped.is_empty() {
        format!("\"{escaped}\"")
    } else {
        escaped
    }
}
