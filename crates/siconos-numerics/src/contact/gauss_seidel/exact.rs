//! Exact solution of the one-contact problem with Coulomb friction. The contact opens, sticks or slides.
//!
//! The equation is u = A r + b. $A$ is the diagonal block of the contact, and $b$ is the velocity of the
//! contact if its own reaction is zero. The contact opens if $b_N \ge 0$. It sticks if $-A^{-1} b$ is in the
//! cone. Otherwise it slides: $u_N = 0$ and $u_T = -\lambda r_T$ with $\lambda > 0$. With the Schur
//! complement $S = A_{TT} - A_{TN} A_{NT} / A_{NN}$, the sliding contact satisfies
//!
//! $$ (S + \lambda I) r_T = -(b_T - A_{TN} b_N / A_{NN}), \qquad \lVert r_T \rVert = \mu r_N, $$
//!
//! as plain text (S + lambda I) r_T = -(b_T - A_TN b_N / A_NN), norm(r_T) = mu r_N. The second equation,
//! squared and multiplied by the square of the determinant of $S + \lambda I$, is a quartic in $\lambda$
//! (Bonnefon and Daviet 2011, "Quartic formulation of Coulomb 3D frictional contact"). Its coefficients lose
//! half of the digits. The root is therefore computed from the equation
//! $1 / \lVert r_T \rVert = 1 / (\mu r_N)$ by Newton steps inside a bracket. This equation is nearly linear
//! in $\lambda$, as in trust-region methods (Conn, Gould, Toint 2000, section 7.3).

/// Quantities of the one-contact problem, computed from the diagonal block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExactContact {
    inverse: [[f64; 3]; 3],
    /// `false` if the block is singular. The inverse is then not used to test for sticking.
    is_regular: bool,
    normal: f64,
    /// $A_{NT} / A_{NN}$.
    row: [f64; 2],
    column: [f64; 2],
    schur: [f64; 4],
}

/// Maximum number of iterations of the root search. Bisection alone would need about this many.
const MOST_STEPS: usize = 100;

/// The search ends with a final Newton step if the relative difference between the length of the tangential
/// reaction and its bound is below this value. The square of the difference is then at the level of rounding
/// errors.
const CLOSE: f64 = 1e-8;

