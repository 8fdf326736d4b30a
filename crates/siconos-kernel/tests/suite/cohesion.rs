//! Cohesive contacts compared with closed forms: a cube under a ceiling, on a slope, at a wall and next to a
//! joint, and hundreds of contacts.

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

/// Cube at rest at the origin, in contact with a surface that has the given inward normal.
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

    /// Returns the final position and contact force.
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
            // The bond still acts in the step in which it breaks.
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
    // The joint constrains the cube to a line at 45 degrees. The weight pulls it along this line off the
    // ceiling.
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

/// Without cohesion, the Delassus matrix is not formed for this number of contacts.
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

/// A cube that slides down a wall, in units that differ by powers of two.
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

/// A ball under a ceiling rolls if the applied moment exceeds the moment of rolling friction that the bond
/// admits.
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

/// Ten cubes hang from each other: the bond at the ceiling carries all of them and breaks first.
#[test]
fn the_upper_bond_of_a_hanging_column_carries_all_cubes() {
    const CUBES: usize = 10;
    let build = |of_weight: f64| {
        let mut model = NonSmoothDynamicalSystem::new();
        let mut cubes = Vec::new();
        for _ in 0..CUBES {
            let cube = LagrangianLinear::new(vec![0.0, 0.0], vec![0.0, 0.0], array![MASS, MASS])
                .with_external_force(|_, f| f[1] = -WEIGHT);
            cubes.push(model.add_system(cube).unwrap());
        }
        let law = cohesive(0.5, of_weight * WEIGHT * CUBES as f64);
        let mut bonds = Vec::new();
        let ceiling = LagrangianLinearRelation::new(array![[0.0, -1.0], [-1.0, 0.0]]);
        bonds.push(model.add_interaction([cubes[0]], ceiling, law).unwrap());
        for pair in cubes.windows(2) {
            let rows = array![[0.0, 1.0, 0.0, -1.0], [1.0, 0.0, -1.0, 0.0]];
            let bond =
                model.add_interaction([pair[0], pair[1]], LagrangianLinearRelation::new(rows), law).unwrap();
            bonds.push(bond);
        }
        (model, cubes, bonds)
    };
    let h = 1e-3;
    for (of_weight, holds) in [(1.001, true), (0.999, false)] {
        let (model, cubes, bonds) = build(of_weight);
        let grid = TimeDiscretisation::uniform(0.0, 1000.0 * h, h).unwrap();
        let mut simulation = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        simulation.run(&model, &mut state, |report, _| assert!(report.is_converged, "{report:?}")).unwrap();
        for (number, (&cube, &bond)) in cubes.iter().zip(&bonds).enumerate() {
            let (height, pull) = (state.q(cube)[1], -state.lambda(bond, Level::Velocity)[0] / h);
            // Below the broken bond the cubes fall freely, without forces between them.
            let carried = if holds { (CUBES - number) as f64 * WEIGHT } else { 0.0 };
            assert!((pull - carried).abs() <= 1e-6, "{number}: {pull}, {carried}");
            let expected = if holds { 0.0 } else { -0.5 * G };
            assert!(
                (height - expected).abs() <= if holds { 1e-12 } else { 2.0 * G * h },
                "{number}: {height}"
            );
        }
    }
}

#[test]
fn two_hundred_cohesions_hold_or_not_by_the_weight_alone() {
    for k in 0..200 {
        let of_weight = 0.9 + f64::from(k) / 1000.0 + 5e-4;
        let (q, _) = Cube::at(CEILING, cohesive(0.3, of_weight * WEIGHT)).run(1e-2, 100);
        assert_eq!(is_at_rest(q), of_weight > 1.0, "{of_weight}: {q:?}");
    }
}

