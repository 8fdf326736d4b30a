//! Units: a matrix times 2^k (bodies with smaller masses) and q times 2^l (larger velocities) are the same
//! problem, with bounds of z in the unit of z. Every method takes the same steps and ends at the same point
//! in other units, bit for bit.

mod avi;
mod gmp;
mod lcp;
mod mlcp;
mod relay;

use ndarray::{Array2, s};
use siconos_linalg::{BlockCsr, Csc, Matrix};
use siconos_numerics::SolveInfo;

/// Exponents of the factors of M and of q = w - M z.
#[derive(Clone, Copy, Debug)]
struct Units {
    m: i32,
    w: i32,
}

impl Units {
    const GIVEN: Self = Self { m: 0, w: 0 };
    const ALL: [Self; 7] = [
        Self { m: -40, w: 0 },
        Self { m: -7, w: 0 },
        Self { m: 13, w: 0 },
        Self { m: 40, w: 0 },
        Self { m: 0, w: -40 },
        Self { m: 0, w: 31 },
        Self { m: -21, w: 17 },
    ];

    fn of_m(self) -> f64 {
        2.0_f64.powi(self.m)
    }

    fn of_w(self) -> f64 {
        2.0_f64.powi(self.w)
    }

    fn of_z(self) -> f64 {
        2.0_f64.powi(self.w - self.m)
    }
}

fn times(x: &[f64], factor: f64) -> Vec<f64> {
    x.iter().map(|x| x * factor).collect()
}

/// Storages of a matrix.
const STORAGES: [fn(&Array2<f64>) -> Matrix; 3] = [|m| Matrix::from(m.clone()), columns, blocks];

fn columns(m: &Array2<f64>) -> Matrix {
    Csc::from_matrix(m.into()).into()
}

/// Returns blocks of two rows and columns, with a smaller last block if the number is odd.
fn blocks(m: &Array2<f64>) -> Matrix {
    let n = m.nrows();
    let sizes: Vec<usize> = (0..n).step_by(2).map(|i| (n - i).min(2)).collect();
    let places = (0..sizes.len()).flat_map(|i| (0..sizes.len()).map(move |j| (i, j)));
    let block = |(i, j): (usize, usize)| {
        (i, j, m.slice(s![2 * i..2 * i + sizes[i], 2 * j..2 * j + sizes[j]]).to_owned())
    };
    BlockCsr::from_blocks(&sizes, &sizes, places.map(block).collect()).expect("a partition").into()
}

/// Result of a solve with the unknowns in the given units, or `None` if the method refuses the problem.
type Ended = Option<(SolveInfo, Vec<f64>)>;

/// Returns the difference between two results.
fn difference(expected: &Ended, found: &Ended) -> Option<String> {
    match (expected, found) {
        (None, None) => None,
        (Some((before, z)), Some((after, other))) => {
            let same = (before.status, before.iterations, before.error.to_bits())
                == (after.status, after.iterations, after.error.to_bits())
                || (before.error.is_nan() && after.error.is_nan());
            // Zeros may have different signs.
            let moved = z.iter().zip(other).any(|(a, b)| a != b && !(a.is_nan() && b.is_nan()));
            (!same || moved || z.len() != other.len()).then(|| format!("{before:?} {after:?}, moved {moved}"))
        }
        _ => Some("refused in one unit only".to_owned()),
    }
}

/// Returns a difference if only one of two results is a reported success.
fn difference_of_verdicts(expected: &Ended, found: &Ended) -> Option<String> {
    let claim = |ended: &Ended| ended.as_ref().map(|(info, _)| info.status.is_success());
    (claim(expected) != claim(found)).then(|| format!("{expected:?} {found:?}"))
}

/// Returns the first difference between units.
fn failure(solve: impl Fn(Units) -> Ended, has_solution: bool) -> Option<String> {
    let expected = solve(Units::GIVEN);
    Units::ALL.into_iter().find_map(|units| {
        let found = solve(units);
        // Without a solution, a method may run until numbers overflow, which depends on the unit.
        let what = if has_solution {
            difference(&expected, &found)
        } else {
            difference_of_verdicts(&expected, &found)
        };
        what.map(|what| format!("{units:?}: {what}"))
    })
}

/// Returns `true` if results for factors that are not powers of two agree: both are solved, at nearby points.
fn is_near(expected: &Ended, found: &Ended) -> bool {
    match (expected, found) {
        (None, None) => true,
        (Some((before, z)), Some((after, other))) => {
            let size = z.iter().fold(0.0_f64, |a, z| a.max(z.abs()));
            let off = z.iter().zip(other).fold(0.0_f64, |a, (x, y)| a.max((x - y).abs()));
            before.status.is_success() == after.status.is_success()
                && (!before.status.is_success() || off <= 1e-5 * size)
        }
        _ => false,
    }
}

fn check(failures: &[String]) {
    assert!(failures.is_empty(), "{} failures: {:#?}", failures.len(), &failures[..failures.len().min(40)]);
}
