//! Circular cones that share one axis: Coulomb's cone, the cone of rolling friction, and the second-order
//! cone.
//!
//! A point is $(N, x_1, .., x_p)$ with a scalar $N$ and one or two vectors $x_k$, which are called its parts.
//! The cone is
//!
//! $$ K = \lbrace (N, x_1, .., x_p) : \lVert x_k \rVert \le \mu_k N \rbrace, $$
//!
//! as plain text: norm(x_k) <= mu_k N for every part k. With one part and the coefficient of friction $\mu$,
//! it is Coulomb's cone. With a second part (a rolling moment), it is the cone of rolling friction. With one
//! part and $\mu = 1$, it is the second-order cone.
//!
//! The projection minimises a convex function of one variable n, which is the first component of the
//! projected point. For given $n \ge 0$, the nearest vectors are the $x_k$, shortened to the length $\mu_k n$
//! if they are longer. The function is therefore $(n - N)^2 + \sum_k (\lVert x_k \rVert - \mu_k n)_+^2$.

use std::ops::Range;

use siconos_linalg::norm;

/// Maximum number of parts of a cone.
pub(crate) const MOST_PARTS: usize = 2;

/// Part of a point: its coefficient, and the range of its components.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) coefficient: f64,
    pub(crate) range: Range<usize>,
}

/// Cone with one or two parts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CircularCone {
    parts: [Part; MOST_PARTS],
    count: usize,
}

impl CircularCone {
    /// Creates the cone $\lVert x \rVert \le \mu N$. The dimension includes N.
    pub(crate) fn single(coefficient: f64, dimension: usize) -> Self {
        let part = Part { coefficient, range: 1..dimension };
        Self { parts: [part.clone(), part], count: 1 }
    }

    /// Creates the cone $\lVert x_1 \rVert \le \mu_1 N$ and $\lVert x_2 \rVert \le \mu_2 N$. Both parts have
    /// the same number of components.
    pub(crate) fn double(first: f64, second: f64, dimension: usize) -> Self {
        let middle = 1 + (dimension - 1) / 2;
        let parts = [
            Part { coefficient: first, range: 1..middle },
            Part { coefficient: second, range: middle..dimension },
        ];
        Self { parts, count: 2 }
    }

    /// Returns the parts.
    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts[..self.count]
    }

    /// Computes the first component of the projection of a point, and which parts are shortened.
    fn locate(&self, x: &[f64]) -> ProjectionData {
        let mut lengths = [0.0; MOST_PARTS];
        for (length, part) in lengths.iter_mut().zip(self.parts()) {
            *length = norm(&x[part.range.clone()]);
        }
        // With infinite friction, a point with N <= 0 is projected to 0.
        if x[0] <= 0.0 && self.parts().iter().any(|part| part.coefficient == f64::INFINITY) {
            return ProjectionData {
                normal: 0.0,
                weight: 0.0,
                lengths,
                cut: [true; MOST_PARTS],
                at_apex: true,
            };
        }
        // Half the derivative of the function at n = 0 is -x[0] - weight. If it is nonnegative, the
        // projection is the apex.
        let weight: f64 = self.parts().iter().zip(&lengths).map(|(part, l)| part.coefficient * l).sum();
        if weight <= -x[0] {
            return ProjectionData {
                normal: 0.0,
                weight: 0.0,
                lengths,
                cut: [true; MOST_PARTS],
                at_apex: true,
            };
        }
        // As n grows, the parts that are shortened become fewer. With two parts, at most three passes are
        // needed.
        let mut cut = [false; MOST_PARTS];
        let mut normal = x[0];
        for _ in 0..=MOST_PARTS {
            let mut changed = false;
            for (k, part) in self.parts().iter().enumerate() {
                let is_cut = lengths[k] > part.coefficient * normal;
                changed |= is_cut != cut[k];
                cut[k] = is_cut;
            }
            if !changed {
                break;
            }
            let (mut sum, mut squares) = (x[0], 1.0);
            for (k, part) in self.parts().iter().enumerate().filter(|(k, _)| cut[*k]) {
                sum += part.coefficient * lengths[k];
                squares += part.coefficient * part.coefficient;
            }
            normal = sum / squares;
        }
        let squares: f64 = (self.parts().iter().zip(&cut))
            .map(|(part, cut)| if *cut { part.coefficient * part.coefficient } else { 0.0 })
            .sum();
        ProjectionData { normal, weight: 1.0 / (1.0 + squares), lengths, cut, at_apex: false }
    }

    /// Replaces `x` by its projection onto the cone.
    pub(crate) fn project(&self, x: &mut [f64]) {
        let foot = self.locate(x);
        if foot.at_apex {
            x.fill(0.0);
            return;
        }
        x[0] = foot.normal;
        for (k, part) in self.parts().iter().enumerate().filter(|(k, _)| foot.cut[*k]) {
            let factor = part.coefficient * foot.normal / foot.lengths[k];
            x[part.range.clone()].iter_mut().for_each(|x| *x *= factor);
        }
    }

    /// Writes an element of the generalised Jacobian of the projection at `x`. The matrix is symmetric and in
    /// row-major order. Where the projection is differentiable, the element is its derivative.
    pub(crate) fn derivative(&self, x: &[f64], derivative: &mut [f64]) {
        let d = x.len();
        derivative.fill(0.0);
        let foot = self.locate(x);
        if foot.at_apex {
            return;
        }
        // N' = weight (N + sum over shortened parts of mu |x_k|), x_k' = mu N' x_k / |x_k|; row 0 is the
        // gradient of N'.
        let (gradient, rows) = derivative.split_at_mut(d);
        gradient[0] = foot.weight;
        for (k, part) in self.parts().iter().enumerate().filter(|(k, _)| foot.cut[*k]) {
            for i in part.range.clone() {
                gradient[i] = foot.weight * part.coefficient * x[i] / foot.lengths[k];
            }
        }
        for (k, part) in self.parts().iter().enumerate() {
            if !foot.cut[k] {
                part.range.clone().for_each(|i| rows[(i - 1) * d + i] = 1.0);
                continue;
            }
            let length = foot.lengths[k];
            let turn = part.coefficient * foot.normal / length;
            for i in part.range.clone() {
                let unit = x[i] / length;
                let row = &mut rows[(i - 1) * d..i * d];
                row.iter_mut().zip(&*gradient).for_each(|(x, g)| *x = part.coefficient * unit * g);
                for j in part.range.clone() {
                    let along = unit * x[j] / length;
                    row[j] += turn * (if i == j { 1.0 - along } else { -along });
                }
            }
        }
    }
}

/// Data of the projection of a point onto the cone.
struct ProjectionData {
    /// First component of the projection.
    normal: f64,
    /// $1 / (1 + \sum \mu_k^2)$, where the sum is over the parts that are shortened.
    weight: f64,
    lengths: [f64; MOST_PARTS],
    cut: [bool; MOST_PARTS],
    at_apex: bool,
}
