//! Invalid input to contact problems and their solvers. Invalid data are refused with an error, unsolvable
//! problems end with a status, and no method panics or reports a wrong solution.

use ndarray::{Array2, array};
use siconos_linalg::{BlockCsr, Csc, Matrix};
use siconos_numerics::contact::{
    Contact, ContactData, ContactLaw, ContactLawData, ContactMethod, ContactProblem,
};
use siconos_numerics::{Method, ProblemError, SolveInfo, Solver, SolverError};
use siconos_testkit::contact::{KnownContact, Shape, coulomb as planted_coulomb, planted, rolling};

const TOLERANCE: f64 = 1e-8;

/// Returns every method with few iterations.
fn methods() -> Vec<(&'static str, Box<dyn Solver<Class = Contact>>)> {
    let methods = ContactMethod::all().into_iter().map(|mut method| {
        method.set_tolerance(TOLERANCE);
        method.set_max_iterations(200);
        if let ContactMethod::Auto(settings) = &mut method {
            settings.last_resorts = false;
        }
        (method.description().name, method.build().expect("the settings are valid"))
    });
    methods.collect()
}

/// Solves from 0 with every method that supports the problem.
fn solve_all(
    problem: &ContactProblem<'_>,
    mut look: impl FnMut(&'static str, Result<SolveInfo, SolverError>, &[f64], &[f64]),
) {
    let mut asked = 0;
    for (name, mut solver) in methods() {
        let n = problem.size();
        let (mut r, mut u) = (vec![0.0; n], vec![0.0; n]);
        if solver.supports(problem).is_ok() {
            asked += 1;
            let outcome = solver.solve(problem, &mut r, &mut u);
            look(name, outcome, &r, &u);
        }
    }
    assert!(asked >= 8, "only {asked} methods take it");
}

fn coulomb(mu: &[f64]) -> ContactLaw<'_> {
    ContactLaw::Coulomb { dimension: 3, mu }
}

#[test]
fn coefficients_are_numbers_at_or_above_zero() {
    let w = Array2::<f64>::eye(3);
    let q = [-1.0, 0.0, 0.0];
    for wrong in [-0.1, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mu = [wrong];
        // Infinite friction is valid: contacts with pressure stick.
        let outcome = ContactProblem::new(&w, &q, coulomb(&mu));
        if wrong == f64::INFINITY {
            assert!(outcome.is_ok());
        } else {
            let refused = outcome.unwrap_err();
            assert!(matches!(refused, ProblemError::Coefficient { what: "mu", contact: 0, .. }), "{refused}");
        }
        let law = ContactLaw::SecondOrder { starts: &[0, 3], tau: &mu };
        assert!(matches!(
            ContactProblem::new(&w, &q, law),
            Err(ProblemError::Coefficient { what: "tau", .. })
        ));
        let law = ContactLaw::Rolling { dimension: 3, mu: &[0.5], mu_rolling: &mu };
        let refused = ContactProblem::new(&w, &q, law).unwrap_err();
        assert!(matches!(refused, ProblemError::Coefficient { what: "mu_rolling", .. }), "{refused}");
    }
}

