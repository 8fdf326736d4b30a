//! Exact solution of the one-contact problem in the plane, where sliding leads to linear equations instead of
//! a quartic.

/// Returns the reaction of one contact. `a` is its diagonal block, and `b` is the velocity of the contact if
/// its own reaction is zero.
///
/// The contact opens if $b_N \ge 0$. It sticks if $-A^{-1} b$ is in the cone. Otherwise it slides in one of
/// two directions, with $r_T = \pm \mu r_N$ and $u_N = 0$. If $A_{NN} \le \mu |A_{NT}|$, one direction has no
/// solution (the Painlevé paradox). The function then returns the solution in the opposite direction, or
/// `old` if neither direction has a solution. With infinite friction, the contact does not slide: if it
/// cannot stick, the reaction is normal and cancels the normal velocity.
#[inline(always)]
pub(crate) fn solve_plane(mu: f64, a: &[[f64; 2]; 2], b: &[f64; 2], old: &[f64; 2]) -> [f64; 2] {
    if b[0] >= 0.0 {
        return [0.0; 2];
    }
    let [[nn, nt], [tn, tt]] = *a;
    let determinant = nn * tt - nt * tn;
    if determinant.abs() > 4.0 * f64::EPSILON * (nn * tt).abs() {
        let n = -(tt * b[0] - nt * b[1]) / determinant;
        let t = -(nn * b[1] - tn * b[0]) / determinant;
        if n >= 0.0 && t.abs() <= mu * n {
            return [n, t];
        }
    }
    if mu == f64::INFINITY {
        return [-b[0] / nn, 0.0];
    }
    let mut best = (*old, f64::INFINITY);
    for sign in [-1.0, 1.0] {
        let slope = nn + sign * mu * nt;
        if slope <= 0.0 || slope == f64::INFINITY {
            continue;
        }
        let n = -b[0] / slope;
        let t = sign * mu * n;
        // Friction must oppose the sliding velocity. If neither direction satisfies this condition, take the
        // direction with the smaller violation.
        let wrong = sign * (tn * n + tt * t + b[1]);
        if wrong <= 0.0 {
            return [n, t];
        }
        if wrong < best.1 {
            best = ([n, t], wrong);
        }
    }
    best.0
}
