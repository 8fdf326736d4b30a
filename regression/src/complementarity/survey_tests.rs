//! Each rule detects a method that violates it, and a correct method passes.

use siconos_numerics::{SolveInfo, SolverError, Status, Unsupported};

use super::{Asked, Case, Origin, Point, Solutions, Survey, Verdict};

/// Returns the error for the problem z = c: the distance of z from c.
fn measure(c: &f64, z: &[f64]) -> Point {
    Point { error: (z[0] - c).abs(), backward: (z[0] - c).abs() }
}

fn case(solutions: Solutions) -> Vec<Case<f64>> {
    vec![Case {
        name: "one".to_owned(),
        size: 1,
        origin: Origin::File,
        solutions,
        excuse: None,
        problem: 1.0,
    }]
}

fn method(solve: impl FnMut(&f64, &mut [f64]) -> Result<SolveInfo, SolverError> + 'static) -> Asked<f64> {
    Asked {
        name: "method",
        is_default: false,
        tolerance: Box::new(|_| 1e-8),
        leaves_out: Box::new(|_| false),
        promises: Box::new(|_| false),
        solve: Box::new(solve),
        measure,
    }
}

fn ends(status: Status, z: f64) -> Asked<f64> {
    method(move |_, point| {
        point[0] = z;
        Ok(SolveInfo { status, iterations: 1, error: 0.0 })
    })
}

/// Returns the violation in the only row by the first method.
fn offence(solutions: Solutions, methods: Vec<Asked<f64>>) -> Option<&'static str> {
    Survey::of(&case(solutions), methods, None).rows[0].cells[0].offence
}

#[test]
fn an_honest_method_passes() {
    assert_eq!(offence(Solutions::Exist, vec![ends(Status::Converged, 1.0)]), None);
    assert_eq!(offence(Solutions::Exist, vec![ends(Status::MaxIterations, 0.0)]), None);
    assert_eq!(offence(Solutions::DoNotExist, vec![ends(Status::NoSolution, 0.0)]), None);
}

#[test]
fn a_false_success_is_caught() {
    assert!(offence(Solutions::Exist, vec![ends(Status::Converged, 1.1)]).is_some());
    assert!(offence(Solutions::Exist, vec![ends(Status::Converged, f64::NAN)]).is_some());
    assert!(offence(Solutions::Exist, vec![ends(Status::AtRoundingLevel, 1.0 + 1e-10)]).is_some());
    assert!(offence(Solutions::DoNotExist, vec![ends(Status::Converged, 1.0)]).is_some());
}

#[test]
fn a_false_proof_is_caught_also_where_another_method_settles_it() {
    assert!(offence(Solutions::Exist, vec![ends(Status::NoSolution, 0.0)]).is_some());
    let both = || vec![ends(Status::NoSolution, 0.0), ends(Status::Converged, 1.0)];
    assert!(offence(Solutions::Unknown, both()).is_some());
    assert_eq!(offence(Solutions::Unknown, vec![ends(Status::NoSolution, 0.0)]), None);
}

#[test]
fn promises_and_the_default_are_held_to_their_word() {
    let with_promise = |status| Asked { promises: Box::new(|_| true), ..ends(status, 0.0) };
    assert!(offence(Solutions::Exist, vec![with_promise(Status::Stalled)]).is_some());
    assert_eq!(offence(Solutions::DoNotExist, vec![with_promise(Status::Stalled)]), None);
    let default = || Asked { is_default: true, ..ends(Status::NotFound, 0.0) };
    assert!(offence(Solutions::Exist, vec![default()]).is_some());
    assert!(offence(Solutions::Unknown, vec![default(), ends(Status::Converged, 1.0)]).is_some());
    assert_eq!(offence(Solutions::Unknown, vec![default()]), None);
}

#[test]
fn a_refusal_breaks_a_promise_and_a_problem_left_out_does_not() {
    let refuses =
        || method(|_, _| Err(Unsupported { solver: "method", found: "one number", takes: "two" }.into()));
    assert_eq!(offence(Solutions::Exist, vec![refuses()]), None);
    let promised = Asked { promises: Box::new(|_| true), ..refuses() };
    assert!(offence(Solutions::Exist, vec![promised]).is_some());
    let left_out = Asked {
        promises: Box::new(|_| true),
        leaves_out: Box::new(|_| true),
        ..ends(Status::Converged, 7.0)
    };
    let survey =
        Survey::of(&case(Solutions::Exist), vec![left_out], Some(vec!["a.dat: no number".to_owned()]));
    assert_eq!(survey.rows[0].cells[0].verdict, Verdict::LeftOut);
    assert_eq!(survey.offences(), ["a.dat: no number"]);
}
