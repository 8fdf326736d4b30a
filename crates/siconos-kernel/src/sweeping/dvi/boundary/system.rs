//! All steps and the boundary conditions as one system of equations for the semismooth Newton method.

use ndarray::Array2;
use siconos_numerics::SolverError;
use siconos_numerics::linalg::{MatrixRef, SingularMatrix, SparseLu, norm};
use siconos_numerics::ncp_function::NcpFunction;
use siconos_numerics::semismooth_newton::SemismoothSystem;

use super::super::initial_value::node;
use super::super::state_map::add_product;
use super::super::{Dvi, DviError, DviSet};
use super::conditions::Boundary;
use super::law::{Law, LawPoint, relative};
use super::layout::{BorderedMatrix, Layout, Stencil};
use super::scales::Scales;
use super::units::{Sizes, Units};
use crate::error::check_written;
use crate::model::dynamical_system::DifferenceScratch;

/// What is to be solved.
#[derive(Clone, Copy)]
pub(in super::super) struct Task<'a> {
    pub(in super::super) dvi: &'a Dvi,
    pub(in super::super) boundary: &'a Boundary,
    pub(in super::super) theta: f64,
    pub(in super::super) t0: f64,
    /// The step \[s\].
    pub(in super::super) h: f64,
    pub(in super::super) layout: Layout,
}

/// The equations in their units.
pub(in super::super) struct StepsSystem<'a> {
    pub(super) task: Task<'a>,
    pub(super) units: Units,
    pub(super) sizes: Sizes,
    /// Magnitudes of what does not depend on the unknowns.
    pub(super) data: Scales,
    law: Law,
    stencil: Stencil,
    matrix: BorderedMatrix,
    lu: SparseLu,
    /// The last point in the units of the data.
    pub(super) point: Vec<f64>,
    pub(super) memory: Memory,
    is_shifted: bool,
    /// What equations of motion and of the law are multiplied by, so that the sum of their squares is that of
    /// the differential equation, whatever the number of steps: a residual of motion is h times one of the
    /// rate, and a sum over steps is an integral over h.
    weights: [f64; 2],
}

/// Room for the values of one step.
pub(super) struct Memory {
    mixed: Vec<f64>,
    pub(super) rate: Vec<f64>,
    pub(super) w: Vec<f64>,
    natural: Vec<f64>,
    scratch_w: Vec<f64>,
    a: Array2<f64>,
    b: Array2<f64>,
    by_input: Array2<f64>,
    c: Array2<f64>,
    d: Array2<f64>,
    differences: [DifferenceScratch; 4],
    check: Vec<f64>,
}

/// Multiples of both derivatives of the equations of the law that are added where the matrix is singular, one
/// after the other.
const SHIFTS: [f64; 3] = [1e-8, 1e-4, 1e-2];

/// What a direction may leave of the linear equations.
const LARGEST_REMAINDER: f64 = 1e-6;

impl<'a> StepsSystem<'a> {
    /// Poses the problem around a guess, in the units of the data.
    pub(in super::super) fn new(task: Task<'a>, guess: &[f64]) -> Result<Self, DviError> {
        let Task { dvi, boundary, h, layout, .. } = task;
        let Layout { n, m, p, steps } = layout;
        let zeros = |rows, columns| Array2::zeros((rows, columns));
        let memory = Memory {
            mixed: vec![0.0; n],
            rate: vec![0.0; n],
            w: vec![0.0; m],
            natural: vec![0.0; m + p],
            scratch_w: vec![0.0; m],
            a: zeros(n, n),
            b: zeros(n, m),
            by_input: zeros(n, n),
            c: zeros(m, n),
            d: zeros(m, m),
            differences: Default::default(),
            check: Vec::new(),
        };
        let law_is_full = matches!(dvi.set(), DviSet::Projection(_));
        let stencil = Stencil::new(dvi, layout, boundary, law_is_full);
        let matrix = BorderedMatrix::new(layout, &stencil).map_err(SolverError::from)?;
        let ones = |count| vec![1.0; count];
        let units = Units { x: ones(n), v: ones(m + p), law: ones(m + p), boundary: ones(n) };
        let law = Law::new(dvi.set(), &units, (m, p));
        let mut system = Self {
            task,
            units,
            sizes: Sizes::new(n, m),
            data: Scales {
                motion: vec![0.0; n],
                w: vec![0.0; m + p],
                u: vec![0.0; m + p],
                ends: vec![0.0; n],
            },
            law,
            stencil,
            matrix,
            lu: SparseLu::default(),
            point: guess.to_vec(),
            memory,
            is_shifted: false,
            weights: [(steps as f64).sqrt(), (steps as f64).sqrt().recip()],
        };
        system.look_at_guess()?;
        system.units = Units::new(layout, &system.sizes, boundary, dvi.set(), h * steps as f64);
        system.law = Law::new(dvi.set(), &system.units, (m, p));
        system.measure_data();
        Ok(system)
    }

