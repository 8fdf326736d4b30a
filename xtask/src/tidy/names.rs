//! Names that are allowed in some sources only: rules of `docs/architecture.md` that a text search can check.

use super::crates::{self, COMPUTATION};
use super::offence::Offence;
use super::source::{code_only, lines_naming};

/// Names that are forbidden in some sources.
struct Rule {
    names: &'static [&'static str],
    /// Returns `true` if the rule applies to the source with this path.
    holds_for: fn(&str) -> bool,
    reason: &'static str,
}

const RULES: [Rule; 7] = [
    Rule {
        names: &["todo!", "unimplemented!", "dbg!"],
        holds_for: |_| true,
        reason: "nothing unfinished is left in the tree",
    },
    Rule {
        names: &["ndarray_linalg", "openblas_src", "faer", "lapack_sys", "lax"],
        holds_for: |path| !path.starts_with("crates/siconos-linalg/src/"),
        reason: "the linear-algebra libraries are named in siconos-linalg only",
    },
    Rule {
        names: &["siconos_testkit"],
        // The regression program is a test that runs as a program.
        holds_for: |path| {
            let is_test = is_in_tests_or_benches(path) || path.ends_with("tests.rs");
            !is_testkit(path) && !path.starts_with("regression/") && !is_test
        },
        reason: "the testkit is used from `tests` and `benches` folders, from modules `*tests.rs` and by the regression program only",
    },
    Rule {
        names: &["RefCell", "OnceCell", "UnsafeCell", "Cell<", "Mutex", "RwLock", "Rc<"],
        // Exceptions: an adapter to a library with callbacks by `&self` may store its workspace in a cell; a
        // cancellation token is shared by two threads and affects a result only if it ends a run; operations
        // are counted for tests only; names of objects are for messages only.
        holds_for: |path| {
            let excepted = [
                "crates/siconos-linalg/src/operations.rs",
                "crates/siconos-numerics/src/cancellation.rs",
                "crates/siconos-ode/src/adapter.rs",
                "crates/siconos-ode/src/state.rs",
                "crates/siconos-kernel/src/arena/name.rs",
            ];
            is_library(path) && !excepted.contains(&path)
        },
        reason: "libraries share nothing mutable: they use ids and arguments",
    },
    Rule {
        names: &["std::fs", "fs::", "stdout", "stderr", "print!", "println!", "eprint!", "eprintln!"],
        holds_for: is_library,
        reason: "computation libraries use neither files nor terminals",
    },
    Rule {
        names: &["HashMap", "HashSet"],
        holds_for: |path| is_library(path) || path.starts_with("crates/siconos-expression/src/"),
        reason: "expression and the computation libraries iterate in a defined order",
    },
    Rule {
        names: &["f64::max"],
        holds_for: |path| path.split('/').any(|folder| folder == "tests") || is_testkit(path),
        reason: "it ignores NaN; use `siconos_testkit::compare::worse` for comparisons",
    },
];

fn is_testkit(path: &str) -> bool {
    path.starts_with("crates/siconos-testkit/")
}

/// Returns `true` for the sources whose results must be reproducible.
fn is_library(path: &str) -> bool {
    crates::of_source(path).is_some_and(|name| COMPUTATION.contains(&name))
}

fn is_in_tests_or_benches(path: &str) -> bool {
    path.split('/').any(|folder| folder == "tests" || folder == "benches")
}

/// Returns the calls of `with_wide_registers` with a closure that is not marked `#[inline(always)]`. The
/// compiler could make such a closure a function with narrow registers.
fn narrow_loops(path: &str, code: &str) -> Vec<Offence> {
    let lines: Vec<_> = code.lines().collect();
    let is_call = |line: &str| line.contains("with_wide_registers(") && !line.contains("fn ");
    let is_marked = |call: &[&str]| call.iter().take(4).any(|line| line.contains("#[inline(always)]"));
    let is_narrow = |&k: &usize| is_call(lines[k]) && !is_marked(&lines[k..]);
    let why = "the closure of `with_wide_registers` must be marked `#[inline(always)]` to use wide registers";
    (0..lines.len()).filter(is_narrow).map(|k| Offence::new(path, k + 1, why.to_string())).collect()
}