/// Every step is made by a new simulation, from a record of the state.
#[test]
fn a_simulation_rebuilt_at_every_step_has_the_same_bits() {
    let cube = Cube::at([1.0, 0.0], cohesive(0.5, 1.5 * WEIGHT));
    let mut simulation = cube.simulation(1e-2, 100);
    let mut state = simulation.initial_state(&cube.model).unwrap();
    let mut other = state.clone();
    for _ in 0..100 {
        simulation.step(&cube.model, &mut state).unwrap();
        let record = other.record(&cube.model).unwrap();
        other = State::restore(&cube.model, &record).unwrap();
        cube.simulation(1e-2, 100).step(&cube.model, &mut other).unwrap();
        assert_eq!((state.q(cube.body), state.v(cube.body)), (other.q(cube.body), other.v(cube.body)));
    }
    assert!(state.q(cube.body)[1] < -1.0);
    // A record is refused by a model with another cohesion.
    let record = state.record(&cube.model).unwrap();
    let stronger = Cube::at([1.0, 0.0], cohesive(0.5, 1.6 * WEIGHT));
    assert!(State::restore(&stronger.model, &record).unwrap_err().to_string().contains("cohesion"));
}

#[test]
fn an_unrelated_body_changes_nothing() {
    let alone = Cube::at([1.0, 0.0], cohesive(0.5, 1.5 * WEIGHT));
    let mut beside = Cube::at([1.0, 0.0], cohesive(0.5, 1.5 * WEIGHT));
    let block = LagrangianLinear::new(vec![0.0, 0.0], vec![0.3, 0.0], array![1e3, 1e3])
        .with_external_force(|_, f| f[1] = -1e3 * G);
    let block = beside.model.add_system(block).unwrap();
    let floor = LagrangianLinearRelation::new(array![[0.0, 1.0], [1.0, 0.0]]);
    beside.model.add_interaction([block], floor, NewtonImpactFriction::in_plane(0.0, 0.3).unwrap()).unwrap();
    assert_eq!(alone.run(1e-2, 100), beside.run(1e-2, 100));
}

/// A ball under a plane, in space.
#[test]
fn a_ball_hangs_from_a_plane_in_space() {
    for (of_weight, holds) in [(1.001, true), (0.9, false)] {
        let mut model = NonSmoothDynamicalSystem::new();
        let ball = NewtonEuler::new(MASS, [0.008; 3], [0.0, 0.0, -0.1], Quaternion::IDENTITY)
            .with_constant_external_force([0.0, 0.0, -WEIGHT]);
        let ball = model.add_system(ball).unwrap();
        let plane =
            PointContact::of_ball_and_plane(ContactRows::Friction, 0.1, [0.0; 3], [0.0, 0.0, -1.0]).unwrap();
        let law =
            NewtonImpactFriction::in_space(0.0, 0.5).unwrap().with_cohesion(of_weight * WEIGHT).unwrap();
        model.add_interaction([ball], plane, law).unwrap();
        let grid = TimeDiscretisation::uniform(0.0, 1.0, 1e-3).unwrap();
        let mut simulation = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        simulation.run(&model, &mut state, |_, _| ()).unwrap();
        let fallen = -0.1 - state.q(ball)[2];
        let expected = if holds { 0.0 } else { 0.5 * G };
        assert!((fallen - expected).abs() <= if holds { 1e-12 } else { 2e-3 * G }, "{fallen}");
    }
}

/// The shift is an impulse per step. Schemes with contact forces or without time steps refuse the law, even
/// at mu = 0.
#[test]
fn schemes_that_do_not_step_with_impulses_refuse_cohesion() {
    let cube = Cube::at(CEILING, cohesive(0.0, WEIGHT));
    let grid = || TimeDiscretisation::uniform(0.0, 1.0, 0.1).unwrap();
    let by_events = EventDriven::builder(&cube.model).discretisation(grid()).build().map(|_| ());
    let stepping = || TimeStepping::builder(&cube.model).discretisation(grid());
    let half_explicit = stepping().integrator(D1MinusLinear::default()).build().map(|_| ());
    let of_positions = stepping().integrator(SchatzmanPaoli::default()).build().map(|_| ());
    for refused in [by_events, half_explicit, of_positions] {
        let message = refused.unwrap_err().to_string();
        assert!(message.contains("friction"), "{message}");
    }
}

