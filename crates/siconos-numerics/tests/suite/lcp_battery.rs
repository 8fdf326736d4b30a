//! Every LCP solver on all known problems of the classes for which it is guaranteed.

use ndarray::array;
use siconos_numerics::lcp::{
    LcpMethod, LcpProblem, Lemke, LemkeSettings, LemkeStart, ProjectedGaussSeidel,
    ProjectedGaussSeidelSettings,
};
use siconos_numerics::method::MatrixClass;
use siconos_numerics::{Method, Solver, SolverError, Status};
use siconos_testkit::lcp::{
    Answer, BatteryReport, Capability, all, bead_column, check_lcp_solver, clamped_chain, fathi,
    murty_reversed, unsolvable,
};

const LEMKE: Capability = Capability {
    classes: &[MatrixClass::CopositivePlus, MatrixClass::PMatrix],
    tolerance: 1e-12,
    largest_condition: f64::INFINITY,
    recognises_unsolvable: true,
};

const GAUSS_SEIDEL: Capability = Capability {
    classes: &[MatrixClass::SymmetricPositiveDefinite, MatrixClass::DiagonallyDominant],
    tolerance: 1e-8,
    // 10 000 sweeps reduce the error by a factor of 1e-8 up to about this condition number.
    largest_condition: 2000.0,
    recognises_unsolvable: false,
};

fn lemke(start: LemkeStart) -> Lemke {
    Lemke::new(LemkeSettings { start, ..Default::default() }).expect("valid settings")
}

#[test]
fn lemke_from_the_basis_of_all_w() {
    let report = check_lcp_solver(&mut lemke(LemkeStart::Cold), &LEMKE);
    assert!(report.solved >= 90 && report.unsolvable >= 12 && report.beyond >= 9, "{report:?}");
}

#[test]
fn lemke_from_the_active_set() {
    let report = check_lcp_solver(&mut lemke(LemkeStart::WarmActiveSet), &LEMKE);
    assert!(report.solved >= 90 && report.unsolvable >= 12, "{report:?}");
}

#[test]
fn projected_gauss_seidel_in_every_storage() {
    let report = check_lcp_solver(&mut ProjectedGaussSeidel::default(), &GAUSS_SEIDEL);
    assert!(report.solved >= 100, "{report:?}");
    let [dense, diagonal, block_rows] = report.storages;
    assert!(dense >= 90 && diagonal >= 9 && block_rows == dense, "{report:?}");
}

#[test]
fn projected_over_relaxation() {
    // With relaxation, convergence is guaranteed for symmetric matrices only.
    let symmetric = Capability { classes: &[MatrixClass::SymmetricPositiveDefinite], ..GAUSS_SEIDEL };
    for relaxation in [0.5, 1.5] {
        let settings = ProjectedGaussSeidelSettings { relaxation, ..Default::default() };
        let mut solver = ProjectedGaussSeidel::new(settings).expect("valid settings");
        // Under-relaxation takes three times as many sweeps.
        let capability = Capability { largest_condition: 600.0, ..symmetric.clone() };
        let BatteryReport { solved, .. } = check_lcp_solver(&mut solver, &capability);
        assert!(solved >= 80, "{solved}");
    }
}

#[test]
fn solvers_built_from_a_method_pass_as_well() {
    let mut boxed = LcpMethod::default().build().expect("valid settings");
    assert!(check_lcp_solver(boxed.as_mut(), &LEMKE).solved > 0);
    let method = LcpMethod::ProjectedGaussSeidel(ProjectedGaussSeidelSettings::default());
    let mut boxed = method.build().expect("valid settings");
    assert!(check_lcp_solver(boxed.as_mut(), &GAUSS_SEIDEL).solved > 0);
}

#[test]
fn from_the_solution_lemke_needs_no_pivot() -> Result<(), SolverError> {
    let mut solver = lemke(LemkeStart::WarmActiveSet);
    let mut tried = 0;
    // Only P-matrices: in other classes, the matrix of the active set may be singular, as for the problem
    // "isolated".
    for known in all().into_iter().filter(|known| known.class.is_within(MatrixClass::PMatrix)) {
        let Some(solution) = known.unique_solution() else { continue };
        let (mut z, mut w) = (solution.to_vec(), vec![0.0; known.size()]);
        let info = solver.solve(&LcpProblem::new(&known.m, &known.q)?, &mut z, &mut w)?;
        assert_eq!((info.status, info.iterations), (Status::Converged, 0), "{}", known.name);
        tried += 1;
    }
    assert!(tried > 20, "{tried}");
    Ok(())
}

