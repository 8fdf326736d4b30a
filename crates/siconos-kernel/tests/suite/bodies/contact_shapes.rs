//! Contacts of balls, points and boxes with planes and balls, in space and in the plane.

use siconos_kernel::Error;
use siconos_kernel::model::Relation;
use siconos_kernel::prelude::*;
use siconos_testkit::random::RandomState;

use super::{body, orientation, vector};

const G: f64 = 9.81;

/// Draws a surface of each kind.
fn surfaces(draw: &mut RandomState) -> [ContactSurface; 2] {
    let ball = ContactBall { centre: vector(draw, 2.0), radius: draw.between(0.1, 0.5) };
    [
        ContactSurface::Plane { point: vector(draw, 1.0), normal: vector(draw, 1.0) },
        ContactSurface::Ball(ball),
    ]
}

fn length(x: [f64; 3]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn rotated(body: &NewtonEuler, local: [f64; 3]) -> [f64; 3] {
    let moved = body.orientation().rotate(local);
    std::array::from_fn(|i| body.q0()[i] + moved[i])
}

/// Gaps equal distances that are computed from the positions of centres, and the Jacobians of the gaps equal
/// finite differences.
#[test]
fn gaps_are_distances() -> Result<(), Error> {
    let mut draw = RandomState::new(77);
    for _ in 0..100 {
        let (first, second) = (body(&mut draw), body(&mut draw));
        let balls = [
            ContactBall::point(vector(&mut draw, 0.5)),
            ContactBall { centre: vector(&mut draw, 0.5), radius: draw.between(0.01, 0.2) },
            ContactBall::centred(0.1),
        ];
        for surface in surfaces(&mut draw) {
            let mut model = NonSmoothDynamicalSystem::new();
            let ids = [model.add_system(first.clone())?, model.add_system(second.clone())?];
            let fixed = PointContact::at_rest(ContactRows::Rolling, balls, surface)?;
            let fixed = model.add_interaction([ids[0]], fixed, EqualityCondition::new(15)?)?;
            let moving = PointContact::between(ContactRows::Normal, balls, surface)?;
            let moving = model.add_interaction(ids, moving, EqualityCondition::new(3)?)?;
            let state = State::new(&model, 0.0);
            for (id, every, is_moving) in [(fixed, 5, false), (moving, 1, true)] {
                let y = state.output(&model, id)?;
                let place = |local| if is_moving { rotated(&second, local) } else { local };
                for (ball, gap) in balls.iter().zip(y.iter().step_by(every)) {
                    let centre = rotated(&first, ball.centre);
                    let expected = match surface {
                        ContactSurface::Plane { point, normal } => {
                            let turned = if is_moving { second.orientation().rotate(normal) } else { normal };
                            let point = place(point);
                            let height: f64 = (0..3).map(|i| turned[i] * (centre[i] - point[i])).sum();
                            height / length(normal) - ball.radius
                        }
                        ContactSurface::Ball(other) => {
                            let opposite = place(other.centre);
                            length(std::array::from_fn(|i| centre[i] - opposite[i]))
                                - ball.radius
                                - other.radius
                        }
                        _ => panic!("a new surface"),
                    };
                    assert!((gap - expected).abs() < 1e-14, "{surface:?} {gap} {expected}");
                }
                let q: Vec<_> =
                    model.interaction(id)?.systems().iter().flat_map(|id| state.q(*id)).copied().collect();
                model.interaction(id)?.check_jacobians(0.0, &q, 1e-8).expect("the derivatives of the gaps");
            }
        }
    }
    Ok(())
}

/// A planar contact has the same rows as the contact of a body in space that moves in the plane z = 0.
#[test]
fn planar_contacts_are_contacts_in_the_plane_z_0() -> Result<(), Error> {
    let mut draw = RandomState::new(78);
    for _ in 0..200 {
        let mut drawn = || draw.between(-1.0, 1.0);
        let places = [[drawn(), drawn(), 3.0 * drawn()], [drawn(), drawn(), 3.0 * drawn()]];
        let discs = [Disc { centre: [drawn(), drawn()], radius: 0.1 }, Disc::point([drawn(), drawn()])];
        let (point, normal, centre) = ([drawn(), drawn()], [drawn(), drawn()], [drawn(), drawn()]);
        let in_space = |[x, y]: [f64; 2]| [x, y, 0.0];
        let balls = discs.map(|disc| ContactBall { centre: in_space(disc.centre), radius: disc.radius });
        let pairs = [
            (
                PlanarSurface::Line { point, normal },
                ContactSurface::Plane { point: in_space(point), normal: in_space(normal) },
            ),
            (
                PlanarSurface::Disc(Disc { centre, radius: 0.2 }),
                ContactSurface::Ball(ContactBall { centre: in_space(centre), radius: 0.2 }),
            ),
        ];
        for (curve, surface) in pairs {
            let planar = PlanarContact::between(PlanarRows::Rolling, discs, curve)?;
            let rows = ContactRows::RollingInPlane { axis: [0.0, 0.0, 1.0] };
            let spatial = PointContact::between(rows, balls, surface)?;
            let (mut flat, mut full) = (NonSmoothDynamicalSystem::new(), NonSmoothDynamicalSystem::new());
            let flat_ids = places.map(|at| flat.add_system(LagrangianLinear::planar_body(1.0, 1.0, at)));
            let turn = |angle| Quaternion::about([0.0, 0.0, 1.0], angle);
            let full_ids = places
                .map(|[x, y, angle]| full.add_system(NewtonEuler::new(1.0, 1.0, [x, y, 0.0], turn(angle))));
            let (flat_ids, full_ids) =
                ([flat_ids[0].clone()?, flat_ids[1].clone()?], [full_ids[0].clone()?, full_ids[1].clone()?]);
            let planar = flat.add_interaction(flat_ids, planar, EqualityCondition::new(6)?)?;
            let spatial = full.add_interaction(full_ids, spatial, EqualityCondition::new(6)?)?;
            let (mut flat_state, mut full_state) = (State::new(&flat, 0.0), State::new(&full, 0.0));
            let (y, expected) = (flat_state.output(&flat, planar)?, full_state.output(&full, spatial)?);
            assert!(y.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-14), "{y:?} {expected:?}");
            let lambda = [1.0, -0.3, 0.2, 0.7, 0.1, -0.5];
            flat_state.set_lambda(planar, &lambda)?;
            full_state.set_lambda(spatial, &lambda)?;
            for (flat_id, full_id) in flat_ids.into_iter().zip(full_ids) {
                let p = flat_state.reaction(&flat, flat_id, Level::Position)?;
                let full = full_state.reaction(&full, full_id, Level::Position)?;
                for (own, other) in p.iter().zip([full[0], full[1], full[5]]) {
                    assert!((own - other).abs() < 1e-13, "{p:?} {full:?}");
                }
            }
        }
    }
    Ok(())
}

