//! Penn treebank brackets: `( (S (NP-SBJ-1 (DT The) (NN dog)) (VP (VBD ran))) )`.

use crate::error::{Error, Place, Result};
use crate::input::Lines;
use crate::limits::Limits;
use crate::tree::{Tree, TreeBuilder, bad, unescape};

/// How brackets become a [`Tree`].
///
/// | field | default | meaning |
/// |---|---|---|
/// | `function_tags` | false | keep `-SBJ-1` in `NP-SBJ-1` |
/// | `traces` | false | keep words under `-NONE-` |
/// | `unescape` | true | `-LRB-` becomes `(`, `\/` becomes `/` |
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct PennOptions {
    pub function_tags: bool,
    pub traces: bool,
    pub unescape: bool,
}

impl Default for PennOptions {
    fn default() -> Self {
        PennOptions {
            function_tags: false,
            traces: false,
            unescape: true,
        }
    }
}

/// What a [`PennReader`] finds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PennItem {
    /// A tree.
    Tree(Tree),
    /// A blank line between trees; by convention the end of a group.
    Blank,
}

/// Reads trees, however they are spread over lines. After an error it goes on behind the line at which
/// the tree went wrong.
#[derive(Debug)]
pub struct PennReader {
    lines: Lines,
    options: PennOptions,
    limits: Limits,
    parser: Parser,
    /// The rest of the line that was read last.
    rest: String,
    column: usize,
}

impl PennReader {
    /// A reader of these lines.
    #[must_use]
    pub fn new(lines: Lines, options: PennOptions, limits: &Limits) -> Self {
        PennReader {
            lines,
            options,
            limits: limits.clone(),
            parser: Parser::new(limits),
            rest: String::new(),
            column: 0,
        }
    }

    /// The line last read, for messages.
    #[must_use]
    pub fn place(&self) -> Place {
        self.lines.place()
    }

    /// The next tree or blank line; `None` at the end.
    ///
    /// # Errors
    /// [`Error::BadTree`] with line and byte column: a bracket too many or too few, words mixed with
    /// constituents, several words under one tag, no word at all. [`Error::LimitExceeded`] for depth
    /// and tokens. As [`Lines::next_line`].
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<PennItem>> {
        loop {
            let rest = self.rest.get(self.column..).unwrap_or("");
            match self.parser.feed(rest, &self.options) {
                Ok((used, tree)) => {
                    self.column += used;
                    if let Some(tree) = tree {
                        self.parser = Parser::new(&self.limits);
                        return Ok(Some(PennItem::Tree(tree)));
                    }
                }
                Err((used, error)) => {
                    let place = self.lines.place().at_column(self.column + used + 1);
                    self.start_over();
                    return Err(error.at_place(place));
                }
            }
            match self.lines.next_line() {
                Ok(Some((_, line))) => {
                    let blank = line.trim().is_empty();
                    self.rest.clear();
                    self.rest.push_str(line);
                    self.column = 0;
                    if blank && self.parser.is_idle() {
                        return Ok(Some(PennItem::Blank));
                    }
                }
                Ok(None) if self.parser.is_idle() => return Ok(None),
                Ok(None) => {
                    let place = self.lines.place();
                    self.start_over();
                    return Err(
                        bad("a bracket is not closed at the end of the input").at_place(place)
                    );
                }
                Err(error) => {
                    self.start_over();
                    return Err(error);
                }
            }
        }
    }

    fn start_over(&mut self) {
        self.parser = Parser::new(&self.limits);
        self.rest.clear();
        self.column = 0;
    }
}

impl Tree {
    /// One tree in Penn brackets, with default [`PennOptions`].
    ///
    /// # Errors
    /// [`Error::BadTree`] with the byte column, also for text behind the tree;
    /// [`Error::LimitExceeded`].
    pub fn parse(text: &str, limits: &Limits) -> Result<Tree> {
        let mut parser = Parser::new(limits);
        let at = |used: usize| Place::line(1).at_column(used + 1);
        let (used, tree) = parser
            .feed(text, &PennOptions::default())
            .map_err(|(used, error)| error.at_place(at(used)))?;
        let tree = tree.ok_or_else(|| bad("a bracket is not closed").at_place(at(used)))?;
        if text.get(used..).is_some_and(|rest| !rest.trim().is_empty()) {
            return Err(bad("text behind the tree").at_place(at(used)));
        }
        Ok(tree)
    }
}