/// Returns the violations in one Rust source. A line counts at most once for each rule.
pub(super) fn offences(path: &str, source: &str) -> Vec<Offence> {
    let code = code_only(source);
    let mut found = narrow_loops(path, &code);
    for rule in RULES.iter().filter(|rule| (rule.holds_for)(path)) {
        let mut lines_found = Vec::new();
        for name in rule.names {
            for line in lines_naming(&code, name) {
                if !lines_found.contains(&line) {
                    lines_found.push(line);
                    found.push(Offence::new(path, line, format!("`{name}`: {}", rule.reason)));
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::offences;

    #[track_caller]
    fn assert_lines(path: &str, source: &str, lines: &[usize]) {
        let mut found: Vec<usize> = offences(path, source).iter().map(|offence| offence.line).collect();
        found.sort_unstable();
        assert_eq!(found, lines, "{path}: {source}");
    }

    #[test]
    fn linear_algebra_stays_in_its_folder() {
        let source = "use ndarray::Array2;\nuse ndarray_linalg::Solve;\nuse openblas_src as _;\n";
        assert_lines("crates/siconos-linalg/src/dense.rs", source, &[]);
        assert_lines("crates/siconos-numerics/src/lcp/lemke.rs", source, &[2, 3]);
        assert_lines("examples/src/main.rs", source, &[2, 3]);
    }

    #[test]
    fn libraries_have_no_cells_files_terminals_or_hashes() {
        let source =
            "use std::{fs::File};\nuse std::fs;\nlet a = Cell<f64>;\nprintln!();\nlet m: HashMap<A, B>;\n";
        assert_lines("crates/siconos-kernel/src/state.rs", source, &[1, 2, 3, 4, 5]);
        assert_lines("crates/siconos-kernel/tests/state.rs", source, &[]);
        assert_lines("crates/siconos-io/src/lib.rs", source, &[]);
        assert_lines("crates/siconos-ode/src/adapter.rs", "let scratch: RefCell<A>;\n", &[]);
    }

    #[test]
    fn loops_for_wide_registers_are_inlined() {
        let marked = "with_wide_registers(\n    n,\n    #[inline(always)]\n    || work(),\n);\n";
        let path = "crates/siconos-linalg/src/vector.rs";
        assert_lines(path, marked, &[]);
        assert_lines(path, "let x = 1;\nwith_wide_registers(n, || work());\n", &[2]);
        assert_lines(path, "fn with_wide_registers(n: usize) {}\n", &[]);
    }

    #[test]
    fn prose_is_no_offence() {
        let source = "//! No `RefCell`, no HashMap, nothing to do with todo!().\nlet a = \"println!\";\n";
        assert_lines("crates/siconos-kernel/src/lib.rs", source, &[]);
    }

    #[test]
    fn the_testkit_is_for_tests() {
        let source = "use siconos_testkit::lcp;\n";
        assert_lines("crates/siconos-numerics/tests/lcp.rs", source, &[]);
        assert_lines("benches/benches/lcp.rs", source, &[]);
        assert_lines("crates/siconos-mechanics/src/shape/hull_tests.rs", source, &[]);
        assert_lines("crates/siconos-testkit/src/lib.rs", source, &[]);
        assert_lines("regression/src/complementarity/lcp.rs", source, &[]);
        assert_lines("examples/src/main.rs", source, &[1]);
        assert_lines("crates/siconos-numerics/src/lcp/mod.rs", source, &[1]);
    }

    #[test]
    fn comparisons_see_nan() {
        let source = "let off = errors.fold(0.0, f64::max);\nlet off = errors.fold(0.0, worse);\n";
        assert_lines("crates/siconos-kernel/tests/suite/state.rs", source, &[1]);
        assert_lines("crates/siconos-testkit/src/contact/measure.rs", source, &[1]);
        assert_lines("crates/siconos-kernel/src/state.rs", source, &[]);
    }

    #[test]
    fn nothing_unfinished_anywhere() {
        assert_lines("xtask/src/main.rs", "fn f() { todo!() }\nfn g() { dbg!(1); }\n", &[1, 2]);
    }
}
