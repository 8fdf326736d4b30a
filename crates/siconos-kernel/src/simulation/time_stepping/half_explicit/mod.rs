//! Step of systems with the half-explicit scheme [`D1MinusLinear`]. The step computes the forces at its
//! beginning, the forces at its end, and the impacts.
//!
//! The step is computed once, independently of the Newton iteration. Half-explicit systems have no
//! interactions with systems that use other schemes.

mod point;
mod step;

use siconos_numerics::SolveInfo;

use super::{StepWorkspace, TimeStepping};
use crate::index::Table;
use crate::integrator::{D1MinusLinear, ForceLevel};
use crate::model::relation::ConvectiveScratch;
use crate::nonsmooth_problem::{
    Block, BlockIndex, ImposedVariables, InteractionIndex, NOTHING_TO_SOLVE, OneStepNonSmoothProblem, Tables,
    UnitaryEntry, UnitaryIndex, together,
};
use crate::simulation::SimulationError;
use crate::state::State;

/// One-step problems of a half-explicit step, and their workspace.
#[derive(Debug)]
pub(super) struct HalfExplicit {
    forces: OneStepNonSmoothProblem,
    impacts: OneStepNonSmoothProblem,
    /// Model version (`epoch`) for which the data were set up.
    epoch: Option<u64>,
    blocks: Vec<BlockIndex>,
    contacts: Vec<UnitaryIndex>,
    curved: Vec<(InteractionIndex, ConvectiveScratch)>,
    interactions: Vec<InteractionIndex>,
    members: Vec<UnitaryIndex>,
    /// `true` for each unitary relation that was closed at the beginning of the step.
    was_closed: Table<UnitaryEntry, bool>,
    /// `true` for each island of the impact problem in which a contact has closed in the step.
    has_closed: Table<Block, bool>,
    /// Positions at the end of the step, of all systems.
    q: Vec<f64>,
    /// Velocities at the end of the step, of all systems.
    v: Vec<f64>,
    predicted: Vec<f64>,
    displacement: Vec<f64>,
    /// Change of the velocity over half a step, due to the accelerations at one end of the step.
    gain: Vec<f64>,
    impulse: Vec<f64>,
    /// Constant terms of a problem, by row.
    constant: Vec<f64>,
    /// Unknowns of a problem, by row.
    z: Vec<f64>,
    w: Vec<f64>,
    force: Vec<f64>,
    percussion: Vec<f64>,
    convective: Vec<f64>,
    /// Rows along which the forces act. Empty if they are the Jacobian rows of the laws.
    acting: Vec<f64>,
    solve: SolveInfo,
}

impl HalfExplicit {
    pub(super) fn new() -> Result<Self, SimulationError> {
        Ok(Self {
            forces: OneStepNonSmoothProblem::of_contacts()?,
            impacts: OneStepNonSmoothProblem::of_contacts()?,
            epoch: None,
            blocks: Vec::new(),
            contacts: Vec::new(),
            curved: Vec::new(),
            interactions: Vec::new(),
            members: Vec::new(),
            was_closed: Table::default(),
            has_closed: Table::default(),
            q: Vec::new(),
            v: Vec::new(),
            predicted: Vec::new(),
            displacement: Vec::new(),
            gain: Vec::new(),
            impulse: Vec::new(),
            constant: Vec::new(),
            z: Vec::new(),
            w: Vec::new(),
            force: Vec::new(),
            percussion: Vec::new(),
            convective: Vec::new(),
            acting: Vec::new(),
            solve: NOTHING_TO_SOLVE,
        })
    }

