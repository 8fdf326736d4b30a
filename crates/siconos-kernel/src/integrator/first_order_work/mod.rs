//! Workspace of the schemes for first-order systems, for a block of systems.
//!
//! A block is one system, or several systems that are coupled by a relation with r = g(x, lambda). The
//! iteration matrix W is block-diagonal except for the entries of these relations.

mod free_state;
mod iteration_matrix;

use ndarray::Array2;
use siconos_linalg::{ExponentialError, FactoredMatrix, Matrix, SingularMatrix};

pub(crate) use self::iteration_matrix::Coupling;
use super::first_order_block::{End, Part, field, multiply, multiply_dense};
use super::{EquationRows, Inertia, StepTimes, Weights};
use crate::model::{At, DynamicalSystem};

/// Occasions at which W has to be factorised again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Refactor {
    /// Only if the step length changes, because all coefficients are constant.
    WithStepLength,
    /// In every step, because a coefficient depends on time.
    InEveryStep,
    /// In every Newton iteration.
    InEveryIteration,
}

/// Workspace of one block.
#[derive(Clone, Debug)]
pub(crate) struct FirstOrderWorkspace {
    weights: Weights,
    refactor: Refactor,
    /// `true` if every system is linear in x. Apart from the interactions, one iteration is then exact.
    affine: bool,
    /// `true` if f_k depends on the mean rate of change of x over the step.
    has_control: bool,
    /// `true` if a linear system has a source.
    has_source: bool,
    /// `true` if W contains the matrix K of a relation.
    takes_k: bool,
    parts: Vec<Part>,
    /// W, or M under a zero-order hold.
    w: FactoredMatrix,
    /// Exact solution under a zero-order hold.
    held: Option<Held>,
    /// $W^{-1} h A$ of linear systems without sources, if W and A are constant.
    increment: Option<Array2<f64>>,
    f: Vec<f64>,
    f_k: Vec<f64>,
    rate: Vec<f64>,
    residual: Vec<f64>,
    product: Vec<f64>,
    rows: EquationRows,
    /// Factor of the response to an input: h theta_r, or 1 under a zero-order hold.
    weight: f64,
}

/// Matrices of the exact solution over a step: `transition` is $e^{M^{-1} A h}$, and `integral` is the
/// integral of $e^{M^{-1} A s}$ over the step, multiplied by $M^{-1}$.
#[derive(Clone, Debug)]
struct Held {
    transition: Array2<f64>,
    integral: Array2<f64>,
}

/// Reason why a step cannot be prepared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum FactorError {
    #[error(transparent)]
    Singular(#[from] SingularMatrix),
    #[error(transparent)]
    Exponential(#[from] ExponentialError),
}

/// Integrals of the inputs over a step, one entry per state (`sum`), and the sums of the magnitudes of the
/// terms B lambda of each entry (`terms`).
#[derive(Clone, Copy)]
pub(crate) struct Inputs<'a> {
    pub(crate) sum: &'a [f64],
    pub(crate) terms: &'a [f64],
}

impl FirstOrderWorkspace {
    /// Creates the workspace for the systems of a block. `coupled` is `true` if a relation adds its K to W.
    pub(crate) fn new(systems: &[&DynamicalSystem], weights: Weights, coupled: bool) -> Self {
        let mut parts = Vec::new();
        let mut n = 0;
        let takes_k = coupled && weights.theta_r * weights.gamma != 0.0;
        let mut refactor = if takes_k { Refactor::InEveryIteration } else { Refactor::WithStepLength };
        let (mut affine, mut has_control, mut has_source) = (true, false, false);
        for system in systems {
            let needs = match system {
                DynamicalSystem::FirstOrderNonlinear(system) => {
                    affine = false;
                    has_control |= system.has_control();
                    let same_w = weights.theta == 0.0 || system.has_constant_jacobian();
                    let constant = same_w && system.has_constant_mass() && !system.has_control();
                    if constant { Refactor::WithStepLength } else { Refactor::InEveryIteration }
                }
                DynamicalSystem::FirstOrderLinear(system) => {
                    has_source |= system.has_source();
                    match system.has_constant_matrix() {
                        true => Refactor::WithStepLength,
                        false => Refactor::InEveryStep,
                    }
                }
                _ => continue,
            };
            let part = Part::new(system, n..n + system.x0().len());
            refactor = refactor.max(needs);
            n = part.place.end;
            parts.push(part);
        }
        let vector = || vec![0.0; n];
        Self {
            weights,
            refactor,
            affine,
            has_control,
            has_source,
            takes_k,
            parts,
            w: FactoredMatrix::default(),
            held: None,
            increment: None,
            f: vector(),
            f_k: vector(),
            rate: vector(),
            residual: vector(),
            product: vector(),
            rows: EquationRows::default(),
            weight: f64::NAN,
        }
    }

