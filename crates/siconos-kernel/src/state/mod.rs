//! State of a model: time, positions, velocities and reactions. The model describes the systems, and the
//! simulation advances the state.

mod contacts;
mod derived;
mod fingerprints;
pub(crate) mod format;
pub(crate) mod impact_history;
mod record;
mod record_format;
mod set;
mod sleep;
mod step_stamp;
mod whole;

use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use self::contacts::ContactState;
pub use self::derived::EventSide;
pub(crate) use self::impact_history::ImpactHistory;
pub use self::record::StateRecord;
pub(crate) use self::sleep::{Load, Rest};
pub(crate) use self::step_stamp::StepStamp;
use crate::arena::SideTable;
use crate::index::RowIndex;
use crate::model::{
    At, Change, DynamicalSystem, DynamicalSystemId, InteractionId, Layout, Lengths, ModelError,
    NonSmoothDynamicalSystem, ParameterId, Parameters, Places,
};

/// Kinematic level of y and lambda. Both have one value per level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Level {
    /// y\[0\] is the gap \[m\], and lambda\[0\] is the force \[N\] of a compliant contact. For first-order
    /// systems, they are y and lambda themselves at the time at which the integrator imposes the law
    /// ($t_{k+\gamma}$).
    Position,
    /// y\[1\] is the gap velocity \[m/s\], and lambda\[1\] is the impulse \[N s\] over the last step. For
    /// first-order systems, lambda\[1\] is $h \lambda$, the integral over the last step, and y\[1\] is zero.
    /// In event-driven simulations, lambda\[1\] is the impulse of the impact at the last event, or zero
    /// without an impact.
    Velocity,
    /// y\[2\] is the gap acceleration \[m/s2\], and lambda\[2\] is the contact force \[N\]. In event-driven
    /// simulations, they are the values after the last event. In time-stepping, they are means over the last
    /// step: the change of y\[1\] and the impulse, each divided by h. For contacts under
    /// [`D1MinusLinear`](crate::integrator::D1MinusLinear), lambda\[2\] is the force at the end of the step.
    /// Both are zero before the first step.
    Acceleration,
}

const LEVELS: usize = 3;

impl Level {
    fn index(self) -> usize {
        match self {
            Self::Position => 0,
            Self::Velocity => 1,
            Self::Acceleration => 2,
        }
    }
}

/// State of a model: the time; the position, velocity and reaction of every system (or x of a first-order
/// system); y and lambda of every interaction.
///
/// Each quantity is one contiguous vector, with a range for each system or interaction. To return to a state
/// later, keep a clone. To move a state to a file, to another process or to a rebuilt model,
/// [record](State::record) and [restore](State::restore) it.
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
#[derive(Clone, Debug)]
pub struct State {
    /// Time \[s\]. The simulation sets it, and rejects a state with a time that does not belong to its time
    /// discretisation.
    pub t: f64,
    pub(crate) step: usize,
    pub(crate) model_uid: u64,
    pub(crate) epoch: u64,
    /// `true` if y must be recomputed because q or v was set or a contact was added.
    pub(crate) outputs_stale: bool,
    pub(crate) origin: StepStamp,
    /// Present values of the parameters.
    pub(crate) parameters: Parameters,
    /// `true` if a parameter was set since the last step.
    pub(crate) parameters_set: bool,
    layout: Layout,
    /// `true` if the layout of the state differs from the layout of the model, because only the layout of the
    /// model contains unused entries.
    has_own_layout: bool,
    pub(crate) q: Vec<f64>,
    /// Velocities of mechanical systems and states x of first-order systems: the unknowns of a step.
    pub(crate) v: Vec<f64>,
    pub(crate) impulse: Vec<f64>,
    /// Left limit of `v` at the last event of an event-driven simulation, or `v` at the beginning of the last
    /// time step.
    pub(crate) v_before: Vec<f64>,
    pub(crate) acceleration: Vec<f64>,
    /// Mean velocities over the last step, for systems whose integrator uses differences of positions; NaN
    /// for other systems. The vector is empty if no system has this kind of integrator.
    pub(crate) mean_velocity: Vec<f64>,
    pub(crate) y: [Vec<f64>; LEVELS],
    pub(crate) lambda: [Vec<f64>; LEVELS],
    /// For each component of y, `true` if an event-driven simulation keeps it closed: its contact is in the
    /// index set I_2, or its multiplier is active.
    pub(crate) closed: Vec<bool>,
    /// Impact history of each contact, at the index of its first component.
    pub(crate) impacts: Vec<ImpactHistory>,
    /// Contacts that were detected in the last step, in the order of their keys.
    pub(crate) contacts: Vec<ContactState>,
    /// Bodies that are slow or asleep.
    pub(crate) rest: SideTable<DynamicalSystem, Rest>,
}

