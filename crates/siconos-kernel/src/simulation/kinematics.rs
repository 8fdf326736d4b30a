//! The local variables of Lagrangian interactions: Jacobians, gaps, and gap velocities at a position and
//! time.

use std::ops::Range;
use std::sync::Arc;

use ndarray::ArrayViewMut2;
use siconos_numerics::linalg::dot;

use crate::integrator::ROUNDINGS;
use crate::model::dynamical_system::DifferenceScratch;
use crate::model::relation::ConvectiveScratch;
use crate::model::{
    At, Interaction, LagrangianLinearRelation, NonSmoothDynamicalSystem, PositionSpace, Relation,
};
use crate::nonsmooth_problem::{Incidence, Row, Tables};

/// Jacobians and time derivatives where they were evaluated last, and the memory for that.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinematics {
    /// All Jacobians, one after the other, row by row.
    pub(super) jacobian: Vec<f64>,
    /// The partial derivative of h in time, per component of y.
    pub(super) time_derivative: Vec<f64>,
    /// The largest sum of magnitudes of a row of the linear relations.
    largest_row: f64,
    /// The offset b of linear relations, per component of y.
    offset: Vec<f64>,
    /// How large positions that are no vectors are along the velocities, by degree of freedom; empty where
    /// there are none.
    magnitudes: Vec<f64>,
    /// The positions of the systems of one interaction, one after the other.
    gathered: Vec<f64>,
    gathered_velocity: Vec<f64>,
    rows_scratch: Vec<f64>,
    /// By interaction; of those that have to be evaluated.
    nonlinear: Vec<Option<Box<Nonlinear>>>,
}

/// A nonlinear relation of Lagrangian systems.
#[derive(Clone, Debug)]
struct Nonlinear {
    relation: Arc<Relation>,
    /// In what space the positions of its systems are, one after the other.
    space: PositionSpace,
    difference: DifferenceScratch,
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

impl Kinematics {
    pub(super) fn new(tables: &Tables, model: &NonSmoothDynamicalSystem) -> Self {
        let mut kinematics = Self::default();
        kinematics.extend(tables, model);
        kinematics
    }

    /// Takes in interactions that are new, and writes H and b of linear ones; what is evaluated of others
    /// stays.
    pub(super) fn extend(&mut self, tables: &Tables, model: &NonSmoothDynamicalSystem) {
        self.jacobian.resize(tables.jacobian_len, 0.0);
        self.time_derivative.resize(tables.rows, 0.0);
        self.offset.resize(tables.rows, 0.0);
        self.magnitudes.resize(if tables.has_spaces { tables.dofs } else { 0 }, 0.0);
        for (place, entry) in tables.interactions.iter().enumerate().skip(self.nonlinear.len()) {
            self.nonlinear.push(None);
            let known = model.interactions().get(entry.id).filter(|_| !entry.is_first_order());
            // One that came and went has nothing to evaluate.
            let Some(interaction) = known.filter(|_| !entry.is_gone()) else { continue };
            if let Relation::LagrangianLinear(relation) = interaction.relation() {
                self.write_linear(tables, place, relation);
                continue;
            }
            let positions = tables.incidences_of(place).iter().map(|at| at.positions.len()).sum();
            for (gathered, length) in
                [(&mut self.gathered, positions), (&mut self.gathered_velocity, entry.columns)]
            {
                gathered.resize(gathered.len().max(length), 0.0);
            }
            self.rows_scratch.resize(self.rows_scratch.len().max(entry.rows.len()), 0.0);
            self.nonlinear[place] = Some(Box::new(Nonlinear::new(interaction)));
        }
    }

    fn write_linear(&mut self, tables: &Tables, place: usize, relation: &LagrangianLinearRelation) {
        let entry = &tables.interactions[place];
        relation.rows_into(&mut self.jacobian[entry.jacobian.clone()]);
        let offset = self.offset[entry.rows.clone()].iter_mut();
        offset.zip(relation.offset().into_iter().flatten()).for_each(|(own, b)| *own = *b);
        for row in entry.rows_of_jacobian() {
            let size = self.jacobian[row].iter().map(|j| j.abs()).sum();
            self.largest_row = self.largest_row.max(size);
        }
    }

