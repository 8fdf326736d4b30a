//! Perturbation f of a sweeping process, and its derivative.

use std::fmt;
use std::sync::Arc;

use ndarray::{Array2, ArrayViewMut2};

use super::super::SweepingError;
use siconos_kernel::engine::check_written;

/// Writes f(t, x).
type Value = dyn Fn(f64, &[f64], &mut [f64]) + Send + Sync;
/// Writes df/dx, n x n.
type Derivative = dyn Fn(f64, &[f64], ArrayViewMut2<'_, f64>) + Send + Sync;

/// Perturbation f of $-(\dot x + f(t, x)) \in N_{K(t)}(x)$.
#[derive(Clone)]
pub(super) struct Perturbation {
    value: Arc<Value>,
    derivative: Option<Arc<Derivative>>,
    /// Matrix A if f = A x + g(t).
    pub(super) linear: Option<Array2<f64>>,
}

impl Perturbation {
    pub(super) fn new(value: impl Fn(f64, &[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        Self { value: Arc::new(value), derivative: None, linear: None }
    }

    pub(super) fn linear(a: Array2<f64>, g: impl Fn(f64, &mut [f64]) + Send + Sync + 'static) -> Self {
        let matrix = a.clone();
        let value = move |t: f64, x: &[f64], f: &mut [f64]| {
            f.fill(0.0);
            g(t, f);
            for (f, row) in f.iter_mut().zip(matrix.rows()) {
                *f += row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
            }
        };
        Self { value: Arc::new(value), derivative: None, linear: Some(a) }
    }

    pub(super) fn with_derivative(
        self,
        derivative: impl Fn(f64, &[f64], ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        Self { derivative: Some(Arc::new(derivative)), ..self }
    }

    /// Writes f(t, x).
    pub(super) fn write(&self, t: f64, x: &[f64], f: &mut [f64]) -> Result<(), SweepingError> {
        f.fill(0.0);
        (self.value)(t, x, f);
        Ok(check_written("f", t, &*f)?)
    }

    /// Writes df/dx at x, computed by the function of the user if there is one, otherwise by forward
    /// differences. f is the value at x; `moved` and `other` are workspace.
    pub(super) fn write_derivative(
        &self,
        t: f64,
        (x, f): (&[f64], &[f64]),
        (moved, other): (&mut [f64], &mut [f64]),
        mut jacobian: ArrayViewMut2<'_, f64>,
    ) -> Result<(), SweepingError> {
        if let Some(a) = &self.linear {
            jacobian.assign(a);
            return Ok(());
        }
        if let Some(derivative) = &self.derivative {
            jacobian.fill(0.0);
            derivative(t, x, jacobian.view_mut());
            return Ok(check_written("df/dx", t, jacobian.iter())?);
        }
        moved.copy_from_slice(x);
        let largest = x.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        for j in 0..x.len() {
            // The difference step is relative to |x_j|, or to 1e-3 times the largest component if |x_j| is
            // smaller.
            let size = if largest > 0.0 { x[j].abs().max(1e-3 * largest) } else { 1.0 };
            moved[j] = x[j] + f64::EPSILON.sqrt() * size;
            self.write(t, moved, other)?;
            let step = moved[j] - x[j];
            moved[j] = x[j];
            for ((to, other), f) in jacobian.column_mut(j).iter_mut().zip(&*other).zip(f) {
                *to = (other - f) / step;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Perturbation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Perturbation").field("linear", &self.linear).finish_non_exhaustive()
    }
}
