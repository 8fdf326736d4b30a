//! Balance of the kinetic energy over a step ([`EnergyBalance`]).

use siconos_linalg::dot;

use super::convergence::ActingRows;
use super::{InputOutput, StepWorkspace, TimeStepping};
use crate::index::RowIndex;
use crate::integrator::{ConstraintLevel, FitError};
use crate::model::dynamical_system::KineticWorkspace;
use crate::model::{LawDescription, NonSmoothDynamicalSystem, NonSmoothLaw, Parameters, Refusal, RowLaw};
use crate::nonsmooth_problem::{Part, SystemEntry, SystemIndex, Tables, UnitaryEntry, UnitaryIndex};
use crate::simulation::{EnergyBalance, SimulationError};
use crate::state::State;

/// Workspace of the energy balance, and the balance of the last step.
#[derive(Debug, Default)]
pub(super) struct EnergyMeter {
    /// Workspaces by index of the system.
    systems: Vec<Option<KineticWorkspace>>,
    /// Model version (`epoch`) for which the systems were created.
    epoch: Option<u64>,
    forces: [Vec<f64>; 2],
    way: Vec<f64>,
    pub(super) balance: EnergyBalance,
}

impl EnergyMeter {
    fn fit(&mut self, model: &NonSmoothDynamicalSystem, tables: &Tables) -> Result<(), SimulationError> {
        if self.epoch == Some(tables.epoch) {
            return Ok(());
        }
        self.epoch = None;
        self.systems.clear();
        for entry in tables.systems.iter() {
            self.systems.push(match model.systems().get(entry.id) {
                Some(system) => {
                    refuse_other_schemes(entry)?;
                    KineticWorkspace::of(system)
                }
                None => None,
            });
        }
        self.epoch = Some(tables.epoch);
        Ok(())
    }

    /// Computes the work of reactions along the rows on which they act, at the iterate of a step. Must be
    /// called before the projection of positions and the end of the step, which evaluate the rows at other
    /// positions.
    pub(super) fn measure_reactions(
        &mut self,
        ActingRows { tables, kinematics, input_output, .. }: ActingRows<'_>,
        active: &[UnitaryIndex],
        work: &StepWorkspace,
        state: &State,
    ) {
        let mut balance = EnergyBalance::default();
        for &member in active {
            let unitary = &tables.unitary[member];
            let kind = tables.kind_of(unitary);
            if let Some(factor) = tables.factor_of_mixed(unitary.interaction, work.h) {
                balance.forces += factor * work_of_mixed(tables, input_output, unitary, work, state);
                continue;
            }
            for (component, row) in unitary.rows.iter().enumerate() {
                let lambda = work.lambda[row.index()];
                if lambda == 0.0 || kind.weights().is_some() {
                    continue;
                }
                let acting = kinematics.acting_row(tables, row);
                let mean = acting.times_both((&work.v, &state.v), |v, v_k| 0.5 * (v + v_k));
                let law = &tables.interactions[unitary.interaction].law;
                let is_removing =
                    component == 0 && kind.is_gradual && work.added_speeds.of(row.index()) < 0.0;
                let removing = if is_removing { mean.max(0.0) } else { 0.0 };
                balance.projection += lambda * removing;
                *share(&mut balance, law, component) += lambda * (mean - removing);
            }
        }
        self.balance = balance;
    }

    /// Computes the work of forces in a step, and completes the balance. Must be called before the iterate is
    /// transferred to the state.
    pub(super) fn measure_motion(&mut self, tables: &Tables, work: &StepWorkspace, state: &State) {
        let Self { systems, forces: [begin, end], way, balance, .. } = self;
        for (entry, system) in tables.systems.iter().zip(systems) {
            let Some(system) = system else { continue };
            let (positions, dofs) = (entry.positions.range(), entry.dofs.range());
            let (q_k, v_k) = (&state.q[positions.clone()], &state.v[dofs.clone()]);
            let (q, v) = (&work.q[positions], &work.v[dofs]);
            let kinetic = system.kinetic(&state.parameters, (q_k, v_k), (q, v));
            balance.kinetic += kinetic.energy;
            balance.change += kinetic.change;
            for vector in [&mut *begin, &mut *end, &mut *way] {
                vector.resize(v.len(), 0.0);
            }
            system.forces_into(state.at(), q_k, v_k, begin);
            system.forces_into(work.end(state), q, v, end);
            let theta = entry.theta;
            for (way, (v, v_k)) in way.iter_mut().zip(v.iter().zip(v_k)) {
                *way = work.h * (theta * v + (1.0 - theta) * v_k);
            }
            balance.forces += 0.5 * (dot(begin, way) + dot(end, way));
        }
        balance.scheme = balance.change - balance.forces - balance.reactions();
    }

