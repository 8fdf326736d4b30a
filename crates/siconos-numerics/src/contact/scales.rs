//! Scales of a contact problem: the inverse mass that each block feels, and the free velocity.

use siconos_linalg::{Components, MatrixRef};

use super::{ContactLaw, DelassusProblem};

/// Factors that convert the reactions of a block to velocities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BlockScale {
    /// Inverse mass $d$ \[1/kg\]: the mean magnitude of the diagonal entries of W over the normal and
    /// tangential rows of the block.
    pub(crate) inverse_mass: f64,
    /// Characteristic length of rolling moments \[m\]: $\mu_r$ or, if $\mu_r = 0$, the radius of gyration
    /// that the block feels. It is 1 for laws without rolling friction.
    pub(crate) lever: f64,
    /// Upper bound of the magnitudes of the diagonal entries of W in the block \[1/kg\], with rolling rows
    /// and columns multiplied by $\mu_r$.
    pub(crate) largest: f64,
    /// Norm of the free velocities of the contacts that are coupled with this contact \[m/s\]. Violations of
    /// the law are divided by this norm.
    pub(crate) free_velocity: f64,
}

impl BlockScale {
    /// Computes the scale of a block. `diagonal` returns the diagonal entry of W of a row.
    pub(crate) fn of(law: &ContactLaw<'_>, block: usize, diagonal: impl Fn(usize) -> f64) -> Self {
        let mean_of = |rows: std::ops::Range<usize>| {
            let count = rows.len() as f64;
            rows.map(|row| diagonal(row).abs()).sum::<f64>() / count
        };
        let rows = law.rows_of_velocity(block);
        let inverse_mass = mean_of(rows.clone());
        let lever = match law {
            ContactLaw::Rolling { mu_rolling, .. } if mu_rolling[block] > 0.0 => mu_rolling[block],
            ContactLaw::Rolling { .. } => {
                let radius = (inverse_mass / mean_of(rows.end..law.range(block).end)).sqrt();
                if radius > 0.0 && radius.is_finite() { radius } else { 1.0 }
            }
            _ => 1.0,
        };
        let mut largest = inverse_mass * rows.len() as f64;
        if let ContactLaw::Rolling { mu_rolling, .. } = law {
            let turning = rows.end..law.range(block).end;
            largest =
                largest.max(mu_rolling[block].powi(2) * turning.map(|row| diagonal(row).abs()).sum::<f64>());
        }
        Self { inverse_mass, lever, largest, free_velocity: 1.0 }
    }
}

/// Scales for the error of a contact problem. They are computed once per problem, in a workspace that is
/// reused.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Scales {
    blocks: Vec<BlockScale>,
    free_velocity: f64,
    /// Mean of the nonzero inverse masses; 1 if all inverse masses are zero.
    mean: f64,
    diagonal: Vec<f64>,
    free_velocities: FreeVelocities,
    /// Contacts whose bodies no reaction can move: the normal row of W is zero.
    immovable: Vec<usize>,
}

impl Scales {
    /// Computes the scales of a problem.
    pub(crate) fn prepare(&mut self, problem: &DelassusProblem<'_>) {
        let mut diagonal = std::mem::take(&mut self.diagonal);
        diagonal.clear();
        diagonal.resize(problem.size(), 0.0);
        problem.w().copy_diagonal(&mut diagonal);
        self.prepare_from(problem, |row| diagonal[row]);
        self.diagonal = diagonal;
    }

    /// Computes the scales of a problem. `diagonal` returns the diagonal entry of W of a row.
    pub(crate) fn prepare_from(&mut self, problem: &DelassusProblem<'_>, diagonal: impl Fn(usize) -> f64) {
        let law = problem.law();
        let vanishes = |row: usize| diagonal(row) == 0.0 && row_vanishes(&problem.w(), row);
        self.prepare_by(&law, problem.q(), &diagonal, vanishes, |components| {
            components.begin(law.blocks());
            match law.uniform_dimension() {
                Some(dimension) => components.join_coupled(problem.w(), |row| row / dimension),
                None => components.join_coupled(problem.w(), |row| law.block_of(row)),
            }
        });
    }

    /// Computes the scales from three functions. `diagonal` returns the diagonal entry of W of a row.
    /// `vanishes` returns `true` if a row of W is zero. `couple` joins elements that are coupled into sets;
    /// the first elements must be the contacts.
    pub(super) fn prepare_by(
        &mut self,
        law: &ContactLaw<'_>,
        q: &[f64],
        diagonal: impl Fn(usize) -> f64,
        vanishes: impl Fn(usize) -> bool,
        couple: impl FnOnce(&mut Components),
    ) {
        self.immovable.clear();
        // With friction and q_N >= 0, the shifted velocity is in the dual cone whatever the sliding velocity,
        // so the reaction can be 0. In a second-order cone with several rows, the other rows can need a
        // reaction. If the first entry of q is negative, no reaction solves the block.
        let is_friction = law.has_shift();
        let unmoved = (0..law.blocks()).filter(|&block| {
            let row = law.range(block).start;
            let is_held = is_friction || law.range(block).len() == 1 || q[row] < 0.0;
            is_held && vanishes(row)
        });
        self.immovable.extend(unmoved);
        self.mean = scale_blocks(law, diagonal, &mut self.blocks);
        couple(&mut self.free_velocities.components);
        self.free_velocity = self.free_velocities.write(law, q, &mut self.blocks);
    }

