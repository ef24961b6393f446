//! Complete projections: the stretch that a token and everything below it covers.

use crate::depend::Dependencies;
use crate::span::Span;

impl Dependencies {
    /// For each token the stretch that it and all its descendants cover, if there is no gap in it
    /// (Zhao et al. 2009, §3.2: what may fill a slot). Linear.
    ///
    /// ```
    /// use pgen_core::{Dependencies, Span};
    ///
    /// let dogs = Dependencies::new(&[(Some(1), "det"), (Some(2), "nsubj"), (None, "root")])?;
    /// assert_eq!(dogs.projections()[1], Some(Span::new(0, 2)?));
    /// # Ok::<(), pgen_core::Error>(())
    /// ```
    #[must_use]
    pub fn projections(&self) -> Vec<Option<Span>> {
        let mut order: Vec<u32> = self.roots().collect();
        let mut next = 0;
        while let Some(&token) = order.get(next) {
            order.extend(self.children(token as usize));
            next += 1;
        }
        // Descendants come behind their heads, so backwards every head is met when it is complete.
        let mut cover: Vec<Span> = (0..self.len() as u32).map(Span::single).collect();
        let mut count = vec![1usize; self.len()];
        for &token in order.iter().rev() {
            if let Some(head) = self.head(token as usize) {
                let (head, token) = (head as usize, token as usize);
                cover[head] = cover[head].cover(cover[token]);
                count[head] += count[token];
            }
        }
        let whole = |(span, count): (Span, usize)| (span.len() == count).then_some(span);
        cover.into_iter().zip(count).map(whole).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_have_no_projection() {
        // 0 ← 2 crosses 1 → 3: neither 2 nor 1 covers a stretch without a gap.
        let crossing =
            Dependencies::new(&[(Some(2), "x"), (None, "x"), (Some(1), "x"), (Some(1), "x")])
                .unwrap();
        let found = crossing.projections();
        assert_eq!(found[0], Some(Span::single(0)));
        assert_eq!(found[1], Some(Span::new(0, 4).unwrap()));
        assert_eq!(found[2], None);
        assert!(Dependencies::default().projections().is_empty());
    }
}
