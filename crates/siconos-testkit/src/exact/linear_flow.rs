//! Exact flow of an affine system with constant coefficients and two to five states.
//!
//! The implementation is independent of the matrix exponential of `siconos-numerics`, which is checked
//! against it. Systems of two states with a regular matrix are solved in closed form through their
//! eigenvalues. All others use the Taylor series of the exponential of the augmented matrix, which is first
//! balanced and scaled and afterwards squared (Higham, "Functions of Matrices", 2008, chapter 10).

use ndarray::{Array1, Array2, ArrayView1};

use super::small;
use crate::compare::worse;

/// Number of terms of the series. The matrix is scaled to a norm of at most 1, so the remainder is below
/// $1/22! \approx 10^{-21}$.
const TERMS: u32 = 21;

/// Flow of $x' = A x + b$ with constant $A$ (n by n) and $b$.
///
/// ```
/// use ndarray::array;
/// use siconos_testkit::exact::LinearFlow;
///
/// let flow = LinearFlow::new(array![[0.0, 1.0], [-1.0, 0.0]], array![0.0, 0.0]);
/// let x = flow.state(1.0, &array![1.0, 0.0]);
/// assert!((x[0] - 1.0_f64.cos()).abs() < 1e-15 && (x[1] + 1.0_f64.sin()).abs() < 1e-15);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LinearFlow {
    a: Array2<f64>,
    b: Array1<f64>,
    /// Rest point, at which the rate is 0. It is used only for two states with a regular matrix.
    rest: Option<Array1<f64>>,
    /// Augmented matrix $D^{-1} [A, b; 0, 0] D$ for the series.
    balanced: Array2<f64>,
    /// Diagonal of $D$, powers of 2.
    balance: Array1<f64>,
    fastest_rate: f64,
}

impl LinearFlow {
    /// Creates a flow from its coefficients.
    ///
    /// # Panics
    ///
    /// If `a` is not square, if the sizes of `a` and `b` differ, or if an entry is not finite.
    #[track_caller]
    #[must_use]
    pub fn new(a: Array2<f64>, b: Array1<f64>) -> Self {
        let n = b.len();
        assert_eq!(a.dim(), (n, n), "A must be {n} by {n}");
        assert!(a.iter().chain(&b).all(|x| x.is_finite()), "coefficients must be finite");
        let mut augmented = Array2::zeros((n + 1, n + 1));
        augmented.slice_mut(ndarray::s![..n, ..n]).assign(&a);
        augmented.slice_mut(ndarray::s![..n, n]).assign(&b);
        let balance = balance(&mut augmented, n);
        // A nearly singular matrix has a distant rest point, and the difference between state and rest point
        // would cancel.
        let regular = n == 2 && {
            let (det, size) = (a[[0, 0]] * a[[1, 1]] - a[[0, 1]] * a[[1, 0]], norm(&augmented).powi(2));
            det.abs() > 1e-6 * size
        };
        let rest = if regular { small::solve(a.clone(), -&b) } else { None };
        let fastest_rate = spectral_radius(&a);
        Self { a, b, rest, balanced: augmented, balance, fastest_rate }
    }

    /// Returns the number of states.
    #[must_use]
    pub fn size(&self) -> usize {
        self.b.len()
    }

    /// Returns the matrix $A$.
    #[must_use]
    pub fn matrix(&self) -> &Array2<f64> {
        &self.a
    }

    /// Returns the constant vector $b$.
    #[must_use]
    pub fn constant(&self) -> &Array1<f64> {
        &self.b
    }

    /// Returns the state at the time `s` after the state `x`. If `s` is negative, the result is an earlier
    /// state.
    #[must_use]
    pub fn state(&self, s: f64, x: &Array1<f64>) -> Array1<f64> {
        match &self.rest {
            Some(rest) => rest + &self.decay(s, &(x - rest)),
            None => self.by_series(s, x),
        }
    }

    /// Returns the rate $A x + b$ at the state `x`.
    #[must_use]
    pub fn rate(&self, x: &Array1<f64>) -> Array1<f64> {
        self.a.dot(x) + &self.b
    }

    /// Returns an upper estimate of the largest modulus of an eigenvalue; 0 if all are 0.
    #[must_use]
    pub fn fastest_rate(&self) -> f64 {
        self.fastest_rate
    }

