//! Solvers by all of their names: the current names, the names in Siconos, and the names in its first
//! versions.

use siconos_io::model::ModelFile;

use crate::same_bits::rows;

/// Returns a ball on a floor, with two output columns of the state.
fn text(solver: &str) -> String {
    format!(
        r#"
format = 1
kind = "model"
[systems.ball]
family = "lagrangian_linear"
q = [1, 0]
v = [0, 2]
mass = [[1, 0], [0, 1]]
external_force = [-9.81, 0]
[interactions.floor]
systems = ["ball"]
relation = {{ kind = "lagrangian_linear", H = [[1, 0], [0, 1]] }}
law = {{ kind = "newton_impact", restitution = 0.5 }}
[simulation]
kind = "time_stepping"
end = 1
step = 0.01
solver = {solver}
"#
    )
}

fn file(solver: &str) -> ModelFile {
    ModelFile::parse(&text(solver), "solver.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// All names give the settings of the current name, and the current name is written.
#[test]
fn every_name_of_a_solver_is_read() {
    for (others, own) in [
        (
            &["\"LexicoLemke\"", "\"lexicolemke\"", "\"LEMKE\"", "\"SICONOS_LCP_LEMKE\"", "\"200\""][..],
            "\"lemke\"",
        ),
        (&["\"NLGS\"", "\"PGS\"", "\"projected-gauss-seidel\""], "\"projected_gauss_seidel\""),
        (&["\"NLGS\", max_iterations = 7"], "\"projected_gauss_seidel\", max_iterations = 7"),
        (
            &["\"PSOR\"", "\"projected-sor\"", "\"SICONOS_LCP_PSOR\""],
            "\"projected_gauss_seidel\", relaxation = 1.3",
        ),
        (
            &["\"PSOR\", relaxation = 1.2, tolerance = 1e-9"],
            "\"projected_gauss_seidel\", relaxation = 1.2, tolerance = 1e-9",
        ),
        (&["\"QP\""], "\"quadratic_program\""),
        (&["\"NSQP\""], "\"sequential_quadratic_program\""),
    ] {
        let of =
            |name: &str| file(&format!("{{ class = \"lcp\", kind = {name} }}")).build().expect("a model");
        let expected = of(own).written();
        for other in others {
            assert_eq!(of(other).written().text, expected.text, "{other}");
        }
    }
}

#[test]
fn a_solver_by_its_early_name_makes_the_same_bits() {
    for (early, own) in [("LexicoLemke", "lemke"), ("NLGS", "projected_gauss_seidel")] {
        let of = |name: &str| {
            rows(file(&format!("{{ class = \"lcp\", kind = \"{name}\" }}")).build().expect("a model"))
        };
        assert_eq!(of(early), of(own));
    }
}

#[test]
fn settings_of_another_solver_are_refused_by_any_name() {
    for kind in ["NLGS", "projected_gauss_seidel"] {
        let solver = format!("{{ class = \"lcp\", kind = \"{kind}\", pivot_tolerance = 1 }}");
        let error = ModelFile::parse(&text(&solver), "solver.toml").expect_err("no such setting").to_string();
        assert!(error.contains("solver.toml:18:") && error.contains("pivot_tolerance"), "{error}");
    }
}