#[test]
fn where_all_contacts_stay_closed_lemke_pivots_once_per_contact() -> Result<(), SolverError> {
    // The counts are a property of the pivot rule. If they change, the pivot rule has changed.
    let mut solver = lemke(LemkeStart::Cold);
    for n in [1, 2, 10, 40] {
        for known in [bead_column(n), clamped_chain(n)] {
            let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
            let info = solver.solve(&LcpProblem::new(&known.m, &known.q)?, &mut z, &mut w)?;
            assert_eq!(info.iterations, n + 1, "{}", known.name);
        }
    }
    Ok(())
}

#[test]
fn the_exponential_families_take_a_pivot_per_complementary_basis() -> Result<(), SolverError> {
    let mut solver = lemke(LemkeStart::Cold);
    // Fathi's matrix becomes ill-conditioned, and from n = 7, rounding skips some bases.
    let families = (1..=9).map(murty_reversed).chain((1..=6).map(fathi));
    for known in families {
        let n = known.size();
        let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
        let info = solver.solve(&LcpProblem::new(&known.m, &known.q)?, &mut z, &mut w)?;
        assert_eq!((info.status, info.iterations), (Status::Converged, 1 << n), "{}", known.name);
    }
    // If there are too many bases, the status is `MaxIterations`, not `NoSolution`.
    let known = murty_reversed(14);
    let (mut z, mut w) = (vec![0.0; 14], vec![0.0; 14]);
    let info = solver.solve(&LcpProblem::new(&known.m, &known.q)?, &mut z, &mut w)?;
    assert_eq!((info.status, info.iterations), (Status::MaxIterations, 10_000));
    Ok(())
}

#[test]
fn on_a_ray_the_point_is_finite_and_the_error_is_told() -> Result<(), SolverError> {
    for known in unsolvable() {
        let (mut z, mut w) = (vec![0.0; known.size()], vec![0.0; known.size()]);
        let info = Lemke::default().solve(&LcpProblem::new(&known.m, &known.q)?, &mut z, &mut w)?;
        // Infeasible problems end with a proof. The feasible one has a matrix that is only copositive.
        let expected = match known.answer {
            Answer::Infeasible { .. } => Status::NoSolution,
            _ => Status::RayTermination,
        };
        assert_eq!(info.status, expected, "{}", known.name);
        assert!(z.iter().all(|z| z.is_finite() && *z >= 0.0), "{}: {z:?}", known.name);
        assert!(info.error > 1e-3, "{}: {info:?}", known.name);
        let refused = info.require_converged();
        assert_eq!(refused, Err(SolverError::NotConverged { info }), "{}", known.name);
    }
    Ok(())
}

#[test]
fn outside_its_guarantee_gauss_seidel_breaks_down_and_says_so() -> Result<(), SolverError> {
    // The matrix is positive definite, but its skew part is four times as large as the rest: the iterates
    // grow without bound.
    let m = array![[1.0, -4.0, 3.0], [4.0, 1.0, -5.0], [-3.0, 5.0, 1.0]];
    let (mut z, mut w) = ([0.0; 3], [0.0; 3]);
    let problem = LcpProblem::new(&m, &[2.0, -9.0, 2.0])?;
    let info = ProjectedGaussSeidel::default().solve(&problem, &mut z, &mut w)?;
    assert_eq!(info.status, Status::Breakdown);
    // Diverged iterates are discarded, and the initial guess is returned.
    assert!(z == [0.0; 3] && info.error.is_finite() && info.iterations < 1000, "{info:?}");
    Ok(())
}

#[test]
fn without_iterations_left_the_status_says_so() -> Result<(), SolverError> {
    let known = clamped_chain(9);
    let problem = LcpProblem::new(&known.m, &known.q)?;
    let settings = LemkeSettings { max_iterations: 3, start: LemkeStart::Cold, ..Default::default() };
    let (mut z, mut w) = (vec![0.0; 9], vec![0.0; 9]);
    let info = Lemke::new(settings)?.solve(&problem, &mut z, &mut w)?;
    assert_eq!((info.status, info.iterations), (Status::MaxIterations, 3));
    let settings = ProjectedGaussSeidelSettings { max_iterations: 3, ..Default::default() };
    z.fill(0.0);
    let info = ProjectedGaussSeidel::new(settings)?.solve(&problem, &mut z, &mut w)?;
    assert_eq!((info.status, info.iterations), (Status::MaxIterations, 3));
    // With the default limit, the method converges from the point where it stopped.
    let more = ProjectedGaussSeidel::default().solve(&problem, &mut z, &mut w)?;
    assert!(more.status.is_success() && more.iterations > 3);
    Ok(())
}
