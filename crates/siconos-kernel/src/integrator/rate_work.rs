//! Right-hand side f and factorised mass matrix of a first-order system at a given time and state, for
//! event-driven schemes.

use std::ops::Range;
use std::slice::from_mut;

use ndarray::Array2;
use siconos_linalg::{FactoredMatrix, Matrix, SingularMatrix};

use super::first_order_block::{End, Part, field};
use crate::model::{At, DynamicalSystem};

/// Workspace of one first-order system. The states of the system are a range of a vector that contains the
/// states of several systems.
#[derive(Clone, Debug)]
pub(crate) struct RateWorkspace {
    part: Part,
    /// Range of the states of the system in the vector.
    states: Range<usize>,
    /// Factorised M; `None` if M is the identity or has not been factorised yet.
    mass: Option<FactoredMatrix>,
    /// Zero rate, the argument of control terms. It has no effect, because systems with control terms are
    /// rejected.
    no_rate: Vec<f64>,
}

impl RateWorkspace {
    /// Creates the workspace of a system whose states are the given range of the vector.
    pub(crate) fn new(system: &DynamicalSystem, states: Range<usize>) -> Self {
        let (own, no_rate) = (0..states.len(), vec![0.0; states.len()]);
        Self { part: Part::new(system, own), states, mass: None, no_rate }
    }

    /// Returns the initial states of the system.
    pub(crate) fn x0(&self) -> &[f64] {
        self.part.system.x0()
    }

    /// Returns the index of the first state of the system.
    pub(crate) fn first_state(&self) -> usize {
        self.states.start
    }

    /// Returns `true` if M depends on x.
    pub(crate) fn has_variable_mass(&self) -> bool {
        matches!(&self.part.system, DynamicalSystem::FirstOrderNonlinear(system) if !system.has_constant_mass())
    }

    /// Writes f to the entries of the system in `out`.
    pub(crate) fn field_into(&mut self, at: At<'_>, x: &[f64], out: &mut [f64]) {
        self.part.evaluate_a(at);
        let (x, out) = (&x[self.states.clone()], &mut out[self.states.clone()]);
        field(from_mut(&mut self.part), at, End::Last, x, &self.no_rate, out);
    }

    /// Factorises M.
    pub(crate) fn factor_mass(&mut self, at: At<'_>, x: &[f64]) -> Result<(), SingularMatrix> {
        let Part { system, mass: own, scratch, .. } = &mut self.part;
        let x = &x[self.states.clone()];
        match (system, own) {
            (DynamicalSystem::FirstOrderLinear(system), _) if system.mass().is_none() => return Ok(()),
            (DynamicalSystem::FirstOrderNonlinear(system), _) if !system.has_constant_mass() => {
                // M is written in place, because it is factorised at every evaluation of the right-hand side.
                let mass = self.mass.get_or_insert_default();
                system.mass_into(at, x, scratch, &mut mass.dense_mut(x.len()).view_mut());
                return mass.factor();
            }
            (DynamicalSystem::FirstOrderNonlinear(system), Matrix::Dense(own)) => {
                system.mass_into(at, x, scratch, &mut own.view_mut());
                if *own == Array2::<f64>::eye(x.len()) {
                    return Ok(());
                }
            }
            _ => {}
        }
        self.mass.get_or_insert_default().factor_sum(&[(1.0, self.part.mass.view())])
    }

    /// Overwrites the entries of the system in `b` with $M^{-1} b$.
    pub(crate) fn solve_mass(&mut self, b: &mut [f64]) {
        if let Some(mass) = &mut self.mass {
            mass.solve(&mut b[self.states.clone()]);
        }
    }
}
