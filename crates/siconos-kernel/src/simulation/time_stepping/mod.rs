//! Time-stepping simulations ([`TimeStepping`]).

mod adaptive;
mod alternation;
mod changes;
mod convergence;
mod damped_newton;
mod detected;
mod end;
mod energy_meter;
mod events;
mod failure;
mod first_order;
mod free_motion;
mod goal;
mod half_explicit;
mod joint_stiffness;
mod problem;
mod projection;
mod resting;
mod settings;
mod singular_loop;
mod sleeping;
mod springs;
mod stages;
mod start;
mod two_step;
mod unconverged;
mod view;
mod work;

pub use self::adaptive::{AdaptiveReport, AdaptiveSettings, AdaptiveStepping};
use self::alternation::AlternationMonitor;
use self::changes::Nonlinearities;
use self::detected::DetectedContacts;
use self::energy_meter::EnergyMeter;
use self::first_order::FirstOrderInteractions;
use self::free_motion::forget_forces;
use self::goal::Goal;
use self::half_explicit::HalfExplicit;
use self::projection::Projector;
use self::sleeping::Sleeper;
pub use self::sleeping::Sleeping;
use self::unconverged::UnconvergedIslands;
use self::work::StepWorkspace;
use super::builder::Integrators;
use super::input_output::{CoefficientSelection, InputOutput, Iterate};
use super::kinematics::{Configuration, Kinematics, Motion};
use super::{
    BuildReport, ContactJacobian, EventsManager, JointReaction, NewtonSettings, OnNonConvergence, StepReport,
    TimeDiscretisation, TimeSteppingBuilder,
};
use crate::index::Table;
use crate::integrator::SystemWorkspace;
use crate::model::{At, NonSmoothDynamicalSystem, Parameters};
use crate::nonsmooth_problem::{
    Block, BlockIndex, Delassus, IndexSet, InteractionIndex, OneStepNonSmoothProblem, OneStepSolver, Tables,
    UnitaryIndex, UnitaryRelation,
};
use crate::simulation::SimulationError;
use crate::state::{FollowUndo, State, StepStamp};
use crate::threads::Threads;

