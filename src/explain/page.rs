//! The page: source, paraphrases, lattice, alternatives, segmentations, certificate.

use super::style::STYLE;
use super::words::{certificate, escape, probability, shortage, signed};
use super::{Alternative, Explanation, draw};
use crate::answer::{Paraphrase, TextEdit};
use pgen_core::ByteSpan;
use std::fmt::Write;

/// A page of explanations: one self-contained HTML document, without scripts and without anything from
/// the network.
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "english")] {
/// use pgen::{Options, Paraphraser, explain::Page};
///
/// let english = Paraphraser::english()?;
/// let mut page = Page::new("Two sentences");
/// page.push(&english.explain("We must find a solution.", &Options::best(5))?);
/// page.push(&english.explain("This is an important question.", &Options::best(5))?);
/// std::fs::write("why.html", page.finish())?;
/// # }
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Page {
    html: String,
    count: usize,
}

impl Page {
    /// A page without explanations.
    #[must_use]
    pub fn new(title: &str) -> Self {
        let title = escape(title);
        let html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
             <style>{STYLE}</style></head><body><main><h1>{title}</h1>\n"
        );
        Page { html, count: 0 }
    }

    /// Number of explanations.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// True without explanations.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds an explanation.
    pub fn push(&mut self, explanation: &Explanation) {
        self.count += 1;
        let places = Places::new(explanation);
        let section = Section {
            explanation,
            places: &places,
        };
        self.html.push_str("<section>\n");
        for part in [
            section.source(),
            section.answers(),
            section.certificate(),
            section.lattice(),
            section.alternatives(),
            section.segmentations(),
        ] {
            self.html.push_str(&part);
        }
        self.html.push_str("</section>\n");
    }

    /// The whole document.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.html.push_str(GLOSSARY);
        self.html.push_str("</main></body></html>\n");
        self.html
    }
}

const GLOSSARY: &str = "<h2>What the numbers mean</h2><dl>\
<dt>score</dt><dd>weighted sum of natural logs: rules used, plus the language model; higher is better</dd>\
<dt>sure</dt><dd>how sure the model is that the paraphrase is right, from 0 to 100 %</dd>\
<dt>p</dt><dd>probability of the rule: the first feature of its table</dd>\
<dt>ΔLM</dt><dd>what a change adds to the natural log probability of the text under the language model</dd>\
<dt>alone</dt><dd>what a replacement gains or loses in score if nothing else is changed</dd>\
<dt>segmentation</dt><dd>one way to write a text by rules; its best one gives the text its true score</dd>\
</dl>";

/// Places of the source that paraphrases change, each with a colour; places that overlap are one.
pub(super) struct Places(Vec<ByteSpan>);

impl Places {
    fn new(explanation: &Explanation) -> Self {
        let edits = explanation.answer.items.iter().flat_map(|item| &item.edits);
        let mut spans: Vec<ByteSpan> = edits.map(|edit| edit.source).collect();
        spans.sort_unstable();
        let mut places: Vec<ByteSpan> = Vec::new();
        for span in spans {
            match places.last_mut() {
                Some(last) if last.overlaps(span) || *last == span => *last = last.cover(span),
                _ => places.push(span),
            }
        }
        Places(places)
    }

    /// The colour class of the place that holds a span; none if no paraphrase changes it.
    pub(super) fn class(&self, span: ByteSpan) -> Option<usize> {
        let holds = |place: &ByteSpan| place.overlaps(span) || *place == span;
        self.0.iter().position(holds).map(|at| at % 8)
    }
}

struct Section<'a> {
    explanation: &'a Explanation,
    places: &'a Places,
}

