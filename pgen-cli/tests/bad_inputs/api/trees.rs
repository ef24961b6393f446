//! Trees, dependencies and settings that nest.

use super::must;
use crate::probes::{Result, broken, lines};
use pgen::core::formats::penn::{PennItem, PennOptions, PennReader};
use pgen::core::{
    Dependencies, Lexicon, Limits, Sentence, Span, SplitMix64, Tree, TreeBuilder, Vocab,
};
use std::sync::Arc;

pub(crate) fn run(name: &str) -> Option<Result> {
    Some(match name {
        "a tree of more words" => with_tree("(S (A a) (B b) (C c))"),
        "a tree of other words" => with_tree("(S (A y) (B x))"),
        "a tree in another case" => with_tree("(S (A X) (B Y))"),
        "tags for fewer words" => sentence().and_then(|s| {
            s.with_tags(vec!["X".into()])?;
            Ok("accepted".into())
        }),
        "a chain of a hundred thousand heads" => chain(),
        "dependencies that cross" => crossing(),
        "a span that ends before it starts" => Span::new(3, 2)
            .map(|span| format!("{span:?}"))
            .map_err(Into::into),
        "a span past the end" => past_the_end(),
        "JSON nested a million deep" => nested_json(),
        "one bad tree among a million" => resync(),
        "trees cut everywhere" => cut(),
        "trees with every byte changed" => changed(),
        "ten thousand trees written and read" => round_trip(),
        "a deep tree on a small stack" => small_stack(),
        _ => return None,
    })
}

fn sentence() -> Result<Sentence> {
    let lexicon = Lexicon::new(Arc::new(Vocab::new()));
    Ok(Sentence::from_words(
        ["x", "y"],
        lexicon,
        &Limits::default(),
    )?)
}

fn with_tree(text: &str) -> Result {
    sentence()?.with_tree(Tree::parse(text, &Limits::default())?)?;
    Ok("only the number of leaves is compared".into())
}

fn chain() -> Result {
    let arcs: Vec<(Option<u32>, &str)> =
        (0..100_000u32).map(|at| (at.checked_sub(1), "x")).collect();
    let chain = Dependencies::new(&arcs)?;
    let again = chain.clone();
    must(
        again == chain && format!("{chain:?}").len() > 100_000,
        "every trait works",
    )?;
    must(chain.roots().count() == 1, "one root")?;
    Ok(String::new())
}

fn crossing() -> Result {
    let arcs = [(Some(2), "a"), (Some(3), "b"), (None, "c"), (Some(2), "d")];
    let dependencies = Dependencies::new(&arcs)?;
    must(dependencies.head(1) == Some(3), "arcs may cross")?;
    Ok(String::new())
}

fn past_the_end() -> Result {
    let vocab = Arc::new(Vocab::new());
    let options = pgen::core::text::TextOptions::default();
    let mut sentence = Sentence::tokenize("a b", &vocab, &options, &Limits::default())?;
    sentence.protect_spans(&[pgen::core::ByteSpan::new(1, 9)?])?;
    Ok("accepted".into())
}

fn nested_json() -> Result {
    let text = "[".repeat(1_000_000);
    super::settings::json::<serde_json::Value>(&text)?;
    Ok("accepted".into())
}

fn resync() -> Result {
    let mut text = "(S (A a))\n".repeat(100_000);
    text.push_str("(S (A a) b\n)))\n");
    text.push_str(&"(S (A a))\n".repeat(100_000));
    let limits = Limits::default();
    let mut reader = PennReader::new(
        lines(text.as_bytes(), &limits)?,
        PennOptions::default(),
        &limits,
    );
    let (mut trees, mut bad) = (0, 0);
    loop {
        match reader.next() {
            Ok(None) => break,
            Ok(Some(_)) => trees += 1,
            Err(error) => {
                bad += 1;
                let message = error.to_string();
                must(
                    message.contains("100001") || message.contains("100002"),
                    &message,
                )?;
            }
        }
    }
    must(
        trees == 200_000 && (1..=3).contains(&bad),
        &format!("{trees} trees, {bad} errors"),
    )?;
    Ok(format!("{bad} errors"))
}

