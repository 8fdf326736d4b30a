//! Comparison of the spinning disk with a published trajectory with friction, if the reference file is
//! available.

use siconos_examples::spinning_disk::SpinningDisk;
use siconos_testkit::reference::trajectory;

#[test]
fn the_spinning_disk_is_ball_2d_of_siconos() {
    let Some(reference) = trajectory("Ball2D_kernel_only_with_friction.ref") else { return };
    let table = SpinningDisk::default().simulate().unwrap();
    assert_eq!((reference.len(), reference[0].len()), (2001, table.columns().len()));
    let mut largest = 0.0_f64;
    for (k, (row, expected)) in table.rows().zip(&reference).enumerate() {
        // The first row of the file contains the state at t = 0, but the time of the second row.
        let first = usize::from(k == 0);
        for (x, y) in row.iter().zip(expected).skip(first) {
            largest = largest.max((x - y).abs());
        }
    }
    println!("largest difference {largest:e}");
    assert!(largest <= 1e-11, "{largest:e}");
}
