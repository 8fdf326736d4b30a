//! Variational inequality of one step, written as equations: complementarity functions for box constraints,
//! the Karush-Kuhn-Tucker conditions for a polyhedron, and the natural map for a set given by its projection.

use ndarray::Array2;
use siconos_numerics::box_constraints::{box_derivative, box_value};
use siconos_numerics::ncp_function::NcpFunction;

use super::super::super::sizes::relative;
use super::super::DviSet;
use super::units::Units;

/// Step of the finite differences of a projection, in the unit of u.
const PROJECTION_STEP: f64 = 1e-7;

/// Values of one step, in [units](Units) in which u and w have comparable sizes.
#[derive(Clone, Copy)]
pub(super) struct LawPoint<'a> {
    /// u, followed by the multipliers.
    pub(super) v: &'a [f64],
    /// w, without the contribution of the multipliers.
    pub(super) w: &'a [f64],
}

/// Equations of the variational inequality of one step, with workspace.
#[derive(Clone, Debug)]
pub(super) struct Law {
    pub(super) function: NcpFunction,
    /// Matrix H of the polyhedron, in the units of the unknowns and equations. `slack` maps u to the
    /// left-hand sides of the inequalities, and `forces` maps the multipliers to their contribution to w.
    slack: Array2<f64>,
    forces: Array2<f64>,
    offset: Vec<f64>,
    bounds: Vec<(f64, f64)>,
    unit: f64,
    /// Derivatives of the equations: `by_v` with respect to u and the multipliers at constant w, and `by_w`
    /// with respect to w.
    pub(super) by_v: Array2<f64>,
    pub(super) by_w: Array2<f64>,
}

impl Law {
    pub(super) fn new(set: &DviSet, units: &Units, (m, p): (usize, usize)) -> Self {
        let (mut slack, mut forces, mut offset) = (Array2::zeros((p, m)), Array2::zeros((p, m)), Vec::new());
        if let Some(polyhedron) = set.polyhedron() {
            for ((i, j), entry) in polyhedron.h().indexed_iter() {
                slack[[i, j]] = entry * units.v[j] / units.law[m + i];
                forces[[i, j]] = entry * units.v[m + i] / units.law[j];
            }
            offset.extend(polyhedron.k().iter().zip(&units.law[m..]).map(|(k, unit)| k / unit));
        }
        let bounds = (0..m).map(|j| set.bounds(j)).zip(&units.v).map(|((l, b), unit)| (l / unit, b / unit));
        Self {
            function: NcpFunction::Minimum,
            slack,
            forces,
            offset,
            bounds: bounds.collect(),
            unit: units.v[0],
            by_v: Array2::zeros((m + p, m + p)),
            by_w: Array2::zeros((m + p, m)),
        }
    }

    /// Writes the values of the equations.
    pub(super) fn value(&self, set: &DviSet, point: LawPoint<'_>, function: NcpFunction, out: &mut [f64]) {
        let LawPoint { v, w } = point;
        let m = w.len();
        match set {
            DviSet::Orthant | DviSet::Box { .. } => {
                for (j, (lower, upper)) in self.bounds.iter().enumerate() {
                    out[j] = box_value(function, v[j], w[j], *lower, *upper);
                }
            }
            DviSet::Polyhedron(_) => {
                out[..m].copy_from_slice(w);
                for i in 0..self.offset.len() {
                    let forces = self.forces.row(i);
                    out[..m].iter_mut().zip(forces).for_each(|(out, h)| *out -= h * v[m + i]);
                    out[m + i] = function.value(v[m + i], self.gap(i, v));
                }
            }
            DviSet::Projection(projection) => {
                for j in 0..m {
                    out[j] = (v[j] - w[j]) * self.unit;
                }
                projection.apply(out);
                for j in 0..m {
                    out[j] = v[j] - out[j] / self.unit;
                }
            }
        }
    }

