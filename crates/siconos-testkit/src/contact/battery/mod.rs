//! A standing battery: some three thousand random contact problems of 1 to 20 contacts, in families, each
//! with a planted solution or with a certificate that there is none.
//!
//! | kind | matrix | bodies |
//! |---|---|---|
//! | definite | full rank, symmetric | equal masses |
//! | hyperstatic | about half the rank | equal masses |
//! | skew, skew hyperstatic | the same with gyroscopic terms | equal masses |
//! | heavy, heavy hyperstatic | the same without them | half of the bodies a million times as heavy |
//! | rolling, rolling hyperstatic | with rolling rows | radii of a thousandth, one and a thousand |
//! | cones | full or half rank, symmetric or not | second-order cones of 1 to 6 components, no friction |
//! | immovable | full or half rank | some contacts are between bodies that nothing moves |
//! | infeasible | any | a set of contacts squeezes something: there is no solution |
//!
//! Each kind comes with each of the coefficients of [`COEFFICIENTS`]. Masses and velocities are multiplied by
//! random powers of two, the storage is dense, in block rows or in columns. A problem follows from its number
//! alone.

mod bodies;
mod infeasible;
mod operator;
mod point;

use ndarray::Array2;
use siconos_linalg::{BlockCsr, Csc, Matrix, MatrixRef};
use siconos_numerics::contact::ContactLawData;

use self::bodies::{Bodies, Masses};
use crate::contact::cones;
use crate::random::RandomState;

/// The coefficients of friction (of the slope, for cones).
pub const COEFFICIENTS: [f64; 7] = [0.0, 1e-12, 0.3, 1.0, 10.0, 1e6, f64::INFINITY];

/// Problems of each family.
const PER_FAMILY: usize = 39;

/// What the problems of a family have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Family {
    /// What they are like.
    pub kind: Kind,
    /// Their coefficient of friction.
    pub mu: f64,
}

/// What the problems of a family are like; see the table of the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Full rank, symmetric.
    Definite,
    /// About half the rank.
    Hyperstatic,
    /// Full rank with gyroscopic terms.
    Skew,
    /// About half the rank with gyroscopic terms.
    SkewHyperstatic,
    /// Full rank, two scales of mass.
    Heavy,
    /// About half the rank, two scales of mass.
    HeavyHyperstatic,
    /// Rolling friction on three scales of length, full rank.
    Rolling,
    /// Rolling friction on three scales of length, about half the rank.
    RollingHyperstatic,
    /// Second-order cones.
    Cones,
    /// With contacts that nothing moves.
    Immovable,
    /// Without a solution.
    Infeasible,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 11] = [
        Self::Definite,
        Self::Hyperstatic,
        Self::Skew,
        Self::SkewHyperstatic,
        Self::Heavy,
        Self::HeavyHyperstatic,
        Self::Rolling,
        Self::RollingHyperstatic,
        Self::Cones,
        Self::Immovable,
        Self::Infeasible,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Definite => "definite",
            Self::Hyperstatic => "hyperstatic",
            Self::Skew => "skew",
            Self::SkewHyperstatic => "skew hyperstatic",
            Self::Heavy => "heavy",
            Self::HeavyHyperstatic => "heavy hyperstatic",
            Self::Rolling => "rolling",
            Self::RollingHyperstatic => "rolling hyperstatic",
            Self::Cones => "cones",
            Self::Immovable => "immovable",
            Self::Infeasible => "infeasible",
        }
    }
}

/// A problem of the battery.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// Its number.
    pub number: usize,
    /// Its family.
    pub family: Family,
    /// The Delassus matrix, in the storage that solvers get.
    pub w: Matrix,
    /// The free velocity.
    pub q: Vec<f64>,
    /// The law.
    pub law: ContactLawData,
    /// What is known of its solutions.
    pub known: Known,
    /// Whether W has full rank.
    pub has_full_rank: bool,
    /// What the matrix is made of.
    bodies: Bodies,
}

/// What is known of the solutions of a problem.
#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    /// This is one, to rounding in q.
    Solution(Vec<f64>),
    /// There is none: $y \ge 0$ in the normal rows, with $W^T y = 0$ exactly and $y^T q < 0$, so that no
    /// reaction makes all normal velocities of y at or above 0.
    Infeasible(Vec<f64>),
}

/// How many problems there are.
#[must_use]
pub fn count() -> usize {
    families().len() * PER_FAMILY
}

/// Every family, in the order of the numbers: problem k is of family k modulo their number.
#[must_use]
pub fn families() -> Vec<Family> {
    Kind::ALL.into_iter().flat_map(|kind| COEFFICIENTS.map(|mu| Family { kind, mu })).collect()
}

/// The problem of that number.
///
/// # Panics
///
/// When there is none, [`count`] or above.
#[track_caller]
#[must_use]
pub fn problem(number: usize) -> Drawn {
    assert!(number < count(), "problem {number} of {}", count());
    let families = families();
    let family = families[number % families.len()];
    // Streams of neighbouring numbers begin alike; a multiplication parts them.
    let mut random = RandomState::new((number as u32 + 1).wrapping_mul(0x9E37_79B9));
    let contacts = random.integer(1, 20) as usize;
    let law = draw_law(family, contacts, &mut random);
    let drawn = if family.kind == Kind::Infeasible {
        infeasible::draw(number, family, law, &mut random)
    } else {
        draw_solvable(number, family, law, &mut random)
    };
    in_other_units(drawn, &mut random)
}

