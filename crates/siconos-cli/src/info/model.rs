//! Summary of a model file.

use std::path::Path;

use serde_json::{Value, json};
use siconos_io::hybrid::HybridModel;
use siconos_io::model::inclusion::InclusionModel;
use siconos_io::model::{AnyModel, BuiltModel, BuiltSimulation, DataFile, ModelFile};
use siconos_kernel::model::{DynamicalSystem, NonSmoothDynamicalSystem};

use crate::answer::{Answer, number};

pub(super) fn info(path: &Path) -> Result<Answer, String> {
    match AnyModel::read(path, &[]).map_err(|error| error.to_string())? {
        AnyModel::Model(file) => {
            let built = file.build().map_err(|error| error.to_string())?;
            Ok(of_model(&file, &built))
        }
        AnyModel::Hybrid(model) => Ok(of_hybrid(&model)),
        AnyModel::Inclusion(model) => of_inclusion(&model),
    }
}

fn of_model(file: &ModelFile, built: &BuiltModel) -> Answer {
    let mut info = Answer::new("model");
    info.add("title", file.title().unwrap_or("none"), json!(file.title()));
    let parameters = file.parameters();
    info.list("parameters", parameters.map(|own| parameter(own, file.parameter(own).unwrap_or_default())));
    let model = &built.model;
    info.list("systems", built.systems.iter().filter_map(|id| system(model, id.name()?)));
    info.list("interactions", built.interactions.iter().filter_map(|id| interaction(model, id.name()?)));
    let named = |name: &str| (name.to_owned(), json!(name));
    info.list("control", file.devices().map(named));
    info.list("events", file.events().map(named));
    info.list("data", file.data().iter().map(data));
    let (word, grid) = match &built.simulation {
        BuiltSimulation::TimeStepping(simulation) => ("time_stepping", simulation.discretisation()),
        BuiltSimulation::EventDriven(simulation) => ("event_driven", simulation.discretisation()),
    };
    let (start, steps) = (grid.t0(), built.steps());
    let end = steps.map_or(f64::INFINITY, |steps| grid.time(steps).unwrap_or(start));
    let in_steps = steps.map_or_else(String::new, |steps| format!(" in {steps} steps"));
    let object = json!({ "kind": word, "start": number(start), "end": number(end), "steps": steps });
    info.add("simulation", format!("{word}, t = {start:?} .. {end:?}{in_steps}"), object);
    info.add("output", built.recorder.names().join(", "), built.recorder.names());
    info
}

fn parameter(name: &str, values: &[f64]) -> (String, Value) {
    let shown: Vec<_> = values.iter().map(|value| format!("{value:?}")).collect();
    let values: Vec<_> = values.iter().map(|value| number(*value)).collect();
    (format!("{name} = {}", shown.join(", ")), json!({ "name": name, "values": values }))
}

fn data(data: &DataFile) -> (String, Value) {
    let check = format!("{:08x}", data.check);
    (format!("{}, checksum {check}", data.path), json!({ "path": data.path, "checksum": check }))
}

fn variable(name: &str, initial: f64) -> (String, Value) {
    (format!("{name} = {initial:?}"), json!({ "name": name, "initial": number(initial) }))
}

fn of_inclusion(model: &InclusionModel) -> Result<Answer, String> {
    let run = model.run().map_err(|error| error.to_string())?;
    let mut info = Answer::new(model.kind().word());
    info.add("title", model.title().unwrap_or("none"), json!(model.title()));
    info.list("parameters", model.parameters().map(|(name, values)| parameter(name, values)));
    info.list("variables", model.variables().map(|(name, initial)| variable(name, initial)));
    info.list("data", model.data().iter().map(data));
    let ((start, end), steps) = (run.span(), run.steps());
    let in_steps = steps.map_or_else(String::new, |steps| format!(" in {steps} steps"));
    let object = json!({ "start": number(start), "end": number(end), "steps": steps });
    let kind = model.kind().word();
    info.add("simulation", format!("{kind}, t = {start:?} .. {end:?}{in_steps}"), object);
    info.add("output", run.names().join(", "), run.names());
    Ok(info)
}

fn system(model: &NonSmoothDynamicalSystem, name: &str) -> Option<(String, Value)> {
    let system = model.system(model.system_named(name)?).ok()?;
    let family = match system {
        DynamicalSystem::Lagrangian(_) => "lagrangian",
        DynamicalSystem::LagrangianLinear(_) => "lagrangian_linear",
        DynamicalSystem::NewtonEuler(_) => "newton_euler",
        DynamicalSystem::FirstOrderLinear(_) => "first_order_linear",
        DynamicalSystem::FirstOrderNonlinear(_) => "first_order_nonlinear",
        _ => "another",
    };
    let size = system.degrees_of_freedom();
    let of = if system.is_first_order() { "states" } else { "degrees of freedom" };
    let object = json!({ "name": name, "family": family, "size": size });
    Some((format!("{name}: {family}, {size} {of}"), object))
}

fn interaction(model: &NonSmoothDynamicalSystem, name: &str) -> Option<(String, Value)> {
    let interaction = model.interaction(model.interaction_named(name)?).ok()?;
    let between: Vec<_> = interaction.systems().iter().filter_map(|id| id.name()).collect();
    let size = interaction.size();
    let object = json!({ "name": name, "systems": between, "size": size });
    Some((format!("{name}: {size} components between {}", between.join(", ")), object))
}

fn of_hybrid(model: &HybridModel) -> Answer {
    let mut info = Answer::new("hybrid");
    info.add("title", model.title.as_deref().unwrap_or("none"), json!(model.title));
    let names = model.parameters.iter().map(|(name, _)| (name.clone(), json!(name)));
    info.list("parameters", names);
    let names = model.system.names().iter().map(String::as_str);
    let variables = names.zip(&model.initial).map(|(name, &initial)| variable(name, initial));
    info.list("variables", variables);
    info.list("events", model.triggers.iter().map(|trigger| (trigger.clone(), json!(trigger))));
    let end = model.end.map_or_else(|| "open".to_owned(), |end| format!("{end:?}"));
    let object = json!({ "start": number(model.t0), "end": model.end.map(number) });
    info.add("simulation", format!("t = {:?} .. {end}", model.t0), object);
    info
}
