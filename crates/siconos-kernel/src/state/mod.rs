//! The state: where everything is, apart from what it is (the model) and how it moves on (the simulation).

mod derived;
mod fingerprints;
pub(crate) mod format;
pub(crate) mod impact_history;
mod record;
mod set;
mod step_stamp;
mod whole;

use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use self::derived::Side;
pub(crate) use self::impact_history::ImpactHistory;
pub use self::record::StateRecord;
pub(crate) use self::step_stamp::StepStamp;
use crate::index::RowPlace;
use crate::model::{
    At, Change, DynamicalSystemId, InteractionId, Layout, Lengths, ModelError, NonSmoothDynamicalSystem,
    ParameterId, Parameters, Places,
};

/// The kinematic level of a local variable: y and lambda exist once per level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Level {
    /// y\[0\], the gap \[m\]; lambda\[0\], the force \[N\] of a compliant contact. Of first-order systems y
    /// and lambda themselves, where the scheme holds them against each other (at $t_{k+\gamma}$).
    Position,
    /// y\[1\], the gap velocity \[m/s\]; lambda\[1\], the impulse \[N s\] over the last step. Of first-order
    /// systems lambda\[1\] is $h \lambda$, the measure of the last step, and y\[1\] is zero. Event-driven
    /// simulations write the impulse of the impact at the last event, zero where there was none.
    Velocity,
    /// y\[2\], the gap acceleration \[m/s2\]; lambda\[2\], the contact force \[N\]. Event-driven simulations
    /// write the values after the last event. Time-stepping writes the means over the last step, the change
    /// of y\[1\] and the impulse divided by h; contacts of
    /// [`D1MinusLinear`](crate::integrator::D1MinusLinear) have the force at the end of the step. Zero before
    /// the first step.
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

/// Time, position, velocity and reaction of every system (or x of a first-order one), y and lambda of every
/// interaction.
///
/// One contiguous vector per quantity, with a range per system or interaction. A clone is a point to come
/// back to. For a file, another process, or a model that is built anew, a state is [recorded](State::record)
/// and [restored](State::restore).
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
    /// The time \[s\]; a simulation writes it, and refuses a state whose time is not one of its
    /// discretisation.
    pub t: f64,
    pub(crate) step: usize,
    pub(crate) model_uid: u64,
    pub(crate) epoch: u64,
    /// Whether y has to be computed anew because q or v was set, or a contact is new.
    pub(crate) outputs_stale: bool,
    pub(crate) origin: StepStamp,
    /// The present values, and whether some were set since the last step.
    pub(crate) parameters: Parameters,
    pub(crate) parameters_set: bool,
    layout: Layout,
    /// Whether that is not the layout of the model, which has gaps.
    has_own_layout: bool,
    pub(crate) q: Vec<f64>,
    /// Velocities, and the states x of first-order systems: what a step solves for.
    pub(crate) v: Vec<f64>,
    pub(crate) impulse: Vec<f64>,
    /// The left limit of `v` at the last event of an event-driven simulation.
    pub(crate) v_before: Vec<f64>,
    pub(crate) acceleration: Vec<f64>,
    /// The mean velocities over the last step, of systems that a scheme in differences of positions has
    /// moved; NaN of others, empty where there are none.
    pub(crate) mean_velocity: Vec<f64>,
    pub(crate) y: [Vec<f64>; LEVELS],
    pub(crate) lambda: [Vec<f64>; LEVELS],
    /// Of event-driven simulations, per component of y: whether it is in the set of closed contacts (I_2, or
    /// active multipliers).
    pub(crate) closed: Vec<bool>,
    /// The history of the impacts of a contact, at its first component.
    pub(crate) impacts: Vec<ImpactHistory>,
}

/// What it takes to undo that a state has followed a model.
#[derive(Debug)]
pub(crate) enum Before {
    /// The state has followed single changes.
    Followed { epoch: u64, lengths: Lengths, parameters: Parameters, parameters_set: bool },
    /// The state has been laid out anew, or its gaps have been closed.
    LaidOut(Box<State>),
}

impl State {
    /// The initial state of a model at time `t0`: q0, v0, x0, no reaction.
    ///
    /// y is computed by the simulation when it takes its first step, or by
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

    /// Brings all vectors to the lengths of the layout.
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

    /// Puts a system where it starts from.
    fn start(&mut self, model: &NonSmoothDynamicalSystem, id: DynamicalSystemId) {
        let (Ok(system), Some(places)) = (model.system(id), self.layout.system(id)) else { return };
        self.q[places.q.clone()].copy_from_slice(system.q0());
        for vector in [&mut self.v, &mut self.v_before] {
            vector[places.v.clone()].copy_from_slice(system.initial_rate());
        }
    }