/// Data for undoing [`State::follow`].
#[derive(Debug)]
pub(crate) enum FollowUndo {
    /// Single changes were applied to the state.
    Followed {
        epoch: u64,
        lengths: Lengths,
        parameters: Parameters,
        parameters_set: bool,
        rest: SideTable<DynamicalSystem, Rest>,
    },
    /// Copy of the previous state, if the state was laid out again or compacted.
    LaidOut(Box<State>),
}

impl State {
    /// Creates the initial state of a model at time `t0` \[s\], with q0, v0, x0 and zero reactions.
    ///
    /// The first step of a simulation computes y. To compute y without a step, use
    /// [`TimeStepping::initial_state`](crate::simulation::TimeStepping::initial_state).
    #[must_use]
    pub fn new(model: &NonSmoothDynamicalSystem, t0: f64) -> Self {
        Self::laid_out(model, model.layout().clone(), t0)
    }

    fn laid_out(model: &NonSmoothDynamicalSystem, layout: Layout, t0: f64) -> Self {
        let mut state = Self {
            t: t0,
            step: 0,
            model_uid: model.uid(),
            epoch: model.epoch(),
            outputs_stale: true,
            origin: StepStamp::default(),
            parameters: model.initial_parameters().clone(),
            parameters_set: false,
            layout,
            has_own_layout: false,
            q: Vec::new(),
            v: Vec::new(),
            impulse: Vec::new(),
            v_before: Vec::new(),
            acceleration: Vec::new(),
            mean_velocity: Vec::new(),
            y: Default::default(),
            lambda: Default::default(),
            closed: Vec::new(),
            impacts: Vec::new(),
            contacts: Vec::new(),
            rest: SideTable::default(),
        };
        state.make_room();
        for (id, _) in model.systems().iter() {
            state.start(model, id);
        }
        for id in model.interactions().ids() {
            state.start_interaction(model, id);
        }
        state
    }

    /// Resizes all vectors to the lengths of the layout.
    fn make_room(&mut self) {
        let Lengths { positions, dofs, rows } = self.layout.lengths();
        self.q.resize(positions, 0.0);
        if self.v.len() != dofs {
            for vector in [&mut self.v, &mut self.v_before, &mut self.acceleration, &mut self.impulse] {
                vector.resize(dofs, 0.0);
            }
        }
        if !self.mean_velocity.is_empty() {
            self.mean_velocity.resize(dofs, f64::NAN);
        }
        for vector in self.y.iter_mut().chain(&mut self.lambda) {
            vector.resize(rows, 0.0);
        }
        self.closed.resize(rows, false);
        self.impacts.resize(rows, ImpactHistory::default());
    }

    /// Sets the initial position and velocity of a system.
    fn start(&mut self, model: &NonSmoothDynamicalSystem, id: DynamicalSystemId) {
        let (Ok(system), Some(places)) = (model.system(id), self.layout.system(id)) else { return };
        self.q[places.q.clone()].copy_from_slice(system.q0());
        for vector in [&mut self.v, &mut self.v_before] {
            vector[places.v.clone()].copy_from_slice(system.initial_rate());
        }
    }

    /// Sets the initial multipliers of an interaction.
    fn start_interaction(&mut self, model: &NonSmoothDynamicalSystem, id: InteractionId) {
        let initial = model.interaction(id).ok().and_then(|interaction| interaction.initial_lambda());
        if let (Some(initial), Some(rows)) = (initial, self.layout.rows(id).cloned()) {
            self.lambda[0][rows].copy_from_slice(initial);
        }
    }

    /// Returns the mean velocities of a system over the last step, or `None` if its integrator does not use
    /// differences of positions.
    pub(crate) fn known_mean_velocity(&self, dofs: Range<usize>) -> Option<&[f64]> {
        self.mean_velocity.get(dofs).filter(|known| known.iter().all(|u| !u.is_nan()))
    }

