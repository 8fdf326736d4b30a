//! Newton's method on the square system of a pattern. The unknowns are the stages, weights and lengths of all
//! elements.

use ndarray::ArrayView2;
use siconos_linalg::DenseLu;

use super::FesdSystem;
use super::element::Element;
use super::pattern::PatternProblem;
use super::scales::Scales;
use super::square_system::SquareSystem;
use super::unknowns::Unknowns;

/// Fraction of the tolerance below which a single update ends the iteration. A larger update ends it only if
/// two successive updates are below the tolerance.
const SMALL_PART: f64 = 1e-2;

/// Relative update below which an update that no longer decreases is attributed to rounding errors. (The time
/// of a switch that is crossed slowly cannot be more accurate.) The residual of all conditions then decides.
const ROUNDING: f64 = 1e-10;

/// Relative update above which the iteration has diverged.
const TOO_FAR: f64 = 1e6;

/// Newton's method, with workspace.
#[derive(Debug, Default)]
pub(super) struct PatternNewton {
    unknowns: Unknowns,
    square: SquareSystem,
    lu: DenseLu,
}

/// Result of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NewtonEnd {
    pub(super) is_converged: bool,
    pub(super) iterations: usize,
}

impl PatternNewton {
    /// Solves the system with `elements` as the initial guess. The first element contains the state at the
    /// start. On return `elements` contains the last iterate.
    pub(super) fn solve(
        &mut self,
        system: &mut FesdSystem,
        problem: PatternProblem<'_>,
        scales: &Scales,
        elements: &mut [Element],
    ) -> NewtonEnd {
        let Self { unknowns, square, lu } = self;
        let size = unknowns.pack(system, problem, elements);
        unknowns.find_units(system, problem, scales);
        square.resize(size, problem.table.stages());
        let mut before = f64::INFINITY;
        let mut end = NewtonEnd { is_converged: false, iterations: 0 };
        while end.iterations < problem.max_iterations {
            end.iterations += 1;
            square.assemble(system, problem, scales, (&unknowns.z, &elements[0].start));
            unknowns.scale(&mut square.equations, &mut square.jacobian);
            let Ok(matrix) = ArrayView2::from_shape((size, size), &square.jacobian) else { break };
            if lu.factor(matrix).is_err() {
                break;
            }
            let direction = &mut square.equations;
            lu.solve(direction);
            unknowns.unscale(direction);
            let update = unknowns.advance(system, problem, scales, direction, elements);
            if !update.is_finite() || update > TOO_FAR {
                break;
            }
            let small = update <= problem.tolerance && before <= problem.tolerance;
            let is_rounding = before <= ROUNDING && update >= before;
            if small || is_rounding || update <= SMALL_PART * problem.tolerance {
                end.is_converged = true;
                break;
            }
            before = update;
        }
        end
    }
}
