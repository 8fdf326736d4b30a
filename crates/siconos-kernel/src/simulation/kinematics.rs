//! The local variables of Lagrangian interactions: Jacobians, gaps, and gap velocities at a position and
//! time.

use std::ops::Range;

use ndarray::ArrayViewMut2;
use siconos_numerics::linalg::dot;

use crate::error::SimulationError;
use crate::integrator::ROUNDINGS;
use crate::model::dynamical_system::DifferenceScratch;
use crate::model::{At, NonSmoothDynamicalSystem, Relation};
use crate::nonsmooth_problem::{Incidence, InteractionEntry, Tables};

/// Jacobians and time derivatives where they were evaluated last, and the memory for that.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinematics {
    /// All Jacobians, one after the other, row by row.
    pub(super) jacobian: Vec<f64>,
    /// The partial derivative of h in time, per component of y.
    pub(super) time_derivative: Vec<f64>,
    /// The largest sum of magnitudes of a row of the Jacobians, when all were evaluated.
    largest_row: f64,
    /// The offset b of linear relations, per component of y.
    offset: Vec<f64>,
    /// The positions of the systems of one interaction, one after the other.
    gathered: Vec<f64>,
    gathered_velocity: Vec<f64>,
    rows_scratch: Vec<f64>,
    /// By interaction; empty where the Jacobian is constant.
    difference: Vec<DifferenceScratch>,
}

/// Which Jacobians to evaluate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    All,
    /// Those that are not constant.
    Variable,
}

impl Kinematics {
    pub(super) fn new(tables: &Tables) -> Self {
        let mut kinematics = Self::default();
        kinematics.extend(tables);
        kinematics
    }

    /// Makes room for interactions that are new; what is evaluated of others stays.
    pub(super) fn extend(&mut self, tables: &Tables) {
        self.jacobian.resize(tables.jacobian_len, 0.0);
        self.time_derivative.resize(tables.rows, 0.0);
        self.offset.resize(tables.rows, 0.0);
        for entry in &tables.interactions[self.difference.len()..] {
            for gathered in [&mut self.gathered, &mut self.gathered_velocity] {
                gathered.resize(gathered.len().max(entry.columns), 0.0);
            }
            self.rows_scratch.resize(self.rows_scratch.len().max(entry.rows.len()), 0.0);
            self.difference.push(match entry.constant || entry.is_first_order() {
                true => DifferenceScratch::default(),
                false => DifferenceScratch::new(entry.rows.len(), entry.columns),
            });
        }
    }

