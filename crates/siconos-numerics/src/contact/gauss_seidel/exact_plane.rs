//! The one-contact problem in the plane solved exactly: the quartic of the space is two linear equations
//! here.

/// The reaction of one contact with diagonal block `a` and the velocity `b` that it would have without its
/// own reaction.
///
/// It opens when $b_N \ge 0$, it sticks when $-A^{-1} b$ lies in the cone, and else it slides one way or the
/// other: $r_T = \pm \mu r_N$ and $u_N = 0$. With $A_{NN} \le \mu |A_{NT}|$ sliding one way has no solution
/// for this branch (the paradox of Painleve); the other way, or the old reaction, is kept then. With infinite
/// friction it never slides: where nothing can be done about the tangential velocity the normal one is held.
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
        // Friction acts against the sliding velocity; of two bad branches the less bad.
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
