//! GMRES for linear systems whose matrix is close to a matrix that is already factorised.

use super::{add_scaled, dot, norm};

/// Generalised minimal residual method, preconditioned from the right, without restarts (Saad and Schultz
/// 1986; Saad 2003, "Iterative methods for sparse linear systems", section 9.3.2).
///
/// If the preconditioner is the inverse of a matrix that differs from A in k rows, the method converges in at
/// most `k + 1` iterations. Its workspace grows by two vectors per iteration and is reused by the next solve.
#[derive(Clone, Debug, Default)]
pub struct Gmres {
    /// Orthonormal basis of the Krylov space. `preconditioned` holds the preconditioned basis vectors.
    basis: Vec<Vec<f64>>,
    preconditioned: Vec<Vec<f64>>,
    /// Columns of the Hessenberg matrix, which the rotations have made upper triangular.
    triangle: Vec<Vec<f64>>,
    rotations: Vec<(f64, f64)>,
    /// Rotated right-hand side. The magnitude of its last entry is the residual.
    rest: Vec<f64>,
    solution: Vec<f64>,
}

/// Stopping criteria of [`Gmres`].
#[derive(Clone, Copy, Debug)]
pub struct GmresLimits {
    /// Tolerance on the residual, as a fraction of the norm of the right-hand side.
    pub part: f64,
    /// Maximum number of iterations. Each iteration takes one product and one application of the
    /// preconditioner.
    pub iterations: usize,
}

/// Number of iterations after which the decay of the residual is extrapolated. A solve is abandoned if it is
/// predicted to exceed its iteration limit.
const JUDGED_AFTER: usize = 4;

/// Maximum accepted ratio of the predicted number of iterations to the iteration limit. It exceeds 1, because
/// the residual decays faster and faster during a solve.
const OPTIMISM: f64 = 2.0;

/// Maximum accepted ratio of the explicitly computed residual to the tolerance. Rounding makes this residual
/// larger than the residual of the recurrence, because the basis vectors lose their orthogonality if the
/// matrix is nearly singular.
const ROUNDED: f64 = 10.0;

impl Gmres {
    /// Solves $A x = b$. On entry `x` holds the right-hand side. If a solution is found, it is written to
    /// `x`; otherwise `x` is unchanged.
    ///
    /// `product` writes A times its first argument to its second. `precondition` overwrites a vector v with
    /// an approximation of $A^{-1} v$. Returns `true` if a solution was found, and the number of iterations.
    /// A solution is accepted only after its residual has been computed explicitly.
    pub fn solve(
        &mut self,
        x: &mut [f64],
        limits: GmresLimits,
        mut product: impl FnMut(&[f64], &mut [f64]),
        mut precondition: impl FnMut(&mut [f64]),
    ) -> (bool, usize) {
        let size = norm(x);
        if size == 0.0 {
            return (true, 0);
        }
        self.rotations.clear();
        self.rest.clear();
        self.rest.push(size);
        let first = room(&mut self.basis, 0, x.len());
        first.iter_mut().zip(&*x).for_each(|(v, x)| *v = x / size);
        for k in 0..limits.iterations {
            let preconditioned = room(&mut self.preconditioned, k, x.len());
            preconditioned.copy_from_slice(&self.basis[k]);
            precondition(preconditioned);
            product(preconditioned, room(&mut self.basis, k + 1, x.len()));
            let (before, new) = self.basis.split_at_mut(k + 1);
            let column = room(&mut self.triangle, k, k + 1);
            for (along, direction) in column.iter_mut().zip(&*before) {
                *along = dot(&new[0], direction);
                add_scaled(-*along, direction, &mut new[0]);
            }
            let length = norm(&new[0]);
            self.rotate(k, length);
            let left = self.rest[k + 1].abs() / size;
            if !left.is_finite() {
                return (false, k + 1);
            }
            if left <= limits.part {
                self.combine(x.len());
                let left = &mut self.basis[k + 1];
                product(&self.solution, left);
                left.iter_mut().zip(&*x).for_each(|(left, x)| *left = x - *left);
                let is_solved = norm(left) <= ROUNDED * limits.part * size;
                if is_solved {
                    x.copy_from_slice(&self.solution);
                }
                return (is_solved, k + 1);
            }
            let times = OPTIMISM * limits.iterations as f64 / (k + 1) as f64;
            if k + 1 >= JUDGED_AFTER && left.powf(times) > limits.part {
                return (false, k + 1);
            }
            self.basis[k + 1].iter_mut().for_each(|v| *v /= length);
        }
        (false, limits.iterations)
    }

    /// Applies the rotations to the new column `k` of the Hessenberg matrix, and adds the rotation that
    /// eliminates its subdiagonal entry `length`.
    fn rotate(&mut self, k: usize, length: f64) {
        let column = &mut self.triangle[k];
        for (i, (c, s)) in self.rotations.iter().enumerate() {
            let (above, below) = (column[i], column[i + 1]);
            (column[i], column[i + 1]) = (c * above + s * below, c * below - s * above);
        }
        let pivot = column[k].hypot(length);
        let (c, s) = (column[k] / pivot, length / pivot);
        column[k] = pivot;
        self.rotations.push((c, s));
        let last = self.rest[k];
        self.rest[k] = c * last;
        self.rest.push(-s * last);
    }