    /// Chooses the complementarity function.
    pub(in super::super) fn set_function(&mut self, function: NcpFunction) {
        self.law.function = function;
    }

    /// Brings a point to the units of the unknowns.
    pub(in super::super) fn scale(&self, z: &mut [f64]) {
        self.for_each_unit(|place, unit| z[place] /= unit);
    }

    /// Brings a point back to the units of the data.
    pub(in super::super) fn unscale(&self, z: &mut [f64]) {
        self.for_each_unit(|place, unit| z[place] *= unit);
    }

    fn for_each_unit(&self, mut visit: impl FnMut(usize, f64)) {
        let layout = self.task.layout;
        for k in 0..=layout.steps {
            if k > 0 {
                self.units.v.iter().enumerate().for_each(|(j, unit)| visit(layout.u(k) + j, *unit));
            }
            self.units.x.iter().enumerate().for_each(|(i, unit)| visit(layout.x(k) + i, *unit));
        }
    }

    pub(super) fn x(&self, k: usize) -> &[f64] {
        let start = self.task.layout.x(k);
        &self.point[start..start + self.task.layout.n]
    }

    pub(super) fn v(&self, k: usize) -> &[f64] {
        let start = self.task.layout.u(k);
        &self.point[start..start + self.task.layout.m + self.task.layout.p]
    }

    fn t(&self, k: usize) -> f64 {
        node(self.task.t0, self.task.h, k)
    }

    /// The state at which f is taken in the step that ends at node k.
    fn write_mixed(&mut self, k: usize) {
        let mut mixed = std::mem::take(&mut self.memory.mixed);
        for ((mixed, old), new) in mixed.iter_mut().zip(self.x(k - 1)).zip(self.x(k)) {
            *mixed = old + self.task.theta * (new - old);
        }
        self.memory.mixed = mixed;
    }

    /// Writes f + B u of a step to `rate`, G + F(u) to `w`.
    pub(super) fn evaluate(&mut self, k: usize) {
        self.write_mixed(k);
        let (t_before, t) = (self.t(k - 1), self.t(k));
        let (dvi, m) = (self.task.dvi, self.task.layout.m);
        let mut memory = std::mem::take(&mut self.memory.rate);
        dvi.f().value_into(t_before, &self.memory.mixed, &mut memory);
        let mut b = std::mem::take(&mut self.memory.b);
        dvi.b().value_into(t_before, self.x(k - 1), &mut b);
        add_product(&b, &self.v(k)[..m], &mut memory);
        self.memory.b = b;
        self.memory.rate = memory;
        let (mut w, mut scratch) =
            (std::mem::take(&mut self.memory.w), std::mem::take(&mut self.memory.scratch_w));
        dvi.g().value_into(t, self.x(k), &mut w);
        dvi.map().add_value(&self.v(k)[..m], &mut scratch, &mut w);
        (self.memory.w, self.memory.scratch_w) = (w, scratch);
    }

