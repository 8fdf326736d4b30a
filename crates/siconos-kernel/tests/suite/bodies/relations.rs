//! Relations of rigid bodies: derivatives compared with finite differences, and contact velocities compared
//! with their formula.

use std::num::NonZeroI32;

use siconos_kernel::model::{
    ContactPoints, ContactRows, Coupler, Distance, Joint, NewtonEuler, NewtonEulerRelation, PointContact,
    Quaternion, Relation,
};
use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;
use siconos_testkit::random::RandomState;

use super::{body, vector};

/// Checks the Jacobian of a relation at the positions of the bodies.
fn check(relation: impl Into<Relation>, bodies: &[&NewtonEuler]) -> Result<(), Error> {
    let relation = relation.into();
    let law = EqualityCondition::new(relation.size())?;
    let mut model = NonSmoothDynamicalSystem::new();
    let ids: Vec<_> = bodies.iter().map(|&body| model.add_system(body.clone())).collect::<Result<_, _>>()?;
    let q: Vec<f64> = bodies.iter().flat_map(|body| body.q0()).copied().collect();
    let interaction = model.add_interaction(ids, relation, law)?;
    model.interaction(interaction)?.check_jacobians(0.0, &q, 1e-8).expect("the derivative of h");
    Ok(())
}

#[test]
fn joints_have_the_derivatives_of_their_equations() -> Result<(), Error> {
    let mut draw = RandomState::new(5);
    for _ in 0..20 {
        // The joints are created at one configuration and evaluated at another.
        let (a, b, other_a, other_b) = (body(&mut draw), body(&mut draw), body(&mut draw), body(&mut draw));
        let (point, axis) = (vector(&mut draw, 1.0), vector(&mut draw, 3.0));
        for joint in [
            Joint::spherical(&a, point)?,
            Joint::revolute(&a, point, axis)?,
            Joint::cylindrical(&a, point, axis)?,
            Joint::prismatic(&a, point, axis)?,
            Joint::fixed(&a)?,
        ] {
            check(joint, &[&other_a])?;
        }
        for joint in [
            Joint::spherical((&a, &b), point)?,
            Joint::revolute((&a, &b), point, axis)?,
            Joint::cylindrical((&a, &b), point, axis)?,
            Joint::prismatic((&a, &b), point, axis)?,
            Joint::fixed((&a, &b))?,
        ] {
            check(joint, &[&other_a, &other_b])?;
        }
    }
    Ok(())
}

#[test]
fn distances_coordinates_and_couplers_have_the_derivatives_of_theirs() -> Result<(), Error> {
    let mut draw = RandomState::new(15);
    let teeth = |count| NonZeroI32::new(count).expect("a wheel has teeth");
    for _ in 0..20 {
        let bodies = [(); 3].map(|()| body(&mut draw));
        // The evaluation is near the initial configuration: angles and gears are smooth except for jumps by
        // whole revolutions.
        let others = bodies.clone().map(|body| moved(&mut draw, &body));
        let ([a, b, c], [other_a, other_b, other_c]) = (&bodies, &others);
        let (point, axis) = (vector(&mut draw, 1.0), vector(&mut draw, 3.0));
        let other_point = vector(&mut draw, 1.0);
        check(Distance::between(a, point, other_point)?, &[other_a])?;
        check(Distance::between((a, b), point, other_point)?.with_length(0.3)?.slack(), &[other_a, other_b])?;
        let screw = Joint::cylindrical((a, b), point, axis)?;
        let (way, angle) = (screw.displacement().expect("it slides"), screw.angle().expect("it turns"));
        check(way.clone(), &[other_a, other_b])?;
        check(angle.clone(), &[other_a, other_b])?;
        check(Coupler::screw(&screw, 2.0)?, &[other_a, other_b])?;
        let hinges = [Joint::revolute((a, c), point, axis)?, Joint::revolute((b, c), other_point, axis)?];
        let [first, second] = [0, 1].map(|k| hinges[k].angle().expect("a hinge turns"));
        let gear = Coupler::gear((&first, teeth(2)), (&second, teeth(-3)))?;
        check(gear.sharing_frame()?, &[other_a, other_b, other_c])?;
        let of_space = Joint::revolute(c, point, axis)?.angle().expect("a hinge turns");
        check(Coupler::rack(&way, (&of_space, 0.7))?, &[other_a, other_b, other_c])?;
    }
    Ok(())
}

