//! The linear complementarity problems that Siconos keeps as test data, when they are at hand.
//!
//! They are no part of this repository. The folder is `$SICONOS_REFERENCE`, or else `shared/reference` beside the
//! workspace; without it the test says so and passes.
//!
//! The files are whitespace-separated tokens: n, a matrix, q, and then remarks to be ignored. A matrix is its type and
//! its size, then for type 0 the size again and the entries, for type 1 its blocks; both column by column.

use std::path::{Path, PathBuf};

use ndarray::{Array2, ShapeBuilder, s};
use siconos_numerics::Status;
use siconos_numerics::lcp::{LcpProblem, LcpSolver, Lemke, LemkeSettings, LemkeStart};
use siconos_testkit::lcp::{LARGEST_ENUMERATED, Measures, enumerate_solutions};

const FILES: [&str; 12] = [
    "lcp_CPS_1.dat",
    "lcp_CPS_2.dat",
    "lcp_CPS_3.dat",
    "lcp_CPS_4.dat",
    "lcp_CPS_5.dat",
    "lcp_Pang_isolated_sol.dat",
    "lcp_deudeu.dat",
    "lcp_deudeu_block.dat",
    "lcp_exp_murty.dat",
    "lcp_mmc.dat",
    "lcp_ortiz.dat",
    "lcp_trivial.dat",
];

/// Solvable, but on a bimatrix game a pivoting method may end on a ray.
const MAY_FAIL: &str = "lcp_CPS_3.dat";

fn folder() -> Option<PathBuf> {
    let folder = match std::env::var_os("SICONOS_REFERENCE") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference"),
    };
    let lcp = folder.join("lcp");
    lcp.is_dir().then_some(lcp)
}

/// The tokens of a file, taken one by one.
struct Tokens<'a>(std::str::SplitWhitespace<'a>);

impl Tokens<'_> {
    fn next<T: std::str::FromStr>(&mut self) -> Result<T, String> {
        let token = self.0.next().ok_or("the file ends too soon")?;
        token.parse().map_err(|_| format!("unexpected {token:?}"))
    }

    fn list<T: std::str::FromStr>(&mut self, n: usize) -> Result<Vec<T>, String> {
        (0..n).map(|_| self.next()).collect()
    }

    /// Entries column by column.
    fn columns(&mut self, rows: usize, columns: usize) -> Result<Array2<f64>, String> {
        let entries = self.list(rows * columns)?;
        Array2::from_shape_vec((rows, columns).f(), entries).map_err(|error| error.to_string())
    }

    fn matrix(&mut self) -> Result<Array2<f64>, String> {
        let (kind, rows, columns): (u8, usize, usize) = (self.next()?, self.next()?, self.next()?);
        match kind {
            0 => {
                let _again: Vec<usize> = self.list(2)?;
                self.columns(rows, columns)
            }
            1 => self.blocks(rows, columns),
            other => Err(format!("matrices of type {other} do not occur here")),
        }
    }

    fn blocks(&mut self, rows: usize, columns: usize) -> Result<Array2<f64>, String> {
        let (count, block_rows, block_columns): (usize, usize, usize) =
            (self.next()?, self.next()?, self.next()?);
        let (row_ends, column_ends) = (self.list::<usize>(block_rows)?, self.list::<usize>(block_columns)?);
        let (filled, _) = (self.next::<usize>()?, self.next::<usize>()?);
        let (row_pointers, places) = (self.list::<usize>(filled)?, self.list::<usize>(count)?);
        let range = |ends: &[usize], k: usize| if k == 0 { 0..ends[0] } else { ends[k - 1]..ends[k] };
        let mut matrix = Array2::zeros((rows, columns));
        for i in 0..block_rows {
            for &j in &places[row_pointers[i]..row_pointers[i + 1]] {
                let _number: usize = self.next()?;
                let (r, c) = (range(&row_ends, i), range(&column_ends, j));
                let block = self.columns(r.len(), c.len())?;
                matrix.slice_mut(s![r, c]).assign(&block);
            }
        }
        Ok(matrix)
    }
}

fn read(path: &Path) -> Result<(Array2<f64>, Vec<f64>), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut tokens = Tokens(text.split_whitespace());
    let n = tokens.next()?;
    let m = tokens.matrix()?;
    if m.dim() != (n, n) {
        return Err(format!("{n} unknowns, but a matrix of {:?}", m.dim()));
    }
    Ok((m, tokens.list(n)?))
}

fn problems() -> Vec<(&'static str, Array2<f64>, Vec<f64>)> {
    let Some(folder) = folder() else {
        println!("skipped: neither $SICONOS_REFERENCE nor ../shared/reference is a folder with lcp/ in it");
        return Vec::new();
    };
    let read = |name| {
        let (m, q) = read(&folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, m, q)
    };
    FILES.into_iter().map(read).collect()
}

#[test]
fn lemke_solves_them() {
    for (name, m, q) in problems() {
        for start in [LemkeStart::Cold, LemkeStart::WarmActiveSet] {
            let mut solver =
                Lemke::new(LemkeSettings { start, ..Default::default() }).expect("valid settings");
            let (mut z, mut w) = (vec![0.0; q.len()], vec![0.0; q.len()]);
            let problem = LcpProblem::new(&m, &q).expect("it is square");
            let info = solver.solve(&problem, &mut z, &mut w).expect("it is dense and finite");
            let point = Measures::of(m.view(), &q, &z);
            println!("{name}: {}, {} pivots, error {:e}", info.status, info.iterations, point.natural);
            assert!(info.status.is_success() || name == MAY_FAIL, "{name}: {info:?}");
            assert!(info.status != Status::Converged || point.natural <= 1e-10, "{name}: {point:?}");
        }
    }
}

#[test]
fn the_reading_is_right_where_an_oracle_can_tell() {
    // All are solvable when read column by column; two of them are not when read row by row.
    for (name, m, q) in problems().into_iter().filter(|(_, _, q)| q.len() <= LARGEST_ENUMERATED) {
        assert!(!enumerate_solutions(m.view(), &q).is_empty(), "{name} has no solution");
        if ["lcp_CPS_4.dat", "lcp_Pang_isolated_sol.dat"].contains(&name) {
            assert!(enumerate_solutions(m.t(), &q).is_empty(), "{name} is solvable either way");
        }
    }
}

#[test]
fn the_two_storages_of_one_problem_agree() {
    let problems = problems();
    let find = |wanted| problems.iter().find(|(name, ..)| *name == wanted).map(|(_, m, q)| (m, q));
    assert_eq!(find("lcp_deudeu.dat"), find("lcp_deudeu_block.dat"));
}
