//! Polynomials in the Bernstein basis of the unit interval, computed from their values, with bounds on the
//! rounding errors of the coefficients.
//!
//! If the magnitude of a polynomial of degree n is at most 1 at the Chebyshev nodes
//! $\frac12 (1 - \cos(\pi k / n))$, the magnitudes of its Bernstein coefficients are at most
//!
//! $$ \Lambda_j = \binom{2n}{2j} \Big/ \binom{n}{j} . $$
//!
//! These are the magnitudes of the coefficients of the Chebyshev polynomial, whose values at the nodes are
//! alternately 1 and -1. The coefficients of the Lagrange polynomials alternate in sign in the same way, so
//! no other values give larger coefficients.
//!
//! The bounds are the factors by which rounding errors of the values are amplified in any arithmetic: 1 at
//! both ends, 86 in the middle for degree 7, 46 705 for degree 16. In double precision the conversion would
//! lose more accuracy (2e7 times as much for degree 16), so [`to_bernstein`] uses double-double arithmetic.
//! For the Chebyshev nodes its results are stored as a matrix. The rounding errors of the product of this
//! matrix with the values are a fifth of the bounds.

/// Maximum degree.
pub(super) const MOST: usize = 2 * super::segment::LARGEST_DEGREE + 2;

/// Coefficients in the Bernstein basis of an interval, or values at the nodes of an interval.
pub(super) type Coefficients = [f64; MOST + 1];

/// Bound on the rounding errors of the values, in multiples of $\varepsilon \max |v|$.
const ROUNDING: f64 = 8.0;

/// Double-double number: the sum of a number and its rounding error, with about 32 digits (Dekker 1971).
#[derive(Clone, Copy)]
struct Double(f64, f64);

impl Double {
    fn of(x: f64) -> Self {
        Self(x, 0.0)
    }

    fn plus(self, other: Self) -> Self {
        let sum = self.0 + other.0;
        let part = sum - self.0;
        let lost = (self.0 - (sum - part)) + (other.0 - part) + self.1 + other.1;
        Self(sum + lost, lost - ((sum + lost) - sum))
    }

    fn minus(self, other: Self) -> Self {
        self.plus(Self(-other.0, -other.1))
    }

    fn times(self, other: Self) -> Self {
        let product = self.0 * other.0;
        let lost = self.0.mul_add(other.0, -product) + self.0 * other.1 + self.1 * other.0;
        Self(product, 0.0).plus(Self(lost, 0.0))
    }

    fn over(self, other: Self) -> Self {
        let first = self.0 / other.0;
        let rest = self.minus(other.times(Self::of(first)));
        Self::of(first).plus(Self::of((rest.0 + rest.1) / other.0))
    }
}

/// Conversion of values at the Chebyshev nodes to coefficients, for one degree.
#[derive(Clone, Debug, Default)]
pub(super) struct BernsteinBasis {
    degree: usize,
    nodes: Coefficients,
    /// Conversion matrix by rows. Column k contains the coefficients for a value of 1 at node k.
    matrix: Vec<Coefficients>,
}

impl BernsteinBasis {
    /// Prepares the conversion for a degree of at least 1. Does nothing if the degree has not changed.
    pub(super) fn set_degree(&mut self, degree: usize) {
        if degree == self.degree {
            return;
        }
        self.degree = degree;
        self.nodes = std::array::from_fn(|k| if k <= degree { node(k, degree) } else { 0.0 });
        self.matrix.clear();
        self.matrix.resize(degree + 1, [0.0; MOST + 1]);
        for k in 0..=degree {
            let mut unit = [0.0; MOST + 1];
            unit[k] = 1.0;
            let column = to_bernstein(&unit, &self.nodes, degree);
            self.matrix.iter_mut().zip(column).for_each(|(row, x)| row[k] = x);
        }
    }

