//! Principal pivoting by Murty and by Bard: solutions compared with the oracle, cycles, vanishing pivots,
//! warm starts, memory.

use ndarray::{Array2, array};
use proptest::prelude::*;
use siconos_linalg::{DenseLu, Matrix};
use siconos_numerics::lcp::{LcpMethod, LcpProblem, PivotRule, PrincipalPivoting, PrincipalPivotingSettings};
use siconos_numerics::method::MatrixClass;
use siconos_numerics::{Method, SolveInfo, Solver, SolverError, Status};
use siconos_testkit::allocation::count_allocations;
use siconos_testkit::lcp::strategy::{RandomLcp, degenerate_integers, p_matrix};
use siconos_testkit::lcp::{
    Capability, Measures, bead_column, check_lcp_solver, clamped_chain, enumerate_solutions, murty,
};
use siconos_testkit::random::{RandomState, config};

const RULES: [PivotRule; 2] = [PivotRule::LeastIndex, PivotRule::LargestViolation];

fn solver(rule: PivotRule) -> PrincipalPivoting {
    PrincipalPivoting::new(PrincipalPivotingSettings { rule, ..Default::default() }).expect("valid settings")
}

fn solve(rule: PivotRule, m: &Array2<f64>, q: &[f64], z: &mut [f64]) -> Result<SolveInfo, SolverError> {
    let mut w = vec![f64::NAN; q.len()];
    solver(rule).solve(&LcpProblem::new(m, q)?, z, &mut w)
}

#[test]
fn murty_on_every_known_problem_with_a_p_matrix() {
    let capability = Capability {
        classes: &[MatrixClass::PMatrix],
        tolerance: 1e-12,
        largest_condition: f64::INFINITY,
        recognises_unsolvable: false,
    };
    let report = check_lcp_solver(&mut solver(PivotRule::LeastIndex), &capability);
    assert!(report.solved >= 60 && report.beyond >= 20, "{report:?}");
}

#[test]
fn bard_is_honest_on_every_known_problem() {
    let capability = Capability {
        classes: &[],
        tolerance: 1e-12,
        largest_condition: f64::INFINITY,
        recognises_unsolvable: false,
    };
    let report = check_lcp_solver(&mut solver(PivotRule::LargestViolation), &capability);
    assert!(report.beyond >= 100, "{report:?}");
}

#[test]
fn a_circle_is_recognised() -> Result<(), SolverError> {
    // With z_1 basic, z_1 is -1; with w_1 basic, w_1 is -1: the two sets alternate. The other pair of the
    // second problem is solved on the way.
    for rule in RULES {
        for (m, q) in [(array![[-1.0]], vec![-1.0]), (array![[1.0, 0.0], [0.0, -1.0]], vec![-4.0, -1.0])] {
            let mut z = vec![0.0; q.len()];
            let info = solve(rule, &m, &q, &mut z)?;
            assert_eq!(info.status, Status::Stalled, "{rule:?}: {info:?}");
            assert!(info.iterations <= 6 && info.error > 0.1, "{rule:?}: {info:?}");
            assert!(q.len() == 1 || z[0] == 4.0, "{rule:?}: {z:?}");
        }
    }
    Ok(())
}

