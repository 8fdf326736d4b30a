//! Finite elements with switch detection, compared with event-driven simulation.

use siconos_kernel::prelude::*;
use siconos_ode::{Method, OdeSettings, Tolerance};
use siconos_sweeping::fesd::{Fesd, FesdSettings, SweepingSystem};
use siconos_testkit::exact::PushedPoint;

/// Accuracy of the event-driven simulation, and of the four-stage method with the steps of this test.
const TOLERANCE: f64 = 1e-10;

#[test]
fn a_pushed_point_moves_as_in_the_simulation_by_events() {
    let point = PushedPoint::default();
    let linear = point.model();
    let mut model = NonSmoothDynamicalSystem::new();
    let body = FirstOrderLinear::new(linear.x0.clone(), linear.a.clone())
        .with_source_function(move |at, b| b[0] = point.input(at.t));
    let body = model.add_system(body).unwrap();
    let relation = FirstOrderLinearRelation::new(linear.c.clone(), linear.b.clone()).with_d(linear.d.clone());
    model.add_interaction([body], relation, ComplementarityCondition::new(1).unwrap()).unwrap();
    let (t_end, n) = (3.0, 300);
    let h = t_end / f64::from(n);
    let settings = OdeSettings {
        method: Method::HighOrder,
        relative_tolerance: Tolerance::All(1e-12),
        absolute_tolerance: Tolerance::All(1e-13),
        ..OdeSettings::default()
    };
    let grid = TimeDiscretisation::uniform(0.0, t_end, h).unwrap();
    let mut sim = EventDriven::builder(&model).discretisation(grid).integrator(settings).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let mut by_events = vec![(0.0, point.start)];
    sim.run(&model, &mut state, |_, state| by_events.push((state.t, state.x(body)[0]))).unwrap();

    let system = SweepingSystem::new(
        1,
        1,
        move |t, _x, f| f[0] = point.input(t),
        |_t, x, h| h[0] = x[0],
        |_t, _x, mut gradients| gradients[[0, 0]] = 1.0,
    );
    let mut fesd = Fesd::new(system.unwrap(), 4, FesdSettings::default()).unwrap();
    let (mut x, mut switches) = ([point.start], 0);
    for k in 0..n {
        let t = h * f64::from(k);
        let report = fesd.step(t, h, &mut x).unwrap();
        assert!(report.status.is_success(), "{report:?}");
        switches += report.switches.len();
        let (_, other) = by_events
            .iter()
            .min_by(|a, b| (a.0 - t - h).abs().total_cmp(&(b.0 - t - h).abs()))
            .expect("states");
        assert!((x[0] - other).abs() < TOLERANCE, "t = {}: {} {other}", t + h, x[0]);
    }
    assert_eq!(switches, point.solve(t_end).events().len());
}
