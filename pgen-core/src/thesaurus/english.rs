//! English inflection: which lemma a form belongs to, and which form a lemma takes. Irregular forms
//! come from the exceptions table, regular ones from spelling rules.

use super::{Thesaurus, WordClass};

/// An inflected form of a lemma.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs)] // the names are the grammar's
pub enum Inflection {
    Base,
    Plural,
    ThirdPerson,
    Past,
    PastParticiple,
    Gerund,
    Comparative,
    Superlative,
}

impl Inflection {
    /// The forms that a class has.
    #[must_use]
    pub fn of(class: WordClass) -> &'static [Inflection] {
        use Inflection::*;
        match class {
            WordClass::Noun => &[Base, Plural],
            WordClass::Verb => &[Base, ThirdPerson, Past, PastParticiple, Gerund],
            WordClass::Adjective | WordClass::Adverb => &[Base, Comparative, Superlative],
        }
    }
}

/// Verbs whose participle is their base form, which no table of irregular forms can list.
const PARTICIPLE_IS_BASE: [&str; 6] = ["become", "come", "outrun", "overcome", "overrun", "run"];

/// Verbs that change in nothing but the third person and the gerund.
const UNCHANGING: [&str; 24] = [
    "bet",
    "bid",
    "broadcast",
    "burst",
    "cast",
    "cost",
    "cut",
    "forecast",
    "hit",
    "hurt",
    "let",
    "offset",
    "put",
    "quit",
    "read",
    "reset",
    "rid",
    "set",
    "shed",
    "shut",
    "split",
    "spread",
    "thrust",
    "upset",
];

impl Thesaurus {
    /// Every (class, lemma, form) that a word can be, ascending by class, lemma, form. The lemma must
    /// be in the thesaurus. O(log n) a candidate.
    #[must_use]
    pub fn analyses(&self, form: &str) -> Vec<(WordClass, String, Inflection)> {
        let mut out = Vec::new();
        for class in [
            WordClass::Noun,
            WordClass::Verb,
            WordClass::Adjective,
            WordClass::Adverb,
        ] {
            let mut lemmas: Vec<String> = self
                .irregular_lemmas(form, class)
                .map(str::to_owned)
                .collect();
            lemmas.extend(regular_lemmas(form, class));
            lemmas.retain(|lemma| self.knows(lemma, class));
            lemmas.sort();
            lemmas.dedup();
            for lemma in lemmas {
                for &inflection in Inflection::of(class) {
                    if self
                        .inflect(&lemma, class, inflection)
                        .iter()
                        .any(|known| known == form)
                    {
                        out.push((class, lemma.clone(), inflection));
                    }
                }
            }
        }
        out
    }

    /// The forms of a lemma for an inflection, best first; usually one. Of several words the first
    /// (verbs) or last (others) inflects. Adjectives of more than two syllables compare with `more`
    /// and `most`, which is not done here: the answer is empty.
    #[must_use]
    pub fn inflect(&self, lemma: &str, class: WordClass, inflection: Inflection) -> Vec<String> {
        if inflection == Inflection::Base {
            return vec![lemma.to_owned()];
        }
        if let Some((head, rest)) = split_head(lemma, class) {
            let forms = self.inflect(head, class, inflection);
            let join = |form: String| match class {
                WordClass::Verb => format!("{form} {rest}"),
                _ => format!("{rest} {form}"),
            };
            return forms.into_iter().map(join).collect();
        }
        let irregular: Vec<&str> = self.irregular_forms(lemma, class).collect();
        match irregular_form(lemma, inflection, &irregular) {
            Some(form) => vec![form.to_owned()],
            None => regular_form(lemma, inflection).into_iter().collect(),
        }
    }

    fn irregular_lemmas(&self, form: &str, class: WordClass) -> impl Iterator<Item = &str> {
        entries(&self.irregular, form, class)
    }