    /// Gives an interaction its initial multipliers.
    fn start_interaction(&mut self, model: &NonSmoothDynamicalSystem, id: InteractionId) {
        let initial = model.interaction(id).ok().and_then(|interaction| interaction.initial_lambda());
        if let (Some(initial), Some(rows)) = (initial, self.layout.rows(id).cloned()) {
            self.lambda[0][rows].copy_from_slice(initial);
        }
    }

    /// The mean velocities of a system over the last step, where a scheme in differences has made them.
    pub(crate) fn known_mean_velocity(&self, dofs: Range<usize>) -> Option<&[f64]> {
        self.mean_velocity.get(dofs).filter(|known| known.iter().all(|u| !u.is_nan()))
    }

    /// Forgets them of a system that is moved by another hand.
    fn forget_mean_velocity(&mut self, dofs: Range<usize>) {
        if let Some(known) = self.mean_velocity.get_mut(dofs) {
            known.fill(f64::NAN);
        }
    }

    /// Takes note that it is moved by another hand than that of a step.
    pub(crate) fn expire_outputs(&mut self) {
        self.outputs_stale = true;
        self.origin = StepStamp::default();
    }

    /// Whether [`follow`](Self::follow) has something to do.
    pub(crate) fn is_behind(&self, model: &NonSmoothDynamicalSystem) -> bool {
        self.epoch != model.epoch() || self.has_own_layout
    }

    /// Fits the state to a model, and lays it out without gaps, as event-driven simulations need it.
    pub(crate) fn close_gaps(&mut self, model: &NonSmoothDynamicalSystem) {
        if self.epoch != model.epoch() || self.layout.has_gaps() {
            *self = self.adopted(model, model.layout_without_gaps());
            self.has_own_layout = model.layout().has_gaps();
        }
    }

