//! What can be read off the sources and the dependency tree.
#![allow(clippy::print_stdout)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Models and decoders are shared between threads; errors travel.
#[test]
fn models_are_send_and_sync() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<pgen::Paraphraser>();
    shared::<pgen::Bundle>();
    shared::<pgen::Options>();
    shared::<pgen::Answer>();
    shared::<pgen::Error>();
    shared::<pgen::annotate::Annotator>();
    shared::<pgen::core::Vocab>();
    shared::<pgen::core::Lexicon>();
    shared::<pgen::core::Sentence>();
    shared::<pgen::core::Tree>();
    shared::<pgen::core::Lattice>();
    shared::<pgen::core::ParaphraseTable>();
    shared::<pgen::core::CancelToken>();
    shared::<pgen::core::Stop>();
    shared::<pgen::core::Error>();
    shared::<pgen::align::Trained>();
    shared::<pgen::align::PhraseTable>();
    shared::<pgen::align::Error>();
    shared::<pgen::lm::FastModel>();
    shared::<pgen::lm::NgramModel>();
    shared::<pgen::lm::CompactModel>();
    shared::<pgen::lm::Ngrams>();
    shared::<pgen::lm::Error>();
    shared::<pgen::decode::Exact>();
    shared::<pgen::decode::Beam>();
    shared::<pgen::decode::MonteCarlo>();
    shared::<pgen::decode::Request>();
    shared::<pgen::decode::Error>();
    shared::<pgen::fsa::Fsa>();
    shared::<pgen::fsa::Error>();
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path
            .extension()
            .is_some_and(|end| end == "rs" || end == "tsv")
        {
            found.push(path);
        }
    }
}

fn crates() -> Vec<PathBuf> {
    let members = [
        "",
        "pgen-core",
        "pgen-align",
        "pgen-lm",
        "pgen-decode",
        "pgen-fsa",
        "pgen-cli",
    ];
    members.iter().map(|member| root().join(member)).collect()
}

/// `unsafe_code` is forbidden for the workspace, every crate takes the workspace's lints, and none lifts
/// them.
#[test]
fn unsafe_code_is_forbidden_everywhere() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(manifest.contains("unsafe_code = \"forbid\""));
    let mut files = 0;
    for member in crates() {
        let own = std::fs::read_to_string(member.join("Cargo.toml")).unwrap();
        assert!(
            own.contains("[lints]\nworkspace = true"),
            "{}",
            member.display()
        );
        let mut found = Vec::new();
        sources(&member.join("src"), &mut found);
        for file in found {
            let text = std::fs::read_to_string(&file).unwrap();
            let lifted = text.contains("allow(unsafe") || text.contains("unsafe {");
            assert!(!lifted, "{}", file.display());
            files += 1;
        }
    }
    println!("unsafe code: forbidden in {files} files");
}

/// Every variant of every error has its code in a test: a way to meet it.
#[test]
fn every_error_has_a_test() {
    let mut texts = String::new();
    for member in crates() {
        let mut found = Vec::new();
        sources(&member.join("tests"), &mut found);
        for file in found {
            texts.push_str(&std::fs::read_to_string(&file).unwrap_or_default());
        }
        let mut own = Vec::new();
        sources(&member.join("src"), &mut own);
        for file in own.iter().filter(|file| !file.ends_with("error.rs")) {
            let text = std::fs::read_to_string(file).unwrap_or_default();
            let tests = text.find("#[cfg(test)]").map_or("", |at| &text[at..]);
            texts.push_str(tests);
        }
    }
    let (mut tested, mut missing) = (0, Vec::new());
    for member in crates() {
        let Ok(text) = std::fs::read_to_string(member.join("src/error.rs")) else {
            continue;
        };
        let codes = text.split("fn code(&self)").nth(1).unwrap_or_default();
        let codes = codes.split("\n    }\n").next().unwrap_or_default();
        for code in codes
            .split("=> \"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
        {
            let told = ["\"", "\t"]
                .iter()
                .any(|mark| texts.contains(&format!("{mark}{code}")));
            if told {
                tested += 1;
            } else {
                missing.push(format!("{}: {code}", member.display()));
            }
        }
    }
    println!("error codes with a test: {tested}");
    assert!(
        missing.is_empty() && tested > 30,
        "without a test: {missing:?}"
    );
}

/// The strings in brackets after `key = ` in `deny.toml`: one list for `cargo deny` and for this test.
fn listed(key: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join("deny.toml")).unwrap();
    let list = text.split_once(&format!("\n{key} = [")).expect(key).1;
    let list = list.split_once(']').expect(key).0;
    let strings = list.split('"').skip(1).step_by(2);
    strings.map(str::to_owned).collect()
}

/// Every package of the tree can be had under a permissive licence, comes from the registry, and links no
/// C library.
#[test]
fn the_tree_is_permissive_and_pure() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--format-version",
            "1",
            "--offline",
            "--all-features",
        ])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(root())
        .output()
        .unwrap();
    if !output.status.success() {
        println!("skipped: cargo metadata is not to be had offline");
        return;
    }
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let (permissive, banned) = (listed("allow"), listed("deny"));
    assert!(permissive.contains("MIT") && banned.contains("cc"));
    let mut licences = BTreeSet::new();
    for package in packages {
        let name = package["name"].as_str().unwrap();
        assert!(!banned.contains(name), "{name} builds C code");
        let licence = package["license"].as_str().unwrap_or_default();
        // Of `A OR B` one is enough; of `A AND B` all are needed.
        let fits = licence.replace('/', " OR ").split(" OR ").any(|choice| {
            let parts = choice.split(" AND ");
            parts.into_iter().all(|part| {
                let part = part.trim_matches(['(', ')', ' ']);
                permissive.contains(part)
            })
        });
        assert!(fits, "{name}: {licence}");
        licences.insert(licence.to_owned());
        let from = package["source"].as_str();
        let registry = from.is_none_or(|from| from.starts_with("registry+"));
        assert!(registry, "{name} comes from {from:?}");
        // `rayon-core` names itself so that there is one of it; it links nothing.
        let links = package["links"].as_str();
        assert!(
            matches!(links, None | Some("rayon-core")),
            "{name} links {links:?}"
        );
    }
    println!("{} packages under {licences:?}", packages.len());
}
