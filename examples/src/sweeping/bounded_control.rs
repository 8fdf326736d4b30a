//! Optimal control with a bounded force, from rest to rest, as a boundary value problem.
//!
//! A force u with $|u| \le 1$ moves a mass over a distance d in the time T = 2, from rest to rest, so that
//! the integral of u^2 is minimal. With the costates $p_q, p_v$ of position and velocity, Pontryagin's
//! minimum principle results in a differential variational inequality with conditions at both ends:
//!
//! $$ \dot q = v, \quad \dot v = u, \quad \dot p_q = 0, \quad \dot p_v = -p_q, \qquad
//!    u = \operatorname{proj}_{[-1, 1]}(-p_v), \qquad q(0) = v(0) = v(2) = 0, \quad q(2) = d. $$
//!
//! As plain text: q' = v, v' = u, p_q' = 0, p_v' = -p_q, where u is -p_v clipped at -1 and 1. The costate p_v
//! is a linear function of time that changes its sign in the middle, so that u is a linear function clipped
//! at the bounds:
//!
//! $$ u = \operatorname{clip}(s (1 - t)), \qquad
//!    s = \frac{3 d}{2} \quad \text{for} \quad d \le \frac{2}{3}, \qquad
//!    s = \frac{1}{\sqrt{3 (1 - d)}} \quad \text{for} \quad \frac{2}{3} < d < 1. $$
//!
//! As plain text: the slope s is 3 d / 2 if the bound is not active, and 1 / sqrt(3 (1 - d)) if it is. For d
//! = 11/12 the slope is 2. For d = 1 the force is 1 in the first half and -1 in the second half. Larger
//! distances cannot be reached in this time.
//!
//! The costates have no boundary conditions, so that the sum M + N of the matrices of the boundary conditions
//! is singular. The existence theorem of Pang and Stewart (2008) therefore does not apply, which the solution
//! reports as a [warning]. The condition of the theorem is sufficient but not necessary: the problem has a
//! solution nevertheless.
//!
//! [warning]: siconos_sweeping::dvi::BoundaryWarning::SingularSum
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/sweeping_bounded_control.svg"))]
//!
//! ```
//! use siconos_sweeping::dvi::BoundaryWarning;
//!
//! let found = siconos_examples::sweeping::bounded_control::solve(11.0 / 12.0, 400)?;
//! assert!(matches!(found.warnings[..], [BoundaryWarning::SingularSum { .. }]));
//! let exact = |t: f64| (2.0 * (1.0 - t)).clamp(-1.0, 1.0);
//! for (k, t) in found.solution.t().iter().enumerate().skip(1) {
//!     assert!((found.solution.u(k)[0] - exact(*t)).abs() < 0.02);
//! }
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use ndarray::{Array2, array};
use siconos_figure::{Curve, Figure, Panel};
use siconos_sweeping::dvi::{
    Boundary, BoundarySettings, BoundarySolution, Dvi, DviSet, StateMap, ViMap, solve_boundary_value,
};

use crate::ExampleError;

/// Duration of the motion \[s\].
pub const END: f64 = 2.0;

/// Returns the slope s of the control for a distance below 1.
#[must_use]
pub fn slope(distance: f64) -> f64 {
    if distance <= 2.0 / 3.0 { 1.5 * distance } else { (3.0 * (1.0 - distance)).sqrt().recip() }
}

/// Returns the optimality conditions with x = (q, v, p_q, p_v), and the boundary conditions: at rest at 0 at
/// the start, and at rest at `distance` at the end.
///
/// # Errors
///
/// If the distance is NaN.
pub fn problem(distance: f64) -> Result<(Dvi, Boundary), ExampleError> {
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
    Ok((dvi, Boundary { m, n, b: vec![0.0, 0.0, distance, 0.0] }))
}

/// Computes the motion over a distance with `steps` equal steps.
///
/// # Errors
///
/// If `steps` is 0 or the distance cannot be reached.
pub fn solve(distance: f64, steps: usize) -> Result<BoundarySolution, ExampleError> {
    let (dvi, ends) = problem(distance)?;
    let found = solve_boundary_value(&dvi, &ends, (0.0, END), steps, &BoundarySettings::default())?;
    if !found.info.status.is_success() {
        return Err(ExampleError::NoSolution { t: END });
    }
    Ok(found)
}

/// Runs the example, prints the errors of the controls, and writes `sweeping_bounded_control.svg` and `.png`.
///
/// # Errors
///
/// If a problem is not solved or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let steps = 800;
    let titles = ["Control: a line, cut at the bounds", "Velocity", "Position"];
    let labels = ["u [N]", "v [m/s]", "q [m]"];
    let mut panels: Vec<Panel> =
        titles.iter().zip(labels).map(|(title, label)| Panel::new(*title, "time t [s]", label)).collect();
    for (name, distance) in [("1/3", 1.0 / 3.0), ("2/3", 2.0 / 3.0), ("11/12", 11.0 / 12.0), ("0.99", 0.99)] {
        let found = solve(distance, steps)?;
        let solution = &found.solution;
        let exact = |t: f64| (slope(distance) * (1.0 - t)).clamp(-1.0, 1.0);
        let t = |k: usize| solution.t()[k];
        let off = (1..=steps).fold(0.0_f64, |most, k| most.max((solution.u(k)[0] - exact(t(k))).abs()));
        println!("distance {distance:.4}: slope {:.4}, u off by at most {off:.1e}", slope(distance));
        if let [warning] = &found.warnings[..] {
            println!("    warning: {warning}");
        }
        let u = (1..=steps).map(|k| (0.5 * (t(k - 1) + t(k)), solution.u(k)[0])).collect();
        let state = |i: usize| (0..=steps).map(|k| (t(k), solution.x(k)[i])).collect();
        for (panel, points) in panels.iter_mut().zip([u, state(1), state(0)]) {
            panel.curves.push(Curve::line(name, points));
        }
    }
    let title = "From rest to rest in 2 s with the least effort: bounded force, distances in m";
    crate::save(&Figure::grid(title, 3, panels).with_size(1200, 380), output, "sweeping_bounded_control")
}