/// Returns a body that is slightly displaced and rotated.
fn moved(draw: &mut RandomState, body: &NewtonEuler) -> NewtonEuler {
    let q = body.q0();
    let (way, turn) = (vector(draw, 0.2), vector(draw, 0.2));
    let orientation = Quaternion::of_body(q) * Quaternion::exp(turn);
    NewtonEuler::new(1.0, 1.0, std::array::from_fn(|k| q[k] + way[k]), orientation)
}

/// A ball on a contact with a separate input: the normal force acts a short distance ahead of the contact
/// point. Its moment slows the ball down like rolling friction with this distance as coefficient.
#[test]
fn an_input_apart_acts_where_it_says() -> Result<(), Error> {
    let (ahead, radius, h) = (2e-3, 0.1, 2.0_f64.powi(-8));
    for mass in [1.0, 64.0] {
        let ball =
            NewtonEuler::new(mass, 0.4 * mass * radius * radius, [0.0, 0.0, radius], Quaternion::IDENTITY)
                .with_twist([1.0, 0.0, 0.0], [0.0, 1.0 / radius, 0.0])
                .with_constant_external_force([0.0, 0.0, -9.81 * mass]);
        let mut model = NonSmoothDynamicalSystem::new();
        let ball = model.add_system(ball)?;
        let up = [0.0, 0.0, 1.0];
        let ground = PointContact::of_ball_and_plane(ContactRows::Friction, radius, [0.0; 3], up)?;
        let input = move |_: At<'_>, q: &[f64], g: &mut ndarray::ArrayViewMut2<'_, f64>| {
            let orientation = Quaternion::of_body(q);
            let point = [ahead, 0.0, -radius];
            // The rows of the contact are the normal and the tangents x and y.
            for (row, along) in [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].into_iter().enumerate() {
                let lever = if row == 0 { point } else { [0.0, 0.0, -radius] };
                let moment = [
                    lever[1] * along[2] - lever[2] * along[1],
                    lever[2] * along[0] - lever[0] * along[2],
                    lever[0] * along[1] - lever[1] * along[0],
                ];
                let moment = orientation.rotate_back(moment);
                (0..3).for_each(|k| (g[[row, k]], g[[row, 3 + k]]) = (along[k], moment[k]));
            }
        };
        let ground = NewtonEulerRelation::from(ground).with_input(input);
        let law = NewtonImpactFriction::in_space(0.0, 0.5)?;
        let contact = model.add_interaction([ball], ground, law)?;
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, 1.0, h)?)
            .tolerance(1e-13)
            .build()?;
        let mut state = simulation.initial_state(&model)?;
        let slowing = 5.0 * 9.81 * ahead / (7.0 * radius);
        let mut worst = 0.0;
        simulation.run(&model, &mut state, |report, state| {
            worst = worse(worst, (state.v(ball)[0] - 1.0 + slowing * report.t).abs());
            let normal = state.lambda(contact, Level::Velocity)[0];
            // The moment of the normal force and of the friction force about y rotates the ball.
            let friction = state.impulse(ball)[0];
            let expected = -radius * friction - ahead * normal;
            worst = worse(worst, (state.impulse(ball)[4] - expected).abs() / mass);
        })?;
        assert!(worst < 1e-9, "{worst}");
    }
    Ok(())
}

#[test]
fn the_kernel_multiplies_by_t() -> Result<(), Error> {
    let mut draw = RandomState::new(6);
    for _ in 0..20 {
        let (a, b) = (body(&mut draw), body(&mut draw));
        let relation = NewtonEulerRelation::new(2, |_, q, y| {
            y[0] = q[0] * q[4] + q[12] * q[3];
            y[1] = q[6] * q[5] - q[7] * q[2];
        })
        .with_derivative(|_, q, c| {
            (c[[0, 0]], c[[0, 4]], c[[0, 12]], c[[0, 3]]) = (q[4], q[0], q[3], q[12]);
            (c[[1, 6]], c[[1, 5]], c[[1, 7]], c[[1, 2]]) = (q[5], q[6], -q[2], -q[7]);
        });
        check(relation, &[&a, &b])?;
    }
    Ok(())
}

