//! Laws of the rows or blocks of a one-step problem, in the form required by the class of its solver.

use ndarray::{Array2, s};
use siconos_numerics::contact::ContactLaw;
use siconos_numerics::gmp::MechanicalLaw;
use siconos_numerics::mlcp::MlcpRow;

use super::couplings::Couplings;
use super::solver::ClassSolver;
use super::tables::Tables;
use crate::model::{At, ModelError, NonSmoothLaw, RelationId, RowLaw};

/// Laws in the form of a problem class. Only the fields that the solver needs are filled.
#[derive(Clone, Debug, Default)]
pub(super) struct Laws {
    /// Rows of a mixed complementarity problem.
    pub(super) rows: Vec<MlcpRow>,
    /// Bounds of a relay problem.
    pub(super) lower: Vec<f64>,
    pub(super) upper: Vec<f64>,
    /// Constraints of an affine variational inequality: polyhedron * z >= faces.
    pub(super) polyhedron: Array2<f64>,
    pub(super) faces: Vec<f64>,
    pub(super) multipliers: Vec<f64>,
    /// Coefficients of friction of contacts, or slopes of cones. `starts` contains the index of the first row
    /// of each cone.
    pub(super) slopes: Vec<f64>,
    /// Coefficients of rolling friction, if the contacts have it.
    pub(super) rolling: Vec<f64>,
    pub(super) starts: Vec<usize>,
    /// Shift of the unknowns due to cohesion: the cohesion c times the step length h in the first row of each
    /// block, and 0 in other rows. Empty if no law has cohesion.
    pub(super) shift: Vec<f64>,
    /// Laws of the blocks of a problem with different laws.
    blocks: Vec<MechanicalLaw>,
    /// Laws of the blocks in the units of the scaled problem, if the laws depend on units.
    own_blocks: Vec<MechanicalLaw>,
    /// Step length for which the laws were written. If the unknown is h lambda, its bounds depend on the step
    /// length.
    h: f64,
    /// `true` if a bound is a function of time.
    pub(super) depends_on_time: bool,
    valid: bool,
}

/// One block of the problem.
#[derive(Clone, Copy)]
struct Block<'a> {
    relation: RelationId,
    law: &'a NonSmoothLaw,
    size: usize,
    /// Ratio of the unknown to the multiplier of the law.
    scale: f64,
    /// Time at which the law is imposed.
    at: At<'a>,
}

impl Laws {
    /// Marks the laws as outdated after a change of the index set.
    pub(super) fn invalidate(&mut self) {
        self.valid = false;
    }

    pub(super) fn are_valid_for(&self, h: f64) -> bool {
        self.valid && !self.depends_on_time && self.h == h
    }

    /// Writes the laws of all members of an island.
    pub(super) fn describe(
        &mut self,
        chosen: &ClassSolver,
        tables: &Tables,
        couplings: &Couplings,
        begin: At<'_>,
        end: At<'_>,
        h: f64,
    ) -> Result<(), (RelationId, ModelError)> {
        let blocks = couplings.members().iter().zip(couplings.sizes()).map(|(&member, size)| {
            let entry = &tables.interactions[tables.unitary[member].interaction];
            let kind = tables.kind(entry.kind);
            let scale = match kind.weights() {
                Some(weights) => weights.scale(h),
                None if kind.is_force => h,
                None => 1.0,
            };
            let at = kind.at_law(begin, end);
            Block { relation: entry.id, law: &entry.law, size, scale, at }
        });
        self.depends_on_time = blocks
            .clone()
            .any(|block| matches!(block.law, NonSmoothLaw::Relay(law) if law.depends_on_time()));
        (self.h, self.valid) = (h, true);
        self.write_shift(blocks.clone(), h);
        match chosen {
            ClassSolver::Lcp(_) => {}
            ClassSolver::Mlcp(_) | ClassSolver::Eliminated(_) => {
                self.rows.clear();
                for block in blocks {
                    let equalities = block.law.equalities();
                    self.rows.extend(std::iter::repeat_n(MlcpRow::Equality, equalities));
                    self.rows.extend(std::iter::repeat_n(MlcpRow::Complementarity, block.size - equalities));
                }
            }
            ClassSolver::Relay(_) => self.write_bounds(blocks)?,
            ClassSolver::Avi(_) => {
                self.write_bounds(blocks.clone())?;
                self.write_polyhedron(blocks);
            }
            ClassSolver::Contact(_) => {
                self.slopes.clear();
                self.rolling.clear();
                for law in blocks.filter_map(|block| block.law.friction()) {
                    self.slopes.push(law.mu());
                    self.rolling.extend(law.mu_rolling());
                }
            }
            ClassSolver::Cones(_) => self.write_cones(blocks),
            ClassSolver::Gmp(_) => {
                self.write_bounds(blocks.clone())?;
                self.write_blocks(blocks);
            }
        }
        Ok(())
    }

