//! `siconos-rs info`, `check`, `convert` and `completions`.

use std::fs;
use std::num::NonZeroUsize;

use serde_json::Value;
use siconos_io::trajectory::Table;
use siconos_io::vtk::write_series;

use crate::program::{self, BALL, folder, scratch, siconos};

/// Returns the output of a command that succeeds.
#[track_caller]
fn answer(arguments: &[&str]) -> String {
    let output = siconos(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Returns the error message of a command that fails.
#[track_caller]
fn refused(arguments: &[&str]) -> String {
    let output = siconos(arguments);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).expect("text")
}

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&answer(&[arguments, &["--format", "json"]].concat())).expect("JSON")
}

/// Creates a scratch file with this text.
fn file(name: &str, text: &str) -> String {
    scratch(&format!("files_{name}"), text)
}

/// Returns the name of a file that does not exist.
fn fresh(name: &str) -> String {
    program::fresh(format!("files_{name}"))
}

#[test]
fn a_model_is_told_of() {
    let model = file("info.toml", BALL);
    let told = answer(&["info", &model]);
    for expected in [
        "title        A ball\n",
        "parameters   g = 8.0\n",
        "systems      ball: lagrangian_linear, 1 degrees of freedom\n",
        "interactions floor: 1 components between ball\n",
        "simulation   time_stepping, t = 0.0 .. 4.0 in 8 steps\n",
        "output       t, ball.q, ball.q'\n",
    ] {
        assert!(told.contains(expected), "{expected}\n{told}");
    }
    let told = json(&["info", &model]);
    assert_eq!(told["kind"], "model");
    assert_eq!(told["systems"][0]["name"], "ball");
    assert_eq!(told["simulation"]["steps"], 8);
    assert_eq!(told["parameters"][0]["values"][0], 8.0);
}

#[test]
fn snapshots_and_tables_are_told_of() {
    let (model, table) = (file("run.toml", BALL), fresh("run.csv"));
    answer(&["run", &model, "--output", &table, "--checkpoint", "3", "--force", "--set", "g=2"]);
    let told = json(&["info", &table]);
    assert_eq!((&told["kind"], &told["rows"]), (&"table".into(), &9.into()));
    assert_eq!(
        (&told["columns"][1]["name"], &told["columns"][1]["first"]),
        (&"ball.q".into(), &100.0.into())
    );
    assert!(answer(&["info", &table]).contains("columns     t: 0.0 .. 4.0\n"));
    let told = json(&["info", &format!("{table}.snapshot")]);
    assert_eq!((&told["kind"], &told["t"], &told["rows"]), (&"snapshot".into(), &3.0.into(), &7.into()));
    assert_eq!((&told["set"][0], &told["model_text"]), (&"parameters.g=2".into(), &BALL.into()));
    let ball = &json(&["info", &table])["columns"][1];
    assert_eq!((&ball["minimum"], &ball["maximum"]), (&84.0.into(), &100.0.into()), "{ball}");
    refused(&["info", "files_none.csv"]);
    refused(&["info", "files_none.snapshot"]);
}

