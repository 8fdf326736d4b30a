//! Invalid input: the error, its location, and the remedy.

use ndarray::array;
use siconos_hybrid::{
    Action, Condition, DiscreteId, EventOptions, Flow, HybridError, HybridSettings, HybridSolution,
    HybridSystem, RootSide, Statement, Trigger, VariableType, View,
};
use siconos_kernel::ModelError;
use siconos_ode::Method;

use super::{assert_near, clock, solve};

/// Returns the error of adding one event to the clock with a boolean `b`.
fn refusal(trigger: impl Into<Trigger>, action: Action, options: EventOptions) -> String {
    let (mut system, _) = clock();
    system.discrete("b", VariableType::Boolean, true).expect("it fits");
    match system.event_with(trigger, action, options) {
        Ok(_) => "accepted".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn plain() -> EventOptions {
    EventOptions::default()
}

const B: DiscreteId = DiscreteId::new(1);

#[test]
fn names_are_known_and_there_is_one_of_each() {
    let still = |_p: View, rate: &mut [f64]| rate.fill(0.0);
    let doubled =
        |names: &[&str]| HybridSystem::first_order(names.iter().copied(), still).expect_err("it is taken");
    assert_eq!(doubled(&["x", "y", "x"]), HybridError::NameTaken { name: "x".into() });
    assert_eq!(doubled(&["t"]), HybridError::NameTaken { name: "t".into() });
    assert_eq!(doubled(&[]), HybridError::NoVariables);
    let second = HybridSystem::second_order(["y", "y'"], still).expect_err("y' is taken");
    assert_eq!(second, HybridError::NameTaken { name: "y'".into() });
    let (mut system, _) = clock();
    assert!(system.discrete("x", VariableType::Float, 0.0).is_err());
    assert!(system.discrete("n", VariableType::Float, 0.0).is_err());
    assert!(system.parameter("x", vec![1.0]).is_err());
    assert!(system.parameter("k", vec![1.0]).is_ok());
    assert!(system.discrete("k", VariableType::Float, 0.0).is_err());
    assert!(system.parameter("empty", vec![]).is_err());
    assert!(system.clone().with_algebraic(["k"], |_p: View, _g: &mut [f64]| ()).is_err());
    assert_eq!(
        refusal(Trigger::root("y"), Action::None, plain()),
        "event 1: there is no continuous variable `y`; the continuous variables are `x`"
    );
    assert_eq!(
        refusal(Trigger::range("b", 0.0, 1.0), Action::None, plain()),
        "event 1: there is no continuous variable `b`; the continuous variables are `x`"
    );
    let unknown = Condition::is(DiscreteId::new(7));
    assert_eq!(
        refusal(Trigger::root("x").when(!unknown), Action::None, plain()),
        "event 1: there is no discrete variable with index 7; 2 are declared, and indices start at 0"
    );
}

#[test]
fn values_fit_their_types() {
    let (mut system, _) = clock();
    for (kind, value, must_be) in [
        (VariableType::Boolean, 0.5, "true or false, written as 1 or 0"),
        (VariableType::Integer, 1.5, "a whole number below 2^53 in magnitude"),
        (VariableType::Integer, 1e17, "a whole number below 2^53 in magnitude"),
        (VariableType::Integer, 9_007_199_254_740_992.0, "a whole number below 2^53 in magnitude"),
        (VariableType::Float, f64::NAN, "finite"),
    ] {
        let error = system.discrete("v", kind, value).expect_err("it does not fit");
        assert!(
            matches!(&error, HybridError::InitialValue { name, must_be: says, .. } if name == "v" && *says == must_be),
            "{error}"
        );
    }
    for (kind, value, says) in [
        (
            VariableType::Integer,
            1.5,
            "event 2 at t = 1 assigns 1.5 to `v`, which must be a whole number below 2^53 in magnitude",
        ),
        (
            VariableType::Boolean,
            2.0,
            "event 2 at t = 1 assigns 2 to `v`, which must be true or false, written as 1 or 0",
        ),
        (VariableType::Float, f64::INFINITY, "event 2 at t = 1 assigns inf to `v`, which must be finite"),
    ] {
        for by_function in [true, false] {
            let (mut system, _) = clock();
            let v = system.discrete("v", kind, 0.0).expect("it fits");
            system.event(Trigger::at(0.5), Action::None).expect("it fits");
            let action = if by_function {
                Action::set(move |p| {
                    p.set(0, 100.0);
                    p.set(v, value);
                    p.set(0, 200.0);
                })
            } else {
                Action::Run(vec![Statement::assign("v", move |_| value)])
            };
            system.event(Trigger::at(1.0), action).expect("it fits");
            let mut solution = solve(&system, &[0.0]);
            assert_eq!(solution.at(2.0).expect_err("it does not fit").to_string(), says);
            assert_eq!(solution.t(), 1.0);
            assert_near(solution.x()[0], 1.0, 1e-14);
        }
    }
    let (mut system, _) = clock();
    system.event(Trigger::at(1.0), Action::set(|p| p.set(0, f64::NAN))).expect("it fits");
    let error = solve(&system, &[0.0]).at(2.0).expect_err("NaN").to_string();
    assert_eq!(error, "event 1 at t = 1 assigns NaN to `x`, which must be finite");
}

#[test]
fn what_no_event_may_assign() {
    let assign = |name: &str| Action::Run(vec![Statement::assign(name, |_| 1.0)]);
    let says = |name: &str| refusal(Trigger::at(1.0), assign(name), plain());
    assert_eq!(says("t"), "event 1 assigns `t`, which is the time; only the integration changes it");
    assert!(
        says("x'").starts_with("event 1 assigns `x'`, which is a derivative that follows from the equations")
    );
    assert!(says("b'").starts_with("event 1 assigns `b'`, which is a derivative"));
    assert_eq!(says("x''"), "accepted", "it is nobody's derivative, and so a temporary variable");
    let mut second = HybridSystem::second_order(["y"], |_p: View, a: &mut [f64]| a[0] = 0.0).expect("a name");
    assert!(second.event(Trigger::at(1.0), assign("y'")).is_ok());
    let error = second.event(Trigger::at(1.0), assign("y''")).expect_err("it is the highest");
    assert!(error.to_string().starts_with("event 2 assigns `y''`, which is a derivative"), "{error}");
    second.parameter("k", vec![1.0]).expect("it fits");
    assert!(second.event(Trigger::at(1.0), assign("k")).expect_err("k").to_string().contains("a parameter"));
}

#[test]
fn a_required_variable_belongs_to_its_triggers() {
    let requires = |value| EventOptions { requires: Some((B, value)), ..plain() };
    let assign = || {
        Action::Run(vec![Statement::when(Condition::is(B), vec![Statement::assign("b", |_| 1.0)], vec![])])
    };
    let build = || {
        let (mut system, _) = clock();
        system.discrete("b", VariableType::Boolean, true).expect("it fits");
        system
    };
    // A statement before the trigger, and one after the trigger.
    let mut system = build();
    system.event(Trigger::at(1.0), assign()).expect("nothing requires it yet");
    let error =
        system.event_with(Trigger::root("x"), Action::None, requires(true)).expect_err("it is assigned");
    assert!(error.to_string().starts_with("event 1 assigns `b`, which is left to"), "{error}");
    assert!(system.event(Trigger::at(1.0), assign()).is_ok(), "the refused event has left no trace");
    let mut system = build();
    system.event_with(Trigger::root("x"), Action::None, requires(true)).expect("it fits");
    let error = system.event(Trigger::at(1.0), assign()).expect_err("it is required");
    assert!(error.to_string().starts_with("event 2 assigns `b`"), "{error}");
    // A function that assigns the variable at run time.
    system.event_with(Trigger::root(|p: View| -p.x[0]), Action::None, requires(false)).expect("it fits");
    system.event(Trigger::at(1.0), Action::set(|p| p.set(B, true))).expect("it is not known yet");
    let error = solve(&system, &[-5.0]).at(2.0).expect_err("it is required");
    assert!(matches!(&error, HybridError::Assignment { event: 3, target, .. } if target == "b"), "{error}");
}

#[test]
fn required_roots_are_plain_and_in_pairs_with_a_constant_sum() {
    let requires = |value| EventOptions { requires: Some((B, value)), ..plain() };
    let says = |trigger: Trigger, options| refusal(trigger, Action::None, options);
    assert!(says(Trigger::at(1.0), requires(true)).contains("can be used only with a root"));
    assert!(
        says(Trigger::root("x").when(Condition::is(B)).into(), requires(true))
            .contains("only with a plain root")
    );
    assert!(
        says(Trigger::root("x").side(RootSide::Pre).into(), requires(true))
            .contains("only with a plain root")
    );
    let with = |options: EventOptions| says(Trigger::root("x").into(), options);
    assert!(
        with(EventOptions { fire_initial: Some(true), ..requires(true) })
            .contains("cannot be combined with another option")
    );
    assert!(
        with(EventOptions { retrigger: Some(false), ..requires(true) })
            .contains("cannot be combined with another option")
    );
    let float = EventOptions { requires: Some((DiscreteId::new(0), true)), ..plain() };
    assert!(with(float).contains("must name a boolean variable"));
    let build = |pairs: Vec<(Trigger, bool)>| {
        let (mut system, _) = clock();
        system.discrete("b", VariableType::Boolean, true).expect("it fits");
        for (trigger, value) in pairs {
            system.event_with(trigger, Action::None, requires(value)).expect("it fits");
        }
        HybridSolution::new(&system, 0.0, &[-1.0], HybridSettings::default())
    };
    let root = |f: fn(View) -> f64| Trigger::from(Trigger::root(f));
    let error = build(vec![(root(|p| p.x[0]), true)]).expect_err("it has no partner");
    assert_eq!(
        error.to_string(),
        "event 1 requires `b` to be true; exactly one partner must require it to be false, found 0"
    );
    let three = vec![(root(|p| p.x[0]), true), (root(|p| -p.x[0]), false), (root(|p| -p.x[0]), false)];
    assert!(matches!(build(three), Err(HybridError::Unpaired { event: 1, partners: 2, .. })));
    // x and 1 - 2 x: their sum is not constant.
    let mut solution =
        build(vec![(root(|p| p.x[0]), true), (root(|p| 1.0 - 2.0 * p.x[0]), false)]).expect("so far");
    let error = solution.at(2.0).expect_err("the sum moves");
    let HybridError::NotConstant { first: 1, second: 2, what: "sum", before, now, .. } = error else {
        panic!("{error}")
    };
    assert!((before - 2.0).abs() < 1e-12 && (now - 1.0).abs() < 1e-9, "{before} {now}");
}

#[test]
fn options_go_with_their_triggers_and_actions() {
    let again = EventOptions { retrigger: Some(true), ..plain() };
    assert!(
        refusal(Trigger::at(1.0), Action::None, again)
            .starts_with("event 1: `retrigger` cannot be combined with")
    );
    let expression = Trigger::root(|p: View| p.x[0]).side(RootSide::Post);
    assert!(
        refusal(expression, Action::None, plain())
            .contains("`side` requires a variable; add an algebraic variable")
    );
    let no_mark = Action::Run(vec![Statement::Control(Flow::NoMark)]);
    assert!(refusal(Trigger::at(1.0), no_mark, plain()).contains("`no_mark` is not an action by itself"));
    for (lower, upper) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
        assert!(refusal(Trigger::range("x", lower, upper), Action::None, plain()).starts_with("event 1: `"));
    }
    for trigger in [
        Trigger::at(f64::NAN),
        Trigger::at(f64::INFINITY),
        Trigger::periodic(0.0, 0.0),
        Trigger::periodic(0.0, -1.0),
        Trigger::periodic(0.0, f64::NAN),
    ] {
        assert!(refusal(trigger, Action::None, plain()).starts_with("event 1: `"));
    }
    let (mut system, _) = clock();
    system.event(Trigger::periodic(0.0, 1e-15), Action::None).expect("its length depends on the settings");
    let error = HybridSolution::new(&system, 0.0, &[0.0], HybridSettings::default()).expect_err("too short");
    assert!(matches!(error, HybridError::Trigger { event: 1, name: "every", .. }), "{error}");
}

#[test]
fn numbers_of_the_system_and_its_start_are_finite_and_fit() {
    let still = |_p: View, rate: &mut [f64]| rate.fill(0.0);
    let system = || HybridSystem::first_order(["x", "y"], still).expect("names");
    let new = |x0: &[f64], t0| HybridSolution::new(&system(), t0, x0, HybridSettings::default()).err();
    assert_eq!(
        new(&[1.0], 0.0),
        Some(HybridError::Model(ModelError::WrongShape {
            what: "x0",
            expected_rows: 2,
            expected_columns: 1,
            rows: 1,
            columns: 1
        }))
    );
    assert!(matches!(
        new(&[1.0, f64::NAN], 0.0),
        Some(HybridError::Model(ModelError::NotFinite { what: "x0", index: 1, .. }))
    ));
    assert!(matches!(
        new(&[1.0, 1.0], f64::INFINITY),
        Some(HybridError::Model(ModelError::NotFinite { what: "t0", .. }))
    ));
    assert!(matches!(
        solve(&system(), &[0.0; 2]).at(f64::NAN),
        Err(HybridError::Model(ModelError::NotFinite { what: "t", .. }))
    ));
    assert!(matches!(
        system().with_mass(array![[1.0]]),
        Err(HybridError::Model(ModelError::WrongShape { what: "mass", .. }))
    ));
    let singular = system().with_mass(array![[1.0, 2.0], [2.0, 4.0]]);
    assert_eq!(singular.err(), Some(HybridError::SingularMass));
    assert!(matches!(
        system().with_mass(array![[1.0, 0.0], [0.0, f64::NAN]]),
        Err(HybridError::Model(ModelError::NotFinite { what: "mass", index: 3, .. }))
    ));
    let heavy = system().with_mass(array![[2.0, 0.0], [0.0, 1.0]]).expect("it is regular");
    for method in [Method::Explicit, Method::HighOrder] {
        let mut settings = HybridSettings::default();
        settings.ode.method = method;
        let error = HybridSolution::new(&heavy, 0.0, &[0.0; 2], settings).err();
        assert_eq!(error, Some(HybridError::MethodNeedsStiff { what: "a mass matrix" }));
    }
    let mut late = system();
    late.event(Trigger::at(1.0), Action::None).expect("it fits");
    assert!(late.with_algebraic(["z"], |_p: View, _g: &mut [f64]| ()).is_err());
}

#[test]
fn what_is_no_number_is_named_with_its_time() {
    let mut system = HybridSystem::first_order(["x", "y"], |p: View, rate: &mut [f64]| {
        rate[0] = 1.0;
        rate[1] = if p.x[0] > 0.5 { f64::NAN } else { 1.0 };
    })
    .expect("names");
    let error = solve(&system, &[0.0; 2]).at(1.0).expect_err("the rate of y is NaN");
    assert!(
        matches!(&error, HybridError::Rate { variable, t, .. } if variable == "y" && *t > 0.49 && *t < 0.6),
        "{error}"
    );
    let error = solve(&system, &[0.0; 2]).at(-1.0);
    assert!(error.is_ok(), "the other way it is a number");

    system = HybridSystem::first_order(["x"], |_p: View, rate: &mut [f64]| rate[0] = 1.0).expect("a name");
    system.event(Trigger::root("x"), Action::None).expect("it fits");
    system.event(Trigger::root(|p: View| (0.5 - p.x[0]).sqrt()), Action::None).expect("it fits");
    let error = solve(&system, &[-0.1]).at(1.0).expect_err("the root of a negative number");
    assert!(matches!(error, HybridError::TriggerValue { event: 2, .. }), "{error}");
}

#[test]
fn algebraic_equations_that_determine_nothing_are_told() {
    let build = |g: fn(View, &mut [f64])| {
        HybridSystem::first_order(["x"], |_p: View, rate: &mut [f64]| rate[0] = 1.0)
            .and_then(|system| system.with_algebraic(["z1", "z2"], g))
            .expect("names")
    };
    let start =
        |system: &HybridSystem| HybridSolution::new(system, 0.0, &[1.0, 0.5, 0.5], HybridSettings::default());
    let singular = build(|p, g| (g[0], g[1]) = (p.x[1] + p.x[2] - p.x[0] - 0.5, 2.0 * (p.x[1] + p.x[2])));
    let error = start(&singular).expect_err("z1 + z2 alone is determined");
    assert!(matches!(error, HybridError::SingularIndex { t: 0.0, .. }), "{error}");
    let nan = build(|p, g| (g[0], g[1]) = (p.x[1], f64::NAN));
    let error = start(&nan).expect_err("it is no number");
    assert!(matches!(&error, HybridError::Rate { variable, .. } if variable == "z2"), "{error}");
}
