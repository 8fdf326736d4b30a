//! Interactions: one relation and one law that connect one or more systems.

use std::sync::Arc;

use smallvec::SmallVec;

use super::configuration::PositionSpace;
use super::relation::Constraint;
use super::{
    At, BodyGeometry, DynamicalSystemId, JacobianMismatch, NonSmoothLaw, Relation, RowLaw, UserFunctions,
};

/// Systems of an interaction, usually one or two.
pub(super) type Systems = SmallVec<[DynamicalSystemId; 2]>;

/// Interaction of one or more systems: a [`Relation`], which defines y and lambda, and a [`NonSmoothLaw`]
/// between them.
///
/// Created by
/// [`NonSmoothDynamicalSystem::add_interaction`](super::NonSmoothDynamicalSystem::add_interaction).
#[derive(Clone, Debug)]
pub struct Interaction {
    pub(super) systems: Systems,
    pub(super) relation: Arc<Relation>,
    pub(super) law: Arc<NonSmoothLaw>,
    /// Space of the positions of all systems.
    pub(super) space: PositionSpace,
    /// Total number of velocities of the systems, or of states of first-order systems.
    pub(super) columns: usize,
    /// Initial multipliers; `None` means 0.
    pub(super) initial_lambda: Option<Box<[f64]>>,
}

impl Interaction {
    /// Returns the systems, in the order of their degrees of freedom in the relation.
    #[must_use]
    pub fn systems(&self) -> &[DynamicalSystemId] {
        &self.systems
    }

    /// Returns the relation.
    #[must_use]
    pub fn relation(&self) -> &Relation {
        &self.relation
    }

    /// Returns a shared pointer to the relation.
    pub(crate) fn shared_relation(&self) -> Arc<Relation> {
        Arc::clone(&self.relation)
    }

    /// Returns the space of the positions of all systems.
    pub(crate) fn space(&self) -> &PositionSpace {
        &self.space
    }

    /// Returns `true` if the reactions of systems at rest do not depend on time. This is not known for an
    /// interaction with user functions.
    pub(crate) fn is_steady(&self) -> bool {
        let geometry = self.relation.constraint().and_then(Constraint::geometry);
        let can_rest = match geometry {
            // The force of a motor depends on the rate only, unlike the reaction of an enforced motion.
            Some(BodyGeometry::Prescribed(motion)) => {
                motion.speed() == Some(0.0) || self.law.description().rows == RowLaw::Box
            }
            _ => true,
        };
        can_rest && self.relation.functions().is_empty() && self.law.functions().is_empty()
    }

    /// Returns the total number of velocities of the systems, or of states of first-order systems.
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// Compares the Jacobian and the time derivative of the relation with central differences at one point,
    /// like [`Relation::check_jacobians`], but with respect to the velocity coordinates of the systems. `q`
    /// contains the positions of the systems, concatenated.
    ///
    /// # Errors
    ///
    /// If the difference in an entry exceeds `tolerance` times the larger of 1 and the largest magnitude of
    /// an entry. The error reports the entry with the largest difference.
    pub fn check_jacobians<'a>(
        &self,
        at: impl Into<At<'a>>,
        q: &[f64],
        tolerance: f64,
    ) -> Result<(), JacobianMismatch> {
        self.relation.check_jacobians_in(&self.space, self.columns, at.into(), q, tolerance)
    }

    /// Returns the law.
    #[must_use]
    pub fn law(&self) -> &NonSmoothLaw {
        &self.law
    }

    /// Returns a shared pointer to the law.
    pub(crate) fn shared_law(&self) -> Arc<NonSmoothLaw> {
        Arc::clone(&self.law)
    }

    /// Returns the initial multipliers, as set by
    /// [`set_initial_lambda`](super::NonSmoothDynamicalSystem::set_initial_lambda); `None` means 0.
    #[must_use]
    pub fn initial_lambda(&self) -> Option<&[f64]> {
        self.initial_lambda.as_deref()
    }

    /// Returns the number of components of y, a multiple of the size of the law.
    #[must_use]
    pub fn size(&self) -> usize {
        self.relation.size()
    }
}