    /// Writes the derivatives of a step, and takes note of their sizes.
    fn linearise(&mut self, k: usize) {
        self.write_mixed(k);
        let (t_before, t) = (self.t(k - 1), self.t(k));
        let Self { task, point, memory, sizes, .. } = self;
        let Task { dvi, layout, .. } = *task;
        let x = |k: usize| &point[layout.x(k)..layout.x(k) + layout.n];
        let u = &point[layout.u(k)..layout.u(k) + layout.m];
        let [of_f, of_g, of_map, of_b] = &mut memory.differences;
        dvi.f().jacobian_into(t_before, &memory.mixed, of_f, &mut memory.a);
        dvi.b().value_into(t_before, x(k - 1), &mut memory.b);
        memory.by_input.fill(0.0);
        dvi.b().add_jacobian((t_before, x(k - 1), u), of_b, &mut memory.by_input);
        dvi.g().jacobian_into(t, x(k), of_g, &mut memory.c);
        dvi.map().jacobian_into(u, of_map, &mut memory.d);
        Sizes::widen(&mut sizes.a, &memory.a);
        Sizes::widen(&mut sizes.b, &memory.b);
        Sizes::widen(&mut sizes.c, &memory.c);
        Sizes::widen(&mut sizes.d, &memory.d);
    }

    /// The functions of the user have to be finite at the guess.
    fn look_at_guess(&mut self) -> Result<(), DviError> {
        for k in 1..=self.task.layout.steps {
            self.evaluate(k);
            check_written("f + B u", self.t(k - 1), &self.memory.rate)?;
            check_written("G + F", self.t(k), &self.memory.w)?;
            self.linearise(k);
        }
        Ok(())
    }

    /// Writes the matrix at the last point; with a shift, both derivatives of each equation of the law grow
    /// by that.
    fn assemble(&mut self, shift: f64) {
        let Layout { n, m, p, steps } = self.task.layout;
        let Task { dvi, boundary, theta, h, layout, .. } = self.task;
        let is_full = matches!(dvi.set(), DviSet::Projection(_));
        let [of_motion, of_law] = self.weights;
        self.matrix.begin();
        let mut scaled_v = vec![0.0; m + p];
        for k in 1..=steps {
            self.evaluate(k);
            self.linearise(k);
            let Self { memory, law, units, stencil, matrix, point, .. } = self;
            let v = &point[layout.u(k)..layout.u(k) + m + p];
            for ((scaled, v), unit) in scaled_v.iter_mut().zip(v).zip(&units.v) {
                *scaled = v / unit;
            }
            memory.w.iter_mut().zip(&units.law).for_each(|(w, unit)| *w /= unit);
            law.derive(dvi.set(), LawPoint { v: &scaled_v, w: &memory.w });
            for j in 0..m {
                law.by_v[[j, j]] += shift;
                law.by_w[[j, j]] += shift;
            }
            for i in m..m + p {
                law.by_v[[i, i]] += shift;
            }
            let Memory { a, b, by_input, c, d, .. } = &*memory;
            let (x, v) = (&units.x, &units.v);
            let one = |i: usize, j: usize| f64::from(u8::from(i == j));
            matrix.write(&stencil.motion_x, |i, j| {
                let before = one(i, j) + h * ((1.0 - theta) * a[[i, j]] + by_input[[i, j]]);
                -of_motion * before * (x[j] / x[i])
            });
            matrix.write(&stencil.motion_u, |i, j| -of_motion * h * b[[i, j]] * (v[j] / x[i]));
            matrix.write(&stencil.motion_x, |i, j| {
                of_motion * (one(i, j) - h * theta * a[[i, j]]) * (x[j] / x[i])
            });
            let through = |i: usize, column: &dyn Fn(usize) -> f64| match is_full {
                true => (0..m).map(|l| law.by_w[[i, l]] * column(l)).sum::<f64>(),
                false => law.by_w[[i, i]] * column(i),
            };
            matrix.write(&stencil.law_v, |i, j| {
                let by_map = match i < m && j < m {
                    true => through(i, &|l| d[[l, j]] * (v[j] / units.law[l])),
                    false => 0.0,
                };
                of_law * (law.by_v[[i, j]] + by_map)
            });
            matrix.write(&stencil.law_x, |i, j| of_law * through(i, &|l| c[[l, j]] * (x[j] / units.law[l])));
        }
        let Self { units, stencil, matrix, .. } = self;
        for (list, end) in stencil.ends.iter().zip([&boundary.m, &boundary.n]) {
            matrix.write(list, |i, j| end[[i, j]] * (units.x[j] / units.boundary[i]));
        }
        debug_assert!(n > 0, "a problem has states");
        self.is_shifted = shift != 0.0;
    }

