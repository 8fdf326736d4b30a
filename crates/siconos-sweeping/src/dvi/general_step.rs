//! Step of a problem that is not affine. Each step solves a variational inequality in x and u.

use ndarray::{Array2, ArrayViewMut2};
use siconos_linalg::{DenseLu, power_of_two_below};
use siconos_numerics::engine::semismooth_newton::SemismoothNewtonSettings;
use siconos_numerics::ncp::DifferentiableMap;
use siconos_numerics::vi::{BoxDirection, BoxNewtonSettings, BoxViProblem, Newton};
use siconos_numerics::{SolveInfo, Solver, SolverError};

use super::super::sizes::{relative, worse};
use super::by_projection::{ByProjection, ScaledMap, unit_of_input};
use super::set::SetProjection;
use super::state_map::add_product;
use super::step_task::{Iterate, StepTask};
use super::{Dvi, DviError, DviSet, DviSettings};
use siconos_kernel::engine::DifferenceScratch;
use siconos_kernel::engine::check_written;

/// Solvers: one for sets given by bounds or inequalities, and one for sets given by their projection.
#[derive(Debug)]
pub(super) struct GeneralStep {
    newton: Box<Newton>,
    by_projection: ByProjection,
    b: Array2<f64>,
}

impl GeneralStep {
    pub(super) fn new(dvi: &Dvi, settings: &DviSettings) -> Result<Self, SolverError> {
        let DviSettings { tolerance, max_iterations } = *settings;
        let newton = SemismoothNewtonSettings { tolerance, max_iterations, ..Default::default() };
        let direction = BoxDirection::LinearisedInequality;
        let of_newton = BoxNewtonSettings { newton, direction, ..Default::default() };
        Ok(Self {
            newton: Box::new(Newton::new(of_newton)?),
            by_projection: ByProjection::new(settings)?,
            b: Array2::zeros((dvi.states(), dvi.inputs())),
        })
    }

    pub(super) fn step(&mut self, task: StepTask<'_>, to: Iterate<'_>) -> Result<SolveInfo, DviError> {
        task.dvi.b().value_into(task.t, task.x, &mut self.b);
        check_written("B", task.t, &self.b)?;
        let step = StepEquations { task, b: &self.b };
        let Iterate { x, u, w } = to;
        let info = match task.dvi.set() {
            DviSet::Projection(projection) => {
                let info = step.solve_by_projection(&mut self.by_projection, projection, u)?;
                x.copy_from_slice(&step.state_of(u));
                info
            }
            _ => step.solve_by_newton(&mut self.newton, x, u)?,
        };
        step.value_of(x, u, w);
        Ok(info)
    }
}

/// Equations of a step.
struct StepEquations<'a> {
    task: StepTask<'a>,
    /// $B(t_k, x_k)$.
    b: &'a Array2<f64>,
}

