//! Relations with all data, which are read back. Relations of rigid bodies are rebuilt from them.

use std::num::NonZeroI32;

use ndarray::{Array2, array};
use siconos_kernel::model::{
    BodyGeometry, Coefficient, ContactPoints, ContactShape, Coupler, CouplerKind, Distance, JointKind,
    JointStop, Origin, Relation, RelationPoint,
};
use siconos_kernel::prelude::*;

const UNKNOWN: &Origin = &Origin::Unknown;

#[test]
fn lagrangian_relations() {
    let relation = LagrangianLinearRelation::new(array![[1.0, -1.0]])
        .with_offset(vec![0.5])
        .with_compliance(array![[1e-3]]);
    assert_eq!(relation.h(), &array![[1.0, -1.0]].into());
    assert_eq!((relation.offset(), relation.compliance()), (Some(&array![0.5]), Some(&array![[1e-3]])));

    let relation = LagrangianScleronomousRelation::new(2, |_, _, _| ()).with_difference_step(1e-4);
    assert_eq!((relation.size(), relation.h(), relation.difference_step()), (2, UNKNOWN, 1e-4));
    assert_eq!((relation.jacobian(), relation.convective_acceleration()), (None, None));
    let relation = relation.with_jacobian(|_, _, _| ()).with_convective_acceleration(|_, _, _, _| ());
    assert_eq!((relation.jacobian(), relation.convective_acceleration()), (Some(UNKNOWN), Some(UNKNOWN)));

    let relation = LagrangianRheonomousRelation::new(1, |_, _, _| ()).with_difference_step(1e-4);
    assert_eq!((relation.size(), relation.h(), relation.difference_step()), (1, UNKNOWN, 1e-4));
    assert_eq!((relation.jacobian(), relation.time_derivative()), (None, None));
    let relation = relation.with_jacobian(|_, _, _| ()).with_time_derivative(|_, _, _| ());
    assert_eq!((relation.jacobian(), relation.time_derivative()), (Some(UNKNOWN), Some(UNKNOWN)));
    assert_eq!(relation.convective_acceleration(), None);
}

#[test]
fn first_order_relations() {
    let relation = FirstOrderLinearRelation::new(array![[1.0, 2.0]], array![[3.0], [4.0]])
        .with_d(array![[5.0]])
        .with_offset(vec![6.0])
        .with_parameters(array![[7.0]], vec![8.0]);
    assert_eq!(relation.c().constant(), Some(&array![[1.0, 2.0]].into()));
    assert_eq!(relation.b().constant(), Some(&array![[3.0], [4.0]].into()));
    assert_eq!(relation.d().unwrap().constant(), Some(&array![[5.0]].into()));
    assert_eq!(relation.offset(), Some(Coefficient::Constant(&array![6.0])));
    assert_eq!(relation.parameters(), Some((&array![[7.0]], Coefficient::Constant(&array![8.0]))));
    let relation = FirstOrderLinearRelation::of_functions(1, |_, _| (), |_, _| ())
        .with_d_function(|_, _| ())
        .with_offset_function(|_, _| ())
        .with_parameter_function(array![[7.0]], |_, _| ());
    let function = Coefficient::Function(UNKNOWN);
    assert_eq!((relation.c(), relation.b(), relation.d()), (function, function, Some(function)));
    let function = Coefficient::Function(UNKNOWN);
    assert_eq!(relation.offset(), Some(function));
    assert_eq!(relation.parameters(), Some((&array![[7.0]], function)));

    let k = RelationJacobian::function(|_: RelationPoint<'_>, _: &mut ndarray::ArrayViewMut2<'_, f64>| ());
    let relation = FirstOrderNonlinearRelation::new(1, |_, _| (), |_, _| ())
        .with_c(RelationJacobian::Constant(Array2::eye(1)))
        .with_d(RelationJacobian::Zero)
        .with_k(k)
        .with_b(RelationJacobian::FiniteDifferenceWithStep(1e-3))
        .with_parameters(vec![9.0]);
    assert_eq!((relation.h(), relation.g(), relation.parameters()), (UNKNOWN, UNKNOWN, &[9.0][..]));
    assert_eq!(relation.c(), Some(&RelationJacobian::Constant(Array2::eye(1))));
    assert_eq!(relation.d(), Some(&RelationJacobian::Zero));
    let Some(RelationJacobian::Function(k)) = relation.k() else { panic!("it was given") };
    assert_eq!(k.origin(), UNKNOWN);
    assert_eq!(relation.b(), Some(&RelationJacobian::FiniteDifferenceWithStep(1e-3)));
}

