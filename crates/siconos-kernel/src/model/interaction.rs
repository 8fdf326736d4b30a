//! An interaction: one relation and one law over one, two or more systems.

use std::sync::Arc;

use smallvec::SmallVec;

use super::configuration::PositionSpace;
use super::{At, DynamicalSystemId, JacobianMismatch, NonSmoothLaw, Relation};

/// The systems of an interaction, mostly one or two.
pub(super) type Systems = SmallVec<[DynamicalSystemId; 2]>;

/// What ties systems together: a [`Relation`] that says what y and lambda are, and a [`NonSmoothLaw`] between
/// them.
///
/// Made by [`NonSmoothDynamicalSystem::add_interaction`](super::NonSmoothDynamicalSystem::add_interaction).
#[derive(Clone, Debug)]
pub struct Interaction {
    pub(super) systems: Systems,
    pub(super) relation: Arc<Relation>,
    pub(super) law: Arc<NonSmoothLaw>,
    /// In what space the positions of all systems are, and the number of their velocities.
    pub(super) space: PositionSpace,
    pub(super) columns: usize,
    /// The multipliers in an initial state; 0 if there are none.
    pub(super) initial_lambda: Option<Box<[f64]>>,
}

impl Interaction {
    /// The systems, in the order in which their degrees of freedom stand in the relation.
    #[must_use]
    pub fn systems(&self) -> &[DynamicalSystemId] {
        &self.systems
    }

    /// The relation.
    #[must_use]
    pub fn relation(&self) -> &Relation {
        &self.relation
    }

    /// The relation, to be kept.
    pub(crate) fn shared_relation(&self) -> Arc<Relation> {
        Arc::clone(&self.relation)
    }

    /// The positions of all systems as one space.
    pub(crate) fn space(&self) -> &PositionSpace {
        &self.space
    }

    /// The number of their velocities, or states.
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// Compares the Jacobian (and time derivative) of the relation with central differences at one point, as
    /// [`Relation::check_jacobians`] does, along the velocity coordinates of the systems; `q` is their
    /// position, one after the other.
    ///
    /// # Errors
    ///
    /// The entry that is off the most, when it is off by more than `tolerance` times the largest entry (or
    /// than `tolerance` where all are below 1).
    pub fn check_jacobians<'a>(
        &self,
        at: impl Into<At<'a>>,
        q: &[f64],
        tolerance: f64,
    ) -> Result<(), JacobianMismatch> {
        self.relation.check_jacobians_in(&self.space, self.columns, at.into(), q, tolerance)
    }

    /// The law.
    #[must_use]
    pub fn law(&self) -> &NonSmoothLaw {
        &self.law
    }

    /// The law, to be kept.
    pub(crate) fn shared_law(&self) -> Arc<NonSmoothLaw> {
        Arc::clone(&self.law)
    }

    /// The multipliers in an initial state, as
    /// [`set_initial_lambda`](super::NonSmoothDynamicalSystem::set_initial_lambda) sets them; `None` for 0.
    #[must_use]
    pub fn initial_lambda(&self) -> Option<&[f64]> {
        self.initial_lambda.as_deref()
    }

    /// The number of components of y: a multiple of the size of the law.
    #[must_use]
    pub fn size(&self) -> usize {
        self.relation.size()
    }
}