    /// Invalidates the mean velocities of a system that was changed from outside a step.
    fn forget_mean_velocity(&mut self, dofs: Range<usize>) {
        if let Some(known) = self.mean_velocity.get_mut(dofs) {
            known.fill(f64::NAN);
        }
    }

    /// Records that the state was changed from outside a step.
    pub(crate) fn expire_outputs(&mut self) {
        self.outputs_stale = true;
        self.origin = StepStamp::default();
    }

    /// Returns `true` if [`follow`](Self::follow) has changes to apply.
    pub(crate) fn is_behind(&self, model: &NonSmoothDynamicalSystem) -> bool {
        self.epoch != model.epoch() || self.has_own_layout
    }

    /// Adapts the state to a model, and lays it out without unused entries, as event-driven simulations
    /// require.
    pub(crate) fn close_gaps(&mut self, model: &NonSmoothDynamicalSystem) {
        if self.epoch != model.epoch() || self.layout.has_gaps() {
            *self = self.adopted(model, model.layout_without_gaps());
            self.has_own_layout = model.layout().has_gaps();
        }
    }

    /// Adapts the state to a model that has changed. A few changes are applied one by one; otherwise the
    /// state is laid out again. Returns data to undo the adaptation, and the number of leading rows whose
    /// outputs remain valid. The outputs of the other rows must be computed; if the state was laid out again,
    /// the outputs of all rows must be computed.
    pub(crate) fn follow(&mut self, model: &NonSmoothDynamicalSystem) -> (FollowUndo, usize) {
        let since = |epoch| model.changes_since(epoch).filter(|_| !self.has_own_layout);
        let (Some(changes), Some(mut all)) = (since(self.epoch), since(self.epoch)) else {
            let adopted = self.adopted(model, model.layout().clone());
            let known = adopted.y[0].len();
            return (FollowUndo::LaidOut(Box::new(std::mem::replace(self, adopted))), known);
        };
        let mut known = self.y[0].len();
        let before = match all.any(|change| matches!(change, Change::GapsClosed(_))) {
            true => FollowUndo::LaidOut(Box::new(self.clone())),
            false => FollowUndo::Followed {
                epoch: self.epoch,
                lengths: self.layout.lengths(),
                parameters: self.parameters.clone(),
                parameters_set: self.parameters_set,
                rest: self.rest.clone(),
            },
        };
        let mut has_others = false;
        for change in changes {
            self.layout.apply(change);
            match change {
                Change::SystemAdded(id, _) => {
                    self.make_room();
                    self.start(model, *id);
                }
                Change::InteractionAdded(id, _) => {
                    self.make_room();
                    self.start_interaction(model, *id);
                }
                Change::GapsClosed(moved) => {
                    known = moved.before(RowIndex::new(known)).index();
                    self.y.iter_mut().chain(&mut self.lambda).for_each(|rows| moved.close(rows));
                    moved.close(&mut self.closed);
                    moved.close(&mut self.impacts);
                }
                Change::Other => has_others = true,
                _ => {}
            }
        }
        if has_others {
            self.follow_parameters(model);
        }
        self.make_room();
        self.wake_changed(model, self.epoch);
        self.epoch = model.epoch();
        (before, known)
    }

    fn follow_parameters(&mut self, model: &NonSmoothDynamicalSystem) {
        let mut parameters = model.initial_parameters().clone();
        parameters.adopt(model.parameters(), &self.parameters);
        self.parameters = parameters;
    }

    /// Undoes [`follow`](Self::follow) for the model that was passed to it.
    pub(crate) fn go_back(&mut self, model: &NonSmoothDynamicalSystem, before: FollowUndo) {
        match before {
            FollowUndo::LaidOut(state) => *self = *state,
            FollowUndo::Followed { epoch, lengths, parameters, parameters_set, rest } => {
                // `follow` found all changes since this epoch in the log, so they are still there.
                for change in model.changes_since(epoch).into_iter().flatten().rev() {
                    self.layout.revert(change);
                }
                debug_assert_eq!(self.layout.lengths(), lengths, "as it was");
                self.make_room();
                (self.epoch, self.parameters, self.parameters_set) = (epoch, parameters, parameters_set);
                self.rest = rest;
            }
        }
    }