/// A cuboid on the corners of its lowest face rests on a slope below the angle of friction, and slides with
/// the acceleration g (sin a - mu cos a) above it.
#[test]
fn a_box_rests_or_slides_on_a_slope() -> Result<(), Error> {
    let (mass, edges, mu) = (2.0, [0.4, 0.3, 0.2], 0.4);
    for degrees in [15.0_f64, 30.0] {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let normal = [sine, 0.0, cosine];
        let turn = Quaternion::about([0.0, 1.0, 0.0], degrees.to_radians());
        let body =
            NewtonEuler::new(mass, Inertia::of_cuboid(mass, edges), turn.rotate([0.0, 0.0, 0.1]), turn)
                .with_constant_external_force([0.0, 0.0, -mass * G]);
        let mut model = NonSmoothDynamicalSystem::new();
        let body = model.add_system(body)?;
        let slope = ContactSurface::Plane { point: [0.0; 3], normal };
        let corners = PointContact::at_rest(ContactRows::Friction, ContactBall::corners(edges), slope)?;
        assert_eq!(Relation::from(corners.clone()).size(), 24);
        let contact = model.add_interaction([body], corners, NewtonImpactFriction::in_space(0.0, mu)?)?;
        let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.01)?;
        let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
        let mut state = simulation.initial_state(&model)?;
        while simulation.step(&model, &mut state)?.is_some() {}
        let v = &state.v(body)[..3];
        let downhill = v[0] * cosine - v[2] * sine;
        let expected = (G * (sine - mu * cosine)).max(0.0);
        assert!((downhill - expected).abs() < 1e-6, "{degrees} {downhill} {expected}");
        let pressed: f64 = state.lambda(contact, Level::Acceleration).iter().step_by(3).sum();
        assert!((pressed - mass * G * cosine).abs() < 1e-6, "{pressed}");
    }
    Ok(())
}

