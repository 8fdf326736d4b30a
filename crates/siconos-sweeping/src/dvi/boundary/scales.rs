//! Scales of the residuals, which are the magnitudes of the terms of the equations.

use super::super::state_map::add_product;
use super::layout::Layout;
use super::system::{StepsSystem, Task};

/// Scales of the residuals, the largest over all steps, in the units of the equations. `motion` is for the
/// equations of motion, `w` for w and the inequalities of a polyhedron, `u` for u and the multipliers, and
/// `ends` for the boundary conditions.
#[derive(Clone, Debug)]
pub(super) struct Scales {
    pub(super) motion: Vec<f64>,
    pub(super) w: Vec<f64>,
    pub(super) u: Vec<f64>,
    pub(super) ends: Vec<f64>,
}

impl Scales {
    pub(super) fn new(Layout { n, m, p, .. }: Layout) -> Self {
        Self { motion: vec![0.0; n], w: vec![0.0; m + p], u: vec![0.0; m + p], ends: vec![0.0; n] }
    }
}

impl StepsSystem<'_> {
    /// Computes the magnitudes of the terms that cannot be estimated from the derivatives. Affine functions
    /// are evaluated at the origin, and other functions at the current point. Values that are not finite are
    /// ignored.
    pub(super) fn measure_data(&mut self) {
        let Task { dvi, layout, .. } = self.task;
        let Layout { m, steps, .. } = layout;
        let keeps_x = !(dvi.f().is_affine() && dvi.g().is_affine());
        let keeps_u = dvi.map().matrix().is_none();
        let mut reference = vec![0.0; layout.size()];
        for k in 0..=steps {
            if keeps_x {
                let place = layout.x(k)..layout.x(k) + layout.n;
                reference[place.clone()].copy_from_slice(&self.point[place]);
            }
            if keeps_u && k > 0 {
                let place = layout.u(k)..layout.u(k) + m;
                reference[place.clone()].copy_from_slice(&self.point[place]);
            }
        }
        let point = std::mem::replace(&mut self.point, reference);
        self.data = Scales::new(layout);
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
        if let Some(polyhedron) = self.task.dvi.set().polyhedron() {
            for (i, k) in polyhedron.k().iter().enumerate() {
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

    /// Returns the scales of the residuals at the current point.
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
        if let Some(polyhedron) = task.dvi.set().polyhedron() {
            for ((i, j), entry) in polyhedron.h().indexed_iter() {
                law[j] += (entry * v[m + i]).abs();
                law[m + i] += (entry * v[j]).abs();
            }
        }
        let w: Vec<f64> =
            law.iter().zip(&units.law).zip(&data.w).map(|((w, unit), data)| w / unit + data).collect();
        let u = (0..m + p).map(|j| v[j].max(self.reach(j, &x, &w)) / units.v[j]).collect();
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

    /// Returns the smallest magnitude of component j of v whose effect on a component of w, or on a state
    /// over the whole interval, is as large as this component or state. It is the scale of a component of v
    /// that is 0 in all steps.
    fn reach(&self, j: usize, x: &[f64], w: &[f64]) -> f64 {
        let Self { task, units, sizes, .. } = self;
        let Layout { m, steps, .. } = task.layout;
        let length = task.h * steps as f64;
        let of_w = |l: usize| w[l] * units.law[l];
        let mut least = f64::INFINITY;
        let mut note = |size: f64, entry: f64| {
            if entry > 0.0 {
                least = least.min(size / entry);
            }
        };
        if j < m {
            x.iter().zip(sizes.b.column(j)).for_each(|(x, b)| note(*x, length * b));
            sizes.d.column(j).iter().enumerate().for_each(|(l, d)| note(of_w(l), *d));
        } else if let Some(polyhedron) = task.dvi.set().polyhedron() {
            polyhedron.h().row(j - m).iter().enumerate().for_each(|(l, h)| note(of_w(l), h.abs()));
        }
        if least.is_finite() { least } else { 0.0 }
    }
}
