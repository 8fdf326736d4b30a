//! The motion of first-order systems as the driver of events sees it: a point that is worked on, and its
//! mode.

use siconos_numerics::SolveInfo;
use siconos_numerics::ode::OdeSystem;

use super::super::{EventDrivenSettings, EventIntegrator};
use super::FirstOrderModes;
use crate::error::SimulationError;
use crate::model::NonSmoothDynamicalSystem;
use crate::simulation::UnitaryRelation;
use crate::state::State;

/// Time and states that are worked on, with the modes.
#[derive(Debug)]
pub(in super::super) struct FirstOrderMotion {
    modes: FirstOrderModes,
    epoch: u64,
    t: f64,
    x: Vec<f64>,
    /// The states before the jump of the last event.
    x_before: Vec<f64>,
    rates: Vec<f64>,
    /// Whether they have jumped at the last event, and p\[1\] of that.
    pub(in super::super) jumped: bool,
    impulse: Vec<f64>,
    /// The unitary relation of each row.
    names: Vec<UnitaryRelation>,
    /// Which rows were active before the last event.
    was_active: Vec<bool>,
    /// Rows whose multiplier became inactive at the last event, and the active ones.
    pub(in super::super) released: Vec<UnitaryRelation>,
    pub(in super::super) active: Vec<UnitaryRelation>,
}

impl FirstOrderMotion {
    pub(in super::super) fn new(
        model: &NonSmoothDynamicalSystem,
        settings: &EventDrivenSettings,
    ) -> Result<Self, SimulationError> {
        let mut modes = FirstOrderModes::new(model)?;
        // Tolerances of another length are refused by the integration.
        if let EventIntegrator::Ode(integration) = &settings.integrator
            && integration.check_lengths(modes.dimension()).is_ok()
        {
            modes.set_integration(integration);
        }
        let names: Vec<_> = model
            .interactions()
            .iter()
            .flat_map(|(interaction, it)| {
                let size = it.law().size();
                (0..it.size()).map(move |row| UnitaryRelation { interaction, block: row / size })
            })
            .collect();
        let n = modes.dimension();
        Ok(Self {
            modes,
            epoch: model.epoch(),
            t: 0.0,
            x: vec![0.0; n],
            x_before: vec![0.0; n],
            rates: vec![0.0; n],
            jumped: false,
            impulse: vec![0.0; n],
            was_active: vec![false; names.len()],
            released: Vec::new(),
            active: Vec::new(),
            names,
        })
    }

    pub(in super::super) fn epoch(&self) -> u64 {
        self.epoch
    }

    pub(in super::super) fn fits(&self, state: &State) -> bool {
        (state.q.len(), state.v.len(), state.y[0].len()) == (0, self.x.len(), self.names.len())
    }

    pub(in super::super) fn dimension(&self) -> usize {
        self.x.len()
    }

    /// The unitary relation of each row, and whether its multiplier is active.
    pub(in super::super) fn rows(&self) -> impl Iterator<Item = (UnitaryRelation, bool)> + '_ {
        self.names.iter().copied().zip(self.modes.is_active().iter().copied())
    }

    pub(in super::super) fn modes(&mut self) -> &mut FirstOrderModes {
        &mut self.modes
    }

    pub(in super::super) fn read(&mut self, state: &State) {
        self.t = state.t;
        self.modes.read(state, &mut self.x);
    }

    pub(in super::super) fn move_to(&mut self, t: f64, x: &[f64]) {
        self.t = t;
        self.x.copy_from_slice(x);
    }

    pub(in super::super) fn x(&self) -> &[f64] {
        &self.x
    }

    /// Puts the point that the integration has come to onto its active constraints.
    pub(in super::super) fn complete(
        &mut self,
        model: &NonSmoothDynamicalSystem,
    ) -> Result<(), SimulationError> {
        self.modes.complete(model, self.t, &mut self.x)
    }

    pub(in super::super) fn begin_event(&mut self) {
        self.x_before.copy_from_slice(&self.x);
        self.released.clear();
        self.modes.begin_event();
        self.jumped = false;
        self.impulse.fill(0.0);
    }

    /// Chooses the next mode; functions of the model may jump at the horizon.
    pub(in super::super) fn settle(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        fired: &[usize],
        horizon: f64,
    ) -> Result<(), SimulationError> {
        self.was_active.copy_from_slice(self.modes.is_active());
        self.modes.set_horizon(horizon);
        let settled = self.modes.settle(model, self.t, &mut self.x, fired)?;
        tracing::trace!(t = self.t, jumped = settled.jumped, changed = settled.changed, "mode");
        self.jumped = settled.jumped;
        self.modes.reaction_into(&mut self.impulse);
        self.active.clear();
        for ((name, was), is) in self.names.iter().zip(&self.was_active).zip(self.modes.is_active()) {
            if *is {
                self.active.push(*name);
            } else if *was {
                self.released.push(*name);
            }
        }
        Ok(())
    }

    /// What the solvers told of the jump and of the choice of the mode at the last event.
    pub(in super::super) fn impact_solve(&self) -> SolveInfo {
        self.modes.solves().0
    }

    pub(in super::super) fn acceleration_solve(&self) -> SolveInfo {
        self.modes.solves().1
    }

    /// Evaluates the rates of the states in the present mode.
    pub(in super::super) fn evaluate(
        &mut self,
        model: &NonSmoothDynamicalSystem,
    ) -> Result<(), SimulationError> {
        self.modes.system(model).compute_f(self.t, &self.x, &mut self.rates);
        self.modes.take_error().map_or(Ok(()), Err)
    }

    pub(in super::super) fn write(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<(), SimulationError> {
        self.modes.write(model, self.t, &self.x, state)?;
        state.v_before.copy_from_slice(&self.x_before);
        state.acceleration.copy_from_slice(&self.rates);
        state.impulse.copy_from_slice(&self.impulse);
        state.lambda[1].copy_from_slice(self.modes.jump_impulse());
        state.closed.copy_from_slice(self.modes.is_active());
        Ok(())
    }
}
