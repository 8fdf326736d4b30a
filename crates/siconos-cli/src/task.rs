//! A problem and the solver for it, whatever their class.

use std::borrow::Borrow;

use siconos_io::problem::{Problem, ProblemClass};
use siconos_numerics::contact::{ContactData, ContactMethod};
use siconos_numerics::gmp::GmpMethod;
use siconos_numerics::lcp::LcpMethod;
use siconos_numerics::method::Class;
use siconos_numerics::mlcp::MlcpMethod;
use siconos_numerics::relay::RelayMethod;
use siconos_numerics::{Attempt, Method, SolveInfo, Solver, SolverError};

/// What is asked of a method; what is left out is the method's own.
pub(crate) struct Choice {
    /// For messages.
    pub(crate) class: ProblemClass,
    pub(crate) method: Option<String>,
    pub(crate) tolerance: Option<f64>,
    pub(crate) max_iterations: Option<usize>,
}

/// A point of a problem. What its numbers stand for depends on the class; see [`Names`].
#[derive(Clone, Debug)]
pub(crate) struct Point {
    /// z, or the reactions.
    pub(crate) z: Vec<f64>,
    /// w, or the velocities of the contacts.
    pub(crate) w: Vec<f64>,
}

/// What the unknowns are called: the letter in a table, the key in JSON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    pub(crate) z: (&'static str, &'static str),
    pub(crate) w: (&'static str, &'static str),
}

const PLAIN: Names = Names { z: ("z", "z"), w: ("w", "w") };
const CONTACTS: Names = Names { z: ("r", "reaction"), w: ("u", "velocity") };

/// What a solver says, and what it tried.
pub(crate) type Run = (Result<SolveInfo, SolverError>, Vec<Attempt>);

/// A problem with the solver that was chosen for it.
pub(crate) struct Task<'a> {
    pub(crate) method: &'static str,
    pub(crate) tolerance: f64,
    pub(crate) names: Names,
    /// All unknowns at 0, unless there is a guess.
    pub(crate) start: Point,
    /// Runs the solver from a point, which becomes its answer.
    pub(crate) solve: Box<dyn FnMut(&mut Point) -> Run + 'a>,
    /// The errors of z; w is computed anew.
    pub(crate) measure: Box<dyn Fn(&mut Point) -> Errors + 'a>,
    /// Why there is no solution, where the data themselves show it.
    pub(crate) no_solution: Option<String>,
}

/// How good a point is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Errors {
    /// The measure by which solvers stop.
    pub(crate) ours: f64,
    /// The measure of Siconos for the class, so that its tables can be compared with.
    pub(crate) of_siconos: f64,
}

impl<'a> Task<'a> {
    /// Makes the solver that is asked for.
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

    /// The task to solve a problem with the method of its class that is asked for, or the default one.
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
            start: Point { z: vec![0.0; n], w: vec![0.0; m] },
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

/// What is wrong with contacts whose bodies approach each other although nothing moves them.
fn approach(contacts: &[usize]) -> Option<String> {
    let numbers: Vec<String> = contacts.iter().take(MOST_NAMED).map(usize::to_string).collect();
    let more = if contacts.len() > MOST_NAMED { ", .." } else { "" };
    let numbers = numbers.join(", ");
    match contacts {
        [] => None,
        [_] => Some(format!("the bodies of contact {numbers} approach each other, and nothing moves them")),
        _ => Some(format!(
            "the bodies of the {} contacts {numbers}{more} approach each other, and nothing moves them",
            contacts.len()
        )),
    }
}

/// More contacts than these are counted and not named.
const MOST_NAMED: usize = 10;
