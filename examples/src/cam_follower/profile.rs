//! Profile of the cam: lift, velocity and acceleration as functions of time.
//!
//! The contour consists of a base circle, two arcs and a nose, and is symmetric about its axis. The constants
//! are the printed constants of the published example, including 3.14159265 for pi. With other digits, the
//! arcs would not join.

#[expect(
    clippy::approx_constant,
    reason = "the published profile has these digits, and its arcs join with them"
)]
const PI: f64 = 3.141_592_65;
const BASE_RADIUS: f64 = 0.40;
const K1: f64 = 0.45;
const K2: f64 = 0.403_933_207_238_21;
const RHO1: f64 = 0.85;
const RHO2: f64 = 0.553_933_207_238_21;
const RHO3: f64 = 0.15;
const BETA1: f64 = 0.0;
const BETA2: f64 = 1.050_328_174_371_336;
const BETA3: f64 = 1.221_730_476_396_03;
/// Distance between the axis of the cam and the origin of the lift \[m\].
const OFFSET: f64 = 0.3;

/// A cam that rotates at constant speed.
///
/// ```
/// use siconos_examples::cam_follower::Cam;
///
/// let lift = Cam::new(358.0, 0.0).lift(0.05);
/// assert!((lift.c - 0.253_933_207_238_210_1).abs() < 1e-15, "on the nose the lift is constant");
/// assert_eq!(lift.c_dot, 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cam {
    rpm: f64,
    phase: f64,
    /// Angular velocity \[rad/s\].
    omega: f64,
}

/// Position \[m\], velocity \[m/s\] and acceleration \[m/s2\] of the cam at the follower.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lift {
    /// Lift c(t).
    pub c: f64,
    /// First derivative of the lift, which is continuous.
    pub c_dot: f64,
    /// Second derivative of the lift, which jumps at the boundaries between arcs.
    pub c_ddot: f64,
}

impl Cam {
    /// Creates a cam that rotates at `rpm` revolutions per minute. `phase` \[rad\] is its angle at t = 0.
    #[must_use]
    pub fn new(rpm: f64, phase: f64) -> Self {
        Self { rpm, phase, omega: 2.0 * PI * rpm / 60.0 }
    }

    /// Returns the speed \[rpm\].
    #[must_use]
    pub fn rpm(&self) -> f64 {
        self.rpm
    }

    /// Returns the angle at t = 0 \[rad\].
    #[must_use]
    pub fn phase(&self) -> f64 {
        self.phase
    }

    /// Returns the angular velocity \[rad/s\].
    #[must_use]
    pub fn angular_velocity(&self) -> f64 {
        self.omega
    }

    /// Returns the angle by which the cam has rotated since the last start of its lift, in \[0, 360) \[deg\].
    #[must_use]
    pub fn degrees(&self, t: f64) -> f64 {
        let turns = (self.omega * t + self.phase) / (2.0 * PI);
        // Just below a full turn, the fraction may be rounded to 1.
        (360.0 * (turns - turns.floor())) % 360.0
    }

    /// Returns the duration of a turn \[s\].
    #[must_use]
    pub fn turn(&self) -> f64 {
        2.0 * PI / self.omega
    }

    /// Returns the times in (`from`, `to`) at which c'' jumps, in increasing order. An integration of high
    /// order should stop at these times.
    ///
    /// ```
    /// use siconos_examples::cam_follower::Cam;
    ///
    /// let cam = Cam::new(60.0, 0.0);
    /// assert_eq!(cam.switch_times(0.0, 2.0).len(), 11, "six in a turn, without that at t = 0");
    /// ```
    #[must_use]
    pub fn switch_times(&self, from: f64, to: f64) -> Vec<f64> {
        let ahead = |t: f64| self.omega * t + self.phase + PI / 2.0;
        let (first, last) = (ahead(from) / (2.0 * PI), ahead(to) / (2.0 * PI));
        let rising = Self::switch_angles();
        let mut times = Vec::new();
        let mut turn = first.floor();
        while turn <= last {
            let falling = rising.iter().rev().map(|angle| 2.0 * PI - angle);
            let angles = rising.iter().copied().chain(falling);
            times.extend(angles.map(|b| (b + 2.0 * PI * turn - self.phase - PI / 2.0) / self.omega));
            turn += 1.0;
        }
        times.retain(|t| from < *t && *t < to);
        times
    }

