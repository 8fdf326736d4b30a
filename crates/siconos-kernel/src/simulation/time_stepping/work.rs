//! The memory of one step.

use siconos_numerics::{SolveInfo, Status};

use super::convergence::{BestError, IslandError, Suspect};
use super::damped_newton::Merit;
use super::resting::AddedSpeeds;
use crate::index::Table;
use crate::integrator::StepTimes;
use crate::model::At;
use crate::nonsmooth_problem::{Block, Holds, SystemEntry, Tables};
use crate::state::{State, StepStamp};

/// What has been done of the step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    #[default]
    Idle,
    Begun,
    IndexSets,
    /// The free step before the index sets, which do not depend on each other.
    FreeOnly,
    FreeStep,
    Solved,
    Updated,
    Checked,
}

impl Stage {
    /// What comes next, for messages.
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

/// The iterate of the step and what belongs to it; vectors over all degrees of freedom or all components of
/// y.
#[derive(Clone, Debug)]
pub(super) struct StepWork {
    pub(super) stage: Stage,
    /// The number of the step, counted from 1.
    pub(super) step: usize,
    pub(super) t_k: f64,
    pub(super) t_kp1: f64,
    pub(super) h: f64,
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) v_free: Vec<f64>,
    /// The accelerations without contacts of blocks that have constant ones, known once W is; of others 0.
    pub(super) steady_acceleration: Vec<f64>,
    /// By how much positions move over the step, along the velocities.
    pub(super) displacement: Vec<f64>,
    pub(super) impulse: Vec<f64>,
    /// The impulse with the Jacobian before the last update, and the size of the terms of the new one.
    pub(super) impulse_before: Vec<f64>,
    pub(super) impulse_terms: Vec<f64>,
    /// Positions at the extrapolated middle of the step, if joints are evaluated there.
    pub(super) q_middle: Vec<f64>,
    /// The impulses of joints, where their work is checked.
    pub(super) joint_impulse: Vec<f64>,
    /// How fast degrees of freedom are with the energy of the fastest of their island, where that is asked
    /// for.
    pub(super) speeds: Vec<f64>,
    pub(super) suspects: Vec<Suspect>,
    pub(super) y: Vec<f64>,
    pub(super) y_dot: Vec<f64>,
    pub(super) lambda: Vec<f64>,
    /// Speeds that are added to the velocities of rows in their laws.
    pub(super) added_speeds: AddedSpeeds,
    /// Multipliers at position level: forces of compliant contacts, lambda of first-order systems.
    pub(super) force: Vec<f64>,
    /// y and its velocity at the iterate, of springs on relations that are not linear; without entries where
    /// there are no springs.
    pub(super) elongation: Vec<f64>,
    pub(super) elongation_rate: Vec<f64>,
    pub(super) newton_iterations: usize,
    /// Whether Newton's loop or the projection of positions ended above its tolerance.
    pub(super) falls_short: bool,
    /// By place of an island, where Newton's loop left it.
    pub(super) island_errors: Table<Block, IslandError>,
    pub(super) best_errors: Table<Block, BestError>,
    pub(super) merits: Table<Block, Merit>,
    /// The errors of the equations of motion, by block.
    pub(super) block_errors: Vec<f64>,
    /// The inputs of first-order systems over the step.
    pub(super) input: Vec<f64>,
    /// The iterate of first-order systems before the last Newton step.
    pub(super) v_before: Vec<f64>,
    /// The mean velocities over the step before, then over this one, of systems whose scheme is one in
    /// differences of positions; of others their velocities. Empty where there are none.
    pub(super) mean_velocity: Vec<f64>,
    pub(super) force_before: Vec<f64>,
    pub(super) solve: SolveInfo,
    /// True if the step is to be restarted, because the one-step problem has no solution.
    pub(super) is_restarted: bool,
    /// The state at which all relations have been evaluated; what is constant of them is in place once one is
    /// known.
    pub(super) relations_of: StepStamp,
    /// Whether the assembled matrices still fit the index set, and the step length that they are for.
    pub(super) matrix_valid: bool,
    pub(super) h_assembled: f64,
    /// The step length that W of the linear systems was factorised for, and the Delassus blocks of a linear
    /// model.
    pub(super) h_prepared: f64,
    pub(super) has_forces: bool,
    pub(super) has_springs: bool,
    pub(super) has_first_order: bool,
    pub(super) has_two_step: bool,
}

impl Default for StepWork {
    fn default() -> Self {
        Self::new(&Tables::default())
    }
}

impl StepWork {
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
                .any(|entry| matches!(tables.kind(entry.kind).holds, Holds::Spring { .. })),
            has_first_order: tables.systems.iter().any(SystemEntry::is_first_order),
            has_two_step: tables.systems.iter().any(|entry| entry.scheme.is.has_equal_steps),
        };
        work.extend(tables);
        work
    }

    /// Makes room for what is new at the end of the tables.
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

    /// The step as the integrator with this theta sees it.
    pub(super) fn times<'a>(&self, theta: f64, state: &'a State) -> StepTimes<'a> {
        StepTimes { begin: state.at(), end: self.end(state), h: self.h, theta }
    }

    /// The middle of the step from a state, with the parameters of that.
    pub(super) fn middle<'a>(&self, state: &'a State) -> At<'a> {
        state.at().time(self.t_k + 0.5 * self.h)
    }

    /// The end of the step from a state, with the parameters of that.
    pub(super) fn end<'a>(&self, state: &'a State) -> At<'a> {
        state.at().time(self.t_kp1)
    }
}
