//! Linear solver for Newton steps. It reuses the factors of an earlier step if the matrix has changed little.

use siconos_linalg::{Gmres, GmresLimits, SingularMatrix};

use super::super::matrices::Matrices;
use super::super::velocity_matrix::VelocityMatrix;
use crate::contact::ContactLaw;

/// Solver of linear equations with the matrix
///
/// $$ A = E (M + H G H^T) E $$
///
/// (plain text: A = E (M + H G H^T) E), where E is the diagonal matrix of the inverse square roots of the
/// masses. If factors of an earlier step are available, the solver tries GMRES with these factors as the
/// preconditioner. GMRES converges in few iterations if few contacts have changed between open, sticking and
/// sliding. Otherwise, the solver factorises the matrix.
#[derive(Clone, Debug, Default)]
pub(super) struct LinearStep {
    factors: VelocityMatrix,
    gmres: Gmres,
    /// `true` if factors of an earlier step on this problem are available.
    has_factors: bool,
    /// Time spent, in units of one factorisation.
    spent: f64,
    velocity: Vec<f64>,
    momentum: Vec<f64>,
    of_contacts: Vec<f64>,
}

/// Limits of GMRES: the residual relative to the right-hand side, and the number of iterations. With this
/// residual, all six test piles of 700 spheres are solved to 1e-8. With a relative residual of 1e-4 or 1e-6,
/// the steps take a tenth less time, but only five of the six piles are solved.
const LIMITS: GmresLimits = GmresLimits { part: 1e-8, iterations: 25 };

/// Minimum number of multiplications in a factorisation, divided by half the number of entries of the matrix,
/// for which GMRES with the factors of an earlier step is tried. Above this value, GMRES takes less time than
/// new factors. The quotient is 150 for piles of 500 spheres, 5000 for piles of 5000 spheres, and 75 for
/// walls of 2000 bricks. It is 3 for scattered contacts, for which GMRES takes three times as long as new
/// factors.
const WORTH_ITERATIONS: f64 = 100.0;

/// Time of a GMRES iteration, in units of one factorisation. It includes a share of the other operations of
/// the Newton step. The iteration alone takes 0.02 for piles of 1000 spheres, and 0.035 for piles of 5000
/// spheres.
const ITERATION: f64 = 0.04;

impl LinearStep {
    /// Discards the data of earlier problems, so that they cannot affect the results.
    pub(super) fn begin(&mut self) {
        self.forget_factors();
        self.spent = 0.0;
    }

    /// Discards the factors, so that the next step computes new factors. Called after a change of the
    /// parameter $\alpha$, which changes the entries of all closed contacts.
    pub(super) fn forget_factors(&mut self) {
        self.has_factors = false;
    }

    /// Returns the time spent since the previous call or since [`begin`](Self::begin), in units of one
    /// factorisation. Resets the counter.
    pub(super) fn take_spent(&mut self) -> f64 {
        std::mem::take(&mut self.spent)
    }

    /// Returns the time spent so far, in units of one factorisation. Does not reset the counter.
    pub(super) fn spent(&self) -> f64 {
        self.spent
    }

    /// Solves the equations in place: `d` holds the right-hand side on entry and the solution on return. `g`
    /// holds the blocks of G.
    pub(super) fn solve(
        &mut self,
        matrices: &Matrices,
        law: &ContactLaw<'_>,
        g: &[f64],
        is_symmetric: bool,
        inverse_roots: &[f64],
        d: &mut [f64],
    ) -> Result<(), SingularMatrix> {
        let is_worth = self.factors.multiplications_per_entry() >= WORTH_ITERATIONS;
        if self.has_factors && is_worth && self.iterate(matrices, law, g, inverse_roots, d) {
            return Ok(());
        }
        self.has_factors = false;
        self.spent += 1.0;
        self.factors.factor(matrices, law, g, is_symmetric)?;
        self.has_factors = true;
        precondition(&mut self.factors, inverse_roots, d);
        Ok(())
    }

    fn iterate(
        &mut self,
        matrices: &Matrices,
        law: &ContactLaw<'_>,
        g: &[f64],
        inverse_roots: &[f64],
        d: &mut [f64],
    ) -> bool {
        let Self { factors, gmres, velocity, momentum, of_contacts, .. } = self;
        let product = |x: &[f64], result: &mut [f64]| {
            velocity.clear();
            velocity.extend(x.iter().zip(inverse_roots).map(|(x, root)| x * root));
            momentum.clear();
            momentum.resize(x.len(), 0.0);
            matrices.m.add_product(1.0, velocity, momentum);
            for contact in 0..law.blocks() {
                let columns = law.range(contact);
                of_contacts.clear();
                of_contacts.extend(
                    columns.clone().map(|j| matrices.h.column(j).map(|(i, x)| x * velocity[i]).sum::<f64>()),
                );
                let rows = matrices.block(g, contact).chunks_exact(of_contacts.len());
                for (j, row) in columns.zip(rows) {
                    let reaction: f64 = row.iter().zip(&*of_contacts).map(|(g, u)| g * u).sum();
                    matrices.h.column(j).for_each(|(i, x)| momentum[i] += x * reaction);
                }
            }
            let scaled = momentum.iter().zip(inverse_roots).map(|(x, root)| x * root);
            result.iter_mut().zip(scaled).for_each(|(y, x)| *y = x);
        };
        let (is_found, iterations) =
            gmres.solve(d, LIMITS, product, |x| precondition(factors, inverse_roots, x));
        self.spent += ITERATION * iterations as f64;
        is_found
    }
}

