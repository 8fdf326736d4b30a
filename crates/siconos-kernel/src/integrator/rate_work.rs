//! What event-driven schemes need of a first-order system at a point of the motion: f, and the mass matrix,
//! factorised.

use std::ops::Range;
use std::slice::from_mut;

use ndarray::Array2;
use siconos_numerics::linalg::{FactoredMatrix, Matrix, SingularMatrix};

use super::first_order_block::{End, Part, field};
use crate::model::At;
use crate::model::dynamical_system::FirstOrderSystem;

/// The work of one system among others.
#[derive(Clone, Debug)]
pub(crate) struct RateWork {
    part: Part,
    /// M; `None` while it has not been factorised, and where it is the identity.
    mass: Option<FactoredMatrix>,
    /// No control is admitted: the rate that it would see is not used.
    no_rate: Vec<f64>,
}

impl RateWork {
    /// Memory for a system with a range of its own in vectors of states.
    pub(crate) fn new(system: &FirstOrderSystem, states: Range<usize>) -> Self {
        let no_rate = vec![0.0; states.end];
        let part = match system {
            FirstOrderSystem::Linear(system) => Part::of_linear(system, states),
            FirstOrderSystem::Nonlinear(system) => Part::of_nonlinear(system, states),
        };
        Self { part, mass: None, no_rate }
    }

    /// Its states at the beginning.
    pub(crate) fn x0(&self) -> &[f64] {
        match &self.part.system {
            FirstOrderSystem::Linear(system) => system.x0(),
            FirstOrderSystem::Nonlinear(system) => system.x0(),
        }
    }

    /// Where its first state is.
    pub(crate) fn first_state(&self) -> usize {
        self.part.place.start
    }

    /// Whether M depends on x.
    pub(crate) fn has_variable_mass(&self) -> bool {
        matches!(&self.part.system, FirstOrderSystem::Nonlinear(system) if !system.has_constant_mass())
    }

    /// Writes f to its states.
    pub(crate) fn field_into(&mut self, (at, x): (At<'_>, &[f64]), out: &mut [f64]) {
        self.part.evaluate_a(at);
        field(from_mut(&mut self.part), (at, End::Last), x, &self.no_rate, out);
    }

    /// Factorises M.
    pub(crate) fn factor_mass(&mut self, (at, x): (At<'_>, &[f64])) -> Result<(), SingularMatrix> {
        let is_identity = match (&self.part.system, &mut self.part.mass) {
            (FirstOrderSystem::Linear(system), _) => system.mass().is_none(),
            (FirstOrderSystem::Nonlinear(system), Matrix::Dense(mass)) => {
                let x = &x[self.part.place.clone()];
                system.mass_into(at, x, &mut self.part.scratch, &mut mass.view_mut());
                system.has_constant_mass() && *mass == Array2::<f64>::eye(x.len())
            }
            (FirstOrderSystem::Nonlinear(_), _) => false,
        };
        match is_identity {
            true => Ok(()),
            false => self.mass.get_or_insert_default().factor_sum(&[(1.0, self.part.mass.view())]),
        }
    }

    /// Overwrites its part of `b` with $M^{-1} b$.
    pub(crate) fn solve_mass(&mut self, b: &mut [f64]) {
        if let Some(mass) = &mut self.mass {
            mass.solve(&mut b[self.part.place.clone()]);
        }
    }
}
