//! The sentence of Table 2 of Zhao et al. 2009 (z01): planning by application, patterns with nested
//! fillers, collocations, four applications decoded by the exact engine.

use pgen_core::{
    Certificate, CollocationTable, Dependencies, Lattice, Lexicon, Limits, LogProb, MatchParams,
    NBest, ParaphraseTable, PatternTable, ReplacementModel, Sentence, SlotBound, TableBuilder,
    UnitPiece, UsabilityModel, Vocab, Weight, normalize_pattern,
};
use pgen_decode::applications::{Compression, Similarity, Simplification};
use pgen_decode::testing::{BackoffModel, brute_force};
use pgen_decode::{Decoder, Exact, Identity, LogLinear, Plan, Request, TrueScore};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

fn golden() -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/z01_table2.json");
    serde_json::from_str(&std::fs::read_to_string(folder).unwrap()).unwrap()
}

fn strings(value: &Value) -> Vec<String> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s.as_str().unwrap().to_owned())
        .collect()
}

/// Values pass through 32-bit logs in tables.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * b.abs().max(1.0)
}

struct Case {
    z01: Value,
    sentence: Sentence,
    model: BackoffModel,
    tables: Vec<(String, Box<dyn ReplacementModel + Sync>)>,
    patterns: PatternTable,
}

fn rows(vocab: &mut Vocab, rows: &Value) -> ParaphraseTable {
    let mut builder = TableBuilder::new(["p"]);
    for row in rows.as_array().unwrap() {
        let (source, target) =
            normalize_pattern(row[0].as_str().unwrap(), row[1].as_str().unwrap()).unwrap();
        let phi = row[2].as_f64().unwrap().ln() as f32;
        builder.push_text(vocab, &source, &target, &[phi]).unwrap();
    }
    builder.build(vocab).unwrap()
}

fn case() -> Case {
    let z01 = golden();
    let mut vocab = Vocab::new();
    let model = BackoffModel::from_arpa(z01["arpa"].as_str().unwrap(), &mut vocab).unwrap();
    let [pt1, pt2, pt4, pt5] =
        ["PT1", "PT2", "PT4", "PT5"].map(|name| rows(&mut vocab, &z01["tables"][name]));
    // All tables know the final vocabulary or a beginning of it.
    let patterns = PatternTable::new(pt4, &vocab).unwrap();
    let collocations = CollocationTable::new(pt5, &vocab).unwrap();
    let tables: Vec<(String, Box<dyn ReplacementModel + Sync>)> = vec![
        ("PT1".into(), Box::new(pt1)),
        ("PT2".into(), Box::new(pt2)),
        ("PT4".into(), Box::new(patterns.clone())),
        ("PT5".into(), Box::new(collocations)),
    ];
    let heads = z01["head"].as_array().unwrap();
    let arcs: Vec<_> = (0..heads.len())
        .map(|at| {
            let relation = z01["rel"][at.to_string()]
                .as_str()
                .unwrap_or("x")
                .to_owned();
            (u32::try_from(heads[at].as_i64().unwrap()).ok(), relation)
        })
        .collect();
    let sentence = Sentence::from_words(
        strings(&z01["tokens"]),
        Lexicon::new(Arc::new(vocab)),
        &Limits::default(),
    )
    .unwrap()
    .with_tags(strings(&z01["pos"]))
    .unwrap()
    .with_dependencies(Dependencies::new(&arcs).unwrap())
    .unwrap();
    Case {
        z01,
        sentence,
        model,
        tables,
        patterns,
    }
}

impl Case {
    fn plan<'a>(&'a self, usability: Option<&'a (dyn UsabilityModel + Sync)>) -> Plan<'a> {
        let mut plan =
            Plan::new(Limits::default()).with_identity(Identity::Always(LogProb::from_ln(-1.0)));
        for (name, table) in &self.tables {
            plan = plan.with_table(name.clone(), &**table);
        }
        match usability {
            Some(model) => plan.with_usability(model),
            None => plan,
        }
    }

    fn scorer(&self, plan: &Plan<'_>) -> LogLinear<'_, BackoffModel> {
        let weight = |name: &str| {
            let name = match name {
                "identity" => "self",
                "usability" => "um",
                other => other,
            };
            Weight::new(self.z01["weights"][name].as_f64().unwrap_or(1.0)).unwrap()
        };
        let names = plan.features().names();
        LogLinear::new(&self.model)
            .with_weights(names.iter().map(|name| weight(name)).collect())
            .unwrap()
            .with_language_weight(weight("lm"))
            .unwrap()
    }

    fn usability(&self, application: &str) -> Option<Box<dyn UsabilityModel + Sync + '_>> {
        match application {
            "compression" => Some(Box::new(Compression)),
            "simplification" => Some(Box::new(Simplification::by(&self.model))),
            "similarity" => Some(Box::new(
                Similarity::to(strings(&self.z01["reference"])).unwrap(),
            )),
            _ => None,
        }
    }
}

