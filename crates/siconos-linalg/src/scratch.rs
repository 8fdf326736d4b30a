//! The memory that the library factorises and solves in.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};

/// Kept from one use to the next. It holds nothing in between, so a clone begins without any.
#[derive(Default)]
pub(super) struct Scratch(Option<(usize, MemBuffer)>);

impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Scratch {
    /// Memory for matrices of this size, of which larger ones need no less.
    pub(super) fn for_size(&mut self, size: usize, need: impl FnOnce() -> StackReq) -> &mut MemStack {
        let kept = self.0.take().filter(|(largest, _)| *largest >= size);
        let (_, memory) = self.0.insert(kept.unwrap_or_else(|| (size, MemBuffer::new(need()))));
        MemStack::new(memory)
    }
}
