//! First step after an event, where states are zero up to rounding.

use ndarray::{Array1, Array2, array};
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::HalfExplicit;
use siconos_ode::{Method, OdeSettings};
use siconos_testkit::compare::worse;

/// System x' = -a x + b sin(w t) + a lambda, 0 <= x + lambda _|_ lambda >= 0. The decay rate is a for x > 0,
/// and 2 a otherwise.
#[derive(Clone, Copy)]
struct Diode {
    a: f64,
    b: f64,
    w: f64,
}

impl Diode {
    /// Creates a model with independent copies.
    fn model(self, copies: usize) -> NonSmoothDynamicalSystem {
        let Self { a, b, w } = self;
        let mut model = NonSmoothDynamicalSystem::new();
        for _ in 0..copies {
            let system = FirstOrderLinear::new(vec![0.0], array![[-a]])
                .with_source_function(move |at, source| source[0] = b * (w * at.t).sin());
            let system = model.add_system(system).unwrap();
            let relation = FirstOrderLinearRelation::new(array![[1.0]], array![[a]]).with_d(array![[1.0]]);
            model.add_interaction([system], relation, ComplementarityCondition::new(1).unwrap()).unwrap();
        }
        model
    }

    /// Returns the exact state at the time `to`, from x at t with the decay rate `a`.
    fn branch(self, a: f64, (t, x): (f64, f64), to: f64) -> f64 {
        let Self { b, w, .. } = self;
        let forced = |t: f64| b * (a * (w * t).sin() - w * (w * t).cos()) / (a * a + w * w);
        forced(to) + (x - forced(t)) * (-a * (to - t)).exp()
    }

    /// Returns x at a time, and the number of sign changes up to this time. Between sign changes, x has a
    /// closed form; the sign changes are located by bisection.
    fn exact(self, t_end: f64) -> (f64, usize) {
        // sin(w t) is positive at first.
        let (mut t, mut x, mut is_positive, mut events) = (0.0, 0.0, true, 0);
        loop {
            let a = if is_positive { self.a } else { 2.0 * self.a };
            let at = |to: f64| self.branch(a, (t, x), to);
            // 1/64 of a half period is shorter than any branch.
            let step = std::f64::consts::PI / self.w / 64.0;
            let stays = |to: f64| (at(to) > 0.0) == is_positive;
            let mut to = t + step;
            while to < t_end && stays(to) {
                to += step;
            }
            if to >= t_end && stays(t_end) {
                return (at(t_end), events);
            }
            let (mut low, mut high) = (to - step, to.min(t_end));
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if (at(middle) > 0.0) == is_positive { low = middle } else { high = middle }
            }
            (t, x, is_positive, events) = (high, 0.0, !is_positive, events + 1);
        }
    }

    /// Simulates copies with default settings. Returns the largest error of x, and the number of events.
    fn run(self, copies: usize, t_end: f64) -> (f64, usize) {
        let model = self.model(copies);
        let grid = TimeDiscretisation::uniform(0.0, t_end, 0.1).unwrap();
        let mut sim = EventDriven::builder(&model).discretisation(grid).build().unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        let mut events = 0;
        let is_root =
            |report: &EventReport<'_>| report.events.iter().any(|e| e.kind() == EventKind::NonSmooth);
        sim.run(&model, &mut state, |report, _| events += usize::from(is_root(report)))
            .unwrap_or_else(|error| panic!("w = {}, {copies} copies: {error}", self.w));
        let (x, _) = self.exact(t_end);
        let off = model.systems().iter().map(|(id, _)| (state.x(id)[0] - x).abs());
        (off.fold(0.0, worse), events)
    }
}

/// Decay rate, input, lowest frequency, end time, and largest error of a study over frequencies.
struct Sweep {
    a: f64,
    b: f64,
    from: f64,
    t_end: f64,
    tolerance: f64,
}

