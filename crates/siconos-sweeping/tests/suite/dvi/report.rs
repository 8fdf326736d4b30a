//! Findings of the report: proved, refuted, or only sampled.

use ndarray::{Array2, array};
use siconos_sweeping::dvi::{
    Dvi, DviConclusion, DviData, DviError, DviReport, DviSet, DviSettings, DviStepper, Finding, InputMap,
    StateMap, ViMap,
};

use super::problems::{friction, polyhedron, rest_to_rest, saturated};

const WIDE: DviData<'static> = DviData {
    time: (0.0, 1.0),
    center: &[0.0],
    radius: &[2.0],
    input_radius: 2.0,
    samples: 64,
    e: None,
    run: None,
};

#[test]
fn what_matrices_show_is_proved() {
    for dvi in [saturated(), friction()] {
        let report = DviReport::of(&dvi, &WIDE).unwrap();
        assert_eq!(report.conclusion(), DviConclusion::WeakSolutions, "{report}");
        for assumption in &report.assumptions()[..10] {
            assert!(assumption.finding.is_proved(), "{assumption}");
        }
        assert!(report.to_string().contains("u to G(t, r + B u) is strongly monotone: proved"));
    }
}

#[test]
fn what_fails_is_refuted_with_a_witness() {
    // D is not nonnegative definite, and C B is not positive.
    let dvi = Dvi::new(
        StateMap::linear(Array2::zeros((2, 2))),
        array![[1.0, 0.0], [0.0, -1.0]],
        StateMap::linear(Array2::eye(2)),
        ViMap::Linear(array![[1.0, 3.0], [0.0, 1.0]]),
        DviSet::Orthant,
    )
    .unwrap();
    let data = DviData { center: &[0.0; 2], radius: &[1.0; 2], ..WIDE };
    let report = DviReport::of(&dvi, &data).unwrap();
    let Finding::Refuted { witness } = &report.nonnegative_d.finding else { panic!("{report}") };
    let v = ndarray::Array1::from(witness.clone());
    assert!(v.dot(&dvi.map().matrix().unwrap().dot(&v)) < 0.0);
    let Finding::Refuted { witness } = &report.strongly_monotone.finding else { panic!("{report}") };
    let v = ndarray::Array1::from(witness.clone());
    assert!(v.dot(&dvi.g().matrix().unwrap().dot(&dvi.b().matrix().unwrap().dot(&v))) <= 0.0);
    assert_eq!(report.conclusion(), DviConclusion::NotCovered);
    assert!(report.growth.finding.is_proved(), "D is a P-matrix");
    assert!(report.to_string().contains("the theory does not cover this problem"));
}

/// D = 0 over the orthant: at q = 0 every u >= 0 is a solution, at q < 0 none.
#[test]
fn growth_fails_over_the_orthant_without_feedthrough() {
    let rc = |b: f64| {
        Dvi::new(
            StateMap::linear(array![[-1.0]]),
            array![[b]],
            StateMap::linear(array![[1.0]]),
            ViMap::Linear(array![[0.0]]),
            DviSet::Orthant,
        )
        .unwrap()
    };
    let report = DviReport::of(&rc(1.0), &WIDE).unwrap();
    assert_eq!(report.growth.finding, Finding::Refuted { witness: vec![1.0] });
    // Monotonicity takes the place of growth.
    assert_eq!(report.conclusion(), DviConclusion::WeakSolutions);
    // Relative degree 2, or a B of the wrong sign: neither condition holds.
    let report = DviReport::of(&rc(-1.0), &WIDE).unwrap();
    assert_eq!(report.conclusion(), DviConclusion::NotCovered);
    let double = Dvi::new(
        StateMap::linear(array![[0.0, 1.0], [0.0, 0.0]]),
        array![[0.0], [1.0]],
        StateMap::linear(array![[1.0, 0.0]]),
        ViMap::Linear(array![[0.0]]),
        DviSet::Orthant,
    )
    .unwrap();
    let data = DviData { center: &[0.0; 2], radius: &[1.0; 2], ..WIDE };
    let report = DviReport::of(&double, &data).unwrap();
    assert!(report.strongly_monotone.finding.is_refuted());
    assert_eq!(report.conclusion(), DviConclusion::NotCovered, "{report}");
}

