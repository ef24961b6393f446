//! Graphviz DOT.

use crate::fsa::Fsa;
use std::fmt::Write;

impl Fsa {
    /// A picture in DOT, from left to right, ends with a double border, the best path thick.
    #[must_use]
    pub fn to_dot(&self, name: &str) -> String {
        // In order of the transitions.
        let mut best = self.best_path().unwrap_or_default().into_iter().peekable();
        let mut dot = format!(
            "digraph \"{}\" {{\n  rankdir=LR;\n  node [shape=circle, label=\"\"];\n",
            escape(name)
        );
        for state in self.finals() {
            let _ = writeln!(dot, "  {} [shape=doublecircle];", state.raw());
        }
        for (at, transition) in self.transitions().iter().enumerate() {
            let word = match transition.label {
                label if label.is_epsilon() => "ε".to_owned(),
                label => escape(self.text(label)),
            };
            let thick = if best.next_if_eq(&at).is_some() {
                ", penwidth=3"
            } else {
                ""
            };
            let (from, to) = (transition.from.raw(), transition.to.raw());
            let _ = writeln!(dot, "  {from} -> {to} [label=\"{word}\"{thick}];");
        }
        dot.push_str("}\n");
        dot
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
