//! Counting allocator, for tests of the number of allocations and of the growth of memory.
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
    // The counter is per thread, so that allocations of other tests in the same program are not counted. It
    // is `const`, so that its first use does not allocate, and it has no destructor, so that it can be used
    // while a thread ends.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    // Number of bytes that the thread has allocated minus the number that it has freed. It is negative if the
    // thread frees memory that other threads allocated.
    static BYTES: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// Global allocator that passes all calls to the system's allocator. For each thread, it counts the calls
/// that allocate and the bytes in use.
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
// SAFETY: every method passes its arguments to `System` and returns the result; the counters touch no
// memory of the caller and do not allocate.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::count(layout.size());
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc`, and `System` has the same contract.
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
        // SAFETY: `pointer` came from `System`, like all memory of this allocator; the other conditions are
        // as for `alloc`.
        unsafe { System.realloc(pointer, layout, new_size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        Self::hold(-layout.size().cast_signed());
        // SAFETY: `pointer` came from `System` with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Returns the number of allocations and reallocations of the current thread so far. The number is always 0
/// if [`CountingAllocator`] is not the global allocator.
#[must_use]
pub fn allocations() -> usize {
    ALLOCATIONS.get()
}

/// Runs `work` and returns the number of allocations and reallocations of the current thread during the call.
///
/// # Panics
///
/// If [`CountingAllocator`] is not the global allocator of the program, because the count would always be 0.
#[track_caller]
pub fn count_allocations(work: impl FnOnce()) -> usize {
    assert_counting();
    let before = allocations();
    work();
    allocations() - before
}

/// Runs `work` and returns the largest amount of memory \[bytes\] that the current thread had allocated
/// during the call and not yet freed.
///
/// # Panics
///
/// If [`CountingAllocator`] is not the global allocator of the program.
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