    /// Returns a copy of the state, laid out for a model that has changed. Values of remaining objects are
    /// kept by id; new systems start from q0 and v0, new interactions with zero reaction.
    fn adopted(&self, model: &NonSmoothDynamicalSystem, layout: Layout) -> Self {
        let mut adopted = Self::laid_out(model, layout, self.t);
        adopted.step = self.step;
        adopted.parameters.adopt(model.parameters(), &self.parameters);
        adopted.parameters_set = self.parameters_set;
        adopted.contacts.clone_from(&self.contacts);
        adopted.rest.clone_from(&self.rest);
        adopted.wake_changed(model, self.epoch);
        if !self.mean_velocity.is_empty() {
            adopted.mean_velocity = vec![f64::NAN; adopted.v.len()];
        }
        for (id, _) in model.systems().iter() {
            if let (Some(from), Some(to)) = (self.layout.system(id), adopted.layout.system(id).cloned())
                && from.same_size(&to)
            {
                adopted.q[to.q].copy_from_slice(&self.q[from.q.clone()]);
                adopted.v[to.v.clone()].copy_from_slice(&self.v[from.v.clone()]);
                adopted.v_before[to.v.clone()].copy_from_slice(&self.v_before[from.v.clone()]);
                adopted.acceleration[to.v.clone()].copy_from_slice(&self.acceleration[from.v.clone()]);
                adopted.impulse[to.v.clone()].copy_from_slice(&self.impulse[from.v.clone()]);
                if let Some(known) = self.mean_velocity.get(from.v.clone()) {
                    adopted.mean_velocity[to.v].copy_from_slice(known);
                }
            }
        }
        for (id, _) in model.interactions().iter() {
            if let (Some(from), Some(to)) = (self.layout.rows(id), adopted.layout.rows(id).cloned())
                && from.len() == to.len()
            {
                let levels = adopted.lambda.iter_mut().chain(&mut adopted.y);
                for (target, source) in levels.zip(self.lambda.iter().chain(&self.y)) {
                    target[to.clone()].copy_from_slice(&source[from.clone()]);
                }
                adopted.closed[to.clone()].copy_from_slice(&self.closed[from.clone()]);
                adopted.impacts[to].copy_from_slice(&self.impacts[from.clone()]);
            }
        }
        adopted
    }

    /// Returns the number of steps taken. It is the index of the current time in the time discretisation with
    /// which the state started.
    #[must_use]
    pub fn step(&self) -> usize {
        self.step
    }

    /// Returns the position of a system.
    ///
    /// # Panics
    ///
    /// If the id is stale, which is a programming error; see [`try_q`](Self::try_q).
    #[track_caller]
    #[must_use]
    pub fn q(&self, id: DynamicalSystemId) -> &[f64] {
        &self.q[self.places(id).q.clone()]
    }

    /// Returns the velocity of a system. At an impact, this is the velocity after the impact.
    ///
    /// # Panics
    ///
    /// If the id is stale; see [`try_v`](Self::try_v).
    #[track_caller]
    #[must_use]
    pub fn v(&self, id: DynamicalSystemId) -> &[f64] {
        let places = self.places(id);
        if places.first_order { &[] } else { &self.v[places.v.clone()] }
    }

    /// Returns the state x of a first-order system; empty for other systems.
    ///
    /// # Panics
    ///
    /// If the id is stale; see [`try_x`](Self::try_x).
    #[track_caller]
    #[must_use]
    pub fn x(&self, id: DynamicalSystemId) -> &[f64] {
        let places = self.places(id);
        if places.first_order { &self.v[places.v.clone()] } else { &[] }
    }

    /// Returns the generalised impulse \[N s\] that the interactions exerted on a system over the last step
    /// (p\[1\]). Divided by the step length, it is the mean contact force \[N\]. For a first-order system, it
    /// is the integral of r over the last step.
    ///
    /// # Panics
    ///
    /// If the id is stale.
    #[doc(alias = "p")]
    #[track_caller]
    #[must_use]
    pub fn impulse(&self, id: DynamicalSystemId) -> &[f64] {
        &self.impulse[self.places(id).v.clone()]
    }

    /// Returns the left limit of the velocity of a system at the last event of an event-driven simulation;
    /// [`v`](Self::v) returns the right limit. They differ if there was an impact. In time-stepping, this
    /// function returns the velocity at the beginning of the last step, or the initial velocity before the
    /// first step. Empty for a first-order system; use [`x_at`](Self::x_at) for its state before the event.
    ///
    /// # Panics
    ///
    /// If the id is stale.
    #[track_caller]
    #[must_use]
    pub fn v_before(&self, id: DynamicalSystemId) -> &[f64] {
        let places = self.places(id);
        if places.first_order { &[] } else { &self.v_before[places.v.clone()] }
    }

