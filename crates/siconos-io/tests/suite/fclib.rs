//! FCLIB files: round trips, every layout of a matrix, and errors that state the dataset.
use std::fs;
use std::path::PathBuf;

use hdf5::{File, Group, H5Type};
use ndarray::array;
use siconos_io::fclib::{ContactState, FclibError, FclibErrorKind as Kind, FclibFile, ProblemInfo};
use siconos_io::problem::{Problem, ProblemClass, ProblemFileErrorKind};
use siconos_linalg::{Csc, Matrix, MatrixRef};
use siconos_numerics::contact::{BodiesData, ContactData, ContactLawData};
use siconos_testkit::reference;

fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("fclib_{name}.hdf5"))
}

fn local() -> FclibFile {
    let w =
        array![[2.0, 0.5, 0.0, 0.0], [0.5, 1.0, 0.0, 0.0], [0.0, 0.0, 3.0, 0.0], [0.0, -1e-300, 0.0, 4.0]];
    let problem =
        ContactData::new(w, array![-1.0, 0.1, 1.0 / 3.0, 0.0], ContactLawData::coulomb(2, [0.3, 0.0]));
    FclibFile {
        problem: problem.expect("a good problem").into(),
        info: ProblemInfo {
            title: "Two contacts".to_owned(),
            description: "By hand, with an \u{e9}".to_owned(),
            math_info: String::new(),
        },
        guesses: vec![
            ContactState { r: vec![0.0; 4], u: vec![1.0; 4], v: Vec::new() },
            ContactState { r: vec![1.0, 2.0, 3.0, 4.0], u: vec![0.0; 4], v: Vec::new() },
        ],
        solution: None,
    }
}

fn global() -> FclibFile {
    let h = Csc::from_triplets(2, 3, [(0, 0, 1.0), (1, 1, -1.0), (1, 2, 0.5)]).expect("inside");
    let (f, w) = (array![-1.0, 0.25], array![0.0, 0.1, 0.2]);
    let bodies = BodiesData { m: array![2.0, 5.0].into(), h: h.into(), f, w };
    let problem = ContactData::of_bodies(bodies, ContactLawData::coulomb(3, [0.7]));
    FclibFile {
        solution: Some(ContactState { r: vec![1.0, 0.0, 0.0], u: vec![0.0; 3], v: vec![0.5, 0.125] }),
        ..Problem::from(problem.expect("a good problem")).into()
    }
}

/// Checks that the data of the bodies are the same, and that the matrices found are in compressed columns.
#[track_caller]
fn assert_same_bodies(found: &Problem, expected: &Problem) {
    let (Problem::Contact(found), Problem::Contact(expected)) = (found, expected) else {
        panic!("{found:?}")
    };
    assert_eq!(found.law(), expected.law());
    let (Some(found), Some(expected)) = (found.bodies(), expected.bodies()) else { panic!("{found:?}") };
    assert!(matches!((&found.m, &found.h), (Matrix::Csc(_), Matrix::Csc(_))));
    for (found, expected) in [(&found.m, &expected.m), (&found.h, &expected.h)] {
        assert_eq!(found.view().to_dense(), expected.view().to_dense());
    }
    assert_eq!((&found.f, &found.w), (&expected.f, &expected.w));
}

#[test]
fn what_is_written_is_read_again() {
    let path = scratch("local");
    let file = local();
    file.write(&path).expect("a scratch file");
    let read = FclibFile::read(&path).expect("it was written so");
    let (MatrixRef::BlockCsr(w), Problem::Contact(problem)) = (read.problem.m(), &read.problem) else {
        panic!("{read:?}")
    };
    // One block is not stored: (0, 1) contains only zeros, (1, 0) one very small number.
    assert_eq!((w.blocks(), w.to_dense()), (3, file.problem.m().to_dense()));
    assert_eq!((problem.q(), problem.law().mu()), (file.problem.q(), Some(&[0.3, 0.0][..])));
    assert_eq!((&read.info, &read.guesses, &read.solution), (&file.info, &file.guesses, &None));

    let path = scratch("global");
    let file = global();
    file.write(&path).expect("a scratch file");
    let read = FclibFile::read(&path).expect("it was written so");
    assert_same_bodies(&read.problem, &file.problem);
    assert_eq!((&read.guesses, &read.solution), (&file.guesses, &file.solution));
    let path = scratch("global_rolling");
    let h = Csc::from_triplets(2, 5, [(0, 0, 1.0), (1, 1, -1.0), (1, 4, 0.5)]).expect("inside");
    let (f, w) = (array![-1.0, 0.25], array![0.0, 0.1, 0.2, 0.3, 0.4]);
    let bodies = BodiesData { m: array![2.0, 5.0].into(), h: h.into(), f, w };
    let wheel = ContactData::of_bodies(bodies, ContactLawData::rolling(5, [0.7], [0.01]));
    let wheel = Problem::from(wheel.expect("a good problem"));
    wheel.write(&path).expect("a scratch file");
    let found = Problem::read(&path, Some(ProblemClass::Grolling)).expect("it was written so");
    assert_same_bodies(&found, &wheel);

    // A second round trip changes nothing.
    read.write(&path).expect("a scratch file");
    assert_eq!(FclibFile::read(&path).expect("it was written so"), read);
}

