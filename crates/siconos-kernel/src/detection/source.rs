//! Sources of contacts.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::{ContactSet, DetectionError, Threads};
use crate::model::{NonSmoothDynamicalSystem, NonSmoothLaw};
use crate::state::State;

/// Data from which contacts are detected: a model, its state at the beginning of a step, and the step length.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DetectionInput<'a> {
    /// Model.
    pub model: &'a NonSmoothDynamicalSystem,
    /// State at the beginning of the step.
    pub state: &'a State,
    /// Step length \[s\].
    pub h: f64,
    /// Threads that can share the detection. The contacts must not depend on their number.
    pub threads: &'a Threads,
}

impl<'a> DetectionInput<'a> {
    /// Creates the input of a detection outside a simulation, on the calling thread.
    #[must_use]
    pub fn new(model: &'a NonSmoothDynamicalSystem, state: &'a State, h: f64) -> Self {
        Self { model, state, h, threads: Threads::CALLING }
    }
}

/// Source of the contacts of each step.
///
/// The contacts must depend on the state and the step length alone. A source may keep data between steps to
/// work faster, but the same state must give the same contacts in the same or in another process.
///
/// A source may leave out the contacts between two bodies that [sleep](crate::State::is_asleep).
///
/// A source returns all contacts that can close within the step: those whose gap is at most a margin plus the
/// step length times the speed at which the bodies approach. Contacts that remain open do no harm.
///
/// A ball of radius 0.1 m on a floor at z = 0:
///
/// ```
/// use std::sync::Arc;
///
/// use siconos_kernel::detection::{ContactKey, ContactSet, ContactSource, DetectedContact};
/// use siconos_kernel::detection::{DetectionError, DetectionInput};
/// use siconos_kernel::model::{ContactPoints, NonSmoothLaw};
/// use siconos_kernel::prelude::*;
///
/// #[derive(Debug)]
/// struct BallOnFloor {
///     ball: DynamicalSystemId,
///     law: Arc<NonSmoothLaw>,
/// }
///
/// impl ContactSource for BallOnFloor {
///     fn laws(&self) -> Vec<Arc<NonSmoothLaw>> {
///         vec![Arc::clone(&self.law)]
///     }
///
///     fn detect(&mut self, input: DetectionInput<'_>, found: &mut ContactSet) -> Result<(), DetectionError> {
///         let &[x, y, z, ..] = input.state.q(self.ball) else { unreachable!("a body has 7 coordinates") };
///         found.push(DetectedContact {
///             key: ContactKey { bodies: [1, 0], contactors: [0; 2], features: [0; 2] },
///             first: self.ball,
///             second: None,
///             points: ContactPoints { first: [x, y, z - 0.1], second: [x, y, 0.0], normal: [0.0, 0.0, 1.0] },
///             gap: z - 0.1,
///             radii: [0.1, 0.0],
///             accuracy: 1e-16,
///             size: 0.1,
///             surface_velocity: [0.0; 3],
///             law: Arc::clone(&self.law),
///         });
///         Ok(())
///     }
/// }
///
/// let mut model = NonSmoothDynamicalSystem::new();
/// let ball = NewtonEuler::new(1.0, Inertia::of_ball(1.0, 0.1), [0.0, 0.0, 0.5], Quaternion::IDENTITY)
///     .with_constant_external_force([0.0, 0.0, -9.81]);
/// let ball = model.add_system(ball)?;
/// let law = Arc::new(NewtonImpactFriction::in_space(0.0, 0.5)?.into());
/// let mut simulation = TimeStepping::builder(&model)
///     .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 1e-3)?)
///     .contacts(BallOnFloor { ball, law })
///     .build()?;
/// let mut state = simulation.initial_state(&model)?;
/// simulation.run(&model, &mut state, |_, _| {})?;
/// let contact = &state.contacts()[0];
/// assert!((state.q(ball)[2] - 0.1).abs() < 1e-2 && state.v(ball)[2].abs() < 1e-12);
/// assert!((contact.impulse[2] - 9.81e-3).abs() < 1e-9, "the weight times the step length");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ContactSource: Any + fmt::Debug + Send {
    /// Returns all laws that contacts of this source can have. A simulation checks them when it is built, and
    /// prepares its solvers for them; a contact with another law is an error of its step.
    fn laws(&self) -> Vec<Arc<NonSmoothLaw>>;

    /// Adds the contacts at the beginning of a step to an empty set.
    ///
    /// # Errors
    ///
    /// If the contacts cannot be computed. The step then fails, and the state does not change.
    fn detect(&mut self, input: DetectionInput<'_>, contacts: &mut ContactSet) -> Result<(), DetectionError>;
}
