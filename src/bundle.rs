//! A whole model in one file: vocabulary, language model, tables, weights, spelling of names.

use crate::error::Result;
use pgen_core::codec::{
    Container, ContainerWriter, Encoder, Packing, check_version, save, to_bytes,
};
use pgen_core::{Error as CoreError, Limits, ParaphraseTable, Vocab, Weight};
use pgen_lm::NgramModel;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The language model of a bundle.
pub type Language = NgramModel;

const KIND: &str = "bundle";
const VERSION: u32 = 1;

/// Everything that paraphrasing needs. All parts share one vocabulary.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Bundle {
    /// The words.
    pub vocab: Arc<Vocab>,
    /// The language model; its words are the first ones of the vocabulary.
    pub language: Language,
    /// Tables by name; names that begin with `patterns` or `collocations` say what their tables hold.
    pub tables: Vec<(String, ParaphraseTable)>,
    /// Weights by feature: `language`, `TABLE.FEATURE`, `usability`. Features without one weigh 1
    /// (`usability` in compression, which gains bytes, 0.1).
    pub weights: BTreeMap<String, Weight>,
    /// The usual spelling of names, ascending.
    pub names: Vec<String>,
    /// What else is to be known of the model: title, licence, sources.
    pub about: BTreeMap<String, String>,
}

impl Bundle {
    /// A bundle of parts.
    ///
    /// # Errors
    /// [`CoreError::Mismatch`] if a part was not made with a beginning of this vocabulary.
    pub fn new(
        vocab: Arc<Vocab>,
        language: Language,
        tables: Vec<(String, ParaphraseTable)>,
    ) -> Result<Self> {
        language.check_vocab(&vocab)?;
        for (_, table) in &tables {
            table.check_vocab(&vocab)?;
        }
        Ok(Bundle {
            vocab,
            language,
            tables,
            weights: BTreeMap::new(),
            names: Vec::new(),
            about: BTreeMap::new(),
        })
    }

    /// Opens a model file; every checksum is verified.
    ///
    /// # Errors
    /// Those of [`Container::open`]; damaged or unfitting parts.
    pub fn open(path: &Path, limits: &Limits) -> Result<Self> {
        Self::read(&Container::open(path, limits)?, limits)
    }

    /// Reads a model file in memory.
    ///
    /// # Errors
    /// As [`Bundle::open`].
    pub fn from_bytes<'a>(bytes: impl Into<Cow<'a, [u8]>>, limits: &Limits) -> Result<Self> {
        Self::read(&Container::from_bytes(bytes, limits)?, limits)
    }

    /// Saves the model, whole or not at all.
    ///
    /// # Errors
    /// What the system says.
    pub fn save(&self, path: &Path, packing: Packing) -> Result<()> {
        Ok(save(path, KIND, |out| self.write(out, packing))?)
    }

    /// The model as the bytes of a file.
    ///
    /// # Errors
    /// Packing that this build lacks.
    pub fn to_bytes(&self, packing: Packing) -> Result<Vec<u8>> {
        Ok(to_bytes(KIND, |out| self.write(out, packing))?)
    }

    fn write(&self, out: &mut ContainerWriter<'_>, packing: Packing) -> Result<(), CoreError> {
        let mut head = Encoder::new();
        head.u32(VERSION);
        head.u32(self.tables.len() as u32);
        for (name, _) in &self.tables {
            head.str(name);
        }
        head.u32(self.weights.len() as u32);
        for (name, weight) in &self.weights {
            head.str(name);
            head.f64(weight.get());
        }
        head.u32(self.about.len() as u32);
        for (key, value) in &self.about {
            head.str(key);
            head.str(value);
        }
        out.section("bundle", Packing::Plain, &head)?;
        let mut names = Encoder::new();
        names.str(&self.names.join("\n"));
        out.section("names", packing, &names)?;
        self.vocab.write_to(out, "", packing)?;
        // In bits already: packing would gain a third and cost most of the time to load.
        self.language.write_to(out, "language/", Packing::Plain)?;
        for (at, (_, table)) in self.tables.iter().enumerate() {
            table.write_to(out, &format!("table/{at}/"), packing)?;
        }
        Ok(())
    }

    fn read(container: &Container<'_>, limits: &Limits) -> Result<Self> {
        container.expect_kind(KIND)?;
        let section = container.section("bundle")?;
        let mut head = section.cursor();
        check_version(container, "model bundle", head.u32()?, VERSION)?;
        let mut table_names = Vec::new();
        for _ in 0..head.u32()? {
            table_names.push(head.str()?.to_owned());
        }
        let mut weights = BTreeMap::new();
        for _ in 0..head.u32()? {
            let name = head.str()?.to_owned();
            let weight =
                Weight::new(head.f64()?).map_err(|_| head.error("a weight is no number"))?;
            weights.insert(name, weight);
        }
        let mut about = BTreeMap::new();
        for _ in 0..head.u32()? {
            let key = head.str()?.to_owned();
            about.insert(key, head.str()?.to_owned());
        }
        head.finish()?;
        let vocab = Arc::new(Vocab::read_from(container, "", limits)?);
        let language = Language::read_from(container, "language/", &vocab, limits)?;
        let mut tables = Vec::new();
        for (at, name) in table_names.into_iter().enumerate() {
            tables.push((
                name,
                ParaphraseTable::read_from(container, &format!("table/{at}/"), limits)?,
            ));
        }
        let names = container.section("names")?;
        let names = names
            .cursor()
            .str()?
            .split('\n')
            .filter(|name| !name.is_empty());
        let names = names.map(str::to_owned).collect();
        Ok(Bundle {
            weights,
            names,
            about,
            ..Bundle::new(vocab, language, tables)?
        })
    }
}
