//! Relay problems with a planted solution, and the backward error of a candidate solution.
//!
//! A solution satisfies $w = M z + q$ and $l \le z \le u$, with $w_i \ge 0$ if $z_i = l_i$, $w_i \le 0$ if
//! $z_i = u_i$, and $w_i = 0$ if $l_i < z_i < u_i$.

use ndarray::{Array2, ArrayView1};

use crate::random::RandomState;

/// Relay problem with a known solution.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownRelay {
    /// Short unique name.
    pub name: String,
    /// Matrix M.
    pub m: Array2<f64>,
    /// Vector q.
    pub q: Vec<f64>,
    /// Lower bounds.
    pub lower: Vec<f64>,
    /// Upper bounds.
    pub upper: Vec<f64>,
    /// Solution.
    pub z: Vec<f64>,
    /// `true` if `z` is the only solution.
    pub is_unique: bool,
    /// `true` if the matrix is symmetric up to rounding.
    pub is_symmetric: bool,
}

impl KnownRelay {
    /// Returns the number of unknowns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.q.len()
    }
}

/// Returns a problem with a symmetric positive definite matrix, whose solution is therefore unique.
#[must_use]
pub fn definite(n: usize, seed: u32) -> KnownRelay {
    let mut random = RandomState::new(seed);
    let a = normal(n, n, &mut random);
    let m = a.dot(&a.t()) / n.max(1) as f64 + Array2::<f64>::eye(n);
    planted(format!("definite {n}, {seed}"), m, (true, true), &mut random)
}

/// Returns a problem with a positive definite matrix whose symmetric and skew parts have comparable norms.
/// The solution is unique.
#[must_use]
pub fn nonsymmetric_definite(n: usize, seed: u32) -> KnownRelay {
    let mut random = RandomState::new(seed);
    let (a, b) = (normal(n, n, &mut random), normal(n, n, &mut random) / (n.max(1) as f64).sqrt());
    let m = a.dot(&a.t()) / n.max(1) as f64 + Array2::<f64>::eye(n) + &b - b.t();
    planted(format!("nonsymmetric definite {n}, {seed}"), m, (true, false), &mut random)
}

/// Returns a problem with a symmetric positive semidefinite matrix of rank about n / 3. It has many
/// solutions, all with the same $w$.
#[must_use]
pub fn semidefinite(n: usize, seed: u32) -> KnownRelay {
    let mut random = RandomState::new(seed);
    let rank = n.div_ceil(3);
    let a = normal(n, rank, &mut random);
    let m = a.dot(&a.t()) / rank.max(1) as f64;
    planted(format!("semidefinite {n}, {seed}"), m, (false, true), &mut random)
}

/// Returns one problem of each family.
#[must_use]
pub fn every_family(n: usize, seed: u32) -> Vec<KnownRelay> {
    vec![definite(n, seed), nonsymmetric_definite(n, seed), semidefinite(n, seed)]
}

/// Returns the largest violation of a row divided by its terms $|M| |z| + |q|$. A row requires $w_i \ge 0$ at
/// the lower bound, $w_i \le 0$ at the upper bound and $w_i = 0$ between the bounds. The result is infinite
/// if an entry of $z$ is outside its bounds.
///
/// # Panics
///
/// If the sizes differ.
#[track_caller]
#[must_use]
pub fn relay_backward_error(m: &Array2<f64>, q: &[f64], lower: &[f64], upper: &[f64], z: &[f64]) -> f64 {
    let w = m.dot(&ArrayView1::from(z)) + ArrayView1::from(q);
    let terms =
        m.mapv(f64::abs).dot(&ArrayView1::from(z).mapv(f64::abs)) + ArrayView1::from(q).mapv(f64::abs);
    let of_row = |i: usize| {
        let allowed = (z[i] == lower[i] && w[i] >= 0.0) || (z[i] == upper[i] && w[i] <= 0.0);
        let violation = if z[i] < lower[i] || z[i] > upper[i] {
            f64::INFINITY
        } else if allowed {
            0.0
        } else {
            w[i].abs()
        };
        if violation == 0.0 { 0.0 } else { violation / terms[i] }
    };
    // `f64::max` would ignore a NaN.
    (0..q.len()).map(of_row).fold(0.0, |a, x| if x > a || x.is_nan() { x } else { a })
}

fn normal(rows: usize, columns: usize, random: &mut RandomState) -> Array2<f64> {
    Array2::from_shape_simple_fn((rows, columns), || random.standard_normal())
}

/// Draws a solution in which about a third of the unknowns are at the lower bound, a third are between the
/// bounds and a third are at the upper bound. The bounds enclose 0, and their distance is between 0.5 and 2.
fn planted(
    name: String,
    m: Array2<f64>,
    (is_unique, is_symmetric): (bool, bool),
    random: &mut RandomState,
) -> KnownRelay {
    let n = m.nrows();
    let (mut lower, mut upper, mut z, mut w) = (vec![0.0; n], vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    for i in 0..n {
        lower[i] = random.between(-1.0, -0.25);
        upper[i] = random.between(0.25, 1.0);
        let force = random.between(0.5, 1.5);
        (z[i], w[i]) = match random.integer(-1, 1) {
            -1 => (lower[i], force),
            0 => (random.between(lower[i], upper[i]), 0.0),
            _ => (upper[i], -force),
        };
    }
    let q = (ArrayView1::from(&w).to_owned() - m.dot(&ArrayView1::from(&z))).to_vec();
    KnownRelay { name, m, q, lower, upper, z, is_unique, is_symmetric }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::{every_family, relay_backward_error};
    use crate::box_error::box_error;

    #[test]
    fn by_hand() {
        // At z = 0 the distance from each bound, 1, is smaller than |w_i|, so it is the residual. Here w = q
        // = (-3, 4).
        let (m, q) = (array![[1.0, 0.0], [0.0, 1.0]], [-3.0, 4.0]);
        assert_eq!(box_error(&m, &q, &[-1.0; 2], &[1.0; 2], &[1.0, -1.0]), 0.0);
        assert_eq!(box_error(&m, &q, &[-1.0; 2], &[1.0; 2], &[0.0, 0.0]), 1.0 / 3.0);
        // z_0 must be at least 2. w = (-1, 3) violates the first row by 1, and its terms are 2 + 3.
        assert_eq!(box_error(&m, &q, &[2.0, -1.0], &[9.0, 1.0], &[2.0, -1.0]), 1.0 / 5.0);
        assert!(box_error(&m, &q, &[-1.0; 2], &[1.0; 2], &[f64::NAN, 0.0]).is_nan());
        let backward = |z: &[f64]| relay_backward_error(&m, &q, &[-1.0; 2], &[1.0; 2], z);
        assert_eq!((backward(&[1.0, -1.0]), backward(&[0.0, -1.0])), (0.0, 1.0));
        assert_eq!((backward(&[1.0, 0.5]), backward(&[1.5, -1.0])), (1.0, f64::INFINITY));
        assert!(backward(&[f64::NAN, 0.0]).is_nan());
    }

    #[test]
    fn the_planted_point_is_a_solution() {
        for problem in [1, 7, 30].into_iter().flat_map(|n| every_family(n, 3)) {
            let error = box_error(&problem.m, &problem.q, &problem.lower, &problem.upper, &problem.z);
            assert!(error < 1e-14, "{}: {error:e}", problem.name);
        }
    }
}
