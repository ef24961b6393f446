//! The n best texts: pop the best deviation, walk best children to the end, push what branches off.

use super::network::NONE;
use super::queue::Queue;
use super::subset::{Subsets, World};
use pgen_core::{EdgeId, Stop, WordId};
use std::cmp::Ordering;

/// The best text that begins as an earlier one and then takes another child.
#[derive(Clone, Copy, Debug)]
struct Item {
    loss: f64,
    /// The earlier text, and how many of its words are kept.
    text: u32,
    kept: u32,
    state: u32,
    child: u32,
}

/// A text that was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text {
    /// First of its steps; they end where the next text's begin. The last step is the end.
    first: u32,
    pub(super) loss: f64,
}

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum End {
    /// As many texts as wanted were found.
    Enough,
    /// There are no more below the cut-off.
    Empty,
    /// Out of time or steps; no other text loses less than this.
    Stopped { loss: f64 },
}

/// Scratch of the search.
#[derive(Debug, Default)]
pub(super) struct Search {
    queue: Queue<Item>,
    /// The losses of the best texts known, the worst first: the cut-off once it is full.
    best: Queue<f64>,
    texts: Vec<Text>,
    /// (state, place of the child) along each text.
    steps: Vec<(u32, u32)>,
    words: Vec<WordId>,
    pub(super) pops: u64,
    /// True if a text was left out because it is worse than enough others.
    pub(super) dropped: bool,
}

/// What to look for.
pub(super) struct Goal<'a, F> {
    /// How many texts that pass.
    pub(super) wanted: usize,
    /// How many texts of any kind can be needed at most.
    pub(super) needed: usize,
    pub(super) passes: F,
    pub(super) pops: u64,
    pub(super) stop: &'a Stop,
}

impl Search {
    /// Runs from the start; texts that pass are appended to `found` by number.
    pub(super) fn run<F: Fn(&[WordId]) -> bool>(
        &mut self,
        world: World<'_>,
        subsets: &mut Subsets,
        goal: &Goal<'_, F>,
        found: &mut Vec<u32>,
    ) -> End {
        self.queue.clear();
        self.best.clear();
        self.texts.clear();
        self.steps.clear();
        self.words.clear();
        (self.pops, self.dropped) = (0, false);
        let start = subsets.start(world);
        let mut ticker = goal.stop.ticker();
        self.push(
            world,
            subsets,
            goal.needed,
            Item {
                loss: 0.0,
                text: 0,
                kept: 0,
                state: start,
                child: 0,
            },
        );
        let mut walk = |state| (ticker.tick().is_err()).then_some(state);
        while found.len() < goal.wanted {
            let Some(item) = self.pop(world, subsets) else {
                return End::Empty;
            };
            self.pops += 1;
            let stopped = End::Stopped { loss: item.loss };
            if self.pops > goal.pops || self.bytes() > subsets.room || walk(item.state).is_some() {
                return stopped;
            }
            if !self.walk(world, subsets, goal.needed, item, &mut walk) {
                return stopped;
            }
            let text = self.texts.len() as u32 - 1;
            if (goal.passes)(self.words_of(text)) {
                found.push(text);
            }
        }
        End::Enough
    }

    /// Bytes in use, about.
    fn bytes(&self) -> usize {
        self.texts.len() * size_of::<Text>()
            + self.steps.len() * (size_of::<(u32, u32)>() + size_of::<WordId>())
            + self.queue.len() * size_of::<Item>()
    }

    /// The loss that no other text falls below.
    pub(super) fn next_loss(&self) -> Option<f64> {
        self.queue.first().map(|item| item.loss)
    }

    fn cut_off(&self, needed: usize) -> f64 {
        if self.best.len() < needed {
            return f64::INFINITY;
        }
        self.best.first().copied().unwrap_or(f64::INFINITY)
    }

    fn push(&mut self, world: World<'_>, subsets: &Subsets, needed: usize, item: Item) {
        if item.loss > self.cut_off(needed) {
            self.dropped = true;
            return;
        }
        if needed < usize::MAX {
            self.best.push(item.loss, |a, b| a > b);
            if self.best.len() > needed {
                self.best.pop(|a, b| a > b);
            }
        }
        let (steps, texts) = (&self.steps, &self.texts);
        self.queue
            .push(item, |a, b| before(world, subsets, steps, texts, a, b));
    }

    fn pop(&mut self, world: World<'_>, subsets: &Subsets) -> Option<Item> {
        let (steps, texts) = (&self.steps, &self.texts);
        self.queue
            .pop(|a, b| before(world, subsets, steps, texts, a, b))
    }

