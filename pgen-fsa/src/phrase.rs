//! The constituents that one head projects, in the manner of the Penn treebank.
//!
//! | head | constituents |
//! |---|---|
//! | noun | `(NP (NP base) …)`: what follows the noun stands beside the base, a conjunct beside both; bare nouns and pronouns that are arguments are `NP` too |
//! | verb | `(S … subject … (VP aux (VP verb …)))`; conjuncts without a subject stand beside the innermost `VP`, those with one beside the `S`; a marker or relative pronoun makes an `SBAR` |
//! | predicate with `cop` | the same, with its own phrase in the `VP` |
//! | preposition | `PP` with an object; a noun with a leading `case` (Universal Dependencies) too |
//! | other | one flat constituent, labelled by the head's tag |
//!
//! So a rule seldom says more than what stands side by side, as in treebank parses, and trees of different
//! sentences can be merged; with one flat constituent for each head they hardly ever agree.

use crate::convert::{Kind, Projector};

const SUBJECTS: [&str; 8] = [
    "nsubj",
    "nsubjpass",
    "csubj",
    "csubjpass",
    "nsubj:pass",
    "csubj:pass",
    "expl",
    "SBJ",
];
const AUXILIARIES: [&str; 5] = ["aux", "auxpass", "aux:pass", "cop", "VC"];
const OBJECTS: [&str; 5] = ["pobj", "pcomp", "obj", "dobj", "PMOD"];
/// Relations whose bare noun is a phrase of its own.
const ARGUMENTS: [&str; 16] = [
    "dobj", "obj", "iobj", "dative", "pobj", "attr", "appos", "npadvmod", "obl", "oprd", "root",
    "ROOT", "OBJ", "PMOD", "PRD", "dep",
];
const CLAUSES: [&str; 6] = ["xcomp", "ccomp", "advcl", "csubj", "csubjpass", "pcomp"];
const RELATIVES: [&str; 2] = ["relcl", "acl:relcl"];
/// Dependents behind a noun that stay in its base.
const IN_BASE: [&str; 6] = ["case", "nummod", "compound", "flat", "fixed", "quantmod"];

/// A piece with its token.
type Owned = (u32, u32);