    /// Writes the relative error of each equation. The distance of a variable from a bound is relative to the
    /// sum of the magnitudes of the variable and of this bound; w is relative to its own magnitude. A larger
    /// scale would hide a violated bound. For example, the w of a diverging costate is large, and so is the
    /// other bound if it is a large number in place of infinity.
    pub(super) fn measure(
        &self,
        set: &DviSet,
        point: LawPoint<'_>,
        (of_v, of_w): (&[f64], &[f64]),
        out: &mut [f64],
    ) {
        let LawPoint { v, w } = point;
        let m = w.len();
        let minimum = NcpFunction::Minimum;
        match set {
            DviSet::Orthant | DviSet::Box { .. } => {
                for (j, (lower, upper)) in self.bounds.iter().enumerate() {
                    let [below, above] = [*lower, *upper].map(|bound| {
                        let of_bound = if bound.is_finite() { bound.abs() } else { 0.0 };
                        relative(v[j] - bound, of_v[j] + of_bound)
                    });
                    out[j] = box_value(minimum, 0.0, relative(w[j], of_w[j]), -below, -above);
                }
            }
            DviSet::Polyhedron(_) => {
                self.value(set, point, minimum, out);
                for j in 0..m {
                    out[j] = relative(out[j], of_w[j]);
                }
                for i in m..out.len() {
                    let gap = self.gap(i - m, v);
                    out[i] = minimum.value(relative(v[i], of_v[i]), relative(gap, of_w[i]));
                }
            }
            DviSet::Projection(_) => {
                self.value(set, point, minimum, out);
                for j in 0..m {
                    out[j] = relative(out[j], if of_v[j] > 0.0 { of_v[j] } else { of_w[j] });
                }
            }
        }
    }

    /// Returns the slack of inequality i of the polyhedron.
    fn gap(&self, i: usize, v: &[f64]) -> f64 {
        self.slack.row(i).iter().zip(v).map(|(h, u)| h * u).sum::<f64>() - self.offset[i]
    }

    /// Writes the derivatives to `by_v` and `by_w`.
    pub(super) fn derive(&mut self, set: &DviSet, point: LawPoint<'_>) {
        let LawPoint { v, w } = point;
        let m = w.len();
        self.by_v.fill(0.0);
        self.by_w.fill(0.0);
        match set {
            DviSet::Orthant | DviSet::Box { .. } => {
                for (j, (lower, upper)) in self.bounds.iter().enumerate() {
                    let (of_u, of_w) = box_derivative(self.function, v[j], w[j], *lower, *upper);
                    (self.by_v[[j, j]], self.by_w[[j, j]]) = (of_u, of_w);
                }
            }
            DviSet::Polyhedron(_) => {
                for j in 0..m {
                    self.by_w[[j, j]] = 1.0;
                }
                for i in 0..self.offset.len() {
                    let (of_multiplier, of_gap) = self.function.derivative(v[m + i], self.gap(i, v));
                    self.by_v[[m + i, m + i]] = of_multiplier;
                    for j in 0..m {
                        self.by_v[[j, m + i]] = -self.forces[[i, j]];
                        self.by_v[[m + i, j]] = of_gap * self.slack[[i, j]];
                    }
                }
            }
            DviSet::Projection(projection) => {
                let shifted: Vec<f64> = v.iter().zip(w).map(|(v, w)| (v - w) * self.unit).collect();
                let size = shifted.iter().fold(self.unit, |size, x| size.max(x.abs()));
                let step = PROJECTION_STEP * size;
                for j in 0..m {
                    let [mut right, mut left] = [shifted.clone(), shifted.clone()];
                    right[j] += step;
                    left[j] -= step;
                    projection.apply(&mut right);
                    projection.apply(&mut left);
                    for i in 0..m {
                        let of_projection = (right[i] - left[i]) / (2.0 * step);
                        self.by_v[[i, j]] = f64::from(u8::from(i == j)) - of_projection;
                        self.by_w[[i, j]] = of_projection;
                    }
                }
            }
        }
    }
}
