//! Contacts that a step detects instead of finding them declared in the model.
//!
//! A [`ContactSource`] is given to
//! [`TimeSteppingBuilder::contacts`](crate::simulation::TimeSteppingBuilder::contacts). At the beginning of
//! each step, it computes all contacts from the positions of the bodies. Each [`DetectedContact`] adds rows
//! to the one-step problem of this step, and to no other step; the model does not change. The crate
//! `siconos-mechanics` contains a source for bodies with shapes.
//!
//! Within a step, the normal n is fixed in space. The contact points, or the centres of rounded corners, are
//! fixed in their bodies. The gap at the end of the step is
//!
//! $$ g(q_{k+1}) = g_k + n \cdot \left( \Delta p_1 - \Delta p_2 \right), $$
//!
//! as plain text: g(q) = g_k + n . (change of p_1 - change of p_2), where g_k is the detected gap and p_1,
//! p_2 are the contact points of the two bodies. Velocities and impulses use the Jacobian at the beginning of
//! the step.
//!
//! The impulses of a step are initial guesses in the next step. They are assigned by [`ContactKey`], which
//! names the bodies, their contactors and the features that touch.

mod contact;
mod error;
mod laws;
mod set;
mod source;

pub use contact::DetectedContact;
pub use error::DetectionError;
pub(crate) use laws::check_contact_law;
pub use laws::{ContactLaws, Material};
pub use set::ContactSet;
pub use source::{ContactSource, DetectionInput};

pub use crate::model::ContactKey;
pub use crate::threads::Threads;