    /// Returns the law of contacts with `dimension` components, with or without rolling friction.
    pub(super) fn of_contacts(&self, dimension: usize, rolling: bool) -> ContactLaw<'_> {
        let (mu, mu_rolling) = (&self.slopes[..], &self.rolling[..]);
        match rolling {
            true => ContactLaw::Rolling { dimension, mu, mu_rolling },
            false => ContactLaw::Coulomb { dimension, mu },
        }
    }

    /// Returns the laws of blocks for scaled unknowns. Bounds are scaled because they have the unit of the
    /// unknowns, and coefficients of rolling friction because they are lengths.
    pub(super) fn blocks_in(&mut self, units: &[f64]) -> &[MechanicalLaw] {
        let has_unit = |law: &MechanicalLaw| {
            use MechanicalLaw::{Relay, Rolling3, Rolling5};
            matches!(law, Relay { .. } | Rolling3 { .. } | Rolling5 { .. })
        };
        if !self.blocks.iter().any(has_unit) {
            return &self.blocks;
        }
        self.own_blocks.truncate(self.blocks.len());
        let missing = self.own_blocks.len();
        self.own_blocks.extend_from_slice(&self.blocks[missing..]);
        let mut first = 0;
        for (own, law) in self.own_blocks.iter_mut().zip(&self.blocks) {
            let units = &units[first..first + law.size()];
            first += units.len();
            put_into_units(law, units, own);
        }
        &self.own_blocks
    }

    /// Writes the laws of a mixed complementarity problem; `is_equality` contains one entry for each row.
    pub(super) fn describe_mixed(&mut self, is_equality: impl Iterator<Item = bool>) {
        self.valid = false;
        self.shift.clear();
        self.rows.clear();
        let row = |is_equality| if is_equality { MlcpRow::Equality } else { MlcpRow::Complementarity };
        self.rows.extend(is_equality.map(row));
    }

    /// Writes the laws of a linear complementarity problem of n rows, for any solver.
    pub(super) fn describe_complementarity(&mut self, n: usize) {
        // The laws of interactions must be written again afterwards.
        self.valid = false;
        self.shift.clear();
        self.rows.clear();
        self.rows.resize(n, MlcpRow::Complementarity);
        for (bounds, value) in
            [(&mut self.lower, 0.0), (&mut self.upper, f64::INFINITY), (&mut self.faces, 0.0)]
        {
            bounds.clear();
            bounds.resize(n, value);
        }
        if self.polyhedron.dim() != (n, n) {
            self.polyhedron = Array2::zeros((n, n));
        }
        self.polyhedron.fill(0.0);
        self.polyhedron.diag_mut().fill(1.0);
        self.multipliers.clear();
        self.multipliers.resize(n, 0.0);
        self.blocks.clear();
        self.blocks.push(MechanicalLaw::Complementarity { size: n });
    }

    fn write_shift<'a>(&mut self, blocks: impl Iterator<Item = Block<'a>> + Clone, h: f64) {
        self.shift.clear();
        if blocks.clone().all(|block| block.law.cohesion() == 0.0) {
            return;
        }
        for block in blocks {
            let first = self.shift.len();
            self.shift.resize(first + block.size, 0.0);
            if block.law.cohesion() != 0.0 {
                self.shift[first] = block.law.cohesion() * h;
            }
        }
    }

    /// Writes bounds for every row. The bounds of equalities and of the rows of a polyhedron are infinite on
    /// both sides.
    fn write_bounds<'a>(
        &mut self,
        blocks: impl Iterator<Item = Block<'a>>,
    ) -> Result<(), (RelationId, ModelError)> {
        self.lower.clear();
        self.upper.clear();
        for block in blocks {
            let start = self.lower.len();
            self.lower.resize(start + block.size, 0.0);
            self.upper.resize(start + block.size, f64::INFINITY);
            let (lower, upper) = (&mut self.lower[start..], &mut self.upper[start..]);
            match block.law {
                NonSmoothLaw::Relay(law) => {
                    law.bounds_into(block.at, lower, upper).map_err(|error| (block.relation, error))?;
                    for bound in lower.iter_mut().chain(upper) {
                        *bound *= block.scale;
                    }
                }
                NonSmoothLaw::NormalCone(_) => lower.fill(f64::NEG_INFINITY),
                _ => lower[..block.law.equalities()].fill(f64::NEG_INFINITY),
            }
        }
        Ok(())
    }

    /// Writes the inequalities of polyhedra and of finite bounds.
    fn write_polyhedron<'a>(&mut self, blocks: impl Iterator<Item = Block<'a>> + Clone) {
        let bounds = self.lower.iter().chain(&self.upper).filter(|bound| bound.is_finite()).count();
        let of_polyhedra: usize = blocks
            .clone()
            .map(|block| match block.law {
                NonSmoothLaw::NormalCone(law) => law.polyhedron().k().len(),
                _ => 0,
            })
            .sum();
        // Time-dependent bounds are written again in every step, in place.
        let shape = (of_polyhedra + bounds, self.lower.len());
        if self.polyhedron.dim() == shape {
            self.polyhedron.fill(0.0);
        } else {
            self.polyhedron = Array2::zeros(shape);
        }
        self.faces.clear();
        let mut column = 0;
        for block in blocks {
            if let NonSmoothLaw::NormalCone(law) = block.law {
                let row = self.faces.len();
                let place = s![row..row + law.polyhedron().k().len(), column..column + block.size];
                self.polyhedron.slice_mut(place).assign(&law.polyhedron().h());
                self.faces.extend(law.polyhedron().k().iter().map(|k| k * block.scale));
            }
            column += block.size;
        }
        for (column, (&lower, &upper)) in self.lower.iter().zip(&self.upper).enumerate() {
            for (sign, bound) in [(1.0, lower), (-1.0, upper)] {
                if bound.is_finite() {
                    self.polyhedron[[self.faces.len(), column]] = sign;
                    self.faces.push(sign * bound);
                }
            }
        }
        self.multipliers.clear();
        self.multipliers.resize(self.faces.len(), 0.0);
    }

    fn write_cones<'a>(&mut self, blocks: impl Iterator<Item = Block<'a>>) {
        self.starts.clear();
        self.starts.push(0);
        let mut end = 0;
        for block in blocks {
            let mut push = |size: usize| {
                end += size;
                self.starts.push(end);
            };
            match block.law {
                NonSmoothLaw::Cone(law) => law.cones().iter().for_each(|&size| push(size)),
                _ => (0..block.size).for_each(|_| push(1)),
            }
        }
        self.slopes.clear();
        self.slopes.resize(self.starts.len() - 1, 1.0);
    }

    fn write_blocks<'a>(&mut self, blocks: impl Iterator<Item = Block<'a>>) {
        let (mut start, mut count) = (0, 0);
        for block in blocks {
            let rows = start..start + block.size;
            start = rows.end;
            let place = count;
            count += 1;
            if block.has_bounds()
                && let Some(MechanicalLaw::Relay { lower, upper }) = self.blocks.get_mut(place)
            {
                // Time-dependent bounds are written again in every step, in place.
                lower.clear();
                lower.extend_from_slice(&self.lower[rows.clone()]);
                upper.clear();
                upper.extend_from_slice(&self.upper[rows]);
                continue;
            }
            let law = match block.law.friction() {
                Some(law) => match (law.dimension(), law.mu(), law.mu_rolling()) {
                    (2, mu, None) => MechanicalLaw::Friction2 { mu },
                    (_, mu, None) => MechanicalLaw::Friction3 { mu },
                    (2, mu, Some(mu_rolling)) => MechanicalLaw::Rolling3 { mu, mu_rolling },
                    (_, mu, Some(mu_rolling)) => MechanicalLaw::Rolling5 { mu, mu_rolling },
                },
                _ if block.law.equalities() == block.size => MechanicalLaw::Equality { size: block.size },
                _ if block.has_bounds() => MechanicalLaw::Relay {
                    lower: self.lower[rows.clone()].to_vec(),
                    upper: self.upper[rows].to_vec(),
                },
                _ => MechanicalLaw::Complementarity { size: block.size },
            };
            match self.blocks.get_mut(place) {
                Some(before) => *before = law,
                None => self.blocks.push(law),
            }
        }
        self.blocks.truncate(count);
    }
}