/// Adds a cuboid that rests on a floor with all corners of its lower face.
fn add_resting_box(
    model: &mut NonSmoothDynamicalSystem,
    x: f64,
    mass: f64,
    edges: [f64; 3],
) -> Result<(DynamicalSystemId, InteractionId), Error> {
    let floor = ContactSurface::Plane { point: [0.0; 3], normal: [0.0, 0.0, 1.0] };
    let inertia = Inertia::of_cuboid(mass, edges);
    let body = NewtonEuler::new(mass, inertia, [x, 0.0, 0.5 * edges[2]], Quaternion::IDENTITY)
        .with_constant_external_force([0.0, 0.0, -mass * G]);
    let body = model.add_system(body)?;
    let corners = PointContact::at_rest(ContactRows::Friction, ContactBall::corners(edges), floor)?;
    let contact = model.add_interaction([body], corners, NewtonImpactFriction::in_space(0.0, 0.5)?)?;
    Ok((body, contact))
}

/// A box at rest keeps its place and its four contacts, and boxes next to it change no bit of its motion.
#[test]
fn boxes_stay_at_rest() -> Result<(), Error> {
    let mut places = Vec::new();
    for (count, steps) in [(1_u32, 10_000), (10, 1000), (1000, 20)] {
        let mut model = NonSmoothDynamicalSystem::new();
        let ids = (0..count).map(|k| {
            let size = 1.0 + f64::from(k);
            add_resting_box(&mut model, size, 2.0 * size, [0.4 * size, 0.3 * size, 0.2 * size])
        });
        let ids = ids.collect::<Result<Vec<_>, _>>()?;
        let grid = TimeDiscretisation::uniform(0.0, 0.01 * f64::from(steps), 0.01)?;
        let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
        let mut state = simulation.initial_state(&model)?;
        let mut done = 0;
        while let Some(report) = simulation.step(&model, &mut state)? {
            assert!(report.is_converged, "{count} boxes, step {done}");
            done += 1;
            if done == 20 {
                places.push(state.q(ids[0].0).to_vec());
            }
        }
        assert_eq!(done, steps);
        for (k, (body, contact)) in (1_u32..).zip(&ids) {
            let size = f64::from(k);
            assert!(state.v(*body).iter().all(|v| v.abs() < 1e-9 * size), "{k}: {:?}", state.v(*body));
            let moved = state.q(*body)[0] - size;
            assert!(moved.abs() < 1e-8 * size, "{k}: {moved}");
            let gaps: Vec<f64> = state.y(*contact, Level::Position).iter().copied().step_by(3).collect();
            let (lower, upper) = gaps.split_at(4);
            assert!(lower.iter().all(|gap| gap.abs() < 1e-9 * size), "{k}: {gaps:?}");
            assert!(upper.iter().all(|gap| (gap - 0.2 * size).abs() < 1e-8 * size), "{k}: {gaps:?}");
            let pressed: Vec<f64> =
                state.lambda(*contact, Level::Acceleration).iter().copied().step_by(3).collect();
            let sum: f64 = pressed.iter().sum();
            assert!((sum - 2.0 * size * G).abs() < 1e-6 * size, "{k}: {pressed:?}");
        }
    }
    assert!(places.windows(2).all(|two| two[0] == two[1]), "{places:?}");
    Ok(())
}

/// A disc that is set on a line without spin rolls after 2 v0 / (6 mu g) with 2/3 of its velocity.
#[test]
fn a_disc_slides_and_rolls() -> Result<(), Error> {
    let (mass, radius, v0, mu) = (1.5, 0.1, 1.2, 0.25);
    let disc = LagrangianLinear::planar_body(mass, 0.5 * mass * radius * radius, [0.0, radius, 0.3])
        .with_velocity(vec![v0, 0.0, 0.0])
        .with_constant_external_force(vec![0.0, -mass * G, 0.0]);
    let mut model = NonSmoothDynamicalSystem::new();
    let disc = model.add_system(disc)?;
    let floor = PlanarSurface::Line { point: [3.0, 0.0], normal: [0.0, 2.0] };
    let floor = PlanarContact::at_rest(PlanarRows::Friction, [Disc::centred(radius)], floor)?;
    let floor = model.add_interaction([disc], floor, NewtonImpactFriction::in_plane(0.0, mu)?)?;
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 1e-3)?;
    let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
    let mut state = simulation.initial_state(&model)?;
    let mut rolls = None;
    simulation.run(&model, &mut state, |report, state| {
        if rolls.is_none() && state.y(floor, Level::Velocity)[1].abs() < 1e-9 {
            rolls = Some(report.t);
        }
    })?;
    assert!(rolls.is_some_and(|t| (t - v0 / (3.0 * mu * G)).abs() < 1.1e-3), "{rolls:?}");
    assert!((state.v(disc)[0] - 2.0 / 3.0 * v0).abs() < 1e-9);
    assert!((state.v(disc)[2] + 2.0 / 3.0 * v0 / radius).abs() < 1e-8);
    Ok(())
}

