//! The model file: a container of kind `annotator` with checked sections.

use super::annotator::Annotator;
use super::classes::WordClasses;
use super::names::Names;
use super::parser::{Labeller, Parser};
use super::tagger::{TagDictionary, Tagger};
use super::weights::{MoveWeights, Rows, UNIT, Weights, shrunk};
use pgen_core::codec::{Container, Cursor, Encoder, Packing, check_version, save, to_bytes};
use pgen_core::{Limits, Result};
use std::path::Path;

const KIND: &str = "annotator";
/// Version 1 had weights that were not rounded to units.
const VERSION: u32 = 2;
const PACKING: Packing = if cfg!(feature = "gzip") {
    Packing::Deflate
} else {
    Packing::Plain
};

impl Annotator {
    /// Writes the model: whole, or not at all. The bytes depend on nothing but the model and on whether
    /// the feature `gzip` packs them.
    ///
    /// # Errors
    /// [`pgen_core::Error::Io`].
    pub fn save(&self, path: &Path) -> Result<()> {
        save(path, KIND, |writer| {
            self.sections()
                .iter()
                .try_for_each(|(name, content)| writer.section(name, PACKING, content))
        })
    }

    /// The file's bytes.
    ///
    /// # Errors
    /// None in practice; memory cannot refuse to be written.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        to_bytes(KIND, |writer| {
            self.sections()
                .iter()
                .try_for_each(|(name, content)| writer.section(name, PACKING, content))
        })
    }

    /// Reads a model file.
    ///
    /// # Errors
    /// [`pgen_core::Error::Io`]; [`pgen_core::Error::WrongFormat`] for another kind of file,
    /// [`pgen_core::Error::UnsupportedVersion`] for a newer one, [`pgen_core::Error::Corrupt`] for a
    /// damaged one.
    pub fn load(path: &Path, limits: &Limits) -> Result<Self> {
        Self::read(&Container::open(path, limits)?)
    }

    /// Reads a model from a file's bytes.
    ///
    /// # Errors
    /// As [`Annotator::load`].
    pub fn from_bytes(bytes: &[u8], limits: &Limits) -> Result<Self> {
        Self::read(&Container::from_bytes(bytes, limits)?)
    }

    fn sections(&self) -> [(&'static str, Encoder); 6] {
        let mut head = Encoder::new();
        head.u32(VERSION);
        head.u32(self.beam as u32);
        head.u32(self.margin);
        head.str(&self.notice);
        for names in [&self.tags, &self.relations] {
            head.u32(names.len() as u32);
            names.iter().for_each(|name| head.str(name));
        }
        let dictionary = self.tagger.dictionary.rows();
        let dictionary = encode_map(&dictionary, |(_, tags), out| out.varint(u64::from(*tags)));
        let classes: Vec<_> = self
            .classes
            .rows()
            .into_iter()
            .map(|(w, f, c)| (w, (f, c)))
            .collect();
        let classes = encode_map(&classes, |(_, (fine, coarse)), out| {
            out.u16(*fine);
            out.u16(*coarse);
        });
        let [tagger, labels, moves] = &self.rows;
        [
            ("head", head),
            ("dictionary", dictionary),
            ("classes", classes),
            ("tagger", encode_rows(tagger)),
            ("relations", encode_rows(labels)),
            ("moves", encode_rows(moves)),
        ]
    }

    fn read(container: &Container<'_>) -> Result<Self> {
        container.expect_kind(KIND)?;
        let section = container.section("head")?;
        let mut head = section.cursor();
        let version = head.u32()?;
        check_version(container, KIND, version, VERSION)?;
        let unit = if version == 1 { 1 } else { UNIT };
        let (beam, margin) = (head.u32()? as usize, head.u32()?);
        if !(1..=64).contains(&beam) {
            return Err(head.error("the beam is out of range"));
        }
        let notice = head.str()?.to_owned();
        let (tags, relations) = (names(&mut head)?, names(&mut head)?);
        head.finish()?;
        let read = |name: &str, classes: usize| {
            decode_rows(container.section(name)?.cursor(), classes, unit)
        };
        let rows = [
            read("tagger", tags.len())?,
            read("relations", relations.len())?,
            read("moves", 3)?,
        ];
        let dictionary = decode_map(container.section("dictionary")?.cursor(), |cursor| {
            cursor.varint32()
        })?;
        let classes = decode_map(container.section("classes")?.cursor(), |cursor| {
            Ok((cursor.u16()?, cursor.u16()?))
        })?;
        let classes: Vec<_> = classes
            .into_iter()
            .map(|(word, (fine, coarse))| (word, fine, coarse))
            .collect();
        Ok(Annotator {
            tagger: Tagger {
                dictionary: TagDictionary::new(dictionary),
                weights: Weights::new(&rows[0]),
                tags: tags.len(),
            },
            parser: Parser {
                weights: MoveWeights::new(&rows[2]),
                labeller: Labeller {
                    weights: Weights::new(&rows[1]),
                    relations: relations.len(),
                },
            },
            classes: WordClasses::new(&classes)?,
            tags,
            relations,
            beam,
            margin,
            notice,
            rows,
            pool: Default::default(),
        })
    }
}

