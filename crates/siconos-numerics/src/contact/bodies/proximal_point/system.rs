//! Equations of motion in which the reactions are functions of the velocities.

use siconos_linalg::{SingularMatrix, add_scaled, are_finite, norm};

use super::super::BodiesProblem;
use super::super::matrices::Matrices;
use super::linear_step::LinearStep;
use crate::engine::semismooth_newton::SemismoothSystem;

/// Workspace for the equations of one problem.
#[derive(Clone, Debug, Default)]
pub(super) struct ProximalWorkspace {
    matrices: Matrices,
    pub(super) linear: LinearStep,
    /// Effective mass of each contact.
    masses: Vec<f64>,
    /// Inverse square root of the mass of each degree of freedom.
    inverse_roots: Vec<f64>,
    /// Reactions around which the problem is regularised.
    pub(super) centre: Vec<f64>,
    /// Parameter $\alpha$ of the regularisation.
    pub(super) alpha: f64,
    /// Initial guess of the velocities for the Newton iteration.
    start: Vec<f64>,
    /// Velocities of the most recent evaluation.
    velocity: Vec<f64>,
    /// Reactions of the most recent evaluation.
    pub(super) reactions: Vec<f64>,
    u: Vec<f64>,
    argument: Vec<f64>,
    /// Derivatives of the reactions with respect to the velocities of the contacts. There is one block per
    /// contact, in row-major order.
    blocks: Vec<f64>,
    derivative: Vec<f64>,
    gradient: Vec<f64>,
    scaled: Vec<f64>,
    products: Vec<f64>,
    weighted: Vec<f64>,
}

impl ProximalWorkspace {
    pub(super) fn prepare(&mut self, problem: &BodiesProblem<'_>, start: &[f64]) {
        self.start.clear();
        self.start.extend_from_slice(start);
        self.matrices.prepare(problem);
        self.linear.begin();
        self.matrices.masses(&problem.law(), &mut self.masses, &mut self.inverse_roots);
        for vector in [&mut self.u, &mut self.argument, &mut self.reactions, &mut self.products] {
            vector.clear();
            vector.resize(problem.size(), 0.0);
        }
        for vector in [&mut self.scaled, &mut self.velocity] {
            vector.clear();
            vector.resize(problem.degrees_of_freedom(), 0.0);
        }
    }

    /// Uses the velocities of the most recent evaluation as the initial guess of the next solve.
    pub(super) fn start_from_here(&mut self) {
        self.start.copy_from_slice(&self.velocity);
    }

    /// Writes the initial values of the scaled unknowns to `x`.
    pub(super) fn unknowns(&self, x: &mut Vec<f64>) {
        x.clear();
        x.extend(self.start.iter().zip(&self.inverse_roots).map(|(v, root)| v / root));
    }

    /// Regularises the problem around the reactions `r`.
    pub(super) fn centre_at(&mut self, r: &[f64], alpha: f64) {
        if alpha != self.alpha {
            self.linear.forget_factors();
        }
        self.alpha = alpha;
        self.centre.clear();
        self.centre.extend_from_slice(r);
    }

    /// Converts the scaled unknowns `x` to velocities, and computes the reactions for these velocities.
    pub(super) fn react(&mut self, problem: &BodiesProblem<'_>, x: &[f64]) {
        let law = problem.law();
        let Self { masses, centre, alpha, velocity, inverse_roots, reactions, u, argument, .. } = self;
        velocity.iter_mut().zip(x).zip(&*inverse_roots).for_each(|((v, x), root)| *v = x * root);
        u.copy_from_slice(problem.q());
        problem.h().add_transposed_product(1.0, velocity, u);
        for (block, mass) in masses.iter().enumerate() {
            let range = law.range(block);
            let penalty = mass / *alpha;
            let (u, x) = (&u[range.clone()], &mut argument[range.clone()]);
            for ((x, u), centre) in x.iter_mut().zip(u).zip(&centre[range.clone()]) {
                *x = centre - penalty * u;
            }
            x[0] -= penalty * law.shift(block, u);
            let r = &mut reactions[range];
            r.copy_from_slice(x);
            law.project(block, r);
        }
    }
}

/// System of equations $M v = H r(v)$ with $r_i = P_K(r_{k,i} - R_i (u_i + s_i(u_i) e_N))$ and
/// $u = H^T v + q$.
///
/// The unknowns are the velocities scaled to square roots of energies, $x = M_{ii}^{1/2} v$. If the method
/// finds no other direction, it takes a step along the gradient. With this scaling, that step does not depend
/// on the units of the degrees of freedom.
pub(super) struct System<'a, 'p> {
    pub(super) problem: &'a BodiesProblem<'p>,
    pub(super) memory: &'a mut ProximalWorkspace,
    /// Maximum time of the Newton iteration, in units of one factorisation.
    pub(super) most: f64,
}

