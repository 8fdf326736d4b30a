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
    /// So many of all questions to all models fail for this reason; it never grows.
    most: usize,
}

const UNITS: &[&str] = &["mass", "length", "time", "all units"];

const KNOWN: &[Exception] = &[
    Exception {
        reason: "the error measure of contact problems with friction adds up impulses and velocities",
        simulation: "time-stepping",
        questions: UNITS,
        families: &[Discs, BallsInSpace],
        most: 52,
    },
    Exception {
        reason: "W is factorised with pivots that depend on the units of its coordinates, and so is the problem of a step whose \
                 rows have different units",
        simulation: "time-stepping",
        questions: UNITS,
        families: &[Diode, Bridge, Swept, DrivenDiodes, SlidingMode, TwoRelays, CubicRelay],
        most: 75,
    },
    Exception {
        reason: "Newton's residual adds up forces and moments",
        simulation: "time-stepping",
        questions: UNITS,
        families: &[PendulumOnSlider, DoublePendulum, Pendulum, PointOnRod, ShakenTable],
        most: 33,
    },
    Exception {
        reason: "some test of the linear complementarity problem depends on the unit of mass",
        simulation: "time-stepping",
        questions: &["mass", "all units"],
        families: &[Column],
        most: 6,
    },
    Exception {
        reason: "a part that is not linear makes all others iterate",
        simulation: "time-stepping",
        questions: &["free pendulum after"],
        families: &[],
        most: 91,
    },
    Exception {
        reason: "Newton ends by the residual of the whole model, at a tolerance that shows",
        simulation: "time-stepping",
        questions: &["bouncing ball before", "bouncing ball after", "each part alone"],
        families: &[PendulumOnSlider, DoublePendulum, Pendulum, PointOnRod, ShakenTable, CubicRelay],
        most: 44,
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
        most: 8,
    },
    Exception {
        reason: "Newton's residual has no floor at its rounding",
        simulation: "time-stepping",
        questions: &["as it is"],
        families: &[ShakenTable, PointOnRod],
        most: 2,
    },
    Exception {
        reason: "the time scale of the model and the step of differences in q are not in the unit of the model",
        simulation: "event-driven",
        questions: UNITS,
        families: &[ShakenTable],
        most: 3,
    },
    Exception {
        reason: "ComplementarityCondition of several components is refused",
        simulation: "event-driven",
        questions: &["as it is"],
        families: &[Structure],
        most: 3,
    },
    Exception {
        reason: "the detector of accumulations lives in the simulation and not in the state",
        simulation: "event-driven",
        questions: &["rebuilt", "copies"],
        families: &[Column, Rods, ShakenTable, Pendulum, PendulumOnSlider, DoublePendulum],
        most: 18,
    },
    Exception {
        reason: "the choice of a mode compares with a number in the unit of time",
        simulation: "event-driven",
        questions: &["time"],
        families: &[Bridge],
        most: 1,
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
        most: 5,
    },
];

/// Counts how often each of the known exceptions has been met.
pub(crate) struct Exceptions {
    met: Vec<usize>,
}

impl Default for Exceptions {
    fn default() -> Self {
        Self { met: vec![0; KNOWN.len()] }
    }
}

impl Exceptions {
    pub(crate) fn covers(&mut self, simulation: &str, question: &str, plan: &Plan) -> bool {
        let fits = |known: &Exception| {
            known.simulation == simulation
                && known.questions.contains(&question)
                && (known.families.is_empty() || plan.parts.iter().any(|part| known.families.contains(part)))
        };
        let found = KNOWN.iter().position(fits);
        if let Some(place) = found {
            self.met[place] += 1;
        }
        found.is_some()
    }

    /// How many failures were known.
    pub(crate) fn count(&self) -> usize {
        self.met.iter().sum()
    }

    /// After all models: the exceptions that were met more often than they may, or never, with how often.
    pub(crate) fn wrong(&self) -> Vec<String> {
        let counts = KNOWN.iter().zip(&self.met);
        let wrong = counts.filter(|(known, met)| **met > known.most || **met == 0);
        wrong
            .map(|(known, met)| format!("{met} of {}: {}, {}", known.most, known.simulation, known.reason))
            .collect()
    }
}
