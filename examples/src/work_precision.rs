//! Work-precision diagram of the methods for smooth integration: error and cost at given tolerances.
//!
//! Three problems with known solutions are integrated by the methods of [`siconos_ode`] at tolerances from
//! 1e-4 to 1e-13:
//!
//! - **Impacts.** A ball falls from h0 = 1 m with e = 0.9. The error is the largest error of the first 20
//!   impact times. The intervals between them form a geometric sequence. Between impacts the motion is a
//!   parabola, which every method integrates exactly, so that only the root finder and the 20 restarts
//!   contribute.
//! - **Crossings.** $\ddot x = -x$ is integrated from (1, 0) to t = 100. The error is the largest error of
//!   the 32 times $(k + 1/2) \pi$ at which x = 0. The roots are located on the dense output, so that both the
//!   method and its interpolant contribute.
//! - **Stiff.** Van der Pol's oscillator with $\mu = 1000$ is integrated to t = 2000. The error is relative
//!   to the reference value of the test set for initial value problem solvers (Mazzia and Magherini, problem
//!   VDPOLM). The explicit methods are omitted, because they are not suitable for this problem.
//!
//! The upper row of the figure shows the error as a function of the tolerance. On the dashed line, the error
//! equals the tolerance. The lower row shows the work, in evaluations of f, as a function of the error. For
//! the impacts, it shows the work as a function of the tolerance, because impacts are located up to rounding
//! at any tolerance.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/work_precision.svg"))]
//!
//! The method of order 8 is efficient at tight tolerances. It locates the crossings to 1e-12 with a fifth of
//! the evaluations of the method of order 5.
//!
//! ```
//! use siconos_examples::work_precision::{Problem, measure};
//! use siconos_ode::Method;
//!
//! let [loose, tight] = [1e-6, 1e-10].map(|tolerance| measure(Problem::Crossings, Method::Explicit, tolerance));
//! let (loose, tight) = (loose?, tight?);
//! assert!(tight.error < 1e-8 && tight.error < loose.error && tight.evaluations > loose.evaluations);
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::f64::consts::PI;
use std::path::{Path, PathBuf};

use siconos_figure::{Colour, Curve, Figure, Panel, Scale};
use siconos_ode::{
    Advance, Crossing, Integrator, Method, OdeError, OdeFunctions, OdeSettings, OdeSystem, Tolerance,
};

use crate::ExampleError;

/// Test problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A bouncing ball with 20 impacts.
    Impacts,
    /// An oscillator with 32 zeros.
    Crossings,
    /// Van der Pol's oscillator with mu = 1000.
    Stiff,
}

/// Error and work of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// Largest error of a time \[s\], or relative error of the final state \[1\]. It is NaN if the run ended
    /// early.
    pub error: f64,
    /// Number of evaluations of f.
    pub evaluations: usize,
}

/// Integrates one problem by one method. The relative and the absolute tolerance equal `tolerance`.
///
/// # Errors
///
/// If the tolerance is out of range.
pub fn measure(problem: Problem, method: Method, tolerance: f64) -> Result<Precision, ExampleError> {
    let settings = OdeSettings {
        method,
        relative_tolerance: Tolerance::All(tolerance),
        absolute_tolerance: Tolerance::All(tolerance),
        ..OdeSettings::default()
    };
    let mut integrator = Integrator::new(settings).map_err(OdeError::from)?;
    let error = match problem {
        Problem::Impacts => impacts(&mut integrator)?,
        Problem::Crossings => crossings(&mut integrator)?,
        Problem::Stiff => stiff(&mut integrator)?,
    };
    Ok(Precision { error, evaluations: integrator.statistics().f_evaluations })
}

/// Integrates up to the next root and returns its time, or NaN if there is none.
fn next_root(integrator: &mut Integrator, system: &mut dyn OdeSystem) -> Result<f64, OdeError> {
    Ok(match integrator.advance_within(system, 100.0, f64::INFINITY)? {
        Advance::Roots { t, .. } => t,
        _ => f64::NAN,
    })
}

