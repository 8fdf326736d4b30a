//! Battery of about three thousand random contact problems with 1 to 20 contacts each, in families. Each
//! problem has a planted solution or a certificate that no solution exists.
//!
//! | kind | matrix | bodies |
//! |---|---|---|
//! | definite | full rank, symmetric | equal masses |
//! | hyperstatic | about half the rank, symmetric | equal masses |
//! | skew, skew hyperstatic | with gyroscopic terms | equal masses |
//! | heavy, heavy hyperstatic | symmetric | half of the bodies a million times as heavy as the others |
//! | rolling, rolling hyperstatic | with rolling rows | radii of about 0.001, 1 and 1000 |
//! | cones | full or half rank, symmetric or not | second-order cones of 1 to 6 components, no friction |
//! | immovable | full or half rank | some contacts are between bodies that cannot move |
//! | infeasible | any | contradictory contacts, so that no solution exists |
//!
//! Each kind is combined with each of the [`COEFFICIENTS`]. Masses and velocities are multiplied by random
//! powers of two. The matrix is stored as a dense matrix, in block rows, or in sparse columns. All data of a
//! problem follow from its number.

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

/// Coefficients of friction. For second-order cones they are the slopes, with 1 instead of infinity.
pub const COEFFICIENTS: [f64; 7] = [0.0, 1e-12, 0.3, 1.0, 10.0, 1e6, f64::INFINITY];

/// Number of problems of each family.
const PER_FAMILY: usize = 39;

/// Family of problems: a kind and a coefficient of friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Family {
    /// Kind of the problems.
    pub kind: BatteryFamily,
    /// Coefficient of friction, or slope of the cones.
    pub mu: f64,
}

/// Kind of the problems of a family; see the table of the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatteryFamily {
    /// Full rank, symmetric.
    Definite,
    /// About half the rank, symmetric.
    Hyperstatic,
    /// Full rank with gyroscopic terms.
    Skew,
    /// About half the rank with gyroscopic terms.
    SkewHyperstatic,
    /// Full rank, symmetric, masses at two scales.
    Heavy,
    /// About half the rank, symmetric, masses at two scales.
    HeavyHyperstatic,
    /// Rolling friction with radii at three scales, full rank.
    Rolling,
    /// Rolling friction with radii at three scales, about half the rank.
    RollingHyperstatic,
    /// Second-order cones without friction.
    Cones,
    /// Some contacts between bodies that cannot move: their rows and columns of the matrix are zero.
    Immovable,
    /// Contradictory contacts, so that no solution exists.
    Infeasible,
}

impl BatteryFamily {
    /// All kinds.
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

    /// Returns the name of the kind, as in the table of the [module](self).
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

/// Problem of the battery.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// Number of the problem.
    pub number: usize,
    /// Family of the problem.
    pub family: Family,
    /// Delassus matrix W, in one of the storage formats that solvers accept.
    pub w: Matrix,
    /// Free velocity.
    pub q: Vec<f64>,
    /// Contact law.
    pub law: ContactLawData,
    /// Known solution, or proof that no solution exists.
    pub known: Known,
    /// `true` if W has full rank.
    pub has_full_rank: bool,
    /// Bodies from which the matrix is assembled.
    bodies: Bodies,
}

/// Known solution of a problem, or proof that no solution exists.
#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    /// Solution; q was computed from it with rounding errors.
    Solution(Vec<f64>),
    /// Certificate that no solution exists: a $y \ge 0$, nonzero only in normal rows, with $W^T y = 0$
    /// exactly and $y^T q < 0$. For every reaction, at least one normal velocity $u_i$ with $y_i > 0$ is
    /// negative.
    Infeasible(Vec<f64>),
}

/// Returns the number of problems in the battery.
#[must_use]
pub fn count() -> usize {
    families().len() * PER_FAMILY
}

/// Returns all families. Problem k belongs to the family with index k modulo the number of families.
#[must_use]
pub fn families() -> Vec<Family> {
    BatteryFamily::ALL.into_iter().flat_map(|kind| COEFFICIENTS.map(|mu| Family { kind, mu })).collect()
}

/// Returns the problem with the given number.
///
/// # Panics
///
/// If the number is not less than [`count`].
#[track_caller]
#[must_use]
pub fn problem(number: usize) -> Drawn {
    assert!(number < count(), "problem {number} of {}", count());
    let families = families();
    let family = families[number % families.len()];
    // Streams with neighbouring seeds start with similar numbers, so the seeds are spread by a
    // multiplication.
    let mut random = RandomState::new((number as u32 + 1).wrapping_mul(0x9E37_79B9));
    let contacts = random.integer(1, 20) as usize;
    let law = draw_law(family, contacts, &mut random);
    let drawn = if family.kind == BatteryFamily::Infeasible {
        infeasible::draw(number, family, law, &mut random)
    } else {
        draw_solvable(number, family, law, &mut random)
    };
    in_other_units(drawn, &mut random)
}

fn draw_law(family: Family, contacts: usize, random: &mut RandomState) -> ContactLawData {
    let mu = vec![family.mu; contacts];
    match family.kind {
        BatteryFamily::Rolling | BatteryFamily::RollingHyperstatic => {
            let dimension = if random.uniform() < 0.35 { 3 } else { 5 };
            let mu_rolling = (0..contacts)
                .map(|_| {
                    // The rolling coefficient is the product of a radius and a coefficient of friction.
                    let radius = 2.0_f64.powi(10 * random.integer(-1, 1));
                    radius * [0.0, 0.1, 0.1, 1.0][random.integer(0, 3) as usize]
                })
                .collect();
            ContactLawData::Rolling { dimension, mu, mu_rolling }
        }
        BatteryFamily::Cones => {
            let sizes: Vec<usize> = (0..contacts).map(|_| random.integer(1, 6) as usize).collect();
            // A second-order cone cannot be a half-space.
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
        BatteryFamily::Definite | BatteryFamily::Skew | BatteryFamily::Heavy | BatteryFamily::Rolling => true,
        BatteryFamily::Cones => is_either,
        _ => false,
    };
    let is_skew = match family.kind {
        BatteryFamily::Skew | BatteryFamily::SkewHyperstatic => true,
        BatteryFamily::Cones => random.uniform() < 0.5,
        _ => false,
    };
    let masses = match family.kind {
        BatteryFamily::Heavy | BatteryFamily::HeavyHyperstatic => Masses::TwoScales,
        _ => Masses::Equal,
    };
    let mut bodies = Bodies::draw(&law, if has_full_rank || is_either { 1.0 } else { 0.5 }, masses, random);
    if is_skew {
        bodies.add_gyroscopes(random);
    }
    let mut w = bodies.delassus();
    if has_full_rank || (family.kind == BatteryFamily::Immovable && is_either) {
        let compliance = bodies::add_compliance(&law, &mut w, random);
        bodies.add_compliance(&compliance);
    }
    scale_rolling_rows(&law, &mut w, &mut bodies);
    let immovable: Vec<usize> = match family.kind {
        // At least the first contact is immovable.
        BatteryFamily::Immovable => {
            (0..law.view().blocks()).filter(|&i| i == 0 || random.uniform() < 0.2).collect()
        }
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

/// Divides the rolling rows by the radius that the rolling coefficient represents, rounded to a power of two.
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

/// Returns the problem in other units of mass and velocity, which differ by powers of two. The matrix is
/// stored in one of three storage formats.
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
