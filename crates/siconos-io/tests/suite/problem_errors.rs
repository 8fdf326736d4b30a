//! Each error states the file, the position, the text found there and the expected text.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;
use siconos_io::ReadOptions;
use siconos_io::problem::{
    Problem, ProblemClass, ProblemFileError, ProblemFileErrorKind as Kind, TextPosition,
};
use siconos_numerics::ProblemError;

const LCP: Option<ProblemClass> = Some(ProblemClass::Lcp);
const MLCP: Option<ProblemClass> = Some(ProblemClass::Mlcp);
const RELAY: Option<ProblemClass> = Some(ProblemClass::Relay);

/// A valid problem: dense, with a remark.
const GOOD: &str = "2\n0 2 2\n2 2\n2 1\n1 2\n-5 -6\nRemark: 4.1.14";
/// A valid problem in blocks: (0, 0) is 1 x 1, (1, 1) is 2 x 2.
const GOOD_BLOCKS: &str = "3\n1 3 3\n2 2 2\n1 3\n1 3\n3 2\n0 1 2\n0 1\n0 7\n1 1 2 3 4\n-1 -2 -3";
/// A valid problem in sparse columns, the first of which is empty.
const GOOD_SPARSE: &str = "2\n2 2 2\n2\nversion 3\n2-by-2, nzmax: 5 nnz: 2, 1-norm: 9\n\
    col 0 : locations 0 to -1\ncol 1 : locations 0 to 1\n0 : 4\n1 : 5\n-1 -2";
/// A valid mixed problem, in both forms.
const GOOD_MIXED: &str = "1\n1\n1\n1\n0 1 2\n0 1\n0 2 2\n2 2\n1 3\n2 4\n-1 -2\n1\n4\n2\n3\n-1\n-2\n";

fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("problem_{name}"))
}

#[track_caller]
fn error(text: &str, class: Option<ProblemClass>) -> ProblemFileError {
    match Problem::from_dat(text.as_bytes(), class) {
        Ok(problem) => panic!("{text:?} was read as {problem:?}"),
        Err(error) => error,
    }
}

/// Returns the message with its position, after `find` is replaced by `replacement` in a valid text.
#[track_caller]
fn message(good: &str, find: &str, replacement: &str, class: Option<ProblemClass>) -> String {
    assert!(Problem::from_dat(good.as_bytes(), class).is_ok(), "{good:?} is good");
    assert_eq!(good.matches(find).count(), 1, "{find:?} in {good:?}");
    error(&good.replace(find, replacement), class).to_string()
}

#[test]
fn a_token_that_is_no_number() {
    assert_eq!(
        message(GOOD, "-6", "abc", LCP),
        "line 6, column 4: expected a number (entry 2 of q (of 2)), found `abc`"
    );
    assert_eq!(
        message(GOOD, "2 1\n", "2 1,\n", LCP),
        "line 4, column 3: expected a number (entry (1, 0) of M), found `1,`"
    );
    let long = "x".repeat(1000);
    assert!(message(GOOD, "-6", &long, LCP).ends_with(&format!("`{}..`", &long[..40])));
    assert!(message(GOOD, "-6", "\u{1b}[2J", LCP).ends_with("`\u{fffd}[2J`"));
}

#[test]
fn a_text_that_ends_too_early() {
    assert_eq!(
        message(GOOD, " -6\nRemark: 4.1.14", "", LCP),
        "line 6, column 3: the file ends where entry 2 of q (of 2) should be"
    );
    assert_eq!(
        error("", LCP).to_string(),
        "line 1, column 1: the file ends where the number of unknowns n should be"
    );
    for good in [(GOOD, LCP), (GOOD_BLOCKS, LCP), (GOOD_SPARSE, LCP), (GOOD_MIXED, MLCP)] {
        let (text, class) = good;
        let end = text.find("\nRemark").unwrap_or(text.trim_end().len());
        for cut in 0..end {
            // A number that has lost its last digit may still be a number.
            if !text[..cut].ends_with(|c: char| c.is_ascii_digit()) || cut + 1 < end {
                let _refused = error(&text[..cut], class);
            }
        }
    }
}