    /// Returns the radial distance from the base circle to the nose \[m\].
    #[must_use]
    pub fn height() -> f64 {
        RHO2 - BASE_RADIUS
    }

    /// Returns the distance of the axis of the cam below the origin of the lift \[m\].
    #[must_use]
    pub fn axis_below() -> f64 {
        OFFSET
    }

    /// Returns the angles in \[pi/2, pi\] at which c'' jumps. The cam is symmetric about pi.
    #[must_use]
    pub fn switch_angles() -> [f64; 3] {
        [PI / 2.0 - BETA1, PI / 2.0 + BETA2, PI / 2.0 + BETA3]
    }

    /// Returns the angle of the cam, reduced to \[0, pi\] by its symmetry, and the derivative of this angle,
    /// which is negative in the second half of a turn.
    fn angle(&self, t: f64) -> (f64, f64) {
        let turned = (self.omega * t + self.phase + PI / 2.0) % (2.0 * PI);
        let turned = if turned < 0.0 { turned + 2.0 * PI } else { turned };
        if turned > PI { (2.0 * PI - turned, -self.omega) } else { (turned, self.omega) }
    }

    /// Returns the lift c(t) at time `t`.
    #[must_use]
    pub fn position(&self, t: f64) -> f64 {
        let (b, _) = self.angle(t);
        let [base_end, flank_end, nose_begin] = Self::switch_angles();
        let contour = if b <= base_end {
            BASE_RADIUS
        } else if b <= flank_end {
            let cos = b.cos();
            -K1 * b.sin() + RHO1 * (1.0 - (K1 / RHO1).powi(2) * cos * cos).sqrt()
        } else if b <= nose_begin {
            let (sin, cos) = (b + PI / 9.0).sin_cos();
            -K2 * cos + RHO3 * (1.0 - (K2 / RHO3).powi(2) * sin * sin).sqrt()
        } else {
            RHO2
        };
        contour - OFFSET
    }

    /// Returns the lift and its derivatives at time `t`.
    #[must_use]
    pub fn lift(&self, t: f64) -> Lift {
        let (b, w) = self.angle(t);
        let [base_end, flank_end, nose_begin] = Self::switch_angles();
        if b <= base_end {
            Lift { c: BASE_RADIUS - OFFSET, c_dot: 0.0, c_ddot: 0.0 }
        } else if b <= flank_end {
            flank(b, w)
        } else if b <= nose_begin {
            shoulder(b, w)
        } else {
            Lift { c: RHO2 - OFFSET, c_dot: 0.0, c_ddot: 0.0 }
        }
    }
}

/// Returns the lift on the arc of radius rho1. The centre of the arc is at the distance k1 beyond the axis.
fn flank(b: f64, w: f64) -> Lift {
    let (sin, cos) = b.sin_cos();
    let s = (1.0 - (K1 / RHO1).powi(2) * cos * cos).sqrt();
    let bend = K1 * K1 / (RHO1 * s);
    let curvature = cos * cos - sin * sin - (K1 * sin * cos / (RHO1 * s)).powi(2);
    Lift {
        c: -K1 * sin + RHO1 * s - OFFSET,
        c_dot: w * (-K1 * cos + bend * sin * cos),
        c_ddot: w * w * (K1 * sin + bend * curvature),
    }
}

/// Returns the lift on the arc of radius rho3. The centre of the arc is at the distance k2 on the near side
/// of the axis.
fn shoulder(b: f64, w: f64) -> Lift {
    let (sin, cos) = (b + PI / 9.0).sin_cos();
    let s = (1.0 - (K2 / RHO3).powi(2) * sin * sin).sqrt();
    let bend = K2 * K2 / (RHO3 * s);
    // The published second derivative uses b - beta3, which equals the angle above minus pi/2, up to rounding
    // of the published constants.
    let (sin_d, cos_d) = (b - BETA3).sin_cos();
    let s_d = (1.0 - (K2 / RHO3).powi(2) * cos_d * cos_d).sqrt();
    let curvature = cos_d * cos_d - sin_d * sin_d - (K2 * sin_d * cos_d / (RHO3 * s_d)).powi(2);
    Lift {
        c: -K2 * cos + RHO3 * s - OFFSET,
        c_dot: w * (K2 * sin - bend * sin * cos),
        c_ddot: w * w * (-K2 * sin_d + K2 * K2 / (RHO3 * s_d) * curvature),
    }
}