/// If the sets repeat, the returned point is the positive part of the point of one of them.
#[test]
fn the_point_of_a_circle_is_that_of_a_set() -> Result<(), SolverError> {
    let mut draw = RandomState::new(17);
    let mut circles = 0;
    for _ in 0..3000 {
        let n = 3 + draw.word() as usize % 3;
        let whole = |draw: &mut RandomState| f64::from(draw.word() % 9) - 4.0;
        let m = Array2::from_shape_fn((n, n), |_| whole(&mut draw));
        let q: Vec<f64> = (0..n).map(|_| whole(&mut draw)).collect();
        for rule in RULES {
            let mut z = vec![0.0; n];
            let info = solve(rule, &m, &q, &mut z)?;
            if info.status != Status::Stalled {
                continue;
            }
            circles += 1;
            let is_of_set = |set: usize| {
                let active: Vec<usize> = (0..n).filter(|i| set >> i & 1 == 1).collect();
                let block =
                    Array2::from_shape_fn((active.len(), active.len()), |(i, j)| m[[active[i], active[j]]]);
                let mut lu = DenseLu::default();
                let mut x: Vec<f64> = active.iter().map(|&i| -q[i]).collect();
                if lu.factor(block.view()).is_err() {
                    return false;
                }
                lu.solve(&mut x);
                let mut point = vec![0.0; n];
                active.iter().zip(&x).for_each(|(&i, x)| point[i] = x.max(0.0));
                point.iter().zip(&z).all(|(a, b)| (a - b).abs() <= 1e-8 * (1.0 + a.abs()))
            };
            assert!((0..1 << n).any(is_of_set), "{rule:?}: {m:?} {q:?} {z:?}");
        }
    }
    assert!(circles > 100, "{circles} circles");
    Ok(())
}

#[test]
fn murtys_family_takes_an_exponential_number_of_pivots() -> Result<(), SolverError> {
    // The least-index rule takes 2^n - 1 pivots on the lower triangular matrix (Murty 1978).
    for n in 1..=10 {
        let known = murty(n);
        let mut z = vec![0.0; n];
        let info = solve(PivotRule::LeastIndex, &known.m, &known.q, &mut z)?;
        assert_eq!((info.status, info.iterations), (Status::Converged, (1 << n) - 1), "{n}");
    }
    let known = murty(15);
    let info = solve(PivotRule::LeastIndex, &known.m, &known.q, &mut [0.0; 15])?;
    assert_eq!((info.status, info.iterations), (Status::MaxIterations, 10_000));
    Ok(())
}

#[test]
fn from_the_solution_no_pivot_is_needed() -> Result<(), SolverError> {
    for rule in RULES {
        for known in [bead_column(30), clamped_chain(40)] {
            let mut z = vec![0.0; known.size()];
            let cold = solve(rule, &known.m, &known.q, &mut z)?;
            assert!(cold.status.is_success() && cold.iterations >= known.size(), "{}: {cold:?}", known.name);
            let warm = solve(rule, &known.m, &known.q, &mut z)?;
            assert!(warm.status.is_success() && warm.iterations == 0, "{}: {warm:?}", known.name);
        }
    }
    Ok(())
}

#[test]
fn a_vanishing_pivot_is_a_breakdown() -> Result<(), SolverError> {
    // w_1 = -1 for all z_1: principal pivoting on one index has no pivot, although z_2 = 1 is a solution.
    let m = array![[0.0, 1.0], [1.0, 1.0]];
    for rule in RULES {
        let info = solve(rule, &m, &[-1.0, 2.0], &mut [0.0; 2])?;
        assert_eq!((info.status, info.iterations), (Status::Breakdown, 0));
    }
    // Two contacts on one degree of freedom: the second pivot would be a rounding error.
    let third = 1.0 / 3.0;
    let m = array![[third, third], [third, third]];
    let info = solve(PivotRule::LeastIndex, &m, &[-1.0, -2.0], &mut [0.0; 2])?;
    assert_eq!(info.status, Status::Breakdown);
    // An initial guess with a singular basis is accepted.
    let mut z = [1.0; 2];
    let info = solve(PivotRule::LargestViolation, &m, &[-1.0, -2.0], &mut z)?;
    assert_eq!(info.status, Status::Converged);
    assert!(z[0] == 0.0 && (z[1] - 6.0).abs() < 1e-14, "{z:?}");
    Ok(())
}