/// The combined projection needs overlaps, and a contact in tension has none.
#[test]
fn projections_keep_the_bond_or_refuse_it() {
    let cube = Cube::at(CEILING, cohesive(0.5, 1.5 * WEIGHT));
    let built = |projection| {
        let grid = TimeDiscretisation::uniform(0.0, 1.0, 1e-3).unwrap();
        let integrator = MoreauJean { projection: Some(projection), ..MoreauJean::default() };
        TimeStepping::builder(&cube.model).discretisation(grid).integrator(integrator).build()
    };
    let message = built(Projection::Combined).unwrap_err().to_string();
    assert!(message.contains("cohesion") && message.contains("Projection::Direct"), "{message}");
    let mut simulation = built(Projection::Direct).unwrap();
    let mut state = simulation.initial_state(&cube.model).unwrap();
    simulation.run(&cube.model, &mut state, |_, _| ()).unwrap();
    assert!(is_at_rest(state.q(cube.body).try_into().unwrap()), "{:?}", state.q(cube.body));
}

#[test]
fn adaptive_steps_hold_and_break_the_bond() {
    for (of_weight, fallen) in [(1.5, 0.0), (0.9, 0.5 * G)] {
        let cube = Cube::at(CEILING, cohesive(0.5, of_weight * WEIGHT));
        let mut simulation = cube.simulation(1.0, 1);
        let mut state = simulation.initial_state(&cube.model).unwrap();
        let mut adaptive = AdaptiveStepping::new(AdaptiveSettings::of_tolerance(1e-4)).unwrap();
        adaptive.run(&mut simulation, &cube.model, &mut state, 1.0, |_, _, _| ()).unwrap();
        let height = state.q(cube.body)[1];
        assert!((height + fallen).abs() <= 1e-3, "{of_weight}: {height}");
    }
}

/// Gaps of rounding size at the start do not end a bond.
#[test]
fn a_bond_survives_the_rounding_of_its_gap() {
    for (height, ceiling) in [(0.3, 0.1 + 0.2), (1.0 / 3.0, 1.0 / 3.0), (7.7, 7.7 + 2e-15)] {
        let mut cube = Cube::at(CEILING, cohesive(0.5, 0.0));
        cube.model.remove_interaction(cube.contact).unwrap();
        let body = LagrangianLinear::new(vec![0.0, height], vec![0.0, 0.0], array![MASS, MASS])
            .with_external_force(|_, f| f[1] = -WEIGHT);
        let body = cube.model.add_system(body).unwrap();
        let rows = LagrangianLinearRelation::new(array![[0.0, -1.0], [-1.0, 0.0]]);
        let rows = rows.with_offset(array![ceiling, 0.0]);
        cube.contact = cube.model.add_interaction([body], rows, cohesive(0.5, 1.5 * WEIGHT)).unwrap();
        cube.body = body;
        let ([_, end], _) = cube.run(1e-3, 10_000);
        assert!((end - height).abs() <= 1e-12, "{height}, {ceiling}: {end}");
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
    // Files may omit the cohesion.
    let written = serde_json::to_string(&law).unwrap().replace(r#","cohesion":0.0"#, "");
    assert!(!written.contains("cohesion"), "{written}");
    assert_eq!(serde_json::from_str::<NewtonImpactFriction>(&written).unwrap(), law);
    let law = law.with_cohesion(0.25).unwrap();
    let written = serde_json::to_string(&law).unwrap();
    assert_eq!(serde_json::from_str::<NewtonImpactFriction>(&written).unwrap(), law);
    assert!(serde_json::from_str::<NewtonImpactFriction>(&written.replace("0.25", "-0.25")).is_err());
}