    /// Solves H d = -phi with the matrix as it is.
    fn solve(&mut self, phi: &[f64], d: &mut [f64]) -> Result<(), SingularMatrix> {
        self.lu.factor(&self.matrix.matrix)?;
        d.iter_mut().zip(phi).for_each(|(d, phi)| *d = -phi);
        self.lu.solve(d);
        let remainder = &mut self.memory.check;
        remainder.clear();
        remainder.extend_from_slice(phi);
        self.matrix.matrix.add_product(1.0, d, remainder);
        let left = norm(remainder);
        if left <= LARGEST_REMAINDER * norm(phi) {
            return Ok(());
        }
        Err(SingularMatrix::Pivot { column: 0, pivot: 0.0 })
    }
}

impl SemismoothSystem for StepsSystem<'_> {
    fn residual(&mut self, z: &[f64], phi: &mut [f64]) -> f64 {
        let Layout { n, m, p, steps } = self.task.layout;
        let Task { dvi, boundary, h, layout, .. } = self.task;
        self.point.copy_from_slice(z);
        let mut point = std::mem::take(&mut self.point);
        self.unscale(&mut point);
        self.point = point;
        let scales = self.scales();
        let mut error = 0.0_f64;
        let mut note =
            |part: f64| error = if part.is_nan() || part.abs() > error { part.abs() } else { error };
        for k in 1..=steps {
            self.evaluate(k);
            let row = layout.motion(k);
            for i in 0..n {
                let moved = self.x(k)[i] - self.x(k - 1)[i];
                let left = (moved - h * self.memory.rate[i]) / self.units.x[i];
                phi[row + i] = self.weights[0] * left;
                note(relative(left, scales.motion[i]));
            }
            let Self { memory, law, units, weights, .. } = self;
            let Memory { w, natural, .. } = memory;
            w.iter_mut().zip(&units.law).for_each(|(w, unit)| *w /= unit);
            let start = layout.u(k);
            let point = LawPoint { v: &z[start..start + m + p], w };
            let equations = &mut phi[row + n..row + n + m + p];
            law.value(dvi.set(), point, law.function, equations);
            equations.iter_mut().for_each(|equation| *equation *= weights[1]);
            law.measure(dvi.set(), point, (&scales.u, &scales.w), natural);
            natural.iter().for_each(|part| note(*part));
        }
        let mut ends: Vec<f64> = boundary.b.iter().map(|b| -b).collect();
        add_product(&boundary.m, self.x(0), &mut ends);
        add_product(&boundary.n, self.x(steps), &mut ends);
        let row = layout.boundary();
        for i in 0..n {
            phi[row + i] = ends[i] / self.units.boundary[i];
            note(relative(phi[row + i], scales.ends[i]));
        }
        error
    }

    fn direction(&mut self, _: &[f64], phi: &[f64], d: &mut [f64]) -> Result<(), SingularMatrix> {
        self.assemble(0.0);
        let mut solved = self.solve(phi, d);
        for shift in SHIFTS {
            if solved.is_ok() {
                break;
            }
            self.assemble(shift);
            solved = self.solve(phi, d);
        }
        solved
    }

    fn gradient(&mut self, _: &[f64], phi: &[f64], g: &mut [f64]) {
        if self.is_shifted {
            self.assemble(0.0);
        }
        g.fill(0.0);
        MatrixRef::Csc(&self.matrix.matrix).add_transposed_product(1.0, phi, g);
    }
}
