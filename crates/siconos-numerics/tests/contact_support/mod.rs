//! What the tests of contact solvers share: files, random problems, and a measure of its own.
//!
//! The reference files are no part of this repository. The folder is `$SICONOS_REFERENCE`, or else `shared/reference`
//! beside the workspace.
//!
//! A file is whitespace-separated tokens: the size of a contact, the number of contacts, a matrix, q, coefficients, and then
//! remarks to be ignored. A matrix is its type and its size, then for type 0 the size again and the entries, for type 1 its
//! blocks; both column by column.
#![allow(dead_code, reason = "each test file uses a part")]

use std::io::Read;
use std::path::{Path, PathBuf};

use ndarray::{Array2, ShapeBuilder};
use proptest::prelude::*;
use siconos_numerics::contact::{ContactLaw, ContactProblem, ContactSolver};
use siconos_numerics::linalg::{BlockCsr, Matrix};
use siconos_numerics::{SolveInfo, SolverError};

/// The coefficients of a law, owned.
#[derive(Clone, Debug)]
pub(crate) enum Law {
    Coulomb(usize, Vec<f64>),
    Rolling(usize, Vec<f64>, Vec<f64>),
    SecondOrder(Vec<usize>, Vec<f64>),
}

/// A problem with all its data.
#[derive(Clone, Debug)]
pub(crate) struct Owned {
    pub(crate) w: Matrix,
    pub(crate) q: Vec<f64>,
    pub(crate) law: Law,
}

impl Owned {
    pub(crate) fn law(&self) -> ContactLaw<'_> {
        match &self.law {
            Law::Coulomb(dimension, mu) => ContactLaw::Coulomb { dimension: *dimension, mu },
            Law::Rolling(dimension, mu, mu_rolling) => {
                ContactLaw::Rolling { dimension: *dimension, mu, mu_rolling }
            }
            Law::SecondOrder(starts, tau) => ContactLaw::SecondOrder { starts, tau },
        }
    }

    pub(crate) fn view(&self) -> ContactProblem<'_> {
        ContactProblem::new(&self.w, &self.q, self.law()).expect("the data fit")
    }

    /// Solves from r = 0.
    pub(crate) fn solve(&self, solver: &mut dyn ContactSolver) -> Result<(SolveInfo, Vec<f64>), SolverError> {
        let (mut r, mut u) = (vec![0.0; self.q.len()], vec![0.0; self.q.len()]);
        let info = solver.solve(&self.view(), &mut r, &mut u)?;
        Ok((info, r))
    }

    /// The norm of the natural map over the largest of the norms of q, r and u, written out here once more.
    pub(crate) fn measure(&self, r: &[f64]) -> f64 {
        let mut u = self.q.clone();
        self.w.view().add_product(1.0, r, &mut u);
        let law = self.law();
        let sum: f64 = (0..law.blocks())
            .map(|i| {
                let range = law.range(i);
                let (r, u) = (&r[range.clone()], &u[range]);
                let parts = self.parts(i, r.len());
                let mut x: Vec<f64> = r.iter().zip(u).map(|(r, u)| r - u).collect();
                if law.has_shift() {
                    x[0] -= parts.iter().map(|(mu, part)| mu * length(&u[part.clone()])).sum::<f64>();
                }
                let foot = nearest(&parts, &x);
                r.iter().zip(foot).map(|(r, x)| (r - x).powi(2)).sum::<f64>()
            })
            .sum();
        sum.sqrt() / length(&self.q).max(length(r)).max(length(&u)).max(f64::MIN_POSITIVE)
    }

    fn parts(&self, i: usize, d: usize) -> Vec<(f64, std::ops::Range<usize>)> {
        match &self.law {
            Law::Coulomb(_, mu) => vec![(mu[i], 1..d)],
            Law::SecondOrder(_, tau) => vec![(tau[i], 1..d)],
            Law::Rolling(_, mu, mu_rolling) => {
                let middle = 1 + (d - 1) / 2;
                vec![(mu[i], 1..middle), (mu_rolling[i], middle..d)]
            }
        }
    }
}

pub(crate) fn length(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The nearest point of a cone by bisection for its normal number N, where the slope of the squared distance,
/// N - n - sum mu_k (|x_k| - mu_k N)_+, changes sign.
fn nearest(parts: &[(f64, std::ops::Range<usize>)], x: &[f64]) -> Vec<f64> {
    let slope = |n: f64| {
        n - x[0] - parts.iter().map(|(mu, p)| mu * (length(&x[p.clone()]) - mu * n).max(0.0)).sum::<f64>()
    };
    let (mut low, mut high) =
        (0.0, parts.iter().fold(x[0].abs(), |s, (mu, p)| s + mu * length(&x[p.clone()])));
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        *(if slope(middle) < 0.0 { &mut low } else { &mut high }) = middle;
    }
    let normal = if slope(0.0) >= 0.0 { 0.0 } else { 0.5 * (low + high) };
    let mut foot = x.to_vec();
    foot[0] = normal;
    for (mu, part) in parts {
        let size = length(&x[part.clone()]);
        if size > mu * normal {
            foot[part.clone()].iter_mut().for_each(|x| *x *= mu * normal / size);
        }
    }
    foot
}

