//! Storage of the matrix of an island, and the decision whether the matrix is formed.

use super::class::ProblemClass;
use super::couplings::Couplings;
use super::fullness::EntryCounts;
use super::islands::Island;
use super::solvers::SolverEntry;
use super::table_entries::UnitaryIndex;
use super::tables::Tables;

/// Storage in which the matrix is assembled. If the solver supports both storage formats, small matrices and
/// matrices with a large fraction of nonzero blocks are dense.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Storage {
    #[default]
    Dense,
    Blocks,
    /// The matrix is not formed; the solver gets the body matrices W and H instead.
    Bodies,
}

/// Maximum number of rows at which dense storage is cheaper than storage by block rows.
const LARGEST_DENSE: usize = 32;

/// Maximum fraction of nonzero blocks for block storage. Matrices with a larger fraction are stored dense.
const WELL_FILLED: f64 = 0.25;

/// Minimum number of rows at which the solver of contacts with friction gets the body matrices. Smaller
/// problems are solved faster with the Delassus matrix.
pub(super) const FEWEST_WITH_MOTION: usize = 600;

/// Ratio above which the Delassus matrix is not formed. The ratio is the number of entries of the Delassus
/// matrix divided by the number of entries of W, H and the responses. Sweeps in velocity space read W, H and
/// the responses, and methods that factorise need only W and H. The larger limit `FULL_AND_CONSTANT` applies
/// if the matrix is formed once for all steps. If a body has more degrees of freedom than contacts, its
/// responses have as many entries as the Delassus matrix, which is then formed.
const FULL: usize = 16;
const FULL_AND_CONSTANT: usize = 32;

impl Storage {
    /// Returns the storage of a Delassus matrix with the given couplings.
    pub(super) fn of_delassus(couplings: &Couplings, solver: &SolverEntry) -> Self {
        let blocks = solver.takes_blocks && (couplings.rows().len() > LARGEST_DENSE || !solver.takes_dense);
        let blocks = blocks && (!solver.takes_dense || couplings.fill() <= WELL_FILLED);
        if blocks { Self::Blocks } else { Self::Dense }
    }

    /// Returns `true` if the problem of an island, which is of the given class, should use the body matrices
    /// instead of the Delassus matrix; `memory` is a workspace.
    pub(super) fn suits_bodies(
        tables: &Tables,
        island: &Island,
        class: ProblemClass,
        memory: &mut Vec<usize>,
    ) -> bool {
        let ProblemClass::Contact { size, .. } = class else { return false };
        if island.members.len() * size < FEWEST_WITH_MOTION {
            return false;
        }
        // The shift of cohesive contacts is multiplied by the Delassus matrix, which must then exist.
        let law = |&member: &UnitaryIndex| &tables.interactions[tables.unitary[member].interaction].law;
        if island.members.iter().any(|member| law(member).cohesion() != 0.0) {
            return false;
        }
        let found = EntryCounts::of(tables, island, memory);
        let full = if island.is_constant { FULL_AND_CONSTANT } else { FULL };
        found.of_delassus / full > found.of_systems + found.of_jacobians + found.of_responses
    }
}
