//! Interface between the problems of a class and all its methods.

use siconos_numerics::method::{BoxedSolver, Class, MethodDescription};
use siconos_numerics::{Method, SolveInfo, Solver, SolverError};

use super::files::Files;
use super::survey::{Asked, Case, Point, Survey};

/// Problem that is posed to every method of its class, and computes the errors of returned points without the
/// crate under test.
pub(crate) trait Surveyed: 'static {
    /// Methods of the class.
    type Method: Method;

    /// Returns the error at which a point counts as a solution.
    fn tolerance(&self, is_default: bool) -> f64;

    /// Returns `true` if the problem is too large for the method.
    fn leaves_out(&self, _method: &MethodDescription, _is_default: bool) -> bool {
        false
    }

    /// Returns `true` if the method is known to solve the problem, provided that there is a solution.
    fn promises(&self, method: &MethodDescription, is_default: bool) -> bool;

    /// Changes the settings of a method for this problem.
    fn prepare(&self, _method: &mut Self::Method) {}

    /// Passes the problem to a solver.
    fn solve(
        &self,
        solver: &mut BoxedSolver<<Self::Method as Method>::Class>,
        z: &mut [f64],
    ) -> Result<SolveInfo, SolverError>;

    /// Computes the errors of a point.
    fn measure(&self, z: &[f64]) -> Point;
}

/// Runs every method of the class on every problem.
pub(crate) fn survey<P: Surveyed>(cases: &[Case<P>], files: Option<Files>) -> Survey {
    let default = P::Method::default().name();
    let is_default = |method: &P::Method| method.name() == default;
    let methods = P::Method::all().into_iter().map(|method| asked(is_default(&method), method));
    Survey::of(cases, methods.collect(), files.map(|files| files.unreadable))
}

fn asked<P: Surveyed>(is_default: bool, method: P::Method) -> Asked<P> {
    let description = method.description();
    Asked {
        name: description.name,
        is_default,
        tolerance: Box::new(move |problem| problem.tolerance(is_default)),
        leaves_out: Box::new(move |problem| problem.leaves_out(description, is_default)),
        promises: Box::new(move |problem| problem.promises(description, is_default)),
        solve: Box::new(move |problem, z| {
            let mut method = method.clone();
            method.set_tolerance(problem.tolerance(is_default));
            problem.prepare(&mut method);
            problem.solve(&mut method.build()?, z)
        }),
        measure: P::measure,
    }
}

/// Passes a problem of the class to a solver, if it supports the problem.
pub(crate) fn hand_over<C: Class>(
    problem: &C::Problem<'_>,
    solver: &mut BoxedSolver<C>,
    z: &mut [f64],
) -> Result<SolveInfo, SolverError> {
    solver.supports(problem)?;
    solver.solve(problem, z, &mut vec![0.0; C::sizes(problem).1])
}
