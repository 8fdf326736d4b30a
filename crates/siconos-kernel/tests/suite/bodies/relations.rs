//! Relations of bodies: derivatives by differences, and velocities of contact by their formula.

use siconos_kernel::model::{
    ContactPoints, ContactRows, Joint, NewtonEuler, NewtonEulerRelation, PointContact, Quaternion, Relation,
};
use siconos_kernel::prelude::*;
use siconos_testkit::random::RandomState;

use super::{body, vector};

/// The Jacobian of a relation between some bodies, checked at where they are.
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
        // Made somewhere, and looked at elsewhere.
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
            let attitude = Quaternion::of_body(q);
            let omega = attitude.rotate([v[3], v[4], v[5]]);
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
        // Whatever the tangents, what is not normal has these lengths and this angle between them.
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
    assert_eq!(refused, Some(ModelError::JointedBodies { expected: 2, found: 1 }));
    let refused = model.add_interaction([id_a, mass], joint.clone(), law()?).err();
    assert_eq!(refused, Some(ModelError::NoBody { id: mass }));
    let refused = model.add_interaction([id_a, id_a], joint.clone(), law()?).err();
    assert_eq!(refused, Some(ModelError::SystemTwice { id: id_a }));
    model.add_interaction([id_a, id_b], joint, law()?)?;
    Ok(())
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