    /// Returns the acceleration of a system \[m/s2\], or the rate $\dot x$ of a first-order system. In
    /// event-driven simulations, it is the value after the last event. In time-stepping, it is the mean over
    /// the last step, $(v_{k+1} - v_k) / h$, or zero before the first step.
    ///
    /// # Panics
    ///
    /// If the id is stale.
    #[track_caller]
    #[must_use]
    pub fn acceleration(&self, id: DynamicalSystemId) -> &[f64] {
        &self.acceleration[self.places(id).v.clone()]
    }

    /// Returns, for each component of an interaction, `true` if an event-driven simulation keeps it closed.
    /// The closed components are the index set I_2 of lasting contacts, or the active multipliers of
    /// first-order systems. All are `false` in time-stepping.
    ///
    /// # Panics
    ///
    /// If the id is stale, or the interaction was added to the model after the last step.
    #[track_caller]
    #[must_use]
    pub fn closed(&self, id: InteractionId) -> &[bool] {
        &self.closed[self.rows(id)]
    }

    /// Returns the local variable y of an interaction at a kinematic level.
    ///
    /// # Panics
    ///
    /// If the id is stale, or the interaction was added to the model after the last step.
    #[track_caller]
    #[must_use]
    pub fn y(&self, id: InteractionId, level: Level) -> &[f64] {
        &self.y[level.index()][self.rows(id)]
    }

    /// Returns the multiplier lambda of an interaction at a kinematic level.
    ///
    /// # Panics
    ///
    /// If the id is stale, or the interaction was added to the model after the last step.
    #[track_caller]
    #[must_use]
    pub fn lambda(&self, id: InteractionId, level: Level) -> &[f64] {
        &self.lambda[level.index()][self.rows(id)]
    }

    /// Returns the position of a system, or `None` if the state does not contain the system.
    #[must_use]
    pub fn try_q(&self, id: DynamicalSystemId) -> Option<&[f64]> {
        self.layout.system(id).map(|places| &self.q[places.q.clone()])
    }

    /// Returns the velocity of a system, or `None` for a first-order system or an unknown id.
    #[must_use]
    pub fn try_v(&self, id: DynamicalSystemId) -> Option<&[f64]> {
        self.layout.system(id).filter(|places| !places.first_order).map(|places| &self.v[places.v.clone()])
    }

    /// Returns the state of a first-order system, or `None` for another system or an unknown id.
    #[must_use]
    pub fn try_x(&self, id: DynamicalSystemId) -> Option<&[f64]> {
        self.layout.system(id).filter(|places| places.first_order).map(|places| &self.v[places.v.clone()])
    }

    /// Returns the time and the current values of all parameters, as an argument for user functions.
    #[must_use]
    pub fn at(&self) -> At<'_> {
        At::new(self.t, &self.parameters)
    }

    /// Returns the current values of a parameter.
    ///
    /// # Panics
    ///
    /// If the id belongs to another model, or the parameter was added after the last step; see
    /// [`Parameters::get`](crate::model::Parameters::get).
    #[track_caller]
    #[must_use]
    pub fn parameter(&self, id: ParameterId) -> &[f64] {
        &self.parameters[id]
    }

    /// Returns the ranges of a system in q and in v.
    pub(crate) fn places_of(&self, id: DynamicalSystemId) -> Option<(Range<usize>, Range<usize>)> {
        self.layout.system(id).map(|places| (places.q.clone(), places.v.clone()))
    }

    fn known(&self, id: DynamicalSystemId) -> Result<&Places, ModelError> {
        self.layout.system(id).ok_or(ModelError::UnknownSystem { id })
    }

    #[track_caller]
    fn places(&self, id: DynamicalSystemId) -> &Places {
        match self.layout.system(id) {
            Some(places) => places,
            None => panic!(
                "this state has no dynamical system {id}: it was removed, or added after the last step"
            ),
        }
    }

    #[track_caller]
    fn rows(&self, id: InteractionId) -> Range<usize> {
        match self.layout.rows(id) {
            Some(range) => range.clone(),
            None => {
                panic!("this state has no interaction {id}: it was removed, or added after the last step")
            }
        }
    }
}
