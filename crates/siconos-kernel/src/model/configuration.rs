//! Configuration spaces for positions that do not form a vector space, such as orientations.

use std::fmt;
use std::ops::Range;
use std::panic::RefUnwindSafe;
use std::sync::Arc;

/// Configuration space of a system whose velocity is not the time derivative of its position coordinates.
/// Instead, $\dot q = T(q) v$, with `nq` position coordinates and `nv` velocities.
///
/// For example, a direction in the plane, represented by a unit vector, has two coordinates and one angular
/// velocity. An orientation in space, represented by a unit quaternion, has four coordinates and three
/// angular velocities. All derivatives with respect to the position (Jacobians of forces and relations) are
/// directional derivatives in the directions of the velocity coordinates:
/// $J_j = \frac{d}{d \epsilon} h(q \oplus \epsilon e_j)$ at $\epsilon = 0$, as plain text d/d(eps)
/// h(advance(q, eps e_j)).
///
/// Time-stepping, the generalised-alpha method and the half-explicit method update positions with
/// [`advance`](Self::advance) (Brüls, Cardona, Arnold 2012, "Lie group generalized-alpha time integration of
/// constrained flexible multibody systems"; Munthe-Kaas 1998, "Runge-Kutta methods on Lie groups"). Methods
/// for ordinary differential equations integrate [`rate`](Self::rate) and call [`restore`](Self::restore)
/// after each step.
///
/// ```
/// use siconos_kernel::model::{ConfigurationSpace, UnitCircle};
///
/// // Rotation by a quarter of a revolution.
/// let mut q = [0.0; 2];
/// UnitCircle.advance(&[1.0, 0.0], &[std::f64::consts::FRAC_PI_2], &mut q);
/// assert!(q[0].abs() < 1e-15 && (q[1] - 1.0).abs() < 1e-15);
/// ```
pub trait ConfigurationSpace: fmt::Debug + Send + Sync + RefUnwindSafe {
    /// Writes the position $q \oplus \delta$ to `out`. A system reaches this position from q if it moves with
    /// the constant velocity $\delta / h$ for a time h. The result must be exact, or accurate to second order
    /// in $\delta$. `q` and `out` have `nq` entries, `displacement` has `nv` entries.
    fn advance(&self, q: &[f64], displacement: &[f64], out: &mut [f64]);

    /// Writes the smallest displacement from one position to another, `nv` entries, to `out`. This is the
    /// inverse of [`advance`](Self::advance). Positions are interpolated along this displacement.
    fn displacement(&self, from: &[f64], to: &[f64], out: &mut [f64]);

    /// Writes $\dot q = T(q) v$, `nq` entries, to `out`.
    fn rate(&self, q: &[f64], v: &[f64], out: &mut [f64]);

    /// Writes to `out` the time derivative of the displacement $\delta$, `nv` entries, such that
    /// $q \oplus \delta$ moves with the velocity v. Default: v itself, which is correct if displacements
    /// commute, as rotations in the plane do.
    fn displacement_rate(&self, displacement: &[f64], v: &[f64], out: &mut [f64]) {
        let _ = displacement;
        out.copy_from_slice(v);
    }

    /// Projects a position back onto the space after integration errors, for example by normalising a unit
    /// vector. Default: does nothing.
    fn restore(&self, q: &mut [f64]) {
        let _ = q;
    }

    /// Returns the name under which files refer to the space. Default: `None`, for a user-defined space.
    fn name(&self) -> Option<&str> {
        None
    }

    /// Writes the magnitude of the position for each velocity coordinate, `nv` entries. For a translation it
    /// is the position coordinate itself, for a rotation 1 rad. Rounding errors are estimated relative to
    /// these magnitudes.
    fn magnitudes(&self, q: &[f64], out: &mut [f64]);
}

/// Unit vectors $(\cos \varphi, \sin \varphi)$ in the plane: two coordinates, and the angular velocity
/// \[rad/s\] as the only velocity.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::model::{Jacobian, Lagrangian, NonSmoothDynamicalSystem, UnitCircle};
///
/// // A pendulum of 1 kg and 1 m that starts horizontally.
/// // The vector q points from the pivot to the mass, and -y is down.
/// let pendulum = Lagrangian::new(vec![1.0, 0.0], vec![0.0], array![1.0])
///     .with_configuration(UnitCircle)
///     .with_internal_force(
///         |_at, q, _v, f| f[0] = 9.81 * q[0],
///         Jacobian::function(|_at, q, _v, j| j[[0, 0]] = -9.81 * q[1]),
///         Jacobian::Zero,
///     );
/// let mut model = NonSmoothDynamicalSystem::new();
/// model.add_system(pendulum)?;
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitCircle;

impl ConfigurationSpace for UnitCircle {
    fn advance(&self, q: &[f64], displacement: &[f64], out: &mut [f64]) {
        let (sine, cosine) = displacement[0].sin_cos();
        (out[0], out[1]) = (cosine * q[0] - sine * q[1], sine * q[0] + cosine * q[1]);
        self.restore(out);
    }

    fn displacement(&self, from: &[f64], to: &[f64], out: &mut [f64]) {
        out[0] = (from[0] * to[1] - from[1] * to[0]).atan2(from[0] * to[0] + from[1] * to[1]);
    }

    fn rate(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        (out[0], out[1]) = (-v[0] * q[1], v[0] * q[0]);
    }

    fn name(&self) -> Option<&str> {
        Some("UnitCircle")
    }