#[test]
fn numbers_that_are_not_finite() {
    for token in ["nan", "inf", "-Infinity", "1e999"] {
        let error = error(&GOOD.replace("-6", token), LCP);
        assert_eq!(error.place, Some(TextPosition { line: 6, column: 4 }));
        assert!(matches!(&error.kind, Kind::NotFinite { token: found, .. } if found == token), "{error}");
    }
    assert!(matches!(error(&GOOD.replace("2 1\n", "2 nan\n"), LCP).kind, Kind::NotFinite { .. }));
}

#[test]
fn bounds() {
    let good = "1\n0 1 1\n1 1\n2\n-3\n-inf\ninf\n";
    assert_eq!(
        message(good, "\ninf", "\n1e999", RELAY),
        "line 7, column 1: expected a finite number (entry 1 of the upper bounds (of 1)), found `1e999`"
    );
    assert!(message(good, "-inf", "inf", RELAY).contains("is inf; it must be a number or -inf"));
    assert!(message(good, "-inf\ninf", "0\n-inf", RELAY).contains("is -inf; it must be a number or inf"));
    assert!(message(good, "-inf", "nan", RELAY).contains("found `nan`"));
    assert_eq!(
        message(good, "-inf\ninf", "2\n1.5", RELAY),
        "line 7, column 1: entry 1 of the upper bounds (of 1) is 1.5; it must be a number or inf, not below the \
         lower bound 2"
    );
}

#[test]
fn sizes_that_are_none() {
    for token in ["-2", "2.0", "2e0", "two", "99999999999999999999999"] {
        let error = error(&GOOD.replacen('2', token, 1), LCP);
        assert_eq!(error.place, Some(TextPosition { line: 1, column: 1 }));
        assert!(matches!(&error.kind, Kind::NotASize { token: found, .. } if found == token), "{error}");
    }
    assert!(
        message(GOOD, "\n0 2 2", "\n0 2 -2", LCP)
            .starts_with("line 2, column 5: expected a nonnegative whole number")
    );
}

#[test]
fn sizes_that_do_not_fit() {
    assert_eq!(
        message(GOOD, "0 2 2", "0 3 2", LCP),
        "line 2, column 3: the number of rows of M is 3; it must be 2"
    );
    assert_eq!(
        message(GOOD, "0 2 2", "7 2 2", LCP),
        "line 2, column 1: the storage of M is 7; it must be 0 (dense), 1 (sparse blocks) or 2 (sparse)"
    );
    assert!(
        message(GOOD, "\n2 2\n", "\n2 3\n", LCP)
            .contains("the repeated number of columns of M is 3; it must be 2")
    );
}

#[test]
fn absurd_sizes_cost_no_memory() {
    for text in [
        "18446744073709551615 0 18446744073709551615 18446744073709551615 1 1 1",
        "4000000000 0 4000000000 4000000000 4000000000 4000000000 1 2 3",
        "4000000000 2 4000000000 4000000000 1 v 4000000000-by-4000000000, nzmax: 0 nnz: 0 1 2 3",
    ] {
        let error = error(text, LCP);
        assert!(matches!(error.kind, Kind::TooLarge { .. }), "{error}");
    }
    let text = "18446744073709551615 1 1 1 1 1 1";
    assert!(matches!(error(&format!("1 1 {text}"), MLCP).kind, Kind::TooLarge { .. }), "the sum overflows");
    // The text is long enough for n numbers, but not for n x n.
    let text = format!("40 0 40 40 40 40 {}", "1 ".repeat(100));
    let error_of_square = error(&text, LCP);
    assert!(error_of_square.to_string().contains("M, 40 x 40, requires more numbers"), "{error_of_square}");
    for (find, absurd) in
        [("\n2 2 2", "\n4000000000 2 2"), ("\n2 2 2", "\n2 4000000000 2"), ("\n2 2 2", "\n2 2 4000000000")]
    {
        assert!(message(GOOD_BLOCKS, find, absurd, LCP).contains("requires more numbers"));
    }
    assert!(message(GOOD_SPARSE, "nnz: 2", "nnz: 4000000000", LCP).contains("requires more numbers"));
}

