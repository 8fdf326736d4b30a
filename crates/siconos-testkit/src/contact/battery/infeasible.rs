//! Contact problems without a solution. The data are integers, so that the certificate is exact.

use ndarray::Array2;
use siconos_numerics::contact::ContactLawData;

use super::bodies::Bodies;
use super::{Drawn, Family, Known};
use crate::random::RandomState;

/// Draws a problem in which some contacts contradict each other. A weighted sum of their normal rows is zero,
/// as if a body were squeezed between two fixed bodies, and the weighted sum of their free normal velocities
/// is negative.
pub(super) fn draw(number: usize, family: Family, law: ContactLawData, random: &mut RandomState) -> Drawn {
    let (n, contacts) = (law.view().size(), law.view().blocks());
    let freedoms = (n * random.integer(1, 2) as usize).div_ceil(2).max(1);
    let mut jacobian = Array2::from_shape_simple_fn((n, freedoms), || f64::from(random.integer(-3, 3)));
    let squeezed = random.integer(1, contacts as i32) as usize;
    let order = random.permutation(contacts);
    let normal = |i: usize| law.view().range(order[i]).start;
    let mut y = vec![0.0; n];
    let mut sum = ndarray::Array1::zeros(freedoms);
    for i in 0..squeezed - 1 {
        y[normal(i)] = f64::from(random.integer(1, 2));
        sum.scaled_add(y[normal(i)], &jacobian.row(normal(i)));
    }
    let last = normal(squeezed - 1);
    y[last] = 1.0;
    jacobian.row_mut(last).assign(&-sum);

    // The inverse masses have two scales. About half of the problems have gyroscopic terms.
    let is_skew = random.uniform() < 0.5;
    let mut inverse = Array2::zeros((freedoms, freedoms));
    for i in 0..freedoms {
        inverse[[i, i]] = 2.0_f64.powi(-10 * random.integer(0, 1));
        for j in 0..i {
            if is_skew && random.uniform() < 0.2 {
                inverse[[i, j]] = f64::from(random.integer(-1, 1)) * 0.5;
                inverse[[j, i]] = -inverse[[i, j]];
            }
        }
    }
    let w = jacobian.dot(&inverse).dot(&jacobian.t());

    let mut q: Vec<f64> = (0..n).map(|_| f64::from(random.integer(-512, 512)) / 256.0).collect();
    // Magnitude of the contradiction: 1, 2^-5 or 2^-10.
    let margin = 2.0_f64.powi(-5 * random.integer(0, 2));
    let others: f64 = (0..squeezed - 1).map(|i| y[normal(i)] * q[normal(i)]).sum();
    q[last] = -others - margin;
    let (bodies, known) = (Bodies { jacobian, inverse }, Known::Infeasible(y));
    Drawn { number, family, w: w.into(), q, law, known, has_full_rank: false, bodies }
}
