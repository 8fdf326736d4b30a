//! Checks that hold for every exact motion of a switched system.

use ndarray::Array1;
use siconos_testkit::exact::{LinearModel, SwitchedEnd, Trajectory};

/// Returns the largest magnitude of an entry.
pub(crate) fn size(x: &Array1<f64>) -> f64 {
    x.iter().fold(0.0, |s, x| s.max(x.abs()))
}

/// Returns `count` times spread over a motion, with an irrational spacing so that they do not coincide with
/// events.
pub(crate) fn times(motion: &Trajectory, count: u32) -> impl Iterator<Item = f64> {
    let (begin, end) = (motion.pieces[0].t, motion.t_end);
    (0..count).map(move |k| begin + (end - begin) * (f64::from(k) * 0.618_033_988_75).fract())
}

/// Returns the derivative of the state at `t` by fourth-order central differences with the spacing `h`.
pub(crate) fn difference(motion: &Trajectory, t: f64, h: f64) -> Array1<f64> {
    let x = |k: f64| motion.state(t + k * h);
    ((x(1.0) - x(-1.0)) * 8.0 - (x(2.0) - x(-2.0))) / (12.0 * h)
}

/// Checks $x' = A x + B \lambda$ relative to the typical sizes `rates`, and $y = C x + D \lambda$ relative to
/// `outputs`. The derivative is computed by differences of the state, at times away from events. Returns the
/// number of these times.
pub(crate) fn check_equations(
    motion: &Trajectory,
    model: &LinearModel,
    h: f64,
    rates: &[f64],
    outputs: &[f64],
    tolerance: f64,
) -> usize {
    assert_eq!(motion.end, SwitchedEnd::TimeReached);
    let events = motion.events();
    let mut checked = 0;
    for t in times(motion, 400) {
        let near_an_event = events.iter().any(|event| (event - t).abs() <= 2.0 * h);
        if near_an_event || t < 2.0 * h || t > motion.t_end - 2.0 * h {
            continue;
        }
        let (x, lambda, y) = (motion.state(t), motion.lambda(t), motion.y(t));
        let rate = model.a.dot(&x) + model.b.dot(&lambda);
        let output = model.c.dot(&x) + model.d.dot(&lambda);
        let by_difference = difference(motion, t, h);
        for i in 0..x.len() {
            let off = (rate[i] - by_difference[i]).abs() / rates[i];
            assert!(off < tolerance, "t = {t}, rate {i}: {} against {}", rate[i], by_difference[i]);
        }
        for i in 0..y.len() {
            let off = (output[i] - y[i]).abs() / outputs[i];
            assert!(off < 1e-12, "t = {t}, output {i}: {} against {}", output[i], y[i]);
        }
        checked += 1;
    }
    checked
}

/// Checks $0 \le y \perp \lambda \ge 0$ up to 1e-12 of the typical sizes.
pub(crate) fn check_complementarity(motion: &Trajectory, outputs: &[f64], multipliers: &[f64]) {
    for t in times(motion, 1000).chain(motion.events()) {
        let (lambda, y) = (motion.lambda(t), motion.y(t));
        for i in 0..y.len() {
            let (y, lambda) = (y[i] / outputs[i], lambda[i] / multipliers[i]);
            assert!(y >= -1e-12 && lambda >= -1e-12, "t = {t}: y_{i} = {y:e}, lambda_{i} = {lambda:e}");
            assert!(y.min(lambda) <= 1e-12, "t = {t}: y_{i} = {y:e}, lambda_{i} = {lambda:e}");
        }
    }
}

/// Checks that $\lambda \in [-1, 1]$ and that $-y$ is in the normal cone at $\lambda$, up to 1e-12.
pub(crate) fn check_relay(motion: &Trajectory, typical_output: f64) {
    for t in times(motion, 1000) {
        for (lambda, y) in motion.lambda(t).iter().zip(motion.y(t) / typical_output) {
            assert!(lambda.abs() <= 1.0 + 1e-12, "t = {t}: lambda = {lambda}");
            let (above, below) = (*lambda > -1.0 + 1e-12, *lambda < 1.0 - 1e-12);
            assert!(
                (!above || y <= 1e-12) && (!below || y >= -1e-12),
                "t = {t}: y = {y:e}, lambda = {lambda}"
            );
        }
    }
}

/// Checks that the state does not jump at events.
pub(crate) fn check_continuity(motion: &Trajectory, sizes: &[f64]) {
    for k in 0..motion.pieces.len() - 1 {
        let (t, before, _, _) = motion.before_event(k);
        let after = motion.state(t);
        for i in 0..after.len() {
            assert!((after[i] - before[i]).abs() <= 1e-13 * sizes[i], "t = {t}: {before} against {after}");
        }
    }
}
