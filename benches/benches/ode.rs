//! Smooth integration with root location: `ode/problem/method`.
//!
//! - `ball`: 20 impacts of a ball with e = 0.9 at tolerance 1e-10, each followed by a restart. The printed
//!   time is the time of all impacts; `elem/s` counts impacts.
//! - `oscillator`: $\ddot x = -x$ to t = 100 at tolerance 1e-10 with 32 zero crossings; `elem/s` counts
//!   crossings.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use siconos_ode::{Advance, Crossing, Integrator, Method, OdeError, OdeFunctions, OdeSettings, OdeSystem};

const METHODS: [(&str, Method); 4] = [
    ("explicit", Method::Explicit),
    ("high_order", Method::HighOrder),
    ("stiff", Method::Stiff),
    ("auto", Method::Auto),
];

fn ball(integrator: &mut Integrator) -> Result<f64, OdeError> {
    let mut ball = OdeFunctions::new(2, |_t, x: &[f64], f: &mut [f64]| (f[0], f[1]) = (x[1], -9.81))
        .with_guards(vec![Crossing::Falling], |_t, x: &[f64], g: &mut [f64]| g[0] = x[0]);
    integrator.restart(0.0, &[1.0, 0.0])?;
    for _impact in 0..20 {
        let t = next_root(integrator, &mut ball)?;
        let after = [0.0, -0.9 * integrator.x()[1]];
        integrator.restart(t, &after)?;
    }
    Ok(integrator.t())
}

fn oscillator(integrator: &mut Integrator) -> Result<f64, OdeError> {
    let mut oscillator = OdeFunctions::new(2, |_t, x: &[f64], f: &mut [f64]| (f[0], f[1]) = (x[1], -x[0]))
        .with_guards(vec![Crossing::Any], |_t, x: &[f64], g: &mut [f64]| g[0] = x[0]);
    integrator.restart(0.0, &[1.0, 0.0])?;
    for _crossing in 0..32 {
        next_root(integrator, &mut oscillator)?;
    }
    Ok(integrator.t())
}

fn next_root(integrator: &mut Integrator, system: &mut dyn OdeSystem) -> Result<f64, OdeError> {
    match integrator.advance(system, 100.0)? {
        Advance::Roots { t, .. } => Ok(t),
        other => panic!("a root is missing: {other:?}"),
    }
}

type Problem = fn(&mut Integrator) -> Result<f64, OdeError>;

fn all(criterion: &mut Criterion) -> Result<(), OdeError> {
    let problems: [(&str, Problem, u64); 2] = [("ball", ball, 20), ("oscillator", oscillator, 32)];
    for (name, problem, roots) in problems {
        let mut group = criterion.benchmark_group("ode");
        group.throughput(Throughput::Elements(roots));
        for (method_name, method) in METHODS {
            let mut integrator = Integrator::new(OdeSettings { method, ..OdeSettings::default() })?;
            problem(&mut integrator)?;
            group.bench_function(BenchmarkId::new(name, method_name), |bencher| {
                bencher.iter(|| problem(&mut integrator));
            });
        }
        group.finish();
    }
    Ok(())
}

fn benches(criterion: &mut Criterion) {
    if let Err(error) = all(criterion) {
        panic!("a problem of the benches does not run: {error}");
    }
}

criterion_group!(group, benches);
criterion_main!(group);
