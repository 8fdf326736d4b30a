//! Random systems whose states have constant slopes, compared with their exact motion: every event fires
//! exactly once.

use siconos_hybrid::{Action, DiscreteId, HybridSystem, IntegrationOutcome, Trigger, VariableType, View};
use siconos_ode::Crossing;

use super::{assert_near, firings, solve};

const STATES: usize = 4;

/// Event that sets its state or leaves it unchanged, and changes the slope of a state.
#[derive(Clone, Copy, Debug)]
struct Event {
    state: usize,
    level: f64,
    crossing: Crossing,
    put: Option<f64>,
    turned: usize,
    slope: f64,
}

/// Pseudorandom numbers between -1 and 1 (Knuth's linear congruential generator).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn pick(&mut self, count: usize) -> usize {
        ((0.5 * (self.next() + 1.0) * count as f64) as usize).min(count - 1)
    }
}

fn random_events(numbers: &mut Numbers) -> Vec<Event> {
    (0..6)
        .map(|_| Event {
            state: numbers.pick(STATES),
            level: numbers.next(),
            crossing: [Crossing::Any, Crossing::Rising, Crossing::Falling][numbers.pick(3)],
            put: (numbers.pick(2) == 0).then(|| 2.0 * numbers.next()),
            turned: numbers.pick(STATES),
            slope: if numbers.next() > 0.0 {
                0.2 + numbers.next().abs()
            } else {
                -0.2 - numbers.next().abs()
            },
        })
        .collect()
}

/// Returns the exact sequence of events up to a time. Returns `None` if two events are nearly simultaneous,
/// or if an event leaves a state near a level.
fn exact(events: &[Event], x0: &[f64], slopes: &[f64], end: f64) -> Option<Vec<(usize, f64)>> {
    let (mut t, mut x, mut s) = (0.0, x0.to_vec(), slopes.to_vec());
    let mut fired: Vec<(usize, f64)> = Vec::new();
    // Event that has just fired and left its state exactly at its level.
    let mut at_level: Option<usize> = None;
    loop {
        let next = |(k, event): (usize, &Event)| {
            if at_level == Some(k) {
                return None;
            }
            let wait = (event.level - x[event.state]) / s[event.state];
            let goes = if s[event.state] > 0.0 { Crossing::Rising } else { Crossing::Falling };
            (wait > 0.0 && (event.crossing == Crossing::Any || event.crossing == goes)).then_some((k, wait))
        };
        let mut waits: Vec<(usize, f64)> = events.iter().enumerate().filter_map(next).collect();
        waits.sort_by(|a, b| a.1.total_cmp(&b.1));
        let Some(&(k, wait)) = waits.first() else { return Some(fired) };
        if waits.get(1).is_some_and(|second| second.1 - wait < 1e-6) || wait < 1e-6 {
            return None;
        }
        if t + wait > end {
            return Some(fired);
        }
        t += wait;
        x.iter_mut().zip(&s).for_each(|(x, s)| *x += wait * s);
        let event = events[k];
        x[event.state] = event.put.unwrap_or(event.level);
        at_level = event.put.is_none().then_some(k);
        s[event.turned] = event.slope;
        fired.push((k + 1, t));
        let is_near = |other: &Event| (x[other.state] - other.level).abs() < 1e-6;
        if events.iter().enumerate().any(|(other, event)| Some(other) != at_level && is_near(event)) {
            return None;
        }
        if fired.len() > 300 {
            return None;
        }
    }
}

#[test]
fn no_event_of_four_hundred_random_systems_is_lost_or_comes_twice() {
    let mut numbers = Numbers(2026);
    let (mut systems, mut total) = (0, 0);
    while systems < 400 {
        let events = random_events(&mut numbers);
        let x0: Vec<f64> = (0..STATES).map(|_| numbers.next()).collect();
        let slopes: Vec<f64> = (0..STATES).map(|_| numbers.next()).collect();
        let Some(expected) = exact(&events, &x0, &slopes, 12.0) else { continue };
        systems += 1;
        total += expected.len();
        let rate = |p: View, rate: &mut [f64]| rate.copy_from_slice(p.discrete);
        let mut system =
            HybridSystem::first_order((0..STATES).map(|k| format!("x{k}")), rate).expect("names");
        for (k, slope) in slopes.iter().enumerate() {
            system.discrete(format!("s{k}"), VariableType::Float, *slope).expect("it fits");
        }
        for event in &events {
            let Event { state, level, crossing, put, turned, slope } = *event;
            let mut root = Trigger::root(move |p: View| p.x[state] - level);
            root.crossing = crossing;
            let action = Action::set(move |p| {
                if let Some(put) = put {
                    p.set(state, put);
                }
                p.set(DiscreteId::new(turned), slope);
            });
            system.event(root, action).expect("it fits");
        }
        let mut solution = solve(&system, &x0);
        assert_eq!(solution.at(12.0).expect("it goes"), IntegrationOutcome::Reached, "{events:?}");
        let fired = firings(&solution);
        let numbers_of = |list: &[(usize, f64)]| list.iter().map(|(event, _)| *event).collect::<Vec<_>>();
        assert_eq!(numbers_of(&fired), numbers_of(&expected), "{events:?} from {x0:?} {slopes:?}");
        for ((_, t), (_, exact)) in fired.iter().zip(&expected) {
            assert_near(*t, *exact, 1e-9);
        }
    }
    assert!(total > 2000, "{total} events");
}
