//! Time grids of files, given by two of end, step and number of steps.

use siconos_io::model::{AnyModel, ModelFile};
use siconos_kernel::simulation::TimeDiscretisation;

use crate::same_bits::rows;

fn text(times: &str) -> String {
    format!(
        "format = 1\nkind = \"model\"\n[systems.a]\nfamily = \"lagrangian_linear\"\nq = 0\nv = 1\nmass = 1\n\
         [simulation]\nkind = \"time_stepping\"\n{times}\n"
    )
}

fn times_of(times: &str) -> Vec<f64> {
    let file = ModelFile::parse(&text(times), "times.toml").unwrap_or_else(|error| panic!("{error}"));
    rows(file.build().unwrap_or_else(|error| panic!("{error}"))).into_iter().map(|row| row[0]).collect()
}

fn refused(times: &str) -> String {
    match ModelFile::parse(&text(times), "times.toml") {
        Err(error) => error.to_string(),
        Ok(file) => file.build().map(|_| ()).expect_err("no points in time").to_string(),
    }
}

#[test]
fn a_number_of_equal_steps_ends_at_the_end() {
    let grid = TimeDiscretisation::equal_steps(0.1, 0.8, 3).expect("a grid");
    let expected: Vec<_> = (0..=3).filter_map(|k| grid.time(k)).collect();
    assert_eq!(times_of("start = 0.1\nend = 0.8\nsteps = 3"), expected);
    assert_eq!(expected[3], 0.8);
    // The other two combinations.
    assert_eq!(times_of("end = 0.5\nstep = 0.25"), [0.0, 0.25, 0.5]);
    assert_eq!(times_of("steps = 2\nstep = 0.25"), [0.0, 0.25, 0.5]);
    assert!(refused("end = 1\nstep = 0.25\nsteps = 4").contains("two of `end`, `step` and `steps`"));
    assert!(refused("end = 1\nsteps = 4\nexact_end = true").contains("`exact_end` requires `step`"));
    assert!(refused("start = 1\nend = 1\nsteps = 4").contains("`end` is 1; it must be after `start`"));
    assert!(refused("end = 1").contains("the key `step` is missing"));
}

#[test]
fn an_exact_end_may_be_within_the_first_step() {
    assert_eq!(times_of("end = 0.05\nstep = 0.1\nexact_end = true"), [0.0, 0.05]);
    assert_eq!(times_of("end = 0.25\nstep = 0.1\nexact_end = true").last(), Some(&0.25));
    assert!(refused("end = 0.05\nstep = 0.1").contains("at least one step after `start`"));
    assert!(
        refused("end = 0\nstep = 0.1\nexact_end = true").contains("`end` is 0; it must be after `start`")
    );
    assert!(refused("end = 1\nstep = 1e-320").contains("`step` is 1e-320; it must be large enough"));
}

/// Processes and event-driven simulations have the same keys.
#[test]
fn other_kinds_have_equal_steps_as_well() {
    let process = "format = 1\nkind = \"sweeping\"\n[state]\nx = 1\n[set]\nkind = \"box\"\nlower = -1\nupper = 1\n\
                   [simulation]\nkind = \"time_stepping\"\nend = 0.7\nsteps = 3\n";
    let events = text("end = 0.7\nsteps = 3").replace("time_stepping", "event_driven");
    for text in [process, &events] {
        let model = AnyModel::parse(text, "times.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
        let mut run = model.run(None).expect("it begins");
        run.to_end(|_row| Ok::<_, std::convert::Infallible>(())).expect("it ends");
        assert_eq!((run.t(), run.rows()), (0.7, 4), "{text}");
    }
}

/// The grid is written, and is the same when it is read again.
#[test]
fn equal_steps_are_written() {
    let times = "start = 0.1\nend = 0.8\nsteps = 7";
    let file = ModelFile::parse(&text(times), "times.toml").expect("a model");
    let written = file.build().expect("a model").written();
    let again = ModelFile::parse(&written.text, "times.toml").expect("a model").build().expect("a model");
    assert_eq!(rows(again).into_iter().map(|row| row[0]).collect::<Vec<_>>(), times_of(times));
}
