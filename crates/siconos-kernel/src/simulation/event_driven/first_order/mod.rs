//! Event detection for first-order systems: modes, the guards that end a mode, and the choice of the next
//! mode.
//!
//! $$ M \dot x = f(x, t) + B \lambda, \qquad y = h(x, t) + D \lambda, \qquad 0 \le y \perp \lambda \ge 0 $$
//!
//! As plain text: M x' = f(x, t) + B lambda, y = h(x, t) + D lambda, y and lambda nonnegative and orthogonal.
//! Some rows may be equalities y = 0 with lambda of any sign. Three classes are supported:
//!
//! * linear complementarity systems of relative degree 0 with a P-matrix D (Acary, Brogliato 2008, section
//!   7.1), or with a positive semidefinite D, if the equations on the active sets that occur have one
//!   solution;
//! * sweeping processes and differential variational inequalities on $\lbrace x : h(x, t) \ge 0 \rbrace$ with
//!   D = 0 and relative degree 1, where lambda follows from the derivative of the active constraints (index
//!   reduction);
//! * mixtures of both, in which each row or combination of rows belongs to one of the two classes.
//!
//! If a set moves with time, the time derivative of h is computed by finite differences. Their rounding
//! errors would disturb the error control of the integrator if the right-hand side f contained them. If the
//! matrices are constant, f does not need this derivative: the integrator integrates a state z, and $\dot z$
//! omits the contribution along $M^{-1} B$ that comes from the motion of the set. The state x is the
//! projection of z onto the active constraints along these directions, computed by
//! [`Dynamics::remove_drift`].
//!
//! A [mode](Mode) is a set of active constraints. Its guards are lambda of the active constraints and y of
//! the other constraints. They must not fall below zero. A mode can be the next mode if none of its guards
//! becomes negative immediately after the event. If a guard is zero, the sign of its change is tested, as the
//! theory requires (lexicographic inequalities; van der Schaft, Schumacher 2000, section 4). If the state
//! violates $h \ge 0$, no mode can continue, and the state jumps first.

mod check;
mod choice;
mod data;
mod elimination;
mod error;
mod island;
mod jump;
mod magnitudes;
mod mode;
mod probe;
mod system;
mod time_derivative;

use std::sync::Arc;

use siconos_numerics::SolveInfo;
use siconos_ode::{OdeSettings, OdeSystem};

pub use error::ModeError;

use self::data::IslandData;
use self::island::Island;
use super::modes::Dynamics;
use super::outcome::Outcome;
use super::problems::Problems;
use crate::integrator::{EulerMoreau, Integrator};
use crate::model::{NonSmoothDynamicalSystem, Parameters};
use crate::nonsmooth_problem::{Islands, NOTHING_TO_SOLVE, Tables, UnitaryRelation, together};
use crate::simulation::SimulationError;
use crate::state::State;

/// First-order systems of a model as a hybrid system: the current time and state, the current mode of each
/// island, and the data for the choice of the next mode.
#[derive(Debug)]
pub(super) struct FirstOrderModes {
    tables: Tables,
    islands: Vec<Island>,
    /// For each row, the island and the index of the row within the island.
    island_rows: Vec<(usize, usize)>,
    /// Current parameters of the model, shared by the islands.
    parameters: Arc<Parameters>,
    /// Buffer for the next parameters.
    spare: Arc<Parameters>,
    horizon: f64,
    /// One-step problems of the jumps and of the choice of a mode.
    pub(super) problems: Problems,
    t: f64,
    x: Vec<f64>,
    /// States before the jump of the last event.
    x_before: Vec<f64>,
    rates: Vec<f64>,
    /// Impulse p\[1\] of the jump of the last event.
    impulse: Vec<f64>,
    /// Unitary relation of each row.
    names: Vec<UnitaryRelation>,
    /// `true` for each row whose multiplier is active, that is, can differ from zero.
    is_active: Vec<bool>,
    /// Outcome of the last event. In its lists, `released` contains the rows whose multiplier became
    /// inactive, and `closed` contains the rows with an active multiplier.
    outcome: Outcome,
    /// First error of a callback since the last call of `take_error`.
    error: Option<SimulationError>,
}