/// The errors of steps with a tolerance of 1e-12 add up to 1.4e-10 at the worst frequency.
const NOT_STIFF: Sweep = Sweep { a: 1.0, b: 2.0, from: 0.5, t_end: 4.0, tolerance: 2e-10 };

/// The step lengths of the stiff method are limited only by the accuracy at the ends of the steps. Roots and
/// the end state are taken from the dense output, which is only of order 3.
const STIFF: Sweep = Sweep { a: 1e5, b: 2e5, from: 3.0, t_end: 1.0, tolerance: 1e-3 };

impl Sweep {
    /// Simulates every `skip`-th of 200 frequencies, for each of the given numbers of copies.
    fn run(&self, skip: usize, copies: &[usize]) {
        let Self { a, b, from, t_end, tolerance } = *self;
        for k in (0..200).step_by(skip) {
            let diode = Diode { a, b, w: from + 0.037 * f64::from(k as u32) };
            let expected = diode.exact(t_end).1;
            for &copies in copies {
                let (error, events) = diode.run(copies, t_end);
                assert!(error <= tolerance, "w = {}, {copies} copies: off by {error:e}", diode.w);
                assert_eq!(events, expected, "w = {}, {copies} copies", diode.w);
            }
        }
    }
}

#[test]
fn every_frequency_of_a_diode_is_followed() {
    NOT_STIFF.run(10, &[1, 3, 20]);
}

#[test]
fn every_frequency_of_a_stiff_diode_is_followed() {
    STIFF.run(10, &[1, 3]);
    STIFF.run(100, &[20]);
}

#[test]
#[ignore = "the whole battery: cargo xtask battery"]
fn battery_of_first_steps() {
    let begin = std::time::Instant::now();
    NOT_STIFF.run(1, &[1, 3, 20]);
    STIFF.run(1, &[1, 3, 20]);
    println!(
        "first steps: 200 frequencies, 1, 3 and 20 copies, not stiff and stiff, in {:?}",
        begin.elapsed()
    );
}

/// A free body that is at zero up to rounding, also at a large time, with every integrator that controls its
/// error.
#[test]
fn a_free_body_starts_from_rounding() {
    for t_0 in [1.0, 1e6] {
        let mut model = NonSmoothDynamicalSystem::new();
        let body = LagrangianLinear::new(vec![2e-15], vec![0.0], array![1.0])
            .with_external_force(|_t, f| f[0] = 10.0);
        let body = model.add_system(body).unwrap();
        let methods = [Method::Explicit, Method::HighOrder, Method::Stiff, Method::Auto];
        let ode = methods.map(|method| OdeSettings { method, ..OdeSettings::default() });
        let integrators = ode.map(EventIntegrator::from).into_iter().chain([HalfExplicit::default().into()]);
        for integrator in integrators {
            let grid = TimeDiscretisation::uniform(t_0, t_0 + 1.0, 0.1).unwrap();
            let sim = EventDriven::builder(&model).discretisation(grid).integrator(integrator.clone());
            let mut sim = sim.build().unwrap();
            let mut state = sim.initial_state(&model).unwrap();
            sim.run(&model, &mut state, |_, _| {}).unwrap_or_else(|error| panic!("{integrator:?}: {error}"));
            let (q, v) = (state.q(body)[0], state.v(body)[0]);
            assert!((q - 5.0).abs() < 1e-8 && (v - 10.0).abs() < 1e-8, "{integrator:?}: {q} {v}");
        }
    }
}

