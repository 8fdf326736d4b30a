//! Random schedules, compared with the rules applied to a plain vector of all future events.

use proptest::prelude::*;
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::Tick;

const GAP: i128 = 100;
const T_END: f64 = 1.0;
const H: f64 = 0.1;

#[derive(Clone, Debug)]
enum Action {
    Schedule(EventKind, f64),
    Periodic(EventKind, f64, f64),
    /// Removal of one of the events that have been scheduled, by its id.
    Remove(prop::sample::Index),
    /// A root at this number of ticks from the next time (`RootNear`), or after this fraction of the interval
    /// to it (`RootBetween`).
    RootNear(i32),
    RootBetween(f64),
    Process,
}

/// All future events in an unsorted vector.
struct Everything {
    grid: Vec<(i128, f64)>,
    events: Vec<(i128, EventKind, Option<EventId>, f64)>,
    now: i128,
    /// `true` after the first event has been processed. Before that, the first point of the grid does not
    /// count as past.
    started: bool,
}

fn tick(time: f64) -> i128 {
    Tick::of_time(time, 1e-16).unwrap().count()
}

impl Everything {
    fn new() -> Self {
        let grid: Vec<_> = (0..=10).map(|k| (tick(f64::from(k) * H), f64::from(k) * H)).collect();
        let events =
            grid[1..].iter().map(|&(tick, t)| (tick, EventKind::TimeDiscretisation, None, t)).collect();
        Self { grid, events, now: 0, started: false }
    }

    fn add(&mut self, kind: EventKind, id: EventId, times: impl Iterator<Item = f64>) {
        for time in times {
            let near = self.grid.iter().find(|(point, _)| (point - tick(time)).abs() <= GAP);
            let (tick, time) = near.copied().unwrap_or((tick(time), time));
            self.events.push((tick, kind, Some(id), time));
        }
    }

    fn add_root(&mut self, time: f64) {
        let at = tick(time);
        let at = if (at - self.now).abs() <= GAP { self.now } else { at };
        self.events.push((at, EventKind::NonSmooth, None, time));
    }

    fn process(&mut self) -> Vec<(i128, EventKind, Option<EventId>, f64)> {
        let first = |root: bool| {
            let of = self.events.iter().filter(|event| (event.1 == EventKind::NonSmooth) == root);
            of.map(|event| (event.0, event.3)).min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)))
        };
        let at = match (first(true), first(false)) {
            (Some(root), Some(other)) if root.0 < other.0 - GAP => root,
            (root, other) => other.or(root).unwrap_or((i128::MAX, 0.0)),
        };
        if at.0 > self.grid[10].0 {
            return Vec::new();
        }
        let (mut group, rest): (Vec<_>, Vec<_>) =
            self.events.drain(..).partition(|event| event.0 <= at.0 + GAP);
        self.events = rest;
        (self.now, self.started) = (at.0, true);
        for event in &mut group {
            event.0 = at.0;
            if event.1 != EventKind::NonSmooth {
                event.3 = at.1;
            }
        }
        group.sort_by(|a, b| (a.1, a.2).cmp(&(b.1, b.2)).then(a.3.total_cmp(&b.3)));
        group
    }
}

/// Generates times that coincide, or differ by about the gap.
fn time() -> impl Strategy<Value = f64> {
    let near = prop::sample::select(vec![0, 0, 0, 30, -30, 70, -70, 99, -99, 100, -100, 101, -101, 150]);
    prop_oneof![
        3 => (0..24_i32, near).prop_map(|(twentieths, ticks)| f64::from(twentieths) * 0.05 + f64::from(ticks) * 1e-16),
        1 => 0.0..1.2_f64,
    ]
}

fn kind() -> impl Strategy<Value = EventKind> {
    use EventKind::{Actuator, Custom, Observer, Sensor};
    prop::sample::select(vec![Sensor, Actuator, Observer, Custom])
}

