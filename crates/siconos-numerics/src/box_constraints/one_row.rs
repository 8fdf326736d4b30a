//! Problems with a single row, which occur in every time step of models with a few relays.

use siconos_linalg::MatrixRef;

use super::BoxProblem;
use super::residual::{Given, larger, natural};
use crate::rounding;

/// Maximum ratio of the term M z to q for which the formula is used.
const LARGEST_TERM: f64 = 1e6;

/// Solves a problem with a single row and M > 0 by a formula, for any initial guess, and returns the error.
///
/// Returns `None` and leaves `z` unchanged if M is not a single positive entry in dense storage, if a
/// magnitude is out of range, if the term M z is too large compared with q, or if the error is above the
/// rounding level or the tolerance.
pub(crate) fn solve_row<P: BoxProblem>(
    problem: &P,
    tolerance: f64,
    z: &mut [f64],
    w: &mut [f64],
) -> Option<f64> {
    let (MatrixRef::Dense(m), [z], [w], &[q]) = (problem.m(), z, w, problem.q()) else { return None };
    let (m, (lower, upper)) = (*m.first()?, problem.bounds(0));
    let nearest = (-q / m).max(lower).min(upper);
    let (term, size) = (m * nearest, q.abs());
    let mut given = Given::default();
    given.add(1.0, m, q, (lower, upper));
    let is_usual = m > 0.0 && m.is_finite() && lower <= upper && !given.is_out_of_range();
    if !is_usual || term.abs() > LARGEST_TERM * size {
        return None;
    }
    *w = term + q;
    let base = given.scale()?;
    let error = match natural(m, nearest, *w, lower, upper) {
        0.0 => 0.0,
        _ => {
            let square = given.square(base, 1.0, problem, 0, m, (nearest, *w));
            larger(square.sqrt() / base, w.abs() / (term.abs() + size))
        }
    };
    (error <= rounding::ERROR.min(tolerance)).then(|| {
        *z = nearest;
        error
    })
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use crate::relay::{self, RelayProblem};

    #[test]
    fn a_row_is_solved_whatever_its_bounds_and_the_guess() {
        let bounds = [
            (-1.0, 1.0),
            (0.0, f64::INFINITY),
            (f64::NEG_INFINITY, -0.5),
            (f64::NEG_INFINITY, f64::INFINITY),
            (0.25, 0.25),
            (-3.0, 0.0),
        ];
        let mut solved = 0;
        for (lower, upper) in bounds {
            for q in [-7.0, -0.3, 1e-9, 0.1, 3.0] {
                for (m, unit) in [(0.7, 1.0), (1.3e9, 1e9), (1e-7, 1e-7)] {
                    let (m, q) = (array![[m]], [q * unit]);
                    let (lower, upper) = ([lower], [upper]);
                    let problem = RelayProblem::new(&m, &q, &lower, &upper).expect("the parts fit");
                    let (mut z, mut w) = ([0.125], [0.0]);
                    let Some(error) = solve_row(&problem, 1e-10, &mut z, &mut w) else {
                        assert_eq!(z, [0.125]);
                        continue;
                    };
                    solved += 1;
                    let expected = relay::error(&problem, &z, &w);
                    assert!((error - expected).abs() <= 1e-16, "{q:?}: {error:e}, {expected:e}");
                    assert!(error <= rounding::ERROR, "{q:?}: {error:e}");
                }
            }
        }
        // If q is only 1e-9 of the term M z, `solve_row` leaves the problem to the other methods.
        assert!(solved > 70, "{solved}");
    }

    #[test]
    fn other_problems_are_left_to_others() {
        let solve = |m: f64, q: f64| {
            let (m, q) = (array![[m]], [q]);
            let problem = RelayProblem::new(&m, &q, &[-1.0], &[1.0]).expect("the parts fit");
            solve_row(&problem, 1e-10, &mut [0.0], &mut [0.0])
        };
        assert!(solve(1.0, 0.5).is_some());
        for (m, q) in [(0.0, 1.0), (-1.0, 1.0), (1.0, 0.0), (1e-200, 1e-200), (1.0, 1e200)] {
            assert!(solve(m, q).is_none(), "{m:e}, {q:e}");
        }
    }
}
