//! Solution on the faces of the initial guess. A small problem of a time step usually needs one elimination,
//! which is performed on the stack.

use ndarray::ArrayView2;
use siconos_linalg::MatrixRef;

use super::RelayProblem;
use crate::box_constraints::{AcceptanceTest, write_image};
use crate::info::{SolveInfo, Status};

/// Maximum number of unknowns. Larger problems are left to methods that store their factors on the heap.
pub(super) const LARGEST: usize = 8;

/// Maximum number of linear systems to solve. The faces change as in Newton's method, which either finds the
/// correct faces in a few steps or cycles.
const ROUNDS: usize = 8;

/// Tolerance on a sign: number of units in the last place for each unknown.
const UNITS: f64 = 4.0;

/// Position of an unknown relative to its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Face {
    Lower,
    Between,
    Upper,
}

/// Solver on the faces of the initial guess, which changes incorrect faces.
///
/// Each unknown is at its lower bound, at its upper bound, or between them, as in the initial guess. The
/// unknowns between their bounds solve $M_{FF} z_F = -q_F - M_{FB} z_B$. An unknown that leaves its interval
/// is set to the bound that it has crossed. An unknown at a bound is released if its w has the wrong sign.
/// These are exactly the steps of the semismooth Newton method with the minimum function (Hintermueller, Ito
/// and Kunisch 2003). A sign that is wrong by no more than rounding error counts as correct.
#[derive(Clone, Debug, Default)]
pub(super) struct GuessedFaces {
    test: AcceptanceTest,
}

impl GuessedFaces {
    /// Solves from the initial guess `z`, which is overwritten only if the status is a success. `w` is always
    /// overwritten. One iteration is one linear system.
    pub(super) fn solve(
        &mut self,
        problem: &RelayProblem<'_>,
        tolerance: f64,
        z: &mut [f64],
        w: &mut [f64],
    ) -> SolveInfo {
        let nothing = SolveInfo { status: Status::Breakdown, iterations: 0, error: f64::NAN };
        let MatrixRef::Dense(m) = problem.m() else { return nothing };
        // Each size has its own code, in which the compiler knows the length of a row.
        match problem.size() {
            0 | 1 => self.solve_in::<1>(m, problem, tolerance, z, w),
            2 => self.solve_in::<2>(m, problem, tolerance, z, w),
            3 | 4 => self.solve_in::<4>(m, problem, tolerance, z, w),
            5..=LARGEST => self.solve_in::<LARGEST>(m, problem, tolerance, z, w),
            _ => nothing,
        }
    }

    fn solve_in<const N: usize>(
        &mut self,
        m: ArrayView2<'_, f64>,
        problem: &RelayProblem<'_>,
        tolerance: f64,
        z: &mut [f64],
        w: &mut [f64],
    ) -> SolveInfo {
        let n = z.len();
        let (q, lower, upper) = (problem.q(), problem.lower(), problem.upper());
        let mut faces = [Face::Between; N];
        let mut point = [0.0; N];
        for i in 0..n {
            (faces[i], point[i]) = match z[i] {
                z if z <= lower[i] => (Face::Lower, lower[i]),
                z if z >= upper[i] => (Face::Upper, upper[i]),
                z => (Face::Between, z),
            };
        }
        let point = &mut point[..n];
        let ended = |status, iterations, error| SolveInfo { status, iterations, error };
        for round in 1..=ROUNDS {
            if !solve_between::<N>(m, q, &faces, point) {
                return ended(Status::Breakdown, round, f64::NAN);
            }
            write_image(problem, point, w);
            let mut changed = false;
            let mut cut = false;
            for i in 0..n {
                let face = match faces[i] {
                    Face::Between if point[i] < lower[i] => Face::Lower,
                    Face::Between if point[i] > upper[i] => Face::Upper,
                    Face::Lower if w[i] < 0.0 && lower[i] < upper[i] => Face::Between,
                    Face::Upper if w[i] > 0.0 && lower[i] < upper[i] => Face::Between,
                    _ => continue,
                };
                let outside = (lower[i] - point[i]).max(point[i] - upper[i]);
                // Multiplied by |M_ii|, the violation of a bound has the unit of q, like the rounding errors
                // of w.
                let wrong = if faces[i] == Face::Between { m[[i, i]].abs() * outside } else { w[i].abs() };
                let terms = (0..n).fold(q[i].abs(), |sum, j| sum + (m[[i, j]] * point[j]).abs());
                let is_rounding = wrong <= UNITS * n as f64 * f64::EPSILON * terms
                    && (faces[i] != Face::Between || m[[i, i]] != 0.0);
                if is_rounding {
                    cut |= faces[i] == Face::Between;
                } else {
                    faces[i] = face;
                    changed = true;
                }
            }
            if !changed {
                if cut {
                    project(point, lower, upper);
                    write_image(problem, point, w);
                }
                let tested = self.test.of(problem, point, w);
                let status = tested.status(tolerance);
                if status.is_success() {
                    z.copy_from_slice(point);
                }
                return ended(status, round, tested.error);
            }
            for i in 0..n {
                match faces[i] {
                    Face::Lower => point[i] = lower[i],
                    Face::Upper => point[i] = upper[i],
                    Face::Between => {}
                }
            }
        }
        ended(Status::MaxIterations, ROUNDS, f64::NAN)
    }
}

