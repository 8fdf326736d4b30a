//! Random mixed problems of any size. The solution is drawn first, and the vector q is computed from it.

use ndarray::{Array2, ArrayView1, s};
use siconos_numerics::mlcp::MlcpRow::{self, Complementarity, Equality};

use super::KnownMlcp;
use crate::random::RandomState;

/// Returns a problem with a nonsymmetric positive definite matrix, and equality rows at random positions. The
/// solution is unique, and the equations can be eliminated.
#[must_use]
pub fn definite(n: usize, seed: u32) -> KnownMlcp {
    let mut random = RandomState::new(seed);
    let a = normal(n, n, &mut random);
    let b = normal(n, n, &mut random) / (n.max(1) as f64).sqrt();
    let m = a.dot(&a.t()) / n.max(1) as f64 + Array2::<f64>::eye(n) + &b - b.t();
    let rows = (0..n).map(|_| if random.uniform() < 0.5 { Equality } else { Complementarity }).collect();
    let problem = empty("definite", n, seed, m, rows);
    planted(KnownMlcp { has_regular_equations: true, is_unique: true, ..problem }, &mut random)
}

/// Returns the optimality conditions of a convex quadratic program. Half of the unknowns are the free
/// variables $x$. The multipliers of the equations (a quarter) and of the inequalities (a quarter) follow.
/// The matrix of the equality rows is regular, and the whole matrix is positive semidefinite.
#[must_use]
pub fn saddle_point(n: usize, seed: u32) -> KnownMlcp {
    let mut random = RandomState::new(seed);
    let (x, inequalities) = (n / 2, n / 4);
    let equations = n - x - inequalities;
    let equations = equations.min(x);
    let n = x + equations + inequalities;
    let mut m = Array2::zeros((n, n));
    let a = normal(x, x, &mut random);
    let hessian = a.dot(&a.t()) / x.max(1) as f64 + Array2::<f64>::eye(x);
    m.slice_mut(s![..x, ..x]).assign(&hessian);
    let constraints = normal(n - x, x, &mut random);
    m.slice_mut(s![x.., ..x]).assign(&constraints);
    m.slice_mut(s![..x, x..]).assign(&(-&constraints.t()));
    let rows = (0..n).map(|i| if i < x + equations { Equality } else { Complementarity }).collect();
    let problem = empty("saddle point", n, seed, m, rows);
    planted(KnownMlcp { has_regular_equations: true, ..problem }, &mut random)
}

/// Returns a problem with a positive semidefinite matrix of low rank. The matrix of the equality rows is
/// singular, and the solution is not unique.
#[must_use]
pub fn singular_equations(n: usize, seed: u32) -> KnownMlcp {
    let mut random = RandomState::new(seed);
    let rank = n.div_ceil(4);
    let a = normal(n, rank, &mut random);
    let m = a.dot(&a.t()) / rank.max(1) as f64;
    let rows = (0..n).map(|i| if i < n / 2 { Equality } else { Complementarity }).collect();
    planted(empty("singular equations", n, seed, m, rows), &mut random)
}

/// Returns a definite problem whose first equation is repeated. The unknown of the repeated row is multiplied
/// by 0 in all rows.
#[must_use]
pub fn redundant_equations(n: usize, seed: u32) -> KnownMlcp {
    let mut base = definite(n, seed);
    base.rows.iter_mut().take(1).for_each(|row| *row = Equality);
    let n = base.size();
    let mut m = Array2::zeros((n + 1, n + 1));
    m.slice_mut(s![..n, ..n]).assign(&base.m);
    if n > 0 {
        m.slice_mut(s![n, ..n]).assign(&base.m.row(0));
    }
    base.rows.push(Equality);
    let rows = base.rows;
    planted(empty("redundant equations", n + 1, seed, m, rows), &mut RandomState::new(seed))
}

/// Returns the equations of a ladder circuit with the given number of stages. Resistors connect neighbouring
/// nodes. Three elements connect each node to ground: a diode with a small series resistance r, a resistor
/// with ten times the resistance of those between the nodes, and a current source s.
///
/// The unknowns are the node voltages v, which are free, and the diode currents i. The equations are
/// Kirchhoff's current law $G v + i + s = 0$ and the diode law $0 \le i \perp r i - v + e \ge 0$. $G$ is a
/// symmetric M-matrix, so the solution is unique. The planted solution determines s and e.
#[must_use]
pub fn diode_ladder(stages: usize, seed: u32) -> KnownMlcp {
    let mut random = RandomState::new(seed);
    let n = stages;
    let mut m = Array2::zeros((2 * n, 2 * n));
    for k in 0..n {
        m[[k, k]] += 0.1;
        if k > 0 {
            m[[k, k]] += 1.0;
            m[[k - 1, k - 1]] += 1.0;
            m[[k, k - 1]] -= 1.0;
            m[[k - 1, k]] -= 1.0;
        }
        m[[k, n + k]] = 1.0;
        m[[n + k, k]] = -1.0;
        m[[n + k, n + k]] = 1e-3;
    }
    let rows = (0..2 * n).map(|i| if i < n { Equality } else { Complementarity }).collect();
    let problem = empty("diode ladder", n, seed, m, rows);
    planted(KnownMlcp { has_regular_equations: true, is_unique: true, ..problem }, &mut random)
}

fn normal(rows: usize, columns: usize, random: &mut RandomState) -> Array2<f64> {
    Array2::from_shape_simple_fn((rows, columns), || random.standard_normal())
}

fn empty(family: &str, n: usize, seed: u32, m: Array2<f64>, rows: Vec<MlcpRow>) -> KnownMlcp {
    KnownMlcp {
        name: format!("{family} {n}, {seed}"),
        q: vec![0.0; rows.len()],
        z: vec![0.0; rows.len()],
        m,
        rows,
        is_unique: false,
        has_regular_equations: false,
    }
}

/// Draws a strictly complementary solution and computes q from it.
fn planted(mut problem: KnownMlcp, random: &mut RandomState) -> KnownMlcp {
    let mut w = vec![0.0; problem.size()];
    for (i, row) in problem.rows.iter().enumerate() {
        let (closed, value) = (random.uniform() < 0.5, random.between(0.5, 1.5));
        match row {
            Equality => problem.z[i] = if closed { value } else { -value },
            Complementarity => *(if closed { &mut problem.z[i] } else { &mut w[i] }) = value,
        }
    }
    problem.q = (ArrayView1::from(&w).to_owned() - problem.m.dot(&ArrayView1::from(&problem.z))).to_vec();
    problem
}