    /// Evaluates Jacobians and time derivatives at a position and time.
    pub(super) fn evaluate(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        tables: &Tables,
        which: Which,
        motion: (At<'_>, &[f64]),
    ) -> Result<(), SimulationError> {
        for (place, entry) in tables.interactions.iter().enumerate() {
            if (which == Which::Variable && entry.constant) || entry.is_first_order() || entry.is_gone() {
                continue;
            }
            self.evaluate_one(model, tables, place, motion)?;
        }
        if which == Which::All {
            self.largest_row = 0.0;
            tables.interactions.iter().for_each(|entry| self.note_largest_row(entry));
        }
        Ok(())
    }

    fn note_largest_row(&mut self, entry: &InteractionEntry) {
        for row in self.jacobian[entry.jacobian.clone()].chunks_exact(entry.columns.max(1)) {
            self.largest_row = self.largest_row.max(row.iter().map(|j| j.abs()).sum());
        }
    }

    /// Evaluates Jacobian and time derivative of an interaction that is new.
    pub(super) fn evaluate_new(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        tables: &Tables,
        place: usize,
        motion: (At<'_>, &[f64]),
    ) -> Result<(), SimulationError> {
        self.evaluate_one(model, tables, place, motion)?;
        self.note_largest_row(&tables.interactions[place]);
        Ok(())
    }

    /// Evaluates those of some interactions of Lagrangian systems.
    pub(super) fn evaluate_some(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        tables: &Tables,
        interactions: &[usize],
        motion: (At<'_>, &[f64]),
    ) -> Result<(), SimulationError> {
        interactions.iter().try_for_each(|&place| self.evaluate_one(model, tables, place, motion))
    }

    fn evaluate_one(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        tables: &Tables,
        place: usize,
        (at, q): (At<'_>, &[f64]),
    ) -> Result<(), SimulationError> {
        let entry = &tables.interactions[place];
        let relation = model.interaction(entry.id)?.relation();
        let q = gather(tables.incidences_of(place), positions, q, &mut self.gathered);
        let shape = (entry.rows.len(), entry.columns);
        let target = ArrayViewMut2::from_shape(shape, &mut self.jacobian[entry.jacobian.clone()])
            .expect("the tables lay out rows x columns entries for each Jacobian");
        relation.jacobian_into(at, q, &mut self.difference[place], target);
        if let Relation::LagrangianLinear(linear) = relation {
            for (target, b) in
                self.offset[entry.rows.clone()].iter_mut().zip(linear.offset().into_iter().flatten())
            {
                *target = *b;
            }
        }
        if entry.rheonomous {
            let scratch = &mut self.rows_scratch[..entry.rows.len()];
            let out = &mut self.time_derivative[entry.rows.clone()];
            relation.time_derivative_into(at, q, model.time_scale(), scratch, out);
        }
        Ok(())
    }

    /// Writes y (with the part $D \lambda$ of compliant contacts) and its velocity, with the Jacobians as
    /// they are; of first-order interactions nothing.
    #[inline]
    pub(super) fn outputs(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        tables: &Tables,
        motion: Motion<'_>,
        y: &mut [f64],
        y_dot: &mut [f64],
    ) -> Result<(), SimulationError> {
        for (place, entry) in tables.interactions.iter().enumerate() {
            if !entry.is_first_order() {
                self.output(model, tables, place, motion, (y, y_dot))?;
            }
        }
        Ok(())
    }

    /// Writes y and its velocity of one interaction of Lagrangian systems; nothing of one that is gone.
    // A call for each interaction shows in a step.
    #[inline(always)]
    pub(super) fn output(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        tables: &Tables,
        place: usize,
        motion: Motion<'_>,
        (y, y_dot): (&mut [f64], &mut [f64]),
    ) -> Result<(), SimulationError> {
        let entry = &tables.interactions[place];
        if !entry.constant {
            let relation = model.interaction(entry.id)?.relation();
            let q = gather(tables.incidences_of(place), positions, motion.q, &mut self.gathered);
            relation.nonlinear_output_into(motion.at, q, &mut y[entry.rows.clone()]);
        }
        let incidences = tables.incidences_of(place);
        let mut start = entry.jacobian.start;
        for row in entry.rows.clone() {
            let j = &self.jacobian[start..start + entry.columns];
            start += entry.columns;
            let (mut j_q, mut j_v) = (0.0, 0.0);
            for incidence in incidences {
                let along =
                    motion.q[incidence.positions.clone()].iter().zip(&motion.v[incidence.dofs.clone()]);
                for (j, (q, v)) in j[incidence.columns.clone()].iter().zip(along) {
                    j_q += j * q;
                    j_v += j * v;
                }
            }
            if entry.constant {
                // y = H q + b with the rows of H at hand.
                y[row] = j_q + self.offset[row];
            }
            if entry.compliance.is_some() {
                y[row] += entry.compliant_part(row, motion.lambda);
            }
            y_dot[row] = j_v + self.time_derivative[row];
        }
        Ok(())
    }

    /// $J v + \partial_t h$ of one component.
    pub(super) fn velocity(&self, tables: &Tables, interaction: usize, row: usize, v: &[f64]) -> f64 {
        let j = self.row(tables, interaction, row);
        let incidence =
            |incidence: &Incidence| dot(&j[incidence.columns.clone()], &v[incidence.dofs.clone()]);
        tables.incidences_of(interaction).iter().map(incidence).sum::<f64>() + self.time_derivative[row]
    }

    /// The size of the terms that make up [`velocity`](Self::velocity).
    pub(super) fn velocity_scale(&self, tables: &Tables, interaction: usize, row: usize, v: &[f64]) -> f64 {
        let j = self.row(tables, interaction, row);
        let incidence = |incidence: &Incidence| -> f64 {
            j[incidence.columns.clone()]
                .iter()
                .zip(&v[incidence.dofs.clone()])
                .map(|(j, v)| (j * v).abs())
                .sum()
        };
        tables.incidences_of(interaction).iter().map(incidence).sum::<f64>() + self.time_derivative[row].abs()
    }

    /// The rounding of y of one component \[m\] at a time and position, with the Jacobian as it is: of gaps
    /// that are not larger nothing says whether they are closed.
    pub(super) fn gap_rounding(
        &self,
        tables: &Tables,
        (interaction, row): (usize, usize),
        (t, q): (f64, &[f64]),
    ) -> f64 {
        let j = self.row(tables, interaction, row);
        let mut size = self.time_derivative[row].abs() * t.abs();
        for incidence in tables.incidences_of(interaction) {
            let terms = j[incidence.columns.clone()].iter().zip(&q[incidence.positions.clone()]);
            size += terms.map(|(j, q)| (j * q).abs()).sum::<f64>();
        }
        (ROUNDINGS * f64::EPSILON * size).max(f64::MIN_POSITIVE)
    }

    /// What the square of no [`gap_rounding`](Self::gap_rounding) of constant Jacobians exceeds at this
    /// position.
    pub(super) fn largest_squared_rounding(&self, q: &[f64]) -> f64 {
        // The norm of q is at least the largest entry; the factor 2 covers the rounding of all of this. Where
        // the square of a gap underflows, it counts as small, and is looked at.
        (2.0 * ROUNDINGS * f64::EPSILON * self.largest_row).powi(2) * dot(q, q)
    }

    /// Position and velocity of the systems of one interaction.
    pub(super) fn gather_motion<'a>(
        &'a mut self,
        incidences: &[Incidence],
        q: &'a [f64],
        v: &'a [f64],
    ) -> (&'a [f64], &'a [f64]) {
        let dofs = |incidence: &Incidence| incidence.dofs.clone();
        (
            gather(incidences, positions, q, &mut self.gathered),
            gather(incidences, dofs, v, &mut self.gathered_velocity),
        )
    }

    /// One row of an interaction's Jacobian, by columns of the interaction.
    pub(super) fn row(&self, tables: &Tables, interaction: usize, row: usize) -> &[f64] {
        &self.jacobian[tables.jacobian_row(interaction, row)]
    }
}

/// Where the outputs are evaluated.
#[derive(Clone, Copy)]
pub(super) struct Motion<'a> {
    pub(super) at: At<'a>,
    pub(super) q: &'a [f64],
    pub(super) v: &'a [f64],
    /// Multipliers at position level.
    pub(super) lambda: &'a [f64],
}

/// Where the positions of an incidence lie.
fn positions(incidence: &Incidence) -> Range<usize> {
    incidence.positions.clone()
}

/// The part of `x` that belongs to the systems of an interaction, without a copy where there is only one;
/// `place` says where that of an incidence lies.
fn gather<'a>(
    incidences: &[Incidence],
    place: impl Fn(&Incidence) -> Range<usize>,
    x: &'a [f64],
    gathered: &'a mut [f64],
) -> &'a [f64] {
    match incidences {
        [incidence] => &x[place(incidence)],
        incidences => {
            for incidence in incidences {
                gathered[incidence.columns.clone()].copy_from_slice(&x[place(incidence)]);
            }
            &gathered[..incidences.last().map_or(0, |incidence| incidence.columns.end)]
        }
    }
}