#[test]
fn problems_are_read_and_written_by_the_end_of_the_name() {
    let path = scratch("by_name");
    let problem = local().problem;
    problem.write(&path).expect("a scratch file");
    for class in [None, Some(ProblemClass::Fc2d)] {
        let read = Problem::read(&path, class).expect("it was written so");
        assert_eq!((read.class(), read.q()), (ProblemClass::Fc2d, problem.q()));
    }
    let error = Problem::read(&path, Some(ProblemClass::Fc3d)).expect_err("it is in the plane");
    assert_eq!(error.to_string(), format!("{}: the class is fc2d, but fc3d was requested", path.display()));
    let error = Problem::read(scratch("nowhere"), None).expect_err("no such file");
    assert!(matches!(&error.kind, ProblemFileErrorKind::Io(_)), "{error}");

    let linear = Problem::from_dat("1 0 1 1 1 1 2 -3".as_bytes(), Some(ProblemClass::Lcp)).expect("good");
    let error = linear.write(&path).expect_err("the format has no such class");
    assert!(error.to_string().ends_with(", not lcp"), "{error}");
    assert!(Problem::read(&path, None).is_ok(), "the file that was there is there");
    let mut short = local();
    short.guesses[1].u.pop();
    let error = short.write(&path).expect_err("three velocities");
    assert_eq!(error.dataset, "guesses/2/u");
    assert!(Problem::read(&path, None).is_ok(), "the file that was there is there");
}

fn put<T: H5Type>(group: &Group, name: &str, data: &[T]) {
    if group.link_exists(name) {
        group.unlink(name).expect("it is there");
    }
    group.new_dataset_builder().with_data(data).create(name).expect("a dataset");
}

/// Creates a file as FCLIB writes it: one spatial contact, W in compressed rows with 5 entries.
fn base(name: &str) -> (PathBuf, File) {
    let path = scratch(name);
    let file = File::create(&path).expect("a scratch file");
    let local = file.create_group("fclib_local").expect("a group");
    put(&local, "spacedim", &[3_i32]);
    let w = local.create_group("W").expect("a group");
    for (member, value) in [("m", 3), ("n", 3), ("nz", -2), ("nzmax", 5)] {
        put(&w, member, &[value]);
    }
    put(&w, "p", &[0, 2, 3, 5]);
    put(&w, "i", &[0, 1, 1, 0, 2]);
    put(&w, "x", &[2.0, 0.5, 3.0, -1.0, 4.0]);
    let vectors = local.create_group("vectors").expect("a group");
    put(&vectors, "q", &[-1.0, 0.5, 0.0]);
    put(&vectors, "mu", &[0.3]);
    (path, file)
}

/// Returns the result of reading the valid file after a change.
fn changed(name: &str, change: impl FnOnce(&File)) -> Result<FclibFile, FclibError> {
    let (path, file) = base(name);
    change(&file);
    file.close().expect("it closes");
    FclibFile::read(path)
}

