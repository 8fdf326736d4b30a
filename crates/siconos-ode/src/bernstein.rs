//! Polynomials in the Bernstein basis of the unit interval, from their values, with bounds of what rounding
//! does to the coefficients.
//!
//! A polynomial of degree n that is at most 1 at Chebyshev's nodes $\frac12 (1 - \cos(\pi k / n))$ has
//! Bernstein coefficients of at most
//!
//! $$ \Lambda_j = \binom{2n}{2j} \Big/ \binom{n}{j} , $$
//!
//! those of Chebyshev's polynomial, whose values at the nodes are 1 and -1 in turn, as are the signs of the
//! coefficients of Lagrange's. So this is by how much rounding errors of the values are amplified, whatever
//! the arithmetic: 1 at both ends, 86 in the middle for degree 7, 46 705 for degree 16. The conversion itself
//! would lose more than that in the arithmetic of the machine (2e7 times as much for degree 16), so
//! [`to_bernstein`] works in twice the digits. Its results for Chebyshev's nodes are kept as a matrix, whose
//! product with the values loses a fifth of what the bounds allow.

/// The largest degree.
pub(super) const MOST: usize = 2 * super::segment::LARGEST_DEGREE + 2;

/// Coefficients in the Bernstein basis of an interval, or values at as many nodes.
pub(super) type Coefficients = [f64; MOST + 1];

/// Rounding errors of the values over $\varepsilon \max |v|$.
const ROUNDING: f64 = 8.0;

/// The sum of two numbers, the second of which is what the first has lost: some 32 digits (Dekker 1971).
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

/// Conversion of values at Chebyshev's nodes to coefficients, for one degree.
#[derive(Clone, Debug, Default)]
pub(super) struct BernsteinBasis {
    degree: usize,
    nodes: Coefficients,
    /// Row by row, with the coefficients that belong to a value of 1 at one node in each column.
    matrix: Vec<Coefficients>,
}

impl BernsteinBasis {
    /// Prepares for a degree of at least 1; the same as before costs nothing.
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

    /// Chebyshev's nodes of this degree.
    pub(super) fn nodes(&self) -> &Coefficients {
        &self.nodes
    }

    /// Converts values at nodes in increasing order, which are or almost are Chebyshev's.
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

/// Chebyshev's nodes with the ends, in the unit interval.
fn node(k: usize, degree: usize) -> f64 {
    0.5 * (1.0 - (std::f64::consts::PI * k as f64 / degree as f64).cos())
}

/// From values at nodes in increasing order, which need to be near Chebyshev's only, to coefficients:
/// Newton's divided differences, multiplied out in the Bernstein basis.
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
        // Times (s - node), which raises the degree by one, plus a constant.
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

/// Bounds of the rounding errors in the coefficients of a polynomial whose values at the nodes are at most
/// `largest`.
pub(super) fn rounding(degree: usize, largest: f64) -> Coefficients {
    let mut bounds = [0.0; MOST + 1];
    let n = degree as f64;
    let mut amplification = 1.0;
    for (j, bound) in bounds.iter_mut().enumerate().take(degree + 1) {
        *bound = ROUNDING * f64::EPSILON * amplification * largest;
        // Binomials of 2n take two factors where those of n take one.
        let k = j as f64;
        amplification *= (2.0 * n - 2.0 * k - 1.0) / (2.0 * k + 1.0);
    }
    bounds
}

/// The number of changes of sign, without the numbers that are as small as the bounds of their errors.
pub(super) fn changes(coefficients: &[f64], bounds: &[f64]) -> usize {
    let signs = coefficients.iter().zip(bounds).filter(|(value, bound)| value.abs() > **bound);
    let mut signs = signs.map(|(value, _)| *value > 0.0);
    let Some(mut last) = signs.next() else { return 0 };
    signs.filter(|sign| std::mem::replace(&mut last, *sign) != *sign).count()
}

/// Returns the coefficients on the left half of the interval and replaces those on the whole by those on the
/// right half (de Casteljau). They are means of those on the whole, so that bounds of errors are halved
/// likewise.
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

    /// Numbers in [-1, 1] that look like chance (a linear congruential generator).
    fn chance(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / 2.0_f64.powi(52) - 1.0
    }

    fn nodes(degree: usize) -> Coefficients {
        std::array::from_fn(|k| if k <= degree { node(k, degree) } else { 0.0 })
    }

    /// The value of a polynomial at s, by de Casteljau, in 32 digits.
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

    /// Coefficients of Chebyshev's polynomial: the largest that values of 1 and -1 can have.
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

    /// From values that are rounded, against the coefficients of the polynomial from which the values come by
    /// de Casteljau's rule. The bounds hold, and are not a hundred times too wide.
    #[test]
    fn loss_of_the_conversion_by_degree() {
        let mut state = 1;
        for degree in 1..=MOST {
            let nodes = nodes(degree);
            let mut basis = BernsteinBasis::default();
            basis.set_degree(degree);
            // Not Chebyshev's nodes to the last digit.
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