#[test]
fn blocks_that_contradict_each_other() {
    for (find, replacement, expected) in [
        (
            "\n1 3\n1 3\n",
            "\n2 1\n1 3\n",
            "line 4, column 3: the last row of a block row of M is 1; it must be 2 to 3",
        ),
        (
            "\n1 3\n1 3\n",
            "\n1 3\n1 2\n",
            "line 5, column 3: the last column of a block column of M is 2; it must be 3",
        ),
        (
            "\n3 2\n",
            "\n4 2\n",
            "line 6, column 1: the length of the list of first blocks of M is 4; it must be from 1 to 3",
        ),
        (
            "\n3 2\n",
            "\n0 2\n",
            "line 6, column 1: the length of the list of first blocks of M is 0; it must be from 1 to 3",
        ),
        (
            "\n3 2\n",
            "\n3 1\n",
            "line 6, column 3: the length of the list of block columns of M is 1; it must be 2",
        ),
        (
            "\n0 1 2\n",
            "\n1 1 2\n",
            "line 7, column 1: the first block of a block row of M is 1; it must be 0",
        ),
        (
            "\n0 1 2\n",
            "\n0 1 1\n",
            "line 7, column 5: the first block of a block row of M is 1; it must be 2 at",
        ),
        ("\n0 1\n", "\n0 2\n", "line 8, column 3: the block column of a block of M is 2; it must be below 2"),
        (
            "\n1 1 2 3 4\n",
            "\n2 1 2 3 4\n",
            "line 10, column 1: the number of a block of M is 2; it must be 1",
        ),
    ] {
        let found = message(GOOD_BLOCKS, find, replacement, LCP);
        assert!(found.starts_with(expected), "{found}");
    }
    let twice = message(GOOD_BLOCKS, "\n0 1 2\n0 1\n", "\n0 2 2\n0 0\n", LCP);
    assert!(twice.contains("the block column of a block of M is 0; it must be different"), "{twice}");
}

#[test]
fn sparse_text_that_contradicts_itself() {
    for (find, replacement, expected) in [
        (
            "\n2\nversion",
            "\n4\nversion",
            "line 3, column 1: the origin of M is 4; it must be 1 (triplets), 2",
        ),
        (
            "2-by-2",
            "3-by-2",
            "line 5, column 1: expected the header `2-by-2, nzmax: .. nnz: ..` of M, found `3-by-2,`",
        ),
        ("nzmax:", "most:", "line 5, column 9: expected `nzmax:`, found `most:`"),
        ("nnz: 2,", "nnz: x,", "line 5, column 23: expected a nonnegative whole number"),
        ("col 1", "Col 1", "line 7, column 1: expected `col 1` or `row 1`, found `Col`"),
        (
            "0 to 1",
            "0 to 2",
            "line 7, column 24: the last location of column or row 1 of M is 2; it must be below",
        ),
        (
            "0 to 1",
            "1 to 1",
            "line 7, column 19: the first location of column or row 1 of M is 1; it must be 0",
        ),
        ("1 : 5", "2 : 5", "line 9, column 1: the position of an entry of M is 2; it must be below 2"),
        ("nnz: 2", "nnz: 3", "line 9, column 5: the number of entries of M is 2; it must be 3"),
    ] {
        let found = message(GOOD_SPARSE, find, replacement, LCP);
        assert!(found.starts_with(expected), "{found}");
    }
}