/// Time-stepping simulation of a model.
///
/// A step does not locate events. It computes impacts and contact forces together, as impulses over the step,
/// from a one-step nonsmooth problem. The default scheme is Moreau's
/// ([`MoreauJean`](crate::integrator::MoreauJean)).
///
/// - [`builder`](Self::builder) sets the time grid (required), integrators, solver, settings of the Newton
///   iteration, and policies.
/// - [`initial_state`](Self::initial_state) creates the state at the first grid point.
/// - [`step`](Self::step) takes one step, [`run`](Self::run) takes all remaining steps, and
///   [`step_to`](Self::step_to) takes one step to any time. [`AdaptiveStepping`] adapts the step length to
///   the motion. Each step returns a [`StepReport`].
/// - [`events_mut`](Self::events_mut) schedules user events.
///
/// The simulation owns neither the model nor the state. Both can change between steps. By default, a step
/// that does not converge is an error; see [`OnNonConvergence`].
///
/// # Stages of a step
///
/// The stages of a step from $t_k$ to $t_{k+1}$ are public methods, which can be called one by one. R is the
/// residual of the equations of motion without reactions, W the iteration matrix, J the Jacobian of the
/// relations, and I_0 the set of all unitary relations.
///
/// ```text
/// begin_step                    t_k, h; the iterate q = q_k + h v_k, v = v_k
/// compute_free_step             v_free = v - W^-1 R(q, v)
/// update_index_sets             I_1 = { a in I_0 : y_a + gamma h ydot_a <= threshold }
/// repeat                        (once if the model is linear)
///     compute_free_step         from the second iteration on
///     compute_one_step_ns_problem
///                               w = J W^-1 J^T lambda + J v_free + .., (w, lambda) in the laws of I_1
///     update                    v = v_free + W^-1 J^T lambda, q = q_k + h (theta v + (1 - theta) v_k)
/// until R(q, v) = J^T(q) lambda
/// next_step                     the state becomes (t_{k+1}, q, v, y, lambda)
/// ```
///
/// For first-order systems, v denotes the state x, and q does not occur. C and B take the place of J and
/// $J^T$, and lambda acts through $h \theta_r W^{-1} B$. The formulas are in
/// [`integrator`](crate::integrator#schemes-for-first-order-systems).
///
/// The state does not change before `next_step`. After an error, it is bit-identical to the state at $t_k$.
///
/// # Example
///
/// A ball falls on the floor and rebounds once:
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::prelude::*;
///
/// let mut model = NonSmoothDynamicalSystem::new();
/// let ball = model.add_system(LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0])
///     .with_constant_external_force(vec![-9.81]))?;
/// model.add_interaction([ball], LagrangianLinearRelation::new(array![[1.0]]), NewtonImpact::new(0.9)?)?;
///
/// let mut sim = TimeStepping::builder(&model)
///     .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 1e-3)?)
///     .integrator(MoreauJean::default())
///     .build()?;
/// let mut state = sim.initial_state(&model)?;
/// let mut impacts = 0;
/// sim.run(&model, &mut state, |_report, state| impacts += usize::from(state.impulse(ball)[0] > 0.0))?;
/// assert_eq!(impacts, 1);
/// assert!(state.q(ball)[0] > 0.0);
/// # Ok::<(), siconos_kernel::Error>(())
/// ```
#[derive(Debug)]
pub struct TimeStepping {
    events: EventsManager,
    integrators: Integrators,
    newton: NewtonSettings,
    on_non_convergence: OnNonConvergence,
    problem: OneStepNonSmoothProblem,
    /// Projection of positions, if an integrator requires it.
    projector: Option<Box<Projector>>,
    /// Workspace of half-explicit systems, if there are any.
    half_explicit: Option<Box<HalfExplicit>>,
    /// `true` while a step is computed. It remains `true` if a user function panics.
    is_interrupted: bool,
    /// Source of detected contacts, if there is one.
    detected: Option<DetectedContacts>,
    /// Bodies that sleep, if this is enabled.
    sleeper: Option<Box<Sleeper>>,
    /// Energy balance, if it is enabled.
    energy: Option<Box<EnergyMeter>>,
    tables: Tables,
    systems: Table<Block, SystemWorkspace>,
    kinematics: Kinematics,
    input_output: InputOutput,
    delassus: Delassus,
    index_set: IndexSet,
    nonlinearities: Nonlinearities,
    /// Blocks whose W is not factorised for the current step length.
    unprepared: Vec<BlockIndex>,
    /// New interactions whose relations have not been evaluated.
    unevaluated: Vec<InteractionIndex>,
    /// Unitary relations whose law has changed.
    renewed: Vec<UnitaryIndex>,
    first_order: FirstOrderInteractions,
    alternation: AlternationMonitor,
    unconverged: UnconvergedIslands,
    /// Bodies whose W contains geometric stiffness in this step.
    stiffened: Vec<BlockIndex>,
    /// `true` if the input r at the beginning of a step has a nonzero weight in the step.
    has_explicit_input: bool,
    build_report: BuildReport,
    /// `true` if doubtful schemes and initial states are rejected with an error.
    is_strict: bool,
    /// Parameters of the last step. The stored forces are valid only for these parameters.
    parameters: Parameters,
    /// Copy of y, taken before outdated outputs are recomputed. It is restored if the step fails.
    y_before: Vec<f64>,
    /// Copy of the time derivative of y, taken before outdated outputs are recomputed. It is restored if the
    /// step fails.
    y_dot_before: Vec<f64>,
    /// Copy of the state, taken before it is adapted to a changed model. It is restored if the step fails.
    before: Option<FollowUndo>,
    work: StepWorkspace,
    /// Stamp of the last state that the simulation produced.
    origin: StepStamp,
    threads: Threads,
}

