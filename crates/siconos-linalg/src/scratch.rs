//! Workspace of faer for factorisations and solves.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};

/// Workspace of faer that is reused. It holds no data between uses, so a clone is empty.
#[derive(Default)]
pub(super) struct Scratch(Option<(usize, MemBuffer)>);

impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Scratch {
    /// Returns a workspace for a matrix of this size. A workspace that was allocated for a larger matrix is
    /// reused.
    pub(super) fn for_size(&mut self, size: usize, need: impl FnOnce() -> StackReq) -> &mut MemStack {
        let kept = self.0.take().filter(|(largest, _)| *largest >= size);
        let (_, memory) = self.0.insert(kept.unwrap_or_else(|| (size, MemBuffer::new(need()))));
        MemStack::new(memory)
    }
}
