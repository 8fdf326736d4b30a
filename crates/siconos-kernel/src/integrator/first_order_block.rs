//! First-order systems of a block: storage of their matrices, and evaluation of their right-hand sides.

use std::ops::Range;

use ndarray::{Array1, Array2};
use siconos_linalg::{LARGEST_OWN_LU, Matrix};

use crate::model::dynamical_system::FirstOrderScratch;
use crate::model::{At, DynamicalSystem};

/// Workspace of one system of a block.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) system: DynamicalSystem,
    /// Range of the states of the system within the block.
    pub(super) place: Range<usize>,
    pub(super) scratch: FirstOrderScratch,
    pub(super) source: Vec<f64>,
    pub(super) mass: Matrix,
    /// Matrix A of a linear system. If A depends on time, A at the end of the step.
    pub(super) a: Matrix,
    /// Matrix A at the start of the step, if A depends on time.
    pub(super) a_k: Option<Matrix>,
}

/// One of the two ends of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

impl Part {
    /// Creates the workspace of a first-order system. For other systems, only the range is set.
    pub(super) fn new(system: &DynamicalSystem, place: Range<usize>) -> Self {
        let n = place.len();
        let overwritten = || Matrix::from(Array2::zeros((n, n)));
        let identity = || Matrix::from(Array1::from_elem(n, 1.0));
        let mut part = Self {
            system: system.clone(),
            place,
            scratch: FirstOrderScratch::default(),
            source: Vec::new(),
            mass: Matrix::default(),
            a: Matrix::default(),
            a_k: None,
        };
        match system {
            DynamicalSystem::FirstOrderLinear(system) => {
                part.source = vec![0.0; system.scratch_len()];
                part.mass = system.mass().map_or_else(|| stored(&identity()), stored);
                part.a = system.a().constant().map_or_else(overwritten, stored);
                part.a_k = (!system.has_constant_matrix()).then(overwritten);
            }
            DynamicalSystem::FirstOrderNonlinear(system) => {
                part.scratch = system.scratch();
                part.mass = overwritten();
            }
            _ => {}
        }
        part
    }

    pub(super) fn is_nonlinear(&self) -> bool {
        matches!(self.system, DynamicalSystem::FirstOrderNonlinear(_))
    }

    /// Evaluates A at the end of a step if it depends on time.
    pub(super) fn evaluate_a(&mut self, end: At<'_>) {
        if let (DynamicalSystem::FirstOrderLinear(system), Some(_), Matrix::Dense(a)) =
            (&self.system, &self.a_k, &mut self.a)
        {
            system.matrix_into(end, &mut a.view_mut());
        }
    }

    /// Writes A x to `out`, with A at the given end of the step.
    pub(super) fn multiply_a(&self, end: End, x: &[f64], out: &mut [f64]) {
        let a = if end == End::First { self.a_k.as_ref().unwrap_or(&self.a) } else { &self.a };
        multiply(a, &x[self.place.clone()], &mut out[self.place.clone()]);
    }
}

/// Copies a matrix into the storage that gives the fastest products. Small matrices are stored dense, so that
/// results do not depend on the storage of the user's matrix.
fn stored(matrix: &Matrix) -> Matrix {
    if matrix.columns() <= LARGEST_OWN_LU {
        return matrix.view().to_dense().into();
    }
    matrix.sparse_copy().map_or_else(|| matrix.clone(), Matrix::from)
}

/// Overwrites `y` with the product of a matrix and x.
pub(super) fn multiply(matrix: &Matrix, x: &[f64], y: &mut [f64]) {
    match matrix {
        // For short rows, a plain loop is fast enough.
        Matrix::Dense(a) if x.len() <= LARGEST_OWN_LU => multiply_dense(a, x, y),
        _ => {
            y.fill(0.0);
            matrix.add_product(1.0, x, y);
        }
    }
}

/// Overwrites `y` with the product of a dense matrix and x. The terms of each sum are added in the order of
/// the columns.
pub(super) fn multiply_dense(matrix: &Array2<f64>, x: &[f64], y: &mut [f64]) {
    match matrix.as_slice() {
        Some(entries) => {
            for (y, row) in y.iter_mut().zip(entries.chunks_exact(x.len().max(1))) {
                *y = row.iter().zip(x).map(|(a, x)| a * x).sum();
            }
        }
        None => {
            for (y, row) in y.iter_mut().zip(matrix.rows()) {
                *y = row.iter().zip(x).map(|(a, x)| a * x).sum();
            }
        }
    }
}

/// Evaluates the right-hand sides f of all systems of a block at one end of a step.
pub(super) fn field(parts: &mut [Part], at: At<'_>, end: End, x: &[f64], rate: &[f64], out: &mut [f64]) {
    for part in parts {
        let place = part.place.clone();
        match &part.system {
            DynamicalSystem::FirstOrderLinear(system) => {
                part.multiply_a(end, x, out);
                system.add_source(at, &mut part.source, &mut out[place]);
            }
            DynamicalSystem::FirstOrderNonlinear(system) => {
                let (x, rate) = (&x[place.clone()], &rate[place.clone()]);
                system.field_into(at, x, rate, &mut part.scratch, &mut out[place]);
            }
            _ => {}
        }
    }
}

/// Adds the sources of the linear systems to `out`.
pub(super) fn add_sources(parts: &mut [Part], at: At<'_>, out: &mut [f64]) {
    for part in parts {
        if let DynamicalSystem::FirstOrderLinear(system) = &part.system {
            system.add_source(at, &mut part.source, &mut out[part.place.clone()]);
        }
    }
}
