//! Contacts outside the index set that overlap at the end of a step, and contacts that the projection of
//! other contacts pushes into overlap.

use super::super::TimeStepping;
use super::{Projector, evaluate_gaps, rounding_of};
use crate::integrator::Projection;
use crate::nonsmooth_problem::{Tables, UnitaryEntry, UnitaryIndex};
use crate::state::State;

impl Projector {
    /// Finds the contacts that the projection has pushed into overlap, or to more than twice the overlap that
    /// they had before the projection. Returns `true` if such contacts were found.
    pub(super) fn find_pushed(&mut self, of: &mut TimeStepping, state: &State) -> bool {
        if !self.has_moved {
            return false;
        }
        evaluate_gaps(of, state);
        let TimeStepping { tables, kinematics, work, .. } = of;
        let is_pushed = |(place, unitary): (UnitaryIndex, &UnitaryEntry)| {
            let row = unitary.first_row();
            // A contact that closed late in the step already overlaps before the projection. Its overlap may
            // increase by up to its own size.
            let pushed = 2.0 * self.gaps_before[row.index()].min(0.0) - work.y[row.index()];
            let is_in = pushed > 0.0
                && is_direct_contact(tables, unitary)
                && self.members.binary_search(&place).is_err();
            let is_real = || pushed > rounding_of(tables, kinematics, row, state, work);
            (is_in && is_real()).then_some(place)
        };
        let before = self.pushed.len();
        self.pushed.extend(tables.unitary.entries().filter_map(is_pushed));
        self.pushed.len() > before
    }

    /// Finds the contacts outside the index set that overlap at the end of the step and have the projection
    /// `Projection::Combined`.
    fn find_overlapping(&mut self, of: &mut TimeStepping, state: &State) {
        self.overlapping.clear();
        if !self.takes_overlapping {
            return;
        }
        evaluate_gaps(of, state);
        let TimeStepping { tables, kinematics, work, index_set, sleeper, .. } = of;
        let held = sleeper.as_ref().map_or(&[][..], |sleeper| sleeper.held_interactions());
        let overlaps = |place: &UnitaryIndex| {
            let row = tables.unitary[*place].first_row();
            let (entry, y) = (&tables.rows[row], work.y[row.index()]);
            entry.has_gap
                && y < 0.0
                && tables.kind(entry.kind).projection == Some(Projection::Combined)
                && -y > rounding_of(tables, kinematics, row, state, work)
                && index_set.members().binary_search(place).is_err()
                && held.binary_search(&tables.unitary[*place].interaction).is_err()
        };
        self.overlapping.extend(tables.unitary.places().filter(overlaps));
    }
}

/// Returns `true` for contacts with the projection `Projection::Direct`.
pub(super) fn is_direct_contact(tables: &Tables, unitary: &UnitaryEntry) -> bool {
    tables.rows[unitary.first_row()].has_gap && tables.kind_of(unitary).projection == Some(Projection::Direct)
}

impl TimeStepping {
    /// Adds to the index set the contacts with the projection `Projection::Combined` that overlap at the end
    /// of the step, and restarts the step. Returns `false` if no contact overlaps.
    #[inline(never)]
    pub(in super::super) fn take_in_overlapping(&mut self, state: &State) -> bool {
        let Some(mut projector) = self.projector.take() else { return false };
        projector.find_overlapping(self, state);
        let has_some = !projector.overlapping.is_empty();
        if has_some {
            self.index_set.add(&projector.overlapping);
        }
        self.projector = Some(projector);
        if has_some {
            self.begin_iterate(state);
            self.follow_index_set(true);
        }
        has_some
    }
}