impl FirstOrderModes {
    /// Creates the modes of a model. `integration` are the settings of the integrator.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Unsupported`] or [`SimulationError::UnsupportedSystem`], which name what to use
    /// instead, if the model is not supported.
    pub(super) fn new(
        model: &NonSmoothDynamicalSystem,
        integration: &OdeSettings,
    ) -> Result<Self, SimulationError> {
        super::check::first_order(model)?;
        // Tables require a scheme, which is not used here.
        let scheme = Integrator::from(EulerMoreau::default()).scheme();
        let tables = Tables::without_gaps(model, |_, _| scheme)?;
        // Tolerances of a wrong length are replaced here, because the integrator reports the error.
        let fits = integration.check_lengths(tables.dofs).is_ok();
        let integration = Arc::new(if fits { integration.clone() } else { OdeSettings::default() });
        let parameters = Arc::new(model.at(0.0).parameters().clone());
        // First-order interactions are always active, so the islands do not change.
        let mut connected = Islands::default();
        connected.begin(&tables);
        connected.update(&tables, &[], &tables.unitary.places().collect::<Vec<_>>());
        let mut islands = Vec::new();
        let mut island_rows = vec![(0, 0); tables.rows.len()];
        for island in tables.blocks.places().map(|block| connected.at(block)) {
            if island.blocks.is_empty() {
                continue;
            }
            let mut data = IslandData::new(model, &tables, island, &parameters)?;
            check::matrices(&mut data)?;
            for (row, &place) in data.row_places.iter().enumerate() {
                island_rows[place] = (islands.len(), row);
            }
            islands.push(Island::new(data, &integration));
        }
        let names = tables.unitary.iter().flat_map(|unitary| {
            let name = tables.name(unitary);
            unitary.rows.iter().map(move |_| name)
        });
        let (states, rows) = (|| vec![0.0; tables.dofs], tables.rows.len());
        Ok(Self {
            islands,
            island_rows,
            spare: Arc::new(parameters.as_ref().clone()),
            parameters,
            horizon: f64::INFINITY,
            problems: Problems::default(),
            t: 0.0,
            x: states(),
            x_before: states(),
            rates: states(),
            impulse: states(),
            names: names.collect(),
            is_active: vec![false; rows],
            outcome: Outcome::new(rows),
            error: None,
            tables,
        })
    }

    /// Records the rows whose multipliers became active or inactive, and collects the results of the islands.
    fn note_active_rows(&mut self) {
        self.outcome.closed.clear();
        for (row, &(place, own)) in self.island_rows.iter().enumerate() {
            let island = &self.islands[place];
            let was_active = std::mem::replace(&mut self.is_active[row], island.mode.is_active[own]);
            if self.is_active[row] {
                self.outcome.closed.push(self.names[row]);
            } else if was_active {
                self.outcome.released.push(self.names[row]);
            }
        }
        let all = |of: fn(&Island) -> SolveInfo| self.islands.iter().map(of).fold(NOTHING_TO_SOLVE, together);
        self.outcome.impact_solve = all(|island| island.impact_solve);
        self.outcome.acceleration_solve = all(|island| island.acceleration_solve);
        if self.outcome.jumped {
            for island in &self.islands {
                island.data.reaction_into(&island.jump_impulse, &mut self.impulse);
            }
        }
    }
}

impl Dynamics for FirstOrderModes {
    fn tables(&self) -> &Tables {
        &self.tables
    }

    fn problems(&mut self) -> &mut Problems {
        &mut self.problems
    }

    fn adapt_problems(&mut self) -> Result<(), SimulationError> {
        self.problems.adapt_to_matrices()
    }

    fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    fn take_error(&mut self) -> Option<SimulationError> {
        self.error.take()
    }

    fn index_sets(&self) -> Vec<(UnitaryRelation, [bool; 2])> {
        self.names.iter().zip(&self.is_active).map(|(name, is_active)| (*name, [*is_active; 2])).collect()
    }

    /// Copies time and states from `state`, and clears the modes, because the next mode follows from the
    /// state alone.
    fn read(&mut self, state: &State) {
        self.set_parameters(&state.parameters);
        self.move_to(state.t, &state.v);
        self.islands.iter_mut().for_each(|island| island.has_mode = false);
    }

