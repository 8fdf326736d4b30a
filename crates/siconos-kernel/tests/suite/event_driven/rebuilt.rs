//! Simulation that is rebuilt for every event, from a state that is written to a file and read again. The
//! state contains all data for the detection of accumulations.

use siconos_kernel::StateRecord;
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::EventDrivenSettings;
use siconos_models::{BuiltModel, ball, cradle};

use crate::event_driven::common::{motion, run, simulation_with};

const G: f64 = 9.81;

/// Number of events that is well above the number before the bodies rest.
const MOST_EVENTS: usize = 2000;

/// Returns the final state and the times of impacts and accumulations of a run that keeps only the record of
/// the state.
fn rebuilt(
    built: &BuiltModel,
    t: f64,
    h: f64,
    settings: &EventDrivenSettings,
) -> (State, Vec<f64>, Vec<f64>) {
    let model = &built.model;
    let begin = || simulation_with(model, t, h, settings.clone());
    let mut state = begin().initial_state(model).unwrap();
    let (mut impacts, mut accumulations) = (Vec::new(), Vec::new());
    for _ in 0..MOST_EVENTS {
        let text = serde_json::to_string(&state.record(model).unwrap()).unwrap();
        let record: StateRecord = serde_json::from_str(&text).unwrap();
        state = State::restore(model, &record).unwrap();
        let (begun, mut simulation) = (state.t, begin());
        let Some(report) = simulation.step(model, &mut state).unwrap() else {
            return (state, impacts, accumulations);
        };
        // An impact at an output point may be detected in the step that starts there.
        if !report.impacts_before.is_empty() {
            impacts.push(begun);
        }
        if !report.impacts.is_empty() {
            impacts.push(report.t);
        }
        accumulations.extend(report.accumulation.map(|accumulation| accumulation.t));
    }
    panic!("after {MOST_EVENTS} events at t = {}: it bounces without end", state.t);
}

#[test]
fn bodies_come_to_rest_at_the_same_impact() {
    let mut hand_over = EventDrivenSettings::default();
    hand_over.accumulation.policy = AccumulationPolicy::HandOver { h: 1e-3 };
    for settings in [EventDrivenSettings::default(), hand_over] {
        let systems = [
            ("ball", ball(G, 0.5, 1.0, 0.0).unwrap(), 2.0),
            ("cradle", cradle(0.5, &[0.0, 0.5, 0.5, 1.4], &[1.0, 0.0, 0.1, 0.0]).unwrap(), 3.0),
        ];
        for (name, built, t) in systems {
            let mut whole = simulation_with(&built.model, t, 0.05, settings.clone());
            let mut state = whole.initial_state(&built.model).unwrap();
            let expected = run(&built.model, &mut whole, &mut state, |_| {});
            let (again, impacts, accumulations) = rebuilt(&built, t, 0.05, &settings);
            let close = |a: &[f64], b: &[f64]| {
                assert_eq!(a.len(), b.len(), "{name}: {a:?} against {b:?}");
                a.iter()
                    .zip(b)
                    .for_each(|(a, b)| assert!((a - b).abs() < 1e-9, "{name}: {a:e} against {b:e}"));
            };
            assert!(name != "ball" || !accumulations.is_empty());
            close(&impacts, &expected.impacts);
            let times: Vec<_> = expected.accumulations.iter().map(|(_, estimate)| *estimate).collect();
            close(&accumulations, &times);
            close(&motion(&built, &again).0, &motion(&built, &state).0);
        }
    }
}