    fn restore(&self, q: &mut [f64]) {
        let length = q[0].hypot(q[1]);
        q.iter_mut().for_each(|q| *q /= length);
    }

    fn magnitudes(&self, _q: &[f64], out: &mut [f64]) {
        out[0] = 1.0;
    }
}

/// Configuration space of the concatenated positions of one or more systems.
#[derive(Clone, Debug, Default)]
pub(crate) enum PositionSpace {
    /// Vector space: positions and velocities have equal lengths, and displacements are added.
    #[default]
    Vector,
    Product(Box<[Factor]>),
}

/// Space of a system whose position is a vector.
pub(crate) static VECTOR: PositionSpace = PositionSpace::Vector;

/// Factor of a product space: the positions of one system.
#[derive(Clone, Debug)]
pub(crate) struct Factor {
    pub(crate) positions: usize,
    pub(crate) velocities: usize,
    /// `None` if the position is a vector.
    pub(crate) space: Option<Arc<dyn ConfigurationSpace>>,
}

impl PositionSpace {
    /// Creates the product of the factors. It is `Vector` if the position of every factor is a vector.
    pub(crate) fn of(factors: impl IntoIterator<Item = Factor>) -> Self {
        let factors: Box<[_]> = factors.into_iter().collect();
        match factors.iter().all(|factor| factor.space.is_none()) {
            true => Self::Vector,
            false => Self::Product(factors),
        }
    }

    pub(crate) fn is_vector(&self) -> bool {
        matches!(self, Self::Vector)
    }

    /// Returns the space of a single system, or `None` if its position is a vector.
    pub(crate) fn only(&self) -> Option<&dyn ConfigurationSpace> {
        match self {
            Self::Vector => None,
            Self::Product(factors) => factors.first()?.space.as_deref(),
        }
    }

    /// Returns the factors with the ranges of their positions and velocities. A vector space counts as one
    /// factor with `positions` entries.
    fn parts(
        &self,
        positions: usize,
    ) -> impl Iterator<Item = (&dyn ConfigurationSpace, Range<usize>, Range<usize>)> {
        let (vector, factors): (_, &[Factor]) = match self {
            Self::Vector => {
                (Some((&VectorSpace as &dyn ConfigurationSpace, 0..positions, 0..positions)), &[])
            }
            Self::Product(factors) => (None, factors),
        };
        let mut ends = (0, 0);
        vector.into_iter().chain(factors.iter().map(move |factor| {
            let starts = ends;
            ends = (starts.0 + factor.positions, starts.1 + factor.velocities);
            let space: &dyn ConfigurationSpace = factor.space.as_deref().unwrap_or(&VectorSpace);
            (space, starts.0..ends.0, starts.1..ends.1)
        }))
    }

    /// Writes $q \oplus \delta$ to `out`.
    pub(crate) fn advance(&self, q: &[f64], displacement: &[f64], out: &mut [f64]) {
        for (space, positions, velocities) in self.parts(q.len()) {
            space.advance(&q[positions.clone()], &displacement[velocities], &mut out[positions]);
        }
    }

    /// Writes to `out` the displacement from one position to another.
    pub(crate) fn displacement(&self, from: &[f64], to: &[f64], out: &mut [f64]) {
        for (space, positions, velocities) in self.parts(from.len()) {
            space.displacement(&from[positions.clone()], &to[positions], &mut out[velocities]);
        }
    }

    /// Writes $\dot q$ to `out`.
    pub(crate) fn rate(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        for (space, positions, velocities) in self.parts(q.len()) {
            space.rate(&q[positions.clone()], &v[velocities], &mut out[positions]);
        }
    }

    /// Writes to `out` the rate of a displacement for the velocity v.
    pub(crate) fn displacement_rate(&self, displacement: &[f64], v: &[f64], out: &mut [f64]) {
        for (space, _, at) in self.parts(v.len()) {
            space.displacement_rate(&displacement[at.clone()], &v[at.clone()], &mut out[at]);
        }
    }

    /// Projects positions back onto the space.
    pub(crate) fn restore(&self, q: &mut [f64]) {
        for (space, positions, _) in self.parts(q.len()) {
            space.restore(&mut q[positions]);
        }
    }

    /// Writes the magnitude of the position for each velocity coordinate. In a vector space, the magnitudes
    /// are the entries of q.
    pub(crate) fn magnitudes(&self, q: &[f64], out: &mut [f64]) {
        for (space, positions, velocities) in self.parts(q.len()) {
            space.magnitudes(&q[positions], &mut out[velocities]);
        }
    }
}

/// Vector space, in which the velocity is the time derivative of the position.
#[derive(Debug)]
struct VectorSpace;

impl ConfigurationSpace for VectorSpace {
    fn advance(&self, q: &[f64], displacement: &[f64], out: &mut [f64]) {
        out.iter_mut().zip(q.iter().zip(displacement)).for_each(|(out, (q, by))| *out = q + by);
    }

    fn displacement(&self, from: &[f64], to: &[f64], out: &mut [f64]) {
        out.iter_mut().zip(from.iter().zip(to)).for_each(|(out, (from, to))| *out = to - from);
    }

    fn rate(&self, _q: &[f64], v: &[f64], out: &mut [f64]) {
        out.copy_from_slice(v);
    }

    fn magnitudes(&self, q: &[f64], out: &mut [f64]) {
        out.copy_from_slice(q);
    }
}