#[test]
fn mixed_problems_that_contradict_themselves() {
    for (find, replacement, expected) in [
        ("1\n1\n1\n1\n", "0\n0\n1\n1\n", "line 2, column 1: s2 is 0; it must be 1, since s1 is 0"),
        (
            "1\n1\n1\n1\n",
            "2\n1\n1\n1\n",
            "line 1, column 1: s1, which is 1 if M follows, is 2; it must be 0 or 1",
        ),
        ("0 1 2\n", "1 1 2\n", "line 5, column 1: the first row of a block of rows is 1; it must be 0"),
        ("0 1 2\n", "0 3 2\n", "line 5, column 3: the first row of a block of rows is 3; it must be 0 to 2"),
        (
            "\n0 1\n",
            "\n1 1\n",
            "line 6, column 3: the number of equalities in the blocks of rows is 0; it must be 1",
        ),
        ("\n4\n", "\n5\n", "line 13, column 1: entry (0, 0) of B is 5; it must be 4.0, as in M and q"),
        ("\n-2\n", "\n2\n", "line 17, column 1: entry 1 of b (of 1) is 2; it must be -2.0, as in M and q"),
    ] {
        let found = message(GOOD_MIXED, find, replacement, MLCP);
        assert!(found.starts_with(expected), "{found}");
    }
    // The second matrix is printed with six digits.
    let text = GOOD_MIXED.replace("2 4\n", "2 4.0000012\n");
    assert!(Problem::from_dat(text.as_bytes(), MLCP).is_ok());
}

#[test]
fn classes_that_are_not_named() {
    let class = |text: &str| Problem::from_dat(text.as_bytes(), None).map(|problem| problem.class());
    assert!(matches!(class(GOOD), Ok(ProblemClass::Lcp)));
    assert!(matches!(class(GOOD_BLOCKS), Ok(ProblemClass::Lcp)));
    assert!(matches!(class(GOOD_MIXED), Ok(ProblemClass::Mlcp)));
    assert!(matches!(class("0 0 0 0 0 0"), Ok(ProblemClass::Lcp)), "every class has the same empty problem");

    let bare = "1 0 1 1 1 1 2 -3";
    for remark in ["", " 0", " 1 0", " 0 x", " nan 0", " 1e999 1e999"] {
        assert!(
            matches!(class(&format!("{bare}{remark}")), Ok(ProblemClass::Lcp)),
            "{remark:?} makes no bounds"
        );
    }
    for bounds in [" 0 1", " -inf inf", " 0 0 and a remark"] {
        let error = error(&format!("{bare}{bounds}"), None);
        assert!(matches!(error.kind, Kind::Ambiguous { .. }), "{error}");
        assert_eq!(
            error.to_string(),
            "this can be read as lcp and as relay; give the class (`--class` on the command line)"
        );
    }

    let error = error(&GOOD.replace("-6", "abc"), None);
    assert_eq!(
        error.to_string(),
        "line 6, column 4: this is not a problem of a known class; read as lcp: expected a number (entry 2 of q (of 2)), \
         found `abc`"
    );
    assert!(matches!(&error.kind, Kind::NoClass { class: ProblemClass::Lcp, .. }));
}