impl StepEquations<'_> {
    /// Returns the state at which the step evaluates f.
    fn mixed(&self, x: &[f64]) -> Vec<f64> {
        x.iter().zip(self.task.x).map(|(new, old)| old + self.task.theta * (new - old)).collect()
    }

    /// Writes f + B u.
    fn rate(&self, x: &[f64], u: &[f64], out: &mut [f64]) {
        self.task.dvi.f().value_into(self.task.t, &self.mixed(x), out);
        add_product(self.b, u, out);
    }

    /// Writes the residual of the equation of motion, x' - x - h (f + B u).
    fn motion(&self, x: &[f64], u: &[f64], out: &mut [f64]) {
        self.rate(x, u, out);
        for ((out, new), old) in out.iter_mut().zip(x).zip(self.task.x) {
            *out = (new - old) - self.task.h * *out;
        }
    }

    /// Writes I - h theta df/dx.
    fn motion_jacobian(&self, x: &[f64], out: &mut Array2<f64>) {
        let StepTask { dvi, theta, t, h, .. } = self.task;
        dvi.f().jacobian_into(t, &self.mixed(x), &mut DifferenceScratch::default(), out);
        out.mapv_inplace(|a| -h * theta * a);
        out.diag_mut().mapv_inplace(|w| 1.0 + w);
    }

    /// Returns the time at which the step evaluates G and F.
    fn end(&self) -> f64 {
        self.task.t + self.task.h
    }

    /// Writes G + F(u).
    fn value_of(&self, x: &[f64], u: &[f64], out: &mut [f64]) {
        self.task.dvi.g().value_into(self.end(), x, out);
        self.task.dvi.map().add_value(self.end(), u, &mut vec![0.0; u.len()], out);
    }

    /// Returns the derivative of G with respect to x, and the derivative of F with respect to u.
    fn value_jacobians(&self, x: &[f64], u: &[f64]) -> (Array2<f64>, Array2<f64>) {
        let (n, m) = (x.len(), u.len());
        let (mut c, mut d) = (Array2::zeros((m, n)), Array2::zeros((m, m)));
        let mut scratch = DifferenceScratch::default();
        self.task.dvi.g().jacobian_into(self.end(), x, &mut scratch, &mut c);
        self.task.dvi.map().jacobian_into(self.end(), u, &mut scratch, &mut d);
        (c, d)
    }

    /// Returns dG/dx, and the total derivative of G + F with respect to u (including the effect of u on x).
    /// Both are evaluated at the state at the start of the step.
    fn first_jacobians(&self, u: &[f64]) -> Result<(Array2<f64>, Array2<f64>), DviError> {
        let (c, d) = self.value_jacobians(self.task.x, u);
        check_written("the derivative of G", self.end(), &c)?;
        check_written("the derivative of F", self.end(), &d)?;
        let response = d + self.task.h * c.dot(self.b);
        Ok((c, response))
    }

    fn solve_by_newton(
        &self,
        newton: &mut Newton,
        x: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, DviError> {
        let set = self.task.dvi.set();
        let (n, m, p) = (x.len(), u.len(), set.inequalities());
        let units = self.units(u)?;
        let map = ScaledStep { step: self, units: &units };
        let (mut lower, mut upper) = (vec![f64::NEG_INFINITY; n], vec![f64::INFINITY; n]);
        for j in 0..m {
            let (l, b) = set.bounds(j);
            lower.push(l / units.unknowns[n + j]);
            upper.push(b / units.unknowns[n + j]);
        }
        lower.extend(vec![0.0; p]);
        upper.extend(vec![f64::INFINITY; p]);
        let mut z: Vec<f64> = x.iter().chain(&*u).copied().chain(vec![0.0; p]).collect();
        z.iter_mut().zip(&units.unknowns).for_each(|(z, unit)| *z /= unit);
        let mut image = vec![0.0; z.len()];
        let problem = BoxViProblem::new(&map, &lower, &upper).map_err(SolverError::from)?;
        let info = newton.solve(&problem, &mut z, &mut image)?;
        z.iter_mut().zip(&units.unknowns).for_each(|(z, unit)| *z *= unit);
        x.copy_from_slice(&z[..n]);
        u.copy_from_slice(&z[n..n + m]);
        Ok(info)
    }

    /// Estimates units, which are powers of two, in which the unknowns and the equations of the step are near
    /// 1. Units are needed because the solver adds unknowns and values.
    fn units(&self, u: &[f64]) -> Result<Units, DviError> {
        let StepTask { dvi, t, h, x, .. } = self.task;
        let (n, m) = (x.len(), u.len());
        let mut rate = vec![0.0; n];
        dvi.f().value_into(t, x, &mut rate);
        check_written("f", t, &rate)?;
        let mut of_x: Vec<f64> = (0..n)
            .map(|i| {
                let input = (0..m).map(|j| (self.b[[i, j]] * u[j]).abs()).sum::<f64>();
                x[i].abs().max(h * rate[i].abs()).max(h * input)
            })
            .collect();
        fill_zeros(&mut of_x);
        let (c, matrix) = self.first_jacobians(u)?;
        let mut value = vec![0.0; m];
        self.value_of(x, u, &mut value);
        check_written("G + F", self.end(), &value)?;
        let mut of_w: Vec<f64> = (0..m)
            .map(|j| value[j].abs() + (0..n).map(|i| (c[[j, i]] * of_x[i]).abs()).sum::<f64>())
            .collect();
        fill_zeros(&mut of_w);
        let mean = unit_of_input(&matrix);
        let of_u: Vec<f64> = (0..m)
            .map(|j| {
                let own = matrix[[j, j]].abs();
                of_w[j] / if own > 0.0 { own } else { mean }
            })
            .collect();
        let (mut of_slack, mut of_multiplier) = (Vec::new(), Vec::new());
        if let Some(polyhedron) = dvi.set().polyhedron() {
            for row in polyhedron.h().rows() {
                let slack = row.iter().zip(&of_u).map(|(h, u)| (h * u).abs()).fold(0.0, f64::max);
                let forces = row.iter().zip(&of_w).filter(|(h, _)| **h != 0.0);
                let multiplier = forces.map(|(h, w)| w / h.abs()).fold(f64::INFINITY, f64::min);
                of_slack.push(slack);
                of_multiplier.push(if multiplier.is_finite() { multiplier } else { 1.0 });
            }
            fill_zeros(&mut of_slack);
        }
        let unknowns =
            of_x.iter().chain(&of_u).chain(&of_multiplier).map(|unit| power_of_two_below(*unit)).collect();
        let rows = of_x.iter().chain(&of_w).chain(&of_slack).map(|unit| power_of_two_below(*unit)).collect();
        Ok(Units { unknowns, rows })
    }

    /// Solves the equation of motion for x' at a given u'. Returns NaN if Newton's method does not converge.
    fn state_of(&self, u: &[f64]) -> Vec<f64> {
        let n = self.task.x.len();
        let mut x = self.task.x.to_vec();
        let (mut correction, mut rate, mut w) = (vec![0.0; n], vec![0.0; n], Array2::zeros((n, n)));
        let mut lu = DenseLu::default();
        let mut last = f64::INFINITY;
        for _ in 0..LARGEST_CORRECTIONS {
            self.motion(&x, u, &mut correction);
            self.rate(&x, u, &mut rate);
            self.motion_jacobian(&x, &mut w);
            if lu.factor_in_any_units(w.view()).is_err() {
                return vec![f64::NAN; n];
            }
            lu.solve(&mut correction);
            // The correction is compared with the terms of the equation, because x' itself can be 0.
            let mut size = 0.0;
            for i in 0..n {
                let terms = x[i].abs() + self.task.x[i].abs() + self.task.h * rate[i].abs();
                let part = relative(correction[i].abs(), terms);
                size = worse(part, size);
                x[i] -= correction[i];
            }
            // If the corrections no longer decrease, they are rounding errors.
            if size <= SMALLEST_CORRECTION && size >= 0.5 * last || size == 0.0 {
                return x;
            }
            last = size;
        }
        if last <= SMALLEST_CORRECTION { x } else { vec![f64::NAN; n] }
    }

    fn solve_by_projection(
        &self,
        solver: &mut ByProjection,
        projection: &SetProjection,
        u: &mut [f64],
    ) -> Result<SolveInfo, DviError> {
        let unit = unit_of_input(&self.first_jacobians(u)?.1);
        let value = |z: &[f64], w: &mut [f64]| {
            let u: Vec<f64> = z.iter().map(|z| z / unit).collect();
            self.value_of(&self.state_of(&u), &u, w);
        };
        let (mut image, mut at_origin) = (vec![0.0; u.len()], vec![0.0; u.len()]);
        value(&vec![0.0; u.len()], &mut at_origin);
        let map = ScaledMap { unit, value: &value, at_origin: &at_origin };
        Ok(solver.solve(projection, &map, u, &mut image)?)
    }
}

