//! Newton's method on the square system of a pattern: stages, weights and lengths of all its elements.

use ndarray::ArrayView2;
use siconos_linalg::DenseLu;

use super::FesdSystem;
use super::element::Element;
use super::pattern::PatternProblem;
use super::scales::Scales;
use super::square_system::SquareSystem;
use super::unknowns::Unknowns;

/// Updates that are this part of the tolerance are below what anybody asks for.
const SMALL_PART: f64 = 1e-2;

/// Updates below this part of the scales that no longer become smaller are rounding: a switch that is crossed
/// slowly has a time no better than that. The measure of the conditions decides what they are worth.
const ROUNDING: f64 = 1e-10;

/// A step beyond this many scales goes nowhere.
const TOO_FAR: f64 = 1e6;

/// The method and its memory.
#[derive(Debug, Default)]
pub(super) struct PatternNewton {
    unknowns: Unknowns,
    square: SquareSystem,
    lu: DenseLu,
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NewtonEnd {
    pub(super) is_converged: bool,
    pub(super) iterations: usize,
}

impl PatternNewton {
    /// Solves from the stages, weights, levels and lengths in `elements`, the first of which has the start.
    /// All is left as it came out.
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