#[test]
fn samples_never_prove() {
    let dvi = Dvi::new(
        StateMap::function(1, |_, x, f| f[0] = -x[0]),
        InputMap::function((1, 1), |_, _, b| b[[0, 0]] = 1.0),
        StateMap::function(1, |_, x, g| g[0] = 2.0 * x[0]),
        ViMap::function(1, |u, w| w[0] = 3.0 * u[0]),
        DviSet::projection(|u| u[0] = u[0].clamp(-1.0, 1.0)),
    )
    .unwrap();
    let data = DviData { samples: 500, ..WIDE };
    let report = DviReport::of(&dvi, &data).unwrap();
    for assumption in report.assumptions() {
        assert!(!assumption.finding.is_proved(), "{assumption}");
        assert!(!assumption.finding.is_refuted(), "{assumption}");
    }
    assert_eq!(report.conclusion(), DviConclusion::Open);
    let near = |finding: &Finding, exact: f64| matches!(finding, Finding::Sampled { number, .. } if (number - exact).abs() < 1e-9);
    assert!(near(&report.lipschitz_f.finding, 1.0) && near(&report.lipschitz_g.finding, 2.0));
    assert!(near(&report.strongly_monotone.finding, 2.0) && near(&report.monotone_map.finding, 3.0));
    assert!(report.to_string().contains("this is not a proof"));
}

#[test]
fn samples_refute() {
    let dvi = Dvi::new(
        StateMap::function(1, |_, x, f| f[0] = x[0].sqrt()),
        array![[1.0]],
        StateMap::function(1, |_, x, g| g[0] = -x[0]),
        ViMap::function(1, |u, w| w[0] = -u[0]),
        // Projection onto a set of two points.
        DviSet::projection(|u| u[0] = u[0].signum()),
    )
    .unwrap();
    let report = DviReport::of(&dvi, &WIDE).unwrap();
    for assumption in
        [&report.lipschitz_f, &report.convex_set, &report.monotone_map, &report.strongly_monotone]
    {
        assert!(assumption.finding.is_refuted(), "{assumption}");
    }
    // The witness is a time and a state.
    let Finding::Refuted { witness } = &report.lipschitz_f.finding else { panic!() };
    assert!(witness.len() == 2 && (0.0..=1.0).contains(&witness[0]) && witness[1] < 0.0);
    // The witnesses are two u, and a time, the x of B, r and two u.
    let Finding::Refuted { witness } = &report.monotone_map.finding else { panic!() };
    assert!((dvi.map().size(), witness.len()) == (1, 2) && witness[0] != witness[1]);
    let Finding::Refuted { witness } = &report.strongly_monotone.finding else { panic!() };
    assert_eq!(witness.len(), 5);
    assert_eq!(report.conclusion(), DviConclusion::NotCovered);
}

/// F(u) = u, E = 1: along the exact solution |u'| <= 3 |x'| <= 3 * 2/3.
#[test]
fn changes_are_measured_along_a_run() {
    let dvi = saturated();
    let e: Array2<f64> = array![[1.0]];
    let c = |steps: usize| {
        let mut stepper = DviStepper::new(&dvi, 1.0, DviSettings::default()).unwrap();
        let run = stepper.solve(&[0.0], (0.0, 2.0), steps).unwrap();
        let data = DviData { e: Some(e.view()), run: Some(&run.solution), ..WIDE };
        match DviReport::of(&dvi, &data).unwrap().small_changes.finding {
            Finding::Sampled { samples, number } => {
                assert_eq!(samples, steps - 1);
                number
            }
            other => panic!("{other:?}"),
        }
    };
    for steps in [50, 200, 800] {
        let c = c(steps);
        assert!(c > 1.5 && c < 2.1, "{steps}: {c}");
    }
}

