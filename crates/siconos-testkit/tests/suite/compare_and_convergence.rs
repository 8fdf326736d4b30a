//! Comparisons report the first wrong entry, and the observed order equals the order of constructed errors.

use siconos_testkit::compare::{assert_close, assert_close_scalar};
use siconos_testkit::convergence::{observed_order, steps};

fn message_of(check: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = std::panic::catch_unwind(check).expect_err("the check passed");
    *panic.downcast::<String>().expect("a formatted message")
}

#[test]
fn the_bound_is_mixed_and_inclusive() {
    assert_close("absolute", &[1.0, 0.0], &[1.0, 0.5], 0.5, 0.0);
    assert_close("relative", &[100.0], &[104.0], 0.0, 4.0 / 104.0);
    assert_close_scalar("both", 10.0, 8.0, 1.0, 0.1);
}

#[test]
fn the_first_offence_is_named() {
    let message = message_of(|| assert_close("q", &[1.0, 2.0, 3.0], &[1.0, 2.5, 4.0], 0.1, 0.0));
    assert!(message.contains("q[1]: 2e0 against 2.5e0, difference 5e-1, allowed 1e-1"), "{message}");
}

#[test]
fn what_is_not_finite_never_passes() {
    for (a, b) in
        [(f64::NAN, 0.0), (f64::NAN, f64::NAN), (f64::INFINITY, f64::INFINITY), (0.0, f64::INFINITY)]
    {
        let message = message_of(|| assert_close_scalar("x", a, b, 1.0, 1.0));
        assert!(message.starts_with("x[0]"), "{message}");
    }
    let message = message_of(|| assert_close("x", &[1.0], &[], 1.0, 1.0));
    assert!(message.contains("lengths differ"), "{message}");
}

#[test]
fn steps_descend_between_their_bounds_in_uneven_ratios() {
    let h = steps(20, 1e-1, 1e-4);
    assert_eq!((h.len(), h[0], h[19]), (20, 1e-1, 1e-4));
    assert!(h.windows(2).all(|pair| pair[1] < pair[0]), "{h:?}");
    for (i, a) in h.iter().enumerate() {
        for b in &h[i + 1..] {
            let ratio = a / b;
            // The ratio of the first and the last step size, 1000, is prescribed.
            assert!((ratio - ratio.round()).abs() > 1e-6 || ratio > 999.0, "{a} / {b} = {ratio}");
        }
    }
}

#[test]
fn the_order_of_exact_powers_is_found() {
    let h = steps(12, 0.2, 1e-3);
    for order in [0.5, 1.0, 2.0, 4.0] {
        let errors: Vec<f64> = h.iter().map(|h| 3.0 * h.powf(order)).collect();
        let observed = observed_order(&h, &errors);
        assert_close_scalar("order", observed.order, order, 1e-12, 0.0);
        assert_close_scalar("constant", observed.constant, 3.0, 1e-11, 0.0);
        assert_close_scalar("scatter", observed.scatter, 1.0, 1e-12, 0.0);
    }
}

#[test]
fn the_order_of_a_real_scheme_is_found() {
    // Explicit Euler for y' = y up to t = 1 has the error e h / 2 + O(h^2).
    let (steps, errors): (Vec<f64>, Vec<f64>) = [100_u32, 173, 299, 518, 897]
        .into_iter()
        .map(|n| (1.0 / f64::from(n), 1.0_f64.exp() - (1.0 + 1.0 / f64::from(n)).powf(f64::from(n))))
        .unzip();
    let observed = observed_order(&steps, &errors);
    assert_close_scalar("order", observed.order, 1.0, 0.01, 0.0);
    assert_close_scalar("constant", observed.constant, 0.5 * 1.0_f64.exp(), 0.05, 0.0);
}

#[test]
fn the_scatter_is_the_worst_factor() {
    // The errors are symmetric about the line of order 1 through (1, 1), by the factors 2, 1/2, 1/2, 2.
    let h: [f64; 4] = [1.0, 0.1, 0.01, 0.001];
    let errors = [2.0 * h[0], h[1] / 2.0, h[2] / 2.0, 2.0 * h[3]];
    let observed = observed_order(&h, &errors);
    assert_close_scalar("order", observed.order, 1.0, 1e-12, 0.0);
    assert_close_scalar("scatter", observed.scatter, 2.0, 1e-12, 0.0);
}

#[test]
fn an_error_of_zero_is_refused() {
    let message = message_of(|| {
        let _ = observed_order(&[0.1, 0.01], &[1e-3, 0.0]);
    });
    assert!(message.contains("must be positive"), "{message}");
}
