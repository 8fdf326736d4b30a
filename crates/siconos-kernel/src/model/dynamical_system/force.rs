//! User-supplied forces that depend on the state, with their derivatives.

use std::sync::Arc;

use ndarray::Array2;

use super::jacobian::{DerivativePoint, DifferenceScratch, Jacobian, Variable};
use crate::model::closure::Closure;
use crate::model::origin::Origin;
use crate::model::parts::PartList;
use crate::model::{At, ModelError};

type StateFunction = dyn Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync;

/// Force as a function `(at, q, v, out)`, with its derivatives with respect to q and v, and the names of all
/// three in messages.
#[derive(Clone, Debug)]
pub(super) struct Force {
    pub(super) names: ForceNames,
    function: Closure<StateFunction>,
    pub(super) jacobian_q: Jacobian,
    pub(super) jacobian_v: Jacobian,
}

/// Names of a force and of its derivatives with respect to position and velocity.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForceNames {
    pub(super) force: &'static str,
    pub(super) in_q: &'static str,
    pub(super) in_v: &'static str,
}

pub(super) const INTERNAL: ForceNames =
    ForceNames { force: "F_int", in_q: "derivative of F_int in q", in_v: "derivative of F_int in v" };
pub(super) const GYROSCOPIC: ForceNames =
    ForceNames { force: "F_gyr", in_q: "derivative of F_gyr in q", in_v: "derivative of F_gyr in v" };

/// User-supplied force that depends on position and velocity.
///
/// ```
/// use siconos_kernel::model::{Jacobian, Lagrangian, Origin};
///
/// let spring = Lagrangian::new(vec![1.0], vec![0.0], ndarray::array![1.0]).with_internal_force(
///     |_at, q, _v, f| f[0] = 3.0 * q[0],
///     Jacobian::Constant(ndarray::array![[3.0]]),
///     Jacobian::Zero,
/// );
/// let force = spring.internal_force().expect("it was given");
/// assert_eq!((force.origin, force.jacobian_v), (&Origin::Unknown, &Jacobian::Zero));
/// assert_eq!(force.jacobian_q, &Jacobian::Constant(ndarray::array![[3.0]]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StateForce<'a> {
    /// Origin of the function.
    pub origin: &'a Origin,
    /// Derivative with respect to the position.
    pub jacobian_q: &'a Jacobian,
    /// Derivative with respect to the velocity.
    pub jacobian_v: &'a Jacobian,
}

impl Force {
    pub(super) fn new(
        names: ForceNames,
        function: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
        (jacobian_q, jacobian_v): (Jacobian, Jacobian),
    ) -> Self {
        Self { names, function: Closure::new(Arc::new(function)), jacobian_q, jacobian_v }
    }

    pub(super) fn view(&self) -> StateForce<'_> {
        StateForce {
            origin: self.function.origin_or_unknown(),
            jacobian_q: &self.jacobian_q,
            jacobian_v: &self.jacobian_v,
        }
    }

    /// Calls the function; `out` must be zero on entry.
    pub(super) fn write(&self, at: At<'_>, q: &[f64], v: &[f64], out: &mut [f64]) {
        (self.function.0)(at, q, v, out);
    }

    pub(super) fn jacobian(&self, variable: Variable) -> &Jacobian {
        match variable {
            Variable::Position => &self.jacobian_q,
            Variable::Velocity => &self.jacobian_v,
        }
    }

    /// Adds the derivative of the force with respect to `point.variable` to `out`.
    pub(super) fn add_jacobian(
        &self,
        point: DerivativePoint<'_>,
        scratch: &mut DifferenceScratch,
        out: &mut Array2<f64>,
    ) {
        let function = point.partial(|q, v, f| self.write(point.at, q, v, f));
        self.jacobian(point.variable).add_into(1.0, point, function, scratch, out);
    }

    pub(super) fn check(&self, n: usize) -> Result<(), ModelError> {
        self.jacobian_q.check(self.names.in_q, n)?;
        self.jacobian_v.check(self.names.in_v, n)
    }

    /// Lists the function and its derivatives.
    pub(super) fn list<'a>(&'a self, parts: &mut PartList<'a>) {
        parts.function(self.names.force, &self.function);
        self.jacobian_q.list(self.names.in_q, parts);
        self.jacobian_v.list(self.names.in_v, parts);
    }

    pub(super) fn origins_mut(&mut self) -> impl Iterator<Item = &mut Origin> {
        let jacobians = [&mut self.jacobian_q, &mut self.jacobian_v];
        self.function.origin_mut().into_iter().chain(jacobians.into_iter().filter_map(Jacobian::origin_mut))
    }
}
