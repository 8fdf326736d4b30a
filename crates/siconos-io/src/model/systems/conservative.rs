//! Forces with a known potential energy.

use siconos_expression::Expression;

use super::{Family, Space, System};
use crate::model::registered::VectorFunction;
use crate::model::values::is_constant;

/// Forces with a known potential energy: `constant` - K q.
#[derive(Debug, Default)]
pub(in crate::model) struct ConservativeForces<'s> {
    /// Force on each of the first coordinates; the force on all others is 0.
    pub(in crate::model) constant: &'s [Expression],
    /// Entries of the symmetric matrix K: row, column and value.
    pub(in crate::model) stiffness: Vec<(usize, usize, &'s Expression)>,
}

impl System {
    /// Returns the forces on the system, or `None` if their potential energy is not known: forces that depend
    /// on the time, the velocity or, except for the stiffness of a linear system, the position. Damping is
    /// ignored.
    pub(in crate::model) fn conservative_forces(&self) -> Option<ConservativeForces<'_>> {
        if self.coordinates.space != Space::Vector {
            return None;
        }
        let (constant, stiffness) = match self.family.as_ref()? {
            Family::LagrangianLinear(own) => (own.constant_force()?, own.symmetric_stiffness()?),
            Family::Lagrangian(own) => (own.constant_force()?, Vec::new()),
            Family::NewtonEuler(own) => (own.constant_force()?, Vec::new()),
            Family::PlanarBody(own) => (own.constant_force()?, Vec::new()),
            Family::FirstOrderLinear(_) | Family::FirstOrderNonlinear(_) => return None,
        };
        Some(ConservativeForces { constant, stiffness })
    }
}

/// Returns the entries of a force that reads only parameters; no entries if there is no force.
pub(super) fn constant_force(force: Option<&VectorFunction>) -> Option<&[Expression]> {
    let force = force.map_or(Some(&[][..]), VectorFunction::expressions)?;
    is_constant(force).then_some(force)
}
