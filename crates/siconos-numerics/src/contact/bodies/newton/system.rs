//! System of equations that consists of the equations of motion and the contact law.

use siconos_linalg::{SingularMatrix, first_non_finite};

use super::super::saddle::Saddle;
use super::super::{BodiesError, BodiesProblem};
use crate::engine::semismooth_newton::SemismoothSystem;

/// Workspace for the equations of one problem.
#[derive(Clone, Debug, Default)]
pub(super) struct NewtonWorkspace {
    saddle: Saddle,
    rho: Vec<f64>,
    row_scale: Vec<f64>,
    /// Factors that convert the scaled unknowns x to velocities and reactions.
    roots: Vec<f64>,
    /// Velocities and reactions, converted from the scaled unknowns.
    z: Vec<f64>,
    u: Vec<f64>,
    /// Argument of the projection, one entry per contact unknown.
    argument: Vec<f64>,
    g: Vec<f64>,
    b: Vec<f64>,
    derivative: Vec<f64>,
    gradient: Vec<f64>,
}

impl NewtonWorkspace {
    /// Prepares the workspace for a problem. Converts the velocities and reactions (v, r) to scaled unknowns,
    /// and writes them to `x`.
    pub(super) fn prepare(
        &mut self,
        problem: &BodiesProblem<'_>,
        (r, v): (&[f64], &[f64]),
        x: &mut Vec<f64>,
    ) {
        let Self { saddle, rho, row_scale, roots, u, argument, .. } = self;
        let law = problem.law();
        saddle.matrices.prepare(problem);
        saddle.matrices.masses(&law, rho, row_scale);
        for work in [u, argument] {
            work.clear();
            work.resize(r.len(), 0.0);
        }
        roots.clear();
        roots.extend_from_slice(row_scale);
        rho.iter().enumerate().for_each(|(block, rho)| roots.extend(law.range(block).map(|_| rho.sqrt())));
        x.clear();
        x.extend(v.iter().chain(r).zip(&*roots).map(|(z, root)| z / root));
    }

    /// Converts the scaled unknowns `x` to reactions, and writes them to `r`.
    pub(super) fn write_reactions(&self, x: &[f64], r: &mut [f64]) {
        let first = x.len() - r.len();
        let of_contacts = x[first..].iter().zip(&self.roots[first..]);
        r.iter_mut().zip(of_contacts).for_each(|(r, (x, root))| *r = x * root);
    }
}

/// System of equations, with its values at the most recent evaluation.
pub(super) struct System<'a, 'p> {
    problem: &'a BodiesProblem<'p>,
    memory: &'a mut NewtonWorkspace,
    measure: &'a mut BodiesError,
    regularisation: f64,
    error: f64,
    epsilon: f64,
}

impl<'a, 'p> System<'a, 'p> {
    pub(super) fn new(
        problem: &'a BodiesProblem<'p>,
        memory: &'a mut NewtonWorkspace,
        measure: &'a mut BodiesError,
        regularisation: f64,
    ) -> Self {
        Self { problem, memory, measure, regularisation, error: f64::INFINITY, epsilon: 0.0 }
    }
}

impl SemismoothSystem for System<'_, '_> {
    fn residual(&mut self, x: &[f64], phi: &mut [f64]) -> f64 {
        let (problem, law) = (self.problem, self.problem.law());
        let NewtonWorkspace { rho, row_scale, roots, z, u, argument, .. } = &mut *self.memory;
        z.clear();
        z.extend(x.iter().zip(&*roots).map(|(x, root)| x * root));
        let (v, r) = z.split_at(problem.degrees_of_freedom());
        self.error = self.measure.of(problem, r, u);
        u.copy_from_slice(problem.q());
        problem.h().add_transposed_product(1.0, v, u);
        let (of_motion, of_law) = phi.split_at_mut(v.len());
        of_motion.fill(0.0);
        problem.m().add_product(1.0, v, of_motion);
        problem.h().add_product(-1.0, r, of_motion);
        of_motion.iter_mut().zip(&*row_scale).for_each(|(x, scale)| *x *= scale);
        for (block, rho) in rho.iter().enumerate() {
            let range = law.range(block);
            let (u, r, x) = (&u[range.clone()], &r[range.clone()], &mut argument[range.clone()]);
            for ((x, r), u) in x.iter_mut().zip(r).zip(u) {
                *x = r - rho * u;
            }
            x[0] -= rho * law.shift(block, u);
            let phi = &mut of_law[range];
            phi.copy_from_slice(x);
            law.project(block, phi);
            phi.iter_mut().zip(r).for_each(|(phi, r)| *phi = (r - *phi) / rho.sqrt());
        }
        self.error
    }

