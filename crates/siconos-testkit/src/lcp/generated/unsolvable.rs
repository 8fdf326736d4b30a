//! Problems without a solution. The data are small integers, so that the certificates are exact.

use ndarray::{Array1, Array2};

use crate::lcp::{Answer, KnownLcp};
use crate::random::RandomState;
use siconos_numerics::method::MatrixClass;

/// Returns a problem with the Laplacian of a connected graph with integer weights. The matrix is symmetric
/// positive semidefinite, and its columns add up to 0. The entries of $q$ have a negative sum, so the entries
/// of $w$ have the same negative sum for every $z$.
///
/// # Panics
///
/// If `n` is 0.
#[track_caller]
#[must_use]
pub fn infeasible_laplacian(n: usize, seed: u32) -> KnownLcp {
    assert!(n > 0, "a graph has a node");
    let mut random = RandomState::new(seed);
    let mut m = Array2::zeros((n, n));
    let mut connect = |i: usize, j: usize, weight: f64| {
        m[[i, i]] += weight;
        m[[j, j]] += weight;
        m[[i, j]] -= weight;
        m[[j, i]] -= weight;
    };
    for i in 1..n {
        // Each node is joined to an earlier node, so the graph is connected. Two edges are drawn for each
        // node.
        for _ in 0..2 {
            connect(i, random.integer(0, i as i32 - 1) as usize, f64::from(random.integer(1, 3)));
        }
    }
    let mut q: Vec<f64> = (0..n).map(|_| f64::from(random.integer(-3, 3))).collect();
    q[0] -= q.iter().sum::<f64>().max(0.0) + 1.0;
    KnownLcp {
        name: format!("infeasible Laplacian {n}, {seed}"),
        source: "drawn: the rows add up to w_1 + .. + w_n < 0",
        m,
        q,
        class: MatrixClass::SymmetricPositiveSemidefinite,
        answer: Answer::Infeasible { certificate: vec![1.0; n] },
    }
}

/// Returns a problem with an integer matrix of no special class. The certificate is a random $y \ge 0$ with
/// $y^T M \le 0$ and $y^T q < 0$.
///
/// # Panics
///
/// If `n` is 0.
#[track_caller]
#[must_use]
pub fn infeasible(n: usize, seed: u32) -> KnownLcp {
    assert!(n > 0, "there is a row that cannot hold");
    let mut random = RandomState::new(seed);
    let mut m = Array2::from_shape_simple_fn((n, n), || f64::from(random.integer(-3, 3)));
    let mut q: Vec<f64> = (0..n).map(|_| f64::from(random.integer(-3, 3))).collect();
    let mut y: Vec<f64> = (0..n).map(|_| f64::from(random.integer(0, 2))).collect();
    // Row k is changed so that y^T M <= 0.
    let k = random.integer(0, n as i32 - 1) as usize;
    y[k] = 1.0;
    let weights = Array1::from(y.clone());
    let excess = weights.dot(&m).mapv(|sum| sum.max(0.0));
    let mut row = m.row_mut(k);
    row -= &excess;
    q[k] -= weights.dot(&Array1::from(q.clone())).max(0.0) + 1.0;
    KnownLcp {
        name: format!("infeasible {n}, {seed}"),
        source: "drawn: a combination of the rows with weights y >= 0 is negative",
        m,
        q,
        class: MatrixClass::General,
        answer: Answer::Infeasible { certificate: y },
    }
}

/// Returns a feasible problem without a solution. It is a random problem in which the rows and columns of two
/// random indices a and b form the 2 by 2 problem with the matrix (0, 1; 0, 0) and q = (-1, 1), up to the
/// magnitude of the entries.
///
/// Row b of the whole matrix has no negative entries and $q_b = 1$, so $w_b > 0$ and therefore $z_b = 0$. Row
/// a has no positive entries except in column b, and $q_a = -1$, so $w_a < 0$, and a solution does not exist.
/// The problem is feasible because all $w$ are positive for a large $z_b$.
///
/// If `n` is less than 2, it is replaced by 2.
#[must_use]
pub fn feasible_without_solution(n: usize, seed: u32) -> KnownLcp {
    let n = n.max(2);
    let mut random = RandomState::new(seed);
    let order = random.permutation(n);
    let (a, b) = (order[0], order[1]);
    let mut m = Array2::from_shape_simple_fn((n, n), || f64::from(random.integer(-3, 3)));
    let mut q: Vec<f64> = (0..n).map(|_| f64::from(random.integer(-3, 3))).collect();
    m.row_mut(a).mapv_inplace(|x| -x.abs());
    m.row_mut(b).mapv_inplace(f64::abs);
    m.column_mut(b).mapv_inplace(|x| x.abs() + 1.0);
    m[[a, a]] = 0.0;
    m[[b, b]] = 0.0;
    (q[a], q[b]) = (-1.0, 1.0);
    let mut feasible = vec![0.0; n];
    feasible[b] = 4.0;
    KnownLcp {
        name: format!("feasible without solution {n}, {seed}"),
        source: "drawn around a pair that excludes itself",
        m,
        q,
        class: MatrixClass::General,
        answer: Answer::FeasibleWithoutSolution { feasible },
    }
}
