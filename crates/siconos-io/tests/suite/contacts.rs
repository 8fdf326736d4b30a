//! Tables of detected contacts.

use siconos_io::contacts;
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, Scene, Shape};

/// The contact forces of a brick carry its weight, and a file has the same rows.
#[test]
fn the_impulses_of_a_brick_are_its_weight() {
    let mut scene = Scene::new().with_gravity([0.0, 0.0, -10.0]);
    scene.add(Body::fixed(Shape::half_space([0.0, 0.0, 1.0]).unwrap())).unwrap();
    let brick = Body::new(Shape::cuboid([0.2, 0.1, 0.06]).unwrap()).with_mass(2.0).at([0.0, 0.0, 0.03]);
    scene.add(brick).unwrap();
    let parts = scene.into_parts().unwrap();
    let mut simulation =
        parts.simulation(TimeDiscretisation::uniform(0.0, 0.05, 1e-2).unwrap()).build().unwrap();
    let mut state = simulation.initial_state(&parts.model).unwrap();
    let mut table = contacts::table();
    simulation
        .run(&parts.model, &mut state, |_, state| {
            contacts::rows(state).for_each(|row| table.push_row(&row).unwrap());
        })
        .unwrap();
    assert_eq!(table.len(), 5 * 4);
    let end: Vec<_> =
        contacts::detected_rows(state.t, &simulation.detect(&parts.model, &state).unwrap()).collect();
    let last: Vec<_> = table.rows().skip(16).collect();
    assert_eq!(end.len(), last.len());
    for (end, last) in end.iter().zip(last) {
        let at = |name: &str| contacts::COLUMNS.iter().position(|(column, _)| *column == name).unwrap();
        assert_eq!((end[0], &end[1..7]), (last[0], &last[1..7]), "time and key");
        assert!(end[at("age")].is_nan() && end[at("gap_end")].is_nan() && end[at("ut2")].is_nan());
        assert!(end[at("gap")].abs() < 1e-9 && (end[at("x1")] - last[at("x1")]).abs() < 1e-9);
    }
    let of = |name: &str| table.column(name).unwrap().collect::<Vec<_>>();
    for step in 0..5 {
        let sum = |name: &str| of(name)[4 * step..4 * step + 4].iter().sum::<f64>();
        assert!((sum("pz") - 0.2).abs() < 1e-8 && (sum("pn") - 0.2).abs() < 1e-8);
        assert!(sum("px").abs() < 1e-8 && sum("un").abs() < 1e-8 && sum("gap_end").abs() < 1e-9);
        assert!((of("t")[4 * step] - 1e-2 * (step as f64 + 1.0)).abs() < 1e-15);
        assert_eq!(sum("age"), 4.0 * step as f64);
    }
    assert!(of("body1").iter().all(|body| *body == 1.0) && of("body2").iter().all(|body| *body == 0.0));
    assert!(of("nz").iter().all(|z| *z == 1.0) && of("x1").iter().all(|x| (x.abs() - 0.1).abs() < 1e-9));
    let mut file = Vec::new();
    table.to_csv(&mut file).unwrap();
    let read = Table::from_csv(file.as_slice()).unwrap();
    assert!(read.rows().eq(table.rows()) && read.columns() == table.columns());
    assert_eq!((table.unit("pn").as_deref(), table.unit("ut1").as_deref()), (Some("N s"), Some("m/s")));
}