impl SemismoothSystem for System<'_, '_> {
    /// Writes the residual of the momentum balance, scaled to square roots of energies. Returns the norm of
    /// the residual divided by the larger of the norms of its two terms.
    fn residual(&mut self, x: &[f64], phi: &mut [f64]) -> f64 {
        let problem = self.problem;
        self.memory.react(problem, x);
        let ProximalWorkspace { inverse_roots, velocity, reactions, scaled, .. } = &mut *self.memory;
        let mut scale = 0.0_f64;
        // The norm of each term is recorded before the term is added.
        phi.fill(0.0);
        let mut add = |factor: f64, part: &[f64]| {
            let roots = part.iter().zip(&*inverse_roots);
            scale = scale.max(roots.map(|(x, root)| (x * root).powi(2)).sum::<f64>());
            add_scaled(factor, part, phi);
        };
        scaled.fill(0.0);
        problem.m().add_product(1.0, velocity, scaled);
        add(1.0, scaled);
        scaled.fill(0.0);
        problem.h().add_product(1.0, reactions, scaled);
        add(-1.0, scaled);
        phi.iter_mut().zip(&*inverse_roots).for_each(|(x, root)| *x *= root);
        let size = norm(phi);
        // If the bodies do not move, both the residual and the scale are zero.
        if size == 0.0 { 0.0 } else { size / scale.sqrt() }
    }

    fn direction(&mut self, _: &[f64], phi: &[f64], d: &mut [f64]) -> Result<(), SingularMatrix> {
        let law = self.problem.law();
        let ProximalWorkspace { masses, alpha, u, argument, blocks, derivative, gradient, .. } =
            &mut *self.memory;
        blocks.clear();
        for (block, mass) in masses.iter().enumerate() {
            let range = law.range(block);
            let n = range.len();
            let penalty = mass / *alpha;
            derivative.clear();
            derivative.resize(n * n, 0.0);
            gradient.clear();
            gradient.resize(n, 0.0);
            law.cone(block).derivative(&argument[range.clone()], derivative);
            law.shift_gradient(block, &u[range], gradient);
            for row in derivative.chunks_exact(n) {
                blocks.extend(row.iter().zip(&*gradient).map(|(x, s)| penalty * (x + row[0] * s)));
            }
        }
        let ProximalWorkspace { matrices, linear, inverse_roots, blocks, .. } = &mut *self.memory;
        d.iter_mut().zip(phi).for_each(|(d, phi)| *d = -phi);
        linear.solve(matrices, &law, blocks, !law.has_shift(), inverse_roots, d)?;
        if are_finite(d) { Ok(()) } else { Err(SingularMatrix::Pivot { column: 0, pivot: 0.0 }) }
    }

    fn gradient(&mut self, _: &[f64], phi: &[f64], g: &mut [f64]) {
        let (problem, law) = (self.problem, self.problem.law());
        let ProximalWorkspace { matrices, inverse_roots, blocks, scaled, products, weighted, .. } =
            &mut *self.memory;
        scaled.iter_mut().zip(phi).zip(&*inverse_roots).for_each(|((x, phi), root)| *x = phi * root);
        g.fill(0.0);
        problem.m().add_transposed_product(1.0, scaled, g);
        products.fill(0.0);
        problem.h().add_transposed_product(1.0, scaled, products);
        for block in 0..law.blocks() {
            let of_contact = &mut products[law.range(block)];
            weighted.clear();
            weighted.resize(of_contact.len(), 0.0);
            let rows = matrices.block(blocks, block).chunks_exact(of_contact.len());
            for (row, x) in rows.zip(&*of_contact) {
                weighted.iter_mut().zip(row).for_each(|(sum, g)| *sum += g * x);
            }
            of_contact.copy_from_slice(weighted);
        }
        problem.h().add_product(1.0, products, g);
        g.iter_mut().zip(&*inverse_roots).for_each(|(g, root)| *g *= root);
    }

    fn may_continue(&self) -> bool {
        self.memory.linear.spent() < self.most
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::row_of_bodies::{BODIES, REACTIONS, RowOfBodies, check_equations, equations};
    use super::*;

    /// Returns the residual, the direction and the gradient at `x`, for a row of bodies whose rotational
    /// velocities are divided by `length`.
    fn phi_direction_gradient(length: f64, x: &[f64]) -> [Vec<f64>; 3] {
        let bodies = RowOfBodies::new(length);
        let problem = bodies.problem();
        let mut memory = ProximalWorkspace::default();
        memory.prepare(&problem, &[0.0; 3 * BODIES]);
        memory.centre_at(&REACTIONS, 0.75);
        let mut system = System { problem: &problem, memory: &mut memory, most: f64::INFINITY };
        let said = equations(&mut system, x);
        bodies.check_states(&system.memory.reactions);
        said
    }

    fn point() -> Vec<f64> {
        (0..3 * BODIES).map(|i| 0.2 * ((5 * i) as f64).cos()).collect()
    }

    #[test]
    fn direction_and_gradient_are_those_of_the_equations_in_every_unit() {
        check_equations(&point(), phi_direction_gradient);
    }
}
