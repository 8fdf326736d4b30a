//! Differential variational inequalities: boundary value problems with many steps, `dvi/bvp/steps`.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use siconos_examples::ExampleError;
use siconos_examples::sweeping::bounded_control;
use siconos_sweeping::dvi::{BoundarySettings, solve_boundary_value};

/// Benches the motion from rest at 0 to rest at 11/12 in the time 2 that minimises the integral of u^2 with
/// |u| <= 1.
fn all(criterion: &mut Criterion) -> Result<(), ExampleError> {
    let (dvi, boundary) = bounded_control::problem(11.0 / 12.0)?;
    let settings = BoundarySettings::default();
    let mut group = criterion.benchmark_group("dvi/bvp");
    group.sample_size(10);
    for steps in [100, 1000, 10_000] {
        // A failed solve would be timed as well.
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
