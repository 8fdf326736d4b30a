//! Finite elements with switch detection: orders across switches, sliding, perturbed sweeping processes,
//! stress tests, dips between stages, both searches, errors.

mod attacks;
mod dips;
mod orders;
mod refusals;
mod searches;
mod sliding;

use siconos_sweeping::fesd::{Fesd, FesdReport, FesdSettings, FesdSystem, PatternSearch, Switch};

/// Returns the states at the points of a uniform grid of n steps, and all switches. Every step must converge.
fn run(fesd: &mut Fesd, (t0, t_end): (f64, f64), n: usize, x0: &[f64]) -> (Vec<Vec<f64>>, Vec<Switch>) {
    let (h, mut x) = ((t_end - t0) / n as f64, x0.to_vec());
    let (mut states, mut switches) = (vec![x.clone()], Vec::new());
    for k in 0..n {
        let report = fesd.step(t0 + k as f64 * h, h, &mut x).expect("it goes");
        assert_converged(report, k);
        switches.extend_from_slice(&report.switches);
        states.push(x.clone());
    }
    (states, switches)
}

fn assert_converged(report: &FesdReport, k: usize) {
    assert!(report.status.is_success(), "step {k}: {report:?}");
    assert!(report.residual.largest() <= 1e-12, "step {k}: {report:?}");
}

/// Creates a method with default settings.
fn method(system: impl Into<FesdSystem>, stages: usize) -> Fesd {
    Fesd::new(system, stages, FesdSettings::default()).expect("good settings")
}

/// Creates a method with a given search, and otherwise default settings.
fn by(pattern: PatternSearch, system: impl Into<FesdSystem>, stages: usize) -> Fesd {
    Fesd::new(system, stages, FesdSettings { pattern, ..FesdSettings::default() }).expect("good settings")
}
