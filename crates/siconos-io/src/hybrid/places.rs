//! Where a file has what the engine complains of.

use std::ops::Range;

use siconos_hybrid::{EventNumber, HybridError};

/// Places of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// The variables by their names.
    pub(super) variables: Vec<(String, Range<usize>)>,
    /// The table that these stand in.
    pub(super) table: Range<usize>,
    /// The events in their order.
    pub(super) events: Vec<Range<usize>>,
    /// The table of settings, if there is one.
    pub(super) settings: Option<Range<usize>>,
}

impl Places {
    /// The variable, the event or the settings that an error is about, else the table of the variables.
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

    /// A variable stands with its derivatives in one place.
    fn variable(&self, name: &str) -> Option<&Range<usize>> {
        let own = name.trim_end_matches('\'');
        self.variables.iter().find(|(known, _)| known == own).map(|(_, place)| place)
    }

    fn event(&self, number: EventNumber) -> Option<&Range<usize>> {
        self.events.get(number.checked_sub(1)?)
    }
}
