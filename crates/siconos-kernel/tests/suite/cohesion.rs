//! Cohesive contacts against closed forms: a cube under a ceiling, on a slope and at a wall, next to a joint,
//! and with hundreds of contacts.

use ndarray::array;
use siconos_kernel::ModelError;
use siconos_kernel::prelude::*;
use siconos_testkit::allocation::count_allocations;

const G: f64 = 9.81;
const MASS: f64 = 2.0;
const WEIGHT: f64 = MASS * G;

/// Inward normal of a ceiling.
const CEILING: [f64; 2] = [0.0, -1.0];

fn cohesive(mu: f64, cohesion: f64) -> NewtonImpactFriction {
    NewtonImpactFriction::in_plane(0.0, mu).unwrap().with_cohesion(cohesion).unwrap()
}

/// A cube at rest at the origin, in contact with a surface of this inward normal.
struct Cube {
    model: NonSmoothDynamicalSystem,
    body: DynamicalSystemId,
    contact: InteractionId,
}

impl Cube {
    fn at([x, y]: [f64; 2], law: NewtonImpactFriction) -> Self {
        let mut model = NonSmoothDynamicalSystem::new();
        let body = LagrangianLinear::new(vec![0.0, 0.0], vec![0.0, 0.0], array![MASS, MASS])
            .with_external_force(|_, f| f[1] = -WEIGHT);
        let body = model.add_system(body).unwrap();
        let rows = LagrangianLinearRelation::new(array![[x, y], [y, -x]]);
        let contact = model.add_interaction([body], rows, law).unwrap();
        Self { model, body, contact }
    }

    fn simulation(&self, h: f64, steps: usize) -> TimeStepping {
        let grid = TimeDiscretisation::uniform(0.0, steps as f64 * h, h).unwrap();
        TimeStepping::builder(&self.model).discretisation(grid).build().unwrap()
    }

    /// Position and contact force at the end.
    fn run(&self, h: f64, steps: usize) -> ([f64; 2], [f64; 2]) {
        let mut simulation = self.simulation(h, steps);
        let mut state = simulation.initial_state(&self.model).unwrap();
        simulation
            .run(&self.model, &mut state, |report, _| assert!(report.is_converged, "{report:?}"))
            .unwrap();
        let impulse = state.lambda(self.contact, Level::Velocity);
        (state.q(self.body).try_into().unwrap(), [impulse[0] / h, impulse[1] / h])
    }
}

fn is_at_rest(q: [f64; 2]) -> bool {
    q.iter().all(|q| q.abs() <= 1e-12)
}

#[test]
fn a_cube_under_a_ceiling_falls_if_its_weight_exceeds_the_cohesion() {
    for mu in [0.0, 0.5] {
        for (h, steps) in [(1e-3, 1000), (1.0 / 128.0, 128)] {
            let (q, [normal, tangential]) = Cube::at(CEILING, cohesive(mu, 1.001 * WEIGHT)).run(h, steps);
            assert!(is_at_rest(q), "mu {mu}, h {h}: {q:?}");
            assert!((normal + WEIGHT).abs() <= 1e-9 * WEIGHT && tangential.abs() <= 1e-9, "{normal}");
            let (q, force) = Cube::at(CEILING, cohesive(mu, 0.9 * WEIGHT)).run(h, steps);
            // The bond pulls in the step in which it breaks, and no longer.
            let late = 0.5 * G - 0.9 * G * h;
            assert!((q[1] + late).abs() <= G * h, "mu {mu}, h {h}: {q:?}");
            assert_eq!(force, [0.0, 0.0]);
        }
    }
}

#[test]
fn a_bond_breaks_when_the_pull_exceeds_the_cohesion() {
    let (h, cohesion, rate) = (1e-3, 50.0, 100.0);
    let mut model = NonSmoothDynamicalSystem::new();
    let body = LagrangianLinear::new(vec![0.0, 0.0], vec![0.0, 0.0], array![MASS, MASS])
        .with_external_force(move |t, f| f[1] = rate * t.t);
    let body = model.add_system(body).unwrap();
    let rows = LagrangianLinearRelation::new(array![[0.0, 1.0], [1.0, 0.0]]);
    let contact = model.add_interaction([body], rows, cohesive(0.3, cohesion)).unwrap();
    let cube = Cube { model, body, contact };
    let mut simulation = cube.simulation(h, 1000);
    let mut state = simulation.initial_state(&cube.model).unwrap();
    let mut broken = None;
    let mut strongest = 0.0_f64;
    simulation
        .run(&cube.model, &mut state, |_, state| {
            strongest = strongest.min(state.lambda(contact, Level::Velocity)[0] / h);
            if broken.is_none() && state.v(body)[1] > 1e-9 {
                broken = Some(state.t);
            }
        })
        .unwrap();
    let broken = broken.expect("the pull exceeds the cohesion after 0.5 s");
    assert!((broken - cohesion / rate).abs() <= 2.0 * h, "{broken}");
    assert!((strongest + cohesion).abs() <= rate * h, "{strongest}");
}

