//! What does not hold yet, with the reason. The list only gets shorter.

use super::families::Family::{self, Structure};
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

const KNOWN: &[Exception] = &[Exception {
    reason: "points on arms: more than 20 000 events, impacts without end",
    simulation: "event-driven",
    questions: &["as it is"],
    families: &[Structure],
    most: 2,
}];

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
