//! Locations in a model file, for errors of the engine.

use std::ops::Range;

use siconos_hybrid::{EventNumber, HybridError};

/// Locations of the variables, events and settings in a model file.
#[derive(Clone, Debug, Default)]
pub(super) struct Locations {
    /// Variables by name.
    pub(super) variables: Vec<(String, Range<usize>)>,
    /// Table of the variables.
    pub(super) table: Range<usize>,
    /// Events in the order of the file.
    pub(super) events: Vec<Range<usize>>,
    /// Table of settings, if there is one.
    pub(super) settings: Option<Range<usize>>,
}

impl Locations {
    /// Returns the location of the variable, the event or the settings that an error concerns. If the error
    /// concerns none of them, returns the location of the table of the variables.
    pub(super) fn of(&self, error: &HybridError) -> &Range<usize> {
        let place = match error {
            HybridError::Inconsistent { variable, .. }
            | HybridError::SingularIndex { variable, .. }
            | HybridError::Rate { variable, .. } => self.variable(variable),
            HybridError::Trigger { event, .. }
            | HybridError::TriggerValue { event, .. }
            | HybridError::Option { event, .. }
            | HybridError::Unpaired { event, .. }
            | HybridError::UnknownEvent { event, .. } => self.event(*event),
            HybridError::NotConstant { second, .. } => self.event(*second),
            HybridError::Settings(_) | HybridError::MethodNeedsStiff { .. } => self.settings.as_ref(),
            _ => None,
        };
        place.unwrap_or(&self.table)
    }

    /// Returns the location of a variable, which is also the location of its derivatives.
    fn variable(&self, name: &str) -> Option<&Range<usize>> {
        let own = name.trim_end_matches('\'');
        self.variables.iter().find(|(known, _)| known == own).map(|(_, place)| place)
    }

    fn event(&self, number: EventNumber) -> Option<&Range<usize>> {
        self.events.get(number.checked_sub(1)?)
    }
}
