//! Padé approximants of the matrix exponential: choice of degree and scaling, evaluation, and squarings.

use ndarray::{Array1, Array2};

use super::super::DenseLu;
use super::ExponentialError;

/// Degrees of the approximant, each with the maximum norm for which it can be used without scaling (Al-Mohy
/// and Higham 2009, table 3.1).
const DEGREES: [(usize, f64); 4] = [
    (3, 1.495_585_217_958_292e-2),
    (5, 2.539_398_330_063_23e-1),
    (7, 9.504_178_996_162_932e-1),
    (9, 2.097_847_961_257_068),
];

/// Maximum norm for degree 13. It is smaller than the accuracy requires, so that the denominator is better
/// conditioned (Al-Mohy and Higham 2009, section 5).
const THETA_13: f64 = 4.25;

/// Maximum binary exponent of the norm. Above it, the tenth power of the matrix might overflow.
const LARGEST_EXPONENT: i32 = 100;

/// Returns the largest sum of magnitudes in a column, which is the 1-norm.
pub(super) fn largest_column_sum(a: &Array2<f64>) -> f64 {
    a.columns().into_iter().fold(0.0, |m: f64, column| m.max(column.iter().map(|x| x.abs()).sum()))
}

/// Matrix and its even powers.
struct Powers {
    a: Array2<f64>,
    second: Array2<f64>,
    fourth: Array2<f64>,
    sixth: Array2<f64>,
}

impl Powers {
    fn of(a: Array2<f64>) -> Self {
        let second = a.dot(&a);
        let fourth = second.dot(&second);
        let sixth = fourth.dot(&second);
        Self { a, second, fourth, sixth }
    }

    /// Replaces the powers of A by the powers of A / 2^s.
    fn scale_down(&mut self, s: i32) {
        for (power, matrix) in
            [(1, &mut self.a), (2, &mut self.second), (4, &mut self.fourth), (6, &mut self.sixth)]
        {
            times_power_of_two(matrix, -s * power);
        }
    }
}

/// Multiplies a matrix by a power of two, which is exact except for underflow. The factor could overflow, so
/// it is applied as two factors. Zeros stay zero.
fn times_power_of_two(matrix: &mut Array2<f64>, exponent: i32) {
    let half = exponent / 2;
    let (first, second) = (2.0_f64.powi(half), 2.0_f64.powi(exponent - half));
    matrix.mapv_inplace(|x| if x == 0.0 { x } else { x * first * second });
}

/// Returns the exponential of a finite matrix. Entries that overflow are infinite or NaN.
pub(super) fn exponential_of(mut a: Array2<f64>) -> Result<Array2<f64>, ExponentialError> {
    let norm = largest_column_sum(&a);
    if !norm.is_finite() {
        return Err(ExponentialError::Overflow { norm });
    }
    let before = if norm > 0.0 { (norm.log2().ceil() as i32 - LARGEST_EXPONENT).max(0) } else { 0 };
    if before > 0 {
        times_power_of_two(&mut a, -before);
    }
    let mut powers = Powers::of(a);
    // d_k = norm(A^k)^(1/k) approaches the spectral radius for large k.
    let root = |matrix: &Array2<f64>, k: i32| largest_column_sum(matrix).powf(1.0 / f64::from(k));
    let (d4, d6) = (root(&powers.fourth, 4), root(&powers.sixth, 6));
    let d8 = root(&powers.fourth.dot(&powers.fourth), 8);
    if before == 0 {
        for (degree, theta) in DEGREES {
            let size = if degree <= 5 { d4.max(d6) } else { d6.max(d8) };
            if size <= theta && more_scaling(&powers.a, degree) == 0 {
                return approximant(&powers, degree);
            }
        }
    }
    let d10 = root(&powers.fourth.dot(&powers.sixth), 10);
    let size = d6.max(d8).min(d8.max(d10));
    let mut s = if size > 0.0 { ((size / THETA_13).log2().ceil() as i32 + before).max(0) } else { 0 };
    let mut scaled = powers.a.clone();
    times_power_of_two(&mut scaled, before - s);
    s += more_scaling(&scaled, 13);
    powers.scale_down(s - before);
    let mut result = match approximant(&powers, 13) {
        // Scaling by the norm gives a well-conditioned denominator (Higham 2005, section 2), at the cost of
        // more squarings.
        Err(ExponentialError::Singular(_)) if norm > THETA_13 * 2.0_f64.powi(s) => {
            let safe = (norm / THETA_13).log2().ceil() as i32;
            times_power_of_two(&mut powers.a, s - safe);
            s = safe;
            // The powers are recomputed, because the previous ones may have overflowed.
            approximant(&Powers::of(powers.a), 13)
        }
        other => other,
    }?;
    for _ in 0..s {
        result = result.dot(&result);
    }
    Ok(result)
}

