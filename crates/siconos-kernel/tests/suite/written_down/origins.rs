//! Origins of functions: read, set, preserved, and compared with a record.

use ndarray::{Array2, ArrayViewMut2, array};
use siconos_kernel::model::{
    ContactPoints, ControlTerm, DynamicalSystem, Frame, NonSmoothLaw, Origin, Relation, RelationPoint,
};
use siconos_kernel::prelude::*;

fn jacobian() -> Jacobian {
    Jacobian::function(|_: At<'_>, _: &[f64], _: &[f64], _: &mut ArrayViewMut2<'_, f64>| ())
}

fn control() -> ControlTerm {
    ControlTerm::of_matrix_function(1, |_, _, _| (), |_, _, _, _| ()).with_jacobians(jacobian(), jacobian())
}

fn lagrangian() -> Lagrangian {
    Lagrangian::of_mass_function(vec![0.0], vec![0.0], |_, _, m| m[[0, 0]] = 1.0)
        .with_internal_force(|_, _, _, _| (), jacobian(), jacobian())
        .with_gyroscopic_force(|_, _, _, _| (), jacobian(), jacobian())
        .with_external_force(|_, _| ())
        .with_control(control())
}

const OF_LAGRANGIAN: [&str; 12] = [
    "M",
    "F_int",
    "derivative of F_int in q",
    "derivative of F_int in v",
    "F_gyr",
    "derivative of F_gyr in q",
    "derivative of F_gyr in v",
    "F_ext",
    "T",
    "u",
    "derivative of the control term in q",
    "derivative of the control term in v",
];

/// Checks that each function has the origin that was set under its name, and no others change.
fn assert_each_is_set(mut object: impl UserFunctions + Clone, names: &[&str]) {
    let found: Vec<_> = object.functions().iter().map(|function| function.name).collect();
    assert_eq!(found, names);
    assert!(object.functions().iter().all(|function| !function.origin.is_known()));
    for name in names {
        object.set_origin(name, Origin::registered(&format!("my {name}"))).unwrap();
    }
    let untouched = object.clone();
    for name in names {
        object.set_origin(name, Origin::Unknown).unwrap();
    }
    for function in untouched.functions() {
        assert_eq!(function.origin, &Origin::registered(&format!("my {}", function.name)));
    }
    let refused = object.set_origin("no such function", Origin::Unknown).unwrap_err();
    let name = "no such function".to_owned();
    assert_eq!(refused, ModelError::UnknownFunction { name, known: found });
}

#[test]
fn of_systems() {
    let of = |system: DynamicalSystem, names: &[&str]| assert_each_is_set(system, names);
    of(lagrangian().into(), &OF_LAGRANGIAN);
    let linear = LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0]);
    of(linear.clone().into(), &[]);
    of(linear.with_external_force(|_, _| ()).into(), &["F_ext"]);
    let body = NewtonEuler::new(1.0, 1.0, [0.0; 3], Quaternion::IDENTITY)
        .with_internal_force(Frame::Space, |_, _, _, _| (), jacobian(), jacobian())
        .with_external_force(|_, _| ())
        .with_external_moment(Frame::Space, |_, _| ())
        .with_external_moment(Frame::Body, |_, _| ());
    of(
        body.into(),
        &[
            "F_int",
            "derivative of F_int in q",
            "derivative of F_int in v",
            "F_ext",
            "M_ext in space",
            "M_ext in the body",
        ],
    );
    let linear = FirstOrderLinear::of_matrix_function(vec![0.0], |_, _| ())
        .with_source_function(|_, _| ())
        .with_control(array![[1.0]], |_, _| ());
    of(linear.into(), &["A", "b", "u"]);
    let nonlinear = FirstOrderNonlinear::new(vec![0.0], |_, _, _| (), jacobian())
        .with_mass_function(|_, _, _| ())
        .with_control(control());
    let names =
        ["M", "f", "derivative of f in x", "T", "u", "derivative of T u in x", "derivative of T u in x'"];
    of(nonlinear.into(), &names);
    // The functions of the two control terms have different names.
    let view = FirstOrderNonlinear::of_lagrangian(&lagrangian()).with_control(control());
    let of_x = ["T of x", "u of x", "derivative of T u in x", "derivative of T u in x'"];
    of(view.into(), &[&OF_LAGRANGIAN[..], &of_x].concat());
    assert_each_is_set(control(), &OF_LAGRANGIAN[8..]);
}