    /// Returns the scale of each block.
    pub(crate) fn blocks(&self) -> &[BlockScale] {
        &self.blocks
    }

    /// Returns the contacts whose bodies no reaction can move: the normal row of W is zero, and the reaction
    /// is 0 if a solution exists.
    pub(crate) fn immovable(&self) -> &[usize] {
        &self.immovable
    }

    /// Returns the mean of the nonzero inverse masses \[1/kg\].
    pub(crate) fn mean_inverse_mass(&self) -> f64 {
        self.mean
    }

    /// Returns the free velocity of the whole problem \[m/s\].
    pub(crate) fn free_velocity(&self) -> f64 {
        self.free_velocity
    }
}

/// Free velocities of independent sets of contacts.
///
/// The free velocity of a set is the norm of the free velocities of the contacts of the set that have to
/// close. A contact that opens without a reaction does not count, however large its velocity is. If no
/// contact of a set has to close, or if the norm is at the level of rounding errors, the set takes the free
/// velocity of the whole problem. If no contact of the whole problem has to close, its free velocity is the
/// norm of all free velocities.
#[derive(Clone, Debug, Default, PartialEq)]
struct FreeVelocities {
    /// Sets of coupled contacts, written by the caller.
    components: Components,
    squares: Vec<Squares>,
}

/// Fraction of the norm of all free velocities below which a free velocity counts as a rounding error.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Sums of the squares of the free velocities in a set of contacts: over the contacts that have to close, and
/// over all contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Squares {
    closing: f64,
    all: f64,
}

impl Squares {
    fn add(&mut self, other: Self) {
        self.closing += other.closing;
        self.all += other.all;
    }

    fn size(self) -> f64 {
        if self.closing > 0.0 { self.closing.sqrt() } else { self.all.sqrt() }
    }
}

impl FreeVelocities {
    /// Writes to each block the free velocity of its set, and returns the free velocity of the whole problem.
    fn write(&mut self, law: &ContactLaw<'_>, q: &[f64], blocks: &mut [BlockScale]) -> f64 {
        let Self { components, squares } = self;
        components.number();
        squares.clear();
        squares.resize(components.count(), Squares::default());
        for (block, label) in components.labels().iter().take(law.blocks()).enumerate() {
            let all = free_velocity_square(law, block, q);
            let closing = if law.is_open(block, &q[law.range(block)]) { 0.0 } else { all };
            squares[*label].add(Squares { closing, all });
        }
        let mut whole = Squares::default();
        squares.iter().for_each(|one| whole.add(*one));
        let rounding = ROUNDING * whole.all.sqrt();
        for (scale, label) in blocks.iter_mut().zip(components.labels()) {
            let closing = squares[*label].closing.sqrt();
            scale.free_velocity = if closing > rounding { closing } else { whole.size() };
        }
        whole.size()
    }
}

/// Computes the scales of all blocks. `diagonal` returns the diagonal entry of W of a row. Returns the mean
/// of the nonzero inverse masses (1 if all are zero). This mean also replaces inverse masses that are zero.
pub(super) fn scale_blocks(
    law: &ContactLaw<'_>,
    diagonal: impl Fn(usize) -> f64,
    blocks: &mut Vec<BlockScale>,
) -> f64 {
    blocks.clear();
    let (mut sum, mut movable) = (0.0, 0.0);
    for block in 0..law.blocks() {
        let scale = BlockScale::of(law, block, &diagonal);
        sum += scale.inverse_mass;
        movable += f64::from(u8::from(scale.inverse_mass > 0.0));
        blocks.push(scale);
    }
    let mean = if sum > 0.0 && sum.is_finite() { sum / movable } else { 1.0 };
    // Reactions between bodies that no reaction can move are scaled like the reactions of the other contacts.
    let unmoved = blocks.iter_mut().filter(|scale| scale.inverse_mass == 0.0);
    unmoved.for_each(|scale| scale.inverse_mass = mean);
    mean
}

/// Returns the square of the free velocity of a block, with rolling rows multiplied by $\mu_r$.
fn free_velocity_square(law: &ContactLaw<'_>, block: usize, q: &[f64]) -> f64 {
    let (all, velocities) = (law.range(block), law.rows_of_velocity(block));
    let lever = law.mu_rolling().map_or(1.0, |mu| mu[block]);
    let turning = q[velocities.end..all.end].iter().map(|q| lever * q);
    q[velocities].iter().copied().chain(turning).map(|q| q * q).sum()
}

/// Returns `true` if all entries of a row are zero.
fn row_vanishes(w: &MatrixRef<'_>, row: usize) -> bool {
    match w {
        MatrixRef::Dense(a) => a.row(row).iter().all(|x| *x == 0.0),
        MatrixRef::Diagonal(d) => d[row] == 0.0,
        MatrixRef::BlockCsr(a) => {
            let block_row = a.row_starts().partition_point(|start| *start <= row) - 1;
            let first = a.row_starts()[block_row];
            a.block_row(block_row).blocks().all(|(_, block)| block.row(row - first).iter().all(|x| *x == 0.0))
        }
        MatrixRef::Csc(a) => (0..a.columns()).all(|column| a.get(row, column) == 0.0),
    }
}