/// Writes a law for scaled unknowns, and reuses the memory of the previous law.
fn put_into_units(law: &MechanicalLaw, units: &[f64], own: &mut MechanicalLaw) {
    match (law, &mut *own) {
        (
            MechanicalLaw::Relay { lower, upper },
            MechanicalLaw::Relay { lower: own_lower, upper: own_upper },
        ) => {
            own_lower.clone_from(lower);
            own_upper.clone_from(upper);
        }
        _ => own.clone_from(law),
    }
    match own {
        MechanicalLaw::Relay { lower, upper } => {
            for bounds in [lower, upper] {
                bounds.iter_mut().zip(units).for_each(|(bound, unit)| *bound /= unit);
            }
        }
        MechanicalLaw::Rolling3 { mu_rolling, .. } | MechanicalLaw::Rolling5 { mu_rolling, .. } => {
            if let [first, .., last] = units {
                *mu_rolling *= first / last;
            }
        }
        _ => {}
    }
}

impl Block<'_> {
    /// Returns `true` if the law of the block is written as bounds in a problem with different laws.
    fn has_bounds(&self) -> bool {
        let rows = self.law.description().rows;
        matches!(rows, RowLaw::Box | RowLaw::Mixed) && self.law.equalities() < self.size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scaled law does not depend on the law that was in its place before.
    #[test]
    fn laws_are_scaled_whatever_they_replace() {
        let relay = MechanicalLaw::Relay { lower: vec![-1.0, -2.0], upper: vec![3.0, 4.0] };
        let rolling = MechanicalLaw::Rolling5 { mu: 0.5, mu_rolling: 0.25 };
        let scaled_relay = MechanicalLaw::Relay { lower: vec![-0.25, -1.0], upper: vec![0.75, 2.0] };
        let scaled_rolling = MechanicalLaw::Rolling5 { mu: 0.5, mu_rolling: 1.0 };
        let joint = MechanicalLaw::Equality { size: 2 };
        let cases = [
            (&relay, &[4.0, 2.0][..], &scaled_relay),
            (&rolling, &[8.0, 8.0, 8.0, 2.0, 2.0], &scaled_rolling),
            (&joint, &[4.0, 2.0], &joint),
        ];
        for (law, units, expected) in cases {
            for before in [&relay, &rolling, &joint] {
                let mut own = before.clone();
                put_into_units(law, units, &mut own);
                assert_eq!(&own, expected, "after {before:?}");
            }
        }
    }
}