/// The range of a column states NaN and infinities, and a damaged or incomplete table is not hidden.
#[test]
fn a_summary_hides_nothing() {
    let table = file("odd.csv", "t,a,b,c\n0,nan,1,-inf\n1,nan,nan,2\n2,nan,-3,nan\n");
    let told = answer(&["info", &table]);
    for expected in [
        "rows        3\n",
        " t: 0.0 .. 2.0\n",
        " a: no numbers, 3 NaN\n",
        " b: -3.0 .. 1.0, 1 NaN\n",
        " c: -inf .. 2.0, 1 NaN, 1 infinite\n",
    ] {
        assert!(told.contains(expected), "{expected}\n{told}");
    }
    let told = json(&["info", &table]);
    let columns = &told["columns"];
    assert_eq!((&columns[1]["minimum"], &columns[1]["nan"]), (&Value::Null, &3.into()), "{told}");
    assert_eq!((&columns[1]["first"], &columns[3]["minimum"]), (&"NaN".into(), &"-inf".into()), "{told}");
    assert_eq!(told["warnings"], Value::Array(Vec::new()));

    let log = fresh("odd.slog");
    answer(&["convert", &table, &log]);
    let bytes = fs::read(folder().join(&log)).expect("a log");
    let cut = fresh("cut.slog");
    fs::write(folder().join(&cut), &bytes[..bytes.len() - 5]).expect("a log");
    let output = siconos(&["info", &cut]);
    let (told, remark) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0));
    assert!(told.contains("rows        2\n") && told.contains("t: 0.0 .. 1.0\n"), "{told}");
    assert!(remark.contains("the file ends within row 2") && remark.contains("showing the complete rows"));
    let warning = &json(&["info", &cut])["warnings"][0];
    assert!(warning.as_str().is_some_and(|warning| warning.contains("ends within row 2")), "{warning}");
    let mut damaged = bytes;
    let place = damaged.len() - 50;
    damaged[place] ^= 1;
    fs::write(folder().join(&cut), &damaged).expect("a log");
    assert!(refused(&["info", &cut]).contains("is damaged"));
    fs::write(folder().join(&cut), "").expect("a log");
    assert!(refused(&["info", &cut]).contains("the header of the log is damaged"));
    fs::write(folder().join(&cut), "t,q\n0,1\n").expect("a text");
    assert!(refused(&["info", &cut]).contains("not a log"));

    let unended = file("unended.csv", "t,q\n0,1\n1,2");
    let output = siconos(&["info", &unended]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("no line break"));
    let half = file("half.csv", "t,q\n0,1\n1,");
    let output = siconos(&["info", &half]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("rows        1\n"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("showing the complete rows"));
    let none = file("no_rows.csv", "t,q\n");
    assert!(answer(&["info", &none]).contains("t: no numbers\n"));
}