    /// Subtracts the kinetic energy of a body that stops at the end of the step because it falls asleep.
    pub(super) fn measure_stop(&mut self, place: SystemIndex, parameters: &Parameters, q: &[f64], v: &[f64]) {
        let Some(Some(system)) = self.systems.get_mut(place.index()) else { return };
        let energy = system.kinetic(parameters, (q, v), (q, v)).energy;
        for part in [&mut self.balance.kinetic, &mut self.balance.change, &mut self.balance.scheme] {
            *part -= energy;
        }
    }
}

/// Returns the sum over all rows of a mixed interaction of the unknown of the row times the mean velocity of
/// the Lagrangian systems along B.
fn work_of_mixed(
    tables: &Tables,
    input_output: &InputOutput,
    unitary: &UnitaryEntry,
    work: &StepWorkspace,
    state: &State,
) -> f64 {
    let b = &input_output.values[unitary.interaction].b;
    let first = tables.interactions[unitary.interaction].rows;
    let parts = tables.parts_of(unitary.interaction).iter();
    let lagrangian = parts.filter(|part| !tables.systems[part.system].is_first_order());
    let of_part = |part: &Part| -> f64 {
        let dofs = part.dofs.range();
        let mean = work.v[dofs.clone()].iter().zip(&state.v[dofs]).map(|(v, v_k)| 0.5 * (v + v_k));
        let of_column = |(column, mean): (usize, f64)| -> f64 {
            let force = |row: RowIndex| b[[column, first.index_of(row)]] * work.lambda[row.index()];
            mean * unitary.rows.iter().map(force).sum::<f64>()
        };
        part.relation.range().zip(mean).map(of_column).sum()
    };
    lagrangian.map(of_part).sum()
}

/// Returns the entry of the balance that contains the work of a component of a law.
fn share<'a>(balance: &'a mut EnergyBalance, law: &NonSmoothLaw, component: usize) -> &'a mut f64 {
    let LawDescription { rows, is_force, .. } = *law.description();
    match (rows, law.friction()) {
        (RowLaw::Equality, _) if is_force => &mut balance.forces,
        (RowLaw::Equality, _) => &mut balance.joints,
        (RowLaw::Box, _) => &mut balance.tangential,
        (_, Some(law)) if component >= law.dimension() => &mut balance.rolling,
        (_, Some(_)) if component > 0 => &mut balance.tangential,
        _ => &mut balance.normal,
    }
}

/// Rejects schemes in which the positions do not follow from the velocities at both ends of a step, because
/// the work of forces is then unknown.
fn refuse_other_schemes(entry: &SystemEntry) -> Result<(), FitError> {
    let is = entry.scheme.is;
    match is.level {
        ConstraintLevel::States | ConstraintLevel::Velocities => Ok(()),
        ConstraintLevel::Positions | ConstraintLevel::Forces => {
            let instead = "use MoreauJean, or disable the balance";
            Err(FitError::of_system(entry.id, is.name, Refusal::new("the energy balance", instead)))
        }
    }
}

impl TimeStepping {
    /// Enables or disables the energy balance.
    pub(in crate::simulation) fn measure_energy(&mut self, is_wanted: bool) {
        self.energy = is_wanted.then(Box::default);
    }

    /// Adapts the energy balance to the model.
    pub(super) fn fit_energy(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        tables: &Tables,
    ) -> Result<(), SimulationError> {
        self.energy.as_mut().map_or(Ok(()), |energy| energy.fit(model, tables))
    }
}
