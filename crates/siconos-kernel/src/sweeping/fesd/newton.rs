//! Newton's method on the square system of a pattern: stages, weights and lengths of all its elements.

use ndarray::ArrayView2;
use siconos_numerics::linalg::DenseLu;

use super::FesdSystem;
use super::element::Element;
use super::pattern::{Ending, Segment};
use super::radau::RadauTable;
use super::scales::{Scales, relative, unit};
use super::system::{Differences, Point};

/// The part of a length that a Newton step leaves at least.
const LEAST_LENGTH: f64 = 0.1;

/// Updates that are this part of the tolerance are below what anybody asks for.
const SMALL_PART: f64 = 1e-2;

/// A step beyond this many scales goes nowhere.
const TOO_FAR: f64 = 1e6;

/// The method and its memory.
///
/// The unknowns are, for each element and stage, x, the weights of the set and (of a Filippov system) mu,
/// then the length of an element of each segment. The equations are
///
/// $$ X_j = x_0 + \ell \sum_k a_{jk} \dot x(t_k, X_k, w_k), \quad g_i(t_j, X_j) = \mu_j \text{ for the set},
/// \quad \sum_i w_{ji} = 1, $$
///
/// for each segment but the last what ends it, and that the lengths add up to the step.
#[derive(Debug, Default)]
pub(super) struct PatternNewton {
    z: Vec<f64>,
    equations: Vec<f64>,
    jacobian: Vec<f64>,
    lu: DenseLu,
    stages: Vec<Stage>,
    differences: Differences,
    start: Vec<f64>,
    weights: Vec<f64>,
    /// What the unknowns and the equations are measured in, powers of 2.
    units: Vec<f64>,
    equation_units: Vec<f64>,
}

/// The functions at a stage, and their derivatives.
#[derive(Debug, Default)]
struct Stage {
    point: Point,
    rate: Vec<f64>,
    rate_by_x: Vec<f64>,
    guards_by_x: Vec<f64>,
    rate_by_t: Vec<f64>,
    guards_by_t: Vec<f64>,
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NewtonEnd {
    pub(super) is_converged: bool,
    pub(super) iterations: usize,
}

/// A problem for [`PatternNewton`].
#[derive(Clone, Copy, Debug)]
pub(super) struct PatternProblem<'a> {
    pub(super) table: &'a RadauTable,
    pub(super) segments: &'a [Segment],
    /// Where the first element begins.
    pub(super) t: f64,
    /// The length of all, where the last segment ends with the step, and a measure of lengths where not.
    pub(super) span: f64,
    pub(super) tolerance: f64,
    pub(super) max_iterations: usize,
}

