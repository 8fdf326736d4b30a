//! Construction of simulations, and runs that record their events.

use siconos_kernel::prelude::*;
use siconos_kernel::simulation::EventDrivenSettings;
use siconos_models::BuiltModel;
use siconos_testkit::compare::worse;

/// Creates a simulation with default settings to the time `t`, with output points at distances `h`.
pub(crate) fn simulation(model: &NonSmoothDynamicalSystem, t: f64, h: f64) -> EventDriven {
    simulation_with(model, t, h, EventDrivenSettings::default())
}

pub(crate) fn simulation_with(
    model: &NonSmoothDynamicalSystem,
    t: f64,
    h: f64,
    settings: EventDrivenSettings,
) -> EventDriven {
    let grid = TimeDiscretisation::uniform(0.0, t, h).unwrap();
    EventDriven::builder(model).discretisation(grid).settings(settings).build().unwrap()
}

/// Returns all coordinates and all velocities, in the order of the bodies.
pub(crate) fn motion(built: &BuiltModel, state: &State) -> (Vec<f64>, Vec<f64>) {
    let all =
        |of: &dyn Fn(DynamicalSystemId) -> Vec<f64>| built.bodies.iter().flat_map(|id| of(*id)).collect();
    (all(&|id| state.q(id).to_vec()), all(&|id| state.v(id).to_vec()))
}

/// Events of a run.
#[derive(Debug, Default)]
pub(crate) struct Run {
    /// Times of the events with impacts.
    pub(crate) impacts: Vec<f64>,
    /// Times at which contacts leave I_2.
    pub(crate) released: Vec<f64>,
    /// Times and estimates of accumulations.
    pub(crate) accumulations: Vec<(f64, f64)>,
    /// Number of reports.
    pub(crate) reports: usize,
}

/// Simulates to the end and passes every state to `see`.
pub(crate) fn run(
    model: &NonSmoothDynamicalSystem,
    sim: &mut EventDriven,
    state: &mut State,
    mut see: impl FnMut(&State),
) -> Run {
    let mut run = Run::default();
    sim.run(model, state, |report, state| {
        run.reports += 1;
        if !report.impacts.is_empty() {
            run.impacts.push(report.t);
        }
        if !report.released.is_empty() {
            run.released.push(report.t);
        }
        if let Some(accumulation) = report.accumulation {
            run.accumulations.push((report.t, accumulation.t));
        }
        see(state);
    })
    .unwrap();
    run
}

/// Simulates a system and compares it with its exact positions and velocities. Returns the run with the
/// largest errors of q and v.
pub(crate) fn compare(
    built: &BuiltModel,
    (t_end, h): (f64, f64),
    exact: impl Fn(f64) -> (Vec<f64>, Vec<f64>),
) -> (Run, f64, f64) {
    let points = (t_end / h).ceil();
    let mut sim = simulation(&built.model, t_end, t_end / points);
    let mut state = sim.initial_state(&built.model).unwrap();
    let (mut of_q, mut of_v) = (0.0, 0.0);
    let run = run(&built.model, &mut sim, &mut state, |state| {
        let ((q, v), (exact_q, exact_v)) = (motion(built, state), exact(state.t));
        let largest = |a: &[f64], b: &[f64]| {
            assert_eq!(a.len(), b.len());
            a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, worse)
        };
        of_q = worse(of_q, largest(&q, &exact_q));
        // Very near an impact, the exact velocity may be the one on the other side of the impact.
        let (_, before) = exact((state.t - 1e-7).max(0.0));
        let (_, after) = exact(state.t + 1e-7);
        of_v = worse(of_v, largest(&v, &exact_v).min(largest(&v, &before)).min(largest(&v, &after)));
    });
    assert!(state.t > t_end - 1e-12);
    (run, of_q, of_v)
}
