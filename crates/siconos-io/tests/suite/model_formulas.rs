//! Arrays given by formulas of the index: the same model as with all entries written.

use siconos_io::model::ModelFile;

use super::same_bits::{assert_same, read};

fn text(system: &str) -> String {
    format!(
        "format = 1\nkind = \"model\"\n[constants]\nn = 3\n[parameters]\nk = 2\n\
         [functions]\nchain = \"i, j, own -> if i == j then own else if abs(i - j) == 1 then -k else 0\"\n\
         [systems.chain]\nfamily = \"lagrangian_linear\"\n{system}\n\
         [interactions.floor]\nsystems = \"chain\"\nlaw = {{ kind = \"newton_impact\", restitution = 0.5 }}\n\
         relation = {{ kind = \"lagrangian_linear\", H = {{ rows = 1, columns = 3, entry = \"if j == 0 then 1 else 0\" }} }}\n\
         [simulation]\nkind = \"time_stepping\"\nend = 2\nstep = 0.01\n"
    )
}

#[test]
fn a_formula_is_what_it_is_for_each_place() {
    let of_formulas = text(
        "q = { size = 3, entry = \"0.1 + 0.25 * i\" }\nv = { size = 3, entry = -0.5 }\n\
         mass = { rows = 3, columns = 3, entry = \"if i == j then 1 + 0.5 * i else 0\" }\n\
         stiffness = { rows = 3, columns = 3, entry = \"chain(i, j, 2 * k)\" }\n\
         external_force = { size = 3, entry = \"sin(t) * i - k\" }",
    );
    let in_full = text(
        "q = [0.1, 0.35, 0.6]\nv = [-0.5, -0.5, -0.5]\nmass = { diagonal = [1, 1.5, 2] }\n\
         stiffness = [[\"2 * k\", \"-k\", 0], [\"-k\", \"2 * k\", \"-k\"], [0, \"-k\", \"2 * k\"]]\n\
         external_force = [\"sin(t) * 0 - k\", \"sin(t) * 1 - k\", \"sin(t) * 2 - k\"]",
    );
    let built = |text: &str| {
        let file = ModelFile::parse(text, "chain.toml").unwrap_or_else(|error| panic!("{error}"));
        file.build().unwrap_or_else(|error| panic!("{error}"))
    };
    let written = built(&of_formulas).written();
    assert_eq!(written.unwritten, []);
    assert_same(built(&of_formulas), built(&in_full), "formulas");
    assert_same(built(&of_formulas), read(&written, "written.toml"), "written");
}

#[test]
fn sizes_are_announced_before_anything_is_made_of_them() {
    for own in [
        "q = { size = 1000000000000000, entry = \"i\" }\nmass = 1",
        "q = [1, 2, 3]\nmass = { rows = 100000000, columns = 100000000, entry = 1 }",
        "q = { size = 2000, entry = 1 }\nmass = { rows = 2000, columns = 2000, entry = \"if i == j then 1 else 0\" }",
    ] {
        let error = ModelFile::parse(&text(own), "large.toml").expect_err(own).to_string();
        assert!(error.contains("entries of a formula are too many"), "{error}");
    }
    // An error is reported once, not for each entry.
    let error =
        ModelFile::parse(&text("q = { size = 1000, entry = \"1 / 0 * i + x\" }\nmass = 1"), "model.toml");
    let error = error.expect_err("an unknown name").to_string();
    assert!(error.contains("unknown name `x`") && error.len() < 2000, "{error}");
}

#[test]
fn long_formulas_of_many_places_are_not_worked_out_without_end() {
    let long = vec!["i * j"; 10_000].join(" + ");
    let matrix = format!("q = [1, 2, 3]\nmass = {{ rows = 900, columns = 900, entry = \"{long}\" }}");
    let begin = std::time::Instant::now();
    let error = ModelFile::parse(&text(&matrix), "long.toml").expect_err("too much work").to_string();
    assert!(error.contains("operations and operands"), "{error}");
    assert!(begin.elapsed() < std::time::Duration::from_secs(60), "{:?}", begin.elapsed());
}