    fn irregular_forms(&self, lemma: &str, class: WordClass) -> impl Iterator<Item = &str> {
        entries(&self.irregular_by_lemma, lemma, class)
    }
}

/// The third fields of the rows that start with `key` and `class` in a sorted table.
fn entries<'a>(
    rows: &'a [(String, WordClass, String)],
    key: &str,
    class: WordClass,
) -> impl Iterator<Item = &'a str> {
    let start = rows.partition_point(|(k, c, _)| (k.as_str(), *c) < (key, class));
    let key = key.to_owned();
    rows[start..]
        .iter()
        .take_while(move |(k, c, _)| *k == key && *c == class)
        .map(|(_, _, value)| value.as_str())
}

/// The word that inflects in a lemma of several words, and the rest.
fn split_head(lemma: &str, class: WordClass) -> Option<(&str, &str)> {
    match class {
        WordClass::Verb => lemma.split_once(' '),
        _ => lemma.rsplit_once(' ').map(|(rest, head)| (head, rest)),
    }
}

/// Which of a lemma's irregular forms serves an inflection, if one does.
fn irregular_form<'a>(
    lemma: &'a str,
    inflection: Inflection,
    forms: &[&'a str],
) -> Option<&'a str> {
    let past: Vec<&str> = forms
        .iter()
        .copied()
        .filter(|form| {
            !form.ends_with("ing") && !form.ends_with('s') || lemma == "be" && *form == "was"
        })
        .collect();
    match inflection {
        Inflection::Base => None,
        Inflection::Plural => forms.first().copied(),
        Inflection::Gerund => forms.iter().copied().find(|form| form.ends_with("ing")),
        Inflection::ThirdPerson => forms
            .iter()
            .copied()
            .find(|form| form.ends_with('s') && *form != "was"),
        Inflection::Comparative => forms
            .iter()
            .copied()
            .find(|form| form.ends_with('r') || *form == "worse"),
        Inflection::Superlative => forms.iter().copied().find(|form| form.ends_with("st")),
        Inflection::Past | Inflection::PastParticiple if UNCHANGING.contains(&lemma) => Some(lemma),
        Inflection::PastParticiple if PARTICIPLE_IS_BASE.contains(&lemma) => Some(lemma),
        Inflection::Past => past
            .iter()
            .copied()
            .find(|form| !is_participle(form, &past)),
        Inflection::PastParticiple => past
            .iter()
            .copied()
            .find(|form| is_participle(form, &past))
            .or(past.first().copied()),
    }
}

/// Of several irregular past forms, the participle ends in -n (gone, taken) or has the `u` of sung.
fn is_participle(form: &str, all: &[&str]) -> bool {
    if all.len() < 2 {
        return false;
    }
    let in_n = |form: &str| form.ends_with('n') || form.ends_with("ne");
    if all.iter().any(|other| in_n(other)) {
        return in_n(form);
    }
    form.contains('u') && all.iter().any(|other| other.contains('a'))
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u')
}

/// Vowel groups, a rough count of syllables; a silent final e does not count.
fn syllables(word: &str) -> usize {
    let word = word.strip_suffix('e').unwrap_or(word);
    let mut groups = 0;
    let mut inside = false;
    for letter in word.chars() {
        let vowel = is_vowel(letter) || letter == 'y';
        groups += usize::from(vowel && !inside);
        inside = vowel;
    }
    groups.max(1)
}

/// True if the final consonant doubles before a vowel: stop → stopping, but visit → visiting.
fn doubles(word: &str) -> bool {
    let letters: Vec<char> = word.chars().rev().take(3).collect();
    let [last, middle, before] = letters[..] else {
        return false;
    };
    let shape = !is_vowel(last)
        && !matches!(last, 'w' | 'x' | 'y' | 'h')
        && is_vowel(middle)
        && (!is_vowel(before) || word.ends_with("quit") || word.ends_with("quip"));
    shape && (syllables(word) == 1 || STRESSED_END.contains(&word))
}