#[test]
fn data_that_are_not_finite_are_never_converged() -> Result<(), SolverError> {
    let m = array![[1.0, f64::NAN], [0.0, 1.0]];
    for rule in RULES {
        let info = solve(rule, &m, &[-1.0, -1.0], &mut [0.0; 2])?;
        assert!(!info.status.is_success(), "{info:?}");
        assert!(solve(rule, &array![[1.0]], &[f64::NAN], &mut [0.0]).is_err());
        let diagonal = Matrix::from(array![1.0]);
        let refused = solver(rule).solve(&LcpProblem::new(&diagonal, &[1.0])?, &mut [0.0], &mut [0.0]);
        assert!(matches!(refused, Err(SolverError::Unsupported(_))));
        let info = solve(rule, &Array2::zeros((0, 0)), &[], &mut [])?;
        assert_eq!((info.status, info.error), (Status::Converged, 0.0));
    }
    let settings = PrincipalPivotingSettings { pivot_tolerance: 0.0, ..Default::default() };
    assert!(PrincipalPivoting::new(settings).is_err());
    Ok(())
}

#[test]
fn both_are_built_by_name() {
    for name in ["murty", "bard"] {
        let mut method = LcpMethod::from_name(name).expect("it is listed");
        method.set_tolerance(1e-9);
        method.set_max_iterations(3);
        let solver = method.build().expect("valid settings");
        assert_eq!((solver.name(), solver.tolerance()), (name, 1e-9));
    }
}

#[test]
fn solving_again_allocates_nothing() {
    for rule in RULES {
        let mut solver = solver(rule);
        let problems = [24, 3, 17, 1, 24].map(clamped_chain);
        let (mut z, mut w) = ([0.0; 24], [0.0; 24]);
        let mut round = || {
            for known in &problems {
                let n = known.size();
                z.fill(0.0);
                for _ in ["cold", "warm"] {
                    let problem = LcpProblem::new(&known.m, &known.q).expect("it is square");
                    let info = solver.solve(&problem, &mut z[..n], &mut w[..n]).expect("it is finite");
                    assert!(info.status.is_success(), "{}: {info:?}", known.name);
                }
            }
        };
        round();
        assert_eq!(count_allocations(round), 0, "{rule:?}");
    }
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn on_p_matrices_the_only_solution(
        (RandomLcp { m, q }, guess) in p_matrix(0..7).prop_flat_map(|problem| {
            let n = problem.q.len();
            (Just(problem), proptest::collection::vec(-1.0..1.0, n))
        }),
    ) {
        let oracle = enumerate_solutions(m.view(), &q);
        prop_assert_eq!(oracle.len(), 1);
        for rule in RULES {
            let mut z = guess.clone();
            let info = solve(rule, &m, &q, &mut z)?;
            if rule == PivotRule::LargestViolation && info.status == Status::Stalled {
                continue;
            }
            prop_assert_eq!(info.status, Status::Converged, "{:?}", rule);
            let scale = oracle[0].iter().fold(1.0_f64, |a, z| a.max(z.abs()));
            prop_assert!(z.iter().zip(&oracle[0]).all(|(a, b)| (a - b).abs() <= 1e-9 * scale), "{z:?} {oracle:?}");
        }
    }

    /// Larger problems, in which the inverse is updated many times.
    #[test]
    fn on_larger_p_matrices_a_solution(RandomLcp { m, q } in p_matrix(10..40)) {
        for rule in RULES {
            let mut z = vec![0.0; q.len()];
            let info = solve(rule, &m, &q, &mut z)?;
            if rule == PivotRule::LargestViolation && info.status == Status::Stalled {
                continue;
            }
            prop_assert_eq!(info.status, Status::Converged, "{:?}", rule);
            let point = Measures::of(m.view(), &q, &z);
            prop_assert!(point.natural <= 1e-12 && point.least_z >= 0.0, "{:?}", point);
        }
    }
}

proptest! {
    #![proptest_config(config(3000))]

    /// Outside the guarantee, the method ends soon, and a reported solution is one.
    #[test]
    fn elsewhere_honest(RandomLcp { m, q } in degenerate_integers(0..7)) {
        for rule in RULES {
            let mut z = vec![0.0; q.len()];
            let info = solve(rule, &m, &q, &mut z)?;
            match info.status {
                Status::Converged => prop_assert!(Measures::of(m.view(), &q, &z).natural <= 1e-12),
                Status::Stalled | Status::Breakdown => prop_assert!(info.error > 1e-12),
                other => prop_assert!(false, "{:?}: {}", rule, other),
            }
        }
    }
}
