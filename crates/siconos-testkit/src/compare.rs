//! Comparisons of numbers, with messages that report the index of a wrong entry.

/// Returns the larger of two numbers, or NaN if one is NaN. Use it instead of `f64::max` to find the largest
/// of several errors, because `f64::max` ignores a NaN.
///
/// ```
/// use siconos_testkit::compare::worse;
///
/// assert_eq!([0.5, 2.0, 1.0].into_iter().fold(0.0, worse), 2.0);
/// assert!([0.5, f64::NAN, 1.0].into_iter().fold(0.0, worse).is_nan());
/// ```
#[must_use]
pub fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// Returns the largest absolute difference between corresponding entries. The result is NaN if an entry is
/// NaN and 0 for empty slices.
///
/// ```
/// use siconos_testkit::compare::largest_difference;
///
/// assert_eq!(largest_difference(&[1.0, 2.0], &[1.0, 2.5]), 0.5);
/// ```
///
/// # Panics
///
/// If the lengths differ.
#[track_caller]
#[must_use]
pub fn largest_difference<'a>(
    a: impl IntoIterator<Item = &'a f64>,
    b: impl IntoIterator<Item = &'a f64>,
) -> f64 {
    let (mut a, mut b) = (a.into_iter(), b.into_iter());
    let mut largest = 0.0;
    loop {
        match (a.next(), b.next()) {
            (Some(a), Some(b)) => largest = worse(largest, (a - b).abs()),
            (None, None) => return largest,
            _ => panic!("lengths differ"),
        }
    }
}

/// Asserts $|a_i - b_i| \le \text{atol} + \text{rtol} \max(|a_i|, |b_i|)$ for every entry.
///
/// # Panics
///
/// If the lengths differ, or if an entry violates the inequality; the message contains the first such index.
/// A NaN always fails. Two infinities of the same sign fail too, because no compared value should be
/// infinite.
#[track_caller]
pub fn assert_close(name: &str, a: &[f64], b: &[f64], atol: f64, rtol: f64) {
    assert_eq!(a.len(), b.len(), "{name}: lengths differ");
    for (i, (&a, &b)) in a.iter().zip(b).enumerate() {
        let (difference, bound) = ((a - b).abs(), atol + rtol * a.abs().max(b.abs()));
        let within = difference <= bound && a.is_finite() && b.is_finite();
        assert!(within, "{name}[{i}]: {a:e} against {b:e}, difference {difference:e}, allowed {bound:e}");
    }
}

/// Asserts $|a - b| \le \text{tolerance}$. A NaN always fails.
///
/// # Panics
///
/// If the difference is larger than the tolerance, or NaN.
#[track_caller]
pub fn assert_near(value: f64, exact: f64, tolerance: f64) {
    let difference = value - exact;
    assert!(difference.abs() <= tolerance, "{value} is not {exact} to {tolerance:e}: {difference:e}");
}

/// Asserts that the events fired in the expected order, and that each time differs from the expected time by
/// at most the tolerance.
///
/// # Panics
///
/// If the number of firings differs, or if an event index or a time is wrong.
#[track_caller]
pub fn assert_firings(found: &[(usize, f64)], expected: &[(usize, f64)], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((event, t), (number, exact)) in found.iter().zip(expected) {
        assert_eq!(event, number, "{found:?}");
        assert_near(*t, *exact, tolerance);
    }
}

/// Asserts that two numbers are close, like [`assert_close`].
///
/// # Panics
///
/// If [`assert_close`] panics.
#[track_caller]
pub fn assert_close_scalar(name: &str, a: f64, b: f64, atol: f64, rtol: f64) {
    assert_close(name, &[a], &[b], atol, rtol);
}
