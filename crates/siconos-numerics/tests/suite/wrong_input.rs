//! Wrong sizes, data that are not finite, unsupported storage formats and invalid settings are refused with
//! an error that contains the numbers. A problem without unknowns is valid.

use ndarray::{Array2, array};
use siconos_linalg::{BlockCsr, Matrix, SingularMatrix};
use siconos_numerics::lcp::{
    Lcp, LcpMethod, LcpProblem, Lemke, LemkeSettings, LinearComplementarityProblem, ProjectedGaussSeidel,
    ProjectedGaussSeidelSettings,
};
use siconos_numerics::mlcp::{Elimination, EliminationSettings, MlcpMethod, MlcpProblem, MlcpRow};
use siconos_numerics::{Method, ProblemError, SettingsError, Solver, SolverError, Status};

const NOT_FINITE: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

fn lcp_solvers() -> [Box<dyn Solver<Class = Lcp>>; 2] {
    [Box::new(Lemke::default()), Box::new(ProjectedGaussSeidel::default())]
}

fn identity(n: usize) -> Array2<f64> {
    Array2::eye(n)
}

/// Checks the array, the index and the value in the error, NaN included (which is unequal to itself).
#[track_caller]
fn assert_not_finite(error: &ProblemError, what: &str, index: usize, value: f64) {
    let ProblemError::NotFinite { what: found, index: i, value: x } = error else { panic!("{error:?}") };
    assert_eq!((*found, *i, x.to_bits()), (what, index, value.to_bits()));
    let text = error.to_string();
    assert!(text.contains(what) && text.contains(&format!("entry {index} is {value}")), "{text}");
}

#[test]
fn a_matrix_that_is_not_square() {
    let m = Array2::zeros((2, 3));
    let expected = ProblemError::NotSquare { rows: 2, columns: 3 };
    assert_eq!(LcpProblem::new(&m, &[1.0; 2]).map(|_| ()), Err(expected.clone()));
    assert_eq!(MlcpProblem::new(&m, &[1.0; 2], &[MlcpRow::Equality; 2]).map(|_| ()), Err(expected.clone()));
    let owned = LinearComplementarityProblem::new(m, array![1.0, 1.0]);
    assert_eq!(owned, Err(expected.clone()));
    assert!(expected.to_string().contains("2 x 3"), "{expected}");
    // The same error for block rows.
    let blocks = BlockCsr::from_blocks(&[1, 1], &[3], vec![]).expect("an empty pattern fits");
    assert_eq!(LcpProblem::new(&blocks, &[1.0; 2]).map(|_| ()), Err(expected));
}

#[test]
fn vectors_of_the_wrong_length() {
    let m = identity(3);
    let wrong = |what, found| ProblemError::WrongLength { what, expected: 3, found };
    assert_eq!(LcpProblem::new(&m, &[1.0; 2]).map(|_| ()), Err(wrong("q", 2)));
    assert_eq!(LinearComplementarityProblem::new(m.clone(), array![1.0]), Err(wrong("q", 1)));
    assert_eq!(MlcpProblem::new(&m, &[1.0; 4], &[MlcpRow::Equality; 3]).map(|_| ()), Err(wrong("q", 4)));
    assert_eq!(MlcpProblem::new(&m, &[1.0; 3], &[MlcpRow::Equality; 2]).map(|_| ()), Err(wrong("rows", 2)));
    let text = wrong("rows", 2).to_string();
    assert!(text.contains("`rows`") && text.contains('3') && text.contains('2'), "{text}");
}