#[test]
fn of_relations() {
    let of = |relation: Relation, names: &[&str]| assert_each_is_set(relation, names);
    of(LagrangianLinearRelation::new(array![[1.0]]).into(), &[]);
    let scleronomous = LagrangianScleronomousRelation::new(1, |_, _, _| ());
    of(scleronomous.clone().into(), &["h"]);
    let scleronomous = scleronomous.with_jacobian(|_, _, _| ()).with_convective_acceleration(|_, _, _, _| ());
    of(scleronomous.into(), &["h", "J", "convective acceleration"]);
    let rheonomous = LagrangianRheonomousRelation::new(1, |_, _, _| ())
        .with_jacobian(|_, _, _| ())
        .with_time_derivative(|_, _, _| ())
        .with_convective_acceleration(|_, _, _, _| ());
    of(rheonomous.into(), &["h", "J", "partial derivative of h in t", "convective acceleration"]);
    let of_bodies = NewtonEulerRelation::new(1, |_, _, _| ())
        .with_derivative(|_, _, _| ())
        .with_time_derivative(|_, _, _| ())
        .with_input(|_, _, _| ());
    of(of_bodies.into(), &["h", "C", "partial derivative of h in t", "G"]);
    let linear = FirstOrderLinearRelation::of_functions(1, |_, _| (), |_, _| ())
        .with_d_function(|_, _| ())
        .with_offset_function(|_, _| ())
        .with_parameter_function(array![[1.0]], |_, _| ());
    of(linear.into(), &["C", "B", "D", "e", "z"]);
    let jacobian = || RelationJacobian::function(|_: RelationPoint<'_>, _: &mut ArrayViewMut2<'_, f64>| ());
    let nonlinear = FirstOrderNonlinearRelation::new(1, |_, _| (), |_, _| ())
        .with_c(jacobian())
        .with_d(jacobian())
        .with_k(jacobian())
        .with_b(jacobian());
    of(nonlinear.into(), &["h", "g", "C", "D", "K", "B"]);
}

#[test]
fn of_what_relations_of_bodies_are_made_of() {
    let of = |relation: Relation, names: &[&str]| assert_each_is_set(relation, names);
    let body = NewtonEuler::new(1.0, 1.0, [0.0; 3], Quaternion::IDENTITY);
    let hinge = Joint::revolute(&body, [0.0; 3], [0.0, 0.0, 1.0]).unwrap();
    let angle = hinge.angle().unwrap();
    of(hinge.into(), &[]);
    of(angle.clone().into(), &[]);
    of(angle.prescribed(|_| 0.0, |_| 0.0).into(), &["motion", "rate"]);
    of(PointContact::of_balls(ContactRows::Normal, 1.0, 1.0).unwrap().into(), &[]);
    let points = ContactPoints { first: [0.0; 3], second: [0.0; 3], normal: [1.0, 0.0, 0.0] };
    let contact = PointContact::new(ContactRows::Normal, move |_, _| points);
    assert_each_is_set(contact.clone(), &["geometry"]);
    of(contact.clone().into(), &["geometry"]);
    // The origins of a contact are passed on to its relation.
    let mut named = contact;
    named.set_origin("geometry", Origin::registered("cone on sphere")).unwrap();
    assert_eq!(Relation::from(named).functions()[0].origin, &Origin::registered("cone on sphere"));
}

