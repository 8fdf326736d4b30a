//! Reads the text files that Siconos keeps as test data, when they are at hand.
//!
//! They are no part of this repository. The folder is `$SICONOS_REFERENCE`, or else `shared/reference` beside the
//! workspace. The files are whitespace-separated tokens; what follows the last expected one is a remark. A matrix is its type and
//! its size, then for type 0 the size again and the entries, for type 1 its blocks; both column by column.

use std::path::{Path, PathBuf};

use ndarray::{Array1, Array2, ShapeBuilder};
use siconos_numerics::linalg::{BlockCsr, Matrix};

/// A folder of the reference data, if it is there.
pub(crate) fn folder(name: &str) -> Option<PathBuf> {
    let folder = match std::env::var_os("SICONOS_REFERENCE") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference"),
    };
    let folder = folder.join(name);
    if !folder.is_dir() {
        println!(
            "skipped: neither $SICONOS_REFERENCE nor ../shared/reference is a folder with {name}/ in it"
        );
        return None;
    }
    Some(folder)
}

/// The tokens of a file, taken one by one.
pub(crate) struct Tokens {
    tokens: std::vec::IntoIter<String>,
    name: String,
}

impl Tokens {
    pub(crate) fn of_file(path: &Path) -> Self {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let tokens: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
        Self { tokens: tokens.into_iter(), name }
    }

    pub(crate) fn next<T: std::str::FromStr>(&mut self) -> T {
        let token = self.tokens.next().unwrap_or_else(|| panic!("{}: the file ends too soon", self.name));
        token.parse().unwrap_or_else(|_| panic!("{}: unexpected {token:?}", self.name))
    }

    pub(crate) fn list<T: std::str::FromStr>(&mut self, n: usize) -> Vec<T> {
        (0..n).map(|_| self.next()).collect()
    }

    pub(crate) fn vector(&mut self, n: usize) -> Array1<f64> {
        Array1::from(self.list(n))
    }

    fn columns(&mut self, rows: usize, columns: usize) -> Array2<f64> {
        let entries = self.list(rows * columns);
        Array2::from_shape_vec((rows, columns).f(), entries).expect("as many entries as were read")
    }

    /// The matrix, and the sizes of its block rows if it has any.
    pub(crate) fn matrix(&mut self) -> (Matrix, Vec<usize>) {
        let kind: u8 = self.next();
        let (rows, columns) = (self.next::<usize>(), self.next::<usize>());
        if kind == 0 {
            self.list::<usize>(2);
            return (self.columns(rows, columns).into(), Vec::new());
        }
        assert_eq!(kind, 1, "{}: matrices of other types do not occur here", self.name);
        let (count, block_rows, block_columns): (usize, usize, usize) =
            (self.next(), self.next(), self.next());
        let sizes = |ends: Vec<usize>| -> Vec<usize> {
            ends.iter().scan(0, |before, &end| Some(end - std::mem::replace(before, end))).collect()
        };
        let row_sizes = sizes(self.list(block_rows));
        let column_sizes = sizes(self.list(block_columns));
        let (filled, _) = (self.next::<usize>(), self.next::<usize>());
        let (firsts, places) = (self.list::<usize>(filled), self.list::<usize>(count));
        let mut blocks = Vec::new();
        for i in 0..block_rows {
            for &j in &places[firsts[i]..firsts[i + 1]] {
                let _number: usize = self.next();
                blocks.push((i, j, self.columns(row_sizes[i], column_sizes[j])));
            }
        }
        let matrix = BlockCsr::from_blocks(&row_sizes, &column_sizes, blocks).expect("the blocks fit");
        (matrix.into(), row_sizes)
    }
}
