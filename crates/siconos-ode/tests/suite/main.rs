//! Tests of the integration, in one executable. Every stepper is compared with closed forms.

mod accuracy;
mod bands;
mod errors;
mod memory;
mod polynomial;
mod record;
mod roots;
mod stiff;

use siconos_ode::{
    Advance, Crossing, Fired, Indicator, Integrator, Method, OdeFunctions, OdeSettings, OdeSystem, Tolerance,
};
use siconos_testkit::allocation::CountingAllocator;

/// Allocator that counts allocations by thread, so that parallel tests do not disturb each other.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// All steppers, and the automatic choice between them.
const METHODS: [Method; 4] = [Method::Explicit, Method::HighOrder, Method::Stiff, Method::Auto];

fn settings(method: Method, tolerance: f64) -> OdeSettings {
    OdeSettings {
        method,
        relative_tolerance: Tolerance::All(tolerance),
        absolute_tolerance: Tolerance::All(tolerance),
        ..OdeSettings::default()
    }
}

fn integrator(method: Method, tolerance: f64) -> Integrator {
    Integrator::new(settings(method, tolerance)).expect("valid settings")
}

/// x'' = -x with guards that depend only on x.
fn oscillator(crossings: Vec<Crossing>, levels: &'static [f64]) -> impl OdeSystem {
    OdeFunctions::new(2, |_t, x: &[f64], f: &mut [f64]| {
        f[0] = x[1];
        f[1] = -x[0];
    })
    .with_guards(crossings, move |_t, x: &[f64], g: &mut [f64]| {
        for (g, level) in g.iter_mut().zip(levels) {
            *g = x[0] - level;
        }
    })
}

/// x' = 1 with guards of time. Every method integrates this system exactly.
fn clock(crossings: Vec<Crossing>, guards: impl Fn(f64, &mut [f64])) -> impl OdeSystem {
    OdeFunctions::new(1, |_t, _x: &[f64], f: &mut [f64]| f[0] = 1.0)
        .with_guards(crossings, move |_t, x: &[f64], g: &mut [f64]| guards(x[0], g))
}

/// Integrates to the end and returns all roots.
fn all_roots(integrator: &mut Integrator, system: &mut dyn OdeSystem, end: f64) -> Vec<(f64, Vec<Fired>)> {
    all_roots_within(integrator, system, end, false)
}

/// Integrates to the end and returns all roots. If `overshoot` is `true`, steps can end after `end`.
fn all_roots_within(
    integrator: &mut Integrator,
    system: &mut dyn OdeSystem,
    end: f64,
    overshoot: bool,
) -> Vec<(f64, Vec<Fired>)> {
    let mut roots = Vec::new();
    let critical = if overshoot { f64::INFINITY } else { end };
    loop {
        match integrator.advance_within(system, end, critical).expect("it is finite") {
            Advance::Roots { t, fired } => roots.push((t, fired.to_vec())),
            Advance::Reached { t } => {
                assert_eq!((t, integrator.indicator()), (end, Indicator::NoRoot));
                assert_eq!(integrator.fired(), []);
                return roots;
            }
            other => panic!("{other:?}"),
        }
        assert!(roots.len() < 1000, "endless roots near {:?}", roots.last());
    }
}

/// Van der Pol oscillator with the stiffness parameter 1000.
fn van_der_pol() -> impl OdeSystem {
    OdeFunctions::new(2, |_t, x: &[f64], f: &mut [f64]| {
        f[0] = x[1];
        f[1] = 1000.0 * (1.0 - x[0] * x[0]) * x[1] - x[0];
    })
}
