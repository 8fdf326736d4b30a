//! Relay problems from the test data of Siconos, if the files are available (see `reference_files.rs`).

use std::path::Path;

use ndarray::{Array1, Array2, ShapeBuilder};
use siconos_numerics::relay::{
    BoxComplementarityProblem, Newton, NewtonSettings, ProjectedGaussSeidel, ProjectedGaussSeidelSettings,
    Relay, RelayMethod, error_of_point,
};
use siconos_numerics::{Method, Solver, Status};
use siconos_testkit::reference;

const FILES: [&str; 4] = ["relay1.dat", "relay_2x2.dat", "step_1x1.dat", "step_4x4.dat"];

/// Reads n, the type and sizes of a dense matrix, its entries column by column, q, and the lower and upper
/// bounds.
fn read(path: &Path) -> BoxComplementarityProblem {
    let text = std::fs::read_to_string(path).unwrap();
    let mut numbers = text.split_whitespace().map(|token| token.parse::<f64>().unwrap());
    let n = numbers.next().unwrap() as usize;
    let header: Vec<f64> = numbers.by_ref().take(5).collect();
    assert_eq!(header, [0.0, n as f64, n as f64, n as f64, n as f64]);
    let entries: Vec<f64> = numbers.by_ref().take(n * n).collect();
    let m = Array2::from_shape_vec((n, n).f(), entries).unwrap();
    let mut vector = || -> Array1<f64> { numbers.by_ref().take(n).collect() };
    let (q, lower, upper) = (vector(), vector(), vector());
    BoxComplementarityProblem::new(m, q, lower, upper).unwrap()
}

#[test]
fn every_method_solves_them_and_they_agree() {
    let Some(folder) = reference::folder("relay") else { return };
    let smooth = NewtonSettings::default();
    for file in FILES {
        let problem = read(&folder.join(file));
        let problem = problem.view();
        let n = problem.size();
        let others = RelayMethod::all()
            .into_iter()
            .filter(|method| !matches!(method, RelayMethod::ProjectedGaussSeidel(_)));
        let mut solvers: Vec<Box<dyn Solver<Class = Relay>>> =
            others.map(|method| method.build().unwrap()).collect();
        // The ill-conditioned problem relay1 needs many sweeps, and over-relaxation.
        let sweeps = ProjectedGaussSeidelSettings {
            max_iterations: 2_000_000,
            relaxation: 1.9,
            tolerance: 1e-10,
            ..Default::default()
        };
        solvers.push(Box::new(ProjectedGaussSeidel::new(sweeps).unwrap()));
        solvers.push(Box::new(Newton::new(smooth.clone()).unwrap()));
        let mut first: Option<Vec<f64>> = None;
        for mut solver in solvers {
            let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
            let info = solver.solve(&problem, &mut z, &mut w).unwrap();
            assert_eq!(info.status, Status::Converged, "{file}, {}: {info:?}", solver.name());
            let error = error_of_point(&problem, &z, &mut w);
            assert!(error <= 1e-10, "{file}, {}: {error:e}", solver.name());
            // All matrices are positive definite with a smallest eigenvalue of at least 1, so that the
            // solution is unique.
            let expected = first.get_or_insert_with(|| z.clone());
            for (z, expected) in z.iter().zip(expected) {
                assert!((*z - *expected).abs() <= 1e-5, "{file}, {}: {z} {expected}", solver.name());
            }
        }
    }
}

/// For identity matrices, each unknown is clamp(-q).
#[test]
fn the_small_ones_have_closed_forms() {
    let Some(folder) = reference::folder("relay") else { return };
    for file in &FILES[1..] {
        let problem = read(&folder.join(file));
        let problem = problem.view();
        let (mut z, mut w) = (vec![0.0; problem.size()], vec![0.0; problem.size()]);
        let mut auto = RelayMethod::default().build().unwrap();
        assert!(auto.solve(&problem, &mut z, &mut w).unwrap().status.is_success());
        for i in 0..z.len() {
            let exact = (-problem.q()[i]).max(problem.lower()[i]).min(problem.upper()[i]);
            assert!((z[i] - exact).abs() <= 1e-15, "{file}: {z:?}");
        }
    }
}