fn project(point: &mut [f64], lower: &[f64], upper: &[f64]) {
    for ((x, l), u) in point.iter_mut().zip(lower).zip(upper) {
        *x = x.max(*l).min(*u);
    }
}

/// Solves for the unknowns between their bounds, with all other unknowns fixed. Returns `false` if their
/// block is singular.
fn solve_between<const N: usize>(
    m: ArrayView2<'_, f64>,
    q: &[f64],
    faces: &[Face; N],
    point: &mut [f64],
) -> bool {
    let n = point.len();
    let mut free = [0; N];
    let mut k = 0;
    for (i, face) in faces[..n].iter().enumerate() {
        if *face == Face::Between {
            free[k] = i;
            k += 1;
        }
    }
    let free = &free[..k];
    let (mut block, mut right) = ([[0.0; N]; N], [0.0; N]);
    for (a, &i) in free.iter().enumerate() {
        let mut sum = 0.0;
        let mut column = 0;
        for j in 0..n {
            if faces[j] == Face::Between {
                block[a][column] = m[[i, j]];
                column += 1;
            } else {
                sum += m[[i, j]] * point[j];
            }
        }
        right[a] = -(q[i] + sum);
    }
    if !eliminate(&mut block, &mut right, k) {
        return false;
    }
    free.iter().zip(&right).for_each(|(&i, x)| point[i] = *x);
    true
}

/// Overwrites the first `k` entries of `b` with the solution of the first `k` rows and columns of `a`, by
/// Gaussian elimination with partial pivoting (Golub and Van Loan 2013, section 3.4). Returns `false` if a
/// pivot is NaN or small compared with its row and its column, by the criterion of
/// [`DenseLu`](siconos_linalg::DenseLu).
fn eliminate<const N: usize>(a: &mut [[f64; N]; N], b: &mut [f64; N], k: usize) -> bool {
    let (mut row_sizes, mut column_sizes) = ([0.0_f64; N], [0.0_f64; N]);
    for i in 0..k {
        for j in 0..k {
            let size = a[i][j].abs();
            row_sizes[i] = row_sizes[i].max(size);
            column_sizes[j] = column_sizes[j].max(size);
        }
    }
    let rounding = f64::EPSILON * k as f64;
    for c in 0..k {
        let mut pivot_row = c;
        for i in c + 1..k {
            if a[i][c].abs() > a[pivot_row][c].abs() {
                pivot_row = i;
            }
        }
        let pivot = a[pivot_row][c];
        if pivot.abs() <= rounding * row_sizes[pivot_row].min(column_sizes[c]) || !pivot.is_finite() {
            return false;
        }
        a.swap(c, pivot_row);
        b.swap(c, pivot_row);
        row_sizes.swap(c, pivot_row);
        let row = a[c];
        for i in c + 1..k {
            let factor = a[i][c] / pivot;
            for j in c + 1..k {
                a[i][j] -= factor * row[j];
            }
            b[i] -= factor * b[c];
        }
    }
    for c in (0..k).rev() {
        let known: f64 = (c + 1..k).map(|j| a[c][j] * b[j]).sum();
        b[c] = (b[c] - known) / a[c][c];
    }
    true
}