/// Frequent verbs of two syllables that are stressed on the second.
const STRESSED_END: [&str; 28] = [
    "abet", "abhor", "admit", "allot", "begin", "commit", "compel", "concur", "confer", "control",
    "defer", "deter", "emit", "equip", "excel", "expel", "forbid", "forget", "incur", "infer",
    "occur", "omit", "patrol", "permit", "prefer", "refer", "regret", "submit",
];

/// The regular form, or `None` where the language has none.
fn regular_form(lemma: &str, inflection: Inflection) -> Option<String> {
    let last = lemma.chars().next_back()?;
    let before = lemma.chars().rev().nth(1);
    let consonant_y = last == 'y' && before.is_some_and(|letter| !is_vowel(letter));
    let stem = &lemma[..lemma.len() - last.len_utf8()];
    let with_suffix = |suffix: &str| {
        if last == 'e' && suffix.starts_with('e') {
            format!("{stem}{suffix}")
        } else if consonant_y {
            format!("{stem}i{suffix}")
        } else if doubles(lemma) {
            format!("{lemma}{last}{suffix}")
        } else {
            format!("{lemma}{suffix}")
        }
    };
    Some(match inflection {
        Inflection::Base => lemma.to_owned(),
        Inflection::Plural | Inflection::ThirdPerson => {
            if consonant_y {
                format!("{stem}ies")
            } else if ["s", "x", "z", "ch", "sh"]
                .iter()
                .any(|end| lemma.ends_with(end))
                || inflection == Inflection::ThirdPerson && last == 'o'
            {
                format!("{lemma}es")
            } else {
                format!("{lemma}s")
            }
        }
        Inflection::Past | Inflection::PastParticiple => with_suffix("ed"),
        Inflection::Gerund => {
            if let Some(root) = lemma.strip_suffix("ie") {
                format!("{root}ying")
            } else if last == 'e' && !["ee", "oe", "ye"].iter().any(|end| lemma.ends_with(end)) {
                format!("{stem}ing")
            } else if doubles(lemma) {
                format!("{lemma}{last}ing")
            } else {
                format!("{lemma}ing")
            }
        }
        Inflection::Comparative | Inflection::Superlative => {
            let short = syllables(lemma) == 1 || syllables(lemma) == 2 && consonant_y;
            if !short {
                return None;
            }
            with_suffix(if inflection == Inflection::Comparative {
                "er"
            } else {
                "est"
            })
        }
    })
}