    pub(crate) fn refactor(&self) -> Refactor {
        self.refactor
    }

    pub(crate) fn is_affine(&self) -> bool {
        self.affine
    }

    /// Returns the matrix that was factorised last: W, or M under a zero-order hold.
    pub(crate) fn w(&self) -> Array2<f64> {
        self.w.to_dense()
    }

    /// Returns `true` under a zero-order hold. The computed states are then the exact solution for a constant
    /// input, and their equation has no residual.
    pub(crate) fn is_held(&self) -> bool {
        self.weights.hold.is_some()
    }

    /// Returns the last factorised W, or M under a zero-order hold, and the factor by which the response
    /// multiplies $W^{-1} b$.
    pub(super) fn factored(&self) -> (&FactoredMatrix, f64) {
        (&self.w, self.weight)
    }

    /// Returns an upper bound of the number of nonzero entries of W, or `None` if W depends on more than the
    /// step length.
    pub(super) fn entries(&self) -> Option<usize> {
        if self.is_held() || self.refactor != Refactor::WithStepLength || !self.affine {
            return None;
        }
        let of_part = |part: &Part| part.mass.view().stored_entries() + part.a.view().stored_entries();
        Some(self.parts.iter().map(of_part).sum())
    }

    /// Overwrites `b` with the change of x due to a constant input $r_{k+1} = b$: $h \theta_r W^{-1} b$, or
    /// $\int_0^h e^{A s} ds \thinspace b$ under a zero-order hold.
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
                multiply_dense(&held.integral, &self.product, b);
            }
        }
    }

    /// Evaluates $f_k$ at the start of the step, if its weight is not 0.
    pub(crate) fn begin(&mut self, at: At<'_>, x_k: &[f64]) {
        self.f_k.fill(0.0);
        if self.weights.theta == 1.0 {
            return;
        }
        self.rate.fill(0.0);
        field(&mut self.parts, at, End::First, x_k, &self.rate, &mut self.f_k);
    }

    /// Returns the residual without inputs at the iterate x,
    /// $R_{free} = M (x - x_k) - h \theta f - h (1 - \theta) f_k$.
    pub(crate) fn residual(&mut self, step: StepTimes<'_>, x: &[f64], x_k: &[f64]) -> &[f64] {
        let StepTimes { begin, end, h, theta } = step;
        for (rate, (x, x_k)) in self.rate.iter_mut().zip(x.iter().zip(x_k)) {
            *rate = (x - x_k) / h;
        }
        field(&mut self.parts, end, End::Last, x, &self.rate, &mut self.f);
        if self.has_control && theta < 1.0 {
            field(&mut self.parts, begin, End::First, x_k, &self.rate, &mut self.f_k);
        }
        for (product, (x, x_k)) in self.product.iter_mut().zip(x.iter().zip(x_k)) {
            *product = x - x_k;
        }
        for part in &mut self.parts {
            let place = part.place.clone();
            if let (DynamicalSystem::FirstOrderNonlinear(system), Matrix::Dense(mass)) =
                (&part.system, &mut part.mass)
            {
                system.mass_into(end, &x[place.clone()], &mut part.scratch, &mut mass.view_mut());
            }
            multiply(&part.mass, &self.product[place.clone()], &mut self.residual[place]);
        }
        for (residual, (f, f_k)) in self.residual.iter_mut().zip(self.f.iter().zip(&self.f_k)) {
            *residual -= h * (theta * f + (1.0 - theta) * f_k);
        }
        &self.residual
    }

    /// Computes the residual and the magnitudes of each row of the equation of motion at the iterate of the
    /// last call of [`residual`](Self::residual), with the last factorised W. The residual is $R_{free}$
    /// minus the integral of the inputs.
    ///
    /// Rows of a first-order system are not compared with each other, because their units are unrelated.
    pub(crate) fn equation_rows(
        &mut self,
        h: f64,
        (x, x_k): (&[f64], &[f64]),
        Inputs { sum, terms }: Inputs<'_>,
    ) -> &EquationRows {
        let rows = &mut self.rows;
        let theta = self.weights.theta;
        rows.begin(&self.w, (x, x_k), Inertia::Unknown);
        let residuals = self.residual.iter().zip(sum);
        rows.residual.extend(residuals.map(|(residual, input)| residual - input));
        let rates = self.f.iter().zip(&self.f_k).zip(sum.iter().zip(terms));
        for (change, ((f, f_k), (sum, terms))) in rows.change.iter_mut().zip(rates) {
            *change += h * (theta * f.abs() + (1.0 - theta) * f_k.abs()) + sum.abs().max(*terms);
        }
        rows
    }
}
