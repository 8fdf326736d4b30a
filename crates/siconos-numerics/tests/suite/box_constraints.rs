//! Properties of the methods shared by linear complementarity, mixed problems and relays: distant initial
//! guesses, equations multiplied by -1, the last permitted step, names that match the settings.

use ndarray::{Array2, array};
use siconos_numerics::lcp::{self, LcpProblem};
use siconos_numerics::mlcp::{self, MlcpProblem, MlcpRow};
use siconos_numerics::relay;
use siconos_numerics::{Method, Solver, SolverError, Status};

#[test]
fn a_guess_far_away_is_no_divergence() -> Result<(), SolverError> {
    let mut sweeps = lcp::ProjectedGaussSeidel::default();
    for (m, q, guess, expected) in [(2.0, -1e-70, 1.0, 5e-71), (1.0, 1.0, 1e61, 0.0), (1.0, -1.0, 1e200, 1.0)]
    {
        let (m, q) = (array![[m]], [q]);
        let (mut z, mut w) = ([guess], [0.0]);
        let info = sweeps.solve(&LcpProblem::new(&m, &q)?, &mut z, &mut w)?;
        assert!(info.status.is_success() && info.iterations <= 2, "{m}, {q:?}, {guess}: {info:?}");
        assert!((z[0] - expected).abs() <= 1e-15 * expected, "{z:?}");
    }
    // A diverging iteration ends, and the initial guess is restored.
    let m = array![[1.0, 10.0], [-10.0, 1.0]];
    let (mut z, mut w) = ([3.0, 4.0], [0.0; 2]);
    let rows = [MlcpRow::Equality; 2];
    let mut sweeps = mlcp::ProjectedGaussSeidel::default();
    let info = sweeps.solve(&MlcpProblem::new(&m, &[1.0, 1.0], &rows)?, &mut z, &mut w)?;
    assert_eq!((info.status, z), (Status::Breakdown, [3.0, 4.0]), "{info:?}");
    Ok(())
}

#[test]
fn an_equation_may_be_multiplied_by_minus_one() -> Result<(), SolverError> {
    let rows = [MlcpRow::Equality, MlcpRow::Complementarity];
    for settings in
        [mlcp::ProjectedGaussSeidelSettings::default(), mlcp::ProjectedGaussSeidelSettings::regularised()]
    {
        let mut found = Vec::new();
        for sign in [1.0, -1.0] {
            // One diagonal entry is below the proximal shift, and one is above it.
            let m = array![[sign * 0.4, sign * 0.1], [0.1, 10.0]];
            let (q, mut z, mut w) = ([-sign, -3.0], [0.0; 2], [0.0; 2]);
            let problem = MlcpProblem::new(&m, &q, &rows)?;
            let mut solver = mlcp::ProjectedGaussSeidel::new(settings.clone())?;
            let info = solver.solve(&problem, &mut z, &mut w)?;
            assert!(info.status.is_success(), "{sign}, {settings:?}: {info:?}");
            found.push((info.iterations, z));
        }
        assert_eq!(found[0], found[1]);
    }
    Ok(())
}

/// A method that converges in k steps also converges if exactly k steps are permitted.
#[test]
fn the_point_after_the_last_step_counts() -> Result<(), SolverError> {
    fn check<M: Method>(solve: impl Fn(&mut dyn Solver<Class = M::Class>) -> siconos_numerics::SolveInfo) {
        for mut method in M::all() {
            let free = solve(&mut *method.build().expect("valid settings"));
            if !free.status.is_success() || free.iterations == 0 {
                continue;
            }
            method.set_max_iterations(free.iterations);
            let cut = solve(&mut *method.build().expect("valid settings"));
            assert_eq!((cut.status, cut.iterations), (free.status, free.iterations), "{}", method.name());
        }
    }
    let n = 7;
    let m = Array2::from_shape_fn((n, n), |(i, j)| match i.abs_diff(j) {
        0 => 3.0 + i as f64,
        1 => -1.0,
        _ => 0.1,
    });
    let q: Vec<f64> = (0..n).map(|i| if i % 2 == 0 { -2.0 - i as f64 } else { 1.0 }).collect();
    let rows: Vec<MlcpRow> =
        (0..n).map(|i| if i < 2 { MlcpRow::Equality } else { MlcpRow::Complementarity }).collect();
    let (lower, upper) = (vec![-0.5; n], vec![0.5; n]);
    check::<lcp::LcpMethod>(|solver| {
        let problem = LcpProblem::new(&m, &q).expect("it fits");
        solver.solve(&problem, &mut vec![0.0; n], &mut vec![0.0; n]).expect("it takes the matrix")
    });
    check::<mlcp::MlcpMethod>(|solver| {
        let problem = MlcpProblem::new(&m, &q, &rows).expect("it fits");
        solver.solve(&problem, &mut vec![0.0; n], &mut vec![0.0; n]).expect("it takes the matrix")
    });
    check::<relay::RelayMethod>(|solver| {
        let problem = relay::RelayProblem::new(&m, &q, &lower, &upper).expect("it fits");
        solver.solve(&problem, &mut vec![0.0; n], &mut vec![0.0; n]).expect("it takes the matrix")
    });
    Ok(())
}

#[test]
fn names_are_those_of_the_settings() -> Result<(), SolverError> {
    let minimum = lcp::NewtonSettings::minimum;
    let searched = lcp::NewtonSettings::minimum_with_line_search;
    assert_eq!(lcp::Newton::new(searched())?.name(), "newton-min-line-search");
    assert_eq!(mlcp::Newton::new(searched())?.name(), "newton-min-line-search");
    assert_eq!(lcp::Newton::new(minimum())?.name(), "newton-minimum");
    assert_eq!(mlcp::Newton::new(minimum())?.name(), "newton-minimum");
    assert_eq!(mlcp::Newton::default().name(), "newton-fischer-burmeister");
    let settings = relay::ProjectedGaussSeidelSettings::regularised();
    assert_eq!(relay::ProjectedGaussSeidel::new(settings)?.name(), "regularised-gauss-seidel");
    Ok(())
}

#[test]
fn a_setting_that_is_none_is_refused() {
    let old = serde_json::from_str::<mlcp::ProjectedGaussSeidelSettings>(r#"{"regularization": 0.5}"#);
    let error = old.expect_err("it has another name now").to_string();
    assert!(error.contains("regularization") && error.contains("regularisation"), "{error}");
}