#[test]
fn arrays_of_a_solve_of_the_wrong_length() -> Result<(), ProblemError> {
    let m = identity(3);
    let wrong =
        |what, found| Err(SolverError::Problem(ProblemError::WrongLength { what, expected: 3, found }));
    let problem = LcpProblem::new(&m, &[1.0; 3])?;
    for solver in &mut lcp_solvers() {
        assert_eq!(solver.solve(&problem, &mut [0.0; 2], &mut [0.0; 3]), wrong("z", 2));
        assert_eq!(solver.solve(&problem, &mut [0.0; 3], &mut [0.0; 4]), wrong("w", 4));
        assert_eq!(solver.solve(&problem, &mut [], &mut []), wrong("z", 0));
    }
    let problem = MlcpProblem::new(&m, &[1.0; 3], &[MlcpRow::Equality; 3])?;
    let mut solver = Elimination::default();
    assert_eq!(solver.solve(&problem, &mut [0.0; 4], &mut [0.0; 3]), wrong("z", 4));
    assert_eq!(solver.solve(&problem, &mut [0.0; 3], &mut [0.0; 2]), wrong("w", 2));
    Ok(())
}

#[test]
fn an_owned_problem_that_is_not_finite() {
    for bad in NOT_FINITE {
        let error = LinearComplementarityProblem::new(array![[1.0, 0.0], [bad, bad]], array![1.0, 1.0])
            .expect_err("M is not finite");
        assert_not_finite(&error, "M", 2, bad);
        let error = LinearComplementarityProblem::new(array![1.0, bad], array![1.0, 1.0])
            .expect_err("the diagonal is not finite");
        assert_not_finite(&error, "M", 1, bad);
        let blocks = vec![(1, 1, array![[bad]]), (0, 0, array![[1.0]])];
        let blocks = BlockCsr::from_blocks(&[1, 1], &[1, 1], blocks).expect("the pattern fits");
        let error =
            LinearComplementarityProblem::new(blocks, array![1.0, 1.0]).expect_err("a block is not finite");
        assert_not_finite(&error, "M", 1, bad);
        let error =
            LinearComplementarityProblem::new(identity(2), array![1.0, bad]).expect_err("q is not finite");
        assert_not_finite(&error, "q", 1, bad);
    }
}

#[test]
fn vectors_of_a_solve_that_are_not_finite() -> Result<(), ProblemError> {
    let m = identity(3);
    let (good, rows) = ([1.0; 3], [MlcpRow::Equality, MlcpRow::Complementarity, MlcpRow::Equality]);
    for bad in NOT_FINITE {
        let q = [1.0, bad, 1.0];
        for solver in &mut lcp_solvers() {
            let refused = solver.solve(&LcpProblem::new(&m, &q)?, &mut [0.0; 3], &mut [0.0; 3]);
            let Err(SolverError::Problem(error)) = refused else { panic!("{refused:?}") };
            assert_not_finite(&error, "q", 1, bad);
            let refused = solver.solve(&LcpProblem::new(&m, &good)?, &mut [0.0, 0.0, bad], &mut [0.0; 3]);
            let Err(SolverError::Problem(error)) = refused else { panic!("{refused:?}") };
            assert_not_finite(&error, "z", 2, bad);
        }
        let mut solver = Elimination::default();
        let refused = solver.solve(&MlcpProblem::new(&m, &q, &rows)?, &mut [0.0; 3], &mut [0.0; 3]);
        let Err(SolverError::Problem(error)) = refused else { panic!("{refused:?}") };
        assert_not_finite(&error, "q", 1, bad);
        let refused = solver.solve(&MlcpProblem::new(&m, &good, &rows)?, &mut [bad, 0.0, 0.0], &mut [0.0; 3]);
        let Err(SolverError::Problem(error)) = refused else { panic!("{refused:?}") };
        assert_not_finite(&error, "z", 0, bad);
    }
    Ok(())
}

