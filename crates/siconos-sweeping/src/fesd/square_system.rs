//! Square system of a pattern: its equations and their Jacobian.

use super::FesdSystem;
use super::pattern::{Ending, PatternProblem};
use super::scales::Scales;
use super::stage::Stage;
use super::system::ActiveWeights;

/// Equations of a pattern at given unknowns, with workspace:
///
/// $$ X_j = x_0 + \ell \sum_k a_{jk} \dot x(t_k, X_k, w_k), \quad g_i(t_j, X_j) = \mu_j \text{ for the set},
/// \quad \sum_i w_{ji} = 1. $$
///
/// The last equation of a segment is its ending. If the segment ends with the step, this equation requires
/// that the lengths add up to the step length. As plain text: X_j = x_0 + l sum over k of a_jk x'(t_k, X_k,
/// w_k); g_i(t_j, X_j) = mu_j for the pairs i of the active set; sum over i of w_ji = 1.
#[derive(Debug, Default)]
pub(super) struct SquareSystem {
    /// Negated errors of the equations.
    pub(super) equations: Vec<f64>,
    pub(super) jacobian: Vec<f64>,
    stages: Vec<Stage>,
    start: Vec<f64>,
}

/// Offsets of an element in the vector of unknowns and in the pattern.
#[derive(Clone, Copy, Debug)]
struct ElementPosition {
    base: usize,
    block: usize,
    segment: usize,
    in_segment: usize,
}

impl SquareSystem {
    /// Resizes the workspace for a number of unknowns.
    pub(super) fn resize(&mut self, size: usize, stages: usize) {
        self.equations.resize(size, 0.0);
        self.jacobian.resize(size * size, 0.0);
        self.stages.resize_with(stages, Stage::default);
    }

    /// Writes the negated errors and the Jacobian at z for a step that starts at `start`.
    pub(super) fn assemble(
        &mut self,
        system: &mut FesdSystem,
        problem: PatternProblem<'_>,
        scales: &Scales,
        (z, start): (&[f64], &[f64]),
    ) {
        let n = system.states();
        let lengths = z.len() - problem.segments.len();
        let convex = usize::from(system.is_convex());
        self.jacobian.fill(0.0);
        let (mut base, mut t, mut end_before) = (0, problem.t, None);
        for (which, segment) in problem.segments.iter().enumerate() {
            let block = n + segment.active.len() + convex;
            let mut place = ElementPosition { base, block, segment: which, in_segment: 0 };
            for in_segment in 0..segment.elements {
                (place.base, place.in_segment) = (base, in_segment);
                self.evaluate_stages(system, problem, scales, z, place, t);
                self.start.clear();
                self.start.extend_from_slice(match end_before {
                    None => start,
                    Some(end) => &z[end..end + n],
                });
                self.write_motion_rows(problem, z, place, n);
                self.write_set_rows(problem, z, place, n);
                if let Some(end) = end_before {
                    self.write_left_columns(problem, place, end, n);
                }
                end_before = Some(base + block * (problem.table.stages() - 1));
                base += block * problem.table.stages();
                t += z[lengths + which];
            }
            self.write_ending(problem, z, place, n);
        }
    }

    fn evaluate_stages(
        &mut self,
        system: &mut FesdSystem,
        problem: PatternProblem<'_>,
        scales: &Scales,
        z: &[f64],
        place: ElementPosition,
        t: f64,
    ) {
        let n = system.states();
        let active = &problem.segments[place.segment].active;
        let length = z[z.len() - problem.segments.len() + place.segment];
        // If the only segment ends with the step, its length is known.
        let is_free = problem.segments.len() > 1 || problem.segments[0].ending != Ending::Step;
        let span = is_free.then_some(length.abs());
        for (j, (stage, node)) in self.stages.iter_mut().zip(&problem.table.nodes).enumerate() {
            let at = place.base + j * place.block;
            let (x, weights) = (&z[at..at + n], &z[at + n..at + n + active.len()]);
            let of_set = ActiveWeights { active, weights };
            stage.evaluate(system, t + node * length, x, span, of_set, scales);
        }
    }

