//! The counting allocator counts the allocations of its own thread only.

use siconos_testkit::allocation::{allocations, count_allocations};

#[test]
fn counts_allocations_and_growth_but_not_release() {
    let mut v: Vec<u64> = Vec::new();
    assert_eq!(count_allocations(|| v.reserve_exact(4)), 1);
    assert_eq!(count_allocations(|| v.extend([1, 2, 3, 4])), 0);
    assert_eq!(count_allocations(|| v.reserve_exact(100)), 1);
    assert_eq!(count_allocations(|| drop(v)), 0);
    assert_eq!(count_allocations(|| drop(std::hint::black_box(vec![0_u8; 10]))), 1);
}

#[test]
fn another_thread_does_not_disturb() {
    let (begin, wait_begin) = std::sync::mpsc::sync_channel::<()>(0);
    let (done, wait_done) = std::sync::mpsc::sync_channel::<usize>(0);
    let thread = std::thread::spawn(move || {
        wait_begin.recv().expect("the other end waits");
        let counted = count_allocations(|| drop(std::hint::black_box(vec![1_u8; 7])));
        done.send(counted).expect("the other end waits");
    });
    let before = allocations();
    begin.send(()).expect("the thread waits");
    let other = wait_done.recv().expect("the thread sends");
    let here = allocations() - before;
    thread.join().expect("no panic");
    // Waiting on a channel may allocate on this thread. The counts of the two threads are independent.
    assert_eq!(other, 1);
    assert_eq!(count_allocations(|| ()), 0, "{here}");
}
