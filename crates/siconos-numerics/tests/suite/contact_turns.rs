//! Automatic choice for contacts: piles with late convergence of the Gauss-Seidel sweeps, sliding piles,
//! rolling friction, and the budget.

use ndarray::array;
use siconos_linalg::Matrix;
use siconos_numerics::contact::{Auto, AutoSettings, ContactData, ContactProblem, NonsmoothGaussSeidel};
use siconos_numerics::info::Attempt;
use siconos_numerics::{EffortLimit, Solver, Status};
use siconos_testkit::contact::{
    KnownContact, KnownGlobal, cones, coulomb, discs, discs_global, rolling, rolling_discs, rolling_spheres,
    spheres, spheres_global,
};

use crate::support::piles::{solved, solved_by_bodies};

/// Solves a pile with its bodies known, and checks the report.
fn solve_by(settings: AutoSettings, pile: &KnownContact, global: &KnownGlobal) -> (Status, Vec<Attempt>) {
    let (m, h) = global.bodies();
    let problem = pile.view().with_bodies(&m, &h).expect("the parts fit");
    let tolerance = settings.tolerance;
    let mut auto = Auto::new(settings).expect("in range");
    let (info, r) = solved(&mut auto, &problem);
    assert_eq!(info.status.is_success(), pile.error(&r) <= tolerance, "{}: {info:?}", pile.name);
    (info.status, auto.trace().to_vec())
}

fn to(tolerance: f64) -> AutoSettings {
    AutoSettings { tolerance, ..Default::default() }
}

/// The error decreases as a power of the number of sweeps for a long time, and then suddenly. No other method
/// solves this pile.
#[test]
fn sweeps_that_converge_late_get_their_share_of_the_effort() {
    let (pile, global) = (discs(300, 0.3, 1), discs_global(300, 0.3, 1));
    let (status, trace) = solve_by(to(4e-4), &pile, &global);
    assert!(status.is_success(), "{trace:?}");
    let spent = |is_sweeps: bool| {
        let of = trace.iter().filter(|attempt| (attempt.method == "nonsmooth-gauss-seidel") == is_sweeps);
        of.map(|attempt| attempt.effort).sum::<f64>()
    };
    // The sweeps receive a share of the budget similar to the share of the other methods.
    assert!(spent(true) > 0.1 * spent(false) && spent(true) < 1.1 * spent(false), "{trace:?}");
    // With a tighter tolerance, no method reports a success.
    let effort = EffortLimit { operations: 1e9, factorisations: 0.0 };
    assert_eq!(solve_by(AutoSettings { effort, ..to(1e-4) }, &pile, &global).0, Status::EffortSpent);
}

/// A method receives half of the remaining budget, and may complete its current step.
#[test]
fn no_method_takes_more_than_half_of_what_is_left() {
    let (pile, global) = (discs(2000, 0.3, 1), discs_global(2000, 0.3, 1));
    for (tolerance, operations) in [(1e-4, 4e9), (1e-8, 2e9), (1e-8, 7e9)] {
        let effort = EffortLimit { operations, factorisations: 0.0 };
        let (status, trace) = solve_by(AutoSettings { effort, ..to(tolerance) }, &pile, &global);
        assert_eq!(status, Status::EffortSpent, "{trace:?}");
        let interior = trace.iter().find(|attempt| attempt.method == "velocity-interior-point");
        let step = interior.map(|attempt| attempt.effort / attempt.info.iterations as f64);
        let step = step.expect("they have had a turn");
        let mut left = operations;
        for attempt in &trace {
            let begun = if attempt.method == "velocity-proximal-point" { 2.0 * step } else { 0.0 };
            assert!(attempt.effort <= 0.5 * left + begun, "{left:e}, {step:e}, {trace:?}");
            left -= attempt.effort;
        }
        assert!(trace.iter().any(|attempt| attempt.method.ends_with("proximal-point")), "{trace:?}");
    }
}

/// Sliding piles and piles held by friction are solved without W.
#[test]
fn large_piles_are_solved_in_the_velocities() {
    for (contacts, mu) in [(2000, 0.3), (1000, 1.0)] {
        let (pile, global) = (spheres(contacts, mu, 1), spheres_global(contacts, mu, 1));
        let (status, trace) = solve_by(to(1e-3), &pile, &global);
        assert!(status.is_success(), "{trace:?}");
        let last = trace.last().expect("something was tried");
        assert!(last.method.starts_with("velocity-"), "{trace:?}");
    }
}

/// Piles are solved with the bodies, without them, and by Gauss-Seidel sweeps alone if these converge.
#[test]
fn piles_that_resist_rolling_are_solved() {
    let mut by_sweeps = 0;
    for (mu, mu_rolling) in [(0.3, 0.0), (0.3, 5e-4), (0.3, 0.02), (1.0, 0.02)] {
        for (pile, global) in
            [rolling_spheres(60, (mu, mu_rolling), 1), rolling_discs(80, (mu, mu_rolling), 1)]
        {
            let (status, trace) = solve_by(to(1e-8), &pile, &global);
            assert!(status.is_success(), "{}: {trace:?}", pile.name);
            let mut auto = Auto::default();
            let (info, r) = solved(&mut auto, &pile.view());
            assert!(info.status.is_success() && pile.error(&r) <= 1e-8, "{}: {info:?}", pile.name);
            let (info, r) = solved(&mut NonsmoothGaussSeidel::default(), &pile.view());
            assert_eq!(info.status.is_success(), pile.error(&r) <= 1e-8, "{}: {info:?}", pile.name);
            by_sweeps += usize::from(info.status.is_success());
        }
    }
    assert!(by_sweeps >= 4, "{by_sweeps} of 8");
}