/// Maximum number of Newton corrections for the equation of motion.
const LARGEST_CORRECTIONS: usize = 50;

/// A correction that is smaller than this, relative to the terms of the equation, can be a rounding error.
const SMALLEST_CORRECTION: f64 = 1e-10;

/// Units of the unknowns and of the equations of a step.
struct Units {
    unknowns: Vec<f64>,
    rows: Vec<f64>,
}

/// Replaces zeros by the largest entry, or by 1 if all entries are 0.
fn fill_zeros(sizes: &mut [f64]) {
    let largest = sizes.iter().fold(0.0_f64, |largest, x| largest.max(*x));
    let stand_in = if largest > 0.0 { largest } else { 1.0 };
    sizes.iter_mut().filter(|x| **x == 0.0).for_each(|x| *x = stand_in);
}

/// Equations of a step for x, u and the multipliers of the inequalities, divided by their units.
struct ScaledStep<'a> {
    step: &'a StepEquations<'a>,
    units: &'a Units,
}

impl ScaledStep<'_> {
    fn sizes(&self) -> (usize, usize, usize) {
        let dvi = self.step.task.dvi;
        (dvi.states(), dvi.inputs(), dvi.set().inequalities())
    }

    fn point(&self, z: &[f64]) -> Vec<f64> {
        z.iter().zip(&self.units.unknowns).map(|(z, unit)| z * unit).collect()
    }
}

