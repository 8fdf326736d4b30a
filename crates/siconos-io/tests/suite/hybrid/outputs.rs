//! Table `[output]` of hybrid models.

use std::convert::Infallible;

use siconos_hybrid::VariableType;
use siconos_io::hybrid::HybridModel;

/// Returns a bouncing ball with these outputs.
fn ball(output: &str) -> String {
    format!(
        r#"
format = 1
kind = "hybrid"
[time]
end = 2
[variables]
y = {{ initial = [1, 0], equation = "y'' = -g" }}
[parameters]
g = 9.81
[discrete]
n = {{ type = "integer", initial = 0 }}
up = false
[[events]]
trigger = "decreasing(y)"
action = "y' = -0.9 * y'; n = n + 1; up = not up"
[settings]
restart_every = 0.3
[output]
{output}
"#
    )
}

fn rows(text: &str) -> Vec<Vec<f64>> {
    let model = HybridModel::parse(text, "ball.toml").unwrap_or_else(|error| panic!("{error}"));
    let mut rows = Vec::new();
    let keep = |row: &[f64]| {
        rows.push(row.to_vec());
        Ok::<_, Infallible>(())
    };
    model.run(None).expect("a run").to_end(keep).expect("it reaches its end");
    rows
}

#[test]
fn rows_lie_on_a_grid_and_at_events() {
    let found = rows(&ball("step = 0.25"));
    let impacts: Vec<_> = found.windows(2).filter(|pair| pair[0][0] == pair[1][0]).collect();
    assert_eq!(impacts.len(), 3);
    let of_grid = found.iter().filter(|row| (row[0] / 0.25).fract() == 0.0);
    assert_eq!(of_grid.count(), 9);
    assert_eq!(found.len(), 9 + 2 * 3);
    // The first fall has a closed form.
    for row in found.iter().filter(|row| row[3] == 0.0) {
        assert!((row[1] - (1.0 - 0.5 * 9.81 * row[0] * row[0])).abs() < 1e-10, "{row:?}");
    }
    let after = rows(&ball("step = 0.25\nsides = \"after\""));
    assert_eq!(after.len(), 9 + 3);
    let chosen = rows(&ball("step = 0.25\nfrom = 0.5\nuntil = 1.5\nsides = \"after\"\nevery = 2"));
    let times: Vec<_> = chosen.iter().map(|row| row[0]).collect();
    let all = after.iter().map(|row| row[0]).filter(|t| (0.5..=1.5).contains(t));
    assert_eq!(times, all.step_by(2).collect::<Vec<_>>());
    assert_eq!(rows(&ball("start = false"))[..], rows(&ball(""))[1..]);
}

/// Rows on a grid do not change the integration, and lie on the curve through its steps.
#[test]
fn rows_do_not_change_the_solution() {
    let plain = rows(&ball(""));
    let fine = rows(&ball("step = 1e-3"));
    assert!(fine.len() > 2000);
    assert_eq!(plain.last(), fine.last());
    let events = |rows: &[Vec<f64>]| -> Vec<f64> {
        rows.windows(2).filter(|pair| pair[0][0] == pair[1][0]).map(|pair| pair[0][0]).collect()
    };
    assert_eq!(events(&plain), events(&fine));
}

#[test]
fn columns_are_expressions_of_all_variables() {
    let columns = "columns = { height = { value = \"y\", unit = \"m\" }, energy = \"0.5 * y'^2 + g * y\", \
                   n = \"n\", up = \"up\", low = \"y < 0.5\" }";
    let model = HybridModel::parse(&ball(columns), "ball.toml").unwrap_or_else(|error| panic!("{error}"));
    let run = model.run(None).expect("a run");
    assert_eq!(run.names(), ["t", "height", "energy", "n", "up", "low"]);
    assert_eq!(run.units(), ["", "m", "", "", "", ""]);
    use VariableType::{Boolean, Float, Integer};
    assert_eq!(run.types().collect::<Vec<_>>(), [Float, Float, Float, Integer, Boolean, Float]);
    for row in rows(&ball(columns)) {
        // Each impact keeps 0.81 of the energy.
        let energy = 9.81 * 0.81_f64.powi(row[3] as i32);
        assert!((row[2] - energy).abs() < 1e-10, "{row:?}");
        assert_eq!((row[4], row[5]), (row[3] % 2.0, f64::from(row[1] < 0.5)), "{row:?}");
    }
    let kept = HybridModel::parse(
        &ball(&format!("states = true\n{columns}").replace("n = \"n\", up = \"up\",", "")),
        "ball.toml",
    );
    let kept = kept.unwrap_or_else(|error| panic!("{error}")).run(None).expect("a run");
    assert_eq!(kept.names(), ["t", "y", "y'", "n", "up", "height", "energy", "low"]);
}

#[test]
fn a_run_on_a_grid_resumes_bit_for_bit() {
    let model =
        HybridModel::parse(&ball("step = 0.01\nfrom = 0.1\nevery = 3"), "ball.toml").expect("a model");
    super::resume::assert_goes_on(&model, 2.0);
}

#[test]
fn a_run_backward_has_its_rows_in_the_order_of_the_run() {
    let text = ball("step = 0.25\nfrom = -0.25\nuntil = -0.75").replace("end = 2", "end = -1");
    let times: Vec<_> = rows(&text).iter().map(|row| row[0]).collect();
    assert_eq!(times, [-0.25, -0.5, -0.75]);
}

#[test]
fn wrong_outputs_are_refused() {
    let cases = [
        ("step = 0", "this is 0; it must be finite and positive"),
        ("columns = { a = { sum = \"y\" } }", "a hybrid system has no sums"),
        ("columns = { a = \"y''\" }", "unknown name `y''`"),
        ("columns = { a = \"pre(y)\" }", "pre has no meaning outside events"),
        ("contacts = true", "unknown key `contacts`"),
        ("from = 1\nuntil = 0.5", "this is 0.5; `from` is 1, so the table would have no rows"),
        ("columns = { n = 1 }\nstates = true", "the table already has a column `n`"),
    ];
    for (output, expected) in cases {
        let error = HybridModel::parse(&ball(output), "ball.toml").err().map(|error| error.to_string());
        let error = error.unwrap_or_else(|| panic!("{output}: no error"));
        assert!(error.contains(expected), "{output}: {error}");
    }
}
