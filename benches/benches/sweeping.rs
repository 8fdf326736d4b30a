//! Sweeping processes of first and higher order, and finite elements with switch detection: complete motions,
//! `sweeping/motion` or `fesd/motion/stages`.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ndarray::{Array2, array};
use siconos::Error;
use siconos_kernel::analysis::LinearSystem;
use siconos_numerics::cone::Ball;
use siconos_sweeping::fesd::{Fesd, FesdSettings, FilippovSystem};
use siconos_sweeping::higher_order::HigherOrderSweeping;
use siconos_sweeping::{CatchingUp, MovingFrame, MovingPolyhedron, MovingSet};

/// Number of steps of each motion.
const STEPS: u32 = 100;

fn follow<S: MovingSet>(sweep: &mut CatchingUp<S>, u0: &[f64], u: &mut [f64]) {
    u.copy_from_slice(u0);
    let h = 2.0 / f64::from(STEPS);
    for k in 0..STEPS {
        let report = sweep.step(h * f64::from(k), h, u);
        assert!(report.is_ok_and(|report| report.status.is_success()), "step {k}");
    }
}

/// Benches a point in a moving disc, and emptying tanks with rising and falling minimum levels.
fn first_order(criterion: &mut Criterion) -> Result<(), Error> {
    let mut group = criterion.benchmark_group("sweeping");
    let disc = Ball::new(vec![0.0; 2], 1.0).map_err(siconos_kernel::ModelError::from)?;
    let mut dragged =
        CatchingUp::new(MovingFrame::translated(2, disc, |t, centre: &mut [f64]| centre[0] = t));
    let mut u = [0.0; 2];
    group.bench_function("disc", |bencher| bencher.iter(|| follow(&mut dragged, &[0.0, -1.0], &mut u)));
    for n in [1, 10, 100] {
        let levels = MovingPolyhedron::new(n, n, |t, mut h, k| {
            for (i, k) in k.iter_mut().enumerate() {
                h[[i, i]] = 1.0;
                *k = 0.2 + (3.0 * t + i as f64).sin();
            }
        })?;
        let mut tanks = CatchingUp::new(levels).with_linear_perturbation(Array2::eye(n), |_t, _g| ())?;
        let (full, mut level) = (vec![1.5; n], vec![0.0; n]);
        group.bench_function(BenchmarkId::new("tanks", n), |bencher| {
            bencher.iter(|| follow(&mut tanks, &full, &mut level));
        });
    }
    group.finish();
    Ok(())
}

/// Benches three integrators whose output reaches its limit.
fn higher_order(criterion: &mut Criterion) -> Result<(), Error> {
    let a = array![[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]];
    let chain = LinearSystem::new(a, array![[0.0], [0.0], [1.0]], array![[1.0, 0.0, 0.0]], array![[0.0]])?;
    let mut process = HigherOrderSweeping::of(&chain)?;
    let start = process.state(&[1.0, -2.0, 1.0])?;
    criterion.bench_function("sweeping/three_integrators", |bencher| {
        bencher.iter(|| {
            let mut state = start.clone();
            for k in 0..STEPS {
                let report = process.step(2.0 / f64::from(STEPS), &mut state);
                assert!(report.is_ok_and(|report| report.info.status.is_success()), "step {k}");
            }
        });
    });
    Ok(())
}

/// Benches a spiral whose direction of rotation changes at the unit circle, in ten steps, one with a switch.
fn finite_elements(criterion: &mut Criterion) -> Result<(), Error> {
    let field = |sign: f64| {
        move |_t: f64, x: &[f64], f: &mut [f64]| {
            let turn = sign * std::f64::consts::TAU;
            (f[0], f[1]) = (x[0] + turn * x[1], x[1] - turn * x[0]);
        }
    };
    let mut group = criterion.benchmark_group("fesd/circle");
    for stages in 1..=4 {
        let outside = |_t: f64, x: &[f64]| x[0] * x[0] + x[1] * x[1] - 1.0;
        let system = FilippovSystem::two_modes(2, outside, field(1.0), field(-1.0))?;
        let mut fesd = Fesd::new(system, stages, FesdSettings::default())?;
        group.bench_function(BenchmarkId::from_parameter(stages), |bencher| {
            bencher.iter(|| {
                let mut x = [(-1.0_f64).exp(), 0.0];
                for k in 0..10 {
                    let report = fesd.step(0.157 * f64::from(k), 0.157, &mut x);
                    assert!(report.is_ok_and(|report| report.status.is_success()), "step {k}");
                }
            });
        });
    }
    group.finish();
    Ok(())
}

fn benches(criterion: &mut Criterion) {
    let all = [first_order, higher_order, finite_elements];
    if let Some(error) = all.iter().find_map(|bench| bench(criterion).err()) {
        panic!("a problem of the benches is not posed: {error}");
    }
}

criterion_group!(group, benches);
criterion_main!(group);
