//! Maps and bifurcation diagrams.

use siconos_figure::kinds::{self, Points, once_per_period};
use siconos_figure::{CurveStyle, Figure, FigureError};

/// A circle with period 1, sampled at intervals of 0.01.
fn circle(turns: u32) -> (Vec<f64>, Points) {
    let t: Vec<f64> = (0..=100 * turns).map(|k| f64::from(k) / 100.0).collect();
    let points = t.iter().map(|t| (std::f64::consts::TAU * t).sin_cos()).collect();
    (t, points)
}

#[test]
fn a_motion_of_the_period_is_one_point_and_of_twice_the_period_two() -> Result<(), FigureError> {
    let (t, points) = circle(20);
    let seen = once_per_period(&t, &points, 1.0)?;
    assert_eq!(seen.len(), 21);
    assert!(seen.iter().all(|(sine, cosine)| sine.abs() < 1e-12 && (cosine - 1.0).abs() < 1e-12));
    let seen = once_per_period(&t, &points, 0.5)?;
    assert_eq!(seen.len(), 41);
    for (turn, (_, cosine)) in seen.iter().enumerate() {
        let expected = if turn % 2 == 0 { 1.0 } else { -1.0 };
        assert!((cosine - expected).abs() < 1e-12, "{cosine} after {turn} halves");
    }
    Ok(())
}

#[test]
fn samples_between_rows_have_the_error_of_a_straight_line() -> Result<(), FigureError> {
    let (t, points) = circle(20);
    // The distance of the chord from an arc of angle a = 2 pi / 100 is at most a^2 / 8.
    let sagitta = (std::f64::consts::TAU / 100.0).powi(2) / 8.0;
    for (turn, (sine, cosine)) in once_per_period(&t, &points, 0.7131)?.into_iter().enumerate() {
        let (exact_sine, exact_cosine) = (std::f64::consts::TAU * 0.7131 * turn as f64).sin_cos();
        assert!((sine - exact_sine).hypot(cosine - exact_cosine) < 1.01 * sagitta);
    }
    Ok(())
}

#[test]
fn a_sample_at_a_jump_is_behind_it_and_gaps_have_none() -> Result<(), FigureError> {
    let t = [0.5, 1.0, 1.0, 2.0, 2.5, 3.0];
    let points = [(0.0, 0.0), (1.0, 1.0), (1.0, -1.0), (2.0, 0.0), (f64::NAN, 0.0), (3.0, 3.0)];
    assert_eq!(once_per_period(&t, &points, 1.0)?, [(1.0, -1.0), (2.0, 0.0), (3.0, 3.0)]);
    assert_eq!(once_per_period(&[], &[], 1.0)?, []);
    // No multiple of the period is between the times.
    assert_eq!(once_per_period(&[0.2, 0.8], &[(0.0, 0.0), (1.0, 1.0)], 1.0)?, []);
    Ok(())
}

#[test]
fn units_change_nothing_but_units() -> Result<(), FigureError> {
    let (t, points) = circle(7);
    let seen = once_per_period(&t, &points, 0.3)?;
    let (milli, length) = (1.0 / 1024.0, 4096.0);
    let scaled_t: Vec<f64> = t.iter().map(|t| t * milli).collect();
    let scaled: Points = points.iter().map(|(x, y)| (x * length, y * length)).collect();
    let scaled = once_per_period(&scaled_t, &scaled, 0.3 * milli)?;
    assert_eq!(scaled, seen.iter().map(|(x, y)| (x * length, y * length)).collect::<Points>());
    Ok(())
}

#[test]
fn periods_and_times_that_cannot_be_are_refused() {
    let (t, points) = circle(1);
    for period in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-3, 1e-300] {
        let error = once_per_period(&t, &points, period).expect_err("no period");
        assert!(matches!(error, FigureError::Period { .. }), "{error}");
    }
    let error = once_per_period(&[0.0, 2.0, 1.0], &[(0.0, 0.0); 3], 1.0).expect_err("times that fall");
    assert_eq!(
        error.to_string(),
        "the times must increase: the time 1 of point 2 (counted from 0) is not after 2"
    );
    assert!(matches!(
        once_per_period(&[0.0], &[], 1.0),
        Err(FigureError::Lengths { expected: 1, found: 0, .. })
    ));
    let panel = kinds::impact_map("angle", -1.0, "v", [("", vec![(1.0, 1.0)])]);
    assert!(matches!(Figure::new("", vec![panel]).to_svg(), Err(FigureError::Range { axis: 'x', .. })));
}

#[test]
fn far_from_zero_a_sweep_of_periods_ends() -> Result<(), FigureError> {
    // Above 2^53 successive multiples of the period cannot be distinguished; few samples are returned, and
    // the loop ends.
    let t = [1e17, 1e17 + 1024.0];
    assert!(once_per_period(&t, &[(0.0, 0.0), (1.0, 1.0)], 1000.0)?.len() <= 2);
    Ok(())
}

#[test]
fn few_points_have_dots_that_are_seen() {
    let style = |count: u32| {
        let points = (0..count).map(|k| (f64::from(k), 0.0)).collect();
        kinds::poincare_map("x", "y", [("", points)]).curves[0].style
    };
    assert_eq!((style(100), style(10_000)), (CurveStyle::Points, CurveStyle::Cloud));
}

/// The radius depends on the number of distinct dots, because most points of a periodic motion coincide.
#[test]
fn the_dots_of_a_cloud_are_larger_if_few_are_distinct() -> Result<(), FigureError> {
    let radius = |distinct: u32, repeated: u32| {
        let point = |k: u32| (f64::from(k % distinct), f64::from((k % distinct) * 37 % 101));
        let cloud = (0..distinct * repeated).map(point).collect();
        let svg = Figure::new("", vec![kinds::bifurcation("r", "x", [("", cloud)])]).to_svg()?;
        let (_, rest) = svg.split_once(" r=\"").expect("a circle");
        Ok::<u32, FigureError>(rest.split('"').next().and_then(|r| r.parse().ok()).expect("a radius"))
    };
    // Tenths of a pixel.
    assert_eq!([radius(10, 1)?, radius(10, 1000)?, radius(1600, 1)?, radius(20_000, 1)?], [22, 22, 11, 6]);
    Ok(())
}

/// The logistic map doubles its period first at r = 3, and again at 1 + sqrt(6).
#[test]
fn a_bifurcation_diagram_holds_its_branches() {
    let settled = |r: f64| {
        let orbit = std::iter::successors(Some(0.4), move |x: &f64| Some(r * x * (1.0 - x)));
        orbit.skip(4000).take(64).map(move |x| (r, x))
    };
    let speeds = [2.9, 3.2, 3.5];
    let panel = kinds::bifurcation("r", "x", [("", speeds.into_iter().flat_map(settled).collect())]);
    for (r, branches) in speeds.into_iter().zip([1, 2, 4]) {
        let mut values: Vec<f64> =
            panel.curves[0].points.iter().filter(|point| point.0 == r).map(|point| point.1).collect();
        values.sort_by(f64::total_cmp);
        values.dedup_by(|a, b| (*a - *b).abs() < 1e-6);
        assert_eq!(values.len(), branches, "{values:?} at {r}");
    }
}
