//! Hybrid systems defined by closures and by text: `hybrid/system/form`.
//!
//! The benches are complete runs by the explicit method at tolerance 1e-12, without recording the trajectory.
//! Both forms take exactly equal steps, so the difference of their times is the cost of compiled texts.
//!
//! - `oscillator`: $\ddot y = -y$ to t = 100, with 16 events that do nothing.
//! - `van_der_pol`: $\ddot x = 5 (1 - x^2) \dot x - x$ to t = 50; the maxima are counted.
//! - `thermostat`: a temperature to t = 50 between two limits that switch a heater.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use siconos_hybrid::{
    Action, DiscreteId, HybridError, HybridSettings, HybridSolution, HybridSystem, Trigger, VariableType,
    View,
};
use siconos_io::document::DocumentError;
use siconos_io::hybrid::HybridModel;
use siconos_ode::Method;

/// System in both forms, with the end of the integration.
struct Case {
    name: &'static str,
    closures: HybridSystem,
    text: &'static str,
    end: f64,
}

fn oscillator() -> Result<Case, HybridError> {
    let mut closures = HybridSystem::first_order(["y", "y'"], |p: View, rate: &mut [f64]| {
        (rate[0], rate[1]) = (p.x[1], -p.x[0]);
    })?;
    closures.event(Trigger::decreasing("y"), Action::None)?;
    let text = r#"
[variables]
y = { initial = [0, 1], equation = "y'' = -y" }
[[events]]
trigger = "decreasing(y)"
"#;
    Ok(Case { name: "oscillator", closures, text, end: 100.0 })
}

fn van_der_pol() -> Result<Case, HybridError> {
    const COUNT: DiscreteId = DiscreteId::new(0);
    let mut closures = HybridSystem::first_order(["x", "x'"], |p: View, rate: &mut [f64]| {
        (rate[0], rate[1]) = (p.x[1], 5.0 * (1.0 - p.x[0] * p.x[0]) * p.x[1] - p.x[0]);
    })?;
    closures.discrete("count", VariableType::Integer, 0.0)?;
    closures.event(Trigger::decreasing("x'"), Action::set(|p| p.set(COUNT, p[COUNT] + 1.0)))?;
    let text = r#"
[variables]
x = { initial = [2, 0], equation = "x'' = 5 * (1 - x * x) * x' - x" }
[discrete]
count = { type = "integer", initial = 0 }
[[events]]
trigger = "decreasing(x')"
action = "count = count + 1"
"#;
    Ok(Case { name: "van_der_pol", closures, text, end: 50.0 })
}

fn thermostat() -> Result<Case, HybridError> {
    const HEAT: DiscreteId = DiscreteId::new(0);
    let mut closures =
        HybridSystem::first_order(["T"], |p: View, rate: &mut [f64]| rate[0] = 2.0 * p[HEAT] - p.x[0])?;
    closures.discrete("heat", VariableType::Float, 1.0)?;
    closures.event(Trigger::range("T", 0.5, 1.0), Action::set(|p| p.set(HEAT, 1.0 - p[HEAT])))?;
    let text = r#"
[variables]
T = { initial = 0.5, equation = "T' = 2 * heat - T" }
[discrete]
heat = 1.0
[[events]]
trigger = "T = 0.5 .. 1"
action = "heat = 1 - heat"
"#;
    Ok(Case { name: "thermostat", closures, text, end: 50.0 })
}

fn settings() -> HybridSettings {
    let mut settings = HybridSettings { record: false, ..HybridSettings::default() };
    settings.ode.method = Method::Explicit;
    settings
}

/// Returns the variables at the end of a run.
fn run(mut solution: HybridSolution, end: f64) -> Result<Vec<f64>, HybridError> {
    let _reached = solution.at(end)?;
    Ok([solution.x(), solution.discrete()].concat())
}

fn read(text: &str) -> Result<HybridModel, DocumentError> {
    let mut model = HybridModel::parse(&format!("format = 1\nkind = \"hybrid\"\n{text}"), "bench.toml")?;
    model.settings = settings();
    Ok(model)
}

fn all(criterion: &mut Criterion) -> Result<(), Box<dyn std::error::Error>> {
    for Case { name, closures, text, end } in [oscillator()?, van_der_pol()?, thermostat()?] {
        let model = read(text)?;
        let by_closures = || run(HybridSolution::new(&closures, 0.0, &model.initial, settings())?, end);
        let by_text = || run(model.solution()?, end);
        assert_eq!(by_closures()?, by_text()?, "{name}: the forms differ");
        let mut group = criterion.benchmark_group("hybrid");
        group.bench_function(BenchmarkId::new(name, "closure"), |bencher| bencher.iter(by_closures));
        group.bench_function(BenchmarkId::new(name, "text"), |bencher| bencher.iter(by_text));
        group.finish();
    }
    Ok(())
}

fn benches(criterion: &mut Criterion) {
    if let Err(error) = all(criterion) {
        panic!("a system of the benches does not run: {error}");
    }
}

criterion_group!(group, benches);
criterion_main!(group);
