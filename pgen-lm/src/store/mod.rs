//! Models in files: as few bytes as they need, unpacked into the fast layout when they are opened.

mod shape;
mod values;

use crate::compact::Precision;
use crate::error::Result;
use crate::ngrams::{Level, Ngrams};
use pgen_core::codec::{Container, ContainerWriter, Encoder, Packing, check_version};
use pgen_core::{Error, Limits};

const VERSION: u32 = 1;

/// A model as it lies in a file.
///
/// | section | content |
/// |---|---|
/// | `lm` | version, order, length and fingerprint of the vocabulary, number of n-grams by order |
/// | `lm.shape` | which n-grams there are, in bits: for each context the number of its next words, and their places among those that follow the context's suffix |
/// | `lm.values` | log probabilities and back-off weights, level by level |
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    order: usize,
    vocab_len: u32,
    counts: Vec<u64>,
    shape: Vec<u8>,
    values: Vec<u8>,
}

impl Stored {
    /// # Errors
    /// [`Error::BadParameter`] for more than 8 bits.
    pub(crate) fn new(ngrams: &Ngrams, precision: Precision) -> Result<Self> {
        let bits = match precision {
            Precision::Exact => None,
            Precision::Bits(bits @ 2..=8) => Some(bits),
            Precision::Bits(bits) => {
                return Err(Error::parameter("precision", bits, "2 to 8 bits, or exact").into());
            }
        };
        let vocab_len = ngrams.vocabulary() as u32;
        let mut values = Encoder::new();
        for (depth, level) in ngrams.levels.iter().enumerate() {
            values::write(level, depth + 1 == ngrams.order(), bits, &mut values);
        }
        Ok(Stored {
            order: ngrams.order(),
            vocab_len,
            counts: ngrams
                .levels
                .iter()
                .map(|level| level.len() as u64)
                .collect(),
            shape: shape::write(ngrams),
            values: values.into_bytes(),
        })
    }

    /// The model. Nothing of it is larger than the values' bytes allow.
    pub(crate) fn unpack(&self) -> Result<Ngrams> {
        let mut values = pgen_core::codec::Cursor::new(&self.values, "lm.values");
        let mut numbers = Vec::with_capacity(self.order);
        for (depth, &count) in self.counts.iter().enumerate() {
            numbers.push(values::Planes::read(
                &mut values,
                count,
                depth + 1 == self.order,
            )?);
        }
        values.finish()?;
        let mut ngrams = shape::read(&self.shape, self.vocab_len, &self.counts)?;
        for (level, planes) in ngrams.levels.iter_mut().zip(numbers) {
            planes.fill(level)?;
        }
        Ok(ngrams)
    }

    pub(crate) fn write_to(
        &self,
        out: &mut ContainerWriter<'_>,
        prefix: &str,
        fingerprint: u64,
        packing: Packing,
    ) -> Result<(), Error> {
        let mut head = Encoder::new();
        head.u32(VERSION);
        head.u32(self.order as u32);
        head.u32(self.vocab_len);
        head.u64(fingerprint);
        for &count in &self.counts {
            head.u64(count);
        }
        out.section(&format!("{prefix}lm"), Packing::Plain, &head)?;
        for (name, bytes) in [("shape", &self.shape), ("values", &self.values)] {
            let mut content = Encoder::new();
            content.raw(bytes);
            out.section(&format!("{prefix}lm.{name}"), packing, &content)?;
        }
        Ok(())
    }

    /// With the fingerprint of its vocabulary.
    pub(crate) fn read_from(
        container: &Container<'_>,
        prefix: &str,
        limits: &Limits,
    ) -> Result<(Self, u64), Error> {
        let section = container.section(&format!("{prefix}lm"))?;
        let mut head = section.cursor();
        check_version(container, "language model", head.u32()?, VERSION)?;
        let order = head.u32()? as usize;
        let (vocab_len, fingerprint) = (head.u32()?, head.u64()?);
        if order == 0 || vocab_len < 3 {
            return Err(head.error("order or vocabulary are impossible"));
        }
        let checked = |what, found: u64, limit| {
            let found = usize::try_from(found).unwrap_or(usize::MAX);
            Limits::check(what, found, limit).map_err(|error| container.placed(error))
        };
        checked("order", order as u64, limits.order)?;
        checked("number of words", vocab_len.into(), limits.words)?;
        let mut counts = Vec::new();
        for _ in 0..order {
            let count = head.u64()?;
            checked(
                "number of n-grams",
                count,
                limits.rows.min(u32::MAX as usize - 1),
            )?;
            counts.push(count);
        }
        if counts[0] != u64::from(vocab_len) {
            return Err(head.error("unigrams and vocabulary differ in number"));
        }
        head.finish()?;
        let bytes = |name: &str| {
            let section = container.section(&format!("{prefix}lm.{name}"))?;
            Ok::<_, Error>(section.bytes().to_vec())
        };
        let stored = Stored {
            order,
            vocab_len,
            counts,
            shape: bytes("shape")?,
            values: bytes("values")?,
        };
        Ok((stored, fingerprint))
    }

