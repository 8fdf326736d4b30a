//! Elliptic integrals and functions, computed by the arithmetic-geometric mean.

/// Returns the complete elliptic integral of the first kind for the modulus k (not the parameter m = k^2):
///
/// $$ K(k) = \int_0^{\pi/2} \frac{d\varphi}{\sqrt{1 - k^2 \sin^2 \varphi}}
///    = \frac{\pi}{2 M(1, \sqrt{1 - k^2})} $$
///
/// where M is the arithmetic-geometric mean (Abramowitz and Stegun 1964, 17.6).
///
/// ```
/// // Abramowitz and Stegun, table 17.1, m = 1/2.
/// assert!((siconos_testkit::exact::complete_elliptic(0.5_f64.sqrt()) - 1.854074677301372).abs() < 1e-15);
/// ```
///
/// # Panics
///
/// If |k| is not less than 1.
#[track_caller]
#[must_use]
pub fn complete_elliptic(k: f64) -> f64 {
    assert!(k.abs() < 1.0, "the modulus is {k}");
    let (mut a, mut b) = (1.0, ((1.0 - k) * (1.0 + k)).sqrt());
    while a - b > 1e-15 * a {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::PI / (a + b)
}

/// Returns Jacobi's functions (sn, cn, dn) of `u` for the modulus k, by descending Landen transformations
/// (Abramowitz and Stegun 1964, 16.4).
///
/// # Panics
///
/// If |k| is not less than 1.
#[track_caller]
#[must_use]
pub fn jacobi(u: f64, k: f64) -> (f64, f64, f64) {
    assert!(k.abs() < 1.0, "the modulus is {k}");
    let (mut a, mut b) = (1.0, ((1.0 - k) * (1.0 + k)).sqrt());
    let mut ratios = Vec::with_capacity(8);
    let mut c = k;
    // The next c is of the order of c^2, so the terms left out are below rounding error.
    while c.abs() > 1e-9 {
        let next = (0.5 * (a + b), (a * b).sqrt(), 0.5 * (a - b));
        (a, b, c) = next;
        ratios.push(c / a);
    }
    let mut phi = a * u * 2.0_f64.powi(i32::try_from(ratios.len()).expect("a handful of steps"));
    for ratio in ratios.iter().rev() {
        phi = 0.5 * (phi + (ratio * phi.sin()).asin());
    }
    let (sn, cn) = phi.sin_cos();
    // The sum of squares equals 1 - k^2 sn^2 and does not cancel.
    (sn, cn, cn.hypot(((1.0 - k) * (1.0 + k)).sqrt() * sn))
}