#[test]
fn contact_velocities_are_those_of_the_points() -> Result<(), Error> {
    let mut draw = RandomState::new(7);
    for _ in 0..20 {
        let (a, b) = (body(&mut draw), body(&mut draw));
        let (first, second, normal) =
            (vector(&mut draw, 1.0), vector(&mut draw, 1.0), vector(&mut draw, 2.0));
        let contact =
            PointContact::new(ContactRows::Rolling, move |_, _| ContactPoints { first, second, normal });
        let mut model = NonSmoothDynamicalSystem::new();
        let ids = [model.add_system(a.clone())?, model.add_system(b.clone())?];
        let contact = model.add_interaction(ids, contact, EqualityCondition::new(5)?)?;
        let simulation = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 0.1)?)
            .build()?;
        let mut simulation = simulation;
        let state = simulation.initial_state(&model)?;
        let velocity = state.y(contact, Level::Velocity);
        let motion = |body: &NewtonEuler, point: [f64; 3]| {
            let (q, v) = (body.q0(), body.v0());
            let orientation = Quaternion::of_body(q);
            let omega = orientation.rotate([v[3], v[4], v[5]]);
            let arm: [f64; 3] = std::array::from_fn(|i| point[i] - q[i]);
            let turn = [
                omega[1] * arm[2] - omega[2] * arm[1],
                omega[2] * arm[0] - omega[0] * arm[2],
                omega[0] * arm[1] - omega[1] * arm[0],
            ];
            (std::array::from_fn::<f64, 3, _>(|i| v[i] + turn[i]), omega)
        };
        let ((u_a, omega_a), (u_b, omega_b)) = (motion(&a, first), motion(&b, second));
        let u: [f64; 3] = std::array::from_fn(|i| u_a[i] - u_b[i]);
        let omega: [f64; 3] = std::array::from_fn(|i| omega_a[i] - omega_b[i]);
        let dot = |x: [f64; 3], y: [f64; 3]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let n = normal.map(|x| x / dot(normal, normal).sqrt());
        assert!((velocity[0] - dot(n, u)).abs() < 1e-13);
        // For all tangents, the components orthogonal to the normal have these lengths and this scalar
        // product.
        let square = |x: [f64; 3]| dot(x, x) - dot(n, x).powi(2);
        assert!((velocity[1].hypot(velocity[2]).powi(2) - square(u)).abs() < 1e-13);
        assert!((velocity[3].hypot(velocity[4]).powi(2) - square(omega)).abs() < 1e-13);
        let mixed = dot(u, omega) - dot(n, u) * dot(n, omega);
        assert!((velocity[1] * velocity[3] + velocity[2] * velocity[4] - mixed).abs() < 1e-13);
        assert!(
            (state.y(contact, Level::Position)[0] - dot(n, std::array::from_fn(|i| first[i] - second[i])))
                .abs()
                < 1e-14
        );
    }
    Ok(())
}

#[test]
fn what_is_no_relation_of_these_bodies_is_refused() -> Result<(), Error> {
    let mut draw = RandomState::new(8);
    let (a, b) = (body(&mut draw), body(&mut draw));
    let refused = Joint::revolute(&a, [0.0; 3], [0.0; 3]).err();
    assert_eq!(refused, Some(ModelError::NoDirection { what: "axis of a revolute joint" }));
    let refused = PointContact::of_ball_and_plane(ContactRows::Normal, 0.1, [0.0; 3], [0.0; 3]).err();
    assert_eq!(refused, Some(ModelError::NoDirection { what: "normal of a plane" }));
    assert!(matches!(Joint::spherical(&a, [f64::NAN; 3]), Err(ModelError::NotFinite { .. })));
    let mut model = NonSmoothDynamicalSystem::new();
    let (id_a, id_b) = (model.add_system(a.clone())?, model.add_system(b.clone())?);
    let mass =
        model.add_system(LagrangianLinear::new(vec![0.0; 6], vec![0.0; 6], ndarray::Array1::ones(6)))?;
    let joint = Joint::spherical((&a, &b), [0.0; 3])?;
    let law = || EqualityCondition::new(3);
    let refused = model.add_interaction([id_a], joint.clone(), law()?).err();
    assert_eq!(refused, Some(ModelError::JointBodyCount { expected: 2, found: 1 }));
    let refused = model.add_interaction([id_a, mass], joint.clone(), law()?).err();
    assert_eq!(refused, Some(ModelError::NotRigidBody { id: mass }));
    let refused = model.add_interaction([id_a, id_a], joint.clone(), law()?).err();
    assert_eq!(refused, Some(ModelError::SystemTwice { id: id_a }));
    model.add_interaction([id_a, id_b], joint, law()?)?;
    Ok(())
}

