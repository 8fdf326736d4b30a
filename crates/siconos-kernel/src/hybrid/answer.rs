//! What an integration answers.

use std::fmt;

use super::EventNumber;

/// Which way one integrates: always away from the initial point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Direction {
    /// To later times.
    Right,
    /// To earlier times.
    Left,
}

impl Direction {
    /// 1 or -1.
    #[must_use]
    pub fn sign(self) -> f64 {
        match self {
            Self::Right => 1.0,
            Self::Left => -1.0,
        }
    }

    /// The direction from one time to another; none where they are the same.
    #[must_use]
    pub fn of(from: f64, to: f64) -> Option<Self> {
        match to.partial_cmp(&from)? {
            std::cmp::Ordering::Greater => Some(Self::Right),
            std::cmp::Ordering::Less => Some(Self::Left),
            std::cmp::Ordering::Equal => None,
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Right => "right",
            Self::Left => "left",
        })
    }
}

/// How a request for the solution at a time ended. Whatever it is, the solution can be read at the time that
/// it names, and all that was computed before.
#[must_use = "whether the time was reached is said here"]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Answer {
    /// The solution at the time is there.
    Reached,
    /// An event halted the integration before the time.
    Halted {
        /// Where \[s\].
        t: f64,
        /// Which.
        event: EventNumber,
        /// On the way to later or to earlier times.
        direction: Direction,
    },
    /// Events follow each other at shorter and shorter intervals, infinitely many of them before the time
    /// asked for. The solution ends at the last that was computed.
    Accumulation {
        /// Where they accumulate, estimated \[s\].
        t: f64,
        /// Which.
        events: Vec<EventNumber>,
        /// On the way to later or to earlier times.
        direction: Direction,
    },
    /// On both sides of a switch the equations lead to it, or they switch at shorter and shorter intervals:
    /// the motion cannot leave the switch, and the equations do not say how it goes on along it. The solution
    /// ends there.
    Sliding {
        /// Where \[s\].
        t: f64,
        /// The name of the switch.
        switch: String,
        /// On the way to later or to earlier times.
        direction: Direction,
    },
    /// The tolerances ask for a step that is lost in rounding: a singularity of the solution, or tolerances
    /// that are too small.
    StepTooSmall {
        /// The last time that was reached \[s\].
        t: f64,
        /// The step that would have been needed \[s\].
        h: f64,
    },
    /// [`max_steps`](siconos_numerics::ode::OdeSettings::max_steps) were taken; asking again goes on.
    MaxSteps {
        /// The last time that was reached \[s\].
        t: f64,
    },
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reached => f.write_str("the solution has been reached"),
            Self::Halted { t, event, direction } => write!(
                f,
                "cannot evaluate the solution further {direction} of {t}, event {event} triggered a halt"
            ),
            Self::Accumulation { t, events, direction } => {
                let events: Vec<String> = events.iter().map(ToString::to_string).collect();
                let events = events.join(", ");
                write!(
                    f,
                    "cannot evaluate the solution further {direction} of {t}, events accumulate: {events}"
                )
            }
            Self::Sliding { t, switch, direction } => write!(
                f,
                "cannot evaluate the solution further {direction} of {t}: the equations switch to and fro where \
                 `{switch}` changes its sign, and the motion stays there; let an event with two thresholds change a \
                 discrete variable, or write it as a relay in a file of the kind `model`"
            ),
            Self::StepTooSmall { t, h } => {
                write!(f, "cannot evaluate the solution beyond {t}, where a step of {h:e} would be needed")
            }
            Self::MaxSteps { t } => write!(f, "the largest number of steps was taken; {t} has been reached"),
        }
    }
}
