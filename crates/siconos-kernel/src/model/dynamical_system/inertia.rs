//! Moments of inertia.

use ndarray::ArrayViewMut2;
use siconos_linalg::{SmallMatrix, exponent, power_of_two};

use crate::model::rotation::{AXES, add, cross};
use crate::model::{ModelError, check_finite};

/// Inertia matrix of a rigid body about its centre of mass, in the body frame \[kg m2\]. It is symmetric and
/// positive definite.
///
/// ```
/// use siconos_kernel::model::Inertia;
///
/// // Principal moments, equal moments about all axes, and a ball of 2 kg with a radius of 1 m.
/// assert_eq!(Inertia::from([1.0, 2.0, 3.0]).matrix()[1], [0.0, 2.0, 0.0]);
/// assert_eq!(Inertia::from(0.8), Inertia::of_ball(2.0, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia(SmallMatrix<3>);

impl From<f64> for Inertia {
    fn from(moment: f64) -> Self {
        Self::from([moment; 3])
    }
}

impl From<[f64; 3]> for Inertia {
    fn from([a, b, c]: [f64; 3]) -> Self {
        Self::from([[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]])
    }
}

impl From<[[f64; 3]; 3]> for Inertia {
    fn from(rows: [[f64; 3]; 3]) -> Self {
        Self(SmallMatrix(rows))
    }
}

impl Inertia {
    /// Returns the inertia of a solid ball: $\frac{2}{5} m r^2$ about every axis.
    #[must_use]
    pub fn of_ball(mass: f64, radius: f64) -> Self {
        Self::from(0.4 * mass * radius * radius)
    }

    /// Returns the inertia of a solid cuboid with the edge lengths a, b, c along x, y, z:
    /// $m (b^2 + c^2) / 12$ about x, and similarly about y and z.
    #[must_use]
    pub fn of_cuboid(mass: f64, [a, b, c]: [f64; 3]) -> Self {
        let about = |d: f64, e: f64| mass * (d * d + e * e) / 12.0;
        Self::from([about(b, c), about(c, a), about(a, b)])
    }

    /// Returns the inertia of a solid cylinder whose axis is z: $m r^2 / 2$ about the axis, and
    /// $m (3 r^2 + l^2) / 12$ about perpendicular axes.
    #[must_use]
    pub fn of_cylinder(mass: f64, radius: f64, length: f64) -> Self {
        let across = mass * (3.0 * radius * radius + length * length) / 12.0;
        Self::from([across, across, 0.5 * mass * radius * radius])
    }

    /// Returns the matrix, row by row.
    #[must_use]
    pub fn matrix(&self) -> &[[f64; 3]; 3] {
        &self.0.0
    }

    /// Returns $I x$.
    #[inline]
    #[must_use]
    pub fn times(&self, x: [f64; 3]) -> [f64; 3] {
        self.0.mul_vector(&x)
    }

    /// Adds the matrix to a 3 x 3 block.
    pub(crate) fn add_to(&self, out: &mut ArrayViewMut2<'_, f64>) {
        out.indexed_iter_mut().for_each(|((i, j), out)| *out += self.matrix()[i][j]);
    }

    /// Returns the gyroscopic moment $\Omega \times I \Omega$ \[N m\].
    pub(crate) fn gyroscopic_moment(&self, omega: [f64; 3]) -> [f64; 3] {
        cross(omega, self.times(omega))
    }

    /// Adds `factor` times the derivative of [`gyroscopic_moment`](Self::gyroscopic_moment),
    /// $[\Omega]_\times I - [I \Omega]_\times$, to a 3 x 3 block.
    pub(crate) fn add_gyroscopic_derivative(
        &self,
        factor: f64,
        omega: [f64; 3],
        out: &mut ArrayViewMut2<'_, f64>,
    ) {
        let momentum = self.times(omega);
        for (j, axis) in AXES.into_iter().enumerate() {
            let change = add(cross(omega, self.times(axis)), cross(axis, momentum));
            (0..3).for_each(|i| out[[i, j]] += factor * change[i]);
        }
    }

    /// Returns `true` if the moments of inertia about all axes are equal. There is then no gyroscopic moment.
    pub(crate) fn is_spherical(&self) -> bool {
        let [[a, b, c], [d, e, f], [g, h, i]] = self.0.0;
        a == e && e == i && [b, c, d, f, g, h].iter().all(|x| *x == 0.0)
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        let rows = self.matrix();
        check_finite("inertia", rows.iter().flatten())?;
        // The tolerance permits the rounding errors of a rotated matrix.
        let size = rows.iter().flatten().fold(0.0_f64, |size, x| size.max(x.abs()));
        for (row, column) in [(0, 1), (0, 2), (1, 2)] {
            let (value, transposed) = (rows[row][column], rows[column][row]);
            if (value - transposed).abs() > 1e-12 * size {
                return Err(ModelError::InertiaNotSymmetric { row, column, value, transposed });
            }
        }
        // Sylvester's criterion. The matrix is scaled so that no leading minor underflows.
        let unit = exponent(size).map_or(1.0, |size| power_of_two(-size));
        let [[a, b, c], [_, e, f], [_, _, i]] = rows.map(|row| row.map(|x| unit * x));
        let (second, third) =
            (a * e - b * b, a * (e * i - f * f) - b * (b * i - f * c) + c * (b * f - e * c));
        for (order, minor) in [a, second, third].into_iter().enumerate() {
            if minor <= 0.0 {
                return Err(ModelError::InertiaNotPositive { order: order + 1, minor });
            }
        }
        for (axis, (own, others)) in [(a, e + i), (e, i + a), (i, a + e)].into_iter().enumerate() {
            if own > others * (1.0 + 1e-12) {
                tracing::warn!(
                    axis,
                    own = own / unit,
                    others = others / unit,
                    "a moment of inertia exceeds the sum of the other two, which is impossible for a body"
                );
            }
        }
        Ok(())
    }
}
