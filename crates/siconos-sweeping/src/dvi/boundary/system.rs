//! System of equations of all steps and the boundary conditions, for the semismooth Newton method.

use siconos_linalg::{MatrixRef, SingularMatrix, SparseLu};
use siconos_numerics::SolverError;
use siconos_numerics::engine::semismooth_newton::SemismoothSystem;
use siconos_numerics::ncp_function::NcpFunction;

use super::super::super::sizes::{relative, worse};
use super::super::state_map::add_product;
use super::super::{Dvi, DviError, DviSet};
use super::conditions::Boundary;
use super::evaluation::StepWorkspace;
use super::law::{Law, LawPoint};
use super::layout::{BorderedMatrix, Layout, Stencil};
use super::scales::Scales;
use super::units::{Sizes, Units};

/// Boundary value problem on one grid.
#[derive(Clone, Copy)]
pub(in super::super) struct Task<'a> {
    pub(in super::super) dvi: &'a Dvi,
    pub(in super::super) boundary: &'a Boundary,
    pub(in super::super) theta: f64,
    pub(in super::super) t0: f64,
    /// Step length \[s\].
    pub(in super::super) h: f64,
    pub(in super::super) layout: Layout,
}

/// Equations of all steps and the boundary conditions, scaled to the units of the problem.
pub(in super::super) struct StepsSystem<'a> {
    pub(super) task: Task<'a>,
    pub(super) units: Units,
    pub(super) sizes: Sizes,
    /// Magnitudes of the terms that do not depend on the unknowns.
    pub(super) data: Scales,
    pub(super) law: Law,
    pub(super) stencil: Stencil,
    pub(super) matrix: BorderedMatrix,
    pub(super) lu: SparseLu,
    /// Current point, in the units of the user.
    pub(super) point: Vec<f64>,
    pub(super) memory: StepWorkspace,
    pub(super) is_shifted: bool,
    /// Weights of the equations of motion and of the variational inequalities. They make the sum of squares
    /// independent of the number of steps: a residual of an equation of motion is h times a residual of the
    /// rate, and a sum over the steps is an integral divided by h.
    pub(super) weights: [f64; 2],
}

/// Shifts that are tried in this order if the matrix is singular. They are added to the derivatives of the
/// variational inequalities.
const SHIFTS: [f64; 3] = [1e-8, 1e-4, 1e-2];

impl<'a> StepsSystem<'a> {
    /// Sets up the equations from an initial guess, which is given in the units of the user.
    pub(in super::super) fn new(task: Task<'a>, guess: &[f64]) -> Result<Self, DviError> {
        let Task { dvi, boundary, h, layout, .. } = task;
        let Layout { n, m, p, steps } = layout;
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
            data: Scales::new(layout),
            law,
            stencil,
            matrix,
            lu: SparseLu::default(),
            point: guess.to_vec(),
            memory: StepWorkspace::new(layout),
            is_shifted: false,
            weights: [(steps as f64).sqrt(), (steps as f64).sqrt().recip()],
        };
        system.take_sizes()?;
        system.units = Units::new(layout, &system.sizes, boundary, dvi.set(), h * steps as f64);
        system.law = Law::new(dvi.set(), &system.units, (m, p));
        system.measure_data();
        Ok(system)
    }

    /// Returns the error at a point, relative to the magnitudes of the terms at this point. (A Newton step
    /// uses the magnitudes at the previous point, which can differ a lot.)
    ///
    /// # Errors
    ///
    /// If a function is not finite at this point.
    pub(in super::super) fn error_at(&mut self, z: &[f64], phi: &mut [f64]) -> Result<f64, DviError> {
        let dvi = self.task.dvi;
        if !(dvi.is_affine() && dvi.b().is_constant()) {
            self.take(z);
            self.take_sizes()?;
            self.measure_data();
        }
        Ok(self.residual(z, phi))
    }

    /// Stores the scaled point z as the current point, in the units of the user.
    fn take(&mut self, z: &[f64]) {
        let mut point = std::mem::take(&mut self.point);
        point.copy_from_slice(z);
        self.unscale(&mut point);
        self.point = point;
    }

    /// Sets the complementarity function that is used for box constraints.
    pub(in super::super) fn set_function(&mut self, function: NcpFunction) {
        self.law.function = function;
    }

    /// Converts a point from the units of the user to scaled unknowns, in place.
    pub(in super::super) fn scale(&self, z: &mut [f64]) {
        self.for_each_unit(|place, unit| z[place] /= unit);
    }

    /// Converts scaled unknowns to the units of the user, in place.
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
}

impl SemismoothSystem for StepsSystem<'_> {
    fn residual(&mut self, z: &[f64], phi: &mut [f64]) -> f64 {
        let Layout { n, m, p, steps } = self.task.layout;
        let Task { dvi, boundary, h, layout, .. } = self.task;
        self.take(z);
        let scales = self.scales();
        let mut error = 0.0_f64;
        let mut note = |part: f64| error = worse(part.abs(), error);
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
            let StepWorkspace { w, natural, .. } = memory;
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