#[test]
fn of_laws() {
    let of = |law: NonSmoothLaw, names: &[&str]| assert_each_is_set(law, names);
    of(NewtonImpact::new(0.5).unwrap().into(), &[]);
    of(Relay::symmetric(1, 1.0).unwrap().into(), &[]);
    of(Relay::of_time(1, |_, _, _| ()).unwrap().into(), &["bounds"]);
    let mut law = NonSmoothLaw::from(NewtonImpact::new(0.5).unwrap());
    assert_eq!(
        law.set_origin("h", Origin::Unknown).unwrap_err().to_string(),
        "there is no function `h`; there are no user-defined functions"
    );
}

/// Origins are kept by the model, its clones, a law that is set, and laws that interactions share.
#[test]
fn they_survive_all_that_a_model_does() {
    let mut relay = Relay::of_time(1, |_, lower, upper| (lower[0], upper[0]) = (-1.0, 1.0)).unwrap();
    relay.set_origin("bounds", Origin::expressions(["t"], ["-1", "1"])).unwrap();
    let mut system = lagrangian();
    system.set_origin("F_ext", Origin::registered("push")).unwrap();
    let mut model = NonSmoothDynamicalSystem::new();
    let id = model.add_system(system).unwrap();
    let rub = || LagrangianLinearRelation::new(array![[1.0]]);
    let first = model.add_interaction([id], rub(), relay.clone()).unwrap();
    let second = model.add_interaction([id], rub(), Relay::symmetric(1, 2.0).unwrap()).unwrap();
    model.set_law(second, relay).unwrap();
    let model = model.clone();
    for id in [first, second] {
        let functions = model.interaction(id).unwrap().law().functions();
        assert_eq!(functions[0].origin, &Origin::expressions(["t"], ["-1", "1"]));
    }
    let known: Vec<_> =
        model.system(id).unwrap().functions().into_iter().filter(|it| it.origin.is_known()).collect();
    assert_eq!((known.len(), known[0].name), (1, "F_ext"));
}

#[test]
fn a_system_that_is_shared_stays_as_it_is() {
    let system = DynamicalSystem::from(lagrangian());
    let mut other = system.clone();
    other.set_origin("M", Origin::registered("mass")).unwrap();
    assert!(!system.functions()[0].origin.is_known());
    assert!(other.functions()[0].origin.is_known());
}

/// The origin of a function is part of the model.
#[test]
fn a_record_of_a_model_with_another_text_is_refused_with_the_function_named() {
    let build = |origin: Option<Origin>| {
        let mut system = Lagrangian::new(vec![1.0], vec![0.0], Array2::eye(1)).with_internal_force(
            |_, q, _, f| f[0] = q[0],
            Jacobian::FiniteDifference,
            Jacobian::Zero,
        );
        if let Some(origin) = origin {
            system.set_origin("F_int", origin).unwrap();
        }
        let mut model = NonSmoothDynamicalSystem::new();
        model.add_named_system("pendulum", system).unwrap();
        model
    };
    let text = |text: &str| Some(Origin::expressions(["q"], [text]));
    let model = build(text("sin(q[0])"));
    let record = State::new(&model, 0.0).record(&model).unwrap();
    assert!(State::restore(&build(text("sin(q[0])")), &record).is_ok());
    let refused = |origin| State::restore(&build(origin), &record).unwrap_err().to_string();
    let pendulum = "dynamical system `pendulum` does not match the record: its";
    assert_eq!(refused(text("cos(q[0])")), format!("{pendulum} function F_int is different"));
    let recorded = "but a function given by expressions in the record";
    assert_eq!(
        refused(Some(Origin::registered("spring"))),
        format!("{pendulum} F_int is the registered function `spring`, {recorded}")
    );
    assert_eq!(refused(None), format!("{pendulum} F_int is a function of unknown origin, {recorded}"));
}