impl ExactContact {
    /// Prepares a contact from its diagonal block `a`, in row-major order. The first entry must be positive.
    pub(crate) fn new(a: &[f64]) -> Self {
        let m: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| a[3 * i + j]));
        let [[nn, n1, n2], [t1n, a11, a12], [t2n, a21, a22]] = m;
        let schur = [a11 - t1n * n1 / nn, a12 - t1n * n2 / nn, a21 - t2n * n1 / nn, a22 - t2n * n2 / nn];
        let inverse = inverse(&m);
        Self {
            inverse: inverse.unwrap_or([[0.0; 3]; 3]),
            is_regular: inverse.is_some(),
            normal: nn,
            row: [n1 / nn, n2 / nn],
            column: [t1n, t2n],
            schur,
        }
    }

    /// Returns the reaction for the free velocity `b`. `multiplier` holds $\lambda$ of the most recent
    /// sliding solution, which is the initial guess of the next search.
    #[inline(always)]
    pub(crate) fn solve(&self, mu: f64, b: &[f64; 3], multiplier: &mut f64) -> [f64; 3] {
        if b[0] >= 0.0 {
            return [0.0; 3];
        }
        if mu == 0.0 {
            return [-b[0] / self.normal, 0.0, 0.0];
        }
        if self.is_regular {
            let row = |i: usize| {
                -(self.inverse[i][0] * b[0] + self.inverse[i][1] * b[1] + self.inverse[i][2] * b[2])
            };
            let (n, s, t) = (row(0), row(1), row(2));
            if n >= 0.0 && s * s + t * t <= (mu * n).powi(2) {
                return [n, s, t];
            }
        }
        if mu == f64::INFINITY { self.stick(b) } else { self.slide(mu, b, multiplier) }
    }

    /// Returns the sticking reaction for infinite friction and a singular block. Tangential velocities that
    /// no reaction can change remain.
    #[inline(never)]
    fn stick(&self, b: &[f64; 3]) -> [f64; 3] {
        let push = -b[0] / self.normal;
        let [a11, a12, a21, a22] = self.schur;
        let c = [b[1] + self.column[0] * push, b[2] + self.column[1] * push];
        let lambda = f64::EPSILON.sqrt() * self.schur.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        let (p, q) = (a11 + lambda, a22 + lambda);
        let inverse = -1.0 / (p * q - a12 * a21);
        let t = [(q * c[0] - a12 * c[1]) * inverse, (p * c[1] - a21 * c[0]) * inverse];
        let normal = push - (self.row[0] * t[0] + self.row[1] * t[1]);
        let presses = normal > 0.0 && t.iter().all(|t| t.is_finite());
        if presses { [normal, t[0], t[1]] } else { [push, 0.0, 0.0] }
    }

    /// Returns the sliding reaction, computed from the root of the secular equation.
    #[inline(never)]
    fn slide(&self, mu: f64, b: &[f64; 3], multiplier: &mut f64) -> [f64; 3] {
        let [a11, a12, a21, a22] = self.schur;
        let push = -b[0] / self.normal;
        let c = [b[1] + self.column[0] * push, b[2] + self.column[1] * push];
        if c == [0.0, 0.0] {
            return [push, 0.0, 0.0];
        }
        let (mut low, mut high) = (0.0, f64::INFINITY);
        let mut lambda = *multiplier;
        let mut best = [push, 0.0, 0.0];
        for _ in 0..MOST_STEPS {
            let (p, q) = (a11 + lambda, a22 + lambda);
            let determinant = p * q - a12 * a21;
            let inverse = -1.0 / determinant;
            let t = [(q * c[0] - a12 * c[1]) * inverse, (p * c[1] - a21 * c[0]) * inverse];
            let normal = push - (self.row[0] * t[0] + self.row[1] * t[1]);
            let length = (t[0] * t[0] + t[1] * t[1]).sqrt();
            // Lambda is below the root if the tangential reaction exceeds its bound, if the matrix is not
            // positive definite, or if the contact pulls.
            let valid = determinant > 0.0 && p > 0.0 && normal > 0.0 && length > 0.0 && length.is_finite();
            let bound = mu * normal;
            let gap = length - bound;
            let mut next = f64::NAN;
            if valid {
                // dt / d lambda = -(S + lambda I)^-1 t. `step` is the Newton step for the equation 1 / length
                // - 1 / bound = 0, written as a single fraction.
                let dt = [(q * t[0] - a12 * t[1]) * inverse, (p * t[1] - a21 * t[0]) * inverse];
                let d_length = t[0] * dt[0] + t[1] * dt[1];
                let d_bound = -mu * (self.row[0] * dt[0] + self.row[1] * dt[1]);
                let square = length * length;
                let step = gap * square * bound / (d_bound * square * length - d_length * bound * bound);
                next = lambda + step;
                if gap.abs() <= CLOSE * length {
                    // After a linear step from such a small gap, the remaining error is at the level of
                    // rounding errors.
                    let step = if next > low && next < high { step } else { 0.0 };
                    best = self.on_the_cone(mu, push, [t[0] + step * dt[0], t[1] + step * dt[1]]);
                    break;
                }
                best = self.on_the_cone(mu, push, t);
            }
            if valid && gap <= 0.0 {
                high = lambda;
            } else {
                low = lambda;
            }
            if !(next > low && next < high) {
                let size = self.schur.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
                next = if high.is_finite() {
                    0.5 * (low + high)
                } else {
                    (4.0 * low).max(size).max(f64::MIN_POSITIVE)
                };
            }
            if next == lambda {
                break;
            }
            lambda = next;
        }
        *multiplier = if lambda.is_finite() { lambda } else { 0.0 };
        best
    }

    /// Returns the reaction on the boundary of the cone whose tangential component is parallel to `t`.
    #[inline]
    fn on_the_cone(&self, mu: f64, push: f64, t: [f64; 2]) -> [f64; 3] {
        let normal = push - (self.row[0] * t[0] + self.row[1] * t[1]);
        let factor = mu * normal / (t[0] * t[0] + t[1] * t[1]).sqrt();
        [normal, factor * t[0], factor * t[1]]
    }
}

/// Returns $A^{-1}$, computed from cofactors, or `None` if the determinant is at the level of its rounding
/// errors.
fn inverse(m: &[[f64; 3]; 3]) -> Option<[[f64; 3]; 3]> {
    let cofactor = |i: usize, j: usize| {
        let (r, s, u, v) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        m[r][u] * m[s][v] - m[r][v] * m[s][u]
    };
    let first = [cofactor(0, 0), cofactor(0, 1), cofactor(0, 2)];
    let determinant = m[0][0] * first[0] + m[0][1] * first[1] + m[0][2] * first[2];
    let terms: f64 = m.iter().map(|row| row.iter().map(|x| x.abs()).sum::<f64>()).product();
    if determinant.abs() <= 8.0 * f64::EPSILON * terms || determinant.is_nan() {
        return None;
    }
    Some(std::array::from_fn(|i| std::array::from_fn(|j| cofactor(j, i) / determinant)))
}
