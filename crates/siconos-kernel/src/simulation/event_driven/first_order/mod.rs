//! Event detection for first-order systems: modes, the guards that end them, and the choice of the next one.
//!
//! $$ M \dot x = f(x, t) + B \lambda, \qquad y = h(x, t) + D \lambda, \qquad 0 \le y \perp \lambda \ge 0 $$
//!
//! As plain text: M x' = f(x, t) + B lambda, y = h(x, t) + D lambda, y and lambda nonnegative and orthogonal;
//! some rows may be equalities y = 0 with lambda of any sign. Covered are
//!
//! * linear complementarity systems of relative degree 0, with a P-matrix D (Acary, Brogliato 2008, section
//!   7.1), and with a positive semidefinite one as far as the sets of active constraints that are met have
//!   one solution;
//! * sweeping processes and differential variational inequalities on $\lbrace x : h(x, t) \ge 0 \rbrace$: D =
//!   0, relative degree 1, with lambda from the derivative of the active constraints (reduction of the
//!   index);
//! * both at once, row by row or combination by combination.
//!
//! Where a set moves by e(t), its derivative would bring the rounding of differences into f, which error
//! control cannot take. With constant matrices it is not needed: the integration carries z with
//! $\dot z = \dot x$ but for what pushes along $M^{-1} B$, and x is z put onto the active constraints along
//! these directions, [`Dynamics::remove_drift`].
//!
//! A [mode](Mode) is a set of active constraints. Its guards are lambda of these and y of the others, which
//! must not fall below zero. The next mode is one whose guards do not become negative just after: what is
//! zero is judged by how it changes, as the theory asks ("lexicographically"; van der Schaft, Schumacher
//! 2000, section 4). Where there is none because the state violates $h \ge 0$, the state jumps first.

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

use self::data::Data;
use self::island::Island;
use super::modes::Dynamics;
use super::outcome::Outcome;
use super::problems::Problems;
use crate::integrator::{EulerMoreau, Integrator};
use crate::model::{NonSmoothDynamicalSystem, Parameters};
use crate::nonsmooth_problem::{Islands, NOTHING_TO_SOLVE, Tables, UnitaryRelation, together};
use crate::simulation::SimulationError;
use crate::state::State;

/// The first-order systems of a model as a hybrid system: the point that is worked on, the present mode of
/// each island, and how to find the next one.
#[derive(Debug)]
pub(super) struct FirstOrderModes {
    tables: Tables,
    islands: Vec<Island>,
    /// By row, its island and its row there.
    island_rows: Vec<(usize, usize)>,
    /// The present values, which the islands share, and room for the next ones.
    parameters: Arc<Parameters>,
    spare: Arc<Parameters>,
    horizon: f64,
    /// Of jumps, and of the choice of a mode.
    pub(super) problems: Problems,
    t: f64,
    x: Vec<f64>,
    /// The states before the jump of the last event.
    x_before: Vec<f64>,
    rates: Vec<f64>,
    /// p\[1\] of the jump of the last event.
    impulse: Vec<f64>,
    /// The unitary relation of each row, and whether its multiplier is active: may differ from zero.
    names: Vec<UnitaryRelation>,
    is_active: Vec<bool>,
    /// What the last event did: rows whose multiplier became inactive are released, the active ones closed.
    outcome: Outcome,
    /// The first error that a callback of the system has met.
    error: Option<SimulationError>,
}

impl FirstOrderModes {
    /// Lays out the model; `integration` is how the motion is integrated.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Unsupported`] and [`SimulationError::UnsupportedSystem`] for what cannot be
    /// followed by events, with what would do.
    pub(super) fn new(
        model: &NonSmoothDynamicalSystem,
        integration: &OdeSettings,
    ) -> Result<Self, SimulationError> {
        super::check::first_order(model)?;
        // Tables are made for a scheme; of this one nothing is used.
        let scheme = Integrator::from(EulerMoreau::default()).scheme();
        let tables = Tables::without_gaps(model, |_, _| scheme)?;
        // Tolerances of another length are refused by the integration.
        let fits = integration.check_lengths(tables.dofs).is_ok();
        let integration = Arc::new(if fits { integration.clone() } else { OdeSettings::default() });
        let parameters = Arc::new(model.at(0.0).parameters().clone());
        // First-order interactions are active always, so that these islands stay what they are.
        let mut connected = Islands::default();
        connected.begin(&tables);
        connected.update(&tables, &[], &tables.unitary.places().collect::<Vec<_>>());
        let mut islands = Vec::new();
        let mut island_rows = vec![(0, 0); tables.rows.len()];
        for island in tables.blocks.places().map(|block| connected.at(block)) {
            if island.blocks.is_empty() {
                continue;
            }
            let mut data = Data::new(model, &tables, island, &parameters)?;
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

    /// Notes what has become of each row.
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

    /// Takes over a state as the point to work on, and forgets the modes: what comes next follows from the
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
        // Nobody shares the spare ones: they take no new memory.
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

    /// Makes the state of what an integration has come to: puts x onto the active constraints. To be called
    /// before anything else is done with that x; a second time it changes nothing.
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

    /// Chooses the mode of the islands in which the guards `fired` are zero, and of those in which others
    /// have come to zero as well; of all islands where none has fired. An island that no mode can go on from
    /// jumps. Functions of the model may jump at the horizon \[s\], infinite if at none: an event at which
    /// the driver stops. Up to the next call they are not evaluated there or later, but as their limits from
    /// the left.
    ///
    /// # Errors
    ///
    /// [`ModeError`] within [`SimulationError::Mode`].
    fn update_index_sets(&mut self, fired: &[usize], horizon: f64) -> Result<(), SimulationError> {
        // One that has been reached is behind.
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
                if goes_on { Ok(false) } else { it.settle(problems, t, x) }
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