/// The matrix of a borrowed problem is not checked. A result with such a matrix is never reported as
/// converged.
#[test]
fn a_borrowed_matrix_that_is_not_finite_never_converges() -> Result<(), ProblemError> {
    for bad in NOT_FINITE {
        for place in [(0, 0), (0, 2), (1, 0), (2, 2)] {
            for q in [[-1.0; 3], [1.0; 3], [-1.0, 2.0, 0.0]] {
                let mut m = identity(3);
                m[place] = bad;
                for solver in &mut lcp_solvers() {
                    let (mut z, mut w) = ([0.0; 3], [0.0; 3]);
                    let result = solver.solve(&LcpProblem::new(&m, &q)?, &mut z, &mut w);
                    let converged = result.as_ref().is_ok_and(|info| info.status.is_success());
                    let name = solver.name();
                    assert!(!converged, "{name}, {bad} at {place:?}, q = {q:?}: {result:?} {z:?} {w:?}");
                }
                for rows in [[MlcpRow::Equality; 3], [MlcpRow::Complementarity; 3]] {
                    let (mut z, mut w) = ([0.0; 3], [0.0; 3]);
                    let problem = MlcpProblem::new(&m, &q, &rows)?;
                    let result = Elimination::default().solve(&problem, &mut z, &mut w);
                    let converged = result.as_ref().is_ok_and(|info| info.status.is_success());
                    assert!(!converged, "{bad} at {place:?}, q = {q:?}, {rows:?}: {result:?} {z:?} {w:?}");
                }
            }
        }
    }
    Ok(())
}

#[test]
fn a_storage_that_a_solver_does_not_take() -> Result<(), ProblemError> {
    let diagonal = Matrix::from(array![1.0, 2.0]);
    let blocks = BlockCsr::from_blocks(&[2], &[2], vec![(0, 0, identity(2))])?;
    for (matrix, found) in
        [(diagonal, "a diagonal matrix"), (Matrix::from(blocks), "a block compressed-row matrix")]
    {
        let problem = LcpProblem::new(&matrix, &[1.0; 2])?;
        let explained = Lemke::default().supports(&problem).expect_err("it takes dense ones only");
        assert_eq!((explained.solver, explained.found, explained.takes), ("lemke", found, "a dense matrix"));
        assert_eq!(
            explained.to_string(),
            format!("lemke does not support {found}; it supports a dense matrix")
        );
        let refused = Lemke::default().solve(&problem, &mut [0.0; 2], &mut [0.0; 2]);
        assert_eq!(refused, Err(SolverError::Unsupported(explained)));
        assert_eq!(ProjectedGaussSeidel::default().supports(&problem), Ok(()));

        let problem = MlcpProblem::new(&matrix, &[1.0; 2], &[MlcpRow::Equality; 2])?;
        let explained = Elimination::default().supports(&problem).expect_err("it takes dense ones only");
        assert_eq!((explained.solver, explained.found), ("elimination", found));
        let refused = Elimination::default().solve(&problem, &mut [0.0; 2], &mut [0.0; 2]);
        assert_eq!(refused, Err(SolverError::Unsupported(explained)));
    }
    Ok(())
}

#[test]
fn a_diagonal_that_gauss_seidel_cannot_divide_by() -> Result<(), ProblemError> {
    for pivot in [0.0, -2.0] {
        let m = array![[1.0, 0.5], [0.5, pivot]];
        let problem = LcpProblem::new(&m, &[-1.0, -1.0])?;
        let refused = ProjectedGaussSeidel::default().solve(&problem, &mut [0.0; 2], &mut [0.0; 2]);
        let singular = SingularMatrix::Pivot { column: 1, pivot };
        assert_eq!(refused, Err(SolverError::Singular { what: "the diagonal of M", singular }));
    }
    // A block that is not stored counts as zero.
    let m = BlockCsr::from_blocks(&[1, 1], &[1, 1], vec![(0, 0, array![[1.0]]), (1, 0, array![[1.0]])])?;
    let problem = LcpProblem::new(&m, &[-1.0, -2.0])?;
    let refused = ProjectedGaussSeidel::default().solve(&problem, &mut [0.0; 2], &mut [0.0; 2]);
    let singular = SingularMatrix::Pivot { column: 1, pivot: 0.0 };
    assert_eq!(refused, Err(SolverError::Singular { what: "the diagonal of M", singular }));
    Ok(())
}

