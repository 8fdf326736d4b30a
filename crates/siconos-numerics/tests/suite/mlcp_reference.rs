//! Mixed problems from the test data of Siconos, if the files are available.
//!
//! A file has whitespace-separated tokens: two flags, n and m. If the first flag is set: 0, the ends of the
//! blocks of rows, a flag for each (1: complementarity), the matrix column by column, and q. If the second
//! flag is set: A, B, C, D row by row, a, and b. The remaining tokens are remarks. The files of this folder
//! have both flags set.

use std::path::Path;

use ndarray::{Array1, Array2, ShapeBuilder};
use siconos_numerics::mlcp::{
    MixedLinearComplementarityProblem, MlcpBlocks, MlcpMethod, MlcpRow, siconos_error,
};
use siconos_numerics::{Method, SolveInfo, SolverError};
use siconos_testkit::mlcp::mixed_error;
use siconos_testkit::reference;

const FILES: [&str; 10] = [
    "Buck2_mlcp.dat",
    "PD_mlcp.dat",
    "RCD_mlcp.dat",
    "RLCD_mlcp.dat",
    "deltasigma_mlcp.dat.gz",
    "diodeBridge20_mlcp.dat",
    "diodeBridge_mlcp.dat",
    "m2n1_mlcp.dat",
    "m3n2_mlcp.dat",
    "relay2_mlcp.dat",
];

/// Tokens of a file, consumed one by one.
struct Tokens<'a>(std::str::SplitWhitespace<'a>);

impl Tokens<'_> {
    fn next<T: std::str::FromStr>(&mut self) -> T {
        let token = self.0.next().expect("the file ends too soon");
        token.parse().unwrap_or_else(|_| panic!("unexpected {token:?}"))
    }

    fn list<T: std::str::FromStr>(&mut self, n: usize) -> Vec<T> {
        (0..n).map(|_| self.next()).collect()
    }

    fn by_rows(&mut self, rows: usize, columns: usize) -> Array2<f64> {
        Array2::from_shape_vec((rows, columns), self.list(rows * columns)).expect("as many entries")
    }

    fn vector(&mut self, n: usize) -> Array1<f64> {
        Array1::from(self.list(n))
    }
}

/// Reads both forms of a file.
fn read(path: &Path) -> [MixedLinearComplementarityProblem; 2] {
    let text = reference::text(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut tokens = Tokens(text.split_whitespace());
    assert_eq!(tokens.list::<u8>(2), [1, 1], "both forms");
    let (n, m): (usize, usize) = (tokens.next(), tokens.next());
    assert_eq!(tokens.next::<usize>(), 0, "the first block begins with row 0");
    let mut ends = vec![tokens.next::<usize>()];
    while ends[ends.len() - 1] != n + m {
        ends.push(tokens.next());
    }
    let kinds = tokens.list::<u8>(ends.len());
    let mut rows = Vec::new();
    for (&end, kind) in ends.iter().zip(kinds) {
        let row = if kind == 1 { MlcpRow::Complementarity } else { MlcpRow::Equality };
        rows.resize(end, row);
    }
    assert_eq!(tokens.list::<usize>(5), [0, n + m, n + m, n + m, n + m], "dense");
    let matrix = Array2::from_shape_vec((n + m, n + m).f(), tokens.list((n + m) * (n + m)));
    let tagged = (matrix.expect("as many entries"), tokens.vector(n + m), rows);
    let (a, b) = (tokens.by_rows(n, n), tokens.by_rows(m, m));
    let (c, d) = (tokens.by_rows(n, m), tokens.by_rows(m, n));
    let (q_equality, q_complementarity) = (tokens.vector(n), tokens.vector(m));
    let blocks = MlcpBlocks { a, b, c, d, q_equality, q_complementarity };
    [
        MixedLinearComplementarityProblem::new(tagged.0, tagged.1, tagged.2).expect("it holds together"),
        MixedLinearComplementarityProblem::from_blocks(blocks).expect("the blocks fit"),
    ]
}

fn problems() -> Vec<(&'static str, MixedLinearComplementarityProblem)> {
    let Some(folder) = reference::folder("mlcp") else { return Vec::new() };
    FILES.into_iter().map(|name| (name, read(&folder.join(name))[0].clone())).collect()
}

#[test]
fn both_forms_of_a_file_are_the_same_problem() {
    for (name, _) in problems() {
        let folder = reference::at_hand().expect("there are problems").join("mlcp");
        let [tagged, blocks] = read(&folder.join(name));
        assert_eq!(tagged, blocks, "{name}");
        assert_eq!(tagged.blocks(), blocks.blocks(), "{name}");
    }
}

/// Returns `true` if a method may fail on a file: the matrices of circuits have zeros on the diagonal, which
/// Gauss-Seidel refuses, and are not monotone, as the interior-point method requires. Enumeration accepts 24
/// complementarity rows, and takes minutes for 20.
fn may_fail(method: &str, file: &str) -> bool {
    match method {
        "projected-gauss-seidel" | "projected-sor" | "regularised-gauss-seidel" => {
            !["m2n1_mlcp.dat", "m3n2_mlcp.dat"].contains(&file)
        }
        "interior-point" | "elimination" | "warm-active-set" | "enumeration" => {
            file == "deltasigma_mlcp.dat.gz"
        }
        _ => false,
    }
}

/// Solves a file from zero. Returns the report, and the error computed by independent code.
fn error_of(
    method: &MlcpMethod,
    problem: &MixedLinearComplementarityProblem,
) -> Result<(SolveInfo, f64), SolverError> {
    let view = problem.view();
    let (mut z, mut w) = (vec![0.0; view.size()], vec![f64::NAN; view.size()]);
    let info = method.build()?.solve(&view, &mut z, &mut w)?;
    // The stopping criterion of Siconos for these files, in its own error.
    let of_siconos = siconos_error(view.q(), view.rows(), &z, &w);
    assert!(!info.status.is_success() || of_siconos <= 1e-7, "{of_siconos:e}");
    Ok((info, mixed_error(&view.m().to_dense(), view.q(), view.rows(), &z)))
}

#[test]
fn every_method_on_every_file() {
    for mut method in MlcpMethod::all() {
        method.set_tolerance(1e-9);
        let name = method.description().name;
        for (file, problem) in problems() {
            if name == "enumeration" && file == "diodeBridge20_mlcp.dat" {
                continue;
            }
            let result = error_of(&method, &problem);
            println!("{name} on {file}: {result:?}");
            match result {
                Ok((info, error)) if info.status.is_success() => {
                    // Another order of summation may add rounding errors.
                    assert!(error <= 1.01e-9, "{name} on {file}: {error:e}, said to be {info:?}");
                }
                failed => assert!(may_fail(name, file), "{name} on {file}: {failed:?}"),
            }
        }
    }
}
