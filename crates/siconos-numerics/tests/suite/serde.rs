//! Serialised values are read back unchanged, and invalid values in files are refused.

use ndarray::array;
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use siconos_linalg::{BlockCsr, Matrix};
use siconos_numerics::lcp::{LcpMethod, LemkeSettings, LemkeStart, ProjectedGaussSeidelSettings};
use siconos_numerics::mlcp::{EliminationSettings, MlcpMethod, MlcpRow};
use siconos_numerics::{Method, SolveInfo, Status};
use siconos_testkit::lcp::all;
use siconos_testkit::lcp::strategy::{RandomLcp, p_matrix};
use siconos_testkit::random::config;

fn there_and_back<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("it can be written");
    let back: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text}"));
    assert_eq!(&back, value, "{text}");
}

/// Reads a matrix after a change of its text.
#[track_caller]
fn read_changed(matrix: &Matrix, from: &str, to: &str) -> Result<(), String> {
    let text = serde_json::to_string(matrix).expect("it can be written");
    assert!(text.contains(from), "{from} is not in {text}");
    let changed = text.replacen(from, to, 1);
    let read = serde_json::from_str::<Matrix>(&changed);
    read.map(|_| ()).map_err(|error| error.to_string())
}

fn block_matrix() -> Matrix {
    let blocks = vec![
        (0, 0, array![[4.0]]),
        (0, 1, array![[1.0, 0.5]]),
        (1, 0, array![[1.0], [0.5]]),
        (1, 1, array![[3.0, 0.0], [0.0, 3.0]]),
    ];
    BlockCsr::from_blocks(&[1, 2], &[1, 2], blocks).expect("the blocks fit").into()
}

#[test]
fn settings_and_methods() {
    let lemke = LemkeSettings {
        tolerance: 1e-9,
        max_iterations: 17,
        pivot_tolerance: 0.1 + 0.2,
        start: LemkeStart::Cold,
        exact_operations: 1.0 / 3.0 * 1e8,
    };
    let gauss_seidel = ProjectedGaussSeidelSettings {
        tolerance: 1e-5,
        max_iterations: 3,
        relaxation: 1.3,
        regularisation: 0.5,
    };
    there_and_back(&LemkeSettings::default());
    there_and_back(&lemke);
    there_and_back(&ProjectedGaussSeidelSettings::default());
    there_and_back(&gauss_seidel);
    for method in
        [LcpMethod::default(), LcpMethod::Lemke(lemke), LcpMethod::ProjectedGaussSeidel(gauss_seidel)]
    {
        there_and_back(&method);
        there_and_back(&MlcpMethod::Elimination(EliminationSettings { lcp: method, ..Default::default() }));
    }
    there_and_back(&MlcpMethod::default());
}

#[test]
fn settings_left_out_have_their_defaults() {
    let read: LemkeSettings =
        serde_json::from_str(r#"{"max_iterations": 5}"#).expect("all others by default");
    assert_eq!(read, LemkeSettings { max_iterations: 5, ..Default::default() });
    let read: LcpMethod = serde_json::from_str(r#"{"ProjectedGaussSeidel": {}}"#).expect("all by default");
    assert_eq!(read, LcpMethod::ProjectedGaussSeidel(ProjectedGaussSeidelSettings::default()));
    assert!(serde_json::from_str::<LcpMethod>(r#"{"Simplex": {}}"#).is_err());
    // A method that is read is checked when its solver is built.
    let read: LcpMethod = serde_json::from_str(r#"{"Lemke": {"tolerance": -1}}"#).expect("a number");
    assert!(read.build().is_err());
}

#[test]
fn outcomes() {
    for status in [
        Status::Converged,
        Status::AtRoundingLevel,
        Status::MaxIterations,
        Status::Stalled,
        Status::RayTermination,
        Status::NoSolution,
        Status::NotFound,
        Status::Breakdown,
        Status::EffortSpent,
    ] {
        there_and_back(&SolveInfo { status, iterations: 12, error: 1.0 / 3.0 });
    }
    there_and_back(&[MlcpRow::Equality, MlcpRow::Complementarity]);
}

#[test]
fn matrices_in_every_storage() {
    there_and_back(&block_matrix());
    there_and_back(&Matrix::from(array![1.0, -0.0, 1e-308]));
    for known in all() {
        there_and_back(&Matrix::from(known.m));
    }
}

#[test]
fn a_dense_matrix_that_does_not_hold_together_is_refused() {
    let matrix = Matrix::from(array![[2.5, 1.0], [1.0, 3.5]]);
    assert_eq!(read_changed(&matrix, "2.5", "2.75"), Ok(()));
    // JSON has no NaN: `serde_json` writes it as null.
    assert!(read_changed(&matrix, "2.5", "null").is_err());
    assert!(read_changed(&matrix, "2.5", "1e999").is_err());
    // The announced size exceeds the number of entries.
    assert!(read_changed(&matrix, "\"dim\":[2,2]", "\"dim\":[3,3]").is_err());
}

#[test]
fn a_block_matrix_that_does_not_hold_together_is_refused() {
    let matrix = block_matrix();
    assert_eq!(read_changed(&matrix, "4.0", "5.0"), Ok(()));
    for (from, to) in [
        // Partitions that do not start at 0, decrease, are empty, or are too long.
        ("\"row_starts\":[0,1,3]", "\"row_starts\":[1,1,3]"),
        ("\"row_starts\":[0,1,3]", "\"row_starts\":[0,5,3]"),
        ("\"row_starts\":[0,1,3]", "\"row_starts\":[]"),
        ("\"row_starts\":[0,1,3]", "\"row_starts\":[0,1,2,3]"),
        ("\"row_starts\":[0,1,3]", "\"row_starts\":[0,2,3]"),
        ("\"column_starts\":[0,1,3]", "\"column_starts\":[0,3,1]"),
        ("\"column_starts\":[0,1,3]", "\"column_starts\":[0,3]"),
        ("\"column_starts\":[0,1,3]", "\"column_starts\":[0,2,3]"),
        // More entries than exist, or than memory can hold.
        ("\"row_starts\":[0,1,3]", "\"row_starts\":[0,1,9000000000000000000]"),
        ("\"column_starts\":[0,1,3]", "\"column_starts\":[0,1,9000000000000000000]"),
        // Indices of the blocks.
        ("\"first_block\":[0,2,4]", "\"first_block\":[0,2,5]"),
        ("\"first_block\":[0,2,4]", "\"first_block\":[0,4,2]"),
        ("\"first_block\":[0,2,4]", "\"first_block\":[0,2]"),
        ("\"first_block\":[0,2,4]", "\"first_block\":[1,2,4]"),
        ("\"block_columns\":[0,1,0,1]", "\"block_columns\":[0,2,0,1]"),
        ("\"block_columns\":[0,1,0,1]", "\"block_columns\":[0,0,0,1]"),
        ("\"block_columns\":[0,1,0,1]", "\"block_columns\":[0,1,0]"),
        // Offsets of the entries.
        ("\"first_value\":[0,1,3,5]", "\"first_value\":[0,1,3,99]"),
        ("\"first_value\":[0,1,3,5]", "\"first_value\":[0,1,3]"),
        ("\"values\":[4.0,", "\"values\":["),
        ("\"values\":[4.0,", "\"values\":[4.0,4.0,"),
    ] {
        assert!(read_changed(&matrix, from, to).is_err(), "{to} was taken for {from}");
    }
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn any_number_survives(RandomLcp { m, .. } in p_matrix(0..6), scale in -300..300_i32) {
        there_and_back(&Matrix::from(m * 10.0_f64.powi(scale)));
    }
}