/// A preterminal or constituent that is open.
#[derive(Debug)]
struct Open {
    label: String,
    /// The word, once there is one.
    word: Option<String>,
    /// It was handed to the builder as a constituent.
    built: bool,
}

#[derive(Debug)]
struct Parser {
    builder: TreeBuilder,
    open: Vec<Open>,
    depth: usize,
}

impl Parser {
    fn new(limits: &Limits) -> Self {
        Parser {
            builder: TreeBuilder::new(limits),
            open: Vec::new(),
            depth: limits.depth,
        }
    }

    fn is_idle(&self) -> bool {
        self.open.is_empty()
    }

    /// Reads on until a tree is complete or the text ends. Returns how much was read; with an error,
    /// where it is.
    fn feed(
        &mut self,
        text: &str,
        options: &PennOptions,
    ) -> std::result::Result<(usize, Option<Tree>), (usize, Error)> {
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let start = at;
            let stop = |c: char| c == '(' || c == ')' || c.is_whitespace();
            let done = match rest.chars().next() {
                Some('(') => {
                    let label = rest[1..].split(stop).next().unwrap_or("");
                    at += 1 + label.len();
                    self.open(label).map(|()| None)
                }
                Some(')') => {
                    at += 1;
                    self.close(options)
                }
                Some(c) if c.is_whitespace() => {
                    at += c.len_utf8();
                    Ok(None)
                }
                _ => {
                    let word = rest.split(stop).next().unwrap_or("");
                    at += word.len();
                    self.word(word).map(|()| None)
                }
            };
            match done {
                Ok(None) => {}
                Ok(tree) => return Ok((at, tree)),
                Err(error) => return Err((start, error)),
            }
        }
        Ok((text.len(), None))
    }

    fn open(&mut self, label: &str) -> Result<()> {
        Limits::check("depth of a tree", self.open.len() + 1, self.depth)?;
        if let Some(above) = self.open.last_mut() {
            if above.word.is_some() {
                return Err(bad("words and constituents stand side by side"));
            }
            if !above.built {
                above.built = true;
                self.builder.open(&above.label)?;
            }
        }
        self.open.push(Open {
            label: label.to_owned(),
            word: None,
            built: false,
        });
        Ok(())
    }

    fn word(&mut self, word: &str) -> Result<()> {
        match self.open.last_mut() {
            None => Err(bad("a word outside of brackets")),
            Some(node) if node.built => Err(bad("words and constituents stand side by side")),
            // `( NP …`: a blank may stand between bracket and label.
            Some(node) if node.label.is_empty() => {
                node.label = word.to_owned();
                Ok(())
            }
            Some(node) if node.word.is_some() => Err(bad("a tag holds more than one word")),
            Some(node) => {
                node.word = Some(word.to_owned());
                Ok(())
            }
        }
    }

    fn close(&mut self, options: &PennOptions) -> Result<Option<Tree>> {
        let Some(node) = self.open.pop() else {
            return Err(bad("a closing bracket too many"));
        };
        let label = strip_label(&node.label, options);
        match node.word {
            Some(_) if node.label == "-NONE-" && !options.traces => {}
            Some(word) if options.unescape => self.builder.leaf(label, &unescape(&word))?,
            Some(word) => self.builder.leaf(label, &word)?,
            None if node.built => {
                self.builder.relabel(label)?;
                self.builder.close()?;
            }
            None => {}
        }
        if !self.open.is_empty() {
            return Ok(None);
        }
        let limits = Limits::default();
        let done = std::mem::replace(&mut self.builder, TreeBuilder::new(&limits)).finish()?;
        Ok(Some(done.without_wrapper()?))
    }
}

