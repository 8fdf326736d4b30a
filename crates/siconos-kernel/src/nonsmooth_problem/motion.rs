//! Matrices of the bodies in contact, for solvers that work in velocity space.

use ndarray::Array2;
use siconos_linalg::{Csc, FactoredMatrix, MatrixRef};

use super::delassus::{Blocks, feedthrough};
use super::table_entries::{Block, BlockIndex};
use crate::index::{RowIndex, Table};
use crate::integrator::Response;

/// W and $H^T$ for the rows of an island. They exist only if the Delassus matrix is exactly $H W^{-1} H^T$,
/// that is, if reactions act along the rows of H and not through separate input matrices.
#[derive(Clone, Debug, Default)]
pub(super) struct BodyMatrices {
    /// Blocks of systems, each with the index of its first degree of freedom.
    blocks: Vec<(BlockIndex, usize)>,
    entries: Vec<(usize, usize, f64)>,
    matrices: Option<(Csc, Csc)>,
    /// `true` if W is symmetric.
    is_symmetric: bool,
}

impl BodyMatrices {
    /// Discards the matrices.
    pub(super) fn forget(&mut self) {
        self.matrices = None;
    }

    /// Returns W and $H^T$, which has one column for each row of the island, if these matrices exist.
    pub(super) fn matrices(&self) -> Option<&(Csc, Csc)> {
        self.matrices.as_ref()
    }

    /// Returns W and $H^T$ if they exist and W is symmetric.
    pub(super) fn symmetric(&self) -> Option<&(Csc, Csc)> {
        self.matrices.as_ref().filter(|_| self.is_symmetric)
    }

    /// Returns the Delassus matrix; NaN if W is singular.
    pub(super) fn delassus(&self) -> Array2<f64> {
        let Some((masses, h)) = &self.matrices else { unreachable!("the problem is posed with them") };
        let mut factors = FactoredMatrix::default();
        let is_regular = factors.factor_sum(&[(1.0, MatrixRef::from(masses))]).is_ok();
        let mut product = Array2::from_elem((h.columns(), h.columns()), f64::NAN);
        for (j, mut of_column) in product.columns_mut().into_iter().enumerate().filter(|_| is_regular) {
            let mut response = vec![0.0; masses.rows()];
            h.column(j).for_each(|(k, x)| response[k] = x);
            factors.solve(&mut response);
            let rows = of_column.iter_mut().enumerate();
            rows.for_each(|(i, entry)| *entry = h.column(i).map(|(k, x)| x * response[k]).sum());
        }
        product
    }

    /// Computes W and $H^T$ for the given rows. Returns `true` if these matrices exist.
    pub(super) fn assemble(
        &mut self,
        of: Blocks<'_>,
        systems: &Table<Block, impl Response>,
        rows: &[RowIndex],
    ) -> bool {
        self.matrices = self.assembled(of, systems, rows);
        self.is_symmetric = self.matrices.as_ref().is_some_and(|(w, _)| MatrixRef::from(w).is_symmetric());
        self.matrices.is_some()
    }

    fn assembled(
        &mut self,
        of: Blocks<'_>,
        systems: &Table<Block, impl Response>,
        rows: &[RowIndex],
    ) -> Option<(Csc, Csc)> {
        if !rows.iter().all(|&row| is_rigid(of, row)) {
            return None;
        }
        let Blocks { tables, coefficients, .. } = of;
        let Self { blocks, entries, .. } = self;
        blocks.clear();
        for &row in rows {
            let incidences = tables.incidences_of(tables.rows[row].interaction);
            blocks.extend(incidences.iter().map(|incidence| (incidence.block, 0)));
        }
        blocks.sort_unstable();
        blocks.dedup();
        entries.clear();
        let mut dofs = 0;
        for (block, first) in &mut *blocks {
            *first = dofs;
            let (w, weight) = systems[*block].matrix();
            if weight != 1.0 {
                return None;
            }
            w.for_each_entry(|i, j, x| entries.push((dofs + i, dofs + j, x)));
            dofs += tables.blocks[*block].dofs.len();
        }
        let w = Csc::from_triplets(dofs, dofs, entries.iter().copied()).ok()?;
        entries.clear();
        let first_of = |block: BlockIndex| {
            blocks.binary_search_by_key(&block, |(own, _)| *own).map_or(0, |place| blocks[place].1)
        };
        for (column, &row) in rows.iter().enumerate() {
            tables.row(coefficients.jacobian, row).for_each_entry(|block, within, x| {
                entries.push((first_of(block) + within, column, x));
            });
        }
        let h = Csc::from_triplets(dofs, rows.len(), entries.iter().copied()).ok()?;
        Some((w, h))
    }
}

/// Returns `true` if the reaction of a row acts along its Jacobian and affects its own contact only through
/// the motion of the bodies.
fn is_rigid(Blocks { tables, coefficients, h, .. }: Blocks<'_>, row: RowIndex) -> bool {
    let own = &tables.rows[row];
    let (_, divisor, weight) = coefficients.of(tables.kind(own.kind), h);
    let interaction = &tables.interactions[own.interaction];
    let of_interaction = interaction.rows;
    let entries = interaction.jacobian.range();
    // A joint in the model, also a removed one, creates separate reaction rows for all interactions; the
    // reaction rows of contacts are copies of their Jacobians.
    let acts_along_it = coefficients.reaction.is_empty()
        || coefficients.reaction[entries.clone()] == coefficients.jacobian[entries];
    acts_along_it
        && (divisor, weight) == (1.0, 1.0)
        && of_interaction.iter().all(|other| feedthrough(tables, coefficients.values, (row, other), h) == 0.0)
}
