//! The state: where everything is, apart from what it is (the model) and how it moves on (the simulation).

mod unchecked;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::arena::SideTable;
use crate::error::{ModelError, check_finite, check_shape};
use crate::model::{
    DynamicalSystem, DynamicalSystemId, Interaction, InteractionId, NonSmoothDynamicalSystem,
};

/// The kinematic level of a local variable: y and lambda exist once per level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Level {
    /// y\[0\], the gap \[m\]; lambda\[0\], the force \[N\] of a compliant contact.
    Position,
    /// y\[1\], the gap velocity \[m/s\]; lambda\[1\], the impulse \[N s\] over the last step.
    Velocity,
}

const LEVELS: usize = 2;

impl Level {
    fn index(self) -> usize {
        match self {
            Self::Position => 0,
            Self::Velocity => 1,
        }
    }
}

/// Time, position, velocity and reaction of every system, y and lambda of every interaction.
///
/// One contiguous vector per quantity, with a range per system or interaction. A clone is a point to come back to; a
/// serialised state is a snapshot, which fits the model in the process that made it.
///
/// ```
/// # use ndarray::array;
/// # use siconos_kernel::{State, model::{LagrangianLinear, NonSmoothDynamicalSystem}};
/// let mut model = NonSmoothDynamicalSystem::new();
/// let ball = model.add_system(LagrangianLinear::new(vec![1.0], vec![-2.0], array![1.0]))?;
/// let mut state = State::new(&model, 0.0);
/// assert_eq!((state.q(ball), state.v(ball)), (&[1.0][..], &[-2.0][..]));
/// state.set_velocity(ball, &[3.0])?;
/// assert_eq!(state.v(ball), [3.0]);
/// # Ok::<(), siconos_kernel::Error>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "unchecked::Unchecked")]
pub struct State {
    /// The time \[s\]; a simulation writes it, and refuses a state whose time is not one of its discretisation.
    pub t: f64,
    pub(crate) step: usize,
    pub(crate) model_uid: u64,
    pub(crate) epoch: u64,
    /// Whether y has to be computed anew because q or v was set, or a contact is new.
    pub(crate) outputs_stale: bool,
    systems: SideTable<DynamicalSystem, Range<usize>>,
    interactions: SideTable<Interaction, Range<usize>>,
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    pub(crate) impulse: Vec<f64>,
    pub(crate) y: [Vec<f64>; LEVELS],
    pub(crate) lambda: [Vec<f64>; LEVELS],
}

impl State {
    /// The initial state of a model at time `t0`: q0, v0, no reaction.
    ///
    /// y is computed by the simulation when it takes its first step, or by
    /// [`TimeStepping::initial_state`](crate::simulation::TimeStepping::initial_state).
    #[must_use]
    pub fn new(model: &NonSmoothDynamicalSystem, t0: f64) -> Self {
        let mut state = Self {
            t: t0,
            step: 0,
            model_uid: model.uid(),
            epoch: model.epoch(),
            outputs_stale: true,
            systems: SideTable::default(),
            interactions: SideTable::default(),
            q: Vec::new(),
            v: Vec::new(),
            impulse: Vec::new(),
            y: Default::default(),
            lambda: Default::default(),
        };
        for (id, system) in model.systems().iter() {
            let start = state.q.len();
            state.q.extend(system.q0());
            state.v.extend(system.v0());
            state.systems.insert(id, start..state.q.len());
        }
        state.impulse = vec![0.0; state.q.len()];
        let mut rows = 0;
        for (id, interaction) in model.interactions().iter() {
            state.interactions.insert(id, rows..rows + interaction.size());
            rows += interaction.size();
        }
        state.y = std::array::from_fn(|_| vec![0.0; rows]);
        state.lambda = std::array::from_fn(|_| vec![0.0; rows]);
        state
    }

    /// Fits the state to a model that has changed: what is still there is kept by id, new systems start from q0 and
    /// v0, new interactions without reaction.
    pub(crate) fn adopt(&mut self, model: &NonSmoothDynamicalSystem) {
        let mut adopted = Self::new(model, self.t);
        adopted.step = self.step;
        for (id, _) in model.systems().iter() {
            if let (Some(from), Some(to)) = (self.systems.get(id), adopted.systems.get(id).cloned())
                && from.len() == to.len()
            {
                adopted.q[to.clone()].copy_from_slice(&self.q[from.clone()]);
                adopted.v[to.clone()].copy_from_slice(&self.v[from.clone()]);
                adopted.impulse[to].copy_from_slice(&self.impulse[from.clone()]);
            }
        }
        for (id, _) in model.interactions().iter() {
            if let (Some(from), Some(to)) = (self.interactions.get(id), adopted.interactions.get(id).cloned())
                && from.len() == to.len()
            {
                for (target, source) in adopted.lambda.iter_mut().zip(&self.lambda) {
                    target[to.clone()].copy_from_slice(&source[from.clone()]);
                }
            }
        }
        *self = adopted;
    }