impl Section<'_> {
    fn source(&self) -> String {
        let text = &self.explanation.answer.source;
        let marks = self
            .places
            .0
            .iter()
            .map(|&span| (span, self.places.class(span), String::new()));
        let mut out = format!("<p class=\"source\">{}</p>", marked(text, marks));
        let kept = self
            .explanation
            .protected
            .iter()
            .filter(|&&kept| kept)
            .count();
        let _ = writeln!(
            out,
            "<p class=\"soft\">{} tokens{}, {} possible replacements, ln P = {}</p>",
            self.explanation.tokens.len(),
            if kept > 0 {
                format!(" ({kept} protected)")
            } else {
                String::new()
            },
            self.explanation.alternatives.len(),
            signed(self.explanation.source_language.ln()),
        );
        out
    }

    fn answers(&self) -> String {
        let items = &self.explanation.answer.items;
        if items.is_empty() {
            return String::new();
        }
        let mut out = "<h2>Paraphrases</h2><ol class=\"answers\">".to_owned();
        for (at, item) in items.iter().enumerate() {
            let marks = item.edits.iter().map(|edit| {
                (
                    edit.target,
                    self.places.class(edit.source),
                    format!("{} → {}", edit.from, edit.to),
                )
            });
            let sure = item.confidence * 100.0;
            let _ = write!(
                out,
                "<li><div class=\"head\"><span class=\"rank\">{}</span><span class=\"text\">{}</span>\
                 <span class=\"meta\"><span class=\"bar\"><i style=\"width:{sure:.0}%\"></i></span>\
                 sure {sure:.0} % · score {} · ΔLM {}</span></div>{}</li>",
                at + 1,
                marked(&item.text, marks),
                signed(item.score.ln()).trim_start_matches('+'),
                signed(item.evidence.language),
                self.reasons(item, at == 0),
            );
        }
        out + "</ol>\n"
    }

    /// The edits of a paraphrase, and how its score comes about.
    fn reasons(&self, item: &Paraphrase, open: bool) -> String {
        let mut rows = String::new();
        for edit in &item.edits {
            let _ = write!(
                rows,
                "<tr><td class=\"keep\"><mark class=\"k{}\">{}</mark> → {}</td><td>{:?}</td><td>{} · {}</td>\
                 <td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>",
                self.places.class(edit.source).unwrap_or(0),
                escape(&edit.from),
                if edit.to.is_empty() {
                    "∅".to_owned()
                } else {
                    escape(&edit.to)
                },
                edit.kind,
                escape(&edit.table),
                edit.rule,
                probability(edit.log_prob.ln()),
                signed(edit.language),
                values(edit),
            );
        }
        format!(
            "<details{}><summary>{} change{}: why</summary><div class=\"wide\"><table><tr><th>change</th>\
             <th>kind</th><th>table · rule</th><th class=\"n\">p</th><th class=\"n\">ΔLM</th>\
             <th>values</th></tr>{rows}</table></div>{}</details>",
            if open { " open" } else { "" },
            item.edits.len(),
            if item.edits.len() == 1 { "" } else { "s" },
            self.sum(item),
        )
    }

    /// Value times weight, feature by feature, down to the score.
    fn sum(&self, item: &Paraphrase) -> String {
        let mut rows = String::new();
        let mut row = |name: &str, value: f64, weight: f64| {
            let _ = write!(
                rows,
                "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">× {}</td>\
                 <td class=\"n\">{}</td></tr>",
                escape(name),
                signed(value),
                signed(weight).trim_start_matches('+'),
                signed(value * weight),
            );
        };
        for (at, (name, weight)) in self.explanation.weights.iter().enumerate() {
            let value = match at {
                0 => item.language.ln(),
                _ => item
                    .edits
                    .iter()
                    .filter_map(|edit| edit.features.get(name))
                    .sum(),
            };
            if value != 0.0 {
                row(name, value, *weight);
            }
        }
        format!(
            "<table><tr><th>feature</th><th class=\"n\">value</th><th class=\"n\">weight</th>\
             <th class=\"n\">counts</th></tr>{rows}<tr class=\"sum\"><td>score</td><td></td><td></td>\
             <td class=\"n\">{}</td></tr></table>",
            signed(item.score.ln()),
        )
    }

    fn certificate(&self) -> String {
        let answer = &self.explanation.answer;
        let mut out = format!(
            "<h2>Certificate</h2><p class=\"cert\">{}</p>",
            escape(&certificate(answer))
        );
        if let Some(short) = &answer.shortage {
            let _ = write!(out, "<p class=\"short\">{}</p>", escape(&shortage(short)));
        }
        let stats = answer.stats;
        let _ = writeln!(
            out,
            "<p><small>{} search states, {} steps, {} questions to the language model</small></p>",
            stats.states, stats.pops, stats.language_queries
        );
        out
    }

    fn lattice(&self) -> String {
        if self.explanation.alternatives.is_empty() {
            return String::new();
        }
        format!(
            "<h2>Lattice <small>(best replacements of each stretch; the first paraphrase in green)</small>\
             </h2><div class=\"wide\">{}</div>\n",
            draw::lattice(self.explanation, self.places)
        )
    }

    fn alternatives(&self) -> String {
        let found = &self.explanation.alternatives;
        if found.is_empty() {
            return String::new();
        }
        let weight = self
            .explanation
            .weights
            .first()
            .map_or(0.0, |(_, weight)| *weight);
        let mut rows = String::new();
        let mut before = None;
        for one in found {
            rows.push_str(&self.alternative(one, before != Some(one.span), weight));
            before = Some(one.span);
        }
        format!(
            "<h2>Alternatives by position</h2><div class=\"wrap\"><table><tr><th>words</th>\
             <th>replacement</th><th class=\"n\">p</th><th class=\"n\">ΔLM</th><th class=\"n\">alone</th>\
             <th>used in</th><th>table · rule</th></tr>{rows}</table></div>\n"
        )
    }

    fn alternative(&self, one: &Alternative, first: bool, language_weight: f64) -> String {
        let ranks: Vec<String> = one
            .used_by
            .iter()
            .map(|rank| format!("#{}", rank + 1))
            .collect();
        let bytes = self.explanation.tokens.get(one.span.range());
        let bytes = bytes.and_then(|tokens| tokens.iter().copied().reduce(ByteSpan::cover));
        let class = bytes.and_then(|bytes| self.places.class(bytes));
        let class = class
            .filter(|_| first)
            .map_or(String::new(), |class| format!("class=\"k{class}\""));
        let from = if first {
            escape(&one.from)
        } else {
            String::new()
        };
        let from = if first {
            format!("<mark {class}>{from}</mark>")
        } else {
            from
        };
        let p = one.features.iter().next().map_or(0.0, |(_, value)| value);
        format!(
            "<tr{}><td>{from}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td>{}</td><td class=\"soft\">{} · {}</td></tr>",
            if ranks.is_empty() {
                ""
            } else {
                " class=\"used\""
            },
            if one.to.is_empty() {
                "∅".to_owned()
            } else {
                escape(&one.to)
            },
            probability(p),
            one.language.map_or("–".to_owned(), signed),
            signed(one.balance(language_weight)),
            ranks.join(" "),
            escape(&one.table),
            one.rule,
        )
    }

    fn segmentations(&self) -> String {
        let mut out = "<h2>Segmentations tried</h2>".to_owned();
        for (rank, (ways, count)) in self.explanation.segmentations.iter().enumerate() {
            let mut rows = String::new();
            for (at, way) in ways.iter().enumerate() {
                let pieces: String = way.pieces.iter().map(segment).collect();
                let _ = write!(
                    rows,
                    "<div class=\"seg{}\"><span class=\"s\">{}</span>{pieces}{}</div>",
                    if at == 0 { " win" } else { "" },
                    signed(way.score.ln()).trim_start_matches('+'),
                    if at == 0 {
                        "<span class=\"tag\">✓ true score</span>"
                    } else {
                        ""
                    },
                );
            }
            let _ = write!(
                out,
                "<details{} style=\"margin-left:0\"><summary>#{}: {count} way{} to write it</summary>\
                 <div class=\"wide\">{rows}</div></details>",
                if rank == 0 { " open" } else { "" },
                rank + 1,
                if count == "1" { "" } else { "s" },
            );
        }
        if self.explanation.segmentations.is_empty() {
            String::new()
        } else {
            out
        }
    }
}