    fn direction(&mut self, _: &[f64], phi: &[f64], d: &mut [f64]) -> Result<(), SingularMatrix> {
        let law = self.problem.law();
        let NewtonWorkspace {
            saddle, rho, row_scale, roots, u, argument, g, b, derivative, gradient, ..
        } = &mut *self.memory;
        self.epsilon = (self.regularisation * self.error.min(1.0)).max(SMALLEST_REGULARIZATION);
        g.clear();
        b.clear();
        for (block, &rho) in rho.iter().enumerate() {
            let range = law.range(block);
            let d = range.len();
            derivative.clear();
            derivative.resize(d * d, 0.0);
            gradient.clear();
            gradient.resize(d, 0.0);
            law.cone(block).derivative(&argument[range.clone()], derivative);
            law.shift_gradient(block, &u[range], gradient);
            let root = rho.sqrt();
            for (i, row) in derivative.chunks_exact(d).enumerate() {
                g.extend(row.iter().zip(&*gradient).map(|(x, s)| root * (x + row[0] * s)));
                b.extend(
                    row.iter()
                        .enumerate()
                        .map(|(j, x)| if i == j { (1.0 - x + self.epsilon) / root } else { -x / root }),
                );
            }
        }
        saddle.assemble(&law, row_scale, g, b);
        saddle.factor()?;
        d.iter_mut().zip(phi).for_each(|(d, phi)| *d = -phi);
        saddle.solve(d);
        d.iter_mut().zip(&*roots).for_each(|(d, root)| *d /= root);
        match first_non_finite(d) {
            None => Ok(()),
            Some(column) => Err(SingularMatrix::Pivot { column, pivot: 0.0 }),
        }
    }

    fn gradient(&mut self, _: &[f64], phi: &[f64], g: &mut [f64]) {
        self.memory.saddle.transposed_product(phi, g);
        // The regularisation is not a term of the Jacobian, so its contribution is subtracted.
        let n = self.problem.degrees_of_freedom();
        let law = self.problem.law();
        for (block, rho) in self.memory.rho.iter().enumerate() {
            for j in law.range(block).map(|j| n + j) {
                g[j] -= self.epsilon / rho.sqrt() * phi[j];
            }
        }
        g.iter_mut().zip(&self.memory.roots).for_each(|(g, root)| *g *= root);
    }
}

/// Minimum regularisation. Rounding errors of the equations are divided by the regularisation only along
/// directions of the reactions that do not change the velocities.
const SMALLEST_REGULARIZATION: f64 = 1e-11;

#[cfg(test)]
mod tests {
    use super::super::super::row_of_bodies::{BODIES, REACTIONS, RowOfBodies, check_equations, equations};
    use super::*;

    /// Returns the residual, the direction and the gradient at `x`, for a row of bodies whose rotational
    /// velocities are divided by `length`.
    fn phi_direction_gradient(length: f64, x: &[f64]) -> [Vec<f64>; 3] {
        let bodies = RowOfBodies::new(length);
        let problem = bodies.problem();
        let mut memory = NewtonWorkspace::default();
        let (r, v) = ([0.0; REACTIONS.len()], [0.0; 3 * BODIES]);
        let mut measure = BodiesError::default();
        measure.prepare(&problem).expect("M is regular");
        memory.prepare(&problem, (&r, &v), &mut Vec::new());
        let mut system = System::new(&problem, &mut memory, &mut measure, 0.0);
        let said = equations(&mut system, x);
        let mut reactions = system.memory.argument.clone();
        problem.law().project_all(&mut reactions);
        bodies.check_states(&reactions);
        said
    }

    /// Returns velocities and reactions, scaled to square roots of energies.
    fn point() -> Vec<f64> {
        (0..3 * BODIES).map(|i| 0.2 * ((5 * i) as f64).cos()).chain(REACTIONS).collect()
    }

    #[test]
    fn direction_and_gradient_are_those_of_the_equations_in_every_unit() {
        check_equations(&point(), phi_direction_gradient);
    }
}