    /// The place of the time in the time discretisation: the number of steps taken, on the grid that the state was begun
    /// with.
    #[must_use]
    pub fn step(&self) -> usize {
        self.step
    }

    /// The position of a system.
    ///
    /// # Panics
    ///
    /// On a stale id, which is an error of the program; see [`try_q`](Self::try_q).
    #[track_caller]
    #[must_use]
    pub fn q(&self, id: DynamicalSystemId) -> &[f64] {
        &self.q[self.dofs(id)]
    }

    /// The velocity of a system; after an impact, the one after it.
    ///
    /// # Panics
    ///
    /// On a stale id; see [`try_v`](Self::try_v).
    #[track_caller]
    #[must_use]
    pub fn v(&self, id: DynamicalSystemId) -> &[f64] {
        &self.v[self.dofs(id)]
    }

    /// The generalised impulse \[N s\] that the interactions exerted on a system over the last step (p\[1\] of the
    /// manuals); divided by the step it is the mean contact force \[N\].
    ///
    /// # Panics
    ///
    /// On a stale id.
    #[doc(alias = "p")]
    #[track_caller]
    #[must_use]
    pub fn impulse(&self, id: DynamicalSystemId) -> &[f64] {
        &self.impulse[self.dofs(id)]
    }

    /// The local variable y of an interaction.
    ///
    /// # Panics
    ///
    /// On a stale id, or one that was added to the model after the last step.
    #[track_caller]
    #[must_use]
    pub fn y(&self, id: InteractionId, level: Level) -> &[f64] {
        &self.y[level.index()][self.rows(id)]
    }

    /// The multiplier lambda of an interaction.
    ///
    /// # Panics
    ///
    /// On a stale id, or one that was added to the model after the last step.
    #[track_caller]
    #[must_use]
    pub fn lambda(&self, id: InteractionId, level: Level) -> &[f64] {
        &self.lambda[level.index()][self.rows(id)]
    }

    /// The position of a system, or `None` for an id that this state does not know.
    #[must_use]
    pub fn try_q(&self, id: DynamicalSystemId) -> Option<&[f64]> {
        self.systems.get(id).map(|range| &self.q[range.clone()])
    }

    /// The velocity of a system, or `None` for an id that this state does not know.
    #[must_use]
    pub fn try_v(&self, id: DynamicalSystemId) -> Option<&[f64]> {
        self.systems.get(id).map(|range| &self.v[range.clone()])
    }

    /// Puts a system elsewhere.
    ///
    /// # Errors
    ///
    /// [`ModelError`] for a stale id, a wrong length, or an entry that is not finite.
    pub fn set_position(&mut self, id: DynamicalSystemId, q: &[f64]) -> Result<(), ModelError> {
        let range = self.checked("q", id, q)?;
        self.q[range].copy_from_slice(q);
        self.outputs_stale = true;
        Ok(())
    }

    /// Gives a system another velocity.
    ///
    /// # Errors
    ///
    /// [`ModelError`] for a stale id, a wrong length, or an entry that is not finite.
    pub fn set_velocity(&mut self, id: DynamicalSystemId, v: &[f64]) -> Result<(), ModelError> {
        let range = self.checked("v", id, v)?;
        self.v[range].copy_from_slice(v);
        self.outputs_stale = true;
        Ok(())
    }

    fn checked(
        &self,
        what: &'static str,
        id: DynamicalSystemId,
        x: &[f64],
    ) -> Result<Range<usize>, ModelError> {
        let range = self.systems.get(id).cloned().ok_or(ModelError::UnknownSystem { id })?;
        check_shape(what, (range.len(), 1), (x.len(), 1))?;
        check_finite(what, x)?;
        Ok(range)
    }

    #[track_caller]
    fn dofs(&self, id: DynamicalSystemId) -> Range<usize> {
        match self.systems.get(id) {
            Some(range) => range.clone(),
            None => panic!(
                "this state does not know dynamical system {id}: it was removed, or added after the last step"
            ),
        }
    }

    #[track_caller]
    fn rows(&self, id: InteractionId) -> Range<usize> {
        match self.interactions.get(id) {
            Some(range) => range.clone(),
            None => panic!(
                "this state does not know interaction {id}: it was removed, or added after the last step"
            ),
        }
    }
}
