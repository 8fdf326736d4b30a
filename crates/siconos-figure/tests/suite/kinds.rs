//! Kinds of figures: the drawn curves are compared with the known motions.

use siconos_figure::kinds::{self, Contact, Orbit, Points};
use siconos_figure::{Figure, FigureError, Legend, Panel};

use crate::drawn::Drawn;

const BLUE: &str = "#0072B2";
const VERMILLION: &str = "#D55E00";
/// Blue mixed halfway with white, the colour of jumps.
const PALE_BLUE: &str = "#7FB8D8";
const GREY: &str = "#808080";

fn drawn(panel: Panel) -> Result<Drawn, FigureError> {
    Ok(Drawn::new(Figure::new("", vec![panel]).to_svg()?))
}

/// A ball that is thrown up with speed 1 under gravity 2 and keeps half of its speed at each impact: the
/// flights take 1, 1/2, 1/4 and 1/8.
fn ball() -> Vec<(f64, f64, f64)> {
    let mut rows = Vec::new();
    let (mut start, mut speed) = (0.0, 1.0);
    for _flight in 0..4 {
        for part in 0..=50 {
            let s = speed * f64::from(part) / 50.0;
            rows.push((start + s, s * (speed - s), speed - 2.0 * s));
        }
        start += speed;
        speed *= 0.5;
    }
    rows
}

/// Returns the height and velocity of this ball in closed form.
fn exact(t: f64) -> (f64, f64) {
    let (mut start, mut speed) = (0.0, 1.0);
    while t > start + speed && speed > 0.2 {
        start += speed;
        speed *= 0.5;
    }
    let s = t - start;
    (s * (speed - s), speed - 2.0 * s)
}

fn is_near((x, y): (f64, f64), point: (f64, f64), pixel: (f64, f64)) -> bool {
    (x - point.0).abs() < 0.2 * pixel.0 && (y - point.1).abs() < 0.2 * pixel.1
}

#[test]
fn a_series_is_drawn_where_its_numbers_are_and_its_jumps_as_jumps() -> Result<(), FigureError> {
    let height = ball().into_iter().map(|(t, q, _)| (t, q)).collect();
    let drawn_height = drawn(kinds::time_series("q", [("", height)]))?;
    let (_, pixel) = drawn_height.pixel();
    let lines = drawn_height.lines(BLUE);
    assert_eq!(lines.len(), 1, "the height has no jump");
    for (t, q) in lines.concat() {
        assert!((q - exact(t).0).abs() < 0.6 * pixel, "{q} at {t}");
    }

    let velocity = ball().into_iter().map(|(t, _, v)| (t, v)).collect();
    let drawn = drawn(kinds::time_series("v", [("", velocity)]))?;
    let lines = drawn.lines(BLUE);
    let ends = [(0.0, 1.0), (1.0, -1.0), (1.0, 0.5), (1.5, -0.5), (1.5, 0.25), (1.75, -0.25), (1.75, 0.125)];
    assert_eq!(lines.len(), 4, "each flight is a straight line");
    for (end, expected) in lines.concat().into_iter().zip(ends) {
        assert!(is_near(end, expected, drawn.pixel()), "{end:?} is not at {expected:?}");
    }
    let jumps = drawn.lines(PALE_BLUE);
    assert_eq!(jumps.len(), 3);
    for ((jump, t), before) in jumps.into_iter().zip([1.0, 1.5, 1.75]).zip([1.0, 0.5, 0.25]) {
        let [low, high] = jump[..] else { panic!("{jump:?}") };
        let (below, above) = if low.1 < high.1 { (low, high) } else { (high, low) };
        assert!(
            is_near(below, (t, -before), drawn.pixel()) && is_near(above, (t, 0.5 * before), drawn.pixel())
        );
    }
    Ok(())
}

#[test]
fn a_motion_computed_backward_is_turned_round() {
    let rows: Points = vec![(2.0, 5.0), (1.0, 4.0), (1.0, 3.0), (0.0, 1.0)];
    let panel = kinds::time_series("q", [("", rows)]);
    assert_eq!(panel.curves[0].points[..2], [(1.0, 3.0), (1.0, 4.0)]);
    assert_eq!((panel.curves[1].points[0], panel.curves[1].points[4]), ((0.0, 1.0), (2.0, 5.0)));
}

#[test]
fn a_value_that_stays_at_a_jump_of_others_is_not_broken() {
    let panel = kinds::time_series("n", [("", vec![(0.0, 1.0), (1.0, 1.0), (1.0, 1.0), (2.0, 1.0)])]);
    assert_eq!(panel.curves.len(), 1);
    assert!(panel.curves[0].points.iter().all(|point| point.1 == 1.0));
}

