//! Without the allocator installed, counting refuses: a count that cannot rise would pass every test.

use siconos_testkit::allocation::count_allocations;

#[test]
#[should_panic(expected = "global_allocator")]
fn counting_without_the_allocator_is_refused() {
    count_allocations(|| ());
}
