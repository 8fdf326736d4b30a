//! Cam of the cam-follower example of Siconos.
//!
//! This implementation of the published formulas is independent of the implementation in the examples, so
//! that the tests detect mistakes there.

/// Approximation of pi in the original program, with which the switch angles below are computed.
#[expect(clippy::approx_constant, reason = "the original rounds here, and its reference data show it")]
const PI: f64 = 3.141_592_65;
const BASE_RADIUS: f64 = 0.40;
const K1: f64 = 0.45;
const K2: f64 = 0.403_933_207_238_21;
const RHO1: f64 = 0.85;
const RHO2: f64 = 0.553_933_207_238_21;
const RHO3: f64 = 0.15;
const B2: f64 = 1.050_328_174_371_336;
const B3: f64 = 1.221_730_476_396_03;
const LIFT_OFFSET: f64 = 0.3;

/// Position, velocity and acceleration of the surface of a cam under the follower, at a constant speed of
/// rotation.
///
/// The profile consists of four pieces: base circle, flank, nose and top dwell. It is symmetric about the
/// top. Position and velocity are continuous to about 1e-8, because the constants are rounded. The
/// acceleration jumps between the pieces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cam {
    speed: f64,
}

impl Cam {
    /// Creates a cam with a speed in revolutions per minute. The lift starts at t = 0.
    ///
    /// # Panics
    ///
    /// If the speed is not positive.
    #[track_caller]
    #[must_use]
    pub fn new(revolutions_per_minute: f64) -> Self {
        assert!(revolutions_per_minute > 0.0, "speed is {revolutions_per_minute}");
        Self { speed: 2.0 * PI * revolutions_per_minute / 60.0 }
    }

    /// Returns the position at time `t >= 0`.
    #[must_use]
    pub fn position(&self, t: f64) -> f64 {
        self.profile(t).0
    }

    /// Returns the velocity at time `t`.
    #[must_use]
    pub fn velocity(&self, t: f64) -> f64 {
        self.profile(t).1
    }

    /// Returns the acceleration at time `t`.
    #[must_use]
    pub fn acceleration(&self, t: f64) -> f64 {
        self.profile(t).2
    }

    /// Returns the times in (from, to) at which one piece of the profile ends and the next starts, in
    /// increasing order.
    #[must_use]
    pub fn breakpoints(&self, from: f64, to: f64) -> Vec<f64> {
        let corners = [PI / 2.0, PI / 2.0 + B2, PI / 2.0 + B3];
        let mut times = Vec::new();
        let angle = |t: f64| self.speed * t + PI / 2.0;
        let mut turn = (angle(from) / (2.0 * PI)).floor();
        while 2.0 * PI * turn <= angle(to) {
            let mirrored = corners.iter().map(|b| 2.0 * PI - b);
            let angles = corners.iter().copied().chain(mirrored);
            times.extend(angles.map(|b| (b + 2.0 * PI * turn - PI / 2.0) / self.speed));
            turn += 1.0;
        }
        times.retain(|t| from < *t && *t < to);
        times.sort_by(f64::total_cmp);
        times
    }

    fn profile(&self, t: f64) -> (f64, f64, f64) {
        let mut b = (self.speed * t + PI / 2.0) % (2.0 * PI);
        let mut w = self.speed;
        if b > PI {
            b = 2.0 * PI - b;
            w = -w;
        }
        if b <= PI / 2.0 {
            (BASE_RADIUS - LIFT_OFFSET, 0.0, 0.0)
        } else if b <= PI / 2.0 + B2 {
            let (sin, cos) = b.sin_cos();
            let (c, slope, curvature) = flank(sin, cos);
            (c - LIFT_OFFSET, w * slope, w * w * curvature)
        } else if b <= PI / 2.0 + B3 {
            let (sin, cos) = (b + PI / 9.0).sin_cos();
            let (c, slope, curvature) = nose(sin, cos);
            (c - LIFT_OFFSET, w * slope, w * w * curvature)
        } else {
            (RHO2 - LIFT_OFFSET, 0.0, 0.0)
        }
    }
}

/// Returns the distance from the axis on the flank circle, and its first two derivatives with respect to the
/// angle.
fn flank(sin: f64, cos: f64) -> (f64, f64, f64) {
    let root = (1.0 - (K1 / RHO1 * cos).powi(2)).sqrt();
    let bracket = cos * cos - sin * sin - (K1 * sin * cos / (RHO1 * root)).powi(2);
    (
        -K1 * sin + RHO1 * root,
        -K1 * cos + K1 * K1 * sin * cos / (RHO1 * root),
        K1 * sin + K1 * K1 / (RHO1 * root) * bracket,
    )
}

/// Returns the distance from the axis on the nose circle, and its first two derivatives with respect to the
/// angle about the centre of the nose.
fn nose(sin: f64, cos: f64) -> (f64, f64, f64) {
    let root = (1.0 - (K2 / RHO3 * sin).powi(2)).sqrt();
    let bracket = sin * sin - cos * cos - (K2 * sin * cos / (RHO3 * root)).powi(2);
    (
        -K2 * cos + RHO3 * root,
        K2 * sin - K2 * K2 * sin * cos / (RHO3 * root),
        K2 * cos + K2 * K2 / (RHO3 * root) * bracket,
    )
}