/// What the golden file and the lattice call a unit: table, spans, target with fillers by span.
fn golden_key(unit: &Value) -> String {
    let target = strings(&unit["tgt"]);
    let (spans, words) = if unit["kind"] == "colloc" {
        let (p, q) = (unit["p"].as_u64().unwrap(), unit["q"].as_u64().unwrap());
        (format!("{p}..{} {q}..{}", p + 1, q + 1), target)
    } else {
        let fill = |word: &String| match &unit["fill"][word] {
            Value::Array(span) => format!("({}..{})", span[0], span[1]),
            _ => word.clone(),
        };
        (
            format!("{}..{}", unit["a"], unit["b"]),
            target.iter().map(fill).collect(),
        )
    };
    format!(
        "{} {spans} {}",
        unit["pt"].as_str().unwrap(),
        words.join(" ")
    )
}

fn keys(lattice: &Lattice, names: &[String]) -> Vec<String> {
    let piece = |piece: &UnitPiece| match piece {
        UnitPiece::Word(word) => lattice.lexicon().word(*word).to_owned(),
        UnitPiece::Copy(span) => format!("({}..{})", span.start(), span.end()),
    };
    let spell = |unit: &pgen_core::Unit| {
        let spans = lattice
            .unit_spans(unit)
            .iter()
            .map(|s| format!("{}..{}", s.start(), s.end()));
        let target: Vec<String> = lattice.unit_target(unit).iter().map(piece).collect();
        let spans: Vec<String> = spans.collect();
        format!(
            "{} {} {}",
            names[unit.table.index()],
            spans.join(" "),
            target.join(" ")
        )
    };
    lattice.units().iter().map(spell).collect()
}

fn replaced(lattice: &Lattice, list: &NBest, at: usize) -> Vec<usize> {
    let derivation = &list.items[at].derivation;
    let units = derivation.iter().filter_map(|&id| lattice.edge(id)?.unit);
    let mut units: Vec<usize> = units.map(|unit| unit.index()).collect();
    units.sort_unstable();
    units.dedup();
    units
}

#[test]
fn four_applications() {
    let case = case();
    let golden_units = case.z01["units_maximal"].as_array().unwrap();
    let names: Vec<String> = case.tables.iter().map(|(name, _)| name.clone()).collect();
    for (application, wanted) in case.z01["applications"].as_object().unwrap() {
        let usability = case.usability(application);
        let plan = case.plan(usability.as_deref());
        let planned = plan.build(&case.sentence).unwrap();
        assert!(planned.report.is_complete());
        let lattice = &planned.lattice;
        let mut found = keys(lattice, &names);
        let mut expected: Vec<String> = wanted["planned_unit_ids"]
            .as_array()
            .unwrap()
            .iter()
            .map(|id| golden_key(&golden_units[id.as_u64().unwrap() as usize]))
            .collect();
        for (unit, key) in lattice.units().iter().zip(&found) {
            let id = golden_units
                .iter()
                .position(|unit| golden_key(unit) == *key)
                .unwrap();
            let gain = plan.features().find("usability").map_or(0.0, |usability| {
                let values = lattice.unit_features(unit).iter();
                values
                    .filter(|value| value.0 == usability)
                    .map(|value| f64::from(value.1))
                    .sum()
            });
            assert_eq!(
                gain,
                wanted["mu"][id.to_string()].as_f64().unwrap(),
                "{application}: {key}"
            );
        }
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{application}");
        assert_eq!(
            lattice.path_count().to_string(),
            wanted["n_derivations"].to_string(),
            "{application}"
        );
        let model = case.scorer(&plan);
        let list = Exact::new()
            .decode(lattice, &model, &Request::best(10_000).with_details())
            .unwrap();
        assert_eq!(list.certificate, Certificate::Exhausted);
        assert_eq!(
            list.items.len() as u64,
            wanted["n_distinct"].as_u64().unwrap(),
            "{application}"
        );
        let brute = brute_force(lattice, &model, &Request::best(10_000)).unwrap();
        for (ours, theirs) in list.items.iter().zip(&brute.items) {
            assert_eq!((ours.score, &ours.words), (theirs.score, &theirs.words));
            assert_eq!(ours.derivations, theirs.derivations);
        }
        let source = list
            .items
            .iter()
            .position(|item| item.words == case.sentence.words());
        assert_eq!(
            source.unwrap() as u64 + 1,
            wanted["rank_of_source"].as_u64().unwrap()
        );
        check_best(&case, &plan, lattice, &list, wanted);
    }
}

