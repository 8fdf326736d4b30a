//! What the schemes of first-order systems compute for a block of systems, and the memory for it.
//!
//! A block is one system, or several that a relation with r = g(x, lambda) couples: then W, block-diagonal
//! otherwise, has off-diagonal entries.

mod free_state;

use std::ops::Range;

use ndarray::{Array2, s};
use siconos_numerics::linalg::{DenseLu, ExponentialError, SingularMatrix, ZeroOrderHold, zero_order_hold};

use self::free_state::{multiply, solve_columns};
use super::first_order_block::{BlockSystems, FirstOrderSystem, Part, field};
use super::{EquationRow, FirstOrderScheme, StepTimes};
use crate::model::At;
use crate::model::dynamical_system::FirstOrderScratch;

/// When W has to be factorised anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Refactor {
    /// With the step length: everything in it is constant.
    WithStepLength,
    /// In every step: a coefficient depends on time.
    InEveryStep,
    /// In every Newton iteration.
    InEveryIteration,
}

/// The work of one block.
#[derive(Clone, Debug)]
pub(crate) struct FirstOrderWork {
    scheme: FirstOrderScheme,
    refactor: Refactor,
    /// Whether every system is linear in x, so that one iteration is exact as far as the systems go.
    affine: bool,
    /// Whether f_k depends on the mean rate over the step.
    has_control: bool,
    /// Whether a linear system has a source.
    has_source: bool,
    parts: Vec<Part>,
    w: DenseLu,
    w_matrix: Array2<f64>,
    mass: Array2<f64>,
    /// A of linear systems at the end of the step (and at its beginning, where that differs).
    a: Array2<f64>,
    a_k: Array2<f64>,
    /// The exact solution of a system under a hold.
    held: Option<Held>,
    /// $W^{-1} h A$ of linear systems without sources, where both are constant.
    increment: Option<Array2<f64>>,
    f: Vec<f64>,
    f_k: Vec<f64>,
    rate: Vec<f64>,
    residual: Vec<f64>,
    product: Vec<f64>,
    /// h theta_r, or 1 under a hold: what the response to an input is multiplied by.
    weight: f64,
}

/// $e^{M^{-1} A h}$, and its integral over the step times $M^{-1}$.
#[derive(Clone, Debug)]
struct Held {
    transition: Array2<f64>,
    integral: Array2<f64>,
}

