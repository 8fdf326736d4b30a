//! Coulomb's law in the plane, formulated without norms.
//!
//! The sliding velocity is the difference of two nonnegative numbers, $u_T = u^{+} - u^{-}$. The distances of
//! the tangential reaction from the two edges of the cone are $r^{+} = \mu r_N + r_T$ and
//! $r^{-} = \mu r_N - r_T$. Coulomb's law is
//!
//! $$ 0 \le u_N \perp r_N \ge 0, \qquad 0 \le u^{+} \perp r^{+} \ge 0, \qquad
//! 0 \le u^{-} \perp r^{-} \ge 0. $$
//!
//! If a contact slides to the right, the reaction is on the left edge, where $r^{+} = 0$. With
//! $r_T = r^{+} - \mu r_N$ and the unknowns $z = (r_N, r^{+}, u^{-})$ of all contacts, the vector
//! $w = (u_N, u^{+}, r^{-})$ is
//!
//! $$ w = \begin{pmatrix} W_{NN} - W_{NT} \mu & W_{NT} & 0 \cr
//! W_{TN} - W_{TT} \mu & W_{TT} & I \cr 2 \mu & -I & 0
//! \end{pmatrix} z + \begin{pmatrix} q_N \cr q_T \cr 0 \end{pmatrix}, $$
//!
//! as plain text: u_N = (W_NN - W_NT mu) r_N + W_NT r+ + q_N, u+ = (W_TN - W_TT mu) r_N + W_TT r+ + u- + q_T,
//! r- = 2 mu r_N - r+. The solutions of this linear complementarity problem correspond one to one to the
//! solutions of the contact problem, except that $u^{+}$ and $u^{-}$ can both contain the same summand if
//! $r_N = 0$. (Klarbring 1986; Glocker and Pfeiffer 1996, section 6.3; Acary and Brogliato 2008, section
//! 13.3.7.)
//!
//! Reactions are scaled by the mean diagonal entry of W, so that all entries are near 1.

use ndarray::Array2;
use siconos_linalg::{MatrixRef, square};

use super::UNKNOWNS;
use crate::contact::DelassusProblem;
use crate::error::SolverError;
use crate::info::SolveInfo;
use crate::lcp::{Lcp, LcpProblem};
use crate::method::Solver;

/// Linear complementarity problem that corresponds to a contact problem.
#[derive(Clone, Debug, Default)]
pub(super) struct Formulation {
    m: Vec<f64>,
    q: Vec<f64>,
    z: Vec<f64>,
    w: Vec<f64>,
    /// Unit of the reactions, which is the reciprocal of the mean diagonal entry of W.
    unit: f64,
}

impl Formulation {
    /// Assembles the linear complementarity problem. Its initial guess is computed from the reactions `r` and
    /// the velocities `u` of the contact problem.
    pub(super) fn build(&mut self, problem: &DelassusProblem<'_>, mu: &[f64], r: &[f64], u: &[f64]) {
        let contacts = mu.len();
        let n = UNKNOWNS * contacts;
        self.m.clear();
        self.m.resize(n * n, 0.0);
        match problem.w() {
            MatrixRef::Dense(w) => self.write_matrix(contacts, mu, |i, j| w[[i, j]]),
            w => {
                let w: Array2<f64> = w.to_dense();
                self.write_matrix(contacts, mu, |i, j| w[[i, j]]);
            }
        }
        self.q.clear();
        self.q.extend(problem.q().chunks_exact(2).map(|q| q[0]));
        self.q.extend(problem.q().chunks_exact(2).map(|q| q[1]));
        self.q.resize(n, 0.0);
        self.z.clear();
        self.z.extend(r.chunks_exact(2).map(|r| r[0] / self.unit));
        self.z.extend(r.chunks_exact(2).zip(mu).map(|(r, mu)| (mu * r[0] + r[1]).max(0.0) / self.unit));
        self.z.extend(u.chunks_exact(2).map(|u| (-u[1]).max(0.0)));
        self.w.clear();
        self.w.resize(n, 0.0);
    }

    fn write_matrix(&mut self, contacts: usize, mu: &[f64], w: impl Fn(usize, usize) -> f64) {
        let n = UNKNOWNS * contacts;
        let size = (0..2 * contacts).map(|i| w(i, i).abs()).sum::<f64>() / (2 * contacts) as f64;
        self.unit = if size > 0.0 && size.is_finite() { 1.0 / size } else { 1.0 };
        for i in 0..contacts {
            for (j, mu) in mu.iter().enumerate() {
                for (row, k) in [(i, 2 * i), (contacts + i, 2 * i + 1)] {
                    let (normal, tangential) = (w(k, 2 * j), w(k, 2 * j + 1));
                    self.m[row * n + j] = (normal - tangential * mu) * self.unit;
                    self.m[row * n + contacts + j] = tangential * self.unit;
                }
            }
            self.m[(contacts + i) * n + 2 * contacts + i] = 1.0;
            self.m[(2 * contacts + i) * n + i] = 2.0 * mu[i];
            self.m[(2 * contacts + i) * n + contacts + i] = -1.0;
        }
    }

    /// Solves the linear complementarity problem with `method`, starting from the initial guess.
    pub(super) fn solve(&mut self, method: &mut impl Solver<Class = Lcp>) -> Result<SolveInfo, SolverError> {
        let problem = LcpProblem::new(square(&self.m, self.q.len()), &self.q)?;
        method.solve(&problem, &mut self.z, &mut self.w)
    }

    /// Computes the reactions of the contact problem from the solution of the linear complementarity problem,
    /// and writes them to `r`.
    pub(super) fn write_reactions(&self, mu: &[f64], r: &mut [f64]) {
        let contacts = mu.len();
        for (i, r) in r.chunks_exact_mut(2).enumerate() {
            let normal = self.z[i];
            r[0] = normal * self.unit;
            r[1] = (self.z[contacts + i] - mu[i] * normal) * self.unit;
        }
    }
}