const SAMPLE: &str = "( (S (NP-SBJ-1 (DT The) (NN dog)) (VP (VBD ran) (PP (IN to) (NP (-NONE- *T*-1) (PRP it)))) (. .)) )\n";

/// Reads all trees; how many there are, and whether all went well.
fn read(bytes: &[u8]) -> Result<(usize, bool)> {
    let limits = Limits::default();
    let Ok(lines) = lines(bytes, &limits) else {
        return Ok((0, false));
    };
    let mut reader = PennReader::new(lines, PennOptions::default(), &limits);
    let (mut trees, mut well) = (0, true);
    for _ in 0..10_000 {
        match reader.next() {
            Ok(None) => return Ok((trees, well)),
            Ok(Some(PennItem::Tree(tree))) => {
                let text = tree.to_string();
                // A backslash before `/` or `*` is an escape once more.
                if !text.contains('\\') {
                    let again = Tree::parse(&text, &limits)
                        .map_err(|error| broken(format!("{text}: {error}")))?;
                    must(
                        again == tree,
                        &format!("what is written can be read: {text}"),
                    )?;
                }
                trees += 1;
            }
            Ok(Some(PennItem::Blank)) => {}
            Err(_) => well = false,
        }
    }
    Err(broken("the reader does not end"))
}

fn cut() -> Result {
    let whole = SAMPLE.repeat(10);
    let line = SAMPLE.len();
    for end in 0..=whole.len() {
        let (trees, well) = read(&whole.as_bytes()[..end])?;
        let complete = end / line + usize::from(end % line == line - 1);
        must(trees == complete, &format!("{trees} trees of {end} bytes"))?;
        must(
            well == (end % line == 0 || end % line == line - 1),
            "a cut tree is an error",
        )?;
    }
    Ok(format!("{} cuts", whole.len() + 1))
}

fn changed() -> Result {
    let whole = SAMPLE.repeat(3).into_bytes();
    let mut count = 0;
    for at in 0..whole.len() {
        for byte in 0..=255u8 {
            let mut bytes = whole.clone();
            bytes[at] = byte;
            read(&bytes)?;
            count += 1;
        }
    }
    Ok(format!("{count} trees"))
}

/// A random tree without function tags and traces.
fn random(rng: &mut SplitMix64, limits: &Limits) -> Result<Tree> {
    let mut builder = TreeBuilder::new(limits);
    builder.open("S")?;
    let mut fresh = true;
    for _ in 0..1 + rng.next_u64() % 30 {
        match rng.next_u64() % 4 {
            0 if builder.depth() > 1 && !fresh => builder.close()?,
            1 => {
                builder.open(["NP", "VP", "PP"][rng.next_u64() as usize % 3])?;
                builder.leaf("X", "x")?;
                fresh = false;
            }
            _ => {
                builder.leaf("T", ["a", "(", "\u{e9}", "]"][rng.next_u64() as usize % 4])?;
                fresh = false;
            }
        }
    }
    if fresh {
        builder.leaf("T", "a")?;
    }
    while builder.depth() > 0 {
        builder.close()?;
    }
    Ok(builder.finish()?)
}

fn round_trip() -> Result {
    let limits = Limits::default();
    let mut rng = SplitMix64::new(7);
    for _ in 0..10_000 {
        let tree = random(&mut rng, &limits)?;
        must(
            Tree::parse(&tree.to_string(), &limits)? == tree,
            "what is written can be read",
        )?;
    }
    Ok(String::new())
}

fn small_stack() -> Result {
    let depth = 500_000;
    let text = format!("{}(A a){}", "(S ".repeat(depth), ")".repeat(depth));
    let work = move || {
        let tree = Tree::parse(&text, &Limits::default())?;
        let again = tree.clone();
        must(
            again == tree && tree.to_string().len() > depth,
            "every trait works",
        )
    };
    let thread = std::thread::Builder::new().stack_size(64 << 10).spawn(work);
    thread
        .map_err(broken)?
        .join()
        .map_err(|_| broken("a panic"))??;
    Ok(String::new())
}
