//! Feasibility: existence of a $z \ge 0$ with $M z + q \ge 0$.

use ndarray::{Array2, ArrayView2, s};
use siconos_linalg::MatrixRef;

use super::farkas::find_farkas_vector;
use super::{LcpProblem, Lemke, LemkeSettings, LemkeStart, is_infeasibility_certificate};
use crate::info::Status;
use crate::method::Solver;

/// Maximum number of unknowns for which Lemke's method tests a dense problem. The linear program has twice as
/// many unknowns. Larger dense problems are tested in the same way as sparse problems.
const LARGEST: usize = 500;

/// Searches for a Farkas vector: $s \ge 0$ with $M^T s \le 0$ and $q^T s < 0$.
///
/// A Farkas vector proves that no $z \ge 0$ has $M z + q \ge 0$. The problem then has no solution. `None` is
/// not conclusive.
///
/// The linear program "minimise 0 subject to $M z + q \ge 0$, $z \ge 0$" is equivalent to a linear
/// complementarity problem with the matrix $[0, -M^T; M, 0]$. This matrix is skew-symmetric, and therefore
/// copositive-plus: Lemke's method ends at a feasible point, or on a ray whose direction contains a Farkas
/// vector (Cottle, Pang, Stone 1992, 1.2 and theorem 4.4.12). For more than 500 unknowns and for sparse
/// storage, an interior-point method computes an approximate vector, which is then corrected until it
/// satisfies the three conditions up to rounding. The result is checked with the data of the problem before
/// it is returned.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::lcp::{LcpProblem, infeasibility_certificate};
///
/// // Each row alone can be satisfied; their sum cannot.
/// let m = array![[1.0, -1.0], [-1.0, 1.0]];
/// assert!(infeasibility_certificate(&LcpProblem::new(&m, &[-1.0, 0.5])?).is_some());
/// assert!(infeasibility_certificate(&LcpProblem::new(&m, &[-1.0, 1.5])?).is_none());
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[must_use]
pub fn infeasibility_certificate(problem: &LcpProblem<'_>) -> Option<Vec<f64>> {
    match problem.m() {
        MatrixRef::Dense(m) if problem.size() <= LARGEST => by_pivoting(problem, m),
        m => find_farkas_vector(m, problem.q()),
    }
}

fn by_pivoting(problem: &LcpProblem<'_>, m: ArrayView2<'_, f64>) -> Option<Vec<f64>> {
    let n = problem.size();
    let mut program = Array2::zeros((2 * n, 2 * n));
    program.slice_mut(s![n.., ..n]).assign(&m);
    program.slice_mut(s![..n, n..]).assign(&m.t().mapv(|x| -x));
    let mut q = vec![0.0; 2 * n];
    q[n..].copy_from_slice(problem.q());
    let mut lemke = Lemke::new(LemkeSettings { start: LemkeStart::Cold, ..LemkeSettings::default() }).ok()?;
    let (mut z, mut w) = (vec![0.0; 2 * n], vec![0.0; 2 * n]);
    let info = lemke.solve(&LcpProblem::new(&program, &q).ok()?, &mut z, &mut w).ok()?;
    if info.status != Status::NoSolution {
        return None;
    }
    let s = lemke.certificate()[n..].to_vec();
    is_infeasibility_certificate(problem, &s).then_some(s)
}