fn action() -> impl Strategy<Value = Action> {
    let period = prop::sample::select(vec![0.05, 0.1, 0.1 + 5e-15, 0.15, 0.037, 0.2]);
    prop_oneof![
        6 => (kind(), time()).prop_map(|(kind, time)| Action::Schedule(kind, time)),
        2 => (kind(), time(), period).prop_map(|(kind, first, period)| Action::Periodic(kind, first, period)),
        1 => any::<prop::sample::Index>().prop_map(Action::Remove),
        1 => (-200..200_i32).prop_map(Action::RootNear),
        1 => (0.0..=1.0_f64).prop_map(Action::RootBetween),
        6 => Just(Action::Process),
    ]
}

fn compare(events: &mut EventsManager, all: &mut Everything) -> Result<usize, TestCaseError> {
    let next = events.next_event();
    let found = events.process_events().to_vec();
    let found: Vec<_> = found.iter().map(|e| (e.tick().count(), e.kind(), e.id(), e.time())).collect();
    prop_assert_eq!(next.map(|e| (e.tick().count(), e.kind(), e.id(), e.time())), found.first().copied());
    let expected = all.process();
    prop_assert_eq!(&found, &expected);
    Ok(found.len())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn the_order_is_that_of_a_sorted_vector(actions in prop::collection::vec(action(), 1..60)) {
        let mut events = super::manager(T_END, H);
        let mut all = Everything::new();
        let mut ids = Vec::new();
        for action in actions {
            match action {
                Action::Schedule(kind, time) => {
                    let scheduled = events.schedule(kind, time);
                    let first = if all.started { all.now + GAP + 1 } else { all.now - GAP };
                    prop_assert_eq!(scheduled.is_ok(), tick(time) >= first, "{:?}", scheduled);
                    if let Ok(id) = scheduled {
                        ids.push(id);
                        all.add(kind, id, std::iter::once(time));
                    }
                }
                Action::Periodic(kind, first, period) => {
                    if let Ok(id) = events.schedule_periodic(kind, first, period) {
                        ids.push(id);
                        all.add(kind, id, (0..30).map(|k| first + f64::from(k) * period));
                    }
                }
                Action::Remove(index) => {
                    if !ids.is_empty() {
                        let id = *index.get(&ids);
                        let there = all.events.iter().any(|event| event.2 == Some(id));
                        prop_assert_eq!(events.remove(id).is_ok(), there);
                        all.events.retain(|event| event.2 != Some(id));
                    }
                }
                Action::RootNear(ticks) => {
                    if let Some(next) = events.next_time() {
                        let root = next + f64::from(ticks) * 1e-16;
                        if events.schedule_non_smooth(root).is_ok() {
                            all.add_root(root);
                        }
                    }
                }
                Action::RootBetween(fraction) => {
                    if let Some(next) = events.next_time() {
                        let now = events.current_event().time();
                        let root = now + fraction * (next - now);
                        events.schedule_non_smooth(root).unwrap();
                        all.add_root(root);
                    }
                }
                Action::Process => {
                    compare(&mut events, &mut all)?;
                }
            }
        }
        while compare(&mut events, &mut all)? > 0 {}
        prop_assert!(!events.has_next_event());
    }

    #[test]
    fn a_return_to_a_point_brings_what_came_after_it(
        schedule in prop::collection::vec((kind(), time(), prop::option::of(0.03..0.4_f64)), 0..12),
        points in prop::collection::vec(0..=10_usize, 1..6),
    ) {
        let mut events = super::manager(T_END, H);
        for (kind, time, period) in schedule {
            let scheduled = match period {
                None => events.schedule(kind, time),
                Some(period) => events.schedule_periodic(kind, time, period),
            };
            prop_assert_eq!(scheduled.is_ok(), tick(time) >= -GAP);
        }
        let whole = super::run(&mut events.clone());
        for (i, point) in points.into_iter().enumerate() {
            events.go_to(point).unwrap();
            let now = events.current_event().tick();
            // Events at the first point are processed before the first step, so that a return to this point
            // includes them.
            let rest = whole.iter().filter(|group| group[0].tick() > now || point == 0);
            // The run alternates between three groups and all remaining groups.
            for expected in rest.take(if i % 2 == 0 { 3 } else { usize::MAX }) {
                prop_assert_eq!(events.process_events(), &expected[..]);
            }
        }
    }
}