#[test]
fn shapes_have_to_fit() {
    let q = [-1.0, 0.0, 0.0];
    let of = |w: Array2<f64>, q: &[f64], law| ContactProblem::new(&w, q, law).map(|_| ()).unwrap_err();
    assert!(matches!(of(Array2::eye(6), &q, coulomb(&[0.5])), ProblemError::ContactRows { .. }));
    assert!(matches!(of(Array2::zeros((3, 4)), &q, coulomb(&[0.5])), ProblemError::NotSquare { .. }));
    assert!(matches!(
        of(Array2::eye(3), &q[..2], coulomb(&[0.5])),
        ProblemError::WrongLength { what: "q", .. }
    ));
    assert!(matches!(of(Array2::eye(3), &q, coulomb(&[])), ProblemError::ContactRows { .. }));
    for dimension in [0, 1, 4, 5, usize::MAX] {
        let law = ContactLaw::Coulomb { dimension, mu: &[0.5] };
        assert!(matches!(of(Array2::eye(3), &q, law), ProblemError::ContactDimension { .. }));
    }
    let law = ContactLaw::Rolling { dimension: 3, mu: &[0.5], mu_rolling: &[] };
    assert!(matches!(of(Array2::eye(3), &q, law), ProblemError::WrongLength { what: "mu_rolling", .. }));
    for starts in [&[0, 2, 2, 3][..], &[1, 3], &[0, 3, 2], &[0], &[]] {
        let tau = vec![1.0; starts.len().saturating_sub(1)];
        let w = Array2::<f64>::eye(3);
        let refused = ContactProblem::new(&w, &q, ContactLaw::SecondOrder { starts, tau: &tau }).unwrap_err();
        let is_named = matches!(
            refused,
            ProblemError::ConePartition | ProblemError::WrongLength { .. } | ProblemError::ContactRows { .. }
        );
        assert!(is_named, "{starts:?}: {refused}");
    }
}

#[test]
fn owned_problems_refuse_what_is_not_finite() {
    let (eye, mut bad) = (Array2::<f64>::eye(3), Array2::<f64>::eye(3));
    bad[[1, 2]] = f64::NAN;
    let refused =
        ContactData::new(bad.clone(), array![0.0, 0.0, 0.0], ContactLawData::coulomb(3, [0.5])).unwrap_err();
    assert!(matches!(refused, ProblemError::NotFinite { what: "W", index: 5, .. }), "{refused}");
    let q = array![0.0, f64::INFINITY, 0.0];
    let refused = ContactData::new(eye.clone(), q.clone(), ContactLawData::coulomb(3, [0.5])).unwrap_err();
    assert!(matches!(refused, ProblemError::NotFinite { what: "q", index: 1, .. }), "{refused}");
    assert!(
        ContactData::new(bad.clone(), array![0.0, 0.0, 0.0], ContactLawData::rolling(3, [0.5], [0.1]))
            .is_err()
    );
    assert!(ContactData::new(eye.clone(), q.clone(), ContactLawData::rolling(3, [0.5], [0.1])).is_err());
    assert!(ContactData::new(bad, array![0.0, 0.0, 0.0], ContactLawData::cones(&[3], [1.0])).is_err());
    assert!(ContactData::new(eye, q, ContactLawData::cones(&[3], [1.0])).is_err());
}

#[test]
fn solvers_refuse_what_is_not_finite_and_wrong_lengths() {
    let (w, law) = (Array2::<f64>::eye(3), coulomb(&[0.5]));
    for wrong in [f64::NAN, f64::INFINITY] {
        let q = [-1.0, wrong, 0.0];
        let problem = ContactProblem::new(&w, &q, law).expect("the shapes fit");
        solve_all(&problem, |name, outcome, _, _| {
            let is_named =
                matches!(outcome, Err(SolverError::Problem(ProblemError::NotFinite { what: "q", .. })));
            assert!(is_named, "{name}: {outcome:?}");
        });
    }
    let problem = ContactProblem::new(&w, &[-1.0, 0.0, 0.0], law).expect("the shapes fit");
    for (name, mut solver) in methods() {
        if solver.supports(&problem).is_err() {
            continue;
        }
        assert!(solver.solve(&problem, &mut [f64::NAN, 0.0, 0.0], &mut [0.0; 3]).is_err(), "{name}");
        assert!(solver.solve(&problem, &mut [0.0; 2], &mut [0.0; 3]).is_err(), "{name}");
        assert!(solver.solve(&problem, &mut [0.0; 3], &mut [0.0; 4]).is_err(), "{name}");
        // A refusal does not affect later solves.
        let (mut r, mut u) = ([0.0; 3], [0.0; 3]);
        let info = solver.solve(&problem, &mut r, &mut u).expect("now the data are right");
        assert!(info.status.is_success() && (r[0] - 1.0).abs() < 1e-6, "{name}: {info:?}");
    }
}