impl DifferentiableMap for ScaledStep<'_> {
    fn size(&self) -> usize {
        self.units.unknowns.len()
    }

    fn value(&self, z: &[f64], f: &mut [f64]) {
        let (n, m, _) = self.sizes();
        let point = self.point(z);
        let (x, rest) = point.split_at(n);
        let (u, multipliers) = rest.split_at(m);
        self.step.motion(x, u, &mut f[..n]);
        self.step.value_of(x, u, &mut f[n..n + m]);
        if let Some(polyhedron) = self.step.task.dvi.set().polyhedron() {
            for ((i, row), k) in polyhedron.h().rows().into_iter().enumerate().zip(polyhedron.k()) {
                f[n + m + i] = row.iter().zip(u).map(|(h, u)| h * u).sum::<f64>() - k;
                f[n..n + m].iter_mut().zip(row).for_each(|(w, h)| *w -= h * multipliers[i]);
            }
        }
        f.iter_mut().zip(&self.units.rows).for_each(|(f, unit)| *f /= unit);
    }

    fn jacobian(&self, z: &[f64], mut jacobian: ArrayViewMut2<'_, f64>) {
        let (n, m, _) = self.sizes();
        let point = self.point(z);
        let (x, u) = (&point[..n], &point[n..n + m]);
        let mut motion = Array2::zeros((n, n));
        self.step.motion_jacobian(x, &mut motion);
        let (c, d) = self.step.value_jacobians(x, u);
        let mut set = |i: usize, j: usize, value: f64| {
            jacobian[[i, j]] = value * (self.units.unknowns[j] / self.units.rows[i]);
        };
        motion.indexed_iter().for_each(|((i, j), value)| set(i, j, *value));
        self.step.b.indexed_iter().for_each(|((i, j), value)| set(i, n + j, -self.step.task.h * value));
        c.indexed_iter().for_each(|((i, j), value)| set(n + i, j, *value));
        d.indexed_iter().for_each(|((i, j), value)| set(n + i, n + j, *value));
        if let Some(polyhedron) = self.step.task.dvi.set().polyhedron() {
            for ((i, j), value) in polyhedron.h().indexed_iter() {
                set(n + j, n + m + i, -value);
                set(n + m + i, n + j, *value);
            }
        }
    }
}
