//! Relation of an island, with the workspace of its evaluation.

use std::ops::Range;
use std::sync::Arc;

use ndarray::ArrayView1;

use crate::model::relation::RelationValues;
use crate::model::{At, Relation};
use crate::nonsmooth_problem::InteractionEntry;

/// Relation of first-order systems that is evaluated with lambda = 0.
#[derive(Clone, Debug)]
pub(super) struct RelationPart {
    pub(super) entry: InteractionEntry,
    relation: Arc<Relation>,
    /// Indices of the rows of the relation in the island.
    pub(super) rows: Range<usize>,
    /// Indices in the island of the states on which the relation depends.
    pub(super) columns: Vec<usize>,
    pub(super) values: RelationValues,
    x: Vec<f64>,
    lambda: Vec<f64>,
}

impl RelationPart {
    pub(super) fn new(
        entry: InteractionEntry,
        relation: Arc<Relation>,
        rows: Range<usize>,
        columns: Vec<usize>,
    ) -> Self {
        Self {
            values: RelationValues::of_support(&relation, columns.len()),
            x: vec![0.0; columns.len()],
            lambda: vec![0.0; rows.len()],
            rows,
            columns,
            entry,
            relation,
        }
    }

    /// Evaluates h and g with lambda = 0. The matrices are evaluated first, if `is_first` or if they vary.
    pub(super) fn evaluate(&mut self, at: At<'_>, x: &[f64], is_first: bool) {
        for (target, &column) in self.x.iter_mut().zip(&self.columns) {
            *target = x[column];
        }
        self.lambda.fill(0.0);
        if is_first || !self.entry.constant {
            self.values.matrices(&self.relation, at, &self.x, &self.lambda);
        }
        self.values.offset(&self.relation, at);
        self.values.functions(&self.relation, at, &self.x, &self.lambda);
    }

    /// Returns the relative deviation of h and g from affine functions of lambda. It is evaluated at the
    /// given lambda and the x of the last evaluation. Afterwards, `values` contains h and g at this lambda.
    pub(super) fn error_of_affine(&mut self, at: At<'_>, lambda: &[f64]) -> f64 {
        let values = &mut self.values;
        let before: Vec<f64> = values.y.iter().chain(&values.r).copied().collect();
        self.lambda.copy_from_slice(lambda);
        values.functions(&self.relation, at, &self.x, &self.lambda);
        let slopes = values.d.rows().into_iter().chain(values.b.rows());
        let found = values.y.iter().chain(&values.r);
        let off = slopes.zip(&before).zip(found).map(|((slope, before), found)| {
            let affine = before + slope.dot(&ArrayView1::from(&self.lambda));
            let size = found.abs() + affine.abs() + before.abs();
            if size > 0.0 { (found - affine).abs() / size } else { 0.0 }
        });
        off.fold(0.0, f64::max)
    }
}

/// Returns a flag for each row of an interaction, which is `true` for an equality.
pub(super) fn equalities(entry: &InteractionEntry) -> impl Iterator<Item = bool> {
    let (size, of_block) = (entry.law.size(), entry.law.equalities());
    (0..entry.rows.len()).map(move |row| row % size < of_block)
}