impl TimeStepping {
    /// Creates a builder of a simulation of a model.
    #[must_use]
    pub fn builder(model: &NonSmoothDynamicalSystem) -> TimeSteppingBuilder<'_> {
        TimeSteppingBuilder::new(model)
    }

    /// Assembles a simulation. The caller must then call `rebuild`.
    pub(super) fn assemble(
        events: EventsManager,
        integrators: Integrators,
        solver: OneStepSolver,
        newton: NewtonSettings,
        on_non_convergence: OnNonConvergence,
    ) -> Self {
        Self {
            events,
            integrators,
            newton,
            on_non_convergence,
            problem: OneStepNonSmoothProblem::new(solver),
            projector: None,
            half_explicit: None,
            is_interrupted: false,
            detected: None,
            sleeper: None,
            energy: None,
            tables: Tables::default(),
            systems: Table::default(),
            kinematics: Kinematics::default(),
            input_output: InputOutput::default(),
            delassus: Delassus::default(),
            index_set: IndexSet::default(),
            nonlinearities: Nonlinearities::default(),
            unprepared: Vec::new(),
            unevaluated: Vec::new(),
            renewed: Vec::new(),
            first_order: FirstOrderInteractions::default(),
            alternation: AlternationMonitor::default(),
            unconverged: UnconvergedIslands::default(),
            stiffened: Vec::new(),
            has_explicit_input: false,
            build_report: BuildReport::default(),
            is_strict: false,
            parameters: Parameters::default(),
            y_before: Vec::new(),
            y_dot_before: Vec::new(),
            before: None,
            work: StepWorkspace::default(),
            origin: StepStamp::of_new_simulation(),
            threads: Threads::default(),
        }
    }

    /// Exchanges the solvers with the solvers of `other`, which has been set up for the same model.
    pub(super) fn exchange_solvers(&mut self, other: &mut OneStepNonSmoothProblem) {
        self.problem.exchange_solvers(other);
        self.problem.begin(&self.tables);
        let tables = std::mem::take(&mut self.tables);
        self.begin_index_set(&tables);
        self.tables = tables;
        self.work.matrix_valid = false;
    }

    /// Returns `true` if one Newton iteration is exact for the whole model.
    fn is_affine(&self) -> bool {
        self.nonlinearities.is_affine()
    }

    /// Returns `true` if joints react along J evaluated at the midpoint of the step. They do not if all
    /// Jacobians are evaluated at the beginning.
    fn joints_react_in_middle(&self) -> bool {
        self.newton.joint_reaction == JointReaction::Middle && !self.jacobian_at_beginning()
    }

    fn jacobian_at_beginning(&self) -> bool {
        self.newton.contact_jacobian == ContactJacobian::AtBeginning
    }

    pub(super) fn integrators(&self) -> &Integrators {
        &self.integrators
    }

    pub(super) fn set_threads(&mut self, threads: Threads) {
        self.threads = threads;
    }

    pub(super) fn set_build_report(&mut self, report: BuildReport, is_strict: bool) {
        (self.build_report, self.is_strict) = (report, is_strict);
    }

    /// Takes one step to the next grid point. Returns `None` at the end of the grid.
    ///
    /// If user events are scheduled at the first grid point, the first call only reports these events. The
    /// time and the motion do not advance, and `step` and `h` of the report are 0.
    ///
    /// The model can change between steps; for example, contacts can be added and removed. The next step
    /// adapts the simulation and the state to the model, and keeps the data of unchanged systems and
    /// interactions.
    ///
    /// # Errors
    ///
    /// If the step cannot be taken: [`SimulationError`]. The state is then unchanged bit for bit.
    pub fn step(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<Option<StepReport<'_>>, SimulationError> {
        if self.events.starts(state.t) {
            return self.take_start(model, state).map(Some);
        }
        self.take(model, state, Goal::NextPoint)
    }

    /// Reports the user events at the first grid point, without a step. After an error, the state is
    /// unchanged.
    fn take_start(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<StepReport<'_>, SimulationError> {
        let stale = self.begin_transaction(state);
        match self.synchronise(model, state) {
            Ok(()) => {
                self.drop_detected();
                Ok(self.report_start(state))
            }
            Err(error) => {
                self.undo(model, state, stale);
                Err(error)
            }
        }
    }

    /// Takes a whole step. Returns `None` at the end of the grid. After an error, the state is unchanged.
    fn take(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
        goal: Goal,
    ) -> Result<Option<StepReport<'_>>, SimulationError> {
        let _span = tracing::trace_span!("step", number = state.step + 1, t = state.t).entered();
        let stale = self.begin_transaction(state);
        match self.iterate(model, state, goal) {
            Ok(true) => Ok(Some(self.commit(state))),
            Ok(false) => Ok(None),
            Err(error) => {
                self.undo(model, state, stale);
                Err(error)
            }
        }
    }

    /// Saves the data of the state that can change before the end of the step. Returns two flags: whether the
    /// outputs of the state are outdated, and whether its parameters were set.
    #[inline]
    fn begin_transaction(&mut self, state: &State) -> (bool, bool) {
        let stale = (state.outputs_stale, state.parameters_set);
        // The state changes before the end of a step only if it must be adapted to the model, if its y is
        // outdated, or if bodies wake.
        self.before = None;
        self.forget_waking();
        if stale != (false, false) {
            self.y_before.clone_from(&state.y[0]);
            self.y_dot_before.clone_from(&state.y[1]);
        }
        stale
    }

    /// Restores the state to its value before the step.
    fn undo(&mut self, model: &NonSmoothDynamicalSystem, state: &mut State, stale: (bool, bool)) {
        if self.detected.is_some() {
            state.drop_detected_rows();
            self.undo_waking(state);
        }
        match self.before.take() {
            Some(before @ FollowUndo::LaidOut(_)) => return state.go_back(model, before),
            Some(before) => state.go_back(model, before),
            None => {}
        }
        if stale != (false, false) {
            state.y[0].clone_from(&self.y_before);
            state.y[1].clone_from(&self.y_dot_before);
            (state.outputs_stale, state.parameters_set) = stale;
        }
    }

    /// Computes a step. Returns `false` at the end of the time discretisation.
    fn iterate(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
        goal: Goal,
    ) -> Result<bool, SimulationError> {
        if std::mem::replace(&mut self.is_interrupted, true) {
            return Err(SimulationError::Interrupted);
        }
        let has_step = self.iterate_to_end(model, state, goal);
        self.is_interrupted = false;
        has_step
    }

    fn iterate_to_end(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
        goal: Goal,
    ) -> Result<bool, SimulationError> {
        if !self.begin(model, state, goal)? {
            return Ok(false);
        }
        let mut is_chosen = false;
        loop {
            self.move_freely(state)?;
            // The active set is chosen only once, because a restart of the step keeps or extends it.
            if !std::mem::replace(&mut is_chosen, true) {
                self.choose_active_set(state);
            }
            self.solve_contacts(state)?;
            let newton = self.apply_reactions(state)?;
            if newton.converged {
                break;
            }
            if newton.iterations >= self.newton.max_iterations {
                self.report_newton_failure(newton)?;
                break;
            }
        }
        self.check_end(state)?;
        Ok(true)
    }

    /// Takes all remaining steps, and calls `observer` after each step.
    ///
    /// # Errors
    ///
    /// If a step cannot be taken: [`SimulationError`].
    pub fn run(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
        mut observer: impl FnMut(&StepReport<'_>, &State),
    ) -> Result<(), SimulationError> {
        let _span = tracing::debug_span!("run").entered();
        while let Some(report) = self.step(model, state)? {
            observer(&report, state);
        }
        Ok(())
    }

    /// Returns the time grid. A state from another simulation can be continued with [`step`](Self::step) if
    /// its time is a point of this grid.
    #[must_use]
    pub fn discretisation(&self) -> &TimeDiscretisation {
        self.events.discretisation()
    }

    /// Adapts tables and state to the model. Recomputes y if q, v or parameters of the state were set.
    fn synchronise(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<(), SimulationError> {
        if state.model_uid != model.uid() {
            return Err(SimulationError::StateOfOtherModel);
        }
        if self.detected.is_some() {
            state.drop_detected_rows();
            let is_changed = state.is_behind(model) || state.outputs_stale || state.parameters_set;
            if is_changed || self.tables.epoch != model.epoch() {
                self.drop_detected();
            }
        }
        self.fit(model)?;
        let mut rows_known = state.y[0].len();
        if state.is_behind(model) {
            let (before, known) = state.follow(model);
            (self.before, rows_known) = (Some(before), known);
        }
        if (state.q.len(), state.v.len(), state.y[0].len())
            != (self.tables.positions, self.tables.dofs, self.tables.declared_rows())
        {
            // Only a state from a file can have the id and the version (`epoch`) of this model, but vectors
            // of different lengths.
            return Err(SimulationError::StateOfOtherModel);
        }
        if !self.parameters.same(&state.parameters) {
            forget_forces(&mut self.systems);
            self.parameters.copy_from(&state.parameters);
        }
        if state.outputs_stale || state.parameters_set {
            self.evaluate_relations_at(state);
            let [y, y_dot, _] = &mut state.y;
            let at = At::new(state.t, &state.parameters);
            let motion = Motion { at, q: &state.q, v: &state.v, lambda: &state.lambda[0] };
            self.kinematics.outputs(&self.tables, &self.threads, motion, (y, y_dot));
            let at = Iterate::standing(at, motion.v, motion.lambda);
            for interactions in self.first_order.each() {
                self.input_output.functions(&self.tables, &self.threads, interactions, at);
                self.input_output.write_outputs(&self.tables, interactions, y);
            }
            self.check_outputs(y, y_dot, 0, state.step, state.t)?;
            (state.outputs_stale, state.parameters_set) = (false, false);
            return Ok(());
        }
        let known = self.work.relations_of;
        if !known.is_known() || !(self.nonlinearities.is_constant() || known == state.origin) {
            self.evaluate_relations_at(state);
        }
        self.evaluate_new(state, rows_known)
    }

    /// Evaluates new interactions. The first `rows_known` rows of y in the state are valid.
    fn evaluate_new(&mut self, state: &mut State, rows_known: usize) -> Result<(), SimulationError> {
        if !self.unevaluated.is_empty() {
            let here = Configuration { at: state.at(), q: &state.q };
            self.kinematics.evaluate_some(&self.tables, &self.threads, &self.unevaluated, here);
            self.unevaluated.clear();
        }
        if state.y[0].len() == rows_known {
            return Ok(());
        }
        let [y, y_dot, _] = &mut state.y;
        let at = At::new(state.t, &state.parameters);
        let motion = Motion { at, q: &state.q, v: &state.v, lambda: &state.lambda[0] };
        let entries = self.tables.interactions.entries().rev();
        for (place, _) in entries.take_while(|(_, entry)| entry.rows.start().index() >= rows_known) {
            self.kinematics.output(&self.tables, place, motion, (y, y_dot));
        }
        self.check_outputs(y, y_dot, rows_known, state.step, state.t)
    }

    /// Evaluates all Jacobians, matrices and offsets at the state. Later evaluations skip constant data.
    fn evaluate_relations_at(&mut self, state: &mut State) {
        let here = Configuration { at: state.at(), q: &state.q };
        self.kinematics.evaluate(&self.tables, &self.threads, here);
        let at = Iterate::standing(state.at(), &state.v, &state.lambda[0]);
        for interactions in self.first_order.each() {
            let jacobian = &mut self.kinematics.jacobian;
            self.input_output.matrices(
                &self.tables,
                &self.threads,
                CoefficientSelection::All,
                interactions,
                at,
                jacobian,
            );
            self.input_output.offsets(
                &self.tables,
                &self.threads,
                CoefficientSelection::All,
                interactions,
                (at.begin, at.end),
            );
        }
        if !state.origin.is_known() {
            self.mark(state);
        }
        self.work.relations_of = state.origin;
        self.unevaluated.clear();
    }

    /// Assigns a new stamp to a state.
    #[inline]
    fn mark(&mut self, state: &mut State) {
        self.origin = self.origin.next();
        state.origin = self.origin;
    }
}

/// Returns the contact with the smallest gap of a state, and the gap.
fn deepest_gap(tables: &Tables, state: &State) -> Option<(UnitaryRelation, f64)> {
    tables.deepest_gap(&state.y[0]).map(|(unitary, gap)| (tables.name(unitary), gap))
}