/// Two planar bodies that touch each other only exchange momentum, and angular momentum about the origin.
#[test]
fn planar_bodies_conserve_momentum() -> Result<(), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let plate = LagrangianLinear::planar_body(3.0, 0.2, [0.0, 0.0, 0.4]).with_velocity(vec![0.0, 0.3, -0.2]);
    let ball = LagrangianLinear::planar_body(1.0, 0.01, [0.4, 1.0, 0.0]).with_velocity(vec![0.2, -2.0, 5.0]);
    let ids = [model.add_system(ball)?, model.add_system(plate)?];
    let top = PlanarSurface::Line { point: [0.0, 0.1], normal: [0.0, 1.0] };
    let contact = PlanarContact::between(PlanarRows::Friction, [Disc::centred(0.1)], top)?;
    model.add_interaction(ids, contact, NewtonImpactFriction::in_plane(0.6, 0.5)?)?;
    let momenta = |state: &State| {
        let mut sum = [0.0; 3];
        for (id, [mass, inertia]) in ids.into_iter().zip([[1.0, 0.01], [3.0, 0.2]]) {
            let (q, v) = (state.q(id), state.v(id));
            sum[0] += mass * v[0];
            sum[1] += mass * v[1];
            sum[2] += inertia * v[2] + mass * (q[0] * v[1] - q[1] * v[0]);
        }
        sum
    };
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 1e-4)?;
    let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
    let mut state = simulation.initial_state(&model)?;
    let before = momenta(&state);
    let mut impulse = 0.0;
    simulation.run(&model, &mut state, |_, state| impulse += state.impulse(ids[0])[1])?;
    assert!(impulse > 1.0, "they hit each other: {impulse}");
    let after = momenta(&state);
    assert!((before[0] - after[0]).abs() < 1e-12 && (before[1] - after[1]).abs() < 1e-12);
    // The points of application differ by the gap at the impact, up to h v.
    assert!((before[2] - after[2]).abs() < 2e-3, "{before:?} {after:?}");
    Ok(())
}

#[test]
fn bad_shapes_are_refused() -> Result<(), Error> {
    let floor = ContactSurface::Plane { point: [0.0; 3], normal: [0.0, 0.0, 1.0] };
    let rows = ContactRows::Normal;
    let refused = |balls: &[ContactBall], surface| {
        PointContact::at_rest(rows, balls.iter().copied(), surface).map(drop).expect_err("bad").to_string()
    };
    assert_eq!(refused(&[], floor), "`set of contact points` must have at least one component");
    let ball = |centre, radius| ContactBall { centre, radius };
    assert_eq!(refused(&[ball([0.0; 3], -0.1)], floor), "a length must be finite and nonnegative, not -0.1");
    assert!(refused(&[ball([f64::NAN; 3], 0.1)], floor).contains("NaN"));
    assert!(refused(&[ball([0.0; 3], f64::INFINITY)], floor).contains("inf"));
    let flat = ContactSurface::Plane { point: [0.0; 3], normal: [0.0; 3] };
    assert_eq!(
        refused(&[ContactBall::centred(0.1)], flat),
        "the normal of a plane must have a nonzero length"
    );

    let mut model = NonSmoothDynamicalSystem::new();
    let bead = model.add_named_system(
        "bead",
        LagrangianLinear::new(vec![0.0; 2], vec![0.0; 2], ndarray::array![1.0, 1.0]),
    )?;
    let line = PlanarSurface::Line { point: [0.0; 2], normal: [0.0, 1.0] };
    let contact = PlanarContact::at_rest(PlanarRows::Normal, [Disc::centred(0.1)], line)?;
    let error =
        model.add_interaction([bead], contact.clone(), NewtonImpact::new(0.5)?).expect_err("two coordinates");
    assert!(matches!(error, ModelError::NotPlanarBody { found: 2, .. }), "{error}");
    let body = model.add_system(NewtonEuler::new(
        1.0,
        1.0,
        vector(&mut RandomState::new(1), 1.0),
        orientation(&mut RandomState::new(2)),
    ))?;
    let error =
        model.add_interaction([body], contact, NewtonImpact::new(0.5)?).expect_err("seven coordinates");
    assert!(matches!(error, ModelError::NotPlanarBody { found: 7, .. }), "{error}");
    Ok(())
}
