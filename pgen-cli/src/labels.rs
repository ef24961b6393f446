//! Labelled texts for training: paraphrase the text, carry the labels along.

use crate::failure::{Failure, Result};
use pgen::core::ByteSpan;
use serde_json::{Map, Value};

/// A JSON object with a text and labels on spans of it.
#[derive(Debug)]
pub(crate) struct Labelled {
    object: Map<String, Value>,
    /// Its text.
    pub(crate) text: String,
    /// Where its labels stand, in bytes.
    pub(crate) spans: Vec<ByteSpan>,
    chars: bool,
}

const TEXT: &str = "text";
const LABELS: &str = "labels";

impl Labelled {
    /// Reads an object: `text`, and perhaps `labels`, each `[start, end, …]` or `{"start", "end", …}`.
    /// `chars`: borders count characters, not bytes. Everything else is carried along.
    pub(crate) fn parse(line: &str, chars: bool) -> Result<Self> {
        let object: Map<String, Value> = serde_json::from_str(line)
            .map_err(|error| Failure::input("syntax", format_args!("no JSON object: {error}")))?;
        let text = object.get(TEXT).and_then(Value::as_str).ok_or_else(|| {
            Failure::input("syntax", "the object has no \"text\" that is a string")
        })?;
        let text = text.to_owned();
        let labels = match object.get(LABELS) {
            Some(Value::Array(labels)) => labels.as_slice(),
            // A label of the whole text, for classification.
            _ => &[],
        };
        let spans = labels.iter().map(|label| {
            let [start, end] = borders(label)?;
            to_span(&text, start, end, chars)
        });
        let spans = spans.collect::<Result<_>>()?;
        Ok(Labelled {
            object,
            text,
            spans,
            chars,
        })
    }

    /// The object with another text and its labels moved there; `source` tells what it was made from.
    pub(crate) fn with_text(&self, text: &str, map: impl Fn(ByteSpan) -> ByteSpan) -> Value {
        let mut object = self.object.clone();
        object.insert(TEXT.to_owned(), text.into());
        if let Some(Value::Array(labels)) = object.get_mut(LABELS) {
            for (label, &span) in labels.iter_mut().zip(&self.spans) {
                set_borders(label, self.count(text, map(span)));
            }
        }
        if text != self.text {
            object.insert("source".to_owned(), self.text.as_str().into());
        }
        Value::Object(object)
    }

    fn count(&self, text: &str, span: ByteSpan) -> [usize; 2] {
        [span.start(), span.end()].map(|at| match text.get(..at as usize) {
            Some(before) if self.chars => before.chars().count(),
            _ => at as usize,
        })
    }
}

fn borders(label: &Value) -> Result<[u64; 2]> {
    let found = match label {
        Value::Array(parts) => [parts.first(), parts.get(1)],
        Value::Object(parts) => [parts.get("start"), parts.get("end")],
        _ => [None, None],
    };
    match found.map(|border| border.and_then(Value::as_u64)) {
        [Some(start), Some(end)] => Ok([start, end]),
        _ => Err(Failure::input(
            "syntax",
            format_args!("a label is [start, end, …] or {{\"start\", \"end\", …}}, not {label}"),
        )),
    }
}

fn set_borders(label: &mut Value, [start, end]: [usize; 2]) {
    match label {
        Value::Array(parts) => {
            for (part, border) in parts.iter_mut().zip([start, end]) {
                *part = border.into();
            }
        }
        Value::Object(parts) => {
            parts.insert("start".to_owned(), start.into());
            parts.insert("end".to_owned(), end.into());
        }
        _ => {}
    }
}

fn to_span(text: &str, start: u64, end: u64, chars: bool) -> Result<ByteSpan> {
    let byte = |at: u64| -> Option<usize> {
        let at = usize::try_from(at).ok()?;
        let byte = match chars {
            false => at,
            true => {
                let mut starts = text
                    .char_indices()
                    .map(|(byte, _)| byte)
                    .chain([text.len()]);
                starts.nth(at)?
            }
        };
        text.is_char_boundary(byte).then_some(byte)
    };
    let span = byte(start)
        .zip(byte(end))
        .filter(|(start, end)| start <= end);
    let span = span.and_then(|(start, end)| {
        ByteSpan::new(u32::try_from(start).ok()?, u32::try_from(end).ok()?).ok()
    });
    span.ok_or_else(|| {
        Failure::input(
            "bad-span",
            format_args!("label {start}..{end} does not fit the text"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_and_moved() {
        let line = r#"{"id":7,"text":"Élan is big","labels":[[8,11,"SIZE"]]}"#;
        let labelled = Labelled::parse(line, true).unwrap();
        assert_eq!(&labelled.text[labelled.spans[0].range()], "big");
        let moved = labelled.with_text("Élan is large", |_| ByteSpan::new(9, 14).unwrap());
        assert_eq!(moved["labels"][0], serde_json::json!([8, 13, "SIZE"]));
        assert_eq!(
            (&moved["id"], &moved["source"]),
            (&7.into(), &"Élan is big".into())
        );
    }

    #[test]
    fn labels_must_fit() {
        for (line, code) in [
            ("[]", "syntax"),
            (r#"{"text":1}"#, "syntax"),
            (r#"{"text":"a","labels":[[0,9]]}"#, "bad-span"),
            (r#"{"text":"é","labels":[[0,1]]}"#, "bad-span"),
            (r#"{"text":"a","labels":["x"]}"#, "syntax"),
        ] {
            assert_eq!(
                Labelled::parse(line, false).unwrap_err().code(),
                code,
                "{line}"
            );
        }
        assert!(Labelled::parse(r#"{"text":"a","labels":"positive"}"#, false).is_ok());
    }
}
