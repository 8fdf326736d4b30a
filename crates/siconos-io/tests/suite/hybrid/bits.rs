//! A model file and closures with the same operations in the same order give identical bits.

use siconos_hybrid::{
    Action, Condition, DiscreteId, GuardFunction, HybridSettings, HybridSolution, HybridSystem,
    IntegrationOutcome, Statement, Trigger, VariableType, View,
};
use siconos_ode::Method;

use super::{firings, model};

/// Returns all variables at the times at which the integration has stopped, as bits.
fn bits(solution: &mut HybridSolution, end: f64) -> Vec<u64> {
    assert_eq!(solution.at(end).expect("it goes"), IntegrationOutcome::Reached);
    let mut values = vec![0.0; solution.x().len() + solution.discrete().len()];
    let trajectory = solution.trajectory();
    let mut all = Vec::new();
    for t in trajectory.times() {
        for side in [siconos_kernel::EventSide::Before, siconos_kernel::EventSide::After] {
            trajectory.write(t, side, &mut values).expect("it is kept");
            all.push(t.to_bits());
            all.extend(values.iter().map(|value| value.to_bits()));
        }
    }
    all
}

#[track_caller]
fn assert_same(system: &HybridSystem, text: &str, end: f64) {
    let text = format!("{text}\n[settings]\nmethod = \"explicit\"\n");
    let model = model(&text);
    assert_eq!(model.settings.ode.method, Method::Explicit);
    let mut of_text = model.solution().expect("it fits");
    let mut settings = HybridSettings::default();
    settings.ode.method = Method::Explicit;
    assert_eq!(model.settings, settings);
    let mut of_closures = HybridSolution::new(system, 0.0, &model.initial, settings).expect("it fits");
    let (read, written) = (bits(&mut of_text, end), bits(&mut of_closures, end));
    assert_eq!(firings(&of_text), firings(&of_closures));
    assert!(!firings(&of_text).is_empty());
    assert!(read == written, "{} and {} bits", read.len(), written.len());
}

#[test]
fn a_ball_that_loses_speed() {
    let mut system = HybridSystem::first_order(["y", "y'"], |p: View, rate: &mut [f64]| {
        (rate[0], rate[1]) = (p.x[1], -9.81 - 0.1 * p.x[1] * p.x[1].abs());
    })
    .expect("names");
    // For a model file, this kink is declared automatically.
    system.switch("y'", GuardFunction::new(|p: View| p.x[1]).with_degree(1));
    system.event(Trigger::decreasing("y"), Action::set(|p| p.set(1, -0.9 * p.x()[1]))).expect("it fits");
    let text = r#"
[variables]
y = { initial = [1, 0], equation = "y'' = -9.81 - 0.1 * y' * abs(y')" }
[[events]]
trigger = "decreasing(y)"
action = "y' = -0.9 * y'"
"#;
    assert_same(&system, text, 3.0);
}

#[test]
fn an_oscillator_of_van_der_pol_with_a_counter() {
    const N: DiscreteId = DiscreteId::new(0);
    let mut system = HybridSystem::first_order(["x", "x'"], |p: View, rate: &mut [f64]| {
        (rate[0], rate[1]) = (p.x[1], 1.5 * (1.0 - p.x[0] * p.x[0]) * p.x[1] - p.x[0]);
    })
    .expect("names");
    system.discrete("n", VariableType::Integer, 0.0).expect("it fits");
    let many = Condition::new(|p| p[N] >= 3.0);
    let statements = vec![
        Statement::assign("n", |p| p[N] + 1.0),
        Statement::assign("v", |p| 0.5 * p.pre(1)),
        Statement::when(many, vec![Statement::assign("x'", |p| p.temporary("v") - 0.1 * p[N])], Vec::new()),
    ];
    let crossing = Trigger::root(|p: View| p.x[0] - 0.3 * (2.0 * p.t()).sin());
    system
        .event(crossing.when(Condition::new(|p| p.x()[1] > 0.0)), Action::Run(statements))
        .expect("it fits");
    let text = r#"
[variables]
x = { initial = [2, 0], equation = "x'' = 1.5 * (1 - x * x) * x' - x" }
[discrete]
n = { type = "integer", initial = 0 }
[[events]]
trigger = "[x - 0.3 * sin(2 * t), x' > 0]"
action = "n = n + 1; v = 0.5 * pre(x'); if n >= 3 { x' = v - 0.1 * n }"
"#;
    assert_same(&system, text, 20.0);
}

#[test]
fn a_thermostat() {
    const U: DiscreteId = DiscreteId::new(0);
    let mut system =
        HybridSystem::first_order(["T"], |p: View, rate: &mut [f64]| rate[0] = 2.0 * p[U] - p.x[0])
            .expect("a name");
    system.discrete("u", VariableType::Float, 1.0).expect("it fits");
    system.event(Trigger::range("T", 0.5, 1.0), Action::set(|p| p.set(U, 1.0 - p[U]))).expect("it fits");
    let text = r#"
[variables]
T = { initial = 0.5, equation = "T' = 2 * u - T" }
[discrete]
u = 1.0
[[events]]
trigger = "T = 0.5 .. 1"
action = "u = 1 - u"
"#;
    assert_same(&system, text, 10.0);
}