#[test]
fn rows_columns_and_triplets() {
    let expected = array![[2.0, 0.5, 0.0], [0.0, 3.0, 0.0], [-1.0, 0.0, 4.0]];
    let read = changed("rows", |_| {}).expect("a good file");
    assert_eq!(read.problem.m().to_dense(), expected);
    assert_eq!((read.problem.class(), &read.info), (ProblemClass::Fc3d, &ProblemInfo::default()));

    let read = changed("columns", |file| {
        let w = file.group("fclib_local/W").expect("it is there");
        put(&w, "nz", &[-1]);
        put(&w, "p", &[0, 2, 4, 5]);
        // Rows of a column in any order; arrays longer than needed.
        put(&w, "i", &[2, 0, 0, 1, 2, 0, 0]);
        put(&w, "x", &[-1.0, 2.0, 0.5, 3.0, 4.0, 9.0, 9.0]);
    });
    assert_eq!(read.expect("a good file").problem.m().to_dense(), expected);

    let read = changed("triplets", |file| {
        let w = file.group("fclib_local/W").expect("it is there");
        // More allocated than used entries, 64-bit sizes, and two entries at the same position, which are
        // added.
        put(&w, "nz", &[6_i64]);
        put(&w, "nzmax", &[20]);
        put(&w, "i", &[0, 1, 2, 0, 2, 0]);
        put(&w, "p", &[0, 1, 0, 1, 2, 0]);
        put(&w, "x", &[1.5, 3.0, -1.0, 0.5, 4.0, 0.5]);
    });
    assert_eq!(read.expect("a good file").problem.m().to_dense(), expected);
}