fn body(x: f64) -> NewtonEuler {
    let orientation = Quaternion([0.9, 0.1, -0.3, 0.3]);
    NewtonEuler::new(1.0, [0.1, 0.2, 0.2], [x, 0.2, 0.3], orientation)
}

/// Returns the bits of y and of the Jacobian of a relation of bodies at some positions.
fn bits(relation: NewtonEulerRelation, bodies: usize) -> Vec<u64> {
    let mut model = NonSmoothDynamicalSystem::new();
    let ids: Vec<_> = (0..bodies).map(|i| model.add_system(body(0.7 * i as f64)).unwrap()).collect();
    let size = relation.size();
    let id = model.add_interaction(ids.clone(), relation, EqualityCondition::new(size).unwrap()).unwrap();
    let mut state = State::new(&model, 0.3);
    for id in &ids {
        let moved: Vec<_> = state.q(*id).iter().enumerate().map(|(i, q)| q + 0.01 * i as f64).collect();
        state.set_position(*id, &moved).unwrap();
    }
    let y = state.output(&model, id).unwrap();
    state.set_lambda(id, &vec![1.0; size]).unwrap();
    let forces = ids.iter().flat_map(|body| state.reaction(&model, *body, Level::Position).unwrap());
    y.into_iter().chain(forces).map(f64::to_bits).collect()
}

/// Checks that a relation that is rebuilt from its data has the same bits.
fn assert_made_again(
    relation: impl Into<NewtonEulerRelation>,
    bodies: usize,
    again: impl FnOnce(&BodyGeometry) -> NewtonEulerRelation,
) {
    let relation = relation.into();
    let again = again(relation.geometry().expect("it was made of one"));
    assert_eq!((relation.h(), relation.derivative(), relation.input()), (None, None, None));
    assert_eq!(bits(again, bodies), bits(relation, bodies));
}

fn joint_again(joint: &Joint) -> Joint {
    let (first, second) = (body(0.0), body(0.7));
    let (point, axis) = (joint.point(), joint.axis().unwrap_or_default());
    let make = |bodies: siconos_kernel::model::JointBodies<'_>| match joint.kind() {
        JointKind::Spherical => Joint::spherical(bodies, point),
        JointKind::Revolute => Joint::revolute(bodies, point, axis),
        JointKind::Cylindrical => Joint::cylindrical(bodies, point, axis),
        JointKind::Prismatic => Joint::prismatic(bodies, point, axis),
        JointKind::Fixed => Joint::fixed(bodies),
    };
    if joint.bodies() == 1 { make((&first).into()) } else { make((&first, &second).into()) }.unwrap()
}

#[test]
fn joints_are_made_again_with_the_same_bits() {
    let (first, second) = (body(0.0), body(0.7));
    let (point, axis) = ([0.3, 0.1, 0.7], [0.1, 2.0, -0.3]);
    let joints = [
        Joint::spherical((&first, &second), point).unwrap(),
        Joint::revolute(&first, point, axis).unwrap(),
        Joint::cylindrical((&first, &second), point, axis).unwrap(),
        Joint::prismatic((&first, &second), point, axis).unwrap(),
        Joint::fixed((&first, &second)).unwrap(),
    ];
    for joint in joints {
        let bodies = joint.bodies();
        for coordinate in [joint.displacement(), joint.angle()].into_iter().flatten() {
            assert_made_again(coordinate, bodies, |geometry| {
                let BodyGeometry::Coordinate(found) = geometry else { panic!("{geometry:?}") };
                let joint = joint_again(found.joint());
                if found.is_angle() { joint.angle() } else { joint.displacement() }.unwrap().into()
            });
        }
        assert_made_again(joint, bodies, |geometry| {
            let BodyGeometry::Joint(found) = geometry else { panic!("{geometry:?}") };
            joint_again(found).into()
        });
    }
}