impl Projector<'_> {
    /// The constituent over a head's word and the pieces around it.
    pub(crate) fn constituent(&mut self, head: u32, pieces: &[Owned]) -> u32 {
        if let [(only, _)] = pieces {
            return self.bare(head, *only);
        }
        let place = pieces
            .iter()
            .position(|&(piece, token)| token == head && self.label_of(piece).is_none())
            .unwrap_or(0);
        let predicate = pieces
            .iter()
            .any(|&(_, token)| self.is(token, head, &SUBJECTS) || self.is(token, head, &["cop"]));
        let tag = self.tag(head);
        if predicate || (is_verb(tag) && self.relation(head) != "amod") {
            self.clause(head, place, pieces)
        } else if is_noun(tag) {
            self.nominal(head, place, pieces)
        } else {
            let label = self.flat_label(head, pieces);
            self.over(label, numbers(pieces))
        }
    }

    /// A word without dependents: itself, or a phrase where its relation makes it one.
    fn bare(&mut self, token: u32, word: u32) -> u32 {
        let (tag, relation) = (self.tag(token), self.relation(token));
        let head = self.dependencies.head(token as usize);
        let head_tag = head.map_or("", |head| self.tag(head));
        let subject = SUBJECTS.contains(&relation);
        let conjunct = relation == "conj";
        let argument = subject || ARGUMENTS.contains(&relation) || (conjunct && is_noun(head_tag));
        let label = if argument && matches!(tag, "WP" | "WDT") {
            "WHNP"
        } else if argument && (is_noun(tag) || (subject && tag.starts_with("JJ"))) {
            "NP"
        } else if is_verb(tag) && self.heads_clause(relation, head_tag) {
            let phrase = self.over("VP", vec![word]);
            return self.finish_clause(token, phrase);
        } else if tag.starts_with("JJ") && matches!(relation, "acomp" | "xcomp" | "oprd" | "PRD") {
            "ADJP"
        } else if tag == "WRB" && relation == "advmod" {
            "WHADVP"
        } else if tag.starts_with("RB") && relation == "advmod" && is_verb(head_tag) {
            "ADVP"
        } else if tag == "RP" {
            "PRT"
        } else {
            return word;
        };
        self.over(label, vec![word])
    }

    fn heads_clause(&self, relation: &str, head_tag: &str) -> bool {
        CLAUSES.contains(&relation)
            || RELATIVES.contains(&relation)
            || matches!(relation, "root" | "ROOT" | "acl" | "parataxis")
            || (relation == "conj" && is_verb(head_tag))
    }

    /// `NP` over the base and what follows; `PP` with a leading `case`.
    fn nominal(&mut self, head: u32, place: usize, pieces: &[Owned]) -> u32 {
        let leading = pieces
            .iter()
            .take(place)
            .take_while(|&&(_, token)| self.is(token, head, &["case"]))
            .count();
        let (cases, rest) = pieces.split_at(leading);
        let behind = place + 1 - leading;
        let more = rest[behind..]
            .iter()
            .take_while(|&&(_, token)| self.is(token, head, &IN_BASE))
            .count();
        let (base, post) = rest.split_at(behind + more);
        let label = match (self.tag(head), self.relation(head)) {
            ("CD", "nummod") => "QP",
            ("WP" | "WDT", _) => "WHNP",
            _ => "NP",
        };
        let base = self.over(label, numbers(base));
        let (own, joined) = post.split_at(self.coordination(head, post));
        let phrase = self.joined("NP", base, own);
        let phrase = self.joined("NP", phrase, joined);
        if cases.is_empty() {
            return phrase;
        }
        let mut children = numbers(cases);
        children.push(phrase);
        self.over("PP", children)
    }

    /// `first` with pieces behind it; itself if there are none.
    fn joined(&mut self, label: &'static str, first: u32, behind: &[Owned]) -> u32 {
        if behind.is_empty() {
            return first;
        }
        let mut children = vec![first];
        children.extend(numbers(behind));
        self.over(label, children)
    }

    /// Where a conjunction or conjunct of the head begins, a comma before it included.
    fn coordination(&self, head: u32, behind: &[Owned]) -> usize {
        let joins = |&(_, token): &Owned| self.is(token, head, &["cc", "conj"]);
        let Some(at) = behind.iter().position(joins) else {
            return behind.len();
        };
        let comma = at > 0 && self.is_punctuation(behind[at - 1].0);
        at - usize::from(comma)
    }

    /// `S` over what stands before the subject, the subject, and a `VP` of the rest up to the next
    /// subject or the final punctuation.
    fn clause(&mut self, head: u32, place: usize, pieces: &[Owned]) -> u32 {
        let marks = pieces[..place]
            .iter()
            .take_while(|&&(_, token)| self.is(token, head, &["mark"]))
            .count();
        let is_subject = |&(_, token): &Owned| self.is(token, head, &SUBJECTS);
        let subject = pieces[..place].iter().rposition(is_subject);
        let after = pieces[place..].iter().position(is_subject);
        let mut end = after.map_or(pieces.len(), |at| place + at);
        while end > place + 1 && self.is_punctuation(pieces[end - 1].0) {
            end -= 1;
        }
        let joint = place + 1 + self.coordination(head, &pieces[place + 1..end]);
        let clauses_join = pieces[joint..end]
            .iter()
            .any(|&(piece, _)| self.label_of(piece) == Some("S"));
        let inner_end = if clauses_join { joint } else { end };
        let from = subject.map_or(marks, |at| at + 1);
        let is_auxiliary = |&(_, token): &Owned| self.is(token, head, &AUXILIARIES);
        let first = pieces[from..place].iter().position(is_auxiliary);
        let start = match first {
            Some(at) => from + at,
            None if subject.is_some() => place,
            None => from,
        };
        let inner = Inner { head, place, joint };
        let phrase = self.verb_phrase(&inner, &pieces[..inner_end], start);
        let own = &pieces[marks..start.max(marks)];
        let has_subject = subject.is_some() || after.is_some();
        let mut made = if own.is_empty() && !has_subject {
            self.finish_clause(head, phrase)
        } else {
            let mut children = numbers(own);
            children.push(phrase);
            if !clauses_join {
                children.extend(numbers(&pieces[end..]));
            }
            self.sentence(head, children)
        };
        if clauses_join {
            made = self.joined("S", made, &pieces[joint..]);
        } else if own.is_empty() && !has_subject {
            made = self.joined("S", made, &pieces[end..]);
        }
        if marks == 0 {
            return made;
        }
        let mut children = numbers(&pieces[..marks]);
        children.push(made);
        self.over("SBAR", children)
    }

    /// The head with its complements, conjuncts beside them, and a `VP` around for each auxiliary.
    fn verb_phrase(&mut self, inner: &Inner, pieces: &[Owned], start: usize) -> u32 {
        let Inner { head, place, joint } = *inner;
        let is_auxiliary = |this: &Self, &(_, token): &Owned| this.is(token, head, &AUXILIARIES);
        let last = pieces[start..place]
            .iter()
            .rposition(|piece| is_auxiliary(self, piece));
        let verb = is_verb(self.tag(head));
        // Adverbs before a verb stand beside its auxiliary, those before an adjective with it.
        let core = match last {
            None => start,
            Some(at) if !verb => start + at + 1,
            Some(_) => place,
        };
        let (own, joined) = pieces[core..].split_at((joint - core).min(pieces.len() - core));
        let mut phrase = if verb {
            self.over("VP", numbers(own))
        } else if is_noun(self.tag(head)) {
            self.nominal(head, place - core, own)
        } else {
            let label = self.flat_label(head, own);
            self.over(label, numbers(own))
        };
        phrase = self.joined(if verb { "VP" } else { "UCP" }, phrase, joined);
        if last.is_none() && !verb {
            phrase = self.over("VP", vec![phrase]);
        }
        let mut behind = core;
        for at in (start..core).rev() {
            if is_auxiliary(self, &pieces[at]) {
                let mut children = numbers(&pieces[at..behind]);
                children.push(phrase);
                phrase = self.over("VP", children);
                behind = at;
            }
        }
        phrase
    }

    /// A `VP` without a subject, as its relation asks for it.
    fn finish_clause(&mut self, token: u32, phrase: u32) -> u32 {
        let relation = self.relation(token);
        let root = matches!(relation, "root" | "ROOT");
        if root || CLAUSES.contains(&relation) {
            self.over("S", vec![phrase])
        } else if RELATIVES.contains(&relation) {
            let clause = self.over("S", vec![phrase]);
            self.over("SBAR", vec![clause])
        } else {
            phrase
        }
    }

    /// `S`, or `SBAR` over a relative or interrogative phrase and an `S`.
    fn sentence(&mut self, head: u32, mut children: Vec<u32>) -> u32 {
        let asks = children
            .first()
            .and_then(|&first| self.label_of(first))
            .is_some_and(|label| label.starts_with("WH"));
        let asked = (asks && children.len() > 1).then(|| children.remove(0));
        let clause = self.over("S", children);
        match asked {
            Some(asked) => self.over("SBAR", vec![asked, clause]),
            None if RELATIVES.contains(&self.relation(head)) => self.over("SBAR", vec![clause]),
            None => clause,
        }
    }

    /// The label of one flat constituent.
    fn flat_label(&self, head: u32, pieces: &[Owned]) -> &'static str {
        let tag = self.tag(head);
        let has_object = || {
            pieces
                .iter()
                .any(|&(_, token)| self.is(token, head, &OBJECTS))
        };
        match tag {
            "IN" | "TO" if has_object() => "PP",
            _ if tag.starts_with("JJ") || is_verb(tag) => "ADJP",
            _ if tag.starts_with("RB") => "ADVP",
            _ => "X",
        }
    }

    fn is(&self, token: u32, head: u32, relations: &[&str]) -> bool {
        self.dependencies.head(token as usize) == Some(head)
            && relations.contains(&self.relation(token))
    }

    fn tag(&self, token: u32) -> &str {
        self.tags[token as usize]
    }

    fn relation(&self, token: u32) -> &str {
        self.dependencies.relation(token as usize)
    }

    /// The label of a constituent; `None` for a word.
    fn label_of(&self, piece: u32) -> Option<&'static str> {
        match self.pieces[piece as usize].kind {
            Kind::Word(_) => None,
            Kind::Over { label, .. } => Some(label),
        }
    }

    fn is_punctuation(&self, piece: u32) -> bool {
        let signs = [".", ",", ":", "''", "``"];
        match self.pieces[piece as usize].kind {
            Kind::Word(token) => signs.contains(&self.tag(token)),
            Kind::Over { .. } => false,
        }
    }
}

/// Where the words of a verb phrase stand among the pieces.
struct Inner {
    head: u32,
    place: usize,
    /// Where conjuncts begin.
    joint: usize,
}

fn numbers(pieces: &[Owned]) -> Vec<u32> {
    pieces.iter().map(|&(piece, _)| piece).collect()
}

fn is_verb(tag: &str) -> bool {
    tag.starts_with("VB") || matches!(tag, "MD" | "AUX")
}

fn is_noun(tag: &str) -> bool {
    tag.starts_with("NN") || matches!(tag, "PRP" | "CD" | "EX" | "DT" | "WP" | "WDT")
}
