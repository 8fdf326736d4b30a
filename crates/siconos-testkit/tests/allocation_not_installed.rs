//! Counting allocations panics if the allocator is not installed, because the count would always be 0.

use siconos_testkit::allocation::count_allocations;

#[test]
#[should_panic(expected = "global_allocator")]
fn counting_without_the_allocator_is_refused() {
    count_allocations(|| ());
}
