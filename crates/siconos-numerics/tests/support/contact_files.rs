//! Reads the contact problems that Siconos keeps as test data, when they are at hand.
//!
//! They are no part of this repository. The folder is `$SICONOS_REFERENCE`, or else `shared/reference` beside the
//! workspace. The files are whitespace-separated tokens; see [`read`] for their order.

use std::io::Read;
use std::path::{Path, PathBuf};

use ndarray::{Array1, Array2, ShapeBuilder};
use siconos_numerics::contact::{
    ContactLaw, ContactProblem, FrictionContactProblem, RollingFrictionProblem, SecondOrderConeProblem,
};
use siconos_numerics::linalg::{BlockCsr, Csc, Matrix};

/// A problem of any of the classes.
#[derive(Debug)]
pub(crate) enum Problem {
    Plane(FrictionContactProblem<2>),
    Space(FrictionContactProblem<3>),
    Rolling(RollingFrictionProblem<5>),
    Cones(SecondOrderConeProblem),
}

impl Problem {
    pub(crate) fn view(&self) -> ContactProblem<'_> {
        match self {
            Self::Plane(problem) => problem.view(),
            Self::Space(problem) => problem.view(),
            Self::Rolling(problem) => problem.view(),
            Self::Cones(problem) => problem.view(),
        }
    }
}

/// The folder with the reference data, if there is one.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = match std::env::var_os("SICONOS_REFERENCE") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference"),
    };
    folder.join("fc3d").is_dir().then_some(folder)
}

/// The files that hold text, of all classes, as class/name; without those in HDF5.
pub(crate) const FILES: [&str; 23] = [
    "fc2d/FC2D_SliderCrankLagrangian00000.dat",
    "fc2d/FrictionContactProblem00031.dat",
    "fc2d/FrictionContactProblem00237.dat",
    "fc2d/fc2d_granularflowonwall_00667_00000.dat",
    "fc2d/fc2d_granularflowonwall_02020_00213.dat",
    "fc3d/BoxesStack1-i100000-32.hdf5.dat",
    "fc3d/Capsules-i100-889.dat",
    "fc3d/Capsules-i122-1617.dat",
    "fc3d/Confeti-ex03-Fc3D-SBM.dat",
    "fc3d/Confeti-ex13-4contact-Fc3D-SBM.dat",
    "fc3d/FC3D_Example1.dat",
    "fc3d/FC3D_Example1_SBM.dat",
    "fc3d/FrictionContact3D_1c.dat",
    "fc3d/FrictionContact3D_RR_1c.dat",
    "fc3d/NESpheres_10_1.dat",
    "fc3d/OneObject-i1028-138.hdf5.dat",
    "fc3d/RockPile_tob1.dat.gz",
    "fc3d/Rover1039.dat",
    "fc3d/Rover11035.dat",
    "fc3d/Rover3865.dat",
    "fc3d/Rover4396.dat",
    "rolling/RFC3D_cube_1.dat",
    "rolling/rockfall_14_25792.dat",
];

/// The file of second-order cones.
pub(crate) const CONES: &str = "soclcp/Example1_SOCLCP_SBM.dat";

/// The tokens of a file, taken one by one.
struct Tokens<'a>(std::iter::Peekable<std::str::SplitWhitespace<'a>>);

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

    fn matrix(&mut self) -> Result<Matrix, String> {
        let (kind, rows, columns): (u8, usize, usize) = (self.next()?, self.next()?, self.next()?);
        match kind {
            0 => {
                let _again: Vec<usize> = self.list(2)?;
                self.columns(rows, columns).map(Matrix::from)
            }
            1 => self.blocks(),
            _ => self.sparse(rows, columns),
        }
    }

    fn blocks(&mut self) -> Result<Matrix, String> {
        let (count, block_rows, block_columns): (usize, usize, usize) =
            (self.next()?, self.next()?, self.next()?);
        let sizes = |ends: Vec<usize>| -> Vec<usize> {
            ends.iter().enumerate().map(|(i, end)| end - if i == 0 { 0 } else { ends[i - 1] }).collect()
        };
        let (row_sizes, column_sizes) = (sizes(self.list(block_rows)?), sizes(self.list(block_columns)?));
        let (filled, _) = (self.next::<usize>()?, self.next::<usize>()?);
        let (pointers, places) = (self.list::<usize>(filled)?, self.list::<usize>(count)?);
        let mut blocks = Vec::new();
        for i in 0..block_rows {
            for &j in &places[pointers[i]..pointers[i + 1]] {
                let _number: usize = self.next()?;
                blocks.push((i, j, self.columns(row_sizes[i], column_sizes[j])?));
            }
        }
        let matrix = BlockCsr::from_blocks(&row_sizes, &column_sizes, blocks);
        matrix.map(Matrix::from).map_err(|error| error.to_string())
    }

    /// Compressed columns as text: a header, and for each column its number, its range, and `row : value`.
    fn sparse(&mut self, rows: usize, columns: usize) -> Result<Matrix, String> {
        while !self.0.next().ok_or("no header")?.contains("-by-") {}
        let word = |tokens: &mut Self| -> Result<String, String> { tokens.next() };
        let mut entries = Vec::new();
        // The header goes on until the first column.
        while self.0.next_if(|token| *token != "col").is_some() {}
        for _ in 0..columns {
            // col j : locations p0 to p1
            let _col = word(self)?;
            let column: usize = self.next()?;
            let _words = [word(self)?, word(self)?];
            let first: usize = self.next()?;
            let _to = word(self)?;
            // The last entry of a column that has any, and one less than the first of one that has none.
            let last: i64 = self.next()?;
            for _ in first as i64..=last {
                let row: usize = self.next()?;
                let _colon = word(self)?;
                entries.push((row, column, self.next()?));
            }
        }
        Csc::from_triplets(rows, columns, entries).map(Matrix::from).map_err(|error| error.to_string())
    }

    fn vector(&mut self, n: usize) -> Result<Array1<f64>, String> {
        self.list(n).map(Array1::from)
    }
}

