//! Parameter studies: a worker that computes many points gives the same bits as a new worker for each point.

use std::fs;
use std::path::{Path, PathBuf};

use siconos_io::study::{Journal, KeptRows, ParameterStudy, PointError, VariedValue};
use siconos_io::trajectory::Table;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/models").join(name)
}

fn vary(vary: &[&str]) -> Vec<VariedValue> {
    vary.iter().map(|vary| vary.parse().expect("values")).collect()
}

/// Checks that a worker gives the same bits at each point, forwards and backwards, as a new worker.
#[track_caller]
fn assert_independent(sweep: &ParameterStudy) {
    let bits = |rows: Vec<Vec<f64>>| rows.concat().into_iter().map(f64::to_bits).collect::<Vec<_>>();
    let mut worker = sweep.worker();
    for point in (0..sweep.len()).chain((0..sweep.len()).rev()) {
        let alone = sweep.worker().run(point).map(bits).expect("it runs");
        assert!(!alone.is_empty());
        assert_eq!(worker.run(point).map(bits).expect("it runs"), alone, "point {point}");
    }
}

#[test]
fn points_of_a_model_do_not_depend_on_each_other() {
    // The values are read by the initial value, the forces and the relation; the step requires reading the
    // file again.
    let set = ["simulation.end=0.05".parse().expect("a value")];
    let vary = vary(&["simulation.step=1e-3,5e-4", "rpm=300:500:100", "distance=0.1,0.4"]);
    let sweep = ParameterStudy::read(&example("cam_follower.toml"), &set, &vary).expect("it is a model");
    assert_independent(&sweep.clone().with_rows(KeptRows::All));
    assert_independent(&sweep);
}

/// A value that is both set and varied would be in the head of the table, but in no row.
#[test]
fn a_place_is_set_or_varies() {
    fn refusal(set: &str, path: &str) -> Option<PointError> {
        let set = [set.parse().expect("a value")];
        ParameterStudy::read(&example("cam_follower.toml"), &set, &vary(&[path])).err()
    }
    for (set, path) in [
        ("rpm=300", "rpm=300,400"),
        ("parameters.rpm=300", "rpm=300,400"),
        ("simulation.step=1e-4", "simulation.step=1e-3,5e-4"),
    ] {
        let refused = refusal(set, path).expect("a contradiction");
        assert!(matches!(refused, PointError::SetAndVaried { .. }), "{refused}");
    }
    assert!(refusal("simulation.end=0.05", "rpm=300,400").is_none());
}

#[test]
fn points_of_arrays_do_not_depend_on_each_other() {
    let text = "format = 1\nkind = \"model\"\n[parameters]\nk = [1, 2]\none = [3]\n[systems.a]\n\
                family = \"lagrangian_linear\"\nq = \"one[0]\"\nmass = \"k[1]\"\nexternal_force = \"-k[0]\"\n\
                [simulation]\nkind = \"time_stepping\"\nsteps = 4\nstep = 0.5\n";
    let paths = vary(&["parameters.k.0=1,3", "parameters.one.0=0,3", "parameters.k.1=2,4"]);
    let sweep = ParameterStudy::new((text, "arrays.toml"), None, &[], &paths).expect("it is a model");
    assert_eq!(sweep.columns()[..3], ["parameters.k.0", "parameters.one.0", "parameters.k.1"]);
    assert_independent(&sweep);
    let no_place = ParameterStudy::new((text, "arrays.toml"), None, &[], &vary(&["parameters.k.2=1"]));
    assert!(no_place.is_err());
    // A number in place of an array is a parameter of another form, which the expressions cannot read.
    assert!(ParameterStudy::new((text, "arrays.toml"), None, &[], &vary(&["one=1"])).is_err());
}

#[test]
fn points_of_hybrid_models_do_not_depend_on_each_other() {
    // The algebraic variable starts from the initial guess of the file, not from the end of the previous
    // point.
    let text = "format = 1\nkind = \"hybrid\"\n[time]\nend = 1\n[parameters]\ng = 1\nroot = 4\n[variables]\n\
                y = { initial = [1, 0], equation = \"y'' = -g + 0 * z\" }\n\
                z = { initial = 3, equation = \"0 = z * z - root\" }\n\
                [[events]]\ntrigger = \"decreasing(y)\"\naction = \"y' = -0.5 * y'\"\n";
    let vary = vary(&["g=1,9.81", "root=4,5,9"]);
    let sweep = ParameterStudy::new((text, "ball.toml"), None, &[], &vary).expect("it is a model");
    assert_independent(&sweep.with_rows(KeptRows::All));
}

#[test]
fn points_of_processes_do_not_depend_on_each_other() {
    let path = example("sweeping_hysteresis.toml");
    let sweep = ParameterStudy::read(&path, &[], &vary(&["play=0.25,0.5"])).expect("it is a model");
    assert_independent(&sweep);
}

