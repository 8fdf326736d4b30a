//! Comparison of two runs of one model, bit for bit.

use std::convert::Infallible;
use std::fs;
use std::path::PathBuf;

use siconos_io::model::{AnyRun, BuiltModel, ModelFile, WrittenModel};
use siconos_io::siconos_kernel::model::DynamicalSystem;
use siconos_io::siconos_kernel::prelude::*;
use siconos_io::siconos_kernel::state::{Level, State};

/// Number of compared steps, unless a run ends earlier.
const STEPS: usize = 200;

/// Returns all numbers of the state of a model.
fn bits(model: &NonSmoothDynamicalSystem, state: &State) -> Vec<u64> {
    let mut numbers = vec![state.t];
    for id in model.systems().ids() {
        if model.systems().get(id).is_some_and(DynamicalSystem::is_first_order) {
            numbers.extend(state.x(id));
        } else {
            numbers.extend(state.q(id).iter().chain(state.v(id)));
        }
        numbers.extend(state.impulse(id));
    }
    for id in model.interactions().ids() {
        for level in [Level::Position, Level::Velocity, Level::Acceleration] {
            numbers.extend(state.y(id, level).iter().chain(state.lambda(id, level)));
        }
    }
    numbers.into_iter().map(f64::to_bits).collect()
}

/// Returns all rows of a run.
pub(crate) fn rows(mut built: BuiltModel) -> Vec<Vec<f64>> {
    let mut rows = Vec::new();
    let keep = |row: &[f64]| {
        rows.push(row.to_vec());
        Ok::<_, Infallible>(())
    };
    built.to_end(keep).expect("it goes to its end");
    rows
}

/// Advances a run at most `most` times, and returns the bits of the rows.
pub(crate) fn bits_of_rows(run: &mut AnyRun, most: usize) -> Vec<Vec<u64>> {
    let mut rows = Vec::new();
    for _ in 0..most {
        let more = run.advance(|row| {
            rows.push(row.iter().map(|value| value.to_bits()).collect());
            Ok::<_, Infallible>(())
        });
        if !more.expect("a step") {
            break;
        }
    }
    rows
}

/// Compares every bit of the first steps, and the records of the model and its state after them.
pub(crate) fn assert_same(mut first: BuiltModel, mut second: BuiltModel, name: &str) {
    let advance = |built: &mut BuiltModel| built.advance(|_| Ok::<_, Infallible>(())).expect("a step");
    for step in 0..STEPS {
        assert_eq!(
            bits(&first.model, &first.state),
            bits(&second.model, &second.state),
            "{name}, step {step}"
        );
        if !advance(&mut first) {
            assert!(!advance(&mut second), "{name} ends at step {step}");
            break;
        }
        assert!(advance(&mut second), "{name} does not end at step {step}");
    }
    let (first, second) = (first.record().expect("a record").0, second.record().expect("a record").0);
    // NaN is not equal to itself, but is printed in the same way.
    assert_eq!(format!("{first:?}"), format!("{second:?}"), "{name}");
}

pub(crate) fn read(written: &WrittenModel, name: &str) -> BuiltModel {
    let file =
        ModelFile::parse(&written.text, name).unwrap_or_else(|error| panic!("{error}\n{}", written.text));
    file.build().unwrap_or_else(|error| panic!("{error}\n{}", written.text))
}

/// Compares a model built in Rust with the model read from its file.
pub(crate) fn assert_written(model: &NonSmoothDynamicalSystem, simulation: TimeStepping, name: &str) {
    let written = ModelFile::of(model, &simulation);
    assert_eq!(written.unwritten, [], "{name}");
    let again = read(&written, name);
    assert_eq!(again.written(), written, "{name}");
    assert_same_as_in_rust(model, simulation, again, name);
}

/// Compares a model built in Rust with a model built from a file: the same bits in each step.
pub(crate) fn assert_same_as_in_rust(
    model: &NonSmoothDynamicalSystem,
    mut simulation: TimeStepping,
    mut built: BuiltModel,
    name: &str,
) {
    let mut state = simulation.initial_state(model).expect("a state");
    for step in 0..STEPS {
        assert_eq!(bits(model, &state), bits(&built.model, &built.state), "{name}, step {step}");
        let goes_on = simulation.step(model, &mut state).expect("a step").is_some();
        assert_eq!(
            built.advance(|_| Ok::<_, Infallible>(())).expect("a step"),
            goes_on,
            "{name}, step {step}"
        );
        if !goes_on {
            break;
        }
    }
}

/// Returns the paths of the example models, and of the models that use all other keys.
pub(crate) fn models() -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let folders = ["../../../examples/models", "../../../examples/keys"].map(|folder| root.join(folder));
    let entries = folders.into_iter().flat_map(|folder| fs::read_dir(folder).expect("a folder of models"));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    paths.sort();
    paths
}

/// Returns the time-stepping simulation of models built for comparison.
pub(crate) fn steps(model: &NonSmoothDynamicalSystem) -> TimeStepping {
    let grid = TimeDiscretisation::uniform(0.0, 0.5, 0.005).expect("a grid");
    TimeStepping::builder(model).discretisation(grid).build().expect("it fits")
}

/// Checks that a file gives the same model as Rust, simulated with [`steps`], and that the written file is
/// the same when it is read again.
pub(crate) fn assert_is(model: &NonSmoothDynamicalSystem, file: &ModelFile, name: &str) {
    let built = || file.build().unwrap_or_else(|error| panic!("{error}"));
    assert_same_as_in_rust(model, steps(model), built(), name);
    let first = built();
    let written = first.written();
    assert_eq!(written.unwritten, [], "{name}");
    let second = read(&written, name);
    assert_eq!(second.written(), written, "{name}");
    assert_same(first, second, name);
}
