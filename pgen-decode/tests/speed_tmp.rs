mod common;
use common::MosesCase;
use pgen_core::Limits;
use pgen_decode::{Decoder, Exact, LogLinear, Plan, Request};
use std::time::Instant;

#[test]
fn speed() {
    let case = MosesCase::load("b").unwrap();
    let plan = Plan::new(Limits::default()).with_table("tm", &case.table);
    let model = LogLinear::new(&case.model);
    let exact = Exact::new();
    for _ in 0..4 {
    for n in [0usize, 1, 100] {
        let mut best = f64::MAX;
        let mut states = 0;
        for _ in 0..8 {
            let t = Instant::now();
            for s in &case.sentences {
                let lattice = plan.build(s).unwrap().lattice;
                if n > 0 {
                let l = exact.decode(&lattice, &model, &Request::best(n)).unwrap();
                states += l.stats.states + l.items.len() as u64;
                }
            }
            best = best.min(t.elapsed().as_secs_f64());
        }
        println!("n {n}: {:.4} ms/sentence ({states})", best * 1e3 / case.sentences.len() as f64);
    }}
}
