//! Problem of any class, with its solver.

use std::borrow::Borrow;

use siconos_io::problem::{Problem, ProblemClass};
use siconos_numerics::contact::{ContactData, ContactMethod};
use siconos_numerics::gmp::GmpMethod;
use siconos_numerics::lcp::LcpMethod;
use siconos_numerics::method::Class;
use siconos_numerics::mlcp::MlcpMethod;
use siconos_numerics::relay::RelayMethod;
use siconos_numerics::{Attempt, Method, SolveInfo, Solver, SolverError};

/// Method and settings requested by the user. A setting that is `None` keeps the default of the method.
pub(crate) struct Choice {
    /// Class of the problem, for messages.
    pub(crate) class: ProblemClass,
    pub(crate) method: Option<String>,
    pub(crate) tolerance: Option<f64>,
    pub(crate) max_iterations: Option<usize>,
}

/// Point of a problem. The meaning of its numbers depends on the class; see [`Names`].
#[derive(Clone, Debug)]
pub(crate) struct SolutionPoint {
    /// z, or the reactions.
    pub(crate) z: Vec<f64>,
    /// w, or the velocities of the contacts.
    pub(crate) w: Vec<f64>,
}

/// Names of the unknowns: the letter in a table, and the key in JSON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    pub(crate) z: (&'static str, &'static str),
    pub(crate) w: (&'static str, &'static str),
}

const PLAIN: Names = Names { z: ("z", "z"), w: ("w", "w") };
const CONTACTS: Names = Names { z: ("r", "reaction"), w: ("u", "velocity") };

/// Result of a solver, and the methods that it tried.
pub(crate) type Run = (Result<SolveInfo, SolverError>, Vec<Attempt>);

/// Problem with the solver that was selected for it.
pub(crate) struct Task<'a> {
    pub(crate) method: &'static str,
    pub(crate) tolerance: f64,
    pub(crate) names: Names,
    /// Initial guess; by default, all unknowns are 0.
    pub(crate) start: SolutionPoint,
    /// Runs the solver from an initial guess, which is overwritten by the solution.
    pub(crate) solve: Box<dyn FnMut(&mut SolutionPoint) -> Run + 'a>,
    /// Returns the errors of z, and overwrites w by its recomputed value.
    pub(crate) measure: Box<dyn Fn(&mut SolutionPoint) -> Errors + 'a>,
    /// Reason why no solution exists, if it follows from the data.
    pub(crate) no_solution: Option<String>,
}

/// Errors of a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Errors {
    /// Error that the solvers compare with their tolerance.
    pub(crate) ours: f64,
    /// Error as Siconos defines it for the class, for comparisons with its tables.
    pub(crate) of_siconos: f64,
}

impl<'a> Task<'a> {
    /// Creates the requested solver.
    pub(crate) fn new(problem: &'a Problem, choice: &Choice) -> Result<Self, String> {
        match problem {
            Problem::Lcp(problem) => Self::of::<LcpMethod>(problem.view(), PLAIN, choice),
            Problem::Mlcp(problem) => Self::of::<MlcpMethod>(problem.view(), PLAIN, choice),
            Problem::Relay(problem) => Self::of::<RelayMethod>(problem.view(), PLAIN, choice),
            Problem::Contact(problem) => Self::of_contacts(problem, choice),
            Problem::Gmp(problem) => Self::of::<GmpMethod>(problem, CONTACTS, choice),
            other => Err(format!("there is no method for problems of class {}", other.class())),
        }
    }

    fn of_contacts(problem: &'a ContactData, choice: &Choice) -> Result<Self, String> {
        let view = problem.view();
        let no_solution = approach(&view.immovable_and_approaching());
        Ok(Self { no_solution, ..Self::of::<ContactMethod>(view, CONTACTS, choice)? })
    }

    /// Creates the task of solving a problem with the requested or the default method of its class.
    fn of<M: Method>(
        problem: impl Borrow<<M::Class as Class>::Problem<'a>> + Clone + 'a,
        names: Names,
        choice: &Choice,
    ) -> Result<Self, String> {
        let mut method: M =
            choice.method.as_ref().map_or(Ok(M::default()), |name| find(choice.class, name))?;
        choice.tolerance.into_iter().for_each(|tolerance| method.set_tolerance(tolerance));
        choice.max_iterations.into_iter().for_each(|most| method.set_max_iterations(most));
        let mut solver = method.build().map_err(|error| error.to_string())?;
        let (n, m) = M::Class::sizes(problem.borrow());
        let to_measure = problem.clone();
        Ok(Task {
            method: solver.name(),
            tolerance: solver.tolerance(),
            names,
            start: SolutionPoint { z: vec![0.0; n], w: vec![0.0; m] },
            solve: Box::new(move |point| {
                let solved = solver.solve(problem.borrow(), &mut point.z, &mut point.w);
                (solved, solver.trace().to_vec())
            }),
            measure: Box::new(move |point| {
                let problem = to_measure.borrow();
                let ours = M::Class::error_of_point(problem, &point.z, &mut point.w);
                Errors { ours, of_siconos: M::Class::siconos_error(problem, &point.z, &point.w) }
            }),
            no_solution: None,
        })
    }
}

fn find<M: Method>(class: ProblemClass, name: &str) -> Result<M, String> {
    M::from_name(name).ok_or_else(|| {
        let names: Vec<_> = M::all().iter().map(Method::name).collect();
        format!("there is no method `{name}` for class {class}; the methods are {}", names.join(", "))
    })
}

/// Describes the contacts whose two bodies approach each other although neither body can move.
fn approach(contacts: &[usize]) -> Option<String> {
    let numbers: Vec<String> = contacts.iter().take(MOST_NAMED).map(usize::to_string).collect();
    let more = if contacts.len() > MOST_NAMED { ", .." } else { "" };
    let numbers = numbers.join(", ");
    match contacts {
        [] => None,
        [_] => Some(format!("the bodies of contact {numbers} approach each other, and neither can be moved")),
        _ => Some(format!(
            "the bodies of the {} contacts {numbers}{more} approach each other, and neither can be moved",
            contacts.len()
        )),
    }
}

/// Maximum number of contacts that are listed by number.
const MOST_NAMED: usize = 10;