/// Returns `true` if a text contains a number, with or without an exponent.
fn has_number(text: &str, value: f64) -> bool {
    let words = text.split(|c: char| c.is_whitespace() || c == ';');
    words.filter_map(|word| word.parse::<f64>().ok()).any(|found| found.to_bits() == value.to_bits())
}

#[test]
fn settings_outside_their_range() {
    let name_of = |refused: Result<(), SettingsError>| {
        let error = refused.expect_err("it is outside");
        let SettingsError::OutOfRange { name, value, must_be } = error.clone();
        let text = error.to_string();
        assert!(text.contains(name) && has_number(&text, value) && text.contains(must_be), "{text}");
        name
    };
    for bad in [0.0, -1e-12, f64::NAN, f64::INFINITY] {
        let lemke = |settings| LcpMethod::Lemke(settings).build().map(|_| ());
        let gauss_seidel = |settings| LcpMethod::ProjectedGaussSeidel(settings).build().map(|_| ());
        let settings = LemkeSettings { tolerance: bad, ..Default::default() };
        assert_eq!(name_of(Lemke::new(settings.clone()).map(|_| ())), "tolerance");
        assert_eq!(name_of(lemke(settings.clone())), "tolerance");
        let nested =
            EliminationSettings { tolerance: bad, lcp: LcpMethod::Lemke(settings), ..Default::default() };
        let nested = MlcpMethod::Elimination(nested);
        assert_eq!(name_of(nested.build().map(|_| ())), "tolerance");
        let settings = LemkeSettings { pivot_tolerance: bad, ..Default::default() };
        assert_eq!(name_of(lemke(settings)), "pivot_tolerance");
        let settings = ProjectedGaussSeidelSettings { tolerance: bad, ..Default::default() };
        assert_eq!(name_of(gauss_seidel(settings)), "tolerance");
        let settings = ProjectedGaussSeidelSettings { relaxation: bad, ..Default::default() };
        assert_eq!(name_of(gauss_seidel(settings)), "relaxation");
    }
    let settings = ProjectedGaussSeidelSettings { relaxation: 2.0, ..Default::default() };
    assert_eq!(name_of(ProjectedGaussSeidel::new(settings).map(|_| ())), "relaxation");
}

#[test]
fn no_unknowns_converge_at_once() -> Result<(), SolverError> {
    let none: [Matrix; 3] =
        [Array2::zeros((0, 0)).into(), ndarray::Array1::zeros(0).into(), BlockCsr::default().into()];
    for matrix in &none {
        let problem = LcpProblem::new(matrix, &[])?;
        assert_eq!(problem.size(), 0);
        for solver in lcp_solvers().iter_mut().filter(|solver| solver.supports(&problem).is_ok()) {
            let info = solver.solve(&problem, &mut [], &mut [])?;
            assert_eq!((info.status, info.iterations, info.error), (Status::Converged, 0, 0.0));
        }
    }
    let problem = MlcpProblem::new(&none[0], &[], &[])?;
    let info = Elimination::default().solve(&problem, &mut [], &mut [])?;
    assert_eq!((info.status, info.iterations, info.error), (Status::Converged, 0, 0.0));
    assert_eq!(LinearComplementarityProblem::new(identity(0), array![])?.view().size(), 0);
    Ok(())
}

#[test]
fn a_solver_survives_what_it_refuses() -> Result<(), SolverError> {
    let m = array![[2.0, 1.0], [1.0, 2.0]];
    for solver in &mut lcp_solvers() {
        let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
        assert!(solver.solve(&LcpProblem::new(&m, &[f64::NAN, 1.0])?, &mut z, &mut w).is_err());
        let info = solver.solve(&LcpProblem::new(&m, &[-5.0, -6.0])?, &mut z, &mut w)?;
        assert!(info.status.is_success());
        siconos_testkit::compare::assert_close("z", &z, &[4.0 / 3.0, 7.0 / 3.0], 1e-7, 0.0);
    }
    Ok(())
}