    /// Returns the Chebyshev nodes of the prepared degree.
    pub(super) fn nodes(&self) -> &Coefficients {
        &self.nodes
    }

    /// Converts values at nodes to coefficients. The nodes must increase and be close to the Chebyshev nodes.
    pub(super) fn coefficients(&self, values: &Coefficients, nodes: &Coefficients) -> Coefficients {
        let all = ..=self.degree;
        if nodes[all] != self.nodes[all] {
            return to_bernstein(values, nodes, self.degree);
        }
        let mut coefficients = [0.0; MOST + 1];
        for (coefficient, row) in coefficients.iter_mut().zip(&self.matrix) {
            *coefficient = row[all].iter().zip(&values[all]).map(|(a, value)| a * value).sum();
        }
        coefficients
    }
}

/// Returns Chebyshev node `k` of the unit interval. The nodes include both ends.
fn node(k: usize, degree: usize) -> f64 {
    0.5 * (1.0 - (std::f64::consts::PI * k as f64 / degree as f64).cos())
}

/// Converts values at nodes to coefficients, by expanding Newton's divided differences in the Bernstein
/// basis. The nodes must increase and be close to the Chebyshev nodes.
fn to_bernstein(values: &Coefficients, nodes: &Coefficients, degree: usize) -> Coefficients {
    let mut differences = values.map(Double::of);
    for order in 1..=degree {
        for k in (order..=degree).rev() {
            let width = Double::of(nodes[k]).minus(Double::of(nodes[k - order]));
            differences[k] = differences[k].minus(differences[k - 1]).over(width);
        }
    }
    let mut result = [Double::of(0.0); MOST + 1];
    result[0] = differences[degree];
    for k in (0..degree).rev() {
        // Multiplies by (s - node), which raises the degree by one, and adds a constant.
        let (at, raised) = (Double::of(nodes[k]), (degree - k) as f64);
        for j in (0..=degree - k).rev() {
            let mut sum = Double::of(0.0);
            if j < degree - k {
                sum = sum.minus(Double::of(raised - j as f64).times(at).times(result[j]));
            }
            if j > 0 {
                let rest = Double::of(1.0).minus(at);
                sum = sum.plus(Double::of(j as f64).times(rest).times(result[j - 1]));
            }
            result[j] = sum.over(Double::of(raised)).plus(differences[k]);
        }
    }
    result.map(|x| x.0)
}

/// Returns bounds on the rounding errors of the Bernstein coefficients of a polynomial whose magnitudes at
/// the nodes are at most `largest`.
pub(super) fn rounding(degree: usize, largest: f64) -> Coefficients {
    let mut bounds = [0.0; MOST + 1];
    let n = degree as f64;
    let mut amplification = 1.0;
    for (j, bound) in bounds.iter_mut().enumerate().take(degree + 1) {
        *bound = ROUNDING * f64::EPSILON * amplification * largest;
        // If j grows by 1, the binomial coefficient (2n, 2j) gains two factors, and (n, j) gains one factor.
        let k = j as f64;
        amplification *= (2.0 * n - 2.0 * k - 1.0) / (2.0 * k + 1.0);
    }
    bounds
}

/// Returns the number of sign changes in the sequence of coefficients. Coefficients with a magnitude up to
/// their error bound are skipped.
pub(super) fn changes(coefficients: &[f64], bounds: &[f64]) -> usize {
    let signs = coefficients.iter().zip(bounds).filter(|(value, bound)| value.abs() > **bound);
    let mut signs = signs.map(|(value, _)| *value > 0.0);
    let Some(mut last) = signs.next() else { return 0 };
    signs.filter(|sign| std::mem::replace(&mut last, *sign) != *sign).count()
}