/// Returns the matrix in dense storage, in block rows of three, and in columns.
fn storages(w: &Array2<f64>) -> [Matrix; 3] {
    let sizes = vec![3; w.nrows() / 3];
    let pairs = (0..sizes.len()).flat_map(|i| (0..sizes.len()).map(move |j| (i, j)));
    let block = |(i, j)| (i, j, w.slice(ndarray::s![3 * i..3 * i + 3, 3 * j..3 * j + 3]).to_owned());
    let blocks =
        BlockCsr::from_blocks(&sizes, &sizes, pairs.map(block).collect::<Vec<_>>()).expect("they fit");
    let dense = Matrix::from(w.clone());
    let columns = Csc::from_matrix(dense.view());
    [dense, blocks.into(), columns.into()]
}

#[test]
fn a_matrix_with_what_is_not_a_number_never_converges() {
    for (i, j) in [(0, 0), (1, 2), (4, 4), (0, 5)] {
        for wrong in [f64::NAN, f64::INFINITY] {
            let mut w = Array2::<f64>::eye(6);
            w[[i, j]] = wrong;
            for w in storages(&w) {
                let problem =
                    ContactProblem::new(&w, &[-1.0, 0.1, 0.0, -1.0, 0.0, 0.1], coulomb(&[0.5, 0.3]));
                solve_all(&problem.expect("the shapes fit"), |name, outcome, _, _| {
                    let claims = outcome.as_ref().is_ok_and(|info| info.status.is_success());
                    assert!(!claims, "{name}, {wrong} at ({i}, {j}): {outcome:?}");
                });
            }
        }
    }
}

