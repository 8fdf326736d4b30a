//! Workspace of a step.

use siconos_numerics::{SolveInfo, Status};

use super::convergence::{BestError, IslandError, VelocityChange};
use super::damped_newton::Merit;
use super::resting::AddedSpeeds;
use crate::index::Table;
use crate::integrator::StepTimes;
use crate::model::At;
use crate::nonsmooth_problem::{Block, ImposedVariables, SystemEntry, Tables};
use crate::state::{State, StepStamp};

/// Last completed stage of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    #[default]
    Idle,
    Begun,
    IndexSets,
    /// The free step, computed before the index sets. The order of these two stages does not matter.
    FreeOnly,
    FreeStep,
    Solved,
    Updated,
    Checked,
}

impl Stage {
    /// Returns the names of the methods that can be called next, for error messages.
    pub(super) fn expects(self) -> &'static str {
        match self {
            Self::Idle => "begin_step",
            Self::Begun => "update_index_sets (or compute_free_step)",
            Self::FreeOnly => "update_index_sets",
            Self::IndexSets => "compute_free_step",
            Self::FreeStep => "compute_one_step_ns_problem",
            Self::Solved => "update",
            Self::Updated => "next_step (or compute_free_step for another Newton iteration)",
            Self::Checked => "next_step",
        }
    }
}

/// Workspace of a step, with the iterate and its data. Vectors have an entry for each degree of freedom or
/// for each component of y.
#[derive(Clone, Debug)]
pub(super) struct StepWorkspace {
    pub(super) stage: Stage,
    /// Index of the step, counted from 1.
    pub(super) step: usize,
    pub(super) t_k: f64,
    pub(super) t_kp1: f64,
    pub(super) h: f64,
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) v_free: Vec<f64>,
    /// Accelerations without contacts, for blocks with a constant acceleration; 0 for other blocks.
    pub(super) steady_acceleration: Vec<f64>,
    /// Displacements over the step, in velocity coordinates.
    pub(super) displacement: Vec<f64>,
    pub(super) impulse: Vec<f64>,
    /// Impulses with the Jacobian that was valid before the last update.
    pub(super) impulse_before: Vec<f64>,
    /// Sums of the magnitudes of the terms of `impulse`.
    pub(super) impulse_terms: Vec<f64>,
    /// Positions at the extrapolated midpoint of the step, if the midpoint rule is used for joints.
    pub(super) q_middle: Vec<f64>,
    /// Impulses of joints, for the check of their work.
    pub(super) joint_impulse: Vec<f64>,
    /// Speed of each degree of freedom at which its kinetic energy would equal the largest kinetic energy of
    /// any degree of freedom in its island.
    pub(super) speeds: Vec<f64>,
    pub(super) suspects: Vec<VelocityChange>,
    pub(super) y: Vec<f64>,
    pub(super) y_dot: Vec<f64>,
    pub(super) lambda: Vec<f64>,
    /// Speeds that the laws of contacts and joints add to the velocities of their rows.
    pub(super) added_speeds: AddedSpeeds,
    /// Multipliers at position level: forces of compliant contacts, and lambda of first-order systems.
    pub(super) force: Vec<f64>,
    /// y at the iterate, for springs on nonlinear relations; empty without springs.
    pub(super) elongation: Vec<f64>,
    /// Time derivative of y at the iterate, for springs on nonlinear relations; empty without springs.
    pub(super) elongation_rate: Vec<f64>,
    pub(super) newton_iterations: usize,
    /// `true` if the Newton iteration or the projection of positions ended above its tolerance.
    pub(super) falls_short: bool,
    /// Error of each island after its last Newton iteration.
    pub(super) island_errors: Table<Block, IslandError>,
    pub(super) best_errors: Table<Block, BestError>,
    pub(super) merits: Table<Block, Merit>,
    /// Error of the equations of motion of each block.
    pub(super) block_errors: Vec<f64>,
    /// Inputs of first-order systems over the step.
    pub(super) input: Vec<f64>,
    /// Iterate of first-order systems before the last Newton step.
    pub(super) v_before: Vec<f64>,
    /// For systems with a two-step scheme: mean velocities over the previous step until the end of the step,
    /// and over this step afterwards. For other systems: velocities. Empty without two-step schemes.
    pub(super) mean_velocity: Vec<f64>,
    pub(super) force_before: Vec<f64>,
    pub(super) solve: SolveInfo,
    /// `true` if the step must be restarted, because the one-step problem has no solution.
    pub(super) is_restarted: bool,
    /// Stamp of the state at which all relations were last evaluated. If it is known, all constant
    /// coefficients are available.
    pub(super) relations_of: StepStamp,
    /// `true` if the assembled matrices match the index set.
    pub(super) matrix_valid: bool,
    /// Step length for which the matrices were assembled.
    pub(super) h_assembled: f64,
    /// Step length for which W of the linear systems was factorised, and for which the Delassus blocks of a
    /// linear model are valid.
    pub(super) h_prepared: f64,
    pub(super) has_forces: bool,
    pub(super) has_springs: bool,
    pub(super) has_first_order: bool,
    pub(super) has_two_step: bool,
}