    /// Fits the state to a model that has changed, at the cost of the changes where these are few; says how
    /// many of its first rows it has known before. Outputs of the others have to be computed, of all where
    /// the state was laid out anew.
    pub(crate) fn follow(&mut self, model: &NonSmoothDynamicalSystem) -> (Before, usize) {
        let since = |epoch| model.changes_since(epoch).filter(|_| !self.has_own_layout);
        let (Some(changes), Some(mut all)) = (since(self.epoch), since(self.epoch)) else {
            let adopted = self.adopted(model, model.layout().clone());
            let known = adopted.y[0].len();
            return (Before::LaidOut(Box::new(std::mem::replace(self, adopted))), known);
        };
        let mut known = self.y[0].len();
        let before = match all.any(|change| matches!(change, Change::GapsClosed(_))) {
            true => Before::LaidOut(Box::new(self.clone())),
            false => Before::Followed {
                epoch: self.epoch,
                lengths: self.layout.lengths(),
                parameters: self.parameters.clone(),
                parameters_set: self.parameters_set,
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
                    known = moved.before(RowPlace::new(known)).index();
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
        self.epoch = model.epoch();
        (before, known)
    }

    fn follow_parameters(&mut self, model: &NonSmoothDynamicalSystem) {
        let mut parameters = model.initial_parameters().clone();
        parameters.adopt(model.parameters(), &self.parameters);
        self.parameters = parameters;
    }

    /// Undoes [`follow`](Self::follow), for the model that was followed.
    pub(crate) fn go_back(&mut self, model: &NonSmoothDynamicalSystem, before: Before) {
        match before {
            Before::LaidOut(state) => *self = *state,
            Before::Followed { epoch, lengths, parameters, parameters_set } => {
                // The log reached back to that when the state followed it.
                for change in model.changes_since(epoch).into_iter().flatten().rev() {
                    self.layout.take_back(change);
                }
                debug_assert_eq!(self.layout.lengths(), lengths, "as it was");
                self.make_room();
                (self.epoch, self.parameters, self.parameters_set) = (epoch, parameters, parameters_set);
            }
        }
    }

    /// The state laid out anew for a model that has changed: what is still there is kept by id, new systems
    /// start from q0 and v0, new interactions without reaction.
    fn adopted(&self, model: &NonSmoothDynamicalSystem, layout: Layout) -> Self {
        let mut adopted = Self::laid_out(model, layout, self.t);
        adopted.step = self.step;
        adopted.parameters.adopt(model.parameters(), &self.parameters);
        adopted.parameters_set = self.parameters_set;
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

    /// The place of the time in the time discretisation: the number of steps taken, on the grid that the
    /// state was begun with.
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
        &self.q[self.places(id).q.clone()]
    }

    /// The velocity of a system; after an impact, the one after it.
    ///
    /// # Panics
    ///
    /// On a stale id; see [`try_v`](Self::try_v).
    #[track_caller]
    #[must_use]
    pub fn v(&self, id: DynamicalSystemId) -> &[f64] {
        let places = self.places(id);
        if places.first_order { &[] } else { &self.v[places.v.clone()] }
    }

    /// The state x of a first-order system; empty for others.
    ///
    /// # Panics
    ///
    /// On a stale id; see [`try_x`](Self::try_x).
    #[track_caller]
    #[must_use]
    pub fn x(&self, id: DynamicalSystemId) -> &[f64] {
        let places = self.places(id);
        if places.first_order { &self.v[places.v.clone()] } else { &[] }
    }

    /// The generalised impulse \[N s\] that the interactions exerted on a system over the last step (p\[1\]
    /// of the manuals); divided by the step it is the mean contact force \[N\]. Of a first-order system the
    /// integral of r over the last step.
    ///
    /// # Panics
    ///
    /// On a stale id.
    #[doc(alias = "p")]
    #[track_caller]
    #[must_use]
    pub fn impulse(&self, id: DynamicalSystemId) -> &[f64] {
        &self.impulse[self.places(id).v.clone()]
    }

    /// The velocity of a system just before the last event of an event-driven simulation, its left limit;
    /// [`v`](Self::v) is the right one. They differ where there was an impact. Empty for a first-order
    /// system, whose state before the event is [`x_at`](Self::x_at).
    ///
    /// # Panics
    ///
    /// On a stale id.
    #[track_caller]
    #[must_use]
    pub fn v_before(&self, id: DynamicalSystemId) -> &[f64] {
        let places = self.places(id);
        if places.first_order { &[] } else { &self.v_before[places.v.clone()] }
    }

    /// The acceleration of a system \[m/s2\], the rate of a first-order system: after the last event of an
    /// event-driven simulation; in time-stepping the mean over the last step, $(v_{k+1} - v_k) / h$, zero
    /// before the first one.
    ///
    /// # Panics
    ///
    /// On a stale id.
    #[track_caller]
    #[must_use]
    pub fn acceleration(&self, id: DynamicalSystemId) -> &[f64] {
        &self.acceleration[self.places(id).v.clone()]
    }

    /// Which components of an interaction an event-driven simulation holds closed: the index set I_2 of
    /// contacts that last, or the active multipliers of first-order systems. All false in time-stepping.
    ///
    /// # Panics
    ///
    /// On a stale id, or one that was added to the model after the last step.
    #[track_caller]
    #[must_use]
    pub fn closed(&self, id: InteractionId) -> &[bool] {
        &self.closed[self.rows(id)]
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
        self.layout.system(id).map(|places| &self.q[places.q.clone()])
    }

    /// The velocity of a system, or `None` for an id that this state does not know.
    #[must_use]
    pub fn try_v(&self, id: DynamicalSystemId) -> Option<&[f64]> {
        self.layout.system(id).filter(|places| !places.first_order).map(|places| &self.v[places.v.clone()])
    }

    /// The state of a first-order system, or `None` for another one or an id that this state does not know.
    #[must_use]
    pub fn try_x(&self, id: DynamicalSystemId) -> Option<&[f64]> {
        self.layout.system(id).filter(|places| places.first_order).map(|places| &self.v[places.v.clone()])
    }

    /// The time with the present values of all parameters, as functions of the user get them.
    #[must_use]
    pub fn at(&self) -> At<'_> {
        At::new(self.t, &self.parameters)
    }

    /// The present values of a parameter.
    ///
    /// # Panics
    ///
    /// On an id of another model, or a parameter that was added after the last step; see
    /// [`Parameters::get`](crate::model::Parameters::get).
    #[track_caller]
    #[must_use]
    pub fn parameter(&self, id: ParameterId) -> &[f64] {
        &self.parameters[id]
    }

    /// Where a system lies in q and in v.
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
                "this state does not know dynamical system {id}: it was removed, or added after the last step"
            ),
        }
    }

    #[track_caller]
    fn rows(&self, id: InteractionId) -> Range<usize> {
        match self.layout.rows(id) {
            Some(range) => range.clone(),
            None => panic!(
                "this state does not know interaction {id}: it was removed, or added after the last step"
            ),
        }
    }
}