    fn write(&mut self, state: &mut State) -> Result<(), SimulationError> {
        self.remove_drift()?;
        state.v.copy_from_slice(&self.x);
        state.v_before.copy_from_slice(&self.x_before);
        state.acceleration.copy_from_slice(&self.rates);
        state.impulse.copy_from_slice(&self.impulse);
        self.islands.iter_mut().for_each(|island| island.write(state));
        Ok(())
    }

    fn set_parameters(&mut self, parameters: &Parameters) -> bool {
        if self.parameters.same(parameters) {
            return false;
        }
        // No island uses `spare`, so it can be overwritten without an allocation.
        std::mem::swap(&mut self.parameters, &mut self.spare);
        Arc::make_mut(&mut self.parameters).copy_from(parameters);
        self.islands.iter_mut().for_each(|island| island.data.parameters = Arc::clone(&self.parameters));
        true
    }

    fn move_to(&mut self, t: f64, x: &[f64]) {
        self.t = t;
        self.x.copy_from_slice(x);
    }

    fn x_into(&self, x: &mut [f64]) {
        x.copy_from_slice(&self.x);
    }

    /// Projects x onto the active constraints. This function must be called before any other use of a state
    /// from the integrator. A second call has no effect.
    fn remove_drift(&mut self) -> Result<(), SimulationError> {
        let Self { t, x, islands, .. } = self;
        Ok(islands.iter_mut().try_for_each(|island| island.move_states(x, |it, x| it.project(*t, x)))?)
    }

    fn begin_event(&mut self) {
        self.x_before.copy_from_slice(&self.x);
        self.outcome.clear();
        self.impulse.fill(0.0);
        self.islands.iter_mut().for_each(Island::begin_event);
    }

    /// Chooses new modes for the islands in which guards have `fired`, and for islands in which other guards
    /// have reached zero. If no guard has fired, chooses the modes of all islands. If no mode of an island
    /// can continue, the state jumps.
    ///
    /// The horizon \[s\] is the time of the next event at which functions of the model can jump and at which
    /// the driver stops. Without such an event, it is infinite. Until the next call, the functions are
    /// evaluated only at times before the horizon. At later times, their limits from the left at the horizon
    /// are used.
    ///
    /// # Errors
    ///
    /// [`ModeError`] within [`SimulationError::Mode`] if no mode is found.
    fn update_index_sets(&mut self, fired: &[usize], horizon: f64) -> Result<(), SimulationError> {
        // Ignore a horizon that has been reached.
        let horizon = if horizon <= self.t { f64::INFINITY } else { horizon };
        let is_of_all = fired.is_empty() || horizon != self.horizon;
        self.horizon = horizon;
        for island in &mut self.islands {
            island.fired.clear();
            island.data.horizon = horizon;
        }
        for &guard in fired {
            let (half, row) = (guard / self.names.len(), guard % self.names.len());
            let (place, row) = self.island_rows[row];
            let island = &mut self.islands[place];
            island.fired.push(row + half * island.data.rows());
        }
        let Self { t, x, islands, problems, .. } = self;
        let t = *t;
        let settled = islands.iter_mut().try_fold(false, |jumped, island| {
            let jumps = island.move_states(x, |it, x| {
                let goes_on = !is_of_all && it.fired.is_empty() && it.goes_on(t, x)?;
                if goes_on { Ok(false) } else { it.choose_mode(problems, t, x) }
            });
            jumps.map(|jumps: bool| jumped || jumps)
        });
        self.outcome.jumped = settled?;
        tracing::trace!(t, jumped = self.outcome.jumped, "mode");
        self.note_active_rows();
        Ok(())
    }

    fn evaluate_point(&mut self) -> Result<(), SimulationError> {
        let (x, mut rates) = (std::mem::take(&mut self.x), std::mem::take(&mut self.rates));
        self.compute_f(self.t, &x, &mut rates);
        (self.x, self.rates) = (x, rates);
        self.error.take().map_or(Ok(()), Err)
    }
}
