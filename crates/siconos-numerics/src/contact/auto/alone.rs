//! Exact solution of problems with a single contact with Coulomb friction, which are frequent in small
//! simulations.

use siconos_linalg::{MatrixRef, norm};

use crate::contact::residual::relative_violation;
use crate::contact::scales::BlockScale;
use crate::contact::{ContactLaw, DelassusProblem, ExactContact, solve_plane};
use crate::rounding;

/// Solves a problem with one contact, which opens, sticks or slides, and returns the error.
///
/// Returns `None` and leaves `r` unchanged if there is more than one contact, if the matrix is not dense, or
/// if its first entry is not positive. The result is also `None` if the error exceeds the tolerance or the
/// level of rounding errors.
pub(super) fn solve_alone(
    problem: &DelassusProblem<'_>,
    tolerance: f64,
    r: &mut [f64],
    u: &mut [f64],
) -> Option<f64> {
    let ContactLaw::Coulomb { mu: &[mu], .. } = problem.law() else { return None };
    let MatrixRef::Dense(w) = problem.w() else { return None };
    let (w, q) = (w.to_slice()?, problem.q());
    if w.is_empty() || w[0].is_nan() || w[0] <= 0.0 {
        return None;
    }
    let mut exact = [0.0; 3];
    match *q {
        [q_n, q_t] => {
            let plane = [[w[0], w[1]], [w[2], w[3]]];
            exact[..2].copy_from_slice(&solve_plane(mu, &plane, &[q_n, q_t], &[r[0], r[1]]));
        }
        [q_n, q_s, q_t] => exact = ExactContact::new(w).solve(mu, &[q_n, q_s, q_t], &mut 0.0),
        _ => return None,
    }
    let (n, exact) = (q.len(), &exact[..q.len()]);
    for ((u, q), row) in u.iter_mut().zip(q).zip(w.chunks_exact(n)) {
        *u = row.iter().zip(exact).fold(*q, |sum, (w, r)| sum + w * r);
    }
    let (law, free_velocity) = (problem.law(), norm(q));
    let scale = BlockScale { free_velocity, ..BlockScale::of(&law, 0, |row| w[row * (n + 1)]) };
    let error = relative_violation(&law, &[scale], free_velocity, exact, u);
    // The comparison is false if the error is NaN, so reactions that are not finite are rejected.
    (error <= rounding::ERROR.min(tolerance)).then(|| {
        r.copy_from_slice(exact);
        error
    })
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, array};

    use super::*;
    use crate::contact::{Auto, ContactProblem, error_of_point};
    use crate::method::Solver;

    fn solved(w: &Array2<f64>, q: &[f64], mu: f64, guess: f64) -> (Vec<f64>, usize) {
        let mu = [mu];
        let law = ContactLaw::Coulomb { dimension: q.len(), mu: &mu };
        let problem = ContactProblem::new(w, q, law).expect("the parts fit");
        let (mut r, mut u) = (vec![guess; q.len()], vec![0.0; q.len()]);
        let mut auto = Auto::default();
        let info = auto.solve(&problem, &mut r, &mut u).expect("the data fit");
        assert!(info.status.is_success(), "{info:?}");
        let error = error_of_point(&problem, &r, &mut u);
        assert!(info.error.max(error) <= rounding::ERROR, "{info:?}, {error:e}");
        (r, auto.trace().len())
    }

    #[test]
    fn a_contact_opens_sticks_or_slides_whatever_the_guess() {
        let space = array![[2.0, 0.5, -0.25], [0.5, 1.0, 0.125], [-0.25, 0.125, 3.0]];
        let plane = array![[2.0, 0.5], [0.5, 1.0]];
        for guess in [0.0, 1.0, -7.0] {
            for q in [[1.0, 2.0, -1.0], [-1.0, 0.125, 0.25], [-1.0, 4.0, -2.0], [0.0, 0.0, 0.0]] {
                for mu in [0.0, 0.3, 2.0, f64::INFINITY] {
                    assert_eq!(solved(&space, &q, mu, guess), solved(&space, &q, mu, 0.0));
                    assert_eq!(solved(&plane, &q[..2], mu, guess), solved(&plane, &q[..2], mu, 0.0));
                }
            }
        }
    }

    #[test]
    fn a_contact_without_compliance_is_left_to_others() {
        let w = array![[0.0, 0.0], [0.0, 1.0]];
        let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
        for w in [&w, &(&w * f64::NAN)] {
            let problem = DelassusProblem::new(w.into(), &[-1.0, 1.0], law);
            let (mut r, mut u) = ([3.0, 0.5], [0.0; 2]);
            assert!(solve_alone(&problem, 1e-8, &mut r, &mut u).is_none());
            assert_eq!(r, [3.0, 0.5]);
        }
    }
}
