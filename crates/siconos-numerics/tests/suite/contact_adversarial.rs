//! Thousands of small adversarial problems: all laws, singular, indefinite and nonsymmetric matrices, no
//! friction and much friction, any units. No method may panic, run without end, report a wrong solution, or
//! accept NaN as a number.
//!
//! `PROPTEST_CASES` sets the number of problems, for a long search.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use siconos_linalg::{BlockCsr, Matrix};
use siconos_numerics::contact::{Contact, ContactLawData, ContactMethod};
use siconos_numerics::{Method, SolveInfo, Solver};
use siconos_testkit::contact::{KnownContact, Shape, cones, planted};
use siconos_testkit::random::{RandomState, config};

const TOLERANCE: f64 = 1e-8;

/// Iteration limit of all methods: sufficient for most solvable problems.
const ITERATIONS: usize = 60;

/// Time limit for the solution of twenty unknowns.
const TOO_LONG: Duration = Duration::from_secs(60);

fn drawn_law(random: &mut RandomState) -> ContactLawData {
    let contacts = random.integer(1, 4) as usize;
    let mut mu = || match random.integer(0, 5) {
        0 => 0.0,
        1 => random.between(1.0, 5.0),
        _ => random.between(0.05, 1.0),
    };
    let (mu, more): (Vec<f64>, Vec<f64>) = (0..contacts).map(|_| (mu(), 0.2 * mu())).unzip();
    match random.integer(0, 5) {
        0 | 1 => ContactLawData::Coulomb { dimension: 2, mu },
        2 | 3 => ContactLawData::Coulomb { dimension: 3, mu },
        4 => {
            let dimension = [3, 5][random.integer(0, 1) as usize];
            ContactLawData::Rolling { dimension, mu, mu_rolling: more }
        }
        _ => {
            let sizes: Vec<usize> = mu.iter().map(|_| random.integer(1, 5) as usize).collect();
            let ContactLawData::SecondOrder { starts, .. } = cones(&sizes, 1.0) else { unreachable!() };
            ContactLawData::SecondOrder { starts, tau: mu }
        }
    }
}

/// Draws a problem with a planted solution, with a random q, or with q in very small or very large units.
fn drawn(number: u32) -> KnownContact {
    let mut random = RandomState::new(number);
    let law = drawn_law(&mut random);
    let shape = Shape {
        rank: [1.0, 1.0, 0.5, 0.2][random.integer(0, 3) as usize],
        skew: [0.0, 0.0, 1e-3, 0.3][random.integer(0, 3) as usize],
        indefinite: [0.0, 0.0, 0.0, 0.0, 0.5, 2.0][random.integer(0, 5) as usize],
    };
    let mut problem = planted(law, shape, number);
    match random.integer(0, 3) {
        0 => {
            problem.r = None;
            problem.q.iter_mut().for_each(|q| *q = random.standard_normal());
        }
        1 => {
            let unit = 10.0_f64.powi(random.integer(-6, 6));
            problem.q.iter_mut().for_each(|q| *q *= unit);
            problem.r.iter_mut().flatten().for_each(|r| *r *= unit);
        }
        _ => {}
    }
    if random.integer(0, 2) == 0 {
        problem.w = in_blocks(&problem);
    }
    problem
}

/// Returns the matrix in block rows.
fn in_blocks(problem: &KnownContact) -> Matrix {
    let (dense, law) = (problem.w.view().to_dense(), &problem.law);
    let sizes: Vec<usize> = (0..law.view().blocks()).map(|i| law.view().range(i).len()).collect();
    let pairs = (0..law.view().blocks()).flat_map(|i| (0..law.view().blocks()).map(move |j| (i, j)));
    let blocks = pairs
        .map(|(i, j)| (i, j, dense.slice(ndarray::s![law.view().range(i), law.view().range(j)]).to_owned()));
    BlockCsr::from_blocks(&sizes, &sizes, blocks.collect::<Vec<_>>()).expect("a partition").into()
}

fn solvers() -> Vec<(&'static str, Box<dyn Solver<Class = Contact>>)> {
    let methods = ContactMethod::all().into_iter().map(|mut method| {
        method.set_tolerance(TOLERANCE);
        method.set_max_iterations(ITERATIONS);
        if let ContactMethod::Auto(settings) = &mut method {
            settings.last_resorts = false;
        }
        (method.description().name, method.build().expect("the settings are valid"))
    });
    methods.collect()
}