    /// Bytes of the two large sections, before packing.
    pub(crate) fn bytes(&self) -> usize {
        self.shape.len() + self.values.len()
    }

    pub(crate) fn vocabulary(&self) -> usize {
        self.vocab_len as usize
    }
}

/// True if a node has next words.
fn has_children(level: &Level, node: usize) -> bool {
    !level.range(node as u32).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ArpaOptions, read_arpa_lines};
    use pgen_core::{Lines, SplitMix64, Vocab};

    const ARPA: &str = "\\data\\\nngram 1=6\nngram 2=6\nngram 3=3\n\n\\1-grams:\n\
        -2\t<unk>\n-99\t<s>\t-0.3\n-1\t</s>\n-0.8\ta\t-0.2\n-0.9\tb\t-0.4\n-1.1\tc\t0.1\n\n\
        \\2-grams:\n-0.3\t<s> a\t-0.1\n-0.5\ta b\t-0.2\n-0.6\tb c\t0\n-0.2\tc </s>\n-0.7\tb </s>\n\
        -1.5\ta a\t-0.3\n\n\\3-grams:\n-0.1\t<s> a b\n-0.2\ta b c\n-0.4\ta b </s>\n\n\\end\\\n";

    fn stored(precision: Precision) -> (Ngrams, Stored) {
        let mut vocab = Vocab::new();
        let lines = Lines::from_text(ARPA, &Limits::default()).unwrap();
        let (ngrams, _) = read_arpa_lines(lines, &mut vocab, &ArpaOptions::default()).unwrap();
        let stored = Stored::new(&ngrams, precision).unwrap();
        (ngrams, stored)
    }

    #[test]
    fn the_exact_form_is_the_model() {
        let (ngrams, stored) = stored(Precision::Exact);
        let again = stored.unpack().unwrap();
        assert_eq!(again.listed, ngrams.listed);
        for (a, b) in again.levels.iter().zip(&ngrams.levels) {
            assert_eq!(
                (&a.words, &a.children, &a.suffixes),
                (&b.words, &b.children, &b.suffixes)
            );
            for (x, y) in a
                .log_probs
                .iter()
                .chain(&a.backoffs)
                .zip(b.log_probs.iter().chain(&b.backoffs))
            {
                assert_eq!(*x, f64::from(crate::fast::round(*y)));
            }
        }
    }

    #[test]
    fn codes_are_near() {
        let (ngrams, stored) = stored(Precision::Bits(6));
        let again = stored.unpack().unwrap();
        for (a, b) in again.levels.iter().zip(&ngrams.levels) {
            let numbers = a.log_probs.iter().chain(&a.backoffs);
            for (x, y) in numbers.zip(b.log_probs.iter().chain(&b.backoffs)) {
                assert!((x - y).abs() < 0.05, "{x} {y}");
            }
        }
    }

    #[test]
    fn forged_bytes_give_errors_or_models() {
        let mut rng = SplitMix64::new(3);
        for precision in [Precision::Exact, Precision::Bits(8)] {
            let (_, good) = stored(precision);
            for _ in 0..4_000 {
                let mut bad = good.clone();
                let bytes = match rng.below(3) {
                    0 => &mut bad.shape,
                    1 => &mut bad.values,
                    _ => {
                        let at = rng.below(3) as usize;
                        let width = 1 + rng.below(40);
                        bad.counts[at] = rng.below(1 << width);
                        bad.vocab_len = bad.counts[0].min(1 << 20) as u32;
                        &mut bad.shape
                    }
                };
                let at = rng.below(bytes.len() as u64) as usize;
                match rng.below(3) {
                    0 => bytes[at] ^= 1 << rng.below(8),
                    1 => bytes[at] = rng.below(256) as u8,
                    _ => bytes.truncate(at),
                }
                if let Ok(ngrams) = bad.unpack() {
                    assert!(crate::FastModel::new(&ngrams).is_ok());
                }
            }
        }
    }
}