/// Returns the number of additional squarings that limit the rounding errors of the approximant. These errors
/// come from terms that cancel in powers of A but not in powers of |A| (Al-Mohy and Higham 2009, (5.1)).
fn more_scaling(a: &Array2<f64>, degree: usize) -> i32 {
    let norm = largest_column_sum(a);
    if norm == 0.0 {
        return 0;
    }
    // The 1-norm of (|A| / norm)^(2 m + 1): a row of ones is multiplied 2 m + 1 times by |A| / norm. The
    // division by the norm prevents overflow.
    let relative = a.mapv(|x| x.abs() / norm);
    let mut sums = Array1::ones(a.nrows());
    for _ in 0..=2 * degree {
        sums = sums.dot(&relative);
    }
    let largest: f64 = sums.iter().fold(0.0, |m, x| m.max(*x));
    if largest == 0.0 {
        return 0;
    }
    // log2 of |c| norm(|A|^(2m+1)) / (norm(A) u), with c = (m!)^2 / ((2m)! (2m+1)!) and u = 2^-53.
    let two_m = 2.0 * degree as f64;
    let bits = leading_coefficient(degree).log2() + two_m * norm.log2() + largest.log2() + 53.0;
    ((bits / two_m).ceil() as i32).max(0)
}

/// Returns $(m!)^2 / ((2 m)! (2 m + 1)!)$, the coefficient of the first error term of the approximant of
/// degree m.
fn leading_coefficient(degree: usize) -> f64 {
    let product = |from: usize, to: usize| (from..=to).fold(1.0, |p, k| p * k as f64);
    product(1, degree) / product(degree + 1, 2 * degree) / product(1, 2 * degree + 1)
}

/// Returns $b_k = (2 m - k)! / (k! (m - k)!)$, the coefficients of $x^k$ in the numerator. They are integers,
/// with $b_m = 1$.
fn coefficients(degree: usize) -> Vec<f64> {
    let m = degree as u128;
    let mut b = 1_u128;
    let mut all = vec![1.0; degree + 1];
    for k in (1..=m).rev() {
        b = b * (2 * m - k + 1) * k / (m - k + 1);
        all[k as usize - 1] = b as f64;
    }
    all
}

/// Returns $r_m(A) = (V - U)^{-1} (V + U)$, where U and V are the odd and even parts of the numerator (Higham
/// 2005, (2.9) to (2.11)).
fn approximant(powers: &Powers, degree: usize) -> Result<Array2<f64>, ExponentialError> {
    let n = powers.a.nrows();
    let b = coefficients(degree);
    let identity = Array2::<f64>::eye(n);
    let (second, fourth, sixth) = (&powers.second, &powers.fourth, &powers.sixth);
    // sum of b_first I + b_{first + 2} A^2 + b_{first + 4} A^4 + ..
    let up_to_sixth = |first: usize| {
        let mut sum = &identity * b[first];
        for (k, power) in [(2, second), (4, fourth), (6, sixth)] {
            if let Some(b) = b.get(first + k) {
                sum.scaled_add(*b, power);
            }
        }
        sum
    };
    let (mut odd, mut even) = (up_to_sixth(1), up_to_sixth(0));
    match degree {
        13 => {
            let above = |first: usize| second * b[first] + fourth * b[first + 2] + sixth * b[first + 4];
            odd += &sixth.dot(&above(9));
            even += &sixth.dot(&above(8));
        }
        9 => {
            let eighth = fourth.dot(fourth);
            odd.scaled_add(b[9], &eighth);
            even.scaled_add(b[8], &eighth);
        }
        _ => {}
    }
    let odd = powers.a.dot(&odd);
    let mut lu = DenseLu::default();
    lu.factor((&even - &odd).view())?;
    // Each column of V + U is a right-hand side. The columns are stored as rows of the transpose.
    let mut columns = (even + odd).reversed_axes().as_standard_layout().into_owned();
    for mut column in columns.rows_mut() {
        if let Some(column) = column.as_slice_mut() {
            lu.solve(column);
        }
    }
    Ok(columns.reversed_axes())
}