/// Returns the coefficients on the left half of the interval and replaces `coefficients` by the coefficients
/// on the right half (de Casteljau). The new coefficients are means of the old ones, so this function can
/// also split error bounds.
pub(super) fn split_off_left(coefficients: &mut Coefficients, degree: usize) -> Coefficients {
    let mut left = [0.0; MOST + 1];
    for (k, left) in left.iter_mut().enumerate().take(degree + 1) {
        *left = coefficients[0];
        for j in 0..degree - k {
            coefficients[j] = 0.5 * (coefficients[j] + coefficients[j + 1]);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudorandom number in [-1, 1] (linear congruential generator).
    fn chance(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / 2.0_f64.powi(52) - 1.0
    }

    fn nodes(degree: usize) -> Coefficients {
        std::array::from_fn(|k| if k <= degree { node(k, degree) } else { 0.0 })
    }

    /// Value of a polynomial at s, computed in double-double arithmetic (de Casteljau).
    fn value(coefficients: &[f64], s: f64) -> Double {
        let mut work: Vec<Double> = coefficients.iter().map(|c| Double::of(*c)).collect();
        let rest = Double::of(1.0).minus(Double::of(s));
        for last in (0..work.len() - 1).rev() {
            for j in 0..=last {
                work[j] = work[j].times(rest).plus(work[j + 1].times(Double::of(s)));
            }
        }
        work[0]
    }

    /// Coefficients of the Chebyshev polynomial. They are the largest possible if all values at the nodes
    /// have magnitude 1.
    fn extreme(degree: usize) -> Vec<f64> {
        let bounds = rounding(degree, 1.0);
        (0..=degree)
            .map(|j| {
                let sign = if (degree - j).is_multiple_of(2) { 1.0 } else { -1.0 };
                (sign * bounds[j] / (ROUNDING * f64::EPSILON)).round_ties_even()
            })
            .collect()
    }

    #[test]
    fn amplification_is_that_of_chebyshevs_polynomial() {
        let middle = |degree: usize| rounding(degree, 1.0)[degree / 2] / (ROUNDING * f64::EPSILON);
        assert!((middle(7) - 3003.0 / 35.0).abs() < 1e-12, "{}", middle(7));
        assert!((middle(16) - 601_080_390.0 / 12_870.0).abs() < 1e-9, "{}", middle(16));
        for degree in 1..=MOST {
            let bounds = rounding(degree, 1.0);
            for j in 0..=degree {
                assert!((bounds[j] - bounds[degree - j]).abs() <= 1e-12 * bounds[j], "degree {degree}");
            }
        }
    }

    /// Values are computed from coefficients by de Casteljau's rule, rounded, and converted back to
    /// coefficients. The errors are within the bounds, which are at most a hundred times too large.
    #[test]
    fn loss_of_the_conversion_by_degree() {
        let mut state = 1;
        for degree in 1..=MOST {
            let nodes = nodes(degree);
            let mut basis = BernsteinBasis::default();
            basis.set_degree(degree);
            // These nodes differ from the Chebyshev nodes in the last digits.
            let rounded = nodes.map(|s| ((1e3 + s) - 1e3).clamp(0.0, 1.0));
            let mut worst = 0.0_f64;
            for trial in 0..400 {
                let exact: Vec<f64> = match trial {
                    0 => extreme(degree),
                    _ => (0..=degree).map(|_| chance(&mut state)).collect(),
                };
                for nodes in [&nodes, &rounded] {
                    let mut values = [0.0; MOST + 1];
                    for (value_at, s) in values.iter_mut().zip(&nodes[..=degree]) {
                        *value_at = value(&exact, *s).0;
                    }
                    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
                    let bounds = rounding(degree, largest);
                    let found = basis.coefficients(&values, nodes);
                    for j in 0..=degree {
                        worst = worst.max((found[j] - exact[j]).abs() / bounds[j]);
                    }
                }
            }
            assert!(worst <= 0.5, "degree {degree}: {worst}");
            assert!(worst >= 0.01 || degree < 3, "degree {degree}: the bound says nothing, {worst}");
        }
    }
}
