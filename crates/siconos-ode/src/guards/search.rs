//! Search for the earliest sign change of a guard with known bounds, or proof that it has none.
//!
//! If the bounds of the guard over a time interval have the sign of its side, the interval contains no
//! change. If the guard is continuous and its slope has one sign, the interval contains at most one change,
//! which the values at the ends reveal. All other intervals are bisected down to the width to which roots are
//! located. An interval that still remains contains a jump, or a point at which the guard touches zero (Moore
//! 1966, "Interval analysis", chapter 7).

use super::super::course::ValueBounds;

/// Maximum number of evaluations of the bounds for one guard and one step.
const MOST: usize = 400;

/// Maximum number of evaluations of the bounds for a guard whose last search exhausted its budget.
const LEAST: usize = 16;

/// State of the search for the earliest change of one guard.
#[derive(Clone, Copy, Debug)]
struct Guard {
    /// End of the interval that has been searched \[s\].
    searched: f64,
    /// `true` if the guard is known to keep its side up to `searched`, `false` if it has to be sampled.
    is_clear: bool,
    /// Latest possible time of the first sign change \[s\]; infinite if no change is known.
    change: f64,
    /// Maximum number of evaluations of the bounds in the next search.
    budget: usize,
}

/// Result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Found {
    /// The guard does not change its side.
    Clear,
    /// The guard is strictly on the other side at this time \[s\], after its first change and before its
    /// second.
    Change(f64),
    /// The budget was exhausted.
    Unknown,
}

/// State of the searches of all guards.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    guards: Vec<Guard>,
    open: Vec<(f64, f64)>,
}

impl Search {
    /// Resets the search for the given number of guards.
    pub(super) fn begin(&mut self, guards: usize) {
        self.guards.clear();
        self.guards.resize(
            guards,
            Guard { searched: f64::NEG_INFINITY, is_clear: true, change: f64::INFINITY, budget: MOST },
        );
    }

    /// Discards the result for a guard, after its side has changed.
    pub(super) fn forget(&mut self, guard: usize) {
        let guard = &mut self.guards[guard];
        (guard.searched, guard.change) = (f64::NEG_INFINITY, f64::INFINITY);
    }

    /// Discards the results for all guards, after the dense output has changed.
    pub(super) fn forget_all(&mut self) {
        (0..self.guards.len()).for_each(|guard| self.forget(guard));
    }

    /// Finds the earliest change of a guard that has the side `side`, between two times \[s\]. `course`
    /// returns the bounds of the guard over a time interval.
    pub(super) fn next_change(
        &mut self,
        guard: usize,
        side: i8,
        (from, to): (f64, f64),
        width: f64,
        course: impl FnMut(f64, f64) -> ValueBounds,
    ) -> Found {
        let known = self.guards[guard];
        if known.change > from && known.change.is_finite() {
            return if known.change <= to { Found::Change(known.change) } else { Found::Clear };
        }
        if known.searched >= to {
            return if known.is_clear { Found::Clear } else { Found::Unknown };
        }
        let from = from.max(known.searched);
        let found = self.search(side, (from, to), width, known.budget, course);
        let guard = &mut self.guards[guard];
        match found {
            Found::Clear => (guard.searched, guard.is_clear, guard.budget) = (to, true, MOST),
            Found::Change(t) => (guard.change, guard.budget) = (t, MOST),
            Found::Unknown => (guard.searched, guard.is_clear, guard.budget) = (to, false, LEAST),
        }
        found
    }