#[test]
fn every_error_names_its_dataset() {
    let check = |name: &str, change: &dyn Fn(&Group), expected: &str| {
        let error = changed(name, |file| change(&file.group("fclib_local").expect("it is there")));
        let mut error = error.expect_err(expected);
        assert!(error.path.take().is_some_and(|path| path == scratch(name)));
        assert!(error.to_string().starts_with(expected), "{error}\ninstead of\n{expected}");
    };
    let w = |local: &Group| local.group("W").expect("it is there");
    let vectors = |local: &Group| local.group("vectors").expect("it is there");

    check("no_p", &|g| w(g).unlink("p").expect("there"), "`fclib_local/W/p`: it is missing");
    check("no_w", &|g| g.unlink("W").expect("there"), "`fclib_local/W`: it is missing");
    check("no_q", &|g| vectors(g).unlink("q").expect("there"), "`fclib_local/vectors/q`: it is missing");
    check("no_vectors", &|g| g.unlink("vectors").expect("there"), "`fclib_local/vectors`: it is missing");
    check(
        "type",
        &|g| put(&w(g), "i", &[0.0; 5]),
        "`fclib_local/W/i`: expected whole numbers, found float64",
    );
    check("type_x", &|g| put(&w(g), "x", &[1; 5]), "`fclib_local/W/x`: expected numbers, found int32");
    check(
        "table",
        &|g| {
            w(g).unlink("x").expect("there");
            w(g).new_dataset_builder()
                .with_data(&array![[1.0, 2.0], [3.0, 4.0]])
                .create("x")
                .expect("a table");
        },
        "`fclib_local/W/x`: expected numbers, found an array with 2 dimensions",
    );
    check(
        "dataset",
        &|g| {
            g.unlink("W").expect("there");
            put(g, "W", &[1.0]);
        },
        "`fclib_local/W`: ",
    );
    check(
        "code",
        &|g| put(&w(g), "nz", &[-3]),
        "`fclib_local/W/nz`: entry 0 is -3; it must be -2 (rows), -1 (columns)",
    );
    check("codes", &|g| put(&w(g), "nz", &[-2, -2]), "`fclib_local/W/nz`: it has 2 entries; expected 1");
    check(
        "rows_of_w",
        &|g| put(&w(g), "m", &[6]),
        "`fclib_local/W/m`: entry 0 is 6; it must be 3, as the vectors require",
    );
    check("columns_of_w", &|g| put(&w(g), "n", &[-3]), "`fclib_local/W/n`: entry 0 is -3; it must be 3");
    check(
        "p_short",
        &|g| put(&w(g), "p", &[0, 2, 5]),
        "`fclib_local/W/p`: it has 3 entries; expected 4 (one more than the number of rows or columns)",
    );
    check("p_first", &|g| put(&w(g), "p", &[1, 2, 3, 5]), "`fclib_local/W/p`: entry 0 is 1; it must be 0");
    check(
        "p_falls",
        &|g| put(&w(g), "p", &[0, 3, 2, 5]),
        "`fclib_local/W/p`: entry 2 is 2; it must be at least 3",
    );
    check(
        "p_negative",
        &|g| put(&w(g), "p", &[0, -2, 3, 5]),
        "`fclib_local/W/p`: entry 1 is -2; it must be nonnegative",
    );
    check(
        "p_far",
        &|g| put(&w(g), "p", &[0, 2, 3, 9]),
        "`fclib_local/W/i`: it has 5 entries; expected 9 (one for each entry of the matrix)",
    );
    check(
        "i_far",
        &|g| put(&w(g), "i", &[0, 1, 3, 0, 2]),
        "`fclib_local/W/i`: entry 2 is 3; it must be nonnegative and below 3",
    );
    check(
        "x_short",
        &|g| put(&w(g), "x", &[1.0; 4]),
        "`fclib_local/W/x`: it has 4 entries; expected 5 (one for each",
    );
    check(
        "x_nan",
        &|g| put(&w(g), "x", &[1.0, 2.0, f64::NAN, 4.0, 5.0]),
        "`fclib_local/W/x`: entry 2 is NaN; it must be finite",
    );
    check(
        "triplets_short",
        &|g| put(&w(g), "nz", &[5]),
        "`fclib_local/W/p`: entry 2 is 3; it must be nonnegative and below 3",
    );
    check(
        "q_inf",
        &|g| put(&vectors(g), "q", &[f64::INFINITY, 0.0, 0.0]),
        "`fclib_local/vectors/q`: entry 0 is inf",
    );
    check(
        "q_long",
        &|g| put(&vectors(g), "q", &[0.0; 4]),
        "`fclib_local/vectors/q`: it has 4 entries; expected 3 (a multiple of spacedim, 3)",
    );
    check(
        "mu_long",
        &|g| put(&vectors(g), "mu", &[0.3; 2]),
        "`fclib_local/vectors/mu`: it has 2 entries; expected 1 (q has 3 entries, 3 for each contact)",
    );
    check(
        "mu_negative",
        &|g| put(&vectors(g), "mu", &[-0.3]),
        "`fclib_local/vectors/mu`: entry 0 is -0.3; it must be nonnegative",
    );
    check(
        "spacedim",
        &|g| put(g, "spacedim", &[4]),
        "`fclib_local/spacedim`: entry 0 is 4; it must be 2 or 3",
    );
    check(
        "equality",
        &|g| drop(g.create_group("V").expect("a group")),
        "`fclib_local/V`: problems with this part",
    );
    check(
        "sum",
        &|g| {
            put(&w(g), "nz", &[2]);
            put(&w(g), "i", &[0, 0]);
            put(&w(g), "p", &[0, 0]);
            put(&w(g), "x", &[f64::MAX, f64::MAX]);
        },
        "`fclib_local/W`: `W` must be finite",
    );
    // A dataset without written data: it would be read as 8e12 bytes of zeros.
    check(
        "huge",
        &|g| {
            vectors(g).unlink("q").expect("there");
            vectors(g)
                .new_dataset::<f64>()
                .chunk(1000)
                .shape(1_000_000_000_000_usize)
                .create("q")
                .expect("no data");
        },
        "`fclib_local/vectors/q`: it declares 1000000000000 entries, but the file has only 0 bytes for them",
    );
}

#[test]
fn points_that_are_wrong() {
    let check = |name: &str, change: &dyn Fn(&File), expected: &str| {
        let mut error = changed(name, change).expect_err(expected);
        error.path = None;
        assert!(error.to_string().starts_with(expected), "{error}\ninstead of\n{expected}");
    };
    check(
        "guess_missing",
        &|file| {
            put(&file.create_group("guesses").expect("a group"), "number_of_guesses", &[i64::MAX]);
        },
        "`guesses/1`: it is missing",
    );
    check(
        "guess_negative",
        &|file| {
            put(&file.create_group("guesses").expect("a group"), "number_of_guesses", &[-1]);
        },
        "`guesses/number_of_guesses`: entry 0 is -1",
    );
    check(
        "solution_short",
        &|file| {
            let solution = file.create_group("solution").expect("a group");
            put(&solution, "r", &[0.0; 3]);
            put(&solution, "u", &[0.0; 2]);
        },
        "`solution/u`: it has 2 entries; expected 3 (one for each unknown)",
    );
    check(
        "title",
        &|file| {
            let info = file.create_group("fclib_local/info").expect("a group");
            put(&info, "title", &[1.0]);
        },
        "`fclib_local/info/title`: expected a string, found float64",
    );
    check(
        "both",
        &|file| drop(file.create_group("fclib_global").expect("a group")),
        "the file must have exactly one of `fclib_local`, `fclib_global` and `fclib_global_rolling`; it has 2",
    );
    check(
        "neither",
        &|file| file.unlink("fclib_local").expect("there"),
        "the file must have exactly one of `fclib_local`, `fclib_global` and `fclib_global_rolling`; it has 0",
    );
}