/// Where the unknowns of an element are.
#[derive(Clone, Copy, Debug)]
struct Place {
    base: usize,
    block: usize,
    segment: usize,
    in_segment: usize,
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
        let size = self.pack(system, problem, elements);
        self.find_units(system, problem, scales);
        self.equations.resize(size, 0.0);
        self.jacobian.resize(size * size, 0.0);
        self.stages.resize_with(problem.table.stages(), Stage::default);
        let mut before = f64::INFINITY;
        let mut end = NewtonEnd { is_converged: false, iterations: 0 };
        while end.iterations < problem.max_iterations {
            end.iterations += 1;
            self.assemble(system, problem, scales, &elements[0].start);
            self.scale();
            let Ok(matrix) = ArrayView2::from_shape((size, size), &self.jacobian) else { break };
            if self.lu.factor(matrix).is_err() {
                break;
            }
            self.lu.solve(&mut self.equations);
            self.equations.iter_mut().zip(&self.units).for_each(|(d, unit)| *d *= unit);
            let update = self.advance(system, problem, scales, elements);
            if !update.is_finite() || update > TOO_FAR {
                break;
            }
            let small = update <= problem.tolerance && before <= problem.tolerance;
            if small || update <= SMALL_PART * problem.tolerance {
                end.is_converged = true;
                break;
            }
            before = update;
        }
        end
    }

    /// Writes the unknowns of the elements to z; returns how many they are.
    fn pack(&mut self, system: &FesdSystem, problem: PatternProblem<'_>, elements: &mut [Element]) -> usize {
        self.z.clear();
        let mut next = 0;
        for segment in problem.segments {
            let first = next;
            for element in &mut elements[first..first + segment.elements] {
                element.set_active(&segment.active);
                for stage in 0..problem.table.stages() {
                    self.z.extend_from_slice(element.state_at(stage));
                    self.z.extend(segment.active.iter().map(|&i| element.weights_at(stage)[i]));
                    if system.is_convex() {
                        self.z.push(element.levels[stage]);
                    }
                }
            }
            next += segment.elements;
        }
        let mut next = 0;
        for segment in problem.segments {
            self.z.push(elements[next].h);
            next += segment.elements;
        }
        self.z.len()
    }

    /// Finds the units of unknowns and equations.
    fn find_units(&mut self, system: &FesdSystem, problem: PatternProblem<'_>, scales: &Scales) {
        self.units.clear();
        self.equation_units.clear();
        for segment in problem.segments {
            for _ in 0..segment.elements * problem.table.stages() {
                for units in [&mut self.units, &mut self.equation_units] {
                    units.extend(scales.state.iter().map(|scale| unit(*scale)));
                }
                self.units.extend(segment.active.iter().map(|&i| unit(scales.weight[i])));
                self.equation_units.extend(segment.active.iter().map(|&i| unit(scales.slack[i])));
                if system.is_convex() {
                    self.units.push(unit(scales.slack[0]));
                    self.equation_units.push(1.0);
                }
            }
        }
        for segment in problem.segments {
            self.units.push(unit(problem.span));
            self.equation_units.push(match segment.ending {
                Ending::Step => unit(problem.span),
                Ending::SlackIsZero(i) => unit(scales.slack[i]),
                Ending::WeightIsZero(i) => unit(scales.weight[i]),
            });
        }
    }

    /// Brings the equations and the Jacobian to the units.
    fn scale(&mut self) {
        let rows = self.jacobian.chunks_exact_mut(self.z.len()).zip(&mut self.equations);
        for ((row, equation), of_equation) in rows.zip(&self.equation_units) {
            *equation /= of_equation;
            row.iter_mut().zip(&self.units).for_each(|(entry, unit)| *entry *= unit / of_equation);
        }
    }

    /// Moves along the direction in `equations`, writes the unknowns to the elements, and returns the size of
    /// the move relative to the scales.
    fn advance(
        &mut self,
        system: &FesdSystem,
        problem: PatternProblem<'_>,
        scales: &Scales,
        elements: &mut [Element],
    ) -> f64 {
        let lengths = self.z.len() - problem.segments.len();
        let part = self.z[lengths..].iter().zip(&self.equations[lengths..]).fold(1.0_f64, |part, (l, d)| {
            let most = (1.0 - LEAST_LENGTH) * l;
            if *d < -most && *l > 0.0 { part.min(most / -d) } else { part }
        });
        for (z, d) in self.z.iter_mut().zip(&self.equations) {
            *z += part * d;
        }
        let n = system.states();
        let (mut at, mut update, mut t, mut next) = (0, 0.0_f64, problem.t, 0);
        // max passes over NaN.
        let mut count = |error: f64| update = if error.is_nan() { error } else { update.max(error) };
        for (segment, &length) in problem.segments.iter().zip(&self.z[lengths..]) {
            for element in &mut elements[next..next + segment.elements] {
                (element.t, element.h) = (t, length);
                t += length;
                element.weights.fill(0.0);
                let m = element.weights.len() / problem.table.stages();
                for stage in 0..problem.table.stages() {
                    let (x, d) = (&self.z[at..at + n], &self.equations[at..at + n]);
                    element.stages[stage * n..(stage + 1) * n].copy_from_slice(x);
                    for ((x, d), scale) in x.iter().zip(d).zip(&scales.state) {
                        count(relative(d.abs(), scale.max(x.abs())));
                    }
                    at += n;
                    for &i in &segment.active {
                        element.weights[stage * m + i] = self.z[at];
                        let scale = scales.weight[i].max(self.z[at].abs());
                        count(relative(self.equations[at].abs(), scale));
                        at += 1;
                    }
                    if system.is_convex() {
                        element.levels[stage] = self.z[at];
                        count(relative(self.equations[at].abs(), scales.slack[0].max(self.z[at].abs())));
                        at += 1;
                    }
                }
            }
            next += segment.elements;
        }
        self.equations[lengths..].iter().for_each(|d| count(relative(d.abs(), problem.span)));
        for k in 1..elements.len() {
            let (before, after) = elements.split_at_mut(k);
            after[0].start.copy_from_slice(before[k - 1].end());
        }
        update
    }

    /// Writes minus the equations and the Jacobian at z.
    fn assemble(
        &mut self,
        system: &mut FesdSystem,
        problem: PatternProblem<'_>,
        scales: &Scales,
        start: &[f64],
    ) {
        let size = self.z.len();
        let n = system.states();
        let lengths = size - problem.segments.len();
        let convex = usize::from(system.is_convex());
        let is_free = problem.segments.len() > 1 || problem.segments[0].ending != Ending::Step;
        self.jacobian.fill(0.0);
        let (mut base, mut t, mut end_before) = (0, problem.t, None);
        for (which, segment) in problem.segments.iter().enumerate() {
            let length = self.z[lengths + which];
            let block = n + segment.active.len() + convex;
            let mut place = Place { base, block, segment: which, in_segment: 0 };
            for in_segment in 0..segment.elements {
                (place.base, place.in_segment) = (base, in_segment);
                self.evaluate_stages(system, problem, scales, (place, t), is_free);
                self.start.clear();
                self.start.extend_from_slice(match end_before {
                    None => start,
                    Some(end) => &self.z[end..end + n],
                });
                self.write_stage_rows(problem, (place, n));
                if let Some(end) = end_before {
                    self.write_left_columns(problem, place, end, n);
                }
                end_before = Some(base + block * (problem.table.stages() - 1));
                base += block * problem.table.stages();
                t += length;
            }
            self.write_ending(problem, (place, n), lengths);
        }
    }

    fn evaluate_stages(
        &mut self,
        system: &mut FesdSystem,
        problem: PatternProblem<'_>,
        scales: &Scales,
        (place, t): (Place, f64),
        is_free: bool,
    ) {
        let (n, m) = (system.states(), system.pairs());
        let active = &problem.segments[place.segment].active;
        let length = self.z[self.z.len() - problem.segments.len() + place.segment];
        for (j, (stage, node)) in self.stages.iter_mut().zip(&problem.table.nodes).enumerate() {
            let at = place.base + j * place.block;
            let x = &self.z[at..at + n];
            self.weights.clear();
            self.weights.extend_from_slice(&self.z[at + n..at + n + active.len()]);
            for (memory, size) in [
                (&mut stage.rate, n),
                (&mut stage.rate_by_x, n * n),
                (&mut stage.guards_by_x, m * n),
                (&mut stage.rate_by_t, n),
                (&mut stage.guards_by_t, m),
            ] {
                memory.resize(size, 0.0);
            }
            let t = t + node * length;
            system.evaluate(t, x, active, &mut stage.point);
            stage.point.rate(self.weights.iter().copied(), &mut stage.rate);
            let of_set = (active.as_slice(), self.weights.as_slice());
            let differences = &mut self.differences;
            system.write_rate_derivative((t, x), of_set, scales, differences, &mut stage.rate_by_x);
            system.write_guard_gradients(t, x, scales, differences, &mut stage.guards_by_x);
            if is_free {
                let to = (stage.rate_by_t.as_mut_slice(), stage.guards_by_t.as_mut_slice());
                system.write_time_derivatives((t, x), of_set, length.abs(), differences, to);
            } else {
                stage.rate_by_t.fill(0.0);
                stage.guards_by_t.fill(0.0);
            }
        }
    }

    /// The equations of the stages of an element.
    fn write_stage_rows(&mut self, problem: PatternProblem<'_>, (place, n): (Place, usize)) {
        let size = self.z.len();
        let lengths = size - problem.segments.len();
        let active = &problem.segments[place.segment].active;
        let length = self.z[lengths + place.segment];
        let stages = problem.table.stages();
        let has_level = place.block > n + active.len();
        for j in 0..stages {
            let at = place.base + j * place.block;
            for r in 0..n {
                let row = at + r;
                let mut value = self.z[row] - self.start[r];
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
            let stage = &self.stages[j];
            let level = at + n + active.len();
            for (c, &i) in active.iter().enumerate() {
                let row = at + n + c;
                let mut value = stage.point.guards[i];
                for k in 0..n {
                    self.jacobian[row * size + at + k] = stage.guards_by_x[i * n + k];
                }
                if has_level {
                    value -= self.z[level];
                    self.jacobian[row * size + level] = -1.0;
                }
                for (segment, part) in time_parts(problem, place, j) {
                    self.jacobian[row * size + lengths + segment] += stage.guards_by_t[i] * part;
                }
                self.equations[row] = -value;
            }
            if has_level {
                let weights = at + n..level;
                self.equations[level] = 1.0 - self.z[weights.clone()].iter().sum::<f64>();
                weights.for_each(|w| self.jacobian[level * size + w] = 1.0);
            }
        }
    }

    /// The derivatives of an element by the end of the one before.
    fn write_left_columns(&mut self, problem: PatternProblem<'_>, place: Place, end: usize, n: usize) {
        let size = self.z.len();
        for j in 0..problem.table.stages() {
            for r in 0..n {
                let row = place.base + j * place.block + r;
                self.jacobian[row * size + end + r] -= 1.0;
            }
        }
    }

    /// What ends a segment, at the last stage of its last element.
    fn write_ending(&mut self, problem: PatternProblem<'_>, (place, n): (Place, usize), lengths: usize) {
        let size = self.z.len();
        let row = lengths + place.segment;
        let segment = &problem.segments[place.segment];
        let last = problem.table.stages() - 1;
        let at = place.base + last * place.block;
        match segment.ending {
            Ending::Step => {
                let mut sum = 0.0;
                for (k, segment) in problem.segments.iter().enumerate() {
                    sum += segment.elements as f64 * self.z[lengths + k];
                    self.jacobian[row * size + lengths + k] = segment.elements as f64;
                }
                self.equations[row] = problem.span - sum;
            }
            Ending::SlackIsZero(i) => {
                let stage = &self.stages[last];
                let mut value = stage.point.guards[i];
                for k in 0..n {
                    self.jacobian[row * size + at + k] = stage.guards_by_x[i * n + k];
                }
                let level = at + n + segment.active.len();
                if place.block > n + segment.active.len() {
                    value -= self.z[level];
                    self.jacobian[row * size + level] = -1.0;
                }
                for (which, part) in time_parts(problem, place, last) {
                    self.jacobian[row * size + lengths + which] += stage.guards_by_t[i] * part;
                }
                self.equations[row] = -value;
            }
            Ending::WeightIsZero(i) => {
                let which = segment.active.iter().position(|&k| k == i).unwrap_or(0);
                self.jacobian[row * size + at + n + which] = 1.0;
                self.equations[row] = -self.z[at + n + which];
            }
        }
    }
}

/// How the time of a stage depends on the lengths: pairs of a segment and the derivative.
fn time_parts<'a>(
    problem: PatternProblem<'a>,
    place: Place,
    stage: usize,
) -> impl Iterator<Item = (usize, f64)> + 'a {
    let before = problem.segments[..place.segment].iter().map(|segment| segment.elements as f64);
    let own = place.in_segment as f64 + problem.table.nodes[stage];
    before.chain(std::iter::once(own)).enumerate()
}