    /// Writes the combination of preconditioned basis vectors that minimises the residual to `solution`.
    fn combine(&mut self, n: usize) {
        self.solution.clear();
        self.solution.resize(n, 0.0);
        for i in (0..self.rotations.len()).rev() {
            let weight = self.rest[i] / self.triangle[i][i];
            for (rest, above) in self.rest[..i].iter_mut().zip(&self.triangle[i]) {
                *rest -= weight * above;
            }
            add_scaled(weight, &self.preconditioned[i], &mut self.solution);
        }
    }
}

/// Returns the vector at index `place`, resized to n entries. Appends a vector if the index equals the number
/// of vectors.
fn room(vectors: &mut Vec<Vec<f64>>, place: usize, n: usize) -> &mut [f64] {
    if place == vectors.len() {
        vectors.push(Vec::new());
    }
    vectors[place].resize(n, 0.0);
    &mut vectors[place]
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, Array2};

    use super::*;
    use crate::DenseLu;

    const N: usize = 40;

    fn matrix(changed: usize) -> Array2<f64> {
        Array2::from_shape_fn((N, N), |(i, j)| {
            let number = ((7 * i + 13 * j) as f64).sin();
            let diagonal = if i == j { 8.0 } else { 0.0 };
            diagonal + number + if i < changed { ((i * j + 5 * j) as f64).cos() } else { 0.0 }
        })
    }

    /// Solves with a matrix that differs in `changed` rows from the matrix of the preconditioner.
    fn solve(changed: usize, iterations: usize) -> (f64, (bool, usize)) {
        let a = matrix(changed);
        let mut factors = DenseLu::default();
        factors.factor_in_any_units(matrix(0).view()).expect("regular");
        let expected = Array1::from_shape_fn(N, |i| (i as f64).cos());
        let mut x = a.dot(&expected).to_vec();
        let product = |v: &[f64], av: &mut [f64]| {
            av.copy_from_slice(&a.dot(&ndarray::ArrayView1::from(v)).to_vec());
        };
        let mut gmres = Gmres::default();
        let limits = GmresLimits { part: 1e-12, iterations };
        let found = gmres.solve(&mut x, limits, product, |v| factors.solve(v));
        (x.iter().zip(&expected).fold(0.0, |error, (x, e)| (x - e).abs().max(error)), found)
    }

    #[test]
    fn rows_that_have_changed_take_an_iteration_each() {
        for changed in [0, 1, 3, 7] {
            let (error, found) = solve(changed, 20);
            assert!(error < 1e-9, "{error:e}");
            assert_eq!(found, (true, changed + 1));
        }
    }

    /// A solve that needs too many iterations is abandoned early, and leaves the right-hand side unchanged.
    #[test]
    fn what_does_not_end_in_time_is_given_up() {
        let right = matrix(30).dot(&Array1::from_shape_fn(N, |i| (i as f64).cos()));
        let (error, (is_found, iterations)) = solve(30, 6);
        let expected = right.iter().enumerate().map(|(i, b)| (b - (i as f64).cos()).abs());
        assert_eq!(error, expected.fold(0.0, f64::max));
        assert!(!is_found && iterations < 6, "{iterations}");
    }

    /// The matrix A is singular and the equations have no solution. No solution is found, regardless of
    /// rounding errors in the basis. One object solves systems of different sizes.
    #[test]
    fn a_singular_matrix_has_none() {
        let mut gmres = Gmres::default();
        for n in [3, 12, 7] {
            let right: Vec<f64> = (0..n).map(|i| 1.0 + (i as f64).sin().abs()).collect();
            let product = |x: &[f64], ax: &mut [f64]| {
                let mean = x.iter().sum::<f64>() / n as f64;
                ax.iter_mut().zip(x).enumerate().for_each(|(i, (ax, x))| *ax = (1.0 + i as f64) * (x - mean));
            };
            let mut x = right.clone();
            // The matrix A multiplies row i by 1 + i. The sum of its rows, each divided by this factor, is 0,
            // but the same sum of the right-hand side is not 0.
            let limits = GmresLimits { part: 1e-8, iterations: 25 };
            let (is_found, _) = gmres.solve(&mut x, limits, product, |_| ());
            assert!(!is_found && x == right, "{n}");
            let mut x = right.clone();
            let scaled = |x: &[f64], ax: &mut [f64]| ax.iter_mut().zip(x).for_each(|(ax, x)| *ax = 2.0 * x);
            assert_eq!(gmres.solve(&mut x, limits, scaled, |_| ()), (true, 1));
            assert!(x.iter().zip(&right).all(|(x, b)| (2.0 * x - b).abs() < 1e-15 * b));
        }
    }

    #[test]
    fn numbers_that_are_not_finite_are_no_solution() {
        let mut x = [1.0, 2.0];
        let limits = GmresLimits { part: 1e-4, iterations: 5 };
        let found = Gmres::default().solve(&mut x, limits, |_, av| av.fill(f64::NAN), |_| ());
        assert_eq!((found, x), ((false, 1), [1.0, 2.0]));
        let mut zero = [0.0; 2];
        assert_eq!(Gmres::default().solve(&mut zero, limits, |_, _| (), |_| ()), (true, 0));
    }
}
