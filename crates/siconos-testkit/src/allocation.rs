//! A counting allocator, for tests that a steady state allocates nothing, and of how memory grows.
//!
//! ```
//! use siconos_testkit::allocation::{CountingAllocator, count_allocations, peak_bytes};
//!
//! #[global_allocator]
//! static ALLOCATOR: CountingAllocator = CountingAllocator;
//!
//! let mut v = Vec::with_capacity(1);
//! assert_eq!(count_allocations(|| v.push(1)), 0);
//! assert_eq!(count_allocations(|| v.push(2)), 1);
//! assert_eq!(peak_bytes(|| drop((vec![0_u8; 1000], vec![0_u8; 24]))), 1024);
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    // Per thread, so that the other tests of a binary do not disturb; `const`, so that its first use does not
    // itself allocate; without a destructor, so that it may be used while a thread ends.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    // What the thread has obtained and not given back, which is negative where it frees the memory of others.
    static BYTES: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// The system's allocator with a count, per thread, of calls that obtain or move memory, and of bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingAllocator;

impl CountingAllocator {
    fn count(more: usize) {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        Self::hold(more.cast_signed());
    }

    fn hold(more: isize) {
        let held = BYTES.get().wrapping_add(more);
        BYTES.set(held);
        PEAK.set(PEAK.get().max(held));
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
        Self::count(layout.size());
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc`, which is that of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::count(layout.size());
        // SAFETY: as for `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        Self::hold(-layout.size().cast_signed());
        Self::count(new_size);
        // SAFETY: `pointer` came from `System`, for all memory here does; the rest as for `alloc`.
        unsafe { System.realloc(pointer, layout, new_size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        Self::hold(-layout.size().cast_signed());
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
    assert_counting();
    let before = allocations();
    work();
    allocations() - before
}

/// Runs `work` and returns the most bytes that the current thread had obtained in it and not given back.
///
/// # Panics
///
/// As [`count_allocations`].
#[track_caller]
pub fn peak_bytes(work: impl FnOnce()) -> usize {
    assert_counting();
    let before = BYTES.get();
    PEAK.set(before);
    work();
    PEAK.get().wrapping_sub(before).max(0).cast_unsigned()
}

#[track_caller]
fn assert_counting() {
    let before = allocations();
    drop(std::hint::black_box(Box::new(0_u8)));
    assert!(allocations() > before, "declare a `#[global_allocator]` of type `CountingAllocator`");
}
