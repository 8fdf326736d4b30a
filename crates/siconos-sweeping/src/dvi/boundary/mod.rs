//! Modules of the boundary value problem: conditions, equations, matrix and grids.

pub(super) mod assembly;
pub(super) mod conditions;
pub(super) mod evaluation;
pub(super) mod grids;
pub(super) mod law;
pub(super) mod layout;
pub(super) mod scales;
pub(super) mod system;
pub(super) mod units;
