//! A force of the state with its derivatives, as a user gives it.

use std::sync::Arc;

use ndarray::Array2;

use super::jacobian::{DifferenceScratch, Jacobian, Point, Variable};
use crate::error::ModelError;
use crate::model::At;
use crate::model::closure::Closure;
use crate::model::fingerprint::Fingerprint;

type StateFunction = dyn Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync;

/// A function `(at, q, v, out)` with its two derivatives, and their names in messages.
#[derive(Clone, Debug)]
pub(super) struct Force {
    pub(super) name_q: &'static str,
    pub(super) name_v: &'static str,
    function: Closure<StateFunction>,
    pub(super) jacobian_q: Jacobian,
    pub(super) jacobian_v: Jacobian,
}

impl Force {
    pub(super) fn new(
        (name_q, name_v): (&'static str, &'static str),
        function: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
        (jacobian_q, jacobian_v): (Jacobian, Jacobian),
    ) -> Self {
        Self { name_q, name_v, function: Closure(Arc::new(function)), jacobian_q, jacobian_v }
    }

    /// Calls the function; `out` is to be zeroed.
    pub(super) fn write(&self, at: At<'_>, q: &[f64], v: &[f64], out: &mut [f64]) {
        (self.function.0)(at, q, v, out);
    }

    pub(super) fn jacobian(&self, variable: Variable) -> &Jacobian {
        match variable {
            Variable::Position => &self.jacobian_q,
            Variable::Velocity => &self.jacobian_v,
        }
    }

    /// Adds its derivative by the variable of the point.
    pub(super) fn add_jacobian(
        &self,
        point: Point<'_>,
        scratch: &mut DifferenceScratch,
        out: &mut Array2<f64>,
    ) {
        let function = point.partial(|q, v, f| self.write(point.at, q, v, f));
        self.jacobian(point.variable).add_into(1.0, point, function, scratch, out);
    }

    pub(super) fn check(&self, n: usize) -> Result<(), ModelError> {
        self.jacobian_q.check(self.name_q, n)?;
        self.jacobian_v.check(self.name_v, n)
    }

    pub(super) fn fingerprint(&self, of: &mut Fingerprint) {
        self.jacobian_q.fingerprint(of);
        self.jacobian_v.fingerprint(of);
    }
}
