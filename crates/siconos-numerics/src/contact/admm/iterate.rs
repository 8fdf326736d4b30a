//! Iterate of ADMM, and the ADMM step with momentum.

use siconos_linalg::{SingularMatrix, norm};

use crate::contact::{ContactLaw, DelassusProblem, residual::velocity_of_point};

use super::linear_step::LinearStep;

/// Iterate of ADMM. It consists of reactions in the cones, and of multipliers in the unit of the reactions.
#[derive(Clone, Debug, Default)]
pub(super) struct Iterate {
    /// Penalty $\rho$.
    pub(super) rho: f64,
    /// `true` if the velocities include the shift of the law.
    shifts: bool,
    /// Reactions in the cones.
    pub(super) y: Vec<f64>,
    /// Multipliers $\xi$. The shifted velocity is $-\rho \xi$.
    xi: Vec<f64>,
    /// Reactions computed by the linear step. They can be outside the cones.
    x: Vec<f64>,
    y_before: Vec<f64>,
    xi_before: Vec<f64>,
    /// Reactions from which the next step starts: either `y`, or the extrapolation of `y` by momentum.
    y_start: Vec<f64>,
    /// Multipliers from which the next step starts.
    xi_start: Vec<f64>,
    /// Parameter of Nesterov's rule, which determines the length of the extrapolation.
    momentum: f64,
    /// Combined residual of the most recent step (Goldstein et al. 2014).
    measure: f64,
    /// Relative primal residual of the most recent step: the distance between `x` and `y`.
    pub(super) primal: f64,
    /// Relative dual residual of the most recent step: the length of the step.
    pub(super) dual: f64,
}

/// The momentum restarts if the combined residual is above this multiple of the previous combined residual
/// (Goldstein et al. 2014, algorithm 8).
const RESTART: f64 = 0.999;

impl Iterate {
    /// Starts from the reactions `r` with the penalty `rho`. If `shifts` is `false`, the shift is fixed and
    /// contained in q, so the problem is convex. `u` is workspace.
    pub(super) fn begin(
        &mut self,
        problem: &DelassusProblem<'_>,
        r: &[f64],
        u: &mut [f64],
        rho: f64,
        shifts: bool,
    ) {
        let (n, law) = (r.len(), problem.law());
        self.rho = rho;
        self.shifts = shifts && law.has_shift();
        for v in [&mut self.y, &mut self.xi, &mut self.x] {
            v.clear();
            v.resize(n, 0.0);
        }
        // Take one projected step. xi is a vector minus its projection, so -xi is in the dual cone.
        velocity_of_point(problem, r, u);
        for (v, (r, u)) in self.x.iter_mut().zip(r.iter().zip(&*u)) {
            *v = r - u / rho;
        }
        if self.shifts {
            subtract_shift(&law, 1.0 / rho, u, &mut self.x);
        }
        self.y.copy_from_slice(&self.x);
        law.project_all(&mut self.y);
        for ((xi, x), y) in self.xi.iter_mut().zip(&self.x).zip(&self.y) {
            *xi = x - y;
        }
        self.start_here();
    }

    /// Restarts the momentum at the current iterate.
    fn start_here(&mut self) {
        for (to, from) in [
            (&mut self.y_start, &self.y),
            (&mut self.xi_start, &self.xi),
            (&mut self.y_before, &self.y),
            (&mut self.xi_before, &self.xi),
        ] {
            to.clear();
            to.extend_from_slice(from);
        }
        self.momentum = 1.0;
        self.measure = f64::INFINITY;
    }

    /// Takes one step of ADMM. `over` is the relaxation factor.
    pub(super) fn step(
        &mut self,
        problem: &DelassusProblem<'_>,
        linear: &mut LinearStep,
        over: f64,
        accelerates: bool,
    ) -> Result<(), SingularMatrix> {
        let (law, rho) = (problem.law(), self.rho);
        // Step (2): compute r, here called `x`.
        for (i, x) in self.x.iter_mut().enumerate() {
            *x = rho * (self.y_start[i] - self.xi_start[i]) - problem.q()[i];
        }
        if self.shifts {
            // The shifted velocity is -rho xi. s(-rho xi) = rho s(xi), because the shift is positively
            // homogeneous and even.
            subtract_shift(&law, rho, &self.xi_start, &mut self.x);
        }
        linear.solve(problem.w(), &mut self.x)?;
        // Step (3): project.
        std::mem::swap(&mut self.y, &mut self.y_before);
        std::mem::swap(&mut self.xi, &mut self.xi_before);
        for (i, xi) in self.xi.iter_mut().enumerate() {
            *xi = over * self.x[i] + (1.0 - over) * self.y_start[i] + self.xi_start[i];
        }
        self.y.copy_from_slice(&self.xi);
        law.project_all(&mut self.y);
        self.xi.iter_mut().zip(&self.y).for_each(|(xi, y)| *xi -= y);
        let apart = distance(&self.x, &self.y);
        let went = distance(&self.y, &self.y_start);
        let turned = distance(&self.xi, &self.xi_start);
        self.primal = apart / norm(&self.x).max(norm(&self.y));
        self.dual = went / norm(&self.xi);
        // Step (4): extrapolate or restart the momentum.
        let measure = went * went + turned * turned;
        if accelerates && measure < RESTART * self.measure {
            let next = 0.5 * (1.0 + (1.0 + 4.0 * self.momentum * self.momentum).sqrt());
            let carry = (self.momentum - 1.0) / next;
            carry_on(&mut self.y_start, &self.y, &self.y_before, carry);
            carry_on(&mut self.xi_start, &self.xi, &self.xi_before, carry);
            self.momentum = next;
            self.measure = measure;
        } else {
            self.y_start.copy_from_slice(&self.y);
            self.xi_start.copy_from_slice(&self.xi);
            self.momentum = 1.0;
            self.measure = if accelerates { measure / RESTART } else { f64::INFINITY };
        }
        Ok(())
    }

    /// Changes the penalty without changing the shifted velocities.
    pub(super) fn set_penalty(&mut self, rho: f64) {
        let factor = self.rho / rho;
        self.xi.iter_mut().for_each(|xi| *xi *= factor);
        self.rho = rho;
        self.start_here();
    }
}

/// Subtracts $\alpha s(u) e_N$ from `x`, where s(u) is the shift of each contact.
fn subtract_shift(law: &ContactLaw<'_>, alpha: f64, u: &[f64], x: &mut [f64]) {
    for block in 0..law.blocks() {
        let range = law.range(block);
        x[range.start] -= alpha * law.shift(block, &u[range.clone()]);
    }
}

fn carry_on(start: &mut [f64], now: &[f64], before: &[f64], carry: f64) {
    for ((start, now), before) in start.iter_mut().zip(now).zip(before) {
        *start = now + carry * (now - before);
    }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}