#[test]
fn files_that_are_cut_off_or_no_hdf5() {
    let (path, file) = base("cut");
    file.close().expect("it closes");
    let bytes = fs::read(&path).expect("it was written");
    for length in [0, 7, 100, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&path, &bytes[..length]).expect("a scratch file");
        let error = FclibFile::read(&path).expect_err("it is cut off");
        assert!(matches!(&error.kind, Kind::Hdf5 { .. }), "{length}: {error}");
        assert_eq!(error.to_string().lines().count(), 1, "{error}");
        let error = Problem::read(&path, None).expect_err("it is cut off").to_string();
        assert_eq!(error.matches("fclib_cut").count(), error.matches("name = ").count() + 1, "{error}");
    }
    fs::write(&path, "3 1\n0 3 3").expect("a scratch file");
    assert!(matches!(FclibFile::read(&path).expect_err("a text").kind, Kind::Hdf5 { .. }));
}

#[test]
fn published_files() {
    let Some(folder) = reference::root() else { return };
    for (name, contacts, nonzeros, mu) in [
        ("fc3d/Capsules-i125-1213.hdf5", 286, 11772, [0.7, 0.7]),
        ("fc3d/LMGC_100_PR_PerioBox-i00361-60-03000.hdf5", 60, 7848, [0.3, 0.5]),
    ] {
        let file = FclibFile::read(folder.join(name)).unwrap_or_else(|error| panic!("{error}"));
        let (Problem::Contact(problem), MatrixRef::BlockCsr(w)) = (&file.problem, file.problem.m()) else {
            panic!("{name}")
        };
        assert_eq!(
            (problem.law().blocks(), w.rows(), w.block_rows()),
            (contacts, 3 * contacts, contacts),
            "{name}"
        );
        assert_eq!(w.values().iter().filter(|x| **x != 0.0).count(), nonzeros, "{name}");
        let range = problem
            .law()
            .mu()
            .expect("friction")
            .iter()
            .fold([1.0_f64, 0.0], |[low, high], mu| [low.min(*mu), high.max(*mu)]);
        assert!((range[0] - mu[0]).abs() < 1e-6 && (range[1] - mu[1]).abs() < 1e-6, "{name}: {range:?}");
        assert_eq!(Problem::read(folder.join(name), None).expect("it was read before"), file.problem);
    }
    for (name, contacts, freedoms, nonzeros, mu) in [
        ("gfc3d/Box_Stacks-i0122-82-5.hdf5", 82, 450, (450, 1284), 0.3),
        ("gfc3d/Spheres-i099-356-679.hdf5", 356, 12000, (12000, 9110), 0.7),
    ] {
        let file = FclibFile::read(folder.join(name)).unwrap_or_else(|error| panic!("{error}"));
        let Problem::Contact(problem) = &file.problem else { panic!("{name}") };
        let Some(BodiesData { m: Matrix::Csc(m), h: Matrix::Csc(h), .. }) = problem.bodies() else {
            panic!("{name}")
        };
        assert_eq!((problem.law().blocks(), m.rows()), (contacts, freedoms), "{name}");
        assert_eq!((m.entries(), h.entries()), nonzeros, "{name}");
        assert!(
            problem.law().mu().expect("friction").iter().all(|found| (found - mu).abs() < 1e-6),
            "{name}"
        );
        // The guess and the solution in these files have zero reactions.
        let solution = file.solution.as_ref().expect("there is one");
        assert!(solution.r.len() == 3 * contacts && solution.r.iter().all(|r| *r == 0.0), "{name}");
        assert_eq!((file.guesses.len(), file.guesses[0].v.len()), (1, freedoms), "{name}");
        let path = scratch("copy");
        file.write(&path).expect("a scratch file");
        assert_eq!(FclibFile::read(&path).expect("it was written so"), file, "{name}");
    }
}