#[test]
fn a_contact_without_compliance_ends_honestly() {
    let w = Array2::from_diag(&array![0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    for w in storages(&w) {
        // The first contact approaches and no reaction can stop it: the problem has no solution.
        let problem = ContactProblem::new(&w, &[-1.0, 0.0, 0.0, -1.0, 0.1, 0.0], coulomb(&[0.5, 0.5]));
        solve_all(&problem.expect("the shapes fit"), |name, outcome, r, _| {
            assert!(
                !outcome.as_ref().is_ok_and(|info| info.status.is_success()),
                "{name}: {outcome:?} {r:?}"
            );
        });
    }
}

#[test]
fn no_contact_is_solved_at_once() {
    let w = Array2::<f64>::zeros((0, 0));
    let laws = [
        ContactLaw::Coulomb { dimension: 2, mu: &[] },
        coulomb(&[]),
        ContactLaw::Rolling { dimension: 5, mu: &[], mu_rolling: &[] },
        ContactLaw::SecondOrder { starts: &[0], tau: &[] },
    ];
    for law in laws {
        let problem = ContactProblem::new(&w, &[], law).expect("nothing fits nothing");
        solve_all(&problem, |name, outcome, _, _| {
            let info = outcome.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(info.status.is_success() && info.error == 0.0, "{name}, {law:?}: {info:?}");
        });
    }
}

/// Checks the results of all methods with an independent error. Returns the names of the methods that solve
/// the problem.
fn honest(problem: &KnownContact) -> Vec<&'static str> {
    let mut solved = Vec::new();
    solve_all(&problem.view(), |name, outcome, r, u| {
        let Ok(info) = outcome else { return };
        if info.status.is_success() {
            let error = problem.error(r);
            assert!(error <= TOLERANCE * (1.0 + 1e-6), "{name} on {}: {info:?} but {error:e}", problem.name);
            assert!(u.iter().all(|x| x.is_finite()), "{name} on {}", problem.name);
            solved.push(name);
        }
    });
    solved
}

#[test]
fn indefinite_matrices_end_honestly() {
    for number in 0..8 {
        for indefinite in [0.3, 1.0, 3.0] {
            let shape = Shape { indefinite, ..Shape::DEFINITE };
            honest(&planted(planted_coulomb(3, 3, 0.5), shape, number));
            honest(&planted(planted_coulomb(2, 4, 0.8), shape, number));
            honest(&planted(rolling(5, 2, 0.5, 0.1), shape, number));
        }
    }
}

#[test]
fn what_is_far_from_symmetric_is_refused_by_convex_programs() {
    let solve = |skew| {
        let problem = planted(planted_coulomb(3, 3, 0.3), Shape { skew, ..Shape::DEFINITE }, 3);
        let mut solver =
            ContactMethod::from_name("convex-fixed-point").expect("it exists").build().expect("valid");
        let (mut r, mut u) = (vec![0.0; 9], vec![0.0; 9]);
        let outcome = match solver.supports(&problem.view()) {
            Ok(()) => solver.solve(&problem.view(), &mut r, &mut u),
            Err(refused) => Err(refused.into()),
        };
        (outcome, problem.error(&r))
    };
    for skew in [0.05, 1.0] {
        let (outcome, error) = solve(skew);
        match outcome {
            Err(SolverError::Unsupported(refused)) => {
                assert!(refused.to_string().contains("symmetric"), "{refused}");
            }
            other => panic!("skew {skew}: {other:?}, error {error:e}"),
        }
    }
    let (outcome, error) = solve(1e-5);
    assert!(outcome.is_ok_and(|info| info.status.is_success()) && error <= TOLERANCE);
}

#[test]
fn one_contact_in_any_units() {
    for law in [planted_coulomb(2, 1, 0.5), planted_coulomb(3, 1, 0.5), rolling(5, 1, 0.5, 0.1)] {
        for (mass, speed) in
            [(1.0, 1.0), (1.0, 1e-12), (1.0, 1e12), (1e-6, 1.0), (1e6, 1.0), (1e12, 1.0), (1e-12, 1.0)]
        {
            let mut problem = planted(law.clone(), Shape::DEFINITE, 5);
            let Matrix::Dense(w) = &problem.w else { unreachable!("planted problems are dense") };
            problem.w = (w / mass).into();
            problem.q.iter_mut().for_each(|q| *q *= speed);
            problem.name = format!("{}, mass {mass:e}, speed {speed:e}", problem.name);
            let solved = honest(&problem);
            assert!(solved.contains(&"auto"), "{}: only {solved:?}", problem.name);
        }
    }
}

/// A solver without explicit settings has the default settings.
#[test]
fn defaults_are_those_of_the_pages() {
    fn assert_same<S: std::fmt::Debug + Default>(made: Result<S, siconos_numerics::SettingsError>) {
        assert_eq!(
            format!("{:?}", S::default()),
            format!("{:?}", made.expect("the default settings are valid"))
        );
    }
    use siconos_numerics::contact::{self as c, classical};
    use siconos_numerics::engine::fixed_point::FixedPointSettings;
    assert_same(c::Auto::new(Default::default()));
    assert_same(c::NonsmoothGaussSeidel::new(Default::default()));
    assert_same(c::ColouredGaussSeidel::new(Default::default()));
    assert_same(c::Newton::new(Default::default()));
    assert_same(c::ProximalPoint::new(Default::default()));
    assert_same(c::InteriorPoint::new(Default::default()));
    assert_same(c::Admm::new(Default::default()));
    assert_same(classical::Extragradient::new(FixedPointSettings::default()));
    assert_same(classical::FixedPointProjection::new(FixedPointSettings::default()));
    assert_same(classical::DeSaxceFixedPoint::new(Default::default()));
    assert_same(classical::TrescaFixedPoint::new(Default::default()));
    assert_same(classical::ConvexFixedPoint::new(Default::default()));
    assert_same(classical::PanagiotopoulosFixedPoint::new(Default::default()));
    assert_same(classical::ConjugateProjectedGradient::new(Default::default()));
    assert_same(c::PlaneLemke::new(Default::default()));
    assert_same(c::PlaneEnumeration::new(Default::default()));
    assert_same(c::VelocityNewton::new(Default::default()));
    assert_same(c::VelocityAdmm::new(Default::default()));
    assert_same(c::VelocityInteriorPoint::new(Default::default()));
    assert_same(c::VelocityProximalPoint::new(Default::default()));
}