    fn search(
        &mut self,
        side: i8,
        (from, to): (f64, f64),
        width: f64,
        budget: usize,
        mut course: impl FnMut(f64, f64) -> ValueBounds,
    ) -> Found {
        let mut spent = 0;
        let mut on_side = |lo: f64, hi: f64| {
            spent += 1;
            let course = course(lo, hi);
            (if side > 0 { course } else { course.negated() }, spent)
        };
        let mut change = None;
        self.open.clear();
        self.open.push((from, to));
        while let Some((lo, hi)) = self.open.pop() {
            let (over, spent) = on_side(lo, hi);
            if over.range.lower >= 0.0 || (over.is_continuous && over.slope.lower >= 0.0) {
                continue;
            }
            let middle = lo + 0.5 * (hi - lo);
            let is_finest = hi - lo <= width || middle <= lo || middle >= hi;
            if is_finest || (over.is_continuous && over.slope.upper <= 0.0) {
                if on_side(hi, hi).0.range.upper < 0.0 {
                    return Found::Change(hi);
                }
                continue;
            }
            if spent >= budget {
                return Found::Unknown;
            }
            if over.middle.upper < 0.0 {
                // Later changes are not needed, so the later intervals are discarded.
                change = Some(middle);
                self.open.clear();
                self.open.push((lo, middle));
                continue;
            }
            self.open.push((middle, hi));
            self.open.push((lo, middle));
        }
        change.map_or(Found::Clear, Found::Change)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::course::Bounds;
    use super::*;

    /// Returns bounds of a function that is monotone between the given points. Each point is an extremum or a
    /// jump.
    fn course_of(
        function: impl Fn(f64) -> f64,
        lo: f64,
        hi: f64,
        places: &[f64],
        jumps: bool,
    ) -> ValueBounds {
        let ends = [function(lo), function(hi)];
        let inside = places.iter().filter(|place| (lo..=hi).contains(*place));
        let values: Vec<f64> =
            inside.flat_map(|place| [function(*place), function(place.next_down())]).collect();
        let all = || ends.iter().chain(&values).copied();
        let (lower, upper) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
        let slope = match (values.is_empty(), ends[1] > ends[0]) {
            (false, _) => Bounds { lower: -1e3, upper: 1e3 },
            (true, true) => Bounds { lower: 0.0, upper: 1e3 },
            (true, false) => Bounds { lower: -1e3, upper: 0.0 },
        };
        let middle = Bounds::point(function(0.5 * (lo + hi)));
        ValueBounds {
            range: Bounds { lower, upper },
            middle,
            slope,
            is_continuous: !jumps || values.is_empty(),
        }
    }

    #[test]
    fn the_first_change_is_found_however_near_the_second() {
        for depth in [1e-3, 1e-6, 1e-9] {
            let dip = |t: f64| (t - 0.7) * (t - 0.7) - depth * depth;
            let mut search = Search::default();
            search.begin(1);
            let course = |lo, hi| course_of(dip, lo, hi, &[0.7], false);
            let Found::Change(t) = search.next_change(0, 1, (0.0, 1.0), 1e-13, course) else {
                panic!("{depth}")
            };
            assert!((t - 0.7).abs() < depth, "{depth}: {t}");
        }
        let mut search = Search::default();
        search.begin(1);
        let touches = |t: f64| (t - 0.7) * (t - 0.7);
        let course = |lo, hi| course_of(touches, lo, hi, &[0.7], false);
        assert_eq!(search.next_change(0, 1, (0.0, 1.0), 1e-13, course), Found::Clear);
    }

    #[test]
    fn a_short_pulse_is_found_at_its_first_jump() {
        let pulse = |t: f64| if (0.3..0.3 + 1e-7).contains(&t) { -1.0 } else { 1.0 };
        let mut search = Search::default();
        search.begin(1);
        let course = |lo, hi| course_of(pulse, lo, hi, &[0.3, 0.3 + 1e-7], true);
        let Found::Change(t) = search.next_change(0, 1, (0.0, 1.0), 1e-13, course) else { panic!("unseen") };
        assert!((0.3..0.3 + 1e-7).contains(&t), "{t}");
    }

    #[test]
    fn what_cannot_be_told_within_the_budget_is_unknown() {
        let mut search = Search::default();
        search.begin(1);
        let unknown = |_, _| ValueBounds::UNKNOWN;
        assert_eq!(search.next_change(0, -1, (0.0, 1.0), 1e-13, unknown), Found::Unknown);
    }
}
