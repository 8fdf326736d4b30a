//! In which form the matrix of an island is, and whether it is there at all.

use super::class::ProblemClass;
use super::couplings::Couplings;
use super::fullness::Fullness;
use super::islands::Island;
use super::solvers::Entry;
use super::table_entries::UnitaryPlace;
use super::tables::Tables;

/// The storage in which the matrix is assembled. Where the solver takes both, few unknowns and well-filled
/// matrices go with all their entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Storage {
    #[default]
    Dense,
    Blocks,
    /// Not at all: the bodies stand for it.
    Bodies,
}

/// Up to this size block rows cost more than they save.
const LARGEST_DENSE: usize = 32;

/// A matrix with more than this part of its entries in blocks is better off with all of them.
const WELL_FILLED: f64 = 0.25;

/// The bodies behind contacts with friction are told to the solver from this number of rows on: below, it is
/// done with the Delassus matrix before that pays.
pub(super) const FEWEST_WITH_MOTION: usize = 600;

/// A Delassus matrix with that many times the entries of W, H and the responses is not formed: sweeps in the
/// velocities read these, and methods that factorise need W and H alone. Where it is formed once for all
/// steps, it may have more. Responses of a body with more freedoms than contacts are as full as the matrix,
/// which then is formed.
const FULL: usize = 16;
const FULL_AND_CONSTANT: usize = 32;

impl Storage {
    /// The storage of a Delassus matrix with these couplings.
    pub(super) fn of_delassus(couplings: &Couplings, solver: &Entry) -> Self {
        let blocks = solver.takes_blocks && (couplings.rows().len() > LARGEST_DENSE || !solver.takes_dense);
        let blocks = blocks && (!solver.takes_dense || couplings.fill() <= WELL_FILLED);
        if blocks { Self::Blocks } else { Self::Dense }
    }

    /// Whether an island of one class is better off with its bodies in the place of its Delassus matrix;
    /// `memory` is lent.
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
        // The shift of cohesive contacts is multiplied by the Delassus matrix.
        let law = |&member: &UnitaryPlace| &tables.interactions[tables.unitary[member].interaction].law;
        if island.members.iter().any(|member| law(member).cohesion() != 0.0) {
            return false;
        }
        let found = Fullness::of(tables, island, memory);
        let full = if island.is_constant { FULL_AND_CONSTANT } else { FULL };
        found.of_delassus / full > found.of_systems + found.of_jacobians + found.of_responses
    }
}
