//! The contact functions are zero at solutions and only there, and their derivatives agree with finite
//! differences.

use proptest::prelude::*;
use siconos_linalg::norm;

use super::super::ContactLaw;
use super::super::fischer_burmeister::Scratch;
use super::{ContactFunction, ContactPoint};

/// Calls `look` with one block of each law. The coefficients must be positive.
fn every_law(mu: &[f64; 1], more: &[f64; 1], look: &mut dyn FnMut(ContactLaw<'_>)) {
    for dimension in [2, 3] {
        look(ContactLaw::Coulomb { dimension, mu });
    }
    for dimension in [3, 5] {
        look(ContactLaw::Rolling { dimension, mu, mu_rolling: more });
    }
    for size in 1..=7 {
        look(ContactLaw::SecondOrder { starts: &[0, size], tau: mu });
    }
}

fn value(function: ContactFunction, law: &ContactLaw<'_>, rho: f64, r: &[f64], u: &[f64]) -> Vec<f64> {
    let mut phi = vec![0.0; r.len()];
    function.evaluate(law, ContactPoint { block: 0, rho, r, u }, &mut phi, None, &mut Scratch::default());
    phi
}

const STEP: f64 = 1e-6;

/// Returns the derivative with respect to component `j`, computed by central differences. Returns `None` if
/// the one-sided differences disagree, which indicates a kink.
fn difference(at: &dyn Fn(&[f64]) -> Vec<f64>, x: &[f64], j: usize) -> Option<Vec<f64>> {
    let moved = |by: f64| {
        let mut x = x.to_vec();
        x[j] += by;
        at(&x)
    };
    let (left, middle, right) = (moved(-STEP), at(x), moved(STEP));
    let bend = left
        .iter()
        .zip(&right)
        .zip(&middle)
        .map(|((l, r), m)| ((l + r - 2.0 * m) / STEP).powi(2))
        .sum::<f64>();
    let slope = left.iter().zip(&right).map(|(l, r)| (r - l) / (2.0 * STEP)).collect();
    (bend.sqrt() < 1e-4).then_some(slope)
}

/// Compares the columns of a matrix in row-major order with finite differences. Returns `false` if there is a
/// kink.
fn compare(
    matrix: &[f64],
    at: &dyn Fn(&[f64]) -> Vec<f64>,
    x: &[f64],
    what: &str,
) -> Result<bool, TestCaseError> {
    let d = x.len();
    for j in 0..d {
        let Some(column) = difference(at, x, j) else { return Ok(false) };
        for i in 0..column.len() {
            let off = (matrix[i * d + j] - column[i]).abs();
            prop_assert!(
                off <= 1e-4 * column[i].abs().max(1.0),
                "{what} ({i}, {j}): {} {}",
                matrix[i * d + j],
                column[i]
            );
        }
    }
    Ok(true)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn projections_have_their_derivative(mu in 0.05..3.0_f64, more in 0.05..3.0_f64, x in prop::array::uniform7(-2.0..2.0_f64)) {
        let mut outcome = Ok(());
        every_law(&[mu], &[more], &mut |law| {
            let x = &x[..law.size()];
            let d = x.len();
            let mut matrix = vec![0.0; d * d];
            law.cone(0).derivative(x, &mut matrix);
            let project = |x: &[f64]| {
                let mut x = x.to_vec();
                law.cone(0).project(&mut x);
                x
            };
            if outcome.is_ok() {
                outcome = compare(&matrix, &project, x, "P'").map(|_| ());
            }
            let asymmetry = (0..d * d).map(|k| (matrix[k] - matrix[k % d * d + k / d]).abs()).fold(0.0, f64::max);
            assert!(asymmetry <= 1e-14, "{law:?}");
        });
        outcome?;
    }

    #[test]
    fn functions_have_their_derivatives(
        mu in 0.05..3.0_f64, more in 0.05..3.0_f64, rho in 0.1..5.0_f64,
        r in prop::array::uniform7(-2.0..2.0_f64), u in prop::array::uniform7(-2.0..2.0_f64),
    ) {
        let mut outcome = Ok(());
        let (mut smooth, mut all) = (0, 0);
        every_law(&[mu], &[more], &mut |law| {
            for function in ContactFunction::ALL.into_iter().filter(|function| function.supports(&law)) {
                let d = law.size();
                let (r, u) = (&r[..d], &u[..d]);
                let (mut phi, mut a, mut b) = (vec![0.0; d], vec![f64::NAN; d * d], vec![f64::NAN; d * d]);
                let jacobians = Some((&mut a[..], &mut b[..]));
                function.evaluate(&law, ContactPoint { block: 0, rho, r, u }, &mut phi, jacobians, &mut Scratch::default());
                assert_eq!(phi, value(function, &law, rho, r, u), "{function:?} {law:?}");
                if outcome.is_ok() {
                    let what = format!("{function:?} of {law:?}");
                    outcome = compare(&a, &|r| value(function, &law, rho, r, u), r, &format!("A, {what}"))
                        .and_then(|by_r| Ok((by_r, compare(&b, &|u| value(function, &law, rho, r, u), u, &format!("B, {what}"))?)))
                        .map(|(by_r, by_u)| {
                            smooth += i32::from(by_r) + i32::from(by_u);
                            all += 2;
                        });
                }
            }
        });
        outcome?;
        // Kinks are rare, so the functions are differentiable at most of the test points.
        prop_assert!(2 * smooth > all, "{smooth} of {all}");
    }

    /// By Moreau's decomposition, every vector is the difference of a reaction and a shifted velocity that
    /// satisfy the law.
    #[test]
    fn functions_vanish_at_solutions_and_only_there(
        mu in 0.05..3.0_f64, more in 0.05..3.0_f64, rho in 0.1..5.0_f64,
        x in prop::array::uniform7(-2.0..2.0_f64), off in prop::array::uniform7(-1.0..1.0_f64),
    ) {
        every_law(&[mu], &[more], &mut |law| {
            let d = law.size();
            let mut r = x[..d].to_vec();
            law.project(0, &mut r);
            let mut u: Vec<f64> = r.iter().zip(&x).map(|(r, x)| r - x).collect();
            u[0] -= law.shift(0, &u);
            for function in ContactFunction::ALL.into_iter().filter(|function| function.supports(&law)) {
                let at_solution = norm(&value(function, &law, rho, &r, &u));
                // The square root in the Fischer-Burmeister function loses half of the digits on the boundary
                // of the cone.
                let zero = if function == ContactFunction::FischerBurmeister { 1e-6 } else { 1e-12 };
                assert!(at_solution < zero, "{function:?} {law:?}: {at_solution:e}");
                // If the law is violated, none of the functions is zero.
                let moved: Vec<f64> = r.iter().zip(&off).map(|(r, off)| r + off).collect();
                let violation = norm(&value(ContactFunction::NaturalMap, &law, 1.0, &moved, &u));
                if violation > 1e-2 {
                    let there = norm(&value(function, &law, rho, &moved, &u));
                    assert!(there > 1e-6, "{function:?} {law:?}: {there:e} where the law is off by {violation:e}");
                }
            }
        });
    }
}