    /// Evaluates all Jacobians that are not constant, and time derivatives, at a position and time.
    pub(super) fn evaluate(&mut self, tables: &Tables, motion: (At<'_>, &[f64])) {
        (0..self.nonlinear.len()).for_each(|place| self.evaluate_one(tables, place, motion));
    }

    /// Evaluates those of some interactions.
    pub(super) fn evaluate_some(
        &mut self,
        tables: &Tables,
        interactions: &[usize],
        motion: (At<'_>, &[f64]),
    ) {
        interactions.iter().for_each(|&place| self.evaluate_one(tables, place, motion));
    }

    fn evaluate_one(&mut self, tables: &Tables, place: usize, (at, q): (At<'_>, &[f64])) {
        let Some(Nonlinear { relation, space, difference }) = self.nonlinear[place].as_deref_mut() else {
            return;
        };
        let entry = &tables.interactions[place];
        if entry.is_gone() {
            return;
        }
        let q = gather(tables.incidences_of(place), positions, q, &mut self.gathered);
        let shape = (entry.rows.len(), entry.columns);
        let target = ArrayViewMut2::from_shape(shape, &mut self.jacobian[entry.jacobian.clone()])
            .expect("the tables lay out rows x columns entries for each Jacobian");
        relation.jacobian_into(at, (space, q), difference, target);
        if entry.rheonomous {
            let scratch = &mut self.rows_scratch[..entry.rows.len()];
            let out = &mut self.time_derivative[entry.rows.clone()];
            relation.time_derivative_into(at, q, tables.time_scale, scratch, out);
        }
    }

    /// Writes y (with the part $D \lambda$ of compliant contacts) and its velocity, with the Jacobians as
    /// they are; of first-order interactions nothing.
    #[inline]
    pub(super) fn outputs(&mut self, tables: &Tables, motion: Motion<'_>, y: &mut [f64], y_dot: &mut [f64]) {
        for (place, entry) in tables.interactions.iter().enumerate() {
            if !entry.is_first_order() {
                self.output(tables, place, motion, (y, y_dot));
            }
        }
    }

    /// Writes y and its velocity of one interaction of Lagrangian systems; nothing of one that is gone.
    // A call for each interaction shows in a step.
    #[inline(always)]
    pub(super) fn output(
        &mut self,
        tables: &Tables,
        place: usize,
        motion: Motion<'_>,
        (y, y_dot): (&mut [f64], &mut [f64]),
    ) {
        let entry = &tables.interactions[place];
        if !entry.constant
            && let Some(Nonlinear { relation, .. }) = self.nonlinear[place].as_deref()
        {
            let q = gather(tables.incidences_of(place), positions, motion.q, &mut self.gathered);
            relation.nonlinear_output_into(motion.at, q, &mut y[entry.rows.clone()]);
        }
        for row in entry.rows.clone() {
            let j = tables.row_of(entry, &self.jacobian, row);
            if entry.constant {
                // y = H q + b with the rows of H at hand.
                let (j_q, j_v) = j.times_motion(motion.q, motion.v);
                (y[row], y_dot[row]) = (j_q + self.offset[row], j_v + self.time_derivative[row]);
            } else {
                y_dot[row] = j.times(motion.v) + self.time_derivative[row];
            }
            if entry.compliance.is_some() {
                y[row] += entry.compliant_part(row, motion.lambda);
            }
        }
    }

    /// Writes the part of the acceleration of y of one interaction that does not come from that of q.
    pub(super) fn convective(
        &mut self,
        tables: &Tables,
        place: usize,
        (at, q, v): (At<'_>, &[f64], &[f64]),
        scratch: &mut ConvectiveScratch,
        out: &mut [f64],
    ) {
        let Some(Nonlinear { relation, space, .. }) = self.nonlinear[place].as_deref() else {
            return out.fill(0.0);
        };
        let incidences = tables.incidences_of(place);
        let q = gather(incidences, positions, q, &mut self.gathered);
        let v = gather(incidences, |at| at.dofs.clone(), v, &mut self.gathered_velocity);
        relation.convective_into((at, space, q, v), tables.time_scale, scratch, out);
    }

    /// $J v + \partial_t h$ of one component.
    #[inline(always)]
    pub(super) fn velocity(&self, tables: &Tables, place: (usize, usize), v: &[f64]) -> f64 {
        self.row(tables, place).times(v) + self.time_derivative[place.1]
    }

    /// The size of the terms that make up [`velocity`](Self::velocity).
    pub(super) fn velocity_scale(&self, tables: &Tables, place: (usize, usize), v: &[f64]) -> f64 {
        self.row(tables, place).magnitude(v) + self.time_derivative[place.1].abs()
    }

    /// Measures the positions that are no vectors, for the roundings of gaps.
    pub(super) fn measure(&mut self, tables: &Tables, q: &[f64]) {
        if tables.has_spaces {
            for entry in &tables.systems {
                let out = &mut self.magnitudes[entry.dofs.clone()];
                entry.space.magnitudes(&q[entry.positions.clone()], out);
            }
        }
    }

    /// How large a position that is no vector is along a velocity, where it was measured last.
    pub(super) fn magnitude(&self, dof: usize) -> Option<f64> {
        self.magnitudes.get(dof).copied()
    }

    /// The rounding of y of one component \[m\] at a time and position, where the latter has been
    /// [measured](Self::measure), with the Jacobian as it is: of gaps that are not larger nothing says
    /// whether they are closed.
    pub(super) fn gap_rounding(&self, tables: &Tables, place: (usize, usize), (t, q): (f64, &[f64])) -> f64 {
        let of_position = self.row(tables, place).magnitude_at(q, &self.magnitudes);
        let size = self.time_derivative[place.1].abs() * t.abs() + of_position;
        (ROUNDINGS * f64::EPSILON * size).max(f64::MIN_POSITIVE)
    }

    /// What the square of no [`gap_rounding`](Self::gap_rounding) of constant Jacobians exceeds at this
    /// position.
    pub(super) fn largest_squared_rounding(&self, q: &[f64]) -> f64 {
        // The norm of q is at least the largest entry; the factor 2 covers the rounding of all of this. Where
        // the square of a gap underflows, it counts as small, and is looked at.
        (2.0 * ROUNDINGS * f64::EPSILON * self.largest_row).powi(2) * dot(q, q)
    }

    /// One row of an interaction's Jacobian.
    #[inline(always)]
    pub(super) fn row<'a>(&'a self, tables: &'a Tables, place: (usize, usize)) -> Row<'a> {
        tables.row(&self.jacobian, place)
    }
}

impl Nonlinear {
    fn new(interaction: &Interaction) -> Self {
        Self {
            relation: interaction.shared_relation(),
            space: interaction.space().clone(),
            difference: DifferenceScratch::new(interaction.size(), interaction.columns()),
        }
    }
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
            let mut end = 0;
            for incidence in incidences {
                let (start, from) = (end, place(incidence));
                end += from.len();
                gathered[start..end].copy_from_slice(&x[from]);
            }
            &gathered[..end]
        }
    }
}
