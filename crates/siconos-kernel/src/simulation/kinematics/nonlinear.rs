//! Nonlinear relation of Lagrangian systems, with the workspace of its evaluation. Each relation has its own
//! workspace, so that threads can evaluate relations in parallel.

use std::ops::Range;

use ndarray::ArrayViewMut2;

use super::Motion;
use crate::model::dynamical_system::DifferenceScratch;
use crate::model::relation::Constraint;
use crate::model::{At, BodyGeometry, Interaction, PositionSpace};
use crate::nonsmooth_problem::Incidence;

/// Nonlinear relation and its workspace.
#[derive(Clone, Debug)]
pub(super) struct Nonlinear {
    pub(super) constraint: Constraint,
    /// Configuration space of the systems of the relation, in the order of the relation.
    pub(super) space: PositionSpace,
    /// Common point that a joint holds, in the frames of its two bodies; `None` for other relations.
    pub(super) common_point: Option<[[f64; 3]; 2]>,
    /// Positions of the systems of the relation, in the order of the relation.
    pub(super) q: Vec<f64>,
    /// Velocities of the systems of the relation, in the order of the relation.
    pub(super) v: Vec<f64>,
    /// Positions at the beginning of a step. This vector, `middle` and `way` are empty until the first use.
    begin: Vec<f64>,
    /// Positions at the midpoint of a step.
    middle: Vec<f64>,
    /// Half of the displacement over a step.
    way: Vec<f64>,
    scratch: Vec<f64>,
    difference: DifferenceScratch,
}

impl Nonlinear {
    pub(super) fn new(interaction: &Interaction, constraint: &Constraint, positions: usize) -> Self {
        let (size, columns) = (interaction.size(), interaction.columns());
        Self {
            constraint: constraint.clone(),
            space: interaction.space().clone(),
            common_point: match constraint.geometry() {
                Some(BodyGeometry::Joint(joint)) => joint.common_point(),
                _ => None,
            },
            q: vec![0.0; positions],
            v: vec![0.0; columns],
            begin: Vec::new(),
            middle: Vec::new(),
            way: Vec::new(),
            scratch: vec![0.0; size],
            difference: DifferenceScratch::new(size, columns),
        }
    }

    /// Evaluates y.
    pub(super) fn evaluate(&mut self, incidences: &[Incidence], motion: Motion<'_>, y: &mut [f64]) {
        let q = gather(incidences, positions, motion.q, &mut self.q);
        self.constraint.output_into(motion.at, q, y);
    }

    /// Evaluates the Jacobian and the partial time derivative of h.
    pub(super) fn differentiate(
        &mut self,
        incidences: &[Incidence],
        at: At<'_>,
        q: &[f64],
        time_scale: f64,
        [jacobian, time_derivative]: [&mut [f64]; 2],
    ) {
        let Self { constraint, space, scratch, difference, v, .. } = self;
        let shape = (scratch.len(), v.len());
        let q = gather(incidences, positions, q, &mut self.q);
        let jacobian = ArrayViewMut2::from_shape(shape, jacobian).expect("rows of equal length");
        constraint.jacobian_into(at, space, q, difference, jacobian);
        constraint.time_derivative_into(at, q, time_scale, scratch, time_derivative);
    }

    /// Evaluates the rows along which the multipliers act.
    pub(super) fn input(&mut self, incidences: &[Incidence], at: At<'_>, q: &[f64], rows: &mut [f64]) {
        let Self { constraint, space, scratch, difference, v, .. } = self;
        let shape = (scratch.len(), v.len());
        let q = gather(incidences, positions, q, &mut self.q);
        let rows = ArrayViewMut2::from_shape(shape, rows).expect("rows of equal length");
        constraint.input_into(at, space, q, difference, rows);
    }

    /// Evaluates the rows along which the multipliers act, at the midpoint of two positions.
    pub(super) fn input_between(
        &mut self,
        incidences: &[Incidence],
        at: At<'_>,
        from: &[f64],
        to: &[f64],
        rows: &mut [f64],
    ) {
        let Self { constraint, space, scratch, difference, q, v, begin, middle, way, .. } = self;
        let shape = (scratch.len(), v.len());
        begin.resize(q.len(), 0.0);
        way.resize(v.len(), 0.0);
        let from = gather(incidences, positions, from, begin);
        let to = gather(incidences, positions, to, q);
        middle.resize(to.len(), 0.0);
        space.displacement(from, to, way);
        way.iter_mut().for_each(|way| *way *= 0.5);
        space.advance(from, way, middle);
        let rows = ArrayViewMut2::from_shape(shape, rows).expect("rows of equal length");
        constraint.input_into(at, space, middle, difference, rows);
    }
}

/// Returns the range of the positions of an incidence.
pub(super) fn positions(incidence: &Incidence) -> Range<usize> {
    incidence.positions.range()
}

/// Returns the entries of `x` for the systems of an interaction, without a copy if there is only one system.
/// `place` returns the range of the entries of an incidence.
#[inline]
pub(super) fn gather<'a>(
    incidences: &[Incidence],
    place: impl Fn(&Incidence) -> Range<usize>,
    x: &'a [f64],
    gathered: &'a mut [f64],
) -> &'a [f64] {
    let [incidence] = incidences else { return gather_all(incidences, place, x, gathered) };
    &x[place(incidence)]
}

fn gather_all<'a>(
    incidences: &[Incidence],
    place: impl Fn(&Incidence) -> Range<usize>,
    x: &[f64],
    gathered: &'a mut [f64],
) -> &'a [f64] {
    let mut end = 0;
    for incidence in incidences {
        let (start, from) = (end, place(incidence));
        end += from.len();
        gathered[start..end].copy_from_slice(&x[from]);
    }
    &gathered[..end]
}
