//! Interface of a solver.

use crate::error::{SolverError, Unsupported};
use crate::info::{Attempt, Contradiction, SolveInfo};

/// Class of problems, represented by a marker type without data, such as [`Lcp`](crate::lcp::Lcp) or
/// [`Contact`](crate::contact::Contact).
///
/// A point of a problem is a pair of vectors, here called z and w, which are defined in the documentation of
/// each class. Examples are z with w = M z + q, reactions with velocities, and a vector with its multipliers.
pub trait Class: Copy + Default + std::fmt::Debug + Send + 'static {
    /// Problem of the class, usually a view of data that is stored elsewhere.
    type Problem<'a>: ?Sized;

    /// Returns the lengths of z and w.
    fn sizes(problem: &Self::Problem<'_>) -> (usize, usize);

    /// Returns the error of the point (z, w), which the solvers of the class compare with their tolerance. If
    /// w is determined by z, the function computes w and overwrites it; otherwise it reads w. The error is
    /// NaN if the point is not finite.
    ///
    /// # Panics
    ///
    /// If a vector has the wrong length.
    fn error_of_point(problem: &Self::Problem<'_>, z: &[f64], w: &mut [f64]) -> f64;

    /// Returns the error that Siconos computes for the point (z, w), for comparison with published results of
    /// Siconos. Returns NaN if Siconos has no error for the class.
    fn siconos_error(_problem: &Self::Problem<'_>, _z: &[f64], _w: &[f64]) -> f64 {
        f64::NAN
    }
}

/// Limits at which a solver stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Maximum [error](Class::error_of_point) of an accepted solution.
    pub tolerance: f64,
    /// Maximum number of iterations. The meaning of an iteration depends on the method, for example a pivot,
    /// a sweep or a Newton step.
    pub max_iterations: usize,
}

/// Solver for problems of the class `C`, as a boxed trait object.
pub type BoxedSolver<C> = Box<dyn Solver<Class = C>>;

/// Solver for problems of one class. A solver owns its workspace, and can be used for many problems of
/// different sizes.
///
/// On entry, z holds the initial guess (zeros if none is known). On return, z holds the best or the final
/// iterate, depending on the method, and w holds the corresponding vector.
pub trait Solver: std::fmt::Debug + Send {
    /// Class of the problems that the solver solves.
    type Class: Class;

    /// Returns the name of the method, in lower case with hyphens, as in
    /// [`MethodDescription`](super::MethodDescription).
    fn name(&self) -> &'static str;

    /// Returns the limits at which the solver stops.
    fn limits(&self) -> Limits;

    /// Returns the maximum [error](Class::error_of_point) of an accepted solution.
    fn tolerance(&self) -> f64 {
        self.limits().tolerance
    }

    /// Checks that the solver supports the law and the matrix storage of the problem. The solver can still
    /// fail to solve a supported problem. The default implementation supports every problem.
    ///
    /// # Errors
    ///
    /// If the problem is not supported. The error [`Unsupported`] names the problems that the solver
    /// supports.
    fn supports(&self, _problem: &<Self::Class as Class>::Problem<'_>) -> Result<(), Unsupported> {
        Ok(())
    }

    /// Solves one problem.
    ///
    /// # Errors
    ///
    /// If a length is wrong, if the data or the initial guess are not finite, if the solver does not
    /// [support](Self::supports) the problem, or if a matrix that it has to factorise is singular. Failure to
    /// converge is not an error but a [`Status`](crate::Status).
    fn solve(
        &mut self,
        problem: &<Self::Class as Class>::Problem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError>;

    /// Returns the attempts of the most recent [`solve`](Self::solve), in order. The slice is empty for
    /// solvers that do not try several methods.
    fn trace(&self) -> &[Attempt] {
        &[]
    }

    /// Returns an equation that contradicts other equations of the problem, if the most recent
    /// [`solve`](Self::solve) found one. Not all solvers look for such an equation.
    ///
    /// With [`Status::NoSolution`](crate::Status::NoSolution), the contradiction is proven. With any other
    /// status, two facts indicate a contradiction: the left-hand side of the equation is a linear combination
    /// of the left-hand sides of other equations, and a point that solves these other equations violates the
    /// equation by more than rounding errors.
    fn contradiction(&self) -> Option<Contradiction> {
        None
    }
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    type Class = S::Class;

    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn limits(&self) -> Limits {
        (**self).limits()
    }

    fn supports(&self, problem: &<Self::Class as Class>::Problem<'_>) -> Result<(), Unsupported> {
        (**self).supports(problem)
    }

    fn solve(
        &mut self,
        problem: &<Self::Class as Class>::Problem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        (**self).solve(problem, z, w)
    }

    fn trace(&self) -> &[Attempt] {
        (**self).trace()
    }

    fn contradiction(&self) -> Option<Contradiction> {
        (**self).contradiction()
    }
}
