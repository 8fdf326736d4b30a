//! A counting allocator, for tests that a steady state allocates nothing.
//!
//! ```
//! use siconos_testkit::allocation::{CountingAllocator, count_allocations};
//!
//! #[global_allocator]
//! static ALLOCATOR: CountingAllocator = CountingAllocator;
//!
//! let mut v = Vec::with_capacity(1);
//! assert_eq!(count_allocations(|| v.push(1)), 0);
//! assert_eq!(count_allocations(|| v.push(2)), 1);
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    // Per thread, so that the other tests of a binary do not disturb; `const`, so that its first use does not
    // itself allocate; without a destructor, so that it may be used while a thread ends.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator with a count, per thread, of calls that obtain or move memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingAllocator;

impl CountingAllocator {
    fn count() {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
    }
}

#[expect(
    unsafe_code,
    reason = "a global allocator cannot be written without; all calls go to `System` unchanged"
)]
// SAFETY: every method hands its arguments to `System` and returns what it returns; the count touches no
// memory of the caller and does not allocate.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::count();
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc`, which is that of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::count();
        // SAFETY: as for `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        Self::count();
        // SAFETY: `pointer` came from `System`, for all memory here does; the rest as for `alloc`.
        unsafe { System.realloc(pointer, layout, new_size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` came from `System` with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Allocations and reallocations of the current thread so far; 0 for ever where [`CountingAllocator`] is not
/// the global allocator.
#[must_use]
pub fn allocations() -> usize {
    ALLOCATIONS.get()
}

/// Runs `work` and returns how often the current thread allocated or reallocated in it.
///
/// # Panics
///
/// When [`CountingAllocator`] is not the global allocator of the program: a count that cannot rise proves
/// nothing.
#[track_caller]
pub fn count_allocations(work: impl FnOnce()) -> usize {
    let before = allocations();
    drop(std::hint::black_box(Box::new(0_u8)));
    assert!(allocations() > before, "declare a `#[global_allocator]` of type `CountingAllocator`");
    let before = allocations();
    work();
    allocations() - before
}