/// Equal copies as components of one system.
#[test]
fn copies_within_one_system() {
    for copies in [3, 20] {
        let diode = Diode { a: 1.0, b: 2.0, w: 3.7 };
        let mut model = NonSmoothDynamicalSystem::new();
        let identity: Array2<f64> = Array2::from_diag(&Array1::ones(copies));
        let system = FirstOrderLinear::new(vec![0.0; copies], -&identity)
            .with_source_function(|at, source| source.fill(2.0 * (3.7 * at.t).sin()));
        let system = model.add_system(system).unwrap();
        let relation = FirstOrderLinearRelation::new(identity.clone(), identity.clone()).with_d(identity);
        let law = ComplementarityCondition::new(copies).unwrap();
        model.add_interaction([system], relation, law).unwrap();
        let grid = TimeDiscretisation::uniform(0.0, 4.0, 0.1).unwrap();
        let mut sim = EventDriven::builder(&model).discretisation(grid).build().unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        sim.run(&model, &mut state, |_, _| {}).unwrap();
        let exact = diode.exact(4.0).0;
        assert!(state.x(system).iter().all(|x| (x - exact).abs() < 1e-8), "{:?} {exact}", state.x(system));
    }
}

/// After the last output point, a parameter moves a table up against the ball that rests on it. There is no
/// event left to report the impact. After points are added, the next report contains it.
#[test]
fn an_impact_behind_the_last_event_is_told_at_the_next() {
    let mut model = NonSmoothDynamicalSystem::new();
    let speed = model.add_parameter("speed", [0.0]).unwrap();
    let ball = LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0]);
    let ball = model.add_system(ball.with_constant_external_force(vec![-9.81])).unwrap();
    let table =
        LagrangianRheonomousRelation::new(1, move |at, q, y| y[0] = q[0] - at[speed][0] * (at.t - 1.0))
            .with_jacobian(|_at, _q, j| j[[0, 0]] = 1.0)
            .with_time_derivative(move |at, _q, y_t| y_t[0] = -at[speed][0]);
    model.add_interaction([ball], table, NewtonImpact::new(0.5).unwrap()).unwrap();
    let grid = |end| TimeDiscretisation::uniform(0.0, end, 0.5).unwrap();
    let mut simulation = EventDriven::builder(&model).discretisation(grid(1.0)).build().unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    while simulation.step(&model, &mut state).unwrap().is_some() {}
    state.set_parameter(speed, &[2.0]).unwrap();
    for _ in 0..3 {
        assert!(simulation.step(&model, &mut state).unwrap().is_none(), "no point is left");
    }
    simulation.set_discretisation(grid(2.0)).unwrap();
    let report = simulation.step(&model, &mut state).unwrap().expect("an event");
    assert_eq!(report.impacts_before.len(), 1, "the table hit the ball");
    let report = simulation.step(&model, &mut state).unwrap().expect("another event");
    assert_eq!(report.impacts_before.len(), 0, "that has been told");
}

/// A ball hits the floor at the end time, up to rounding: before it, at it, or after it.
#[test]
fn an_impact_at_the_end_is_taken() -> Result<(), Error> {
    for end in [0.1, 0.3, 0.7, 1.0, 1.1, 3.3] {
        for gravity in [0.0, 9.81] {
            for t0 in [0.0, 0.2] {
                let mut model = NonSmoothDynamicalSystem::new();
                let height = end + 0.5 * gravity * end * end;
                let ball = LagrangianLinear::new(vec![height], vec![-1.0], array![1.0])
                    .with_constant_external_force(vec![-gravity]);
                let ball = model.add_system(ball)?;
                let floor = LagrangianLinearRelation::new(array![[1.0]]);
                model.add_interaction([ball], floor, NewtonImpact::new(0.5)?)?;
                let grid = TimeDiscretisation::uniform(t0, t0 + end, end)?;
                let mut simulation = EventDriven::builder(&model).discretisation(grid).build()?;
                let mut state = simulation.initial_state(&model)?;
                let mut impacts = 0;
                simulation.run(&model, &mut state, |report, _| impacts += report.impacts.len())?;
                let (v, rebound) = (state.v(ball)[0], 0.5 * (1.0 + gravity * end));
                let case = format!("{gravity} m/s2, {t0} s to {} s", t0 + end);
                assert!(impacts == 1 && (v - rebound).abs() < 1e-12 * rebound, "{case}: {impacts}, {v}");
                assert!((state.t - (t0 + end)).abs() < 1e-14, "{case}: {}", state.t);
            }
        }
    }
    Ok(())
}