#[test]
fn an_orbit_leaps_at_the_impact() -> Result<(), FigureError> {
    let (t, points) = ball().into_iter().map(|(t, q, v)| (t, (q, v))).unzip();
    let panel = kinds::phase_portrait("q", "v", [Orbit { label: String::new(), t, points }]);
    let drawn = drawn(panel)?;
    let pixel = drawn.pixel();
    // On each flight, v^2 / 4 + q keeps its initial value.
    for (arc, speed) in drawn.lines(BLUE).into_iter().zip([1.0_f64, 0.5, 0.25, 0.125]) {
        for (q, v) in arc {
            let expected = 0.25 * (speed * speed - v * v);
            assert!((q - expected).abs() < 0.6 * (pixel.0 + 0.5 * v.abs() * pixel.1), "{q} at {v}");
        }
    }
    // All impacts are at q = 0, where the strokes cover each other.
    let jumps = drawn.lines(PALE_BLUE);
    assert_eq!(jumps.len(), 1);
    assert!(jumps[0].iter().all(|(q, _)| q.abs() < 0.2 * pixel.0));
    let heights: Vec<f64> = jumps[0].iter().map(|(_, v)| *v).collect();
    assert!((heights[0].min(heights[1]) + 1.0).abs() < pixel.1);
    assert!((heights[0].max(heights[1]) - 0.5).abs() < pixel.1);
    Ok(())
}

#[test]
fn the_sum_of_an_energy_is_drawn_and_keeps_its_value_between_impacts() -> Result<(), FigureError> {
    let rows = ball();
    let t: Vec<f64> = rows.iter().map(|row| row.0).collect();
    let kinetic = rows.iter().map(|row| 0.5 * row.2 * row.2).collect::<Vec<_>>();
    let potential = rows.iter().map(|row| 2.0 * row.1).collect::<Vec<_>>();
    let panel = kinds::energy(&t, [("kinetic", kinetic.clone()), ("potential", potential)])?;
    let drawn = drawn(panel)?;
    let levels = drawn.lines("#1A1A1A");
    // The last line is the sample in the legend.
    assert_eq!(levels.len(), 5);
    for (level, energy) in levels.iter().zip([0.5, 0.125, 0.03125, 0.0078125]) {
        assert!(level.iter().all(|(_, sum)| (sum - energy).abs() < 0.2 * drawn.pixel().1), "{level:?}");
    }
    let alone = kinds::energy(&t, [("kinetic", kinetic)])?;
    assert!(alone.curves.iter().all(|curve| curve.label.as_deref() != Some("sum")));
    let error = kinds::energy(&t, [("kinetic", vec![0.0; 3])]).expect_err("three values");
    assert_eq!(error.to_string(), "the energy \"kinetic\" has 3 values; expected 204, one for each time");
    Ok(())
}

#[test]
fn impulses_are_stems_at_the_impacts() -> Result<(), FigureError> {
    let t: Vec<f64> = (0..200).map(|k| 0.01 * f64::from(k)).collect();
    let impulse: Vec<f64> =
        (0..200).map(|k| if k % 70 == 60 { 3.0 - 0.01 * f64::from(k) } else { 0.0 }).collect();
    let gap: Vec<f64> = t.iter().map(|t| (3.0 * t).sin().abs()).collect();
    let contact = Contact { label: String::new(), gap, impulse };
    let [gap, impulse] = kinds::gap_and_impulse(&t, [contact.clone()])?;
    assert_eq!((gap.x_range, impulse.x_range), (Some((0.0, t[199])), Some((0.0, t[199]))));
    let drawn = drawn(impulse)?;
    let expected = [(0.6, 2.4), (1.3, 1.7)];
    let dots = drawn.dots(BLUE);
    assert_eq!(dots.len(), 2);
    for (dot, expected) in dots.into_iter().zip(expected) {
        assert!(is_near(dot, expected, drawn.pixel()), "{dot:?}");
    }
    for (stem, (at, height)) in drawn.lines(BLUE).into_iter().zip(expected) {
        assert!(stem.iter().any(|end| is_near(*end, (at, 0.0), drawn.pixel())), "{stem:?}");
        assert!(stem.iter().any(|end| is_near(*end, (at, height), drawn.pixel())), "{stem:?}");
    }
    let short = Contact { impulse: vec![1.0], ..contact };
    assert!(matches!(kinds::gap_and_impulse(&t, [short]), Err(FigureError::Lengths { found: 1, .. })));
    Ok(())
}

#[test]
fn stems_hang_where_they_are_negative_and_stand_on_a_logarithmic_axis() -> Result<(), FigureError> {
    let panel =
        Panel::new("", "t", "p").with(siconos_figure::Curve::stems("", vec![(1.0, -2.0), (2.0, 3.0)]));
    let drawn_stems = drawn(panel.clone())?;
    let ends: Vec<f64> = drawn_stems.lines(BLUE).concat().iter().map(|end| end.1).collect();
    assert!(ends.iter().any(|y| (y + 2.0).abs() < 0.05) && ends.iter().any(|y| (y - 3.0).abs() < 0.05));
    let positive = Panel { y_scale: siconos_figure::Scale::Logarithmic, y_range: Some((1e-3, 1e3)), ..panel };
    let drawn_stems = Drawn::with_axes(Figure::new("", vec![positive]).to_svg()?, (false, true));
    let [stem] = &drawn_stems.lines(BLUE)[..] else { panic!("one stem") };
    assert!(stem.iter().any(|end| (end.1 + 3.0).abs() < 0.05), "{stem:?}");
    Ok(())
}

