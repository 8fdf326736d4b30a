//! Positions that are not vectors: what a velocity does to them.

use std::fmt;
use std::ops::Range;
use std::panic::RefUnwindSafe;
use std::sync::Arc;

/// The space of the positions of a system whose velocity is not their derivative, coordinate by coordinate:
/// $\dot q = T(q) v$, with `nq` positions and `nv` velocities.
///
/// A direction in the plane as a unit vector has two coordinates and one angular velocity, an attitude in
/// space as a unit quaternion four and three. Everything of the model that is a derivative with respect to
/// the position, Jacobians of forces and of relations, is one along the velocity coordinates:
/// $J_j = \frac{d}{d \epsilon} h(q \oplus \epsilon e_j)$ at 0, as plain text d/d(eps) h(advance(q, eps e_j)).
///
/// Steps of time-stepping, of the generalised-alpha and of the half-explicit method go along
/// [`advance`](Self::advance) (Brüls, Cardona, Arnold 2012, "Lie group generalized-alpha time integration of
/// constrained flexible multibody systems"; Munthe-Kaas 1998, "Runge-Kutta methods on Lie groups"); methods
/// for ordinary differential equations integrate [`rate`](Self::rate), and [`restore`](Self::restore) follows
/// each of their steps.
///
/// ```
/// use siconos_kernel::model::{ConfigurationSpace, UnitCircle};
///
/// // A quarter of a turn.
/// let mut q = [0.0; 2];
/// UnitCircle.advance(&[1.0, 0.0], &[std::f64::consts::FRAC_PI_2], &mut q);
/// assert!(q[0].abs() < 1e-15 && (q[1] - 1.0).abs() < 1e-15);
/// ```
pub trait ConfigurationSpace: fmt::Debug + Send + Sync + RefUnwindSafe {
    /// Writes the position $q \oplus \delta$ to `out`: where the motion with the constant velocity
    /// $\delta / h$ is after the time h, exactly or to second order in $\delta$. `q` and `out` have `nq`
    /// entries, `displacement` has `nv`.
    fn advance(&self, q: &[f64], displacement: &[f64], out: &mut [f64]);

    /// Writes the smallest displacement that leads from one position to another, the inverse of
    /// [`advance`](Self::advance): `nv` entries. What lies between two positions is found along it.
    fn displacement(&self, from: &[f64], to: &[f64], out: &mut [f64]);

    /// Writes $\dot q = T(q) v$: `nq` entries.
    fn rate(&self, q: &[f64], v: &[f64], out: &mut [f64]);

    /// Writes the rate of the displacement $\delta$ with which $q \oplus \delta$ moves with the velocity v:
    /// `nv` entries. Default: v itself, which is right where displacements commute, as rotations of a plane
    /// do.
    fn displacement_rate(&self, displacement: &[f64], v: &[f64], out: &mut [f64]) {
        let _ = displacement;
        out.copy_from_slice(v);
    }

    /// Puts a position back into the space that errors of an integration have led off: makes a vector one of
    /// unit length, say. Default: nothing.
    fn restore(&self, q: &mut [f64]) {
        let _ = q;
    }

    /// The name under which a file may ask for the space. Default: none, of a space of the user.
    fn name(&self) -> Option<&str> {
        None
    }

    /// Writes how large the position is along each velocity coordinate, `nv` entries: what its rounding is
    /// measured by. Translations count as far as they go, and rotations as 1 radian.
    fn magnitudes(&self, q: &[f64], out: &mut [f64]);
}

/// The directions of the plane as unit vectors $(\cos \varphi, \sin \varphi)$: two coordinates, and the
/// angular velocity \[rad/s\] as the only velocity.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::model::{Jacobian, Lagrangian, NonSmoothDynamicalSystem, UnitCircle};
///
/// // A pendulum of 1 kg and 1 m that begins horizontally; q points from the pivot to the mass, and -y is down.
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

/// The positions of some systems, one after the other, as one space.
#[derive(Clone, Debug, Default)]
pub(crate) enum PositionSpace {
    /// Vectors, with as many velocities: they move by adding.
    #[default]
    Vector,
    Product(Box<[Factor]>),
}

/// The space of a system whose position is a vector.
pub(crate) static VECTOR: PositionSpace = PositionSpace::Vector;

/// The positions of one system.
#[derive(Clone, Debug)]
pub(crate) struct Factor {
    pub(crate) positions: usize,
    pub(crate) velocities: usize,
    /// `None` for a vector.
    pub(crate) space: Option<Arc<dyn ConfigurationSpace>>,
}

impl PositionSpace {
    /// The product of these factors.
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

    /// The space of a single system, where its positions are no vectors.
    pub(crate) fn only(&self) -> Option<&dyn ConfigurationSpace> {
        match self {
            Self::Vector => None,
            Self::Product(factors) => factors.first()?.space.as_deref(),
        }
    }

    /// Its factors in turn, and where the positions and velocities of each lie; a vector of so many entries
    /// is one.
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

    /// Writes $q \oplus \delta$.
    pub(crate) fn advance(&self, q: &[f64], displacement: &[f64], out: &mut [f64]) {
        for (space, positions, velocities) in self.parts(q.len()) {
            space.advance(&q[positions.clone()], &displacement[velocities], &mut out[positions]);
        }
    }

    /// Writes the displacement from one position to another.
    pub(crate) fn displacement(&self, from: &[f64], to: &[f64], out: &mut [f64]) {
        for (space, positions, velocities) in self.parts(from.len()) {
            space.displacement(&from[positions.clone()], &to[positions], &mut out[velocities]);
        }
    }

    /// Writes $\dot q$.
    pub(crate) fn rate(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        for (space, positions, velocities) in self.parts(q.len()) {
            space.rate(&q[positions.clone()], &v[velocities], &mut out[positions]);
        }
    }

    /// Writes the rate of a displacement at which the velocity is v.
    pub(crate) fn displacement_rate(&self, displacement: &[f64], v: &[f64], out: &mut [f64]) {
        for (space, _, at) in self.parts(v.len()) {
            space.displacement_rate(&displacement[at.clone()], &v[at.clone()], &mut out[at]);
        }
    }

    /// Puts positions back into the space.
    pub(crate) fn restore(&self, q: &mut [f64]) {
        for (space, positions, _) in self.parts(q.len()) {
            space.restore(&mut q[positions]);
        }
    }

    /// Writes how large positions are along each velocity coordinate, vectors as they are.
    pub(crate) fn magnitudes(&self, q: &[f64], out: &mut [f64]) {
        for (space, positions, velocities) in self.parts(q.len()) {
            space.magnitudes(&q[positions], &mut out[velocities]);
        }
    }
}

/// Vectors, whose velocity is their derivative.
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