/// A pile with rolling friction that is not solved, with rotations, masses and velocities in other units. The
/// status, the trace and the point are the same.
#[test]
fn units_change_no_bit_of_what_is_not_solved() {
    let (pile, _) = rolling_discs(60, (0.4, 1e-3), 1);
    for operations in [1e6, 2e8] {
        let effort = EffortLimit { operations, factorisations: 0.0 };
        let mut auto = Auto::new(AutoSettings { effort, ..to(1e-13) }).expect("in range");
        let expected = solved(&mut auto, &pile.view());
        let trace = auto.trace().to_vec();
        assert!(!expected.0.status.is_success(), "{:?}", expected.0);
        assert!(trace.len() > 1 && expected.1.iter().any(|r| *r > 0.0), "{trace:?}");
        for (length, mass, velocity) in [(1024.0, 1.0, 1.0), (0.25, 2.0, 1.0), (4.0, 0.125, 8.0)] {
            let lever = |row: usize| if row % 3 == 2 { length } else { 1.0 };
            let mut w = pile.w.clone();
            let Matrix::BlockCsr(blocks) = &mut w else { unreachable!("piles come in blocks") };
            blocks.scale_entries(|i, j| 1.0 / (lever(i) * lever(j) * mass));
            let q: Vec<f64> = pile.q.iter().enumerate().map(|(i, q)| q * velocity / lever(i)).collect();
            let law = rolling(3, pile.law.view().blocks(), 0.4, 1e-3 * length);
            let problem = ContactProblem::new(&w, &q, law.view()).expect("shapes fit");
            let (info, r) = solved(&mut auto, &problem);
            assert_eq!((info, auto.trace()), (expected.0, &trace[..]), "{length}, {mass}, {velocity}");
            let scaled = expected.1.iter().enumerate().map(|(i, r)| r * mass * velocity * lever(i));
            assert!(r.iter().zip(scaled).all(|(a, b)| *a == b), "{length}, {mass}, {velocity}");
        }
    }
}

/// One solver for problems of different sizes and laws, solved and unsolved, also with an error.
#[test]
fn one_object_serves_all_problems_without_a_trace_of_another() {
    let effort = EffortLimit { operations: 3e7, factorisations: 0.0 };
    let settings = || AutoSettings { effort, ..Default::default() };
    let new = || Auto::new(settings()).expect("in range");
    let mut auto = new();
    let singular = ContactData::new(array![[0.0, 0.0], [0.0, 1.0]], array![-1.0, 1.0], coulomb(2, 1, 0.5));
    let singular = singular.expect("shapes fit");
    let cones = ContactData::new(array![[0.0, 1.0], [1.0, 1.0]], array![-1.0, 1.0], cones(&[2], 0.5));
    let cones = cones.expect("shapes fit");
    let piles =
        [discs(80, 0.5, 1), rolling_discs(60, (0.4, 1e-3), 1).0, spheres(40, 0.6, 1), discs(20, 0.2, 1)];
    let mut ends = Vec::new();
    for pile in piles.iter().chain(piles.iter().rev()) {
        let mut other = new();
        let found = solved(&mut auto, &pile.view());
        assert_eq!(found, solved(&mut other, &pile.view()), "{}", pile.name);
        assert_eq!(auto.trace(), other.trace(), "{}", pile.name);
        ends.push(found.0.status.is_success());
        for problem in [&singular, &cones] {
            let solve = |auto: &mut Auto| auto.solve(&problem.view(), &mut [0.0; 2], &mut [0.0; 2]);
            assert_eq!(format!("{:?}", solve(&mut auto)), format!("{:?}", solve(&mut new())));
        }
    }
    assert!(ends.contains(&true) && ends.contains(&false), "{ends:?}");
}

/// Without rolling friction, the moments are zero and the law is Coulomb's law.
#[test]
fn without_a_coefficient_piles_roll_freely() {
    let (pile, global) = rolling_spheres(120, (0.2, 0.0), 2);
    let plain = spheres(120, 0.2, 2);
    let (info, r, _) = solved_by_bodies(&mut Auto::default(), &global);
    assert!(info.status.is_success() && pile.error(&r) <= 1e-8, "{info:?}");
    let of_coulomb: Vec<f64> = r.chunks_exact(5).flat_map(|r| r[..3].to_vec()).collect();
    assert!(r.chunks_exact(5).all(|r| r[3] == 0.0 && r[4] == 0.0));
    assert!(plain.error(&of_coulomb) <= 1e-8, "{:e}", plain.error(&of_coulomb));
}