    /// Writes the Runge-Kutta equations of an element.
    fn write_motion_rows(
        &mut self,
        problem: PatternProblem<'_>,
        z: &[f64],
        place: ElementPosition,
        n: usize,
    ) {
        let size = z.len();
        let lengths = size - problem.segments.len();
        let length = z[lengths + place.segment];
        let stages = problem.table.stages();
        for j in 0..stages {
            for r in 0..n {
                let row = place.base + j * place.block + r;
                let mut value = z[row] - self.start[r];
                self.jacobian[row * size + row] += 1.0;
                for (k, stage) in self.stages.iter().enumerate() {
                    let a = problem.table.matrix[j * stages + k];
                    let from = place.base + k * place.block;
                    value -= length * a * stage.rate[r];
                    for c in 0..n {
                        self.jacobian[row * size + from + c] -= length * a * stage.rate_by_x[r * n + c];
                    }
                    for (c, column) in stage.point.columns.chunks_exact(n).enumerate() {
                        self.jacobian[row * size + from + n + c] -= length * a * column[r];
                    }
                    self.jacobian[row * size + lengths + place.segment] -= a * stage.rate[r];
                    let by_t = length * a * stage.rate_by_t[r];
                    for (segment, part) in time_parts(problem, place, k) {
                        self.jacobian[row * size + lengths + segment] -= by_t * part;
                    }
                }
                self.equations[row] = -value;
            }
        }
    }

    /// Writes the equations of the active set at the stages of an element: each slack of the active set is 0,
    /// and (for a Filippov system) the weights add up to 1.
    fn write_set_rows(&mut self, problem: PatternProblem<'_>, z: &[f64], place: ElementPosition, n: usize) {
        let active = &problem.segments[place.segment].active;
        let has_level = place.block > n + active.len();
        for j in 0..problem.table.stages() {
            let at = place.base + j * place.block;
            for (c, &i) in active.iter().enumerate() {
                self.write_slack_row(problem, z, place, n, (at + n + c, j, i));
            }
            if has_level {
                let level = at + n + active.len();
                let weights = at + n..level;
                self.equations[level] = 1.0 - z[weights.clone()].iter().sum::<f64>();
                weights.for_each(|w| self.jacobian[level * z.len() + w] = 1.0);
            }
        }
    }

    /// Writes the equation "slack of pair i = 0" at a stage.
    fn write_slack_row(
        &mut self,
        problem: PatternProblem<'_>,
        z: &[f64],
        place: ElementPosition,
        n: usize,
        (row, j, i): (usize, usize, usize),
    ) {
        let size = z.len();
        let lengths = size - problem.segments.len();
        let at = place.base + j * place.block;
        let level = at + n + problem.segments[place.segment].active.len();
        let stage = &self.stages[j];
        let to = &mut self.jacobian[row * size..(row + 1) * size];
        to[at..at + n].copy_from_slice(&stage.guards_by_x[i * n..(i + 1) * n]);
        let mut value = stage.point.guards[i];
        if level < at + place.block {
            value -= z[level];
            to[level] = -1.0;
        }
        for (segment, part) in time_parts(problem, place, j) {
            to[lengths + segment] += stage.guards_by_t[i] * part;
        }
        self.equations[row] = -value;
    }

    /// Writes the derivatives of the equations of an element with respect to its start state.
    fn write_left_columns(
        &mut self,
        problem: PatternProblem<'_>,
        place: ElementPosition,
        end: usize,
        n: usize,
    ) {
        let size = self.equations.len();
        for j in 0..problem.table.stages() {
            for r in 0..n {
                let row = place.base + j * place.block + r;
                self.jacobian[row * size + end + r] -= 1.0;
            }
        }
    }

    /// Writes the equation for the ending of a segment, evaluated at the last stage of the segment.
    fn write_ending(&mut self, problem: PatternProblem<'_>, z: &[f64], place: ElementPosition, n: usize) {
        let size = z.len();
        let lengths = size - problem.segments.len();
        let row = lengths + place.segment;
        let segment = &problem.segments[place.segment];
        let last = problem.table.stages() - 1;
        match segment.ending {
            Ending::Step => {
                let mut sum = 0.0;
                for (k, segment) in problem.segments.iter().enumerate() {
                    sum += segment.elements as f64 * z[lengths + k];
                    self.jacobian[row * size + lengths + k] = segment.elements as f64;
                }
                self.equations[row] = problem.span - sum;
            }
            Ending::SlackIsZero(i) => self.write_slack_row(problem, z, place, n, (row, last, i)),
            Ending::WeightIsZero(i) => {
                let which = segment.active.iter().position(|&k| k == i).unwrap_or(0);
                let at = place.base + last * place.block + n + which;
                self.jacobian[row * size + at] = 1.0;
                self.equations[row] = -z[at];
            }
        }
    }
}

/// Returns the derivatives of the time of a stage with respect to the lengths, as pairs of a segment index
/// and a derivative.
fn time_parts<'a>(
    problem: PatternProblem<'a>,
    place: ElementPosition,
    stage: usize,
) -> impl Iterator<Item = (usize, f64)> + 'a {
    let before = problem.segments[..place.segment].iter().map(|segment| segment.elements as f64);
    let own = place.in_segment as f64 + problem.table.nodes[stage];
    before.chain(std::iter::once(own)).enumerate()
}
