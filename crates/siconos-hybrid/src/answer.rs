//! Results of an integration.

use std::fmt;

use super::EventNumber;

/// Direction of integration, which always points away from the initial time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Direction {
    /// Towards later times.
    Right,
    /// Towards earlier times.
    Left,
}

impl Direction {
    /// Returns 1 or -1.
    #[must_use]
    pub fn sign(self) -> f64 {
        match self {
            Self::Right => 1.0,
            Self::Left => -1.0,
        }
    }

    /// Returns the direction from time `from` to time `to`, or `None` if the times are equal.
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

/// Result of a request for the solution at a time. With every result, the part of the solution that has been
/// computed can be read.
#[must_use = "the outcome reports if the time was reached"]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum IntegrationOutcome {
    /// The solution has been computed up to the requested time.
    Reached,
    /// An event halted the integration before the requested time.
    Halted {
        /// Time of the event \[s\].
        t: f64,
        /// Event number of the event that halted the integration.
        event: EventNumber,
        /// Direction of integration.
        direction: Direction,
    },
    /// Events accumulate before the requested time: infinitely many events occur at shrinking intervals. The
    /// solution ends at the last event that was computed.
    Accumulation {
        /// Estimated accumulation time \[s\].
        t: f64,
        /// Event numbers of the events that accumulate.
        events: Vec<EventNumber>,
        /// Direction of integration.
        direction: Direction,
    },
    /// The motion reaches a switch and cannot leave it, because the equations on both sides lead to the
    /// switch, or because they switch at shrinking intervals. The equations do not define a motion along the
    /// switch, so the solution ends.
    Sliding {
        /// Time at which the solution ends \[s\].
        t: f64,
        /// Name of the switch.
        switch: String,
        /// Direction of integration.
        direction: Direction,
    },
    /// The tolerances require a step that is shorter than the floating-point resolution of the time. Either
    /// the solution is singular, or the tolerances are too small.
    StepTooSmall {
        /// Last time that was reached \[s\].
        t: f64,
        /// Step length that the tolerances would require \[s\].
        h: f64,
    },
    /// The maximum number of steps, [`max_steps`](siconos_ode::OdeSettings::max_steps), was reached. The next
    /// request continues from the last computed time.
    MaxSteps {
        /// Last time that was reached \[s\].
        t: f64,
    },
}

impl fmt::Display for IntegrationOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reached => f.write_str("the solution has been reached"),
            Self::Halted { t, event, direction } => write!(
                f,
                "cannot evaluate the solution to the {direction} of {t}: event {event} triggered a halt"
            ),
            Self::Accumulation { t, events, direction } => {
                let events: Vec<String> = events.iter().map(ToString::to_string).collect();
                let events = events.join(", ");
                write!(
                    f,
                    "cannot evaluate the solution to the {direction} of {t}: events accumulate ({events})"
                )
            }
            Self::Sliding { t, switch, direction } => write!(
                f,
                "cannot evaluate the solution to the {direction} of {t}: the equations switch back and forth where \
                 `{switch}` changes sign, and the motion stays there; use an event with two thresholds that changes a \
                 discrete variable, or a relay in a `model` file"
            ),
            Self::StepTooSmall { t, h } => {
                write!(f, "cannot evaluate the solution beyond {t}, where a step of {h:e} would be required")
            }
            Self::MaxSteps { t } => {
                write!(f, "the maximum number of steps was taken; t = {t} has been reached")
            }
        }
    }
}
