//! Relay problem of one sample, which determines implicit signs.

use ndarray::Array2;
use siconos_numerics::Solver;
use siconos_numerics::relay::{Auto, RelayProblem};

use super::ControlError;
use siconos_kernel::analysis::p_property;
use siconos_kernel::engine::{check_number, check_shape};

/// Relay problem $w = M z + q$, $z \in -\alpha \operatorname{Sgn}(w)$, row by row. As plain text: w = M z +
/// q, and z_i = -alpha_i if w_i > 0, z_i = alpha_i if w_i < 0, z_i between them if w_i = 0.
///
/// M is a P-matrix, so there is exactly one solution for every q.
#[derive(Clone, Debug)]
pub(super) struct SignRelay {
    m: Array2<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    solver: Auto,
    z: Vec<f64>,
    w: Vec<f64>,
}

impl SignRelay {
    /// Creates the problem. `name` is the name of M in errors.
    pub(super) fn new(name: &'static str, m: Array2<f64>, alpha: &[f64]) -> Result<Self, ControlError> {
        check_amplitudes(m.nrows(), alpha)?;
        let verdict = p_property(m.view())?;
        if !verdict.is_proved() {
            return Err(ControlError::NotMonotone { product: name, verdict });
        }
        let n = m.nrows();
        Ok(Self {
            m,
            lower: alpha.iter().map(|alpha| -alpha).collect(),
            upper: alpha.to_vec(),
            solver: Auto::default(),
            z: vec![0.0; n],
            w: vec![0.0; n],
        })
    }

    /// Solves the problem for q and returns z. The previous z is the initial guess.
    pub(super) fn solve(&mut self, q: &[f64]) -> Result<&[f64], ControlError> {
        let problem = RelayProblem::new(&self.m, q, &self.lower, &self.upper)
            .map_err(siconos_numerics::SolverError::from)?;
        let info = self.solver.solve(&problem, &mut self.z, &mut self.w)?;
        info.require_converged().map(|_| self.z.as_slice()).map_err(ControlError::from)
    }

    pub(super) fn restart(&mut self) {
        self.z.fill(0.0);
    }

    /// Returns the last z, which is the initial guess of the next solve.
    pub(super) fn memory(&self) -> &[f64] {
        &self.z
    }

    /// Restores z from the first entries of `memory`. Returns the remaining entries, or `None` if there are
    /// too few entries.
    pub(super) fn recall<'m>(&mut self, memory: &'m [f64]) -> Option<&'m [f64]> {
        let (z, rest) = memory.split_at_checked(self.z.len())?;
        self.z.copy_from_slice(z);
        Some(rest)
    }
}

/// Checks that there is one amplitude for each row, and that all amplitudes are positive and finite.
pub(super) fn check_amplitudes(rows: usize, alpha: &[f64]) -> Result<(), ControlError> {
    check_shape("the amplitudes", (rows, 1), (alpha.len(), 1))?;
    for &alpha in alpha {
        check_number("amplitude", alpha, |alpha| alpha > 0.0 && alpha.is_finite(), "finite and positive")?;
    }
    Ok(())
}

/// Returns the sign of x: -1, 0 or 1.
pub(super) fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}
