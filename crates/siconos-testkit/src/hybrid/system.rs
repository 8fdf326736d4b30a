//! Description of a hybrid system.

/// Sine wave in time, amplitude sin(frequency t).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wave {
    /// Amplitude.
    pub amplitude: f64,
    /// Angular frequency.
    pub frequency: f64,
}

/// Function u = weights . x + slope t + wave - level. It is the argument of triggers and switches.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// Coefficient of each state.
    pub weights: Vec<f64>,
    /// Coefficient of the time.
    pub slope: f64,
    /// Sine wave in time, if there is one.
    pub wave: Option<Wave>,
    /// Constant that is subtracted.
    pub level: f64,
}

impl Argument {
    /// Returns the value at time `t` and state `x`.
    #[must_use]
    pub fn value(&self, t: f64, x: &[f64]) -> f64 {
        let wave = self.wave.map_or(0.0, |it| it.amplitude * (it.frequency * t).sin());
        let sum: f64 = self.weights.iter().zip(x).map(|(weight, x)| weight * x).sum();
        sum + self.slope * t + wave - self.level
    }

    /// Returns the time derivative at time `t` if the states change at the given rates.
    #[must_use]
    pub fn rate(&self, t: f64, rates: &[f64]) -> f64 {
        let wave = self.wave.map_or(0.0, |it| it.amplitude * it.frequency * (it.frequency * t).cos());
        let sum: f64 = self.weights.iter().zip(rates).map(|(weight, rate)| weight * rate).sum();
        sum + self.slope + wave
    }
}

/// Form of a trigger: the function of its argument u whose zero crossings cause events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// u.
    Smooth,
    /// sign(u).
    Sign,
    /// `if u > 0 then 1 else -2`.
    Choice,
    /// `floor(u) + 0.5`.
    Stairs,
    /// `0.3 - mod(u, 1)`.
    Saw,
}

/// Position of the zero within each tooth of [`Shape::Saw`].
pub(super) const TOOTH: f64 = 0.3;

impl Shape {
    /// Returns the value of the trigger at the argument u.
    #[must_use]
    pub fn value(self, u: f64) -> f64 {
        match self {
            Self::Smooth => u,
            Self::Sign => {
                if u == 0.0 {
                    0.0
                } else {
                    u.signum()
                }
            }
            Self::Choice => {
                if u > 0.0 {
                    1.0
                } else {
                    -2.0
                }
            }
            Self::Stairs => u.floor() + 0.5,
            Self::Saw => TOOTH - (u - u.floor()),
        }
    }

    /// Returns the argument nearest to `u` in one direction at which the trigger crosses zero. The argument
    /// is larger than `u` if `rises` is `true`, otherwise smaller. If there is none, the result is infinite.
    #[must_use]
    pub fn next_boundary(self, u: f64, rises: bool) -> f64 {
        if self != Self::Saw {
            let is_ahead = if rises { u < 0.0 } else { u > 0.0 };
            return if is_ahead {
                0.0
            } else if rises {
                f64::INFINITY
            } else {
                f64::NEG_INFINITY
            };
        }
        let whole = u.floor();
        let places =
            [whole - 1.0, whole - 1.0 + TOOTH, whole, whole + TOOTH, whole + 1.0, whole + 1.0 + TOOTH];
        let found = if rises {
            places.into_iter().find(|place| *place > u)
        } else {
            places.into_iter().rev().find(|place| *place < u)
        };
        found.unwrap_or(whole)
    }

    /// Returns the argument nearest to `u` at which the trigger crosses zero.
    #[must_use]
    pub fn nearest_boundary(self, u: f64) -> f64 {
        if self != Self::Saw {
            return 0.0;
        }
        let (below, above) = (self.next_boundary(u, false), self.next_boundary(u, true));
        let own = [u.floor(), u.floor() + TOOTH].into_iter().find(|place| *place == u);
        own.unwrap_or(if u - below < above - u { below } else { above })
    }
}

/// Trigger function of an event.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard {
    /// Argument u.
    pub argument: Argument,
    /// Function of u.
    pub shape: Shape,
}

/// Direction of the zero crossings at which an event fires. Time increases, also in a backward integration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Both directions.
    Any,
    /// From negative to positive.
    Increasing,
    /// From positive to negative.
    Decreasing,
}

/// Change of the state by an event.
#[derive(Clone, Debug, PartialEq)]
pub enum Reset {
    /// No change.
    Nothing,
    /// Changes x to `matrix x + offset`.
    Map {
        /// Rows of the matrix.
        matrix: Vec<Vec<f64>>,
        /// Vector that is added.
        offset: Vec<f64>,
    },
    /// Adds a distance to one state in each of the first `times` firings, and sets the state to a value in
    /// all later firings. The distance is multiplied by a factor after each firing.
    SendBack {
        /// Index of the state.
        state: usize,
        /// Distance that the first firing adds.
        distance: f64,
        /// Number of firings that add a distance.
        times: u32,
        /// Factor by which the distance is multiplied after each firing.
        factor: f64,
        /// Value to which later firings set the state.
        put: f64,
    },
    /// Multiplies A and b by a negative factor, which reverses the motion apart from the switches.
    Turn {
        /// Negative factor.
        factor: f64,
    },
}

/// Event: a trigger, and a change of the state when it fires.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Trigger function.
    pub guard: Guard,
    /// Direction of the crossings at which the event fires.
    pub direction: Direction,
    /// Change of the state.
    pub reset: Reset,
}

/// Switched term of the right-hand side. It is active while all its arguments are positive.
#[derive(Clone, Debug, PartialEq)]
pub struct Switch {
    /// Arguments, all of which must be positive.
    pub arguments: Vec<Argument>,
    /// Contribution to the rate of each state.
    pub rate: Vec<f64>,
}

/// Hybrid system x' = factor (A x + b) + active switches, with events. The factor is 1 until an event changes
/// it.
#[derive(Clone, Debug, PartialEq)]
pub struct HybridProblem {
    /// Rows of the matrix A.
    pub a: Vec<Vec<f64>>,
    /// Constant part b of the right-hand side.
    pub b: Vec<f64>,
    /// Initial state, at time 0.
    pub x0: Vec<f64>,
    /// Switched terms of the right-hand side.
    pub switches: Vec<Switch>,
    /// Events. Their numbers start at 1.
    pub events: Vec<Event>,
    /// End time. It is negative for integration backward in time.
    pub end: f64,
}

impl HybridProblem {
    /// Writes the rates at the state `x` into `rates`, with the terms of the switches that are on.
    pub(super) fn rates(&self, factor: f64, is_on: &[bool], x: &[f64], rates: &mut [f64]) {
        for (i, rate) in rates.iter_mut().enumerate() {
            let row: f64 = self.a[i].iter().zip(x).map(|(a, x)| a * x).sum();
            let terms = self.switches.iter().zip(is_on).filter(|(_, is_on)| **is_on);
            *rate = factor * (row + self.b[i]) + terms.map(|(switch, _)| switch.rate[i]).sum::<f64>();
        }
    }
}
