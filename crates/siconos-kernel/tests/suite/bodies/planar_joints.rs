//! Joints, distances and couplers of planar bodies.

use std::f64::consts::PI;
use std::num::NonZeroI32;

use siconos_kernel::model::{Coupler, Distance, Joint, JointBodies, LagrangianLinear, NewtonEuler, Relation};
use siconos_kernel::prelude::*;
use siconos_testkit::random::RandomState;

use super::vector;

const AXIS: [f64; 3] = [0.0, 0.0, 1.0];

fn check(relation: impl Into<Relation>, bodies: &[[f64; 3]]) -> Result<(), Error> {
    let relation = relation.into();
    let law = EqualityCondition::new(relation.size())?;
    let mut model = NonSmoothDynamicalSystem::new();
    let body = |q: &[f64; 3]| LagrangianLinear::planar_body(1.0, 0.5, *q);
    let ids: Vec<_> = bodies.iter().map(|q| model.add_system(body(q))).collect::<Result<_, _>>()?;
    let interaction = model.add_interaction(ids, relation, law)?;
    let checked = model.interaction(interaction)?.check_jacobians(0.0, bodies.as_flattened(), 1e-8);
    checked.expect("the derivative of h");
    Ok(())
}

fn in_plane(draw: &mut RandomState) -> [f64; 3] {
    let [x, y, _] = vector(draw, 1.0);
    [x, y, 0.0]
}

#[test]
fn relations_have_the_derivatives_of_their_equations() -> Result<(), Error> {
    let mut draw = RandomState::new(5);
    let teeth = |count| NonZeroI32::new(count).expect("a wheel has teeth");
    for _ in 0..20 {
        // The relations are created at one configuration and evaluated near it.
        let starts = [(); 2].map(|()| vector(&mut draw, 1.0));
        let moved = starts.map(|q| {
            let by = vector(&mut draw, 0.3);
            [0, 1, 2].map(|i| q[i] + by[i])
        });
        let (point, other, axis) = (in_plane(&mut draw), in_plane(&mut draw), in_plane(&mut draw));
        for (bodies, at) in [
            (JointBodies::in_plane(starts[0], None), &moved[..1]),
            (JointBodies::in_plane(starts[0], Some(starts[1])), &moved[..]),
        ] {
            let (hinge, slider) =
                (Joint::revolute(bodies, point, AXIS)?, Joint::prismatic(bodies, point, axis)?);
            assert_eq!([hinge.size(), slider.size(), Joint::fixed(bodies)?.size()], [2, 2, 3]);
            let (angle, way) = (hinge.angle().expect("it turns"), slider.displacement().expect("it slides"));
            check(angle.stops(-1.0, 1.0)?, at)?;
            check(way.prescribed(|at| at.t, |_| 1.0), at)?;
            check(angle, at)?;
            check(way, at)?;
            check(hinge, at)?;
            check(slider, at)?;
            check(Joint::fixed(bodies)?, at)?;
            check(Distance::between(bodies, point, other)?, at)?;
        }
        let hinges = [0, 1].map(|k| {
            let hinge = Joint::revolute(JointBodies::in_plane(starts[k], None), point, AXIS);
            hinge.map(|hinge| hinge.angle().expect("it turns"))
        });
        let [first, second] = hinges;
        let (first, second) = (first?, second?);
        check(Coupler::gear((&first, teeth(2)), (&second, teeth(-3)))?, &moved)?;
        let slider = Joint::prismatic(JointBodies::in_plane(starts[0], None), point, axis)?;
        check(Coupler::rack(&slider.displacement().expect("it slides"), (&second, 0.3))?, &moved)?;
    }
    Ok(())
}

/// The angle of a hinge is known modulo two revolutions, as in space.
#[test]
fn stops_are_beyond_a_revolution() -> Result<(), Error> {
    let start = [1.0, 0.0, 0.0];
    let hinge = Joint::revolute(JointBodies::in_plane(start, None), [0.0; 3], AXIS)?;
    let stops = hinge.angle().expect("it turns").stops(-0.5 * PI, 2.4 * PI)?;
    let mut model = NonSmoothDynamicalSystem::new();
    let body = model.add_system(LagrangianLinear::planar_body(1.0, 0.5, start).with_velocity(vec![
        0.0,
        2.0 * PI,
        2.0 * PI,
    ]))?;
    let condition = hinge.condition()?;
    model.add_interaction([body], hinge, condition)?;
    model.add_interaction([body], stops, NewtonImpact::new(0.0)?)?;
    let grid = TimeDiscretisation::uniform(0.0, 2.0, 1e-3)?;
    let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
    let mut state = simulation.initial_state(&model)?;
    let mut largest = 0.0_f64;
    simulation.run(&model, &mut state, |_, state| largest = largest.max(state.q(body)[2]))?;
    assert!((largest - 2.4 * PI).abs() < 2e-2 && state.v(body)[2].abs() < 1e-9, "{largest}");
    Ok(())
}

#[test]
fn joints_that_leave_the_plane_are_refused() -> Result<(), Error> {
    let bodies = JointBodies::in_plane([0.0; 3], None);
    let message = |joint: Result<Joint, ModelError>| joint.unwrap_err().to_string();
    let cases = [
        (
            Joint::spherical(bodies, [0.0; 3]),
            "planar bodies cannot have a spherical joint; use a revolute joint",
        ),
        (Joint::cylindrical(bodies, [0.0; 3], AXIS), "cannot have a cylindrical joint"),
        (
            Joint::revolute(bodies, [0.0; 3], [1.0, 0.0, 1.0]),
            "the axis of a revolute joint is [1.0, 0.0, 1.0], but the bodies are in the plane z = 0; it must be",
        ),
        (
            Joint::prismatic(bodies, [0.0; 3], AXIS),
            "axis of a prismatic joint is [0.0, 0.0, 1.0], but the bodies are in the plane z = 0; its third",
        ),
        (Joint::revolute(bodies, [0.0, 0.0, 0.1], AXIS), "the point of a joint is [0.0, 0.0, 0.1]"),
        (Joint::revolute(bodies, [0.0, f64::NAN, 0.0], AXIS), "NaN"),
        (Joint::revolute(bodies, [0.0; 3], [0.0; 3]), "axis of a revolute joint must have a nonzero length"),
    ];
    for (joint, expected) in cases {
        let found = message(joint);
        assert!(found.contains(expected), "{found}");
    }
    let rope = Distance::between(bodies, [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]).unwrap_err().to_string();
    assert!(rope.contains("the point of a distance is [0.0, 0.0, 1.0]"), "{rope}");
    // Bodies of the other space.
    let planar = LagrangianLinear::planar_body(1.0, 1.0, [0.0; 3]);
    let spatial = NewtonEuler::new(1.0, 1.0, [0.0; 3], Quaternion::IDENTITY);
    let joints = [Joint::fixed(bodies)?, Joint::fixed(&spatial)?];
    let mut model = NonSmoothDynamicalSystem::new();
    let (spatial, planar) = (model.add_system(spatial)?, model.add_system(planar)?);
    let [of_plane, of_space] = joints;
    let not_planar = ModelError::NotPlanarBody { id: spatial, found: 7 };
    let not_rigid = ModelError::NotRigidBody { id: planar };
    for (joint, body, wrong, error) in
        [(of_plane, planar, spatial, not_planar), (of_space, spatial, planar, not_rigid)]
    {
        let law = joint.condition()?;
        assert_eq!(model.add_interaction([wrong], joint.clone(), law), Err(error));
        model.add_interaction([body], joint, law)?;
    }
    Ok(())
}