fn check_best(case: &Case, plan: &Plan<'_>, lattice: &Lattice, list: &NBest, wanted: &Value) {
    let golden_units = case.z01["units_maximal"].as_array().unwrap();
    let names: Vec<String> = case.tables.iter().map(|(name, _)| name.clone()).collect();
    let keys = keys(lattice, &names);
    for (at, (item, best)) in list
        .items
        .iter()
        .zip(wanted["nbest5"].as_array().unwrap())
        .enumerate()
    {
        assert_eq!(
            lattice.lexicon().join(&item.words),
            best["t"].as_str().unwrap()
        );
        assert!(close(item.score.ln(), best["score"].as_f64().unwrap()));
        for (name, value) in best["features"].as_object().unwrap() {
            let name = match name.as_str() {
                "self" => "identity",
                "um" => "usability",
                other => other,
            };
            let found = match (name, plan.features().find(name)) {
                ("lm", _) => item.language.ln(),
                (_, None) => 0.0,
                (_, Some(feature)) => {
                    let values = item.features.iter().filter(|value| value.0 == feature);
                    values.map(|value| value.1.ln()).sum()
                }
            };
            assert!(
                close(found, value.as_f64().unwrap()),
                "{name}: {found} and {value}"
            );
        }
        let mut expected: Vec<String> = best["units"]
            .as_array()
            .unwrap()
            .iter()
            .map(|id| golden_key(&golden_units[id.as_u64().unwrap() as usize]))
            .collect();
        let mut found: Vec<String> = replaced(lattice, list, at)
            .into_iter()
            .map(|unit| keys[unit].clone())
            .collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
        let edits = item.edits(lattice, &case.sentence);
        let mut units: Vec<_> = edits.iter().map(|edit| edit.unit).collect();
        units.sort_unstable();
        units.dedup();
        assert_eq!(
            units.len() as u64,
            best["unit_replacements"].as_u64().unwrap()
        );
    }
}

/// The paper's own outputs for its sentence.
#[test]
fn table_2() {
    let case = case();
    let usability = case.usability("similarity");
    let plan = case.plan(usability.as_deref());
    let lattice = plan.build(&case.sentence).unwrap().lattice;
    let best = Exact::new()
        .decode(&lattice, &case.scorer(&plan), &Request::best(1))
        .unwrap();
    assert_eq!(lattice.lexicon().join(&best.items[0].words), SIMILARITY);
    // Compression: the paper's output is a derivation, and its gains are 1 + 1 + 6 bytes.
    let usability = case.usability("compression");
    let plan = case.plan(usability.as_deref());
    let lattice = plan.build(&case.sentence).unwrap().lattice;
    let words: Vec<_> = COMPRESSION
        .split(' ')
        .map(|word| lattice.lexicon().get(word).unwrap())
        .collect();
    let model = case.scorer(&plan);
    let score = TrueScore::new(&lattice, &model, &words).unwrap();
    let found = score.hypothesis(&lattice).unwrap();
    let usability = plan.features().find("usability").unwrap();
    let mut gains: Vec<f64> = found
        .derivation
        .iter()
        .filter_map(|&id| lattice.edge(id))
        .flat_map(|edge| lattice.features(edge))
        .filter(|value| value.0 == usability)
        .map(|value| f64::from(value.1))
        .collect();
    gains.sort_by(f64::total_cmp);
    assert_eq!(gains, [1.0, 1.0, 6.0]);
    let source = case.sentence.lexicon().join(case.sentence.words());
    assert_eq!(source.len() - COMPRESSION.len(), 8);
}

const SIMILARITY: &str = "liu lefei says that in the long run , in terms of capital allocation , overseas investment should occupy the certain ratio of an insurance company 's overall allocation .";
const COMPRESSION: &str = "liu lefei says that in the long run , in area of asset allocation , overseas investment should occupy a certain part of an insurance company 's overall allocation .";

#[test]
fn all_fillers_make_21_units() {
    let mut case = case();
    let mut params = MatchParams::default();
    params.bound = SlotBound::All;
    case.tables[2].1 = Box::new(case.patterns.clone().with_params(params));
    let planned = case.plan(None).build(&case.sentence).unwrap();
    assert_eq!(
        planned.lattice.unit_count() as u64,
        case.z01["n_units_all_fillers"].as_u64().unwrap()
    );
}