#[test]
fn a_model_is_checked() {
    let model = file("check.toml", BALL);
    assert!(answer(&["check", &model]).contains(": no errors"));
    assert_eq!(json(&["check", &model])["valid"], true);
    let broken =
        file("broken.toml", &BALL.replace("q = 100.0", "qq = 100.0").replace("restitution", "restitition"));
    let told = refused(&["check", &broken]);
    assert!(told.contains("unknown key `qq`") && told.contains("did you mean `restitution`?"), "{told}");
    let output = siconos(&["check", &broken, "--format", "json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stderr.is_empty());
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let faults = told["faults"].as_array().expect("a list");
    assert_eq!(told["valid"], false);
    assert!(faults.iter().any(|fault| fault["line"] == 11 && fault["column"] == 1), "{faults:?}");
    // If a hybrid model has no consistent initial value, the error is reported at the variable.
    let text = "format = 1\nkind = \"hybrid\"\n[variables]\nx = { initial = 1, equation = \"x' = z\" }\n\
                z = { initial = 1, equation = \"0 = z * z + 1\" }\n";
    let hybrid = file("none.toml", text);
    let output = siconos(&["check", &hybrid, "--format", "json"]);
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let fault = &told["faults"][0];
    assert_eq!((&fault["line"], &fault["column"]), (&5.into(), &1.into()), "{told}");
    assert!(
        fault["message"]
            .as_str()
            .is_some_and(|it| it.starts_with("no value of `z` that solves its equation")),
        "{told}"
    );
    // Errors that only the kernel detects, and errors that only a step detects.
    let told = refused(&["check", &model, "--set", "simulation.step=0.0"]);
    assert!(told.contains("files_check.toml:"), "{told}");
    let told = refused(&["check", &model, "--set", "systems.ball.mass=0.0"]);
    assert!(told.contains("files_check.toml:9:10:") && told.contains("`ball` is singular"), "{told}");
}

#[test]
fn what_is_odd_is_remarked() {
    let text = "format = 1\nkind = \"model\"\n[systems.plate]\nfamily = \"newton_euler\"\nmass = 1\n\
                inertia = [1, 1, 3]\nposition = [0, 0, 0]\nattitude = [2, 0, 0, 0]\n\
                [simulation]\nkind = \"time_stepping\"\nend = 1\nstep = 0.1\n";
    let model = file("odd.toml", text);
    let told = answer(&["check", &model]);
    assert!(told.contains("files_odd.toml:3:10: remark: the moment of inertia 3 exceeds the sum"), "{told}");
    assert!(told.contains("remark: this orientation has the length 2 and is normalised"), "{told}");
    assert!(told.ends_with("no errors\n"), "{told}");
    let told = json(&["check", &model]);
    assert_eq!((&told["valid"], told["remarks"].as_array().map(Vec::len)), (&Value::Bool(true), Some(2)));
}

/// An assignment to a name that nothing reads is reported by `check` and by `run`, and does not change the
/// exit code.
#[test]
fn a_misspelt_assignment_is_reported() {
    let text = |action: &str| {
        format!(
            "format = 1\nkind = \"hybrid\"\n[time]\nend = 1\n\
             [variables]\nx = {{ initial = 0, equation = \"x' = 1\" }}\n[discrete]\nspeed = 1.0\n\
             [[events]]\ntrigger = \"x - 0.5\"\naction = \"{action}\"\n"
        )
    };
    let message = "`spede` is assigned but never read; did you mean `speed`?";
    let model = file("typo.toml", &text("spede = 2"));
    let told = answer(&["check", &model]);
    assert!(told.starts_with(&format!("{model}:11:11: remark: {message}\n")), "{told}");
    assert_eq!(json(&["check", &model])["remarks"][0]["event"], 1);
    let output = siconos(&["run", &model]);
    assert_eq!(output.status.code(), Some(0));
    let told = String::from_utf8(output.stderr).expect("text");
    assert_eq!(told, format!("siconos-rs: {model}:11:11: warning: event 1: {message}\n"));
    // Both branches are checked; a name that is read in a condition is not reported.
    let model =
        file("typos.toml", &text("if x > 0 { zzz = 1 } else { sped = 2 }; k = 1; if k > 0 { speed = 2 }"));
    let told = answer(&["check", &model]);
    assert!(told.contains("`zzz` is assigned but never read\n"), "{told}");
    assert!(told.contains("`sped` is assigned but never read; did you mean `speed`?\n"), "{told}");
    assert!(!told.contains("`k`"), "{told}");
    for action in ["speed = 2", "v = 2; speed = v", "v = 1; if x > 2 { speed = v }"] {
        let model = file("no_typo.toml", &text(action));
        assert!(!answer(&["check", &model]).contains("remark"), "{action}");
    }
}

/// Messages name the device and the time.
#[test]
fn messages_name_devices() {
    let text = |first: &str, u: &str| {
        format!(
            "format = 1\nkind = \"model\"\n[parameters]\nmotor = 0\n\
             [systems.cart]\nfamily = \"lagrangian_linear\"\nq = 1\nmass = 1\nexternal_force = \"motor\"\n\
             [control.gauge]\nkind = \"linear_sensor\"\nsystems = \"cart\"\nC = [[1, 0]]\nperiod = 0.1\n{first}\
             [control.drive]\nkind = \"function\"\nsignal = \"gauge\"\ninput = \"motor\"\nperiod = 0.1\nu = \"{u}\"\n\
             [simulation]\nkind = \"time_stepping\"\nend = 1\nstep = 0.1\n"
        )
    };
    let told = |name: &str, text: String| {
        let output = siconos(&["run", &file(name, &text)]);
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).expect("text")
    };
    let early = told("early.toml", text("first = 0.2\n", "y"));
    assert!(early.contains("actuator `drive` reads sensor `gauge` at t = 0"), "{early}");
    let infinite = told("infinite.toml", text("", "exp(1e5 * (t - 0.25))"));
    assert!(infinite.contains("t = 0.3"), "{infinite}");
    assert!(infinite.contains(": actuator `drive`: `u` must be finite"), "{infinite}");
}

#[test]
fn models_and_tables_are_converted() {
    let (model, other, back) = (file("convert.toml", BALL), fresh("convert.json"), fresh("back.toml"));
    assert!(answer(&["convert", &model, &other]).contains("comments are lost"));
    answer(&["convert", &other, &back]);
    let first = answer(&["run", &model]);
    for converted in [&other, &back] {
        assert_eq!(answer(&["run", converted]), first, "{converted}");
    }
    assert!(refused(&["convert", &model, &other]).contains("--force"));
    answer(&["convert", &model, &other, "--force"]);
    assert!(refused(&["convert", &model, "files_none.npz"]).contains("this is a model"));

    let (table, log, archive) = (fresh("table.csv"), fresh("table.slog"), fresh("table.npz"));
    answer(&["run", &model, "--output", &table]);
    answer(&["convert", &table, &log]);
    answer(&["convert", &log, &archive]);
    let again = fresh("again.csv");
    answer(&["convert", &archive, &again]);
    let rows = |name: &str| {
        let text = fs::read_to_string(folder().join(name)).expect("a file");
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(rows(&again), rows(&table));
    assert_eq!(rows(&again).len(), 10);
}

/// The HDF5 library locks a file that it writes, unless the environment forbids it.
#[cfg(feature = "hdf5")]
#[test]
fn a_table_becomes_an_hdf5_file_that_is_locked() {
    let (csv, hdf5, back) = (file("lock.csv", "t,q\n0,1\n1,-2\n"), fresh("lock.h5"), fresh("lock_back.csv"));
    for arguments in [
        &["convert", &csv, &hdf5][..],
        &["convert", &csv, &hdf5, "--force"],
        &["convert", &hdf5, &hdf5, "--force"],
        &["convert", &hdf5, &back],
    ] {
        let locking = program::command(arguments).env("HDF5_USE_FILE_LOCKING", "TRUE").output();
        let output = locking.expect("the program runs");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let read = |name: &str| Table::read(folder().join(name)).expect("a table");
    assert_eq!(read(&back), read(&csv));
}

#[test]
fn a_table_becomes_a_film() {
    let model = file("film.toml", BALL);
    let (log, film, path) = (fresh("film.slog"), fresh("film.pvd"), fresh("film_path.vtp"));
    let _absent = fs::remove_dir_all(folder().join("files_film"));
    answer(&["run", &model, "--output", &log]);
    let points = ["--points", "ball.q:ball.q':t,ball.q"];
    let said = answer(&[&["convert", &log, &film][..], &points, &["--every", "4"]].concat());
    assert!(said.contains("3 rows of files_film.slog were written to files_film.pvd"), "{said}");
    // The rows at 0 s, 2 s and 4 s; each file is equal to the one that the library writes.
    let table = Table::read(folder().join(&log)).expect("a log").thinned(NonZeroUsize::new(4).expect("4"));
    let expected = folder().join("files_film_expected.pvd");
    let columns = [&["ball.q", "ball.q'", "t"][..], &["ball.q"]];
    write_series(&expected, table, "t", &columns).expect("scratch files");
    for number in 0..3 {
        let read = |folder: &str| {
            let path = program::folder().join(folder).join(format!("{number:06}.vtp"));
            fs::read(path).expect("a file")
        };
        assert!(read("files_film") == read("files_film_expected"), "{number}");
    }
    let pvd = fs::read_to_string(folder().join(&film)).expect("a film");
    assert!(pvd.contains("timestep=\"2.0\"") && pvd.contains("file=\"files_film/000001.vtp\""), "{pvd}");
    answer(&["convert", &log, &path, "--points", "t:ball.q"]);
    assert!(fs::read(folder().join(&path)).expect("a path").starts_with(b"<?xml"));

    assert!(refused(&[&["convert", &log, &film][..], &points].concat()).contains("--force"));
    let told = refused(&["convert", &log, "files_no.pvd"]);
    assert!(told.contains("use --points") && told.contains("t, ball.q, ball.q'"), "{told}");
    assert!(refused(&["convert", &log, "files_no.vtp", "--points", "t,ball.q"]).contains("one point"));
    assert!(refused(&["convert", &log, "files_no.pvd", "--points", "x:t"]).contains("no column \"x\""));
    assert!(
        refused(&["convert", &log, "files_no.csv", "--every", "2"]).contains("--every require .pvd or .vtp")
    );
    assert!(refused(&["convert", &model, "files_no.pvd", "--points", "t"]).contains("this is a model"));
}

#[test]
fn shells_complete_the_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = answer(&["completions", shell]);
        assert!(script.contains("convert") && script.contains("checkpoint"), "{shell}");
    }
    refused(&["completions", "sh"]);
}

/// A table can be written in JSON with any column names, and every command reads it as a table, not as a
/// model.
#[test]
fn tables_in_json_are_read_again() {
    let model = file("names.toml", include_str!("../models/names.toml"));
    let (table, csv, again) = (fresh("names.json"), fresh("names.csv"), fresh("names_again.json"));
    answer(&["run", &model, "--output", &table]);
    let names = ["t", "a b,c", "say \"hi\"", "#x", "θ", "="];
    let told = json(&["info", &table]);
    assert_eq!((told["kind"].as_str(), told["rows"].as_u64()), (Some("table"), Some(4)));
    let found: Vec<_> = told["columns"].as_array().expect("a list").iter().map(|own| &own["name"]).collect();
    assert_eq!(found, names);
    answer(&["convert", &table, &csv]);
    let read = |name: &str| fs::read_to_string(folder().join(name)).expect("a file");
    assert!(read(&csv).starts_with("t,"), "the header is the first line");
    answer(&["convert", &table, &csv, "--annotate", "--force"]);
    answer(&["convert", &csv, &again]);
    assert_eq!(read(&table), read(&again));
    let of = |name: &str| Table::read(folder().join(name)).expect("a table");
    assert_eq!(of(&table), of(&csv));
    assert_eq!(of(&table).columns(), names);
    answer(&["plot", &table, "--output", &fresh("names.svg")]);

    let toml = fresh("names_as_model.toml");
    assert!(refused(&["convert", &table, &toml]).contains("this is a table"));
    assert!(!folder().join(&toml).exists());
    // An object that is neither a table nor a model.
    let other = file("other.json", "{\"format\": 1, \"columns\": [\"t\"]}");
    assert!(refused(&["convert", &other, &toml]).contains("neither a table nor a model"));
    assert!(!folder().join(&toml).exists());
}

/// JSON cannot represent numbers that are not finite.
#[test]
fn tables_in_json_hold_every_number() {
    let csv = file("every.csv", "t,x\n0,nan\n1,inf\n2,-inf\n3,5e-324\n4,-0\n5,1.7976931348623157e308\n");
    let (table, back) = (fresh("every.json"), fresh("every_back.csv"));
    answer(&["convert", &csv, &table]);
    answer(&["convert", &table, &back]);
    let bits = |name: &str| {
        let table = Table::read(folder().join(name)).expect("a table");
        table.column("x").expect("a column").map(f64::to_bits).collect::<Vec<_>>()
    };
    assert_eq!(bits(&csv), bits(&back));
}

/// Some programs write a byte order mark at the start of a text.
#[test]
fn a_byte_order_mark_is_no_part_of_a_file() {
    let marked = |name: &str, text: &str| file(name, &format!("\u{feff}{text}"));
    let toml = marked("marked.toml", BALL);
    let plain = file("unmarked.toml", BALL);
    let converted = fresh("unmarked.json");
    answer(&["convert", &plain, &converted]);
    let text = fs::read_to_string(folder().join(&converted)).expect("a file");
    let json = marked("marked.json", &text);
    for model in [&toml, &json] {
        assert_eq!(answer(&["run", model]), answer(&["run", &plain]), "{model}");
    }
    for (name, text) in [
        ("marked.csv", "t,x\n0,1\n"),
        ("marked_table.json", "{\"columns\":[\"t\",\"x\"],\"data\":[0,1]}"),
        ("marked.jsonl", "{\"t\": 0, \"x\": 1}\n"),
        ("marked.dat", "t x\n0 1\n"),
    ] {
        let table = marked(name, text);
        assert!(answer(&["info", &table]).contains("t: 0.0"), "{name}: {}", answer(&["info", &table]));
    }
    let problem = marked("problem.json", "{\"class\": \"lcp\", \"m\": {\"dense\": [[2]]}, \"q\": [-1.0]}");
    assert!(answer(&["solve", &problem]).contains("converged"));
    // A data file of a model.
    marked("array.csv", "1\n");
    let model = file("array.toml", &BALL.replacen("mass = 1.0", "mass = { file = \"files_array.csv\" }", 1));
    answer(&["run", &model]);
}
