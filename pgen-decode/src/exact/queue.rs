//! A binary heap whose order needs a look at other data.

/// The first item by `before` comes out first.
#[derive(Debug)]
pub(super) struct Queue<T>(Vec<T>);

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Queue(Vec::new())
    }
}

impl<T: Copy> Queue<T> {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn first(&self) -> Option<&T> {
        self.0.first()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn push(&mut self, item: T, before: impl Fn(&T, &T) -> bool) {
        let heap = &mut self.0;
        let mut at = heap.len();
        heap.push(item);
        while at > 0 {
            let parent = (at - 1) / 2;
            if !before(&item, &heap[parent]) {
                break;
            }
            heap[at] = heap[parent];
            at = parent;
        }
        heap[at] = item;
    }

    pub(super) fn pop(&mut self, before: impl Fn(&T, &T) -> bool) -> Option<T> {
        let heap = &mut self.0;
        let last = heap.pop()?;
        let Some(&top) = heap.first() else {
            return Some(last);
        };
        let mut at = 0;
        loop {
            let mut child = 2 * at + 1;
            if child >= heap.len() {
                break;
            }
            if child + 1 < heap.len() && before(&heap[child + 1], &heap[child]) {
                child += 1;
            }
            if !before(&heap[child], &last) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = last;
        Some(top)
    }
}