/// `NP-SBJ-1` → `NP`; labels that start with `-` keep everything.
fn strip_label<'a>(label: &'a str, options: &PennOptions) -> &'a str {
    if options.function_tags || label.starts_with('-') {
        return label;
    }
    // A label that is nothing but an index stays as it is.
    let bare = label.split(['-', '=']).next().unwrap_or(label);
    if bare.is_empty() { label } else { bare }
}

impl Tree {
    /// Without outer nodes that say nothing: an empty label, `ROOT` or `TOP` over one child.
    fn without_wrapper(self) -> Result<Tree> {
        let mut inner = self.root();
        loop {
            let mut children = inner.children();
            match (inner.label(), children.next(), children.next()) {
                ("" | "ROOT" | "TOP", Some(child), None) => inner = child,
                _ => break,
            }
        }
        if inner.index() == 0 {
            return Ok(self);
        }
        inner.to_tree()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Tree> {
        Tree::parse(text, &Limits::default())
    }

    #[test]
    fn brackets_are_read_as_treebanks_write_them() {
        let tree = parse(
            "( (S (NP-SBJ-1 (DT The) (NN dog)) (VP (VBD ran) (S (NP (-NONE- *-1)) ) (-LRB- -LRB-)) (. .)) )",
        );
        let wanted = "(S (NP (DT The) (NN dog)) (VP (VBD ran) (-LRB- -LRB-)) (. .))";
        assert_eq!(tree.unwrap().to_string(), wanted);
        assert_eq!(parse("(ROOT (NN 1\\/2))").unwrap().to_string(), "(NN 1/2)");
        assert_eq!(
            parse("( NP ( NN dog ) )").unwrap().to_string(),
            "(NP (NN dog))"
        );
    }

    #[test]
    fn bad_brackets_say_where() {
        let cases = [
            ("(S (NN a)", "a bracket is not closed", 10),
            ("(S (NN a)))", "text behind the tree", 11),
            (")", "a closing bracket too many", 1),
            (
                "(S a (NN b))",
                "words and constituents stand side by side",
                6,
            ),
            (
                "(S (NN b) a)",
                "words and constituents stand side by side",
                11,
            ),
            ("(NN a b)", "a tag holds more than one word", 7),
            ("(())", "a tree without words", 4),
            ("dog", "a word outside of brackets", 1),
        ];
        for (text, wanted, column) in cases {
            match parse(text) {
                Err(Error::BadTree { place, reason }) => {
                    assert_eq!((reason, place.column), (wanted, column), "{text}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn trees_span_lines_and_share_them() {
        let text = "(S\n (NN a)\n)(NN b) (NN c)\n\n(X (Y\n(NN d)";
        let lines = Lines::from_text(text, &Limits::default()).unwrap();
        let mut reader = PennReader::new(lines, PennOptions::default(), &Limits::default());
        let mut found = Vec::new();
        let error = loop {
            match reader.next() {
                Ok(Some(PennItem::Tree(tree))) => found.push(tree.to_string()),
                Ok(Some(PennItem::Blank)) => found.push(String::new()),
                Ok(None) => panic!("the last tree is not closed"),
                Err(error) => break error,
            }
        };
        assert_eq!(found, ["(S (NN a))", "(NN b)", "(NN c)", ""]);
        assert_eq!(error.code(), "bad-tree");
        assert_eq!(reader.next().unwrap(), None);
    }

    #[test]
    fn a_million_levels_do_not_overflow() {
        let depth = 1_000_000 - 1;
        let text = format!("{}(NN x){}", "(A ".repeat(depth), ")".repeat(depth));
        let tree = parse(&text).unwrap();
        assert_eq!((tree.node_count(), tree.leaf_count()), (depth + 1, 1));
        assert_eq!(tree.clone(), tree);
        assert_eq!(tree.to_string().len(), text.len());
        assert!(format!("{tree:?}").len() > depth);
        let deeper = format!("(A {text})");
        assert_eq!(parse(&deeper).unwrap_err().code(), "limit-exceeded");
        assert_eq!(
            parse(&"(A ".repeat(3_000_000)).unwrap_err().code(),
            "limit-exceeded"
        );
    }
}