fn segment((from, to): &(String, String)) -> String {
    if from == to {
        return format!("<b>{}</b>", escape(from));
    }
    let side = |text: &str| {
        if text.is_empty() {
            "∅".to_owned()
        } else {
            escape(text)
        }
    };
    format!("<b class=\"e\">{} → {}</b>", side(from), side(to))
}

fn values(edit: &TextEdit) -> String {
    let value = |(name, value): (&str, f64)| {
        let short = name.rsplit('.').next().unwrap_or(name);
        format!("{} {}", escape(short), signed(value))
    };
    let kept = edit.features.iter().filter(|&(_, value)| value != 0.0);
    format!(
        "<small>{}</small>",
        kept.map(value).collect::<Vec<_>>().join(" · ")
    )
}

/// Text with marks; one inside another is left out.
fn marked(text: &str, marks: impl Iterator<Item = (ByteSpan, Option<usize>, String)>) -> String {
    let mut out = String::new();
    let mut at = 0;
    for (span, class, title) in marks {
        let range = span.range();
        let (Some(before), Some(inside)) = (text.get(at..range.start), text.get(range.clone()))
        else {
            continue;
        };
        // Blanks that an edit covers at its borders are not coloured.
        let lead = inside.len() - inside.trim_start().len();
        let core = inside.trim();
        let _ = write!(
            out,
            "{}{}<mark class=\"k{}\" title=\"{}\">{}</mark>{}",
            escape(before),
            inside.get(..lead).unwrap_or(""),
            class.unwrap_or(0),
            escape(&title),
            escape(core),
            inside.get(lead + core.len()..).unwrap_or(""),
        );
        at = range.end;
    }
    out + &escape(text.get(at..).unwrap_or(""))
}
