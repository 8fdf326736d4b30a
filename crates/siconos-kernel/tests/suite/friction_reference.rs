//! A published trajectory with friction, when it is at hand.

use std::path::Path;

use siconos_examples::spinning_disk::SpinningDisk;

/// The rows of the file; `None` where there is no folder of references.
fn reference(name: &str) -> Option<Vec<Vec<f64>>> {
    let folder = std::env::var_os("SICONOS_REFERENCE")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference"), Into::into);
    let path = folder.join("trajectories").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: there is no {}", path.display());
        return None;
    };
    let rows = text.lines().skip(1).map(|line| line.split_whitespace().map(|x| x.parse().unwrap()).collect());
    Some(rows.collect())
}

#[test]
fn the_spinning_disk_is_ball_2d_of_siconos() {
    let Some(reference) = reference("Ball2D_kernel_only_with_friction.ref") else { return };
    let table = SpinningDisk::default().simulate().unwrap();
    assert_eq!((reference.len(), reference[0].len()), (2001, table.columns().len()));
    let mut largest = 0.0_f64;
    for (k, (row, expected)) in table.rows().zip(&reference).enumerate() {
        // The first row of the file is the state at t = 0 under the time of the second one.
        let first = usize::from(k == 0);
        for (x, y) in row.iter().zip(expected).skip(first) {
            largest = largest.max((x - y).abs());
        }
    }
    println!("largest difference {largest:e}");
    assert!(largest <= 1e-11, "{largest:e}");
}