#[test]
fn errors_and_their_orders_are_straight_lines() -> Result<(), FigureError> {
    let steps = || (0..12).map(|k| 0.5_f64.powi(k));
    let first: Points = steps().map(|h| (h, 3.0 * h)).collect();
    let second: Points = steps().map(|h| (h, 0.1 * h * h)).collect();
    let panel = kinds::convergence("h", "error", [("", first), ("", second)], &[1.0, 2.0]);
    let drawn = Drawn::with_axes(Figure::new("", vec![panel]).to_svg()?, (true, true));
    for (colour, order, factor) in [(BLUE, 1.0, 3.0_f64), (VERMILLION, 2.0, 0.1)] {
        let [line] = &drawn.lines(colour)[..] else { panic!("one line") };
        for (h, error) in line {
            assert!((error - factor.log10() - order * h).abs() < 0.02, "10^{error} at 10^{h}");
        }
        assert_eq!(drawn.dots(colour).len(), 12);
    }
    // The reference lines are dashed and at half the height. They are followed by their samples in the
    // legend.
    let on = |(h, error): &(f64, f64), order: f64, factor: f64| {
        (error - (0.5 * factor).log10() - order * h).abs() < 0.02
    };
    let references = drawn.lines(GREY);
    let count = |order, factor| {
        references.iter().filter(|dash| dash.iter().all(|point| on(point, order, factor))).count()
    };
    assert!(count(1.0, 3.0) > 10 && count(2.0, 0.1) > 10);
    Ok(())
}

#[test]
fn orders_over_the_work_are_negative_and_zeros_are_left_out() {
    let errors: Points = vec![(10.0, 1e-2), (100.0, 1e-4), (1000.0, 0.0), (1e4, f64::NAN)];
    let panel = kinds::convergence("steps", "error", [("", errors)], &[-2.0]);
    assert_eq!(panel.curves[0].label.as_deref(), Some("order 2"));
    let [left, right] = panel.curves[0].points[..] else { panic!("two ends") };
    assert!((left.1 / 5e-3 - 1.0).abs() < 1e-12 && (right.1 / 5e-5 - 1.0).abs() < 1e-12);
    let none = kinds::convergence("h", "error", [("", vec![(1.0, 0.0)])], &[1.0]);
    assert_eq!(none.curves.len(), 2, "no line of reference where there is no error");
}

#[test]
fn a_profile_by_hand() {
    let profile = |ratios: &[f64]| kinds::Profile { label: String::new(), ratios: ratios.to_vec() };
    let profiles = [profile(&[1.0, 1.0]), profile(&[4.0, 1.0, f64::INFINITY, 1.0]), profile(&[])];
    let panel = kinds::performance_profile(4, profiles);
    let points = |index: usize| panel.curves[index].points.as_slice();
    let end = 1.3 * 4.0;
    assert_eq!(panel.x_range, Some((1.0, end)));
    assert_eq!(points(0), [(1.0, 0.5), (end, 0.5)]);
    assert_eq!(points(1), [(1.0, 0.5), (4.0, 0.5), (4.0, 0.75), (end, 0.75)]);
    assert_eq!(points(2), [(1.0, 0.0), (end, 0.0)]);
}

#[test]
fn many_curves_have_their_names_outside_and_a_family_some_of_them() {
    let panel = |count: u32| {
        let line = |k: u32| (format!("bead {k}"), vec![(0.0, 0.0), (1.0, f64::from(k))]);
        kinds::time_series("q", (0..count).map(line))
    };
    assert_eq!((panel(6).legend, panel(7).legend), (Legend::Above, Legend::Right));
    let names = |count| {
        let panel = panel(count);
        assert_eq!(panel.curves.len(), count as usize);
        panel.curves.into_iter().filter_map(|curve| curve.label).collect::<Vec<_>>()
    };
    assert_eq!(names(35).len(), 35);
    let some = names(1000);
    assert!(some.len() <= 13, "{some:?}");
    assert_eq!(
        (some.first().map(String::as_str), some.last().map(String::as_str)),
        (Some("bead 0"), Some("bead 999"))
    );
}

#[test]
fn long_motions_with_many_jumps_stay_small() -> Result<(), FigureError> {
    let rows = (0..500_000).map(|k| (f64::from(k / 2), f64::from(k % 2) + (0.3 * f64::from(k)).sin()));
    let svg = Figure::new("", vec![kinds::time_series("v", [("", rows.collect())])]).to_svg()?;
    assert!(svg.len() < 600_000, "{} bytes", svg.len());
    Ok(())
}
