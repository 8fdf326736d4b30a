//! What does not hold yet, with the reason. The list only gets shorter.

use super::families::Family::{
    self, BallsInSpace, Bridge, Column, Cradle, CubicRelay, Diode, Discs, DoublePendulum, DrivenDiodes,
    Pendulum, PendulumOnSlider, PointOnRod, Rods, ShakenTable, SlidingMode, Structure, Swept, TwoRelays,
};
use super::plan::Plan;

/// Questions that models may fail, if they have a part of one of some families.
struct Exception {
    reason: &'static str,
    simulation: &'static str,
    questions: &'static [&'static str],
    /// None for any model.
    families: &'static [Family],
}

const UNITS: &[&str] = &["mass", "length", "time", "all units"];

const KNOWN: &[Exception] = &[
    Exception {
        reason: "the error measure of contact problems with friction adds up impulses and velocities",
        simulation: "time-stepping",
        questions: UNITS,
        families: &[Discs, BallsInSpace],
    },
    Exception {
        reason: "W is factorised with pivots that depend on the units of its coordinates, and so is the problem of a step whose \
                 rows have different units",
        simulation: "time-stepping",
        questions: UNITS,
        families: &[Diode, Bridge, Swept, DrivenDiodes, SlidingMode, TwoRelays, CubicRelay],
    },
    Exception {
        reason: "Newton's residual adds up forces and moments",
        simulation: "time-stepping",
        questions: UNITS,
        families: &[PendulumOnSlider, DoublePendulum, Pendulum, PointOnRod, ShakenTable],
    },
    Exception {
        reason: "some test of the linear complementarity problem depends on the unit of mass",
        simulation: "time-stepping",
        questions: &["mass", "all units"],
        families: &[Column],
    },
    Exception {
        reason: "a part that is not linear makes all others iterate",
        simulation: "time-stepping",
        questions: &["free pendulum after"],
        families: &[],
    },
    Exception {
        reason: "Newton ends by the residual of the whole model, at a tolerance that shows",
        simulation: "time-stepping",
        questions: &["bouncing ball before", "bouncing ball after", "each part alone"],
        families: &[PendulumOnSlider, DoublePendulum, Pendulum, PointOnRod, ShakenTable, CubicRelay],
    },
    Exception {
        reason: "a contact that touches to rounding is active or not as the rounding falls",
        simulation: "time-stepping",
        questions: &[
            "bouncing ball before",
            "bouncing ball after",
            "each part alone",
            "other order of birth",
        ],
        families: &[Column, Cradle, Rods],
    },
    Exception {
        reason: "Newton's residual has no floor at its rounding",
        simulation: "time-stepping",
        questions: &["as it is"],
        families: &[ShakenTable, PointOnRod],
    },
    Exception {
        reason: "differences in time are taken over the distance of points of output",
        simulation: "event-driven",
        questions: &["as it is"],
        families: &[ShakenTable],
    },
    Exception {
        reason: "ComplementarityCondition of several components is refused",
        simulation: "event-driven",
        questions: &["as it is"],
        families: &[Structure],
    },
    Exception {
        reason: "guards are looked at between points of output and not step by step",
        simulation: "event-driven",
        questions: &["more points", "sensors"],
        families: &[],
    },
    Exception {
        reason: "the detector of accumulations lives in the simulation and not in the state",
        simulation: "event-driven",
        questions: &["rebuilt", "copies"],
        families: &[Column, Rods, ShakenTable, Pendulum, PendulumOnSlider, DoublePendulum],
    },
    Exception {
        reason: "the choice of a mode compares with a number in the unit of time",
        simulation: "event-driven",
        questions: &["time"],
        families: &[Bridge],
    },
    Exception {
        reason: "missed by a factor of two: growth of errors along the motion",
        simulation: "event-driven",
        questions: &[
            "free body before",
            "free body after",
            "free pendulum after",
            "bouncing ball before",
            "bouncing ball after",
        ],
        families: &[PendulumOnSlider],
    },
];

/// Notes which of the known exceptions have been met.
#[derive(Default)]
pub(crate) struct Exceptions {
    met: Vec<usize>,
}

impl Exceptions {
    pub(crate) fn covers(&mut self, simulation: &str, question: &str, plan: &Plan) -> bool {
        let fits = |known: &Exception| {
            known.simulation == simulation
                && known.questions.contains(&question)
                && (known.families.is_empty() || plan.parts.iter().any(|part| known.families.contains(part)))
        };
        let found = KNOWN.iter().position(fits);
        self.met.extend(found);
        found.is_some()
    }

    /// How many failures were known.
    pub(crate) fn count(&self) -> usize {
        self.met.len()
    }

    /// The reasons of the known exceptions that were never met.
    pub(crate) fn unused(&self) -> Vec<&'static str> {
        let never = KNOWN.iter().enumerate().filter(|(place, _)| !self.met.contains(place));
        never.map(|(_, known)| known.reason).collect()
    }
}
