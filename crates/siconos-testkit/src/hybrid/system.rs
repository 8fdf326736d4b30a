//! A hybrid system as data.

/// A wave of the time, amplitude sin(frequency t).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wave {
    /// Its amplitude.
    pub amplitude: f64,
    /// Its angular frequency.
    pub frequency: f64,
}

/// A function u = weights . x + slope t + wave - level, of which triggers and switches are made.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// One factor for each state.
    pub weights: Vec<f64>,
    /// The factor of the time.
    pub slope: f64,
    /// A wave of the time.
    pub wave: Option<Wave>,
    /// What is subtracted.
    pub level: f64,
}

impl Argument {
    /// Its value.
    #[must_use]
    pub fn value(&self, t: f64, x: &[f64]) -> f64 {
        let wave = self.wave.map_or(0.0, |it| it.amplitude * (it.frequency * t).sin());
        let sum: f64 = self.weights.iter().zip(x).map(|(weight, x)| weight * x).sum();
        sum + self.slope * t + wave - self.level
    }

    /// Its derivative by time, if the state moves at these rates.
    #[must_use]
    pub fn rate(&self, t: f64, rates: &[f64]) -> f64 {
        let wave = self.wave.map_or(0.0, |it| it.amplitude * it.frequency * (it.frequency * t).cos());
        let sum: f64 = self.weights.iter().zip(rates).map(|(weight, rate)| weight * rate).sum();
        sum + self.slope + wave
    }
}

/// How the value of a trigger follows from its argument u.
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

/// Where a saw crosses zero within each tooth.
pub(super) const TOOTH: f64 = 0.3;

impl Shape {
    /// The value of a trigger whose argument is u.
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

    /// The next place beyond u, in a direction, at which the value crosses zero.
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

    /// The place nearest to u at which the value crosses zero.
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

/// The function of a trigger.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard {
    /// Its argument.
    pub argument: Argument,
    /// What becomes of it.
    pub shape: Shape,
}

/// In which direction by time a trigger fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Both.
    Any,
    /// From negative to positive.
    Increasing,
    /// From positive to negative.
    Decreasing,
}

/// What an event does.
#[derive(Clone, Debug, PartialEq)]
pub enum Reset {
    /// Nothing.
    Nothing,
    /// x becomes `matrix x + offset`.
    Map {
        /// By rows.
        matrix: Vec<Vec<f64>>,
        /// What is added.
        offset: Vec<f64>,
    },
    /// The first firings move one state so that the argument goes back by a distance, which shrinks by a
    /// factor from one to the next; all later ones put this state to a value.
    SendBack {
        /// The state.
        state: usize,
        /// By how much it moves: the sign is that of the way back.
        distance: f64,
        /// How often.
        times: u32,
        /// By what it is multiplied each time.
        factor: f64,
        /// Where the state is put afterwards.
        put: f64,
    },
    /// Changes the sign of all rates of the free motion: A and b are multiplied by a factor.
    Turn {
        /// The factor, below 0.
        factor: f64,
    },
}

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// What triggers it.
    pub guard: Guard,
    /// In which direction.
    pub direction: Direction,
    /// What it does.
    pub reset: Reset,
}

/// A term of the right-hand side that is there while all arguments are positive.
#[derive(Clone, Debug, PartialEq)]
pub struct Switch {
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// The term, a number for each state.
    pub rate: Vec<f64>,
}

/// A system x' = factor (A x + b) + switches, with events.
#[derive(Clone, Debug, PartialEq)]
pub struct HybridProblem {
    /// By rows.
    pub a: Vec<Vec<f64>>,
    /// The constant part of the rates.
    pub b: Vec<f64>,
    /// The initial state, at time 0.
    pub x0: Vec<f64>,
    /// Terms that come and go.
    pub switches: Vec<Switch>,
    /// The events, in their order.
    pub events: Vec<Event>,
    /// Up to when, forward or backward.
    pub end: f64,
}

impl HybridProblem {
    /// Writes the rates where the terms of these switches are there.
    pub(super) fn rates(&self, factor: f64, is_on: &[bool], x: &[f64], rates: &mut [f64]) {
        for (i, rate) in rates.iter_mut().enumerate() {
            let row: f64 = self.a[i].iter().zip(x).map(|(a, x)| a * x).sum();
            let terms = self.switches.iter().zip(is_on).filter(|(_, is_on)| **is_on);
            *rate = factor * (row + self.b[i]) + terms.map(|(switch, _)| switch.rate[i]).sum::<f64>();
        }
    }
}