    /// Writes the item's text and pushes what branches off; false if time ran out.
    fn walk(
        &mut self,
        world: World<'_>,
        subsets: &mut Subsets,
        needed: usize,
        item: Item,
        stopped: &mut impl FnMut(u32) -> Option<u32>,
    ) -> bool {
        let first = self.steps.len();
        let text = self.texts.len() as u32;
        if item.kept > 0 {
            let kept = self.texts[item.text as usize].first as usize;
            self.steps
                .extend_from_within(kept..kept + item.kept as usize);
            self.words
                .extend_from_within(kept..kept + item.kept as usize);
        }
        self.texts.push(Text {
            first: first as u32,
            loss: item.loss,
        });
        let (mut state, mut child, loss) = (item.state, item.child, item.loss);
        loop {
            if stopped(state).is_some() {
                self.give_up(first);
                return false;
            }
            // On the way, nothing but the best child is sure to be within the cut-off.
            let budget = (self.cut_off(needed) - loss).max(0.0);
            let mut children = subsets.expand(world, state, budget);
            if children <= child as usize {
                // Only where sums outgrew the grid: rounding may hide the best child.
                children = subsets.expand(world, state, f64::INFINITY);
            }
            if children <= child as usize || subsets.full {
                self.give_up(first);
                return false;
            }
            let place = subsets.child(state, child);
            if children > child as usize + 1 {
                let next = &subsets.children[place + 1];
                let item = Item {
                    loss: loss + (next.loss - subsets.children[place].loss),
                    text,
                    kept: (self.steps.len() - first) as u32,
                    state,
                    child: child + 1,
                };
                self.push(world, subsets, needed, item);
            }
            self.steps.push((state, place as u32));
            let Some(word) = subsets.children[place].word else {
                self.words.push(WordId::EOS);
                return true;
            };
            self.words.push(word);
            let budget = (self.cut_off(needed) - loss).max(0.0);
            state = subsets.follow(world, place, budget);
            child = 0;
        }
    }

    fn give_up(&mut self, first: usize) {
        self.steps.truncate(first);
        self.words.truncate(first);
        self.texts.pop();
    }

    pub(super) fn text(&self, text: u32) -> Text {
        self.texts[text as usize]
    }

    fn steps_of(&self, text: u32) -> std::ops::Range<usize> {
        let first = self.texts[text as usize].first as usize;
        let next = self.texts.get(text as usize + 1);
        first..next.map_or(self.steps.len(), |next| next.first as usize)
    }

    /// The words of a text.
    pub(super) fn words_of(&self, text: u32) -> &[WordId] {
        let steps = self.steps_of(text);
        &self.words[steps.start..steps.end - 1]
    }

    /// The best derivation of a text, its last product state, and ln P of its words.
    pub(super) fn trace(
        &self,
        world: World<'_>,
        subsets: &Subsets,
        text: u32,
        edges: &mut Vec<EdgeId>,
    ) -> (u32, f64) {
        edges.clear();
        let (mut target, mut last, mut log_prob) = (NONE, NONE, 0.0);
        for &(state, child) in self.steps[self.steps_of(text)].iter().rev() {
            let Some(step) = subsets.step_to(child as usize, target) else {
                debug_assert!(false, "a step leads to every member");
                break;
            };
            if last == NONE {
                last = step.target;
            }
            log_prob += step.log_prob;
            if step.edge != NONE {
                edges.push(EdgeId::new(step.edge));
            }
            target = step.from;
            if world.network.has_silent() {
                target = subsets.silent_source(state, step.member, edges);
            }
        }
        edges.reverse();
        (last, log_prob)
    }
}

/// Order of the queue: less loss, then text. Items stand for disjoint sets of texts, so that at equal
/// loss their first words decide.
fn before(
    world: World<'_>,
    subsets: &Subsets,
    steps: &[(u32, u32)],
    texts: &[Text],
    a: &Item,
    b: &Item,
) -> bool {
    if a.loss != b.loss {
        return a.loss < b.loss;
    }
    let word = |item: &Item, at: u32| {
        let child = if at < item.kept {
            steps[(texts[item.text as usize].first + at) as usize].1 as usize
        } else {
            subsets.child(item.state, item.child)
        };
        subsets.children[child].word
    };
    for at in 0..=a.kept.min(b.kept) {
        let (x, y) = (word(a, at), word(b, at));
        if x != y {
            let spelling = |word: Option<WordId>| word.map(|word| world.lexicon.word(word));
            return spelling(x).cmp(&spelling(y)) == Ordering::Less;
        }
    }
    false
}