#[test]
fn stops_couplers_distances_and_contacts_are_made_again_with_the_same_bits() {
    let (first, second) = (body(0.0), body(0.7));
    let (point, axis) = ([0.3, 0.1, 0.7], [0.1, 2.0, -0.3]);
    let hinge = Joint::revolute(&first, point, axis).unwrap();
    let slide = Joint::cylindrical(&second, point, axis).unwrap();
    let (angle, turn, way) = (hinge.angle().unwrap(), slide.angle().unwrap(), slide.displacement().unwrap());
    assert_made_again(angle.stops(-0.5, 1.5).unwrap(), 1, |geometry| {
        let BodyGeometry::Stops(found) = geometry else { panic!("{geometry:?}") };
        let (lower, upper) = JointStop::bounds(found);
        assert_eq!((lower, upper), (-0.5, 1.5));
        joint_again(found.coordinate().joint()).angle().unwrap().stops(lower, upper).unwrap().into()
    });
    let teeth = |count| NonZeroI32::new(count).unwrap();
    for coupler in [
        Coupler::gear((&angle, teeth(20)), (&turn, teeth(-47))).unwrap(),
        Coupler::screw(&slide, 0.01).unwrap(),
        Coupler::rack(&way, (&angle, 0.3)).unwrap(),
    ] {
        let bodies = if matches!(coupler.kind(), CouplerKind::Screw { .. }) { 1 } else { 2 };
        assert_made_again(coupler, bodies, |geometry| {
            let BodyGeometry::Coupler(found) = geometry else { panic!("{geometry:?}") };
            let [one, other] = found.coordinates();
            assert!(!found.shares_frame());
            match found.kind() {
                CouplerKind::Gear { teeth: [a, b] } => Coupler::gear((one, a), (other, b)),
                CouplerKind::Screw { lead } => Coupler::screw(one.joint(), lead),
                CouplerKind::Rack { radius } => Coupler::rack(one, (other, radius)),
            }
            .unwrap()
            .into()
        });
    }
    let rope = Distance::between((&first, &second), [0.1, 0.2, 0.4], [0.9, -0.3, 0.0]).unwrap();
    assert_made_again(rope.with_length(0.37).unwrap().slack(), 2, |geometry| {
        let BodyGeometry::Distance(found) = geometry else { panic!("{geometry:?}") };
        assert_eq!((found.bodies(), found.is_slack()), (2, true));
        let [a, b] = found.points();
        let again = Distance::between((&first, &second), a, b).unwrap();
        again.with_length(found.length()).unwrap().slack().into()
    });
    let again = |geometry: &BodyGeometry| {
        let BodyGeometry::Contact(found) = geometry else { panic!("{geometry:?}") };
        let ContactShape::Balls { balls, surface, is_on_body } = found.shape() else { panic!("{found:?}") };
        let make = if *is_on_body { PointContact::between } else { PointContact::at_rest };
        make(found.rows(), balls.clone(), *surface).unwrap().into()
    };
    let rows = ContactRows::RollingInPlane { axis: [0.0, 1.0, 0.0] };
    let (point, normal) = ([0.0, 0.0, 0.1], [0.1, 0.0, 3.0]);
    let floor = PointContact::of_ball_and_plane(rows, 0.2, point, normal).unwrap();
    assert_made_again(floor, 1, again);
    assert_made_again(PointContact::of_balls(ContactRows::Rolling, 0.1, 0.2).unwrap(), 2, again);
    let corners = ContactBall::corners([0.1, 0.2, 0.3]);
    let plane = ContactSurface::Plane { point, normal };
    assert_made_again(PointContact::at_rest(ContactRows::Friction, corners, plane).unwrap(), 1, again);
    assert_made_again(PointContact::between(ContactRows::Normal, corners, plane).unwrap(), 2, again);
    let ball = ContactSurface::Ball(ContactBall { centre: point, radius: 0.3 });
    assert_made_again(PointContact::between(ContactRows::Friction, corners, ball).unwrap(), 2, again);
}

#[test]
fn functions_of_bodies() {
    let relation = NewtonEulerRelation::new(1, |_, _, _| ());
    assert_eq!(
        (relation.h(), relation.derivative(), relation.time_derivative()),
        (Some(UNKNOWN), None, None)
    );
    assert!(relation.geometry().is_none());
    let relation =
        relation.with_derivative(|_, _, _| ()).with_time_derivative(|_, _, _| ()).with_input(|_, _, _| ());
    assert_eq!(relation.derivative(), Some(UNKNOWN));
    assert_eq!((relation.time_derivative(), relation.input()), (Some(UNKNOWN), Some(UNKNOWN)));

    let place = [0.0; 3];
    let contact = PointContact::new(ContactRows::Normal, move |_, _| ContactPoints {
        first: place,
        second: place,
        normal: [0.0, 0.0, 1.0],
    });
    assert_eq!(*contact.shape(), ContactShape::Function);
    let motor = Joint::revolute(&body(0.0), place, [0.0, 0.0, 1.0]).unwrap().angle().unwrap();
    let Relation::NewtonEuler(relation) = motor.prescribed(|at| at.t, |_| 1.0).into() else {
        panic!("a relation of bodies")
    };
    let Some(BodyGeometry::Prescribed(motion)) = relation.geometry() else { panic!("a motion") };
    assert_eq!((motion.motion(), motion.rate(), relation.time_derivative()), (UNKNOWN, UNKNOWN, None));
    assert_eq!(motion.coordinate().joint().kind(), JointKind::Revolute);
}