#[test]
fn cohesion_adds_to_the_normal_force_that_friction_multiplies() {
    let (mu, angle) = (0.5, std::f64::consts::FRAC_PI_4);
    let (sin, cos) = angle.sin_cos();
    for (normal, pull, press) in [([sin, cos], WEIGHT * sin, WEIGHT * cos), ([1.0, 0.0], WEIGHT, 0.0)] {
        let least = pull / mu - press;
        let (q, force) = Cube::at(normal, cohesive(mu, 1.001 * least)).run(1e-2, 100);
        assert!(is_at_rest(q), "{q:?}");
        assert!((force[0] - press).abs() <= 1e-8 && (force[1].abs() - pull).abs() <= 1e-8, "{force:?}");
        let cohesion = 0.9 * least;
        let (q, force) = Cube::at(normal, cohesive(mu, cohesion)).run(1e-2, 100);
        let acceleration = (pull - mu * (press + cohesion)) / MASS;
        let distance = q[0].hypot(q[1]);
        assert!((distance - 0.5 * acceleration).abs() <= 1e-8, "{distance}, {acceleration}");
        assert!((force[1].abs() - mu * (press + cohesion)).abs() <= 1e-8, "{force:?}");
    }
}

#[test]
fn a_joint_next_to_a_cohesive_contact_carries_what_the_bond_pulls() {
    // The joint holds the cube on a line at 45 degrees, along which the weight pulls it off the ceiling.
    for (cohesion, holds) in [(1.001 * WEIGHT, true), (0.9 * WEIGHT, false)] {
        let mut cube = Cube::at(CEILING, cohesive(0.0, cohesion));
        let line = LagrangianLinearRelation::new(array![[1.0, 1.0]]);
        cube.model.add_interaction([cube.body], line, EqualityCondition::new(1).unwrap()).unwrap();
        let (q, force) = cube.run(1e-3, 500);
        assert_eq!(is_at_rest(q), holds, "{q:?}");
        assert!((q[0] + q[1]).abs() <= 1e-10, "{q:?}");
        if holds {
            assert!((force[0] + WEIGHT).abs() <= 1e-8, "{force:?}");
        } else {
            // Half of the weight acts along the line.
            assert!((q[1] + 0.25 * G * 0.25).abs() <= 0.01, "{q:?}");
        }
    }
}

/// Without cohesion, this number of contacts is posed with the bodies in place of the Delassus matrix.
#[test]
fn hundreds_of_contacts_hold_one_plate() {
    const CONTACTS: usize = 320;
    for (of_weight, holds) in [(1.01, true), (0.9, false)] {
        let cohesion = of_weight * WEIGHT / CONTACTS as f64;
        let mut cube = Cube::at(CEILING, cohesive(0.3, cohesion));
        for _ in 1..CONTACTS {
            let rows = LagrangianLinearRelation::new(array![[0.0, -1.0], [-1.0, 0.0]]);
            cube.model.add_interaction([cube.body], rows, cohesive(0.3, cohesion)).unwrap();
        }
        let (q, _) = cube.run(1e-2, 20);
        assert_eq!(q[1].abs() <= 1e-9, holds, "{q:?}");
    }
}

#[test]
fn a_cube_under_a_ceiling_hangs_for_ten_thousand_steps() {
    let (q, force) = Cube::at(CEILING, cohesive(0.5, 1.001 * WEIGHT)).run(1e-3, 10_000);
    assert!(is_at_rest(q), "{q:?}");
    assert!((force[0] + WEIGHT).abs() <= 1e-8, "{force:?}");
}

