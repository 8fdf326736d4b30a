//! The interface of a solver.

use crate::error::{SolverError, Unsupported};
use crate::info::{Attempt, Contradiction, SolveInfo};

/// A class of problems. Its type is a marker without values: [`Lcp`](crate::lcp::Lcp),
/// [`Contact`](crate::contact::Contact).
///
/// A point of a problem is a pair of vectors, here called z and w: the unknowns, and what belongs to them.
/// Each class says on its page what the two are: z and w = M z + q, the reactions and the velocities, a point
/// and its multipliers.
pub trait Class: Copy + Default + std::fmt::Debug + Send + 'static {
    /// A problem of the class, mostly a view of data that live elsewhere.
    type Problem<'a>: ?Sized;

    /// How many numbers z and w are.
    fn sizes(problem: &Self::Problem<'_>) -> (usize, usize);

    /// The error by which solvers of the class stop, at z. Where w follows from z it is computed and written,
    /// elsewhere it is read. NaN when the point is not finite.
    ///
    /// # Panics
    ///
    /// When a vector has the wrong length.
    fn error_of_point(problem: &Self::Problem<'_>, z: &[f64], w: &mut [f64]) -> f64;

    /// The error of Siconos for the class at a point with its w, so that results can be compared with its
    /// tables; NaN for classes in which it has none.
    fn siconos_error(_problem: &Self::Problem<'_>, _z: &[f64], _w: &[f64]) -> f64 {
        f64::NAN
    }
}

/// When a solver stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The [error](Class::error_of_point) at which a point counts as a solution.
    pub tolerance: f64,
    /// The largest number of iterations, in the unit of the method: pivots, sweeps, Newton steps.
    pub max_iterations: usize,
}

/// A solver of any kind for problems of one class.
pub type BoxedSolver<C> = Box<dyn Solver<Class = C>>;

/// A solver for problems of one class: an object that owns its memory, to be used over many problems of
/// changing size.
///
/// Warm start in, solution out: z holds a guess on entry (zeros when there is none) and the best or the last
/// iterate on return, w what belongs to it.
pub trait Solver: std::fmt::Debug + Send {
    /// The problems that it solves.
    type Class: Class;

    /// The name of the method, in lower case with hyphens, the same as in
    /// [`MethodDescription`](super::MethodDescription).
    fn name(&self) -> &'static str;

    /// When it stops.
    fn limits(&self) -> Limits;

    /// The [error](Class::error_of_point) at which a point counts as a solution.
    fn tolerance(&self) -> f64 {
        self.limits().tolerance
    }

    /// Whether the solver takes problems with this law, in this storage: not whether it finds a solution. By
    /// default it takes all.
    ///
    /// # Errors
    ///
    /// [`Unsupported`], which names what it takes.
    fn supports(&self, _problem: &<Self::Class as Class>::Problem<'_>) -> Result<(), Unsupported> {
        Ok(())
    }

    /// Solves one problem.
    ///
    /// # Errors
    ///
    /// Wrong lengths; data or a guess that are not finite; what the solver does not [take](Self::supports); a
    /// singular matrix that it has to factorise. Not converging is no error but a [`Status`](crate::Status).
    fn solve(
        &mut self,
        problem: &<Self::Class as Class>::Problem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError>;

    /// What the last [`solve`](Self::solve) tried, in order, when the solver chooses among methods; empty
    /// otherwise.
    fn trace(&self) -> &[Attempt] {
        &[]
    }

    /// The equation that the last [`solve`](Self::solve) found in contradiction with others, where the solver
    /// looks for one. With [`Status::NoSolution`](crate::Status::NoSolution) that is proven; with another
    /// status the equation repeats others, and a point that solves these violates it by more than rounding.
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
