//! Comparison of the cam-follower in both forms with its exact motion, before chaos amplifies the
//! differences.

use siconos_examples::cam_follower::{CamFollower, Form};
use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;
use siconos_testkit::exact::{self, Arc, ImpactOscillator, Obstacle, Oscillator, Scan};

/// Times of the impacts and velocities after them, largest error of the position at output points, and number
/// of events.
struct Account {
    impacts: Vec<(f64, f64)>,
    of_q: f64,
    events: usize,
}

fn run(example: &CamFollower, form: Form, t_end: f64, exact: &dyn Fn(f64) -> f64) -> Account {
    let (model, follower, contact) = example.model(form).unwrap();
    let grid = TimeDiscretisation::uniform(0.0, t_end, 1e-3).unwrap();
    let mut sim = EventDriven::builder(&model).discretisation(grid).build().unwrap();
    // At these times two quantities jump with the acceleration of the cam: the external force in the
    // translated form, and the acceleration of the contact in the rheonomic form.
    for t in example.cam.switch_times(0.0, t_end) {
        sim.events_mut().schedule(EventKind::Custom, t).unwrap();
    }
    let mut state = sim.initial_state(&model).unwrap();
    let mut account = Account { impacts: Vec::new(), of_q: 0.0, events: 0 };
    sim.run(&model, &mut state, |report, state| {
        let lift = example.cam.lift(state.t);
        let (c, c_dot) = if form == Form::Translated { (lift.c, lift.c_dot) } else { (0.0, 0.0) };
        account.events += 1;
        account.of_q = account.of_q.max((state.q(follower)[0] + c - exact(state.t)).abs());
        assert!(state.y(contact, Level::Position)[0] > -1e-10, "t = {}", state.t);
        if !report.impacts.is_empty() {
            account.impacts.push((report.t, state.v(follower)[0] + c_dot));
        }
    })
    .unwrap();
    account
}

#[test]
fn both_forms_follow_the_exact_motion() {
    for (rpm, t_end, of_t) in [(358.0, 1.5, 1e-9), (660.0, 1.0, 1e-8), (700.0, 1.0, 1e-9)] {
        let example = CamFollower::default().at(rpm);
        let cam = exact::Cam::new(rpm);
        let oscillator = Oscillator::new(example.mass, example.damping, example.stiffness, 0.0);
        let solver = ImpactOscillator::new(
            oscillator,
            example.restitution,
            Obstacle::cam(cam, 10.0),
            Scan::cells(1e-4),
        );
        let (q, v) = example.relative_start;
        let start = Arc { t: 0.0, u: q + cam.position(0.0), v: v + cam.velocity(0.0) };
        let exact = solver.solve_with_contact(start, t_end + 1e-6);
        let impacts: Vec<_> = exact.impacts().collect();
        for form in [Form::Rheonomic, Form::Translated] {
            let found = run(&example, form, t_end, &|t| exact.state(t).0);
            let pairs = || found.impacts.iter().zip(&impacts);
            let worst_t = pairs().map(|(a, b)| (a.0 - b.t).abs()).fold(0.0, worse);
            let worst_v = pairs().map(|(a, b)| (a.1 - b.v_plus).abs()).fold(0.0, worse);
            println!(
                "{rpm} rpm, {form:?}: {} and {} impacts, {} events, {} contacts, t {worst_t:.1e}, v {worst_v:.1e}, q {:.1e}",
                found.impacts.len(),
                impacts.len(),
                found.events,
                exact.contacts().count(),
                found.of_q
            );
            assert_eq!(found.impacts.len(), impacts.len());
            // The arcs of the cam join with an error of 1e-8, because the published constants are rounded.
            // Therefore c' is not exactly the integral of c''.
            let of_t = if form == Form::Translated { 100.0 * of_t } else { of_t };
            assert!(worst_t < of_t && worst_v < 1000.0 * of_t && found.of_q < 100.0 * of_t);
        }
    }
}
