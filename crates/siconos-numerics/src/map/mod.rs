//! Differentiable maps, and Newton's method for the problem of a map with box constraints.

mod newton;

use ndarray::ArrayViewMut2;

pub(crate) use newton::{MapNewton, Task};

/// Differentiable map F from $R^n$ to $R^n$, with its Jacobian.
///
/// [`FromFunctions`] creates a map from two closures.
pub trait DifferentiableMap {
    /// Returns n, the number of unknowns.
    fn size(&self) -> usize;

    /// Writes F(z) to `f`.
    fn value(&self, z: &[f64], f: &mut [f64]);

    /// Writes the Jacobian at z to `jacobian`: entry (i, j) is the derivative of F_i with respect to z_j. All
    /// entries of `jacobian` are zero on entry.
    fn jacobian(&self, z: &[f64], jacobian: ArrayViewMut2<'_, f64>);
}

/// [`DifferentiableMap`] defined by two closures.
///
/// ```
/// use siconos_numerics::ncp::{DifferentiableMap, FromFunctions};
///
/// let square = FromFunctions::new(1, |z, f| f[0] = z[0] * z[0], |z, mut j| j[[0, 0]] = 2.0 * z[0]);
/// let mut f = [0.0];
/// square.value(&[3.0], &mut f);
/// assert_eq!(f, [9.0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FromFunctions<V, J> {
    n: usize,
    value: V,
    jacobian: J,
}

impl<V, J> FromFunctions<V, J>
where
    V: Fn(&[f64], &mut [f64]),
    J: Fn(&[f64], ArrayViewMut2<'_, f64>),
{
    /// Creates a map from the number of unknowns, the closure for F and the closure for its Jacobian.
    pub fn new(n: usize, value: V, jacobian: J) -> Self {
        Self { n, value, jacobian }
    }
}

impl<V, J> DifferentiableMap for FromFunctions<V, J>
where
    V: Fn(&[f64], &mut [f64]),
    J: Fn(&[f64], ArrayViewMut2<'_, f64>),
{
    fn size(&self) -> usize {
        self.n
    }

    fn value(&self, z: &[f64], f: &mut [f64]) {
        (self.value)(z, f);
    }

    fn jacobian(&self, z: &[f64], jacobian: ArrayViewMut2<'_, f64>) {
        (self.jacobian)(z, jacobian);
    }
}
