//! Certificates, shortages and numbers in words.

use crate::answer::Answer;
use crate::shortage::{Because, Rule, Shortage};
use pgen_core::Certificate;

/// What the list is worth, as a sentence or two.
pub(super) fn certificate(answer: &Answer) -> String {
    let n = answer.items.len();
    match answer.certificate {
        Certificate::Exact if n == 0 => {
            "Exact: no text of the first ones under the true score keeps the rules of the request."
                .to_owned()
        }
        Certificate::Exact => format!(
            "Exact: of all texts that the tables can write and that keep the rules of the request, \
             these {n} have the highest true scores, in this order. There are more."
        ),
        Certificate::Exhausted => format!(
            "Exhausted: these {n} are all texts that the tables can write and that keep the rules of \
             the request. There is no other one to look for."
        ),
        Certificate::Bounded {
            upper_bound_of_rest,
        } => format!(
            "Bounded: a limit of time or size ended the search. What is listed has its true score and \
             order; no text that is missing scores above {:.3}.",
            upper_bound_of_rest.ln()
        ),
        _ => "Heuristic: the search may have missed better texts.".to_owned(),
    }
}

/// Why the list is short, as a sentence.
pub(super) fn shortage(shortage: &Shortage) -> String {
    let because = match shortage.because {
        Because::NoWords => "the text has no words",
        Because::NoReplacement => "the tables hold no replacement for any part that may change",
        Because::Exhausted => "every text that the tables can write was seen",
        Because::Budget => "a limit of time or size ended the search",
        Because::Depth => "the first texts, as deep as is searched, break rules of the request",
    };
    let mut text = format!(
        "{} of {} asked for: {because}.",
        shortage.found, shortage.asked
    );
    if !shortage.kept_out.is_empty() {
        let rules = shortage
            .kept_out
            .iter()
            .map(|(rule, times)| format!("{times} {}", reason(*rule)));
        text.push_str(&format!(
            " Left out: {}.",
            rules.collect::<Vec<_>>().join(", ")
        ));
    }
    text
}

fn reason(rule: Rule) -> &'static str {
    match rule {
        Rule::Protected => "would change a protected token",
        Rule::Application => "do not achieve the application",
        Rule::DoubledWord => "double a word",
        Rule::Spelling => "are another spelling of the source or a listed one",
        Rule::Forbidden => "bring in a forbidden phrase",
        Rule::Forced => "lack a demanded phrase",
        Rule::Unchanged => "leave unchanged what must change",
        Rule::Change => "change too little or too much",
        Rule::Alike => "are too much like better ones",
        Rule::Confidence => "are not sure enough",
    }
}

/// A signed number with two digits and a real minus.
pub(super) fn signed(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "+∞" } else { "−∞" }.to_owned();
    }
    let text = format!("{:.2}", value.abs());
    match text.as_str() {
        "0.00" => text,
        _ if value < 0.0 => format!("−{text}"),
        _ => format!("+{text}"),
    }
}

/// A probability from its natural log.
pub(super) fn probability(ln: f64) -> String {
    let p = ln.exp();
    if p == 0.0 || p >= 0.0995 {
        format!("{p:.2}")
    } else if p >= 0.001 {
        format!("{p:.4}")
    } else {
        format!("{p:.1e}")
    }
}

/// Text safe inside HTML and its attributes.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Not allowed in HTML, nor in SVG.
            c if c.is_control() && !matches!(c, '\t' | '\n' | '\r') => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(
            (signed(-0.001), signed(-1.234), signed(2.0)),
            ("0.00".into(), "−1.23".into(), "+2.00".into())
        );
        assert_eq!(
            (probability(0.0), probability(-3.0)),
            ("1.00".into(), "0.0498".into())
        );
    }

    #[test]
    fn text_cannot_leave_its_place() {
        assert_eq!(
            escape("<a b='c'>&\u{1}"),
            "&lt;a b=&#39;c&#39;&gt;&amp;\u{FFFD}"
        );
    }
}