/// Bodies in a row, each touching the next `reach` ones: W = H^T M^-1 H with random directions, which is symmetric positive
/// semidefinite as a Delassus matrix is. `d` components per contact. In block rows.
pub(crate) fn pile(contacts: usize, reach: usize, d: usize, seed: u64) -> (Matrix, Vec<f64>) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    };
    const FREEDOMS: usize = 6;
    // Contact k is between body k / reach and the one k % reach + 1 further on.
    let bodies = |k: usize| [k / reach, k / reach + k % reach + 1];
    let jacobians: Vec<[Array2<f64>; 2]> = (0..contacts)
        .map(|_| {
            [0, 1].map(|_| {
                Array2::from_shape_fn((FREEDOMS, d), |(i, j)| random() + 2.0 * f64::from(u8::from(i == j)))
            })
        })
        .collect();
    let mut blocks = Vec::new();
    for i in 0..contacts {
        for j in 0..contacts {
            let mut block = Array2::zeros((d, d));
            let mut coupled = false;
            for (a, body) in bodies(i).into_iter().enumerate() {
                for (b, other) in bodies(j).into_iter().enumerate() {
                    if body == other {
                        coupled = true;
                        block += &jacobians[i][a].t().dot(&jacobians[j][b]);
                    }
                }
            }
            if coupled {
                blocks.push((i, j, block));
            }
        }
    }
    let sizes = vec![d; contacts];
    let w = BlockCsr::from_blocks(&sizes, &sizes, blocks).expect("the blocks fit");
    let q = (0..contacts * d).map(|k| random() - if k % d == 0 { 0.7 } else { 0.0 }).collect();
    (w.into(), q)
}

/// Random Coulomb problems with a positive definite matrix.
pub(crate) fn random_coulomb(
    dimension: usize,
    contacts: std::ops::Range<usize>,
) -> impl Strategy<Value = Owned> {
    (contacts, 1_usize..4, any::<u64>(), 0.0..1.2_f64).prop_map(move |(contacts, reach, seed, mu)| {
        let (w, q) = pile(contacts, reach, dimension, seed);
        let mu = (0..contacts).map(|i| mu * (1.0 + (i % 3) as f64) / 3.0).collect();
        Owned { w, q, law: Law::Coulomb(dimension, mu) }
    })
}

pub(crate) fn reference_folder(class: &str) -> Option<PathBuf> {
    let folder = match std::env::var_os("SICONOS_REFERENCE") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference"),
    };
    let class = folder.join(class);
    class.is_dir().then_some(class)
}

/// Reads a problem with friction, rolling where `rolling`.
pub(crate) fn read(path: &Path, rolling: bool) -> Result<Owned, String> {
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    if path.extension().is_some_and(|extension| extension == "gz") {
        flate2::read::GzDecoder::new(file).read_to_string(&mut text)
    } else {
        std::io::BufReader::new(file).read_to_string(&mut text)
    }
    .map_err(|error| error.to_string())?;
    let mut tokens = Tokens(text.split_whitespace());
    let (d, contacts): (usize, usize) = (tokens.next()?, tokens.next()?);
    let w = tokens.matrix()?;
    let (q, mu) = (tokens.list(d * contacts)?, tokens.list(contacts)?);
    let law = if rolling { Law::Rolling(d, mu, tokens.list(contacts)?) } else { Law::Coulomb(d, mu) };
    Ok(Owned { w, q, law })
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

    fn columns(&mut self, rows: usize, columns: usize) -> Result<Array2<f64>, String> {
        let entries = self.list(rows * columns)?;
        Array2::from_shape_vec((rows, columns).f(), entries).map_err(|error| error.to_string())
    }

    fn matrix(&mut self) -> Result<Matrix, String> {
        let (kind, rows, columns): (u8, usize, usize) = (self.next()?, self.next()?, self.next()?);
        match kind {
            0 => {
                let _again: Vec<usize> = self.list(2)?;
                Ok(self.columns(rows, columns)?.as_standard_layout().into_owned().into())
            }
            1 => self.blocks(),
            other => Err(format!("matrices of type {other} are not read here")),
        }
    }

    fn blocks(&mut self) -> Result<Matrix, String> {
        let (_, block_rows, block_columns): (usize, usize, usize) =
            (self.next()?, self.next()?, self.next()?);
        let sizes = |ends: Vec<usize>| -> Vec<usize> {
            let mut last = 0;
            ends.into_iter().map(|end| end - std::mem::replace(&mut last, end)).collect()
        };
        let (rows, columns) = (sizes(self.list(block_rows)?), sizes(self.list(block_columns)?));
        let (filled1, filled2): (usize, usize) = (self.next()?, self.next()?);
        let (starts, places): (Vec<usize>, Vec<usize>) = (self.list(filled1)?, self.list(filled2)?);
        let mut blocks = Vec::new();
        for (i, range) in starts.windows(2).enumerate() {
            for &j in &places[range[0]..range[1]] {
                let _number: usize = self.next()?;
                blocks.push((i, j, self.columns(rows[i], columns[j])?));
            }
        }
        BlockCsr::from_blocks(&rows, &columns, blocks).map(Matrix::from).map_err(|error| error.to_string())
    }
}
