//! What residuals are measured by: the magnitudes of the terms of their kind of equation.

use super::super::DviSet;
use super::super::state_map::add_product;
use super::layout::Layout;
use super::system::StepsSystem;

/// Magnitudes, in their units, the largest over all steps: of the terms of equations of motion by x, of w (of
/// equations of a polyhedron, with multipliers), of u (of the distances from faces), of the conditions.
#[derive(Clone, Debug)]
pub(super) struct Scales {
    pub(super) motion: Vec<f64>,
    pub(super) w: Vec<f64>,
    pub(super) u: Vec<f64>,
    pub(super) ends: Vec<f64>,
}

impl StepsSystem<'_> {
    /// The magnitudes of the equations at the origin, as far as they are finite.
    pub(super) fn measure_data(&mut self) {
        let Layout { m, steps, .. } = self.task.layout;
        let point = std::mem::replace(&mut self.point, vec![0.0; self.task.layout.size()]);
        let note = |size: &mut f64, value: f64| {
            if value.is_finite() {
                *size = size.max(value.abs());
            }
        };
        for k in 1..=steps {
            self.evaluate(k);
            let Self { memory, units, data, task, .. } = self;
            for ((size, rate), unit) in data.motion.iter_mut().zip(&memory.rate).zip(&units.x) {
                note(size, task.h * rate / unit);
            }
            for ((size, w), unit) in data.w.iter_mut().zip(&memory.w).zip(&units.law) {
                note(size, w / unit);
            }
        }
        for j in 0..m {
            let (lower, upper) = self.task.dvi.set().bounds(j);
            note(&mut self.data.u[j], lower / self.units.v[j]);
            note(&mut self.data.u[j], upper / self.units.v[j]);
        }
        if let DviSet::Polyhedron { k, .. } = self.task.dvi.set() {
            for (i, k) in k.iter().enumerate() {
                note(&mut self.data.w[m + i], k / self.units.law[m + i]);
            }
        }
        for ((size, b), unit) in
            self.data.ends.iter_mut().zip(&self.task.boundary.b).zip(&self.units.boundary)
        {
            note(size, b / unit);
        }
        self.point = point;
    }

    /// What the residuals of each kind of equation are measured by: the magnitudes of its terms.
    pub(super) fn scales(&self) -> Scales {
        let Self { task, units, sizes, data, .. } = self;
        let Layout { n, m, p, steps } = task.layout;
        let (mut x, mut v) = (vec![0.0_f64; n], vec![0.0_f64; m + p]);
        for k in 0..=steps {
            x.iter_mut().zip(self.x(k)).for_each(|(size, x)| *size = size.max(x.abs()));
            if k > 0 {
                v.iter_mut().zip(self.v(k)).for_each(|(size, v)| *size = size.max(v.abs()));
            }
        }
        let mut motion = vec![0.0; n];
        add_product(&sizes.a, &x, &mut motion);
        add_product(&sizes.b, &v[..m], &mut motion);
        let terms = motion.iter().zip(&x).zip(&units.x).map(|((rate, x), unit)| (task.h * rate + x) / unit);
        let motion = terms.zip(&data.motion).map(|(terms, data)| terms + data).collect();
        let mut law = vec![0.0; m + p];
        add_product(&sizes.c, &x, &mut law[..m]);
        add_product(&sizes.d, &v[..m], &mut law[..m]);
        if let DviSet::Polyhedron { h, .. } = task.dvi.set() {
            for ((i, j), entry) in h.indexed_iter() {
                law[j] += (entry * v[m + i]).abs();
                law[m + i] += (entry * v[j]).abs();
            }
        }
        let u = v.iter().zip(&units.v).zip(&data.u).map(|((v, unit), data)| v / unit + data).collect();
        let w = law.iter().zip(&units.law).zip(&data.w).map(|((w, unit), data)| w / unit + data).collect();
        let mut ends = vec![0.0; n];
        for matrix in [&task.boundary.m, &task.boundary.n] {
            for ((i, j), entry) in matrix.indexed_iter() {
                ends[i] += (entry * x[j]).abs();
            }
        }
        let ends = ends.iter().zip(&units.boundary).zip(&data.ends);
        let ends = ends.map(|((terms, unit), data)| terms / unit + data).collect();
        Scales { motion, w, u, ends }
    }
}
