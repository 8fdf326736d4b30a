//! A problem and the solver for it, whatever their class.

use siconos_io::problem::Problem;
use siconos_numerics::contact::{self, ContactProblem, GlobalProblem};
use siconos_numerics::{Attempt, SolveInfo, SolverError};
use siconos_numerics::{gmp, lcp, mlcp, relay};

use crate::family::{CONTACT, Choice, GLOBAL, GMP, LCP, MLCP, RELAY};

/// The unknowns of a problem. What they stand for depends on the class; see [`Names`].
#[derive(Clone, Debug)]
pub(crate) struct Point {
    /// z, or the reactions.
    pub(crate) z: Vec<f64>,
    /// w, or the velocities of the contacts.
    pub(crate) w: Vec<f64>,
    /// The velocities of the bodies, in global forms; else empty.
    pub(crate) v: Vec<f64>,
}

/// What the unknowns are called: the letter in a table, the key in JSON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    pub(crate) z: (&'static str, &'static str),
    pub(crate) w: (&'static str, &'static str),
    /// In global forms only.
    pub(crate) v: Option<(&'static str, &'static str)>,
}

const PLAIN: Names = Names { z: ("z", "z"), w: ("w", "w"), v: None };
const CONTACTS: Names = Names { z: ("r", "reaction"), w: ("u", "velocity"), v: None };
const GLOBALLY: Names = Names { v: Some(("v", "global_velocity")), ..CONTACTS };

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
    /// The errors of z (and v); w is computed anew.
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
            Problem::Lcp(problem) => {
                let p = problem.view();
                LCP.task(
                    choice,
                    PLAIN,
                    Point::zero(p.size()),
                    move |s, x| s.solve(&p, &mut x.z, &mut x.w),
                    move |x| Errors {
                        ours: lcp::error_of_point(&p, &x.z, &mut x.w),
                        of_siconos: lcp::siconos_error(p.q(), &x.z, &x.w),
                    },
                )
            }
            Problem::Mlcp(problem) => {
                let p = problem.view();
                MLCP.task(
                    choice,
                    PLAIN,
                    Point::zero(p.size()),
                    move |s, x| s.solve(&p, &mut x.z, &mut x.w),
                    move |x| Errors {
                        ours: mlcp::error_of_point(&p, &x.z, &mut x.w),
                        of_siconos: mlcp::siconos_error(p.q(), p.rows(), &x.z, &x.w),
                    },
                )
            }
            Problem::Relay(problem) => {
                let p = problem.view();
                RELAY.task(
                    choice,
                    PLAIN,
                    Point::zero(p.size()),
                    move |s, x| s.solve(&p, &mut x.z, &mut x.w),
                    move |x| Errors {
                        ours: relay::error_of_point(&p, &x.z, &mut x.w),
                        of_siconos: relay::siconos_error(&p, &x.z, &x.w),
                    },
                )
            }
            Problem::Fc2d(problem) => Self::of_contacts(problem.view(), choice),
            Problem::Fc3d(problem) => Self::of_contacts(problem.view(), choice),
            Problem::Gfc2d(problem) => Self::of_global(problem.view(), choice),
            Problem::Gfc3d(problem) => Self::of_global(problem.view(), choice),
            Problem::Rolling2d(problem) => Self::of_contacts(problem.view(), choice),
            Problem::Rolling3d(problem) => Self::of_contacts(problem.view(), choice),
            Problem::Grolling2d(problem) => Self::of_global(problem.view(), choice),
            Problem::Grolling3d(problem) => Self::of_global(problem.view(), choice),
            Problem::Soclcp(problem) => Self::of_contacts(problem.view(), choice),
            Problem::Gmp(p) => GMP.task(
                choice,
                CONTACTS,
                Point::zero(p.size()),
                move |s, x| s.solve(p, &mut x.z, &mut x.w),
                move |x| Errors {
                    ours: gmp::error_of_point(p, &x.z, &mut x.w),
                    of_siconos: gmp::siconos_error(p, &x.z, &x.w),
                },
            ),
            other => Err(format!("there is no method for problems of class {}", other.class())),
        }
    }

    fn of_contacts(p: ContactProblem<'a>, choice: &Choice) -> Result<Self, String> {
        let no_solution = approach(&p.immovable_and_approaching());
        let task = CONTACT.task(
            choice,
            CONTACTS,
            Point::zero(p.size()),
            move |s, x| s.solve(&p, &mut x.z, &mut x.w),
            move |x| Errors {
                ours: contact::error_of_point(&p, &x.z, &mut x.w),
                of_siconos: contact::siconos_error(&p, &x.z, &x.w),
            },
        )?;
        Ok(Self { no_solution, ..task })
    }

    fn of_global(p: GlobalProblem<'a>, choice: &Choice) -> Result<Self, String> {
        GLOBAL.task(
            choice,
            GLOBALLY,
            Point { v: vec![0.0; p.freedoms()], ..Point::zero(p.size()) },
            move |s, x| s.solve(&p, &mut x.z, &mut x.v, &mut x.w),
            move |x| Errors {
                ours: contact::global_error_of_point(&p, &x.z, &x.v, &mut x.w),
                of_siconos: contact::global_siconos_error_of_point(&p, &x.z, &x.v, &mut x.w),
            },
        )
    }
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

impl Point {
    fn zero(n: usize) -> Self {
        Self { z: vec![0.0; n], w: vec![0.0; n], v: Vec::new() }
    }
}
