//! The interior points of the global form for a local problem whose bodies are known.

use super::global::{GlobalInteriorPoint, GlobalInteriorPointSettings, GlobalProblem};
use super::problem::Motion;
use super::residual::{conclude, error_of_point};
use super::{Contact, ContactProblem};
use crate::chain::{Allowance, Link};
use crate::effort::sparse_factorisation;
use crate::error::SolverError;
use crate::info::{SolveInfo, Status};
use crate::method::{Limits, Solver};

/// [`GlobalInteriorPoint`] as a link of a chain of local methods.
#[derive(Debug)]
pub(super) struct InVelocities {
    tolerance: f64,
    solver: GlobalInteriorPoint,
    f: Vec<f64>,
    z: Vec<f64>,
    terms: Vec<f64>,
}

/// The part of the tolerance that the global error must be within: it is a sum with the balance of momentum.
const STRICTER: f64 = 0.5;

impl InVelocities {
    /// With a tolerance in its range.
    pub(super) fn of_checked(tolerance: f64) -> Self {
        let settings = GlobalInteriorPointSettings {
            tolerance: STRICTER * tolerance,
            polish_from: 0.0,
            ..GlobalInteriorPointSettings::default()
        };
        let solver = GlobalInteriorPoint::of_checked(settings);
        Self { tolerance, solver, f: Vec::new(), z: Vec::new(), terms: Vec::new() }
    }

    /// The bodies behind a problem, where their equations are fewer than those of the contacts.
    pub(super) fn motion<'a>(problem: &'a ContactProblem<'_>) -> Option<Motion<'a>> {
        problem.motion().filter(|motion| motion.m.rows() < problem.size())
    }

    /// The operations of one step: H has few entries in a column, so that two degrees of freedom of each pair
    /// of bodies that touch are coupled.
    pub(super) fn cost(motion: Motion<'_>) -> f64 {
        let per_column = motion.h.stored_entries() as f64 / motion.h.columns().max(1) as f64;
        sparse_factorisation(motion.m.stored_entries() as f64 + per_column * motion.h.stored_entries() as f64)
    }
}

impl Link for InVelocities {
    fn lend(&mut self, allowance: &Allowance) {
        self.solver.lend(allowance);
    }
}

impl Solver for InVelocities {
    type Class = Contact;

    fn name(&self) -> &'static str {
        "interior-point in velocities"
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.tolerance, max_iterations: self.solver.limits().max_iterations }
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let Some(Motion { m, h }) = problem.motion() else {
            let error = error_of_point(problem, r, u);
            return Ok(SolveInfo { status: Status::Breakdown, iterations: 0, error });
        };
        let n = m.rows();
        self.f.clear();
        self.f.resize(n, 0.0);
        self.z.clear();
        self.z.extend_from_slice(r);
        self.z.resize(r.len() + n, 0.0);
        let (f, q, law) = (&self.f[..], problem.q(), problem.law());
        let global = GlobalProblem::of_checked(m, h, f, q, law);
        let info = self.solver.solve(&global, &mut self.z, u)?;
        r.copy_from_slice(&self.z[..r.len()]);
        let ended = (info.status, info.iterations);
        let info = conclude(problem, (r, u), self.tolerance, ended, &mut self.terms);
        // The local error decides: where M is no more than nearly what made W, they differ.
        let status = match info.status.is_success() {
            true if info.error > self.tolerance && info.status == Status::Converged => Status::Stalled,
            false if info.error <= self.tolerance => Status::Converged,
            _ => info.status,
        };
        Ok(SolveInfo { status, ..info })
    }
}