#[test]
fn contacts_are_between_as_many_bodies_as_they_are_of() -> Result<(), Error> {
    let mut draw = RandomState::new(9);
    let mut model = NonSmoothDynamicalSystem::new();
    let ids = [model.add_system(body(&mut draw))?, model.add_system(body(&mut draw))?, {
        model.add_system(body(&mut draw))?
    }];
    let law = NewtonImpact::new(0.5)?;
    let rows = ContactRows::Normal;
    let up = [0.0, 0.0, 1.0];
    let floor = || PointContact::of_ball_and_plane(rows, 0.1, [0.0; 3], up);
    let refused = model.add_interaction(ids[..2].to_vec(), floor()?, law).err();
    assert_eq!(refused, Some(ModelError::JointBodyCount { expected: 1, found: 2 }));
    let balls = || PointContact::of_balls(rows, 0.1, 0.1);
    for count in [1, 3] {
        let refused = model.add_interaction(ids[..count].to_vec(), balls()?, law).err();
        assert_eq!(refused, Some(ModelError::JointBodyCount { expected: 2, found: count }));
    }
    let points = move || {
        PointContact::new(rows, move |_: &Parameters, q: &[f64]| ContactPoints {
            first: [q[0], q[1], q[2]],
            second: [0.0; 3],
            normal: up,
        })
    };
    let refused = model.add_interaction(ids, points(), law).err();
    assert_eq!(refused, Some(ModelError::ContactBodyCount { most: 2, found: 3 }));
    model.add_interaction(ids[..1].to_vec(), floor()?, law)?;
    model.add_interaction(ids[..2].to_vec(), balls()?, law)?;
    model.add_interaction(ids[..1].to_vec(), points(), law)?;
    model.add_interaction(ids[..2].to_vec(), points(), law)?;
    Ok(())
}

#[test]
fn an_axis_in_a_plane_has_a_direction_across_the_normal() {
    let contact = |axis: [f64; 3]| {
        let rows = ContactRows::RollingInPlane { axis };
        PointContact::of_ball_and_plane(rows, 0.1, [0.0; 3], [0.0, 0.0, 2.0]).err()
    };
    for axis in [[0.0; 3], [0.0, 0.0, -3.0], [0.0, 0.0, 1e-200]] {
        assert!(matches!(contact(axis), Some(ModelError::NoDirection { .. })), "{axis:?}");
    }
    for axis in [[0.0, 1.0, 0.0], [1e-200, 0.0, 1e-200], [1e200, 0.0, 1e200]] {
        assert_eq!(contact(axis), None, "{axis:?}");
    }
}

#[test]
fn a_normal_of_length_0_is_named_by_its_interaction() -> Result<(), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let body = model.add_system(NewtonEuler::new(1.0, 1.0, [0.0; 3], Quaternion::IDENTITY))?;
    let nowhere = |_: &_, q: &[f64]| ContactPoints { first: [q[0]; 3], second: [0.0; 3], normal: [0.0; 3] };
    let contact = PointContact::new(ContactRows::Normal, nowhere);
    let contact = model.add_interaction([body], contact, NewtonImpact::new(0.0)?)?;
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.1)?;
    let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
    let refused = match simulation.initial_state(&model) {
        Err(error) => Some(error),
        Ok(mut state) => simulation.step(&model, &mut state).err(),
    };
    let message = refused.map(|error| error.to_string()).unwrap_or_default();
    assert!(message.contains(&contact.to_string()), "{message:?}");
    Ok(())
}
