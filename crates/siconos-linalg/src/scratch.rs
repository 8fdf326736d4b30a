//! Workspace of faer for factorisations and solutions.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};

/// Workspace that is reused. It contains no data between uses, so a clone starts empty.
#[derive(Default)]
pub(super) struct Scratch(Option<(usize, MemBuffer)>);

impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Scratch {
    /// Returns memory for a matrix of this size. Memory for a larger matrix is sufficient.
    pub(super) fn for_size(&mut self, size: usize, need: impl FnOnce() -> StackReq) -> &mut MemStack {
        let kept = self.0.take().filter(|(largest, _)| *largest >= size);
        let (_, memory) = self.0.insert(kept.unwrap_or_else(|| (size, MemBuffer::new(need()))));
        MemStack::new(memory)
    }
}