fn names(cursor: &mut Cursor<'_>) -> Result<Names> {
    let count = cursor.u32()?;
    let mut names = Vec::new();
    for _ in 0..count {
        names.push(cursor.str()?.to_owned());
    }
    Names::new(names).ok_or_else(|| cursor.error("names out of order or too many"))
}

/// Rows in ascending order of their keys, of which the differences are stored.
fn encode_map<V>(rows: &[(u32, V)], put: impl Fn(&(u32, V), &mut Encoder)) -> Encoder {
    let mut out = Encoder::new();
    out.u64(rows.len() as u64);
    let mut before = 0;
    for row in rows {
        out.varint(u64::from(row.0.wrapping_sub(before)));
        before = row.0;
        put(row, &mut out);
    }
    out
}

fn decode_map<V>(
    mut cursor: Cursor<'_>,
    value: impl Fn(&mut Cursor<'_>) -> Result<V>,
) -> Result<Vec<(u32, V)>> {
    let count = cursor.u64()?;
    let mut rows: Vec<(u32, V)> = Vec::new();
    let mut key = 0u32;
    for at in 0..count {
        let gap = cursor.varint32()?;
        key = match key.checked_add(gap) {
            Some(key) if at == 0 || gap > 0 => key,
            _ => return Err(cursor.error("keys out of order")),
        };
        rows.push((key, value(&mut cursor)?));
    }
    cursor.finish()?;
    Ok(rows)
}

/// Weights as zigzag numbers of units, so that small ones take a byte.
fn encode_rows(rows: &Rows) -> Encoder {
    encode_map(rows, |(_, row), out| {
        out.u8(row.len() as u8);
        for &(class, weight) in row {
            let units = i16::from(shrunk(weight));
            out.u8(class);
            out.varint(u64::from(((units << 1) ^ (units >> 15)) as u16));
        }
    })
}

fn decode_rows(cursor: Cursor<'_>, classes: usize, unit: i16) -> Result<Rows> {
    decode_map(cursor, |cursor| {
        let count = cursor.u8()?;
        let mut row = Vec::new();
        for _ in 0..count {
            let class = cursor.u8()?;
            let coded = cursor.varint32()?;
            let Ok(coded) = u16::try_from(coded) else {
                return Err(cursor.error("a weight is too large"));
            };
            if usize::from(class) >= classes {
                return Err(cursor.error("a class is out of range"));
            }
            let weight = (coded >> 1) as i16 ^ -((coded & 1) as i16);
            let Some(weight) = weight.checked_mul(unit) else {
                return Err(cursor.error("a weight is too large"));
            };
            row.push((class, weight));
        }
        if row.is_empty() {
            return Err(cursor.error("a feature has no weights"));
        }
        Ok(row)
    })
}