    /// Updates the lists of half-explicit systems and their contacts if the model has changed.
    fn fit(&mut self, tables: &Tables) {
        if self.epoch == Some(tables.epoch) {
            return;
        }
        self.epoch = Some(tables.epoch);
        [&mut self.forces, &mut self.impacts].into_iter().for_each(|problem| problem.begin(tables));
        let blocks = tables.blocks.entries().filter(|(_, block)| !block.is_gone());
        self.blocks.clear();
        self.blocks.extend(
            blocks
                .filter(|(_, block)| tables.systems[block.systems.start()].is_half_explicit())
                .map(|(place, _)| place),
        );
        self.contacts.clear();
        let unitary = tables.unitary.entries();
        self.contacts.extend(
            unitary.filter(|(_, it)| scheme_of(tables, it.interaction).is_some()).map(|(place, _)| place),
        );
        self.interactions.clear();
        self.interactions.extend(self.contacts.iter().map(|&contact| tables.unitary[contact].interaction));
        self.interactions.dedup();
        self.curved.clear();
        self.curved.extend(self.interactions.iter().filter_map(|&place| {
            let entry = &tables.interactions[place];
            let scratch = || ConvectiveScratch::new(entry.rows.len(), entry.columns());
            (!entry.constant).then(|| (place, scratch()))
        }));
        self.was_closed = tables.unitary.iter().map(|_| false).collect();
        self.has_closed = tables.blocks.iter().map(|_| false).collect();
        self.q.resize(tables.positions, 0.0);
        let Self { v, predicted, displacement, gain, impulse, .. } = self;
        for by_dof in [v, predicted, displacement, gain, impulse] {
            by_dof.resize(tables.dofs, 0.0);
        }
        let Self { constant, z, w, force, percussion, convective, .. } = self;
        for by_row in [constant, z, w, force, percussion, convective] {
            by_row.resize(tables.rows.len(), 0.0);
        }
    }

    /// Copies the positions and velocities at the end of the step to the iterate.
    fn write(&self, tables: &Tables, work: &mut StepWorkspace) {
        for &place in &self.blocks {
            let entry = &tables.systems[tables.blocks[place].systems.start()];
            let (positions, dofs) = (entry.positions.range(), entry.dofs.range());
            work.q[positions.clone()].copy_from_slice(&self.q[positions]);
            work.v[dofs.clone()].copy_from_slice(&self.v[dofs.clone()]);
            work.impulse[dofs.clone()].copy_from_slice(&self.impulse[dofs]);
        }
        for &contact in &self.contacts {
            for row in tables.unitary[contact].rows.range() {
                work.lambda[row] = self.percussion[row];
            }
        }
        work.solve = together(work.solve, self.solve);
    }

    /// Writes the forces at the end of the step into the state.
    pub(super) fn write_forces(&self, tables: &Tables, state: &mut State) {
        for &contact in &self.contacts {
            let rows = tables.unitary[contact].rows.range();
            state.lambda[2][rows.clone()].copy_from_slice(&self.force[rows]);
        }
    }
}

fn scheme_of(tables: &Tables, interaction: InteractionIndex) -> Option<D1MinusLinear> {
    match tables.kind(tables.interactions[interaction].kind).holds {
        ImposedVariables::ForcesAndImpulses(scheme) => Some(scheme),
        _ => None,
    }
}

fn level_of(tables: &Tables, interaction: InteractionIndex) -> ForceLevel {
    scheme_of(tables, interaction).unwrap_or_default().forces
}

impl TimeStepping {
    /// Computes the step of half-explicit systems in the first Newton iteration, and writes it into the
    /// iterate.
    #[inline(never)]
    pub(super) fn step_half_explicit(&mut self, state: &State) -> Result<(), SimulationError> {
        let Some(mut half_explicit) = self.half_explicit.take() else { return Ok(()) };
        let stepped = match self.work.newton_iterations {
            1 => half_explicit.step(self, state),
            _ => Ok(()),
        };
        half_explicit.write(&self.tables, &mut self.work);
        self.half_explicit = Some(half_explicit);
        stepped
    }

    /// Creates or removes the data of half-explicit systems, as the model requires.
    pub(super) fn fit_half_explicit(&mut self, tables: &Tables) -> Result<(), SimulationError> {
        match (&self.half_explicit, tables.has_half_explicit) {
            (None, true) => self.half_explicit = Some(Box::new(HalfExplicit::new()?)),
            (Some(_), false) => self.half_explicit = None,
            _ => {}
        }
        Ok(())
    }
}
