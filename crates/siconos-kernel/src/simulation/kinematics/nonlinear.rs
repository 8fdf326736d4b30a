//! A nonlinear relation of Lagrangian systems with all that is evaluated of it, so that threads can share the
//! evaluation of many.

use std::ops::Range;

use ndarray::Array2;

use super::Motion;
use crate::model::dynamical_system::DifferenceScratch;
use crate::model::relation::Constraint;
use crate::model::{At, Interaction, PositionSpace};
use crate::nonsmooth_problem::{Incidence, Tables};

/// The relation, and what it was at the last evaluation.
#[derive(Clone, Debug)]
pub(super) struct Nonlinear {
    pub(super) constraint: Constraint,
    /// In what space the positions of its systems are, one after the other.
    pub(super) space: PositionSpace,
    pub(super) y: Vec<f64>,
    pub(super) jacobian: Array2<f64>,
    pub(super) time_derivative: Vec<f64>,
    /// Positions and velocities of its systems, one after the other.
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    scratch: Vec<f64>,
    difference: DifferenceScratch,
}

impl Nonlinear {
    pub(super) fn new(interaction: &Interaction, constraint: &Constraint, positions: usize) -> Self {
        let (size, columns) = (interaction.size(), interaction.columns());
        Self {
            constraint: constraint.clone(),
            space: interaction.space().clone(),
            y: vec![0.0; size],
            jacobian: Array2::zeros((size, columns)),
            time_derivative: vec![0.0; size],
            q: vec![0.0; positions],
            v: vec![0.0; columns],
            scratch: vec![0.0; size],
            difference: DifferenceScratch::new(size, columns),
        }
    }

    /// Evaluates y.
    pub(super) fn evaluate(&mut self, tables: &Tables, place: usize, motion: Motion<'_>) {
        let q = gather(tables.incidences_of(place), positions, motion.q, &mut self.q);
        self.constraint.output_into(motion.at, q, &mut self.y);
    }

    /// Evaluates Jacobian and time derivative.
    pub(super) fn differentiate(&mut self, tables: &Tables, place: usize, (at, q): (At<'_>, &[f64])) {
        let Self { constraint, space, jacobian, time_derivative, scratch, difference, .. } = self;
        let q = gather(tables.incidences_of(place), positions, q, &mut self.q);
        constraint.jacobian_into(at, (space, q), difference, jacobian.view_mut());
        constraint.time_derivative_into((at, q, tables.time_scale), scratch, time_derivative);
    }
}

/// Where the positions of an incidence lie.
pub(super) fn positions(incidence: &Incidence) -> Range<usize> {
    incidence.positions.clone()
}

/// The part of `x` that belongs to the systems of an interaction, without a copy where there is only one;
/// `place` says where that of an incidence lies.
pub(super) fn gather<'a>(
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