fn draw_law(family: Family, contacts: usize, random: &mut RandomState) -> ContactLawData {
    let mu = vec![family.mu; contacts];
    match family.kind {
        Kind::Rolling | Kind::RollingHyperstatic => {
            let dimension = if random.uniform() < 0.35 { 3 } else { 5 };
            let mu_rolling = (0..contacts)
                .map(|_| {
                    // A radius times a coefficient.
                    let radius = 2.0_f64.powi(10 * random.integer(-1, 1));
                    radius * [0.0, 0.1, 0.1, 1.0][random.integer(0, 3) as usize]
                })
                .collect();
            ContactLawData::Rolling { dimension, mu, mu_rolling }
        }
        Kind::Cones => {
            let sizes: Vec<usize> = (0..contacts).map(|_| random.integer(1, 6) as usize).collect();
            // A half-space is no second-order cone.
            cones(&sizes, if family.mu.is_finite() { family.mu } else { 1.0 })
        }
        _ => {
            let dimension = if random.uniform() < 0.35 { 2 } else { 3 };
            ContactLawData::Coulomb { dimension, mu }
        }
    }
}

fn draw_solvable(number: usize, family: Family, law: ContactLawData, random: &mut RandomState) -> Drawn {
    let is_either = random.uniform() < 0.5;
    let has_full_rank = match family.kind {
        Kind::Definite | Kind::Skew | Kind::Heavy | Kind::Rolling => true,
        Kind::Cones => is_either,
        _ => false,
    };
    let is_skew = match family.kind {
        Kind::Skew | Kind::SkewHyperstatic => true,
        Kind::Cones => random.uniform() < 0.5,
        _ => false,
    };
    let masses = match family.kind {
        Kind::Heavy | Kind::HeavyHyperstatic => Masses::TwoScales,
        _ => Masses::Equal,
    };
    let mut bodies = Bodies::draw(&law, if has_full_rank || is_either { 1.0 } else { 0.5 }, masses, random);
    if is_skew {
        bodies.add_gyroscopes(random);
    }
    let mut w = bodies.delassus();
    if has_full_rank || (family.kind == Kind::Immovable && is_either) {
        let compliance = bodies::add_compliance(&law, &mut w, random);
        bodies.add_compliance(&compliance);
    }
    scale_rolling_rows(&law, &mut w, &mut bodies);
    let immovable: Vec<usize> = match family.kind {
        // The first at least.
        Kind::Immovable => (0..law.view().blocks()).filter(|&i| i == 0 || random.uniform() < 0.2).collect(),
        _ => Vec::new(),
    };
    for &i in &immovable {
        for k in law.view().range(i) {
            w.row_mut(k).fill(0.0);
            w.column_mut(k).fill(0.0);
        }
        let range = law.view().range(i);
        bodies.scale_rows(|k| if range.contains(&k) { 0.0 } else { 1.0 });
    }
    let (r, u) = point::draw(&law, &w, &immovable, random);
    let q = u.iter().zip(w.dot(&ndarray::ArrayView1::from(&r))).map(|(u, p)| u - p).collect();
    Drawn { number, family, w: w.into(), q, law, known: Known::Solution(r), has_full_rank, bodies }
}

/// Rolling rows are angular velocities: those of a wheel of the radius that its coefficient stands for.
fn scale_rolling_rows(law: &ContactLawData, w: &mut Array2<f64>, bodies: &mut Bodies) {
    let ContactLawData::Rolling { dimension, mu_rolling, .. } = law else { return };
    let factor = |k: usize| {
        let mu = mu_rolling[k / dimension];
        let is_rolling = k % dimension >= dimension.div_ceil(2);
        if is_rolling && mu > 0.0 { 2.0_f64.powi(-mu.log2().round() as i32) } else { 1.0 }
    };
    w.indexed_iter_mut().for_each(|((i, j), x)| *x *= factor(i) * factor(j));
    bodies.scale_rows(factor);
}

/// The same bodies in other units of mass and velocity, by powers of two, and the matrix in one of three
/// storages.
fn in_other_units(drawn: Drawn, random: &mut RandomState) -> Drawn {
    let inverse_mass = 2.0_f64.powi(20 * random.integer(-1, 1));
    let velocity = 2.0_f64.powi(10 * random.integer(-1, 1));
    let w = drawn.w.view().to_dense() * inverse_mass;
    let Bodies { jacobian, inverse } = drawn.bodies;
    let bodies = Bodies { jacobian, inverse: inverse * inverse_mass };
    let factor = velocity / inverse_mass;
    let known = match drawn.known {
        Known::Solution(r) => Known::Solution(r.into_iter().map(|r| r * factor).collect()),
        certificate @ Known::Infeasible(_) => certificate,
    };
    let dimension = drawn.law.view().range(0).len();
    let is_uniform = !matches!(drawn.law, ContactLawData::SecondOrder { .. });
    let w = match random.integer(0, 2) {
        1 if is_uniform => {
            BlockCsr::from_matrix(MatrixRef::from(&w), dimension).expect("the blocks of the contacts").into()
        }
        2 => Csc::from_matrix(MatrixRef::from(&w)).into(),
        _ => w.into(),
    };
    Drawn { w, q: drawn.q.into_iter().map(|q| q * velocity).collect(), known, bodies, ..drawn }
}