fn impacts(integrator: &mut Integrator) -> Result<f64, OdeError> {
    let (gravity, restitution) = (9.81, 0.9);
    let mut ball = OdeFunctions::new(2, |_t, x: &[f64], f: &mut [f64]| (f[0], f[1]) = (x[1], -gravity))
        .with_guards(vec![Crossing::Falling], |_t, x: &[f64], g: &mut [f64]| g[0] = x[0]);
    integrator.restart(0.0, &[1.0, 0.0])?;
    let mut exact = f64::sqrt(2.0 / gravity);
    let mut speed = gravity * exact;
    let mut worst = 0.0_f64;
    for _impact in 0..20 {
        let t = next_root(integrator, &mut ball)?;
        if t.is_nan() {
            return Ok(t);
        }
        worst = worst.max((t - exact).abs());
        speed *= restitution;
        exact += 2.0 * speed / gravity;
        let after = [0.0, -restitution * integrator.x()[1]];
        integrator.restart(t, &after)?;
    }
    Ok(worst)
}

fn crossings(integrator: &mut Integrator) -> Result<f64, OdeError> {
    let mut oscillator = OdeFunctions::new(2, |_t, x: &[f64], f: &mut [f64]| (f[0], f[1]) = (x[1], -x[0]))
        .with_guards(vec![Crossing::Any], |_t, x: &[f64], g: &mut [f64]| g[0] = x[0]);
    integrator.restart(0.0, &[1.0, 0.0])?;
    let mut worst = 0.0_f64;
    for k in 0..32 {
        let t = next_root(integrator, &mut oscillator)?;
        if t.is_nan() {
            return Ok(t);
        }
        worst = worst.max((t - PI * (f64::from(k) + 0.5)).abs());
    }
    Ok(worst)
}

fn stiff(integrator: &mut Integrator) -> Result<f64, OdeError> {
    let mut oscillator = OdeFunctions::new(2, |_t, x: &[f64], f: &mut [f64]| {
        (f[0], f[1]) = (x[1], 1000.0 * (1.0 - x[0] * x[0]) * x[1] - x[0]);
    });
    integrator.restart(0.0, &[2.0, 0.0])?;
    Ok(match integrator.advance(&mut oscillator, 2000.0)? {
        Advance::Reached { .. } => (integrator.x()[0] / 1.706_167_732_170_483 - 1.0).abs(),
        _ => f64::NAN,
    })
}

/// Runs the example, prints errors and work, and writes `work_precision.svg` and `.png`.
///
/// # Errors
///
/// If a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let named = [
        (Method::Explicit, "order 5", Colour::Blue),
        (Method::HighOrder, "order 8", Colour::Vermillion),
        (Method::Stiff, "stiff", Colour::Green),
        (Method::Auto, "auto", Colour::Purple),
    ];
    let problems = [
        (Problem::Impacts, "20 impacts of a ball", "error of a time [s]", &named[..3]),
        (Problem::Crossings, "32 zeros of an oscillator", "error of a time [s]", &named[..3]),
        (Problem::Stiff, "stiff van der Pol", "relative error [1]", &named[2..]),
    ];
    let (mut above, mut below) = (Vec::new(), Vec::new());
    println!("{:>26} {:>18} {:>10} {:>10} {:>10}", "", "", "tolerance", "error", "f");
    for (problem, title, error_label, methods) in problems {
        let log = |title: &str, x: &str, y: &str| Panel {
            x_scale: Scale::Logarithmic,
            y_scale: Scale::Logarithmic,
            ..Panel::new(title, x, y)
        };
        let mut errors = log(title, "tolerance [1]", error_label);
        // The impacts are located up to rounding at any tolerance.
        let is_exact = problem == Problem::Impacts;
        let work_label = if is_exact { "tolerance [1]" } else { error_label };
        let mut work = log("", work_label, "evaluations of f [1]");
        for (method, name, colour) in methods {
            let (mut error_curve, mut work_curve) = (Vec::new(), Vec::new());
            for exponent in 4..=13 {
                let tolerance = 10f64.powi(-exponent);
                let Precision { error, evaluations } = measure(problem, *method, tolerance)?;
                if exponent % 3 == 1 {
                    println!("{title:>26} {name:>18} {tolerance:>10.0e} {error:>10.1e} {evaluations:>10}");
                }
                error_curve.push((tolerance, error));
                work_curve.push((if is_exact { tolerance } else { error }, evaluations as f64));
            }
            errors = errors.with(Curve::line(*name, error_curve).coloured(*colour));
            work = work.with(Curve::line("", work_curve).coloured(*colour));
        }
        above.push(errors.with(Curve::dashed("", vec![(1e-13, 1e-13), (1e-4, 1e-4)]).coloured(Colour::Grey)));
        below.push(work);
    }
    above.append(&mut below);
    crate::save(&Figure::grid("Work and precision", 3, above).with_size(1200, 640), output, "work_precision")
}
