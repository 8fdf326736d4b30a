//! The systems and the relations of an island, and what each of them has in memory.

use std::ops::Range;
use std::sync::Arc;

use ndarray::{Array2, ArrayView1};
use siconos_numerics::linalg::{FactoredMatrix, MatrixRef, SingularMatrix};

use crate::model::dynamical_system::FirstOrderScratch;
use crate::model::relation::RelationValues;
use crate::model::{At, DynamicalSystem, DynamicalSystemId, NonSmoothLaw, Relation};
use crate::nonsmooth_problem::InteractionEntry;

/// A system.
#[derive(Clone, Debug)]
pub(super) struct SystemPart {
    pub(super) id: DynamicalSystemId,
    pub(super) system: DynamicalSystem,
    /// Its states among those of the island.
    pub(super) states: Range<usize>,
    /// M; `None` while it has not been factorised, and where it is the identity.
    mass: Option<FactoredMatrix>,
    pub(super) mass_varies: bool,
    /// A of a linear system.
    matrix: Array2<f64>,
    work: Vec<f64>,
    scratch: FirstOrderScratch,
}

impl SystemPart {
    pub(super) fn new(id: DynamicalSystemId, system: DynamicalSystem, states: Range<usize>) -> Self {
        let n = states.len();
        let (mass_varies, linear, room, scratch) = match &system {
            DynamicalSystem::FirstOrderNonlinear(system) => {
                (!system.has_constant_mass(), 0, n, system.scratch())
            }
            DynamicalSystem::FirstOrderLinear(system) => {
                (false, n, system.scratch_len(), FirstOrderScratch::default())
            }
            _ => (false, 0, 0, FirstOrderScratch::default()),
        };
        let matrix = Array2::zeros((linear, linear));
        Self { id, system, states, mass: None, mass_varies, matrix, work: vec![0.0; room], scratch }
    }

    /// Writes f to the states of the system among those of the island; the first time with A, where that is
    /// constant.
    pub(super) fn field_into(&mut self, (at, x): (At<'_>, &[f64]), is_first: bool, out: &mut [f64]) {
        let (x, out) = (&x[self.states.clone()], &mut out[self.states.clone()]);
        match &self.system {
            DynamicalSystem::FirstOrderLinear(system) => {
                if is_first || !system.has_constant_matrix() {
                    system.matrix_into(at, &mut self.matrix.view_mut());
                }
                for (target, row) in out.iter_mut().zip(self.matrix.rows()) {
                    *target = row.dot(&ArrayView1::from(x));
                }
                system.add_source(at, &mut self.work, out);
            }
            DynamicalSystem::FirstOrderNonlinear(system) => {
                // No control: the rate that it would see is not used.
                self.work.fill(0.0);
                system.field_into(at, x, &self.work, &mut self.scratch, out);
            }
            DynamicalSystem::Lagrangian(_) | DynamicalSystem::LagrangianLinear(_) => {}
        }
    }

    /// Factorises M.
    pub(super) fn factor_mass(&mut self, (at, x): (At<'_>, &[f64])) -> Result<(), SingularMatrix> {
        let x = &x[self.states.clone()];
        match &self.system {
            DynamicalSystem::FirstOrderLinear(system) => match system.mass() {
                Some(mass) => self.mass.get_or_insert_default().factor_sum(&[(1.0, mass.view())]),
                None => Ok(()),
            },
            DynamicalSystem::FirstOrderNonlinear(system) if self.mass_varies => {
                let mass = self.mass.get_or_insert_default();
                system.mass_into(at, x, &mut self.scratch, &mut mass.dense_mut(x.len()).view_mut());
                mass.factor()
            }
            DynamicalSystem::FirstOrderNonlinear(system) => {
                let mut mass = Array2::zeros((x.len(), x.len()));
                system.mass_into(at, x, &mut self.scratch, &mut mass.view_mut());
                if mass == Array2::<f64>::eye(x.len()) {
                    return Ok(());
                }
                self.mass.get_or_insert_default().factor_sum(&[(1.0, MatrixRef::Dense(mass.view()))])
            }
            DynamicalSystem::Lagrangian(_) | DynamicalSystem::LagrangianLinear(_) => Ok(()),
        }
    }

    /// Overwrites the part of `b` that is of this system with $M^{-1} b$.
    pub(super) fn solve_mass(&mut self, b: &mut [f64]) {
        if let Some(mass) = &mut self.mass {
            mass.solve(&mut b[self.states.clone()]);
        }
    }
}

/// A relation.
#[derive(Clone, Debug)]
pub(super) struct RelationPart {
    pub(super) entry: InteractionEntry,
    relation: Arc<Relation>,
    /// Its rows, and the states that it is a function of, among those of the island.
    pub(super) rows: Range<usize>,
    pub(super) columns: Vec<usize>,
    pub(super) values: RelationValues,
    x: Vec<f64>,
    lambda: Vec<f64>,
}

impl RelationPart {
    pub(super) fn new(
        (entry, relation): (InteractionEntry, Arc<Relation>),
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

    /// Evaluates h and g with lambda = 0, and before that the matrices: the first time, and where they vary.
    pub(super) fn evaluate(&mut self, (at, x): (At<'_>, &[f64]), is_first: bool) {
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

    /// How far h and g are off what is affine in lambda, at this lambda and the x of the last evaluation; the
    /// values are then those there.
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

/// Which rows of an interaction are equalities.
pub(super) fn equalities(entry: &InteractionEntry) -> impl Iterator<Item = bool> {
    let size = entry.law.size();
    let of_block = match &*entry.law {
        NonSmoothLaw::Equality(_) => size,
        NonSmoothLaw::MixedComplementarity(law) => law.equalities(),
        _ => 0,
    };
    (0..entry.rows.len()).map(move |row| row % size < of_block)
}