/// Lemmas whose regular form the word may be; more than are right, never fewer.
fn regular_lemmas(form: &str, class: WordClass) -> Vec<String> {
    let suffixes: &[(&str, &[&str])] = match class {
        WordClass::Noun => &[("ies", &["y"]), ("es", &["", "e"]), ("s", &[""])],
        WordClass::Verb => &[
            ("ies", &["y"]),
            ("es", &["", "e"]),
            ("s", &[""]),
            ("ied", &["y"]),
            ("ed", &["", "e"]),
            ("ying", &["ie"]),
            ("ing", &["", "e"]),
        ],
        WordClass::Adjective | WordClass::Adverb => &[
            ("ier", &["y"]),
            ("er", &["", "e"]),
            ("iest", &["y"]),
            ("est", &["", "e"]),
        ],
    };
    let mut out = vec![form.to_owned()];
    for &(suffix, endings) in suffixes {
        let Some(stem) = form.strip_suffix(suffix).filter(|stem| !stem.is_empty()) else {
            continue;
        };
        out.extend(endings.iter().map(|ending| format!("{stem}{ending}")));
        let mut letters = stem.chars().rev();
        if let (Some(a), Some(b)) = (letters.next(), letters.next())
            && a == b
        {
            out.push(stem[..stem.len() - a.len_utf8()].to_owned());
        }
    }
    if class == WordClass::Verb {
        // Phrasal verbs inflect in front.
        if let Some((head, rest)) = form.split_once(' ') {
            out.extend(
                regular_lemmas(head, class)
                    .into_iter()
                    .map(|head| format!("{head} {rest}")),
            );
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thesaurus::ThesaurusBuilder;

    fn thesaurus() -> Thesaurus {
        let mut builder = ThesaurusBuilder::new();
        let sets = [
            "n1\tman\t",
            "n2\tcity town\t",
            "v3\tgo\t",
            "v4\tstop\t",
            "v5\tvisit\t",
            "v6\ttake\t",
            "a7\thappy\t",
            "v8\tcome\t",
            "v9\tsing\t",
            "v10\tbuy\t",
            "v11\tset set_up\t",
            "n12\tset\t",
            "v13\tmake\t",
            "v14\trefer\t",
            "a15\tbeautiful\t",
        ];
        for (number, line) in (1..).zip(sets) {
            builder.synset_line(number, line).unwrap();
        }
        let exceptions = [
            "noun\tmen\tman",
            "verb\twent\tgo",
            "verb\tgone\tgo",
            "verb\ttook\ttake",
            "verb\ttaken\ttake",
            "verb\tcame\tcome",
            "verb\tsang\tsing",
            "verb\tsung\tsing",
            "verb\tbought\tbuy",
            "verb\tmade\tmake",
        ];
        for (number, line) in (1..).zip(exceptions) {
            builder.exception_line(number, line).unwrap();
        }
        builder.build().unwrap()
    }

    #[test]
    fn forms_of_lemmas() {
        use Inflection::*;
        let t = thesaurus();
        let cases = [
            ("man", WordClass::Noun, Plural, "men"),
            ("city", WordClass::Noun, Plural, "cities"),
            ("go", WordClass::Verb, Past, "went"),
            ("go", WordClass::Verb, PastParticiple, "gone"),
            ("go", WordClass::Verb, ThirdPerson, "goes"),
            ("stop", WordClass::Verb, Gerund, "stopping"),
            ("visit", WordClass::Verb, Past, "visited"),
            ("refer", WordClass::Verb, Past, "referred"),
            ("take", WordClass::Verb, Gerund, "taking"),
            ("take", WordClass::Verb, PastParticiple, "taken"),
            ("come", WordClass::Verb, PastParticiple, "come"),
            ("come", WordClass::Verb, Past, "came"),
            ("sing", WordClass::Verb, Past, "sang"),
            ("sing", WordClass::Verb, PastParticiple, "sung"),
            ("buy", WordClass::Verb, PastParticiple, "bought"),
            ("set up", WordClass::Verb, Past, "set up"),
            ("set up", WordClass::Verb, Gerund, "setting up"),
            ("happy", WordClass::Adjective, Comparative, "happier"),
        ];
        for (lemma, class, inflection, form) in cases {
            assert_eq!(
                t.inflect(lemma, class, inflection),
                [form],
                "{lemma} {inflection:?}"
            );
        }
        assert!(
            t.inflect("beautiful", WordClass::Adjective, Superlative)
                .is_empty()
        );
    }

    #[test]
    fn analyses_invert_inflection() {
        let t = thesaurus();
        let cases = [
            (
                "cities",
                vec![(WordClass::Noun, "city".to_owned(), Inflection::Plural)],
            ),
            (
                "went",
                vec![(WordClass::Verb, "go".to_owned(), Inflection::Past)],
            ),
            (
                "made",
                vec![
                    (WordClass::Verb, "make".to_owned(), Inflection::Past),
                    (
                        WordClass::Verb,
                        "make".to_owned(),
                        Inflection::PastParticiple,
                    ),
                ],
            ),
            ("unknown", vec![]),
        ];
        for (form, expected) in cases {
            assert_eq!(t.analyses(form), expected, "{form}");
        }
        let sets = t.analyses("sets");
        assert!(sets.contains(&(WordClass::Noun, "set".into(), Inflection::Plural)));
        assert!(sets.contains(&(WordClass::Verb, "set".into(), Inflection::ThirdPerson)));
    }
}