    /// Returns $e^{A s} x$ for two states: $e^{m s} (c x + S (A - m) x)$ with $m$ half of the trace.
    fn decay(&self, s: f64, x: &Array1<f64>) -> Array1<f64> {
        let m = 0.5 * (self.a[[0, 0]] + self.a[[1, 1]]);
        let half = 0.5 * (self.a[[0, 0]] - self.a[[1, 1]]);
        let delta = half * half + self.a[[0, 1]] * self.a[[1, 0]];
        let z = delta * s * s;
        let (c, sine) = if z.abs() < 1e-2 {
            // The closed forms divide zero by zero if the eigenvalues are nearly equal.
            let c = 1.0 + z / 2.0 * (1.0 + z / 12.0 * (1.0 + z / 30.0 * (1.0 + z / 56.0 * (1.0 + z / 90.0))));
            let r =
                1.0 + z / 6.0 * (1.0 + z / 20.0 * (1.0 + z / 42.0 * (1.0 + z / 72.0 * (1.0 + z / 110.0))));
            let growth = (m * s).exp();
            (growth * c, growth * r * s)
        } else if delta < 0.0 {
            let frequency = (-delta).sqrt();
            let (sine, cosine) = (frequency * s).sin_cos();
            let growth = (m * s).exp();
            (growth * cosine, growth * sine / frequency)
        } else {
            let root = delta.sqrt();
            let (slow, fast) = (((m + root) * s).exp(), ((m - root) * s).exp());
            (0.5 * (slow + fast), 0.5 * (slow - fast) / root)
        };
        let shifted = self.a.dot(x) - &(x * m);
        x * c + shifted * sine
    }

    /// Computes the augmented state $(x, 1)$ by the series, also for a singular matrix.
    fn by_series(&self, s: f64, x: &Array1<f64>) -> Array1<f64> {
        let n = self.size();
        let mut z = Array1::ones(n + 1);
        z.slice_mut(ndarray::s![..n]).assign(x);
        z /= &self.balance;
        let mut end = exponential(&(&self.balanced * s)).dot(&z) * &self.balance;
        end = end.slice(ndarray::s![..n]).to_owned();
        end
    }
}

/// Returns the exponential of a small matrix: the series of the scaled matrix is squared repeatedly.
fn exponential(a: &Array2<f64>) -> Array2<f64> {
    let norm = norm(a);
    let halvings = if norm > 1.0 { norm.log2().ceil() as i32 } else { 0 };
    let scaled = a * 0.5_f64.powi(halvings);
    let one = Array2::<f64>::eye(a.nrows());
    // Horner: 1 + A/1 (1 + A/2 (1 + ...)).
    let mut sum = one.clone();
    for k in (1..=TERMS).rev() {
        sum = &one + &(scaled.dot(&sum) / f64::from(k));
    }
    for _ in 0..halvings {
        sum = sum.dot(&sum);
    }
    sum
}

/// Scales the matrix by powers of 2 so that the row and the column of each state have about the same norm
/// (Parlett and Reinsch 1969). The last index, which belongs to the constant vector, is scaled at the end so
/// that its column is not larger than the others. Returns the diagonal of the scaling.
fn balance(m: &mut Array2<f64>, n: usize) -> Array1<f64> {
    let mut d = Array1::ones(n + 1);
    for _ in 0..20 {
        let mut done = true;
        for i in 0..n {
            let others = |x: ArrayView1<f64>| -> f64 {
                x.iter().take(n).enumerate().filter(|(j, _)| *j != i).map(|(_, x)| x.abs()).sum()
            };
            let (column, row) = (others(m.column(i)), others(m.row(i)));
            if column == 0.0 || row == 0.0 {
                continue;
            }
            let f = (0.5 * (row / column).log2()).round().exp2();
            if f != 1.0 {
                done = false;
                scale(m, &mut d, i, f);
            }
        }
        if done {
            break;
        }
    }
    let inner = m.slice(ndarray::s![..n, ..n]).iter().fold(0.0_f64, |s, x| s.max(x.abs()));
    let last = m.column(n).iter().fold(0.0_f64, |s, x| s.max(x.abs()));
    if inner > 0.0 && last > inner {
        scale(m, &mut d, n, (inner / last).log2().floor().exp2());
    }
    d
}

/// Multiplies column `i` by `f` and divides row `i` by `f`.
fn scale(m: &mut Array2<f64>, d: &mut Array1<f64>, i: usize, f: f64) {
    m.column_mut(i).mapv_inplace(|x| x * f);
    m.row_mut(i).mapv_inplace(|x| x / f);
    d[i] *= f;
}

/// Returns the maximum row sum norm.
fn norm(a: &Array2<f64>) -> f64 {
    a.rows().into_iter().map(|row| row.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, worse)
}

/// Returns $\lVert A^{16} \rVert^{1/16}$, by repeated squaring with normalisation.
fn spectral_radius(a: &Array2<f64>) -> f64 {
    let (mut power, mut log_size, mut exponent) = (a.clone(), 0.0, 1.0);
    for squaring in 0..5 {
        if squaring > 0 {
            power = power.dot(&power);
            log_size *= 2.0;
            exponent *= 2.0;
        }
        let size = norm(&power);
        if size == 0.0 {
            return 0.0;
        }
        power /= size;
        log_size += size.ln();
    }
    f64::exp(log_size / exponent)
}
