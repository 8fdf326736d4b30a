//! Model files of differential variational inequalities result in the same motions as the Rust programs.

use std::convert::Infallible;
use std::path::Path;

use siconos_examples::sweeping::bounded_control;
use siconos_examples::sweeping::bridge_rectifier::Rectifier;
use siconos_io::model::inclusion::InclusionModel;
use siconos_io::trajectory::Table;

fn rows(name: &str) -> Vec<Vec<f64>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(format!("{name}.toml"));
    let model = InclusionModel::read(path).unwrap_or_else(|error| panic!("{error}"));
    let mut rows = Vec::new();
    let push = |row: &[f64]| {
        rows.push(row.to_vec());
        Ok::<(), Infallible>(())
    };
    model.run().expect("it begins").to_end(push).expect("it goes to its end");
    rows
}

fn assert_same(found: &[Vec<f64>], expected: &[Vec<f64>]) {
    assert_eq!(found.len(), expected.len());
    let bits = |row: &[f64]| row.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let different = found.iter().zip(expected).position(|(a, b)| bits(a) != bits(b));
    assert_eq!(different.map(|row| (row, &found[row], &expected[row])), None);
}

fn rows_of(table: &Table) -> Vec<Vec<f64>> {
    table.rows().map(<[f64]>::to_vec).collect()
}

#[test]
fn a_rectifier_from_an_empty_capacitor() {
    let in_rust = Rectifier::default().simulate(24, 200).expect("it is solved");
    assert_same(&rows("bridge_rectifier"), &rows_of(&in_rust));
}

#[test]
fn a_rectifier_in_its_periodic_motion() {
    let in_rust = Rectifier::default().periodic(200).expect("it is solved");
    assert_same(&rows("bridge_rectifier_periodic"), &rows_of(&in_rust));
}

#[test]
fn a_control_with_bounds() {
    let found = bounded_control::solve(11.0 / 12.0, 400).expect("it is solved").solution;
    let input = |k: usize| if k == 0 { vec![0.0] } else { found.u(k).to_vec() };
    let nodes = found.t().iter().enumerate();
    let in_rust: Vec<_> = nodes.map(|(k, t)| [&[*t], found.x(k), &input(k)[..]].concat()).collect();
    assert_same(&rows("bounded_control"), &in_rust);
}

/// The slider stops after 2 s, and then friction balances the force.
#[test]
fn a_slider_stops() {
    for row in rows("dry_friction").iter().skip(1) {
        let [t, velocity, resistance] = row[..] else { panic!("three columns") };
        assert!((velocity - (1.0 - 0.5 * t).max(0.0)).abs() < 1e-13, "{row:?}");
        let expected = if t < 2.0 - 1e-9 { -1.0 } else { -0.5 };
        assert!((resistance - expected).abs() < 1e-12 || (t - 2.0).abs() < 0.011, "{row:?}");
    }
}
