//! Scaling that gives all variables of a basis the same unit.

use ndarray::ArrayView2;
use siconos_linalg::power_of_two_below;

/// Scaled M and q. The factors `units` convert the scaled $z$ to the $z$ of the problem.
#[derive(Clone, Debug, Default)]
pub(super) struct Scaled {
    /// Row-major.
    pub(super) m: Vec<f64>,
    pub(super) q: Vec<f64>,
    pub(super) units: Vec<f64>,
}

impl Scaled {
    /// Replaces w_i and z_i by u_i w_i and z_i / u_i, with u_i near the reciprocal square root of the
    /// diagonal entry, and then scales M and q so that their largest entries are near 1. All factors are
    /// powers of two, so the scaling does not round.
    pub(super) fn set(&mut self, m: ArrayView2<'_, f64>, q: &[f64]) {
        let power = |x: f64| x.log2().round().clamp(-500.0, 500.0).exp2();
        let largest = m.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        let of_m = power_of_two_below(largest);
        self.units.clear();
        for i in 0..q.len() {
            let entries = m.row(i).into_iter().chain(m.column(i)).fold(0.0_f64, |a, x| a.max(x.abs()));
            let size = if m[[i, i]] == 0.0 { entries } else { m[[i, i]].abs() };
            self.units.push(if size > 0.0 { power((of_m / size).sqrt()) } else { 1.0 });
        }
        let units = &self.units;
        self.m.clear();
        self.m.extend(m.indexed_iter().map(|((i, j), m)| m / of_m * units[i] * units[j]));
        self.q.clear();
        self.q.extend(q.iter().zip(units).map(|(q, unit)| q * unit));
        let largest = self.q.iter().fold(0.0_f64, |a, q| a.max(q.abs()));
        let of_q = power_of_two_below(largest);
        self.q.iter_mut().for_each(|q| *q /= of_q);
        self.units.iter_mut().for_each(|unit| *unit *= of_q / of_m);
    }
}