/// Returns the reason why a result is wrong, if it is.
fn failure(problem: &KnownContact, info: SolveInfo, r: &[f64], u: &[f64]) -> Option<String> {
    let error = problem.error(r);
    // In this form, a NaN counts as a failure.
    let is_solution = error <= TOLERANCE * (1.0 + 1e-6);
    if info.status.is_success() && !is_solution {
        return Some(format!("{:?} with error {error:e}, said to be {:e}", info.status, info.error));
    }
    if info.status.is_success() && !info.error.is_finite() {
        return Some(format!("{:?} and error {:e}", info.status, info.error));
    }
    if r.iter().any(|x| !x.is_finite()) {
        return Some(format!("{:?} and a reaction that is not a number", info.status));
    }
    let mut velocity = vec![0.0; u.len()];
    problem.w.view().add_product(1.0, r, &mut velocity);
    velocity.iter_mut().zip(&problem.q).for_each(|(u, q)| *u += q);
    let size = velocity.iter().chain(&problem.q).fold(0.0_f64, |a, x| a.max(x.abs()));
    let largest = r.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    let off =
        velocity.iter().zip(u).fold(0.0_f64, |a, (x, y)| if (x - y).abs() <= a { a } else { (x - y).abs() });
    let is_velocity = off <= 1e-11 * (size + largest);
    if !is_velocity {
        return Some(format!("{:?} and u is off W r + q by {off:e}", info.status));
    }
    // If the terms of W r are large and cancel, rounding errors are visible. The error divides by q or a
    // larger number.
    let q = problem.q.iter().map(|q| q * q).sum::<f64>().sqrt();
    let told = (info.error - error).abs()
        <= 1e-6 * error + 1e-14 * (1.0 + (size + largest) / q.max(f64::MIN_POSITIVE));
    (!told).then(|| format!("{:?}: the error is {error:e} and said to be {:e}", info.status, info.error))
}

#[test]
fn no_method_claims_what_is_not_so() {
    let cases = config(500).cases;
    let mut failures = Vec::new();
    let mut solved = std::collections::BTreeMap::<&str, (u32, u32)>::new();
    for (name, mut solver) in solvers() {
        for number in 0..cases {
            let problem = drawn(number);
            if solver.supports(&problem.view()).is_err() {
                continue;
            }
            let (mut r, mut u) = (vec![0.0; problem.q.len()], vec![0.0; problem.q.len()]);
            let begin = Instant::now();
            let outcome = catch_unwind(AssertUnwindSafe(|| solver.solve(&problem.view(), &mut r, &mut u)));
            let count = solved.entry(name).or_default();
            count.1 += 1;
            let wrong = match outcome {
                Err(_) => Some("panicked".to_owned()),
                _ if begin.elapsed() > TOO_LONG => Some(format!("took {:?}", begin.elapsed())),
                // A method may stop with an error if a matrix cannot be factorised, or without a step.
                Ok(Err(_)) => None,
                Ok(Ok(info)) => {
                    count.0 += u32::from(info.status.is_success());
                    failure(&problem, info, &r, &u)
                }
            };
            failures
                .extend(wrong.map(|wrong| format!("{name} on number {number}, {}: {wrong}", problem.name)));
        }
    }
    println!("solved of asked: {solved:?}");
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
    // The test is meaningful only if each method solves a tenth of the problems.
    assert!(solved.values().all(|(solved, asked)| cases < 100 || 10 * solved >= *asked), "{solved:?}");
}

#[test]
fn the_automatic_choice_solves_what_has_a_solution() {
    let mut solver = ContactMethod::default().build().expect("the settings are valid");
    let (mut asked, mut missed) = (0, Vec::new());
    let cases = config(150).cases;
    for number in 0..cases {
        let problem = drawn(number);
        // Only matrices with a positive semidefinite symmetric part are checked. An indefinite problem may
        // have another solution, or none.
        let is_monotone = problem.shape.is_some_and(|shape| shape.indefinite == 0.0);
        if problem.r.is_none() || !is_monotone {
            continue;
        }
        asked += 1;
        let (mut r, mut u) = (vec![0.0; problem.q.len()], vec![0.0; problem.q.len()]);
        let info = solver.solve(&problem.view(), &mut r, &mut u).expect("the data are finite");
        if !info.status.is_success() {
            missed.push(format!("number {number}, {}: {info:?}", problem.name));
        }
    }
    // One problem in a thousand is missed, with rank 1 or 2 and a dozen unknowns: the reactions diverge along
    // W r = 0, which is reported as not found.
    let report = format!("{} of {asked} missed\n{}", missed.len(), missed.join("\n"));
    println!("{report}");
    assert!(300 * missed.len() <= asked, "{report}");
}
