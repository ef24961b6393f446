//! How formal a paraphrase may sound.

/// Bounds the words that replacements may bring in. What the source has may stay.
///
/// A closed list each way, not a model of style: contractions, colloquial nouns and adverbs, phrasal verbs
/// against latinate verbs and connectives of written English.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Register {
    /// Any words.
    #[default]
    Any,
    /// No contractions, no colloquial words.
    Formal,
    /// No stiff words.
    Informal,
}

/// Normalised words that formal text avoids.
const COLLOQUIAL: &[&str] = &[
    "n't",
    "'m",
    "'re",
    "'ve",
    "'ll",
    "'d",
    "kid",
    "kids",
    "guy",
    "guys",
    "folks",
    "buddy",
    "bucks",
    "stuff",
    "ok",
    "okay",
    "yeah",
    "yep",
    "nope",
    "hi",
    "hey",
    "bye",
    "thanks",
    "awesome",
    "cool",
    "crazy",
    "dumb",
    "huge",
    "gonna",
    "gotta",
    "wanna",
    "kind of",
    "sort of",
    "a lot",
    "lots of",
    "a bunch of",
    "loads of",
    "tons of",
    "pretty much",
    "a bit",
    "get rid of",
    "figure out",
    "mess up",
    "show up",
    "check out",
    "hang out",
    "deal with",
    "mom",
    "dad",
    "movie",
    "movies",
    "cop",
    "cops",
    "boss",
    "big deal",
    "no way",
];

/// Normalised words that conversation avoids.
const STIFF: &[&str] = &[
    "thus",
    "hence",
    "moreover",
    "furthermore",
    "nevertheless",
    "nonetheless",
    "whereas",
    "whilst",
    "upon",
    "amongst",
    "regarding",
    "concerning",
    "pursuant",
    "notwithstanding",
    "therein",
    "thereby",
    "therefore",
    "consequently",
    "additionally",
    "in addition",
    "prior to",
    "subsequent to",
    "in order to",
    "with regard to",
    "with respect to",
    "in relation to",
    "by means of",
    "on account of",
    "owing to",
    "commence",
    "commences",
    "commenced",
    "purchase",
    "purchases",
    "purchased",
    "obtain",
    "obtains",
    "obtained",
    "endeavour",
    "endeavours",
    "endeavoured",
    "utilise",
    "utilised",
    "utilize",
    "utilized",
    "ascertain",
    "ascertained",
    "reside",
    "resides",
    "resided",
    "inquire",
    "inquired",
    "require",
    "requires",
    "required",
    "necessitate",
    "necessitates",
    "necessitated",
    "demonstrate",
    "demonstrates",
    "demonstrated",
    "constitute",
    "constitutes",
    "constituted",
    "remark",
    "remarked",
    "shall",
    "ought",
];

impl Register {
    /// Phrases of normalised words that replacements may not bring in.
    #[must_use]
    pub fn avoided(self) -> &'static [&'static str] {
        match self {
            Register::Any => &[],
            Register::Formal => COLLOQUIAL,
            Register::Informal => STIFF,
        }
    }
}