/// Reads a file of which the class is the folder: `dim nc M q mu [mu_r]`, or `n nc M q starts tau` for cones.
pub(crate) fn read(folder: &Path, name: &str) -> Result<Problem, String> {
    let bytes = std::fs::read(folder.join(name)).map_err(|error| error.to_string())?;
    let text = if name.ends_with(".gz") {
        let mut text = String::new();
        flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).map_err(|e| e.to_string())?;
        text
    } else {
        String::from_utf8(bytes).map_err(|error| error.to_string())?
    };
    let mut tokens = Tokens(text.split_whitespace().peekable());
    let (first, contacts): (usize, usize) = (tokens.next()?, tokens.next()?);
    let w = tokens.matrix()?;
    let q = tokens.vector(w.rows())?;
    let problem = if name.starts_with("soclcp") {
        let starts = tokens.list(contacts + 1)?;
        SecondOrderConeProblem::new(w, q, starts, tokens.vector(contacts)?).map(Problem::Cones)
    } else {
        let mu = tokens.vector(contacts)?;
        match first {
            2 => FrictionContactProblem::new(w, q, mu).map(Problem::Plane),
            3 => FrictionContactProblem::new(w, q, mu).map(Problem::Space),
            5 => RollingFrictionProblem::new(w, q, mu, tokens.vector(contacts)?).map(Problem::Rolling),
            other => return Err(format!("blocks of {other} components")),
        }
    };
    problem.map_err(|error| error.to_string())
}

/// The error of a point, from the data and the formulas alone; the law is the only thing taken from the crate.
pub(crate) fn measured_error(problem: &ContactProblem<'_>, r: &[f64]) -> f64 {
    let mut u = problem.q().to_vec();
    problem.w().add_product(1.0, r, &mut u);
    let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut sum = 0.0;
    let law = problem.law();
    for block in 0..law.blocks() {
        let range = law.range(block);
        let (r, u) = (&r[range.clone()], &u[range]);
        let bounds = match law {
            ContactLaw::Coulomb { mu, .. } => vec![(mu[block], 1..r.len())],
            ContactLaw::Rolling { mu, mu_rolling, .. } => {
                vec![(mu[block], 1..3), (mu_rolling[block], 3..5)]
            }
            ContactLaw::SecondOrder { tau, .. } => vec![(tau[block], 1..r.len())],
            _ => panic!("another law"),
        };
        let mut x: Vec<f64> = r.iter().zip(u).map(|(r, u)| r - u).collect();
        if !matches!(law, ContactLaw::SecondOrder { .. }) {
            x[0] -= bounds.iter().map(|(mu, part)| mu * norm(&u[part.clone()])).sum::<f64>();
        }
        // The nearest n minimises (n - x_0)^2 + sum over the parts of max(0, |x_k| - mu_k n)^2: by bisection of its slope.
        let slope = |n: f64| {
            let part =
                |(mu, part): &(f64, std::ops::Range<usize>)| mu * (norm(&x[part.clone()]) - mu * n).max(0.0);
            n - x[0] - bounds.iter().map(part).sum::<f64>()
        };
        let (mut low, mut high) = (0.0, x.iter().map(|x| x.abs()).sum::<f64>() * 2.0 + f64::MIN_POSITIVE);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if slope(middle) < 0.0 { low = middle } else { high = middle }
        }
        let n = if slope(0.0) >= 0.0 { 0.0 } else { 0.5 * (low + high) };
        let mut foot = x.clone();
        foot[0] = n;
        for (mu, part) in &bounds {
            let length = norm(&x[part.clone()]);
            if length > mu * n {
                foot[part.clone()].iter_mut().for_each(|x| *x *= mu * n / length);
            }
        }
        sum += r.iter().zip(&foot).map(|(r, x)| (r - x).powi(2)).sum::<f64>();
    }
    let scale = match law {
        ContactLaw::SecondOrder { .. } => norm(problem.q()) + 1.0,
        _ => norm(problem.q()).max(norm(r)).max(norm(&u)),
    };
    sum.sqrt() / if scale > f64::EPSILON { scale } else { 1.0 }
}
