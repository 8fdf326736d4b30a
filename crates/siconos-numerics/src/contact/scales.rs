//! Scales of a contact problem: the inverse mass of each block, and the free velocity of each set of
//! contacts.

use siconos_linalg::{Components, MatrixRef};

use super::{ContactLaw, DelassusProblem};

/// Scales of a block, which convert its reactions to velocities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BlockScale {
    /// Inverse mass $d$ \[1/kg\]: the mean magnitude of the diagonal entries of W in the normal and
    /// tangential rows of the block.
    pub(crate) inverse_mass: f64,
    /// Characteristic length of rolling moments \[m\]: $\mu_r$ or, if $\mu_r = 0$, the radius of gyration
    /// $(d / W_{RR})^{1/2}$. It is 1 for laws without rolling friction.
    pub(crate) lever: f64,
    /// Upper bound of the magnitudes of the diagonal entries of W in the block \[1/kg\], after multiplication
    /// of rolling rows and columns by $\mu_r$.
    pub(crate) largest: f64,
    /// Norm \[m/s\] of the free velocities of all contacts that are coupled with this contact. The violation
    /// of the law is divided by this norm.
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

/// Scales for the error of a contact problem. They are computed once per problem.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Scales {
    blocks: Vec<BlockScale>,
    free_velocity: f64,
    /// Mean of the nonzero inverse masses \[1/kg\], or 1 if all inverse masses are zero.
    mean: f64,
    diagonal: Vec<f64>,
    free_velocities: FreeVelocities,
    /// Contacts between bodies that no reaction can move. The normal rows of W of these contacts are zero.
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
    /// `vanishes` returns `true` if a row of W is zero. `couple` joins coupled elements into sets. The
    /// elements with the lowest indices must be the contacts; further elements can follow.
    pub(super) fn prepare_by(
        &mut self,
        law: &ContactLaw<'_>,
        q: &[f64],
        diagonal: impl Fn(usize) -> f64,
        vanishes: impl Fn(usize) -> bool,
        couple: impl FnOnce(&mut Components),
    ) {
        self.immovable.clear();
        // With friction and q_N >= 0, a zero reaction satisfies the law for every sliding velocity, because
        // the shifted velocity is in the dual cone. In a second-order cone with several rows, the other rows
        // can need a reaction. If q_N is negative, no reaction solves the block.
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

    /// Returns the scales of all blocks.
    pub(crate) fn blocks(&self) -> &[BlockScale] {
        &self.blocks
    }

    /// Returns the contacts between bodies that no reaction can move. Their normal row of W is zero, and
    /// their reaction is 0 if a solution exists.
    pub(crate) fn immovable(&self) -> &[usize] {
        &self.immovable
    }

    /// Returns the mean of the nonzero inverse masses \[1/kg\].
    pub(crate) fn mean_inverse_mass(&self) -> f64 {
        self.mean
    }

    /// Returns the free velocity \[m/s\] of the whole problem.
    pub(crate) fn free_velocity(&self) -> f64 {
        self.free_velocity
    }
}

/// Free velocities of independent sets of contacts.
///
/// The free velocity of a set is the norm of q over its closing contacts, which are the contacts that violate
/// their law if their reaction is zero. A contact that opens without a reaction is ignored, however large its
/// velocity is. If a set has no closing contact, or if its norm is at the level of rounding errors, the free
/// velocity of the whole problem is used for this set. If the whole problem has no closing contact, its free
/// velocity is the norm of q.
#[derive(Clone, Debug, Default, PartialEq)]
struct FreeVelocities {
    /// Sets of coupled contacts. The caller writes them.
    components: Components,
    squares: Vec<Squares>,
}

/// A free velocity below this fraction of the norm of q is treated as a rounding error.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Sums of the squares of the free velocities in a set of contacts: over the closing contacts, and over all
/// contacts.
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
    /// Writes the free velocity of each set to its blocks, and returns the free velocity of the whole
    /// problem.
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
/// of the nonzero inverse masses, or 1 if all are zero. Inverse masses that are zero are replaced by this
/// mean.
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
    // Contacts between immovable bodies get the mean scale of the other contacts.
    let unmoved = blocks.iter_mut().filter(|scale| scale.inverse_mass == 0.0);
    unmoved.for_each(|scale| scale.inverse_mass = mean);
    mean
}

/// Returns the square of the free velocity of a block. Rolling components are multiplied by $\mu_r$.
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