/// Replaces `x` by $E^{-1} (M + H G H^T)^{-1} E^{-1} x$, computed with the current factors.
fn precondition(factors: &mut VelocityMatrix, inverse_roots: &[f64], x: &mut [f64]) {
    let divide = |x: &mut [f64]| x.iter_mut().zip(inverse_roots).for_each(|(x, root)| *x /= root);
    divide(x);
    factors.solve(x);
    divide(x);
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, Array2};

    use super::super::super::BodiesProblem;
    use super::*;

    const BODIES: usize = 150;
    const CONTACTS: usize = 300;
    const SIZE: usize = 3 * CONTACTS;

    fn number(i: usize, j: usize) -> f64 {
        ((7 * i + 13 * j + i * j) as f64).sin()
    }

    /// Returns blocks of G. The blocks with an index below `changed` are diagonal, with the powers 1 to 7 of
    /// `base` in turn.
    fn blocks(changed: usize, base: f64) -> Vec<f64> {
        let entry = |contact: usize, k: usize| {
            let diagonal = if k.is_multiple_of(4) { 2.0 } else { 0.0 };
            if contact < changed {
                base.powi(1 + contact as i32 % 7) * diagonal
            } else {
                diagonal + 0.25 * number(contact, k)
            }
        };
        (0..CONTACTS).flat_map(|contact| (0..9).map(move |k| entry(contact, k))).collect()
    }

    /// Returns the time of a step after `changed` contacts have changed since the factorisation. Also returns
    /// the largest entry of the residual, for a right-hand side whose largest entry is 1.
    fn after(changed: usize, base: f64) -> (f64, f64) {
        let n = 3 * BODIES;
        let m = Array2::from_diag(&Array1::from_shape_fn(n, |i| 1.0 + (i % 5) as f64));
        // Each contact joins two bodies with distant indices. The factors therefore have many more entries
        // than the matrix and are expensive.
        let bodies = |contact: usize| [contact % BODIES, (37 * contact + contact / BODIES * 11 + 5) % BODIES];
        let touches = |i: usize, j: usize| bodies(j / 3).contains(&(i / 3));
        let h = Array2::from_shape_fn((n, SIZE), |(i, j)| if touches(i, j) { number(i, j) } else { 0.0 });
        let (q, mu) = (vec![0.0; SIZE], vec![0.5; CONTACTS]);
        let law = ContactLaw::Coulomb { dimension: 3, mu: &mu };
        let problem = BodiesProblem::new((&m).into(), (&h).into(), &q, law);
        let mut matrices = Matrices::default();
        matrices.prepare(&problem);
        let roots: Vec<f64> = m.diag().iter().map(|m| 1.0 / m.sqrt()).collect();
        let right: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        let mut step = LinearStep::default();
        step.begin();
        let mut x = right.clone();
        step.solve(&matrices, &law, &blocks(0, base), false, &roots, &mut x).expect("regular");
        assert_eq!(step.take_spent(), 1.0);
        let g = blocks(changed, base);
        x.copy_from_slice(&right);
        step.solve(&matrices, &law, &g, false, &roots, &mut x).expect("regular");
        let mut d = Array2::zeros((SIZE, SIZE));
        for (k, g) in g.iter().enumerate() {
            let (contact, row, column) = (k / 9, k % 9 / 3, k % 3);
            d[[3 * contact + row, 3 * contact + column]] = *g;
        }
        let scales = Array2::from_diag(&Array1::from(roots));
        let a = scales.dot(&(&m + &h.dot(&d).dot(&h.t()))).dot(&scales);
        let product = a.dot(&Array1::from(x));
        let rest = product.iter().zip(&right).fold(0.0_f64, |rest, (y, b)| rest.max((y - b).abs()));
        (step.take_spent(), rest)
    }

    #[test]
    fn few_changes_take_few_iterations_with_the_old_factors() {
        for (changed, least, most) in [(0, 0.0, 1.0), (1, 1.0, 4.0), (2, 1.0, 7.0)] {
            let (time, rest) = after(changed, 3.0);
            assert!(time > least * ITERATION && time <= most * ITERATION, "{changed}: {time}");
            assert!(rest < 1e-7, "{changed}: {rest:e}");
        }
    }

    #[test]
    fn many_changes_take_factors_of_their_own() {
        let (time, rest) = after(CONTACTS, 10.0);
        assert!(time > 1.0 && time < 1.0 + ITERATION * LIMITS.iterations as f64, "{time}");
        // The entries of A are as large as 1e7.
        assert!(rest < 1e-8, "{rest:e}");
    }
}