#[test]
fn json_that_is_not_that_of_a_problem() {
    let message = |text: &str| Problem::from_json(text.as_bytes()).expect_err(text).to_string();
    for (text, expected) in [
        ("", "line 1, column 1: EOF"),
        ("[]", "line 1, column 2: invalid length 0, expected a problem"),
        ("{\"class\": \"lcp\",\n \"m\": }", "line 2, column 7: expected value"),
        ("{\"m\": 1}", "line 1, column 8: missing field `class`"),
        (
            "{\"class\": \"fc4d\"}",
            "line 1, column 16: unknown variant `fc4d`, expected one of `lcp`, `mlcp`, `relay`, `fc2d`",
        ),
        ("{\"class\": \"lcp\",\n\"m\": {\"dense\": [[1e999]]}}", "line 2, column 22: number out of range"),
        (
            "{\"class\": \"lcp\",\n\"m\": {\"dense\": [[1, 2], [3]]}, \"q\": []}",
            "line 2, column 29: row 1 of a dense matrix has 1 entries, but row 0 has 2",
        ),
        (
            "{\"class\": \"lcp\",\n\"m\": {\"dense\": []}, \"q\": [], \"p\": 1}",
            "line 2, column 32: unknown field `p`",
        ),
        ("{\"class\": \"lcp\", \"m\": {\"dense\": [[1]]}, \"q\": []}", "`q` has 0 entries; expected 1"),
        (
            "{\"class\": \"lcp\", \"m\": {\"csc\": {\"rows\": 1, \"starts\": [0, 9], \"row_indices\": [], \"values\": []}}}",
            "line 1, column 93: `starts` of a sparse matrix is inconsistent with its other arrays",
        ),
    ] {
        let found = message(text);
        assert!(found.starts_with(expected), "{text}: {found}");
    }
    let text = r#"{"class": "relay", "m": {"dense": [[1]]}, "q": [0], "lower": [1], "upper": [0]}"#;
    let error = Problem::from_json(text.as_bytes()).expect_err("bounds");
    assert!(matches!(error.kind, Kind::Problem(ProblemError::Bounds { index: 0, .. })), "{error}");
    assert!(message(&"[".repeat(100_000)).contains("column"));
    let text = r#"{"class": "lcp", "m": {"csc": {"rows": 1, "columns": 1, "starts": [0, 1], "row_indices": [0], "values": [1], "nonzeros": 1}}, "q": [0]}"#;
    assert!(message(text).contains("unknown field `nonzeros`"), "{}", message(text));
    let text = r#"{"class": "lcp", "m": [[1], [2, 3]], "q": [0, 0]}"#;
    assert!(message(text).contains("row 1 of a dense matrix has 2 entries"), "{}", message(text));
    assert!(message(r#"{"class": "lcp", "m": 1, "q": [0]}"#).contains("a matrix: a list of rows"));
}

#[test]
fn files() {
    let path = scratch("broken.dat");
    fs::write(&path, GOOD.replace("-6", "abc")).expect("a scratch file");
    let error = Problem::read(&path, None).expect_err("abc");
    assert!(error.to_string().starts_with(&format!("{}:6:4: ", path.display())), "{error}");

    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(GOOD.as_bytes()).expect("there is memory");
    let compressed = encoder.finish().expect("there is memory");
    let path = scratch("cut.dat.gz");
    fs::write(&path, &compressed[..compressed.len() - 12]).expect("a scratch file");
    let error = Problem::read(&path, None).expect_err("it is cut");
    assert!(matches!(error.kind, Kind::Truncated { .. }), "{error}");

    let path = scratch("long.dat.gz");
    fs::write(&path, &compressed).expect("a scratch file");
    let read = |largest_expansion| Problem::read_with(&path, LCP, ReadOptions { largest_expansion });
    assert!(read(GOOD.len() as u64).is_ok());
    let error = read(GOOD.len() as u64 - 1).expect_err("one byte more");
    assert!(matches!(error.kind, Kind::ExpandsTooFar { .. }), "{error}");
    assert!(error.to_string().contains("--gzip-limit"), "{error}");

    let error = Problem::read(scratch("nothing.txt"), None).expect_err("no extension of ours");
    assert!(matches!(error.kind, Kind::UnknownExtension));
    let error = Problem::read(scratch("nowhere.dat"), None).expect_err("no such file");
    assert!(matches!(&error.kind, Kind::Io(source) if source.kind() == std::io::ErrorKind::NotFound));

    let path = scratch("named.json");
    Problem::from_dat(GOOD.as_bytes(), LCP).and_then(|problem| problem.write(&path)).expect("a scratch file");
    let error = Problem::read(&path, RELAY).expect_err("it is an lcp");
    let expected = format!("{}: the class is lcp, but relay was requested", path.display());
    assert_eq!(error.to_string(), expected);
}
