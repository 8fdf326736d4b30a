//! Differential variational inequalities: boundary value problems of many steps, named dvi/bvp/steps.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ndarray::{Array2, array};
use siconos_kernel::sweeping::dvi::{
    Boundary, BoundarySettings, Dvi, DviError, DviSet, StateMap, ViMap, solve_boundary_value,
};

/// From rest at 0 to rest at 11/12 in a time of 2 with the least int of u^2 and |u| <= 1: q, v and their
/// costates.
fn rest_to_rest() -> Result<(Dvi, Boundary), DviError> {
    let mut a = Array2::zeros((4, 4));
    (a[[0, 1]], a[[3, 2]]) = (1.0, -1.0);
    let dvi = Dvi::new(
        StateMap::linear(a),
        array![[0.0], [1.0], [0.0], [0.0]],
        StateMap::linear(array![[0.0, 0.0, 0.0, 1.0]]),
        ViMap::Linear(array![[1.0]]),
        DviSet::Box { lower: vec![-1.0], upper: vec![1.0] },
    )?;
    let (mut m, mut n) = (Array2::zeros((4, 4)), Array2::zeros((4, 4)));
    (m[[0, 0]], m[[1, 1]], n[[2, 0]], n[[3, 1]]) = (1.0, 1.0, 1.0, 1.0);
    Ok((dvi, Boundary { m, n, b: vec![0.0, 0.0, 11.0 / 12.0, 0.0] }))
}

fn all(criterion: &mut Criterion) -> Result<(), DviError> {
    let (dvi, boundary) = rest_to_rest()?;
    let settings = BoundarySettings::default();
    let mut group = criterion.benchmark_group("dvi/bvp");
    group.sample_size(10);
    for steps in [100, 1000, 10_000] {
        // What does not converge would be timed all the same.
        let found = solve_boundary_value(&dvi, &boundary, (0.0, 2.0), steps, &settings)?;
        assert!(found.info.status.is_success(), "{steps} steps: {:?}", found.grids);
        group.bench_function(BenchmarkId::from_parameter(steps), |bencher| {
            bencher.iter(|| solve_boundary_value(&dvi, &boundary, (0.0, 2.0), steps, &settings));
        });
    }
    group.finish();
    Ok(())
}

fn benches(criterion: &mut Criterion) {
    if let Err(error) = all(criterion) {
        panic!("a problem of the benches is not posed: {error}");
    }
}

criterion_group!(group, benches);
criterion_main!(group);
