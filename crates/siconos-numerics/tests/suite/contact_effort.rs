//! The automatic choice for contacts stops within its budget, at the same iteration in every run.

use siconos_numerics::contact::{Auto, AutoSettings};
use siconos_numerics::{EffortLimit, Solver, Status, avi, gmp, lcp, mlcp, relay};
use siconos_testkit::contact::{Shape, coulomb, planted};
use siconos_testkit::random::RandomState;

/// Draws problems of 19 to 23 contacts with high friction, a third of full rank, and arbitrary q. Most of
/// them have no solution.
fn hard(contacts: usize, number: u32) -> siconos_testkit::contact::KnownContact {
    let shape = Shape { rank: 0.3, skew: 0.2, indefinite: 0.0 };
    let mut problem = planted(coulomb(3, contacts, 6.0), shape, number);
    let mut random = RandomState::new(number);
    problem.q.iter_mut().for_each(|q| *q = random.standard_normal());
    problem
}

#[test]
fn hopeless_problems_end_within_the_limit() {
    let effort = EffortLimit { operations: 2e7, factorisations: 0.0 };
    let mut cut = 0;
    for contacts in 19..=23 {
        let problem = hard(contacts, contacts as u32);
        let mut outcomes = Vec::new();
        for _ in 0..2 {
            let mut solver = Auto::new(AutoSettings { effort, ..Default::default() }).expect("in its range");
            let n = problem.q.len();
            let (mut r, mut u) = (vec![0.0; n], vec![0.0; n]);
            let info = solver.solve(&problem.view(), &mut r, &mut u).expect("the data fit");
            let spent: f64 = solver.trace().iter().map(|attempt| attempt.effort).sum();
            // A method may complete its current inner iteration.
            assert!(spent <= 1.5 * effort.operations, "{contacts}: {spent:e}, {:?}", solver.trace());
            assert!(solver.trace().iter().all(|attempt| attempt.effort > 0.0), "{:?}", solver.trace());
            cut += usize::from(info.status == Status::EffortSpent);
            outcomes.push((info.status, info.iterations, r.iter().map(|r| r.to_bits()).collect::<Vec<_>>()));
        }
        assert_eq!(outcomes[0], outcomes[1], "{contacts}");
    }
    assert!(cut >= 2, "{cut} were cut short");
}

#[test]
fn the_default_limit_is_that_of_every_class() {
    let default = EffortLimit::default();
    assert_eq!(AutoSettings::default().effort, default);
    assert_eq!(lcp::AutoSettings::default().effort, default);
    assert_eq!(mlcp::AutoSettings::default().effort, default);
    assert_eq!(relay::AutoSettings::default().effort, default);
    assert_eq!(avi::AutoSettings::default().effort, default);
    assert_eq!(gmp::AutoSettings::default().effort, default);
    for effort in
        [EffortLimit { operations: 0.0, ..default }, EffortLimit { factorisations: -1.0, ..default }]
    {
        assert!(Auto::new(AutoSettings { effort, ..Default::default() }).is_err());
    }
}