/// Why a step cannot be prepared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum FactorError {
    #[error(transparent)]
    Singular(#[from] SingularMatrix),
    #[error(transparent)]
    Exponential(#[from] ExponentialError),
}

impl FirstOrderWork {
    /// Memory for the systems of a block; `coupled` says whether a relation adds its K to W.
    pub(crate) fn new(systems: BlockSystems<'_>, scheme: FirstOrderScheme, coupled: bool) -> Self {
        let mut parts = Vec::new();
        let mut n = 0;
        let takes_k = coupled && scheme.theta_r * scheme.gamma != 0.0;
        let mut refactor = if takes_k { Refactor::InEveryIteration } else { Refactor::WithStepLength };
        let (mut affine, mut has_control, mut has_source) = (true, false, false);
        for system in systems.iter() {
            let (size, scratch, source, needs) = match system {
                FirstOrderSystem::Linear(system) => {
                    has_source |= system.has_source();
                    let needs = if system.has_constant_matrix() {
                        Refactor::WithStepLength
                    } else {
                        Refactor::InEveryStep
                    };
                    (system.x0().len(), FirstOrderScratch::default(), vec![0.0; system.scratch_len()], needs)
                }
                FirstOrderSystem::Nonlinear(system) => {
                    affine = false;
                    has_control |= system.has_control();
                    let same_w = scheme.theta == 0.0 || system.has_constant_jacobian();
                    let constant = same_w && system.has_constant_mass() && !system.has_control();
                    let needs = if constant { Refactor::WithStepLength } else { Refactor::InEveryIteration };
                    (system.x0().len(), system.scratch(), Vec::new(), needs)
                }
            };
            refactor = refactor.max(needs);
            parts.push(Part { place: n..n + size, scratch, source });
            n += size;
        }
        let (square, vector) = (|| Array2::zeros((n, n)), || vec![0.0; n]);
        Self {
            scheme,
            refactor,
            affine,
            has_control,
            has_source,
            parts,
            w: DenseLu::default(),
            w_matrix: square(),
            mass: square(),
            a: square(),
            a_k: square(),
            held: None,
            increment: None,
            f: vector(),
            f_k: vector(),
            rate: vector(),
            residual: vector(),
            product: vector(),
            weight: f64::NAN,
        }
    }

    pub(crate) fn refactor(&self) -> Refactor {
        self.refactor
    }

    pub(crate) fn is_affine(&self) -> bool {
        self.affine
    }

    pub(crate) fn scheme(&self) -> &FirstOrderScheme {
        &self.scheme
    }

    /// The matrix that was factorised last: W, or M under a hold.
    pub(crate) fn w(&self) -> &Array2<f64> {
        if self.is_held() { &self.mass } else { &self.w_matrix }
    }

    /// Whether the states are the exact solution under a constant input, and so solve their equation whatever
    /// that input is.
    pub(crate) fn is_held(&self) -> bool {
        self.scheme.hold.is_some()
    }

    /// Overwrites `b` with the change of x that a constant input $r_{k+1} = b$ makes: $h \theta_r W^{-1} b$,
    /// or $\int_0^h e^{A s} ds \thinspace b$ under a hold.
    pub(crate) fn respond(&mut self, b: &mut [f64]) {
        match &self.held {
            None => {
                self.w.solve(b);
                for b in b {
                    *b *= self.weight;
                }
            }
            Some(held) => {
                self.product.copy_from_slice(b);
                multiply(&held.integral, &self.product, b);
            }
        }
    }

    /// Writes M and, of linear systems, A; the first part of [`factor`](Self::factor).
    ///
    /// `x` is the iterate, `x_k` the state at the beginning of the step. W is left unfactorised, for the K of
    /// relations to be subtracted from it.
    pub(crate) fn assemble(
        &mut self,
        systems: BlockSystems<'_>,
        step: StepTimes<'_>,
        x: &[f64],
        x_k: &[f64],
    ) {
        let StepTimes { begin, end, h, theta } = step;
        self.weight = h * self.scheme.theta_r;
        self.w_matrix.fill(0.0);
        for (rate, (x, x_k)) in self.rate.iter_mut().zip(x.iter().zip(x_k)) {
            *rate = (x - x_k) / h;
        }
        for (system, part) in systems.iter().zip(&mut self.parts) {
            let place = part.place.clone();
            let within = s![place.clone(), place.clone()];
            let mut mass = self.mass.slice_mut(within);
            let mut w = self.w_matrix.slice_mut(within);
            match system {
                FirstOrderSystem::Linear(system) => {
                    system.mass_into(&mut mass);
                    system.matrix_into(end, &mut self.a.slice_mut(within));
                    if theta < 1.0 {
                        system.matrix_into(begin, &mut self.a_k.slice_mut(within));
                    }
                    w.assign(&mass);
                    w.scaled_add(-h * theta, &self.a.slice(within));
                }
                FirstOrderSystem::Nonlinear(system) => {
                    let (x, x_k, rate) = (&x[place.clone()], &x_k[place.clone()], &self.rate[place]);
                    system.mass_into(end, x, &mut part.scratch, &mut mass);
                    w.assign(&mass);
                    // The mean rate depends on x as well: its derivative is 1/h.
                    let at_end = (end, x, rate);
                    system.subtract_jacobian((h * theta, theta), at_end, &mut part.scratch, &mut w);
                    if system.has_control() && theta < 1.0 {
                        let at_beginning = (begin, x_k, rate);
                        system.subtract_jacobian((0.0, 1.0 - theta), at_beginning, &mut part.scratch, &mut w);
                    }
                }
            }
        }
    }

    /// Subtracts `factor` times K from W; `places` are where its rows and columns lie in the block.
    pub(crate) fn subtract_k(&mut self, factor: f64, k: &Array2<f64>, places: &[(Range<usize>, usize)]) {
        for (from_rows, to_row) in places {
            for (from_columns, to_column) in places {
                let block = k.slice(s![from_rows.clone(), from_columns.clone()]);
                let target =
                    s![*to_row..to_row + from_rows.len(), *to_column..to_column + from_columns.len()];
                self.w_matrix.slice_mut(target).scaled_add(-factor, &block);
            }
        }
    }

    /// Factorises W, or computes the exact solution of the step under a hold.
    pub(crate) fn factor(&mut self, h: f64) -> Result<(), FactorError> {
        if !self.is_held() {
            self.w.factor_in_any_units(self.w_matrix.view())?;
            self.find_increment(h);
            return Ok(());
        }
        self.w.factor_in_any_units(self.mass.view())?;
        let n = self.mass.nrows();
        let mut inverse = Array2::eye(n);
        solve_columns(&self.w, &mut inverse, &mut self.product);
        let ZeroOrderHold { transition, integral } = zero_order_hold(&inverse.dot(&self.a), h)?;
        self.held = Some(Held { transition, integral: integral.dot(&inverse) });
        Ok(())
    }

    /// Evaluates $f_k$ at the beginning of the step, where it counts.
    pub(crate) fn begin(&mut self, systems: BlockSystems<'_>, at: At<'_>, x_k: &[f64]) {
        self.f_k.fill(0.0);
        if self.scheme.theta == 1.0 {
            return;
        }
        self.rate.fill(0.0);
        field(systems, &mut self.parts, (at, &self.a_k), x_k, &self.rate, &mut self.f_k);
    }

    /// The residual without inputs, $R_{free} = M (x - x_k) - h \theta f - h (1 - \theta) f_k$, at an
    /// iterate.
    pub(crate) fn residual(
        &mut self,
        systems: BlockSystems<'_>,
        step: StepTimes<'_>,
        x: &[f64],
        x_k: &[f64],
    ) -> &[f64] {
        let StepTimes { begin, end, h, theta } = step;
        for (rate, (x, x_k)) in self.rate.iter_mut().zip(x.iter().zip(x_k)) {
            *rate = (x - x_k) / h;
        }
        field(systems, &mut self.parts, (end, &self.a), x, &self.rate, &mut self.f);
        if self.has_control && theta < 1.0 {
            field(systems, &mut self.parts, (begin, &self.a_k), x_k, &self.rate, &mut self.f_k);
        }
        for (system, part) in systems.iter().zip(&mut self.parts) {
            if let FirstOrderSystem::Nonlinear(system) = system {
                let place = part.place.clone();
                let mut mass = self.mass.slice_mut(s![place.clone(), place.clone()]);
                system.mass_into(end, &x[place], &mut part.scratch, &mut mass);
            }
        }
        for (i, residual) in self.residual.iter_mut().enumerate() {
            let inertia: f64 =
                self.mass.row(i).iter().zip(x.iter().zip(x_k)).map(|(m, (x, x_k))| m * (x - x_k)).sum();
            *residual = inertia - h * (theta * self.f[i] + (1.0 - theta) * self.f_k[i]);
        }
        &self.residual
    }

    /// Adds the rows of the equation of motion, $R_{free}$ less the integral of the inputs, at the iterate of
    /// [`residual`](Self::residual); W is that of the last Newton step.
    ///
    /// The rows of a first-order system are not to be compared with each other: nothing says what their units
    /// have in common.
    pub(crate) fn equation_rows(
        &self,
        h: f64,
        (x, x_k): (&[f64], &[f64]),
        input: &[f64],
        rows: &mut Vec<EquationRow>,
    ) {
        let theta = self.scheme.theta;
        rows.extend((0..x.len()).map(|i| {
            let states = self.w_matrix.row(i).into_iter().zip(x.iter().zip(x_k));
            let (change, motion) = states.fold((0.0, 0.0), |(change, motion), (w, (x, x_k))| {
                (change + w.abs() * (x - x_k).abs(), motion + w.abs() * x.abs())
            });
            let rates = theta * self.f[i].abs() + (1.0 - theta) * self.f_k[i].abs();
            EquationRow {
                residual: self.residual[i] - input[i],
                change: change + h * rates + input[i].abs(),
                motion,
                position: 0.0,
                inertia: 0.0,
            }
        }));
    }
}