#[test]
fn wrong_data_are_refused() {
    let dvi = rest_to_rest();
    assert!(matches!(DviReport::of(&dvi, &WIDE).unwrap_err(), DviError::Model(_)));
    let dvi = friction();
    for data in [
        DviData { radius: &[0.0], ..WIDE },
        DviData { center: &[f64::NAN], ..WIDE },
        DviData { time: (1.0, 1.0), ..WIDE },
        DviData { samples: 1, ..WIDE },
    ] {
        assert!(DviReport::of(&dvi, &data).is_err());
    }
}

/// A rotation by a right angle: the products are 0 to rounding, with either sign.
#[test]
fn rounding_refutes_nothing() {
    let turn = |u: &[f64], w: &mut [f64]| (w[0], w[1]) = (0.1 * u[1], -0.1 * u[0]);
    let dvi = Dvi::new(
        StateMap::linear(Array2::zeros((2, 2))),
        Array2::eye(2),
        StateMap::function(2, move |_, x, g| turn(x, g)),
        ViMap::function(2, turn),
        DviSet::Orthant,
    )
    .unwrap();
    let data = DviData { center: &[0.3; 2], radius: &[1.0; 2], samples: 500, ..WIDE };
    let report = DviReport::of(&dvi, &data).unwrap();
    for finding in [&report.monotone_map.finding, &report.strongly_monotone.finding] {
        assert_eq!(*finding, Finding::Sampled { samples: 500, number: 0.0 });
    }
}

#[test]
fn the_unit_of_time_does_not_matter() {
    let growth = |second: f64| {
        let dvi = Dvi::new(
            StateMap::linear(array![[0.0]]),
            array![[1.0]],
            StateMap::function(1, move |t, x, g| g[0] = x[0] + (40.0 * t / second).sin()),
            ViMap::function(1, |u, w| w[0] = u[0] + u[0].powi(3)),
            DviSet::Orthant,
        )
        .unwrap();
        let time = (3.0 * second, 5.0 * second);
        DviReport::of(&dvi, &DviData { time, ..WIDE }).unwrap().growth.finding
    };
    let Finding::Sampled { samples, number } = growth(1.0) else { panic!() };
    assert!(samples == 64 && number > 0.2);
    for second in [2.0_f64.powi(-40), 2.0_f64.powi(40)] {
        assert_eq!(growth(second), growth(1.0), "{second:e}");
    }
}

#[test]
fn monotone_maps_over_bounded_polyhedra_have_solutions() {
    let over = |k: f64| {
        let set = polyhedron(array![[1.0, 0.0], [0.0, 1.0], [-1.0, k]], vec![0.0, 0.0, -1.0]);
        Dvi::new(
            StateMap::linear(Array2::zeros((2, 2))),
            Array2::eye(2),
            StateMap::linear(Array2::eye(2)),
            ViMap::Linear(Array2::zeros((2, 2))),
            set,
        )
        .unwrap()
    };
    let data = DviData { center: &[0.0; 2], radius: &[1.0; 2], ..WIDE };
    assert!(DviReport::of(&over(-1.0), &data).unwrap().growth.finding.is_proved(), "a triangle");
    assert!(!DviReport::of(&over(1.0), &data).unwrap().growth.finding.is_proved(), "a set without end");
}

/// If F has no value at the origin, no sample counts as solved, and the report is still complete.
#[test]
fn functions_without_a_value_do_not_stop_the_report() {
    let dvi = Dvi::new(
        StateMap::linear(array![[0.0]]),
        array![[1.0]],
        StateMap::function(1, |_, x, g| g[0] = x[0]),
        ViMap::function(1, |u, w| w[0] = 1.0 / u[0]),
        DviSet::Orthant,
    )
    .unwrap();
    let report = DviReport::of(&dvi, &WIDE).unwrap();
    assert!(matches!(report.growth.finding, Finding::Unknown { .. }), "{report}");
}
