//! Values of relations of first-order systems, with a workspace for their evaluation.

use ndarray::Array2;

use super::Relation;
use crate::model::At;
use crate::model::dynamical_system::DifferenceScratch;

/// Values of h and g and their derivatives at one point.
#[derive(Clone, Debug, Default)]
pub struct RelationValues {
    /// $\partial_x h$, `m x N`.
    pub c: Array2<f64>,
    /// $\partial_\lambda h$, `m x m`.
    pub d: Array2<f64>,
    /// $\partial_x g$, `N x N`; empty if r does not depend on x.
    pub k: Array2<f64>,
    /// $\partial_\lambda g$, `N x m`.
    pub b: Array2<f64>,
    /// $F z + e$ of a linear relation.
    pub offset: Vec<f64>,
    /// Value of h.
    pub y: Vec<f64>,
    /// Value of g.
    pub r: Vec<f64>,
    /// Workspace for the states of the systems, concatenated.
    pub gathered: Vec<f64>,
    pub(super) scratch_y: Vec<f64>,
    pub(super) scratch_z: Vec<f64>,
    /// `true` if the values are restricted to the [support](Relation::support) of the relation.
    pub(super) is_of_support: bool,
    /// Workspaces of the finite differences for C, D, K and B.
    pub(super) differences: [DifferenceScratch; 4],
}

impl RelationValues {
    /// Allocates values for `m` components over `columns` states.
    pub(super) fn new(m: usize, columns: usize, with_k: bool, parameters: usize) -> Self {
        Self::with_differences(m, columns, with_k, parameters, true)
    }

    fn with_differences(
        m: usize,
        columns: usize,
        with_k: bool,
        parameters: usize,
        differences: bool,
    ) -> Self {
        let k = if with_k { columns } else { 0 };
        let scratch = |outputs, inputs| match differences {
            true => DifferenceScratch::new(outputs, inputs),
            false => DifferenceScratch::default(),
        };
        Self {
            c: Array2::zeros((m, columns)),
            d: Array2::zeros((m, m)),
            k: Array2::zeros((k, k)),
            b: Array2::zeros((columns, m)),
            offset: vec![0.0; m],
            y: vec![0.0; m],
            r: vec![0.0; columns],
            gathered: vec![0.0; columns],
            scratch_y: vec![0.0; m],
            scratch_z: vec![0.0; parameters],
            is_of_support: false,
            differences: [scratch(m, columns), scratch(m, m), scratch(k, k), scratch(columns, m)],
        }
    }

    /// Allocates the values of a relation over `columns` states; empty for a relation of Lagrangian systems.
    pub fn of(relation: &Relation, columns: usize) -> Self {
        match relation {
            Relation::FirstOrderLinear(relation) => {
                Self::with_differences(relation.size(), columns, false, relation.parameter_room(), false)
            }
            Relation::FirstOrderNonlinear(relation) => {
                let differences = relation.uses_differences();
                Self::with_differences(relation.size(), columns, relation.has_k(), 0, differences)
            }
            _ => Self::default(),
        }
    }

    /// Allocates the values of a relation over its [support](Relation::support), or over `columns` states if
    /// the relation has no support.
    pub fn of_support(relation: &Relation, columns: usize) -> Self {
        let support = relation.support();
        let values = Self::of(relation, support.map_or(columns, <[usize]>::len));
        Self { is_of_support: support.is_some(), ..values }
    }

    /// Writes C, D, K and B at a point.
    pub fn matrices(&mut self, relation: &Relation, at: At<'_>, x: &[f64], lambda: &[f64]) {
        match relation {
            Relation::FirstOrderLinear(relation) => relation.matrices_into(at, self),
            Relation::FirstOrderNonlinear(relation) => relation.matrices_into(at, x, lambda, self),
            _ => {}
        }
    }

    /// Writes $F z + e$ of a linear relation at a given time to `self.offset`.
    pub fn offset(&mut self, relation: &Relation, at: At<'_>) {
        if let Relation::FirstOrderLinear(relation) = relation {
            relation.offset_into(at, self);
        }
    }

    /// Writes h and g at a point. For a linear relation, uses the most recently written matrices and offset.
    pub fn functions(&mut self, relation: &Relation, at: At<'_>, x: &[f64], lambda: &[f64]) {
        match relation {
            Relation::FirstOrderLinear(_) => {
                self.y.copy_from_slice(&self.offset);
                add_product(&self.c, x, &mut self.y);
                add_product(&self.d, lambda, &mut self.y);
                self.r.fill(0.0);
                add_product(&self.b, lambda, &mut self.r);
            }
            Relation::FirstOrderNonlinear(relation) => relation.functions_into(at, x, lambda, self),
            _ => {}
        }
    }
}

/// Adds the product of `matrix`, in standard layout, and `x` to `y`.
fn add_product(matrix: &Array2<f64>, x: &[f64], y: &mut [f64]) {
    let Some(entries) = matrix.as_slice() else { return };
    for (y, row) in y.iter_mut().zip(entries.chunks_exact(x.len().max(1))) {
        *y += row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
    }
}
