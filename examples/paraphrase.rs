//! The main job: type a sentence, get its paraphrases with scores and reasons.
//!
//! ```sh
//! cargo run --release --example paraphrase -- "The committee will examine this important question."
//! ```

use pgen::Paraphraser;

fn main() -> Result<(), pgen::Error> {
    let typed = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let sentence = match typed.as_str() {
        "" => "The committee will examine this important question.",
        typed => typed,
    };

    let english = Paraphraser::english()?;
    let answer = english.paraphrase(sentence, 10)?;

    println!("{}", answer.source);
    for item in &answer.items {
        println!("{:9.3}  {}", item.score.ln(), item.text);
        for edit in &item.edits {
            println!(
                "           {} → {}   ({} rule {}, ln p {:.2})",
                edit.from,
                edit.to,
                edit.table,
                edit.rule.raw(),
                edit.log_prob.ln()
            );
        }
    }
    println!(
        "{} paraphrases, certificate {:?}",
        answer.items.len(),
        answer.certificate
    );
    Ok(())
}
