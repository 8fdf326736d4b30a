//! Error of reactions, and velocities caused by reactions, computed with M and H instead of W.

use siconos_linalg::Csc;

use super::{BodiesProblem, Mass};
use crate::contact::ContactLaw;
use crate::contact::best_iterate::BestIterate;
use crate::contact::residual::{Posed, conclude_at, judge, relative_violation};
use crate::contact::scales::Scales;
use crate::error::SolverError;
use crate::info::{SolveInfo, Status, Stop};

/// Scales and workspace for the error of reactions. They are prepared once per problem.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct BodiesError {
    mass: Mass,
    scales: Scales,
    h: Csc,
    /// Reciprocal magnitudes $1 / |M_{kk}|$ of the diagonal entries of M; 0 if the entry is zero.
    inverse_masses: Vec<f64>,
    diagonal: Vec<f64>,
    /// Velocities $M^{-1} H r$ of the bodies, for the reactions of the most recent evaluation.
    v: Vec<f64>,
    /// Sums of the magnitudes of the terms of $M^{-1} H r$, with M replaced by its diagonal.
    magnitudes: Vec<f64>,
    touched: Vec<usize>,
    terms: Vec<f64>,
}

impl BodiesError {
    /// Prepares the scales for a problem. If M is singular, the scales are also computed, but an error is
    /// returned.
    pub(in crate::contact) fn prepare(&mut self, problem: &BodiesProblem<'_>) -> Result<(), SolverError> {
        let Self { mass, scales, h, inverse_masses, diagonal, v, touched, .. } = self;
        let law = problem.law();
        h.copy_from(problem.h(), |_, _| false);
        let factored = mass.factor(problem.m());
        inverse_masses.clear();
        inverse_masses.resize(problem.degrees_of_freedom(), 0.0);
        problem.m().copy_diagonal(inverse_masses);
        inverse_masses.iter_mut().for_each(|m| *m = if *m == 0.0 { 0.0 } else { 1.0 / m.abs() });
        if factored.is_err() || !mass.write_diagonal(h, v, touched, diagonal) {
            let of_column = |j| h.column(j).map(|(k, x)| x * x * inverse_masses[k]).sum::<f64>();
            diagonal.clear();
            diagonal.extend((0..h.columns()).map(of_column));
        }
        let vanishes = |row: usize| h.column(row).all(|(_, x)| x == 0.0);
        scales.prepare_by(
            &law,
            problem.q(),
            |row| diagonal[row],
            vanishes,
            |components| {
                let contacts = law.blocks();
                components.begin(contacts + problem.degrees_of_freedom());
                components.join_coupled(problem.m(), |row| contacts + row);
                for column in 0..h.columns() {
                    let entries = h.column(column).filter(|(_, x)| *x != 0.0);
                    entries.for_each(|(k, _)| components.join(law.block_of(column), contacts + k));
                }
            },
        );
        factored.map_err(|singular| SolverError::Singular { what: "the mass matrix", singular })
    }

    /// Returns the scales of the contacts.
    pub(in crate::contact) fn scales(&self) -> &Scales {
        &self.scales
    }

    /// Returns the norm of the free velocities of the contacts. Violations of the law are divided by this
    /// norm.
    pub(in crate::contact) fn free_velocity(&self) -> f64 {
        self.scales.free_velocity()
    }

    /// Returns the factors of M.
    pub(in crate::contact) fn mass(&mut self) -> &mut Mass {
        &mut self.mass
    }

    /// Returns the velocities $M^{-1} H r$ of the bodies, for the reactions of the most recent evaluation.
    pub(super) fn velocities(&self) -> &[f64] {
        &self.v
    }

    /// Writes $u = W r + q$ to `u`, and returns the [error](crate::contact::error) of the pair (r, u).
    pub(in crate::contact) fn of(&mut self, problem: &BodiesProblem<'_>, r: &[f64], u: &mut [f64]) -> f64 {
        let Self { mass, v, .. } = self;
        v.clear();
        v.resize(problem.degrees_of_freedom(), 0.0);
        problem.h().add_product(1.0, r, v);
        mass.solve(v);
        u.copy_from_slice(problem.q());
        problem.h().add_transposed_product(1.0, v, u);
        self.error(problem, r, u)
    }

    /// Returns the [error](crate::contact::error) of the pair (r, u).
    pub(in crate::contact) fn error(&self, problem: &BodiesProblem<'_>, r: &[f64], u: &[f64]) -> f64 {
        relative_violation(&problem.law(), self.scales.blocks(), self.free_velocity(), r, u)
    }

    /// Acceptance test. Returns the status of reactions that a method reports as a solution. The solution is
    /// rejected unless the status is a success.
    pub(in crate::contact) fn judge(
        &mut self,
        problem: &BodiesProblem<'_>,
        r: &[f64],
        error: f64,
        tolerance: f64,
    ) -> Status {
        if error <= tolerance {
            self.write_magnitudes(r);
        }
        judge(&Measured { problem, measure: self }, r, error, tolerance)
    }

    fn write_magnitudes(&mut self, r: &[f64]) {
        let Self { h, inverse_masses, magnitudes, .. } = self;
        magnitudes.clear();
        magnitudes.resize(inverse_masses.len(), 0.0);
        for (column, r) in r.iter().enumerate() {
            h.column(column).for_each(|(k, x)| magnitudes[k] += (x * r).abs() * inverse_masses[k]);
        }
    }

    /// Ends a solve and computes its result. If the status in `stop` is not a success, `r` is first exchanged
    /// with the best iterate; the returned status can then be `AtRoundingLevel`.
    pub(in crate::contact) fn finish(
        &mut self,
        problem: &BodiesProblem<'_>,
        best: &mut BestIterate,
        (r, u): (&mut [f64], &mut [f64]),
        tolerance: f64,
        stop: Stop,
    ) -> SolveInfo {
        if !stop.status.is_success() {
            best.put_back(r);
        }
        self.conclude(problem, r, u, tolerance, stop)
    }

    /// Returns the result of a method that stops with the reactions `r`. Recomputes `u`.
    pub(in crate::contact) fn conclude(
        &mut self,
        problem: &BodiesProblem<'_>,
        r: &[f64],
        u: &mut [f64],
        tolerance: f64,
        stop: Stop,
    ) -> SolveInfo {
        let error = self.of(problem, r, u);
        self.write_magnitudes(r);
        let mut terms = std::mem::take(&mut self.terms);
        let measured = Measured { problem, measure: self };
        let info = conclude_at(&measured, (r, u), error, tolerance, stop, &mut terms);
        self.terms = terms;
        info
    }
}

/// Problem together with the data of its acceptance test.
struct Measured<'a, 'p> {
    problem: &'a BodiesProblem<'p>,
    measure: &'a BodiesError,
}

impl Posed for Measured<'_, '_> {
    fn law(&self) -> ContactLaw<'_> {
        self.problem.law()
    }

    fn q(&self) -> &[f64] {
        self.problem.q()
    }

    fn with_scales<R>(&self, look: impl FnOnce(&Scales) -> R) -> R {
        look(&self.measure.scales)
    }

    /// Adds to `terms` the magnitudes computed by the most recent call of
    /// [`write_magnitudes`](BodiesError::write_magnitudes). The reactions in the first argument are ignored.
    fn add_magnitudes(&self, _: &[f64], terms: &mut [f64]) {
        let BodiesError { h, magnitudes, .. } = self.measure;
        for (column, term) in terms.iter_mut().enumerate() {
            *term += h.column(column).map(|(k, x)| x.abs() * magnitudes[k]).sum::<f64>();
        }
    }
}