#[test]
fn a_sweep_is_known_by_any_point_that_begins() {
    let text = "format = 1\nkind = \"model\"\n[systems.a]\nfamily = \"lagrangian_linear\"\n\
                q = { size = 2, entry = 1 }\n\
                mass = { rows = 2, columns = 2, entry = \"if i == j then 1 else 0\" }\n\
                [simulation]\nkind = \"time_stepping\"\nsteps = 2\nstep = 0.5\n";
    let sweep =
        |paths: &[&str]| ParameterStudy::new((text, "sizes.toml"), None, &[], &vary(paths)).map_err(Box::new);
    let sizes = ["systems.a.q.size=3,2", "systems.a.mass.rows=2", "systems.a.mass.columns=2"];
    let of_two = sweep(&sizes).expect("the last point begins");
    assert_eq!(of_two.columns()[3..].len(), 5);
    assert!(matches!(of_two.worker().run(0), Err(PointError::Start(_) | PointError::Model(_))));
    assert!(of_two.worker().run(1).is_ok());
    // A larger state gives more columns.
    let all = ["systems.a.q.size=2,3", "systems.a.mass.rows=2,3", "systems.a.mass.columns=2,3"];
    let grows = sweep(&all).expect("the first point begins");
    let error = grows.worker().run(7).expect_err("it has other columns");
    assert!(matches!(error, PointError::Columns { .. }), "{error}");
    assert!(sweep(&["systems.a.q.size=3,4"]).is_err());
    let nowhere = VariedValue { path: "simulation.step".to_owned(), values: Vec::new(), is_linked: false };
    let error =
        ParameterStudy::new((text, "sizes.toml"), None, &[], &[nowhere]).expect_err("it has no point");
    assert!(matches!(error, PointError::NoValues { .. }), "{error}");
}

#[test]
fn a_journal_of_fewer_or_more_lines_is_of_another_sweep() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("points_of_sweeps.slog");
    // Remove the file of an earlier run of this test.
    let _absent = fs::remove_file(&path);
    let (columns, lines) = (["x".to_owned()], ["one", "two"].map(str::to_owned));
    let mut journal = Journal::open(&path, &columns, &lines).expect("a journal");
    journal.note(0, vec![vec![1.0]]).expect("it is written");
    journal.note(1, Vec::new()).expect("it is written");
    journal.record_no_result(2).expect("it is written");
    drop(journal);
    let more = ["one", "two", "three"].map(str::to_owned);
    for (other, found) in [(&lines[..1], "`two`, but this study has `nothing`"), (&more, "`nothing`, but")] {
        let error = Journal::open(&path, &columns, other).expect_err("another sweep").to_string();
        assert!(error.contains(found), "{error}");
    }
    let (done, unanswered) = Journal::points(&path, &lines).expect("the same sweep");
    assert_eq!(
        (done.len(), &done[&1], unanswered.into_iter().collect::<Vec<_>>()),
        (2, &Vec::new(), vec![2])
    );
}

/// The rows of a table are points, combined with all other varied values.
#[test]
fn the_columns_of_a_table_vary_together() {
    let text = "format = 1\nkind = \"hybrid\"\n[time]\nend = 1\n[parameters]\nk = 1\nc = 0\nd = 0\n\
                [variables]\nx = { initial = 1, equation = \"x' = -k * x + c + d\" }\n";
    let table = Table::from_csv("k,c\n1,2\n3,4\n5,6\n".as_bytes()).expect("a table");
    let of_table = VariedValue::of_table(&table).expect("two paths");
    let varied = [vary(&["d=7,8"]), of_table.clone()].concat();
    let study = ParameterStudy::new((text, "decay.toml"), None, &[], &varied).expect("a model");
    let points: Vec<_> = (0..study.len()).map(|point| study.values(point)).collect();
    let expected = [
        [7.0, 1.0, 2.0],
        [7.0, 3.0, 4.0],
        [7.0, 5.0, 6.0],
        [8.0, 1.0, 2.0],
        [8.0, 3.0, 4.0],
        [8.0, 5.0, 6.0],
    ];
    assert_eq!(points, expected);
    let combined = [of_table.clone(), vary(&["d=7,8"])].concat();
    let study = ParameterStudy::new((text, "decay.toml"), None, &[], &combined).expect("a model");
    assert_eq!((study.len(), study.values(3)), (6, vec![3.0, 4.0, 8.0]));
    let mut unequal = of_table;
    unequal[1].values.pop();
    let error = ParameterStudy::new((text, "decay.toml"), None, &[], &unequal).expect_err("unequal lengths");
    let message = "parameters.c has 2 values, but parameters.k, with which it varies, has 3";
    assert_eq!(error.to_string(), message);
    let missing = Table::from_csv("k\nnan\n".as_bytes()).expect("a table");
    let error = VariedValue::of_table(&missing).expect_err("a value that is not finite");
    assert_eq!(error.to_string(), "parameters.k: the value in row 1 is NaN; it must be finite");
}