/// A cube that slides down a wall, in units that are powers of two of the first.
#[test]
fn cohesion_is_a_force_in_every_system_of_units() {
    let trajectory = |mass: f64, length: f64, time: f64| {
        let force = mass * length / (time * time);
        let mut model = NonSmoothDynamicalSystem::new();
        let body = LagrangianLinear::new(vec![0.0, 0.0], vec![0.0, 0.0], array![MASS * mass, MASS * mass])
            .with_external_force(move |_, f| f[1] = -WEIGHT * force);
        let body = model.add_system(body).unwrap();
        let rows = LagrangianLinearRelation::new(array![[1.0, 0.0], [0.0, -1.0]]);
        model.add_interaction([body], rows, cohesive(0.5, 20.0 * force)).unwrap();
        let grid = TimeDiscretisation::uniform(0.0, time, time / 128.0).unwrap();
        let mut simulation = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        let mut heights = Vec::new();
        simulation.run(&model, &mut state, |_, state| heights.push(state.q(body)[1] / length)).unwrap();
        heights
    };
    let first = trajectory(1.0, 1.0, 1.0);
    assert!(first.last().is_some_and(|height| *height < -2.0), "{first:?}");
    for (mass, length, time) in [(1024.0, 1.0, 1.0), (1.0, 0.25, 1.0), (1.0, 1.0, 64.0), (0.5, 8.0, 0.125)] {
        assert!(trajectory(mass, length, time) == first, "{mass}, {length}, {time}");
    }
}

/// A ball under a ceiling rolls where the moment exceeds what rolling friction takes from the bond.
#[test]
fn rolling_friction_rests_on_the_shifted_normal_force() {
    let (cohesion, mu_rolling, torque) = (2.0 * WEIGHT, 0.01, 0.15);
    for (factor, rolls) in [(1.0, false), (2.0, true)] {
        let mut model = NonSmoothDynamicalSystem::new();
        let ball = LagrangianLinear::new(vec![0.0; 3], vec![0.0; 3], array![MASS, MASS, 0.1])
            .with_external_force(move |_, f| (f[1], f[2]) = (-WEIGHT, factor * torque));
        let ball = model.add_system(ball).unwrap();
        // Normal, tangent, and rotation.
        let rows = array![[0.0, -1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        let law = cohesive(0.5, cohesion).with_rolling(mu_rolling).unwrap();
        model.add_interaction([ball], LagrangianLinearRelation::new(rows), law).unwrap();
        let grid = TimeDiscretisation::uniform(0.0, 0.1, 1e-3).unwrap();
        let mut simulation = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        simulation.run(&model, &mut state, |_, _| ()).unwrap();
        // The shifted normal force is 2 m g - m g.
        let moment = (factor * torque - mu_rolling * WEIGHT).max(0.0);
        let expected = 0.5 * moment / 0.1 * 0.01;
        assert!((state.q(ball)[2] - expected).abs() <= 1e-8, "{:?}, {expected}", state.q(ball));
        assert_eq!(expected > 0.0, rolls);
    }
}

#[test]
fn steps_with_cohesion_allocate_nothing() {
    let cube = Cube::at(CEILING, cohesive(0.5, 1.5 * WEIGHT));
    let mut simulation = cube.simulation(1e-3, 200);
    let mut state = simulation.initial_state(&cube.model).unwrap();
    for step in 0..200 {
        let allocations = count_allocations(|| {
            simulation.step(&cube.model, &mut state).expect("a step");
        });
        assert!(step < 10 || allocations == 0, "step {step}: {allocations}");
    }
}

#[test]
fn a_cohesion_is_a_number_at_or_above_zero() {
    let law = NewtonImpactFriction::in_space(0.5, 0.3).unwrap();
    for value in [-1.0, f64::INFINITY, f64::NAN] {
        let error = law.with_cohesion(value).unwrap_err();
        assert!(matches!(error, ModelError::Cohesion { .. }), "{error}");
        assert!(error.to_string().contains(&value.to_string()), "{error}");
    }
    // Files may leave it out.
    let written = serde_json::to_string(&law).unwrap().replace(r#","cohesion":0.0"#, "");
    assert!(!written.contains("cohesion"), "{written}");
    assert_eq!(serde_json::from_str::<NewtonImpactFriction>(&written).unwrap(), law);
    let law = law.with_cohesion(0.25).unwrap();
    let written = serde_json::to_string(&law).unwrap();
    assert_eq!(serde_json::from_str::<NewtonImpactFriction>(&written).unwrap(), law);
    assert!(serde_json::from_str::<NewtonImpactFriction>(&written.replace("0.25", "-0.25")).is_err());
}