impl Default for StepWorkspace {
    fn default() -> Self {
        Self::new(&Tables::default())
    }
}

impl StepWorkspace {
    pub(super) fn new(tables: &Tables) -> Self {
        let mut work = Self {
            stage: Stage::Idle,
            step: 0,
            t_k: f64::NAN,
            t_kp1: f64::NAN,
            h: f64::NAN,
            q: Vec::new(),
            v: Vec::new(),
            v_free: Vec::new(),
            steady_acceleration: Vec::new(),
            displacement: Vec::new(),
            impulse: Vec::new(),
            impulse_before: Vec::new(),
            impulse_terms: Vec::new(),
            joint_impulse: Vec::new(),
            q_middle: Vec::new(),
            speeds: Vec::new(),
            suspects: Vec::new(),
            y: Vec::new(),
            y_dot: Vec::new(),
            lambda: Vec::new(),
            added_speeds: AddedSpeeds::default(),
            force: Vec::new(),
            elongation: Vec::new(),
            elongation_rate: Vec::new(),
            newton_iterations: 0,
            falls_short: false,
            island_errors: Table::default(),
            best_errors: Table::default(),
            merits: Table::default(),
            block_errors: Vec::new(),
            input: Vec::new(),
            v_before: Vec::new(),
            mean_velocity: Vec::new(),
            force_before: Vec::new(),
            is_restarted: false,
            solve: SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 },
            relations_of: StepStamp::default(),
            matrix_valid: false,
            h_assembled: f64::NAN,
            h_prepared: f64::NAN,
            has_forces: tables.interactions.iter().any(|entry| tables.kind(entry.kind).is_force),
            has_springs: tables
                .interactions
                .iter()
                .any(|entry| matches!(tables.kind(entry.kind).holds, ImposedVariables::Spring { .. })),
            has_first_order: tables.systems.iter().any(SystemEntry::is_first_order),
            has_two_step: tables.systems.iter().any(|entry| entry.scheme.is.has_equal_steps),
        };
        work.extend(tables);
        work
    }

    /// Extends the vectors to the new length of the tables.
    pub(super) fn extend(&mut self, tables: &Tables) {
        self.q.resize(tables.positions, 0.0);
        if self.v.len() != tables.dofs {
            self.extend_dofs(tables.dofs);
        }
        for by_row in
            [&mut self.y, &mut self.y_dot, &mut self.lambda, &mut self.force, &mut self.force_before]
        {
            by_row.resize(tables.rows.len(), 0.0);
        }
        self.added_speeds.extend(tables.rows.len());
        if self.has_springs {
            for by_row in [&mut self.elongation, &mut self.elongation_rate] {
                by_row.resize(tables.rows.len(), 0.0);
            }
        }
        let islands = tables.blocks.len();
        self.island_errors.resize(islands, IslandError::default());
        self.best_errors.resize(islands, BestError::default());
        self.merits.resize(islands, Merit::default());
        self.block_errors.resize(islands, 0.0);
    }

    fn extend_dofs(&mut self, dofs: usize) {
        for by_dof in [
            &mut self.v,
            &mut self.v_free,
            &mut self.steady_acceleration,
            &mut self.displacement,
            &mut self.impulse,
            &mut self.impulse_before,
            &mut self.impulse_terms,
            &mut self.joint_impulse,
            &mut self.speeds,
            &mut self.input,
            &mut self.v_before,
        ] {
            by_dof.resize(dofs, 0.0);
        }
    }

    /// Returns the times of the step for an integrator with the given theta.
    pub(super) fn times<'a>(&self, theta: f64, state: &'a State) -> StepTimes<'a> {
        StepTimes { begin: state.at(), end: self.end(state), h: self.h, theta }
    }

    /// Returns the midpoint of the step, with the parameters of the state.
    pub(super) fn middle<'a>(&self, state: &'a State) -> At<'a> {
        state.at().time(self.t_k + 0.5 * self.h)
    }

    /// Returns the end of the step, with the parameters of the state.
    pub(super) fn end<'a>(&self, state: &'a State) -> At<'a> {
        state.at().time(self.t_kp1)
    }
}
