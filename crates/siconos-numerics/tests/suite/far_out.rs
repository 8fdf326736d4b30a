//! Points so far from the origin that rounding errors of M z exceed q are not solutions, and no method
//! reports them as solutions. If a solution exists, the automatic choice finds it from such a point.

use ndarray::{Array2, array};
use siconos_numerics::avi::{AviMethod, AviProblem};
use siconos_numerics::gmp::{GenericMechanicalProblem, GmpMethod, MechanicalLaw};
use siconos_numerics::lcp::{LcpMethod, LcpProblem};
use siconos_numerics::mlcp::{MlcpMethod, MlcpProblem, MlcpRow};
use siconos_numerics::relay::{RelayMethod, RelayProblem};
use siconos_numerics::{Method, Solver, SolverError, mlcp};

/// Returns a matrix for which M z = 0 on the line z_1 = z_2.
fn ray() -> Array2<f64> {
    array![[1.0, -1.0], [-1.0, 1.0]]
}

/// Right-hand side q for which no z >= 0 has M z + q >= 0.
const UNSOLVABLE: [f64; 2] = [-1.0, -1.0];

/// Right-hand side q with the solution z = (1, 0).
const SOLVABLE: [f64; 2] = [-1.0, 1.0];

/// Initial guesses on and near the line. The second one is shifted so that w is exactly 0 for the solvable
/// problem.
const GUESSES: [[f64; 2]; 2] = [[1e17, 1e17], [1_125_899_906_842_625.0, 1_125_899_906_842_624.0]];

/// Checks that a reported success is a solution.
fn check(name: &str, q: [f64; 2], is_success: bool, z: &[f64]) {
    if is_success {
        assert!(q == SOLVABLE, "{name}: there is no solution, and it found {z:?}");
        let is_near = (z[0] - z[1] - 1.0).abs() <= 1e-6 && z[1].abs() <= 1e9;
        assert!(is_near, "{name}: {z:?}");
    }
}

#[test]
fn no_method_takes_a_point_far_out_for_a_solution() -> Result<(), SolverError> {
    let (m, infinite, h) = (ray(), [f64::INFINITY; 2], Array2::<f64>::eye(2));
    for q in [UNSOLVABLE, SOLVABLE] {
        for guess in GUESSES {
            for method in LcpMethod::all() {
                let (mut z, mut w) = (guess, [0.0; 2]);
                let told = method.build()?.solve(&LcpProblem::new(&m, &q)?, &mut z, &mut w);
                check(method.description().name, q, told.is_ok_and(|info| info.status.is_success()), &z);
            }
            for method in MlcpMethod::all() {
                let (mut z, mut w) = (guess, [0.0; 2]);
                let problem = MlcpProblem::new(&m, &q, &[MlcpRow::Complementarity; 2])?;
                let told = method.build()?.solve(&problem, &mut z, &mut w);
                check(method.description().name, q, told.is_ok_and(|info| info.status.is_success()), &z);
            }
            for method in RelayMethod::all() {
                let (mut z, mut w) = (guess, [0.0; 2]);
                let problem = RelayProblem::new(&m, &q, &[0.0; 2], &infinite)?;
                let told = method.build()?.solve(&problem, &mut z, &mut w);
                check(method.description().name, q, told.is_ok_and(|info| info.status.is_success()), &z);
            }
            for method in AviMethod::all() {
                let (mut z, mut lambda) = (guess, [0.0; 2]);
                let problem = AviProblem::new(&m, &q, h.view(), &[0.0; 2])?;
                let told = method.build()?.solve(&problem, &mut z, &mut lambda);
                check(method.description().name, q, told.is_ok_and(|info| info.status.is_success()), &z);
            }
            for method in GmpMethod::all() {
                let (mut z, mut w) = (guess, [0.0; 2]);
                let laws = vec![MechanicalLaw::Complementarity { size: 2 }];
                let problem = GenericMechanicalProblem::new(m.clone(), q.to_vec().into(), laws)?;
                let told = method.build()?.solve(&problem, &mut z, &mut w);
                check(method.description().name, q, told.is_ok_and(|info| info.status.is_success()), &z);
            }
        }
    }
    Ok(())
}

#[test]
fn the_mixed_choice_comes_back_from_far_out() -> Result<(), SolverError> {
    // At the second guess, w vanishes exactly.
    let mut solver = mlcp::Auto::default();
    let (mut z, mut w) = (GUESSES[1], [0.0; 2]);
    let m = ray();
    let problem = MlcpProblem::new(&m, &SOLVABLE, &[MlcpRow::Complementarity; 2])?;
    assert!(solver.solve(&problem, &mut z, &mut w)?.status.is_success());
    assert!(!solver.trace().is_empty());
    assert!((z[0] - z[1] - 1.0).abs() < 1e-12 && z[0] < 1e9, "{z:?}");
    Ok(())
}

/// Unknowns at a distant bound are exact, so that their effect on w is not a rounding error.
#[test]
fn a_solution_at_a_bound_far_out_is_one() -> Result<(), SolverError> {
    let (m, q) = (array![[2.0, 0.5], [0.5, 1.0]], [-1.0, 3.0]);
    let problem = RelayProblem::new(&m, &q, &[1e17, -1.0], &[1e18, 1e17])?;
    for method in RelayMethod::all() {
        let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
        let Ok(info) = method.build()?.solve(&problem, &mut z, &mut w) else { continue };
        let name = method.description().name;
        assert!(info.status.is_success(), "{name}: {info:?} {z:?}");
        // The error is relative to the bound, so that the other unknown has almost no influence.
        assert!(z[0] == 1e17 && (-1.0..=0.0).contains(&z[1]), "{name}: {z:?}");
    }
    Ok(())
}
