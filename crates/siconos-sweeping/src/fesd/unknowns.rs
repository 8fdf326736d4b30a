//! Layout, units and updates of the unknowns of a pattern.

use siconos_linalg::power_of_two_below;

use super::super::sizes::relative;
use super::FesdSystem;
use super::element::Element;
use super::pattern::{Ending, PatternProblem};
use super::scales::Scales;

/// Minimum ratio of an element length after a Newton step to the length before the step.
const LEAST_LENGTH: f64 = 0.1;

/// Unknowns of a pattern. Each stage of each element has x, the weights of the active set and (for a Filippov
/// system) mu. The element lengths, one for each segment, are the last unknowns.
#[derive(Debug, Default)]
pub(super) struct Unknowns {
    pub(super) z: Vec<f64>,
    /// Units of the unknowns and of the equations, powers of 2.
    units: Vec<f64>,
    equation_units: Vec<f64>,
}

impl Unknowns {
    /// Copies the unknowns from the elements, and returns the number of unknowns.
    pub(super) fn pack(
        &mut self,
        system: &FesdSystem,
        problem: PatternProblem<'_>,
        elements: &mut [Element],
    ) -> usize {
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

    /// Computes the units of unknowns and equations.
    pub(super) fn find_units(&mut self, system: &FesdSystem, problem: PatternProblem<'_>, scales: &Scales) {
        self.units.clear();
        self.equation_units.clear();
        for segment in problem.segments {
            for _ in 0..segment.elements * problem.table.stages() {
                for units in [&mut self.units, &mut self.equation_units] {
                    units.extend(scales.state.iter().map(|scale| power_of_two_below(*scale)));
                }
                self.units.extend(segment.active.iter().map(|&i| power_of_two_below(scales.weight[i])));
                self.equation_units
                    .extend(segment.active.iter().map(|&i| power_of_two_below(scales.slack[i])));
                if system.is_convex() {
                    self.units.push(power_of_two_below(scales.slack[0]));
                    self.equation_units.push(1.0);
                }
            }
        }
        for segment in problem.segments {
            self.units.push(power_of_two_below(problem.span));
            self.equation_units.push(match segment.ending {
                Ending::Step => power_of_two_below(problem.span),
                Ending::SlackIsZero(i) => power_of_two_below(scales.slack[i]),
                Ending::WeightIsZero(i) => power_of_two_below(scales.weight[i]),
            });
        }
    }

    /// Converts the equations and the Jacobian to the units of `find_units`.
    pub(super) fn scale(&self, equations: &mut [f64], jacobian: &mut [f64]) {
        let rows = jacobian.chunks_exact_mut(self.z.len()).zip(equations);
        for ((row, equation), of_equation) in rows.zip(&self.equation_units) {
            *equation /= of_equation;
            row.iter_mut().zip(&self.units).for_each(|(entry, unit)| *entry *= unit / of_equation);
        }
    }

    /// Converts a direction in the units of `find_units` to the units of z.
    pub(super) fn unscale(&self, direction: &mut [f64]) {
        direction.iter_mut().zip(&self.units).for_each(|(d, unit)| *d *= unit);
    }

    /// Adds a direction to the unknowns, and writes them to the elements. Returns the largest component of
    /// the direction, relative to the scales.
    pub(super) fn advance(
        &mut self,
        system: &FesdSystem,
        problem: PatternProblem<'_>,
        scales: &Scales,
        direction: &[f64],
        elements: &mut [Element],
    ) -> f64 {
        let lengths = self.z.len() - problem.segments.len();
        let part = self.z[lengths..].iter().zip(&direction[lengths..]).fold(1.0_f64, |part, (l, d)| {
            let most = (1.0 - LEAST_LENGTH) * l;
            if *d < -most && *l > 0.0 { part.min(most / -d) } else { part }
        });
        for (z, d) in self.z.iter_mut().zip(direction) {
            *z += part * d;
        }
        let n = system.states();
        let (mut at, mut update, mut t, mut next) = (0, 0.0_f64, problem.t, 0);
        // NaN is kept; `f64::max` would ignore it.
        let mut count = |error: f64| update = if error.is_nan() { error } else { update.max(error) };
        for (segment, &length) in problem.segments.iter().zip(&self.z[lengths..]) {
            for element in &mut elements[next..next + segment.elements] {
                (element.t, element.h) = (t, length);
                t += length;
                element.weights.fill(0.0);
                let m = element.weights.len() / problem.table.stages();
                for stage in 0..problem.table.stages() {
                    let (x, d) = (&self.z[at..at + n], &direction[at..at + n]);
                    element.stages[stage * n..(stage + 1) * n].copy_from_slice(x);
                    for ((x, d), scale) in x.iter().zip(d).zip(&scales.state) {
                        count(relative(d.abs(), scale.max(x.abs())));
                    }
                    at += n;
                    for &i in &segment.active {
                        element.weights[stage * m + i] = self.z[at];
                        count(relative(direction[at].abs(), scales.weight[i].max(self.z[at].abs())));
                        at += 1;
                    }
                    if system.is_convex() {
                        element.levels[stage] = self.z[at];
                        count(relative(direction[at].abs(), scales.slack[0].max(self.z[at].abs())));
                        at += 1;
                    }
                }
            }
            next += segment.elements;
        }
        direction[lengths..].iter().for_each(|d| count(relative(d.abs(), problem.span)));
        for k in 1..elements.len() {
            let (before, after) = elements.split_at_mut(k);
            after[0].start.copy_from_slice(before[k - 1].end());
        }
        update
    }
}
