//! Maps: motions sampled once per period or at each impact.

use super::Points;
use super::family::{named, with_clouds};
use crate::{FigureError, Panel};

/// Creates a panel of points of a Poincaré section, such as states sampled once per period of the excitation
/// ([`once_per_period`]). Each cloud of points has a name, which can be empty.
///
/// A motion with the period of the excitation appears as one point, a motion with twice this period as two
/// points, and a chaotic motion as an attractor. If the clouds have fewer than 400 points in total, their
/// dots are large enough to be seen one by one.
///
/// ```
/// use siconos_figure::{Figure, kinds};
///
/// // The attractor of Hénon's map.
/// let attractor = std::iter::successors(Some((0.0, 0.0)), |(x, y): &(f64, f64)| {
///     Some((1.0 - 1.4 * x * x + y, 0.3 * x))
/// });
/// let panel = kinds::poincare_map("x [1]", "y [1]", [("", attractor.skip(100).take(5000).collect())]);
/// assert!(panel.curves[0].points.iter().all(|(x, y)| x.abs() < 1.3 && y.abs() < 0.4));
/// assert!(Figure::new("Henon", vec![panel]).to_svg()?.contains("y [1]"));
/// # Ok::<(), siconos_figure::FigureError>(())
/// ```
pub fn poincare_map<L: Into<String>>(
    x_label: impl Into<String>,
    y_label: impl Into<String>,
    clouds: impl IntoIterator<Item = (L, Points)>,
) -> Panel {
    with_clouds(Panel::new("", x_label, y_label), named(clouds))
}

/// Creates a panel of impacts. Each impact is a point. Its coordinates are its phase, reduced to one period,
/// and a second quantity such as the velocity before the impact.
///
/// `period` has the unit of the phase. It is 360 for an angle in degrees, or the period of the excitation
/// \[s\] if the phase is a time. If `period` is not positive, drawing the figure fails with
/// [`FigureError::Range`].
///
/// ```
/// use siconos_figure::kinds;
///
/// let impacts = vec![(370.0, -2.0), (-10.0, -1.5), (725.0, -2.0)];
/// let panel = kinds::impact_map("cam angle [°]", 360.0, "velocity before [m/s]", [("", impacts)]);
/// assert_eq!(panel.curves[0].points, [(10.0, -2.0), (350.0, -1.5), (5.0, -2.0)]);
/// assert_eq!(panel.x_range, Some((0.0, 360.0)));
/// ```
pub fn impact_map<L: Into<String>>(
    phase_label: impl Into<String>,
    period: f64,
    y_label: impl Into<String>,
    clouds: impl IntoIterator<Item = (L, Points)>,
) -> Panel {
    let folded = |(label, mut points): (L, Points)| {
        for (phase, _) in &mut points {
            *phase = phase.rem_euclid(period);
        }
        (label, points)
    };
    let panel = poincare_map(phase_label, y_label, clouds.into_iter().map(folded));
    Panel { x_range: Some((0.0, period)), ..panel }
}

/// Samples a motion at the multiples of the period (0, `period`, 2 `period`, ..) that lie within the motion,
/// by linear interpolation between its points. At a jump, the point after the jump is the sample.
///
/// The times must not decrease. A sample is omitted if one of the two points next to it is not finite.
///
/// # Errors
///
/// If the number of points differs from the number of times ([`FigureError::Lengths`]), if the period is not
/// positive and finite, or is shorter than the mean interval between the times ([`FigureError::Period`]), or
/// if the times decrease ([`FigureError::Order`]).
///
/// ```
/// use siconos_figure::kinds::once_per_period;
///
/// let t: Vec<f64> = (0..=100).map(|k| 0.1 * f64::from(k)).collect();
/// let points: Vec<_> = t.iter().map(|t| (*t, 2.0 * t)).collect();
/// let seen = once_per_period(&t, &points, 2.5)?;
/// assert_eq!(seen.len(), 5);
/// assert!((seen[1].0 - 2.5).abs() < 1e-12 && (seen[1].1 - 5.0).abs() < 1e-12);
/// # Ok::<(), siconos_figure::FigureError>(())
/// ```
pub fn once_per_period(t: &[f64], points: &[(f64, f64)], period: f64) -> Result<Points, FigureError> {
    if points.len() != t.len() {
        let (what, expected, found) = ("the motion".to_owned(), t.len(), points.len());
        return Err(FigureError::Lengths { what, expected, found });
    }
    let (Some(&first), Some(&last)) = (t.first(), t.last()) else { return Ok(Points::new()) };
    if let Some(place) = t.windows(2).position(|pair| !pair.is_sorted()) {
        return Err(FigureError::Order { place: place + 1, before: t[place], at: t[place + 1] });
    }
    let (from, to) = ((first / period).ceil(), (last / period).floor());
    if !(period > 0.0 && period.is_finite()) || to - from >= t.len() as f64 {
        return Err(FigureError::Period { period, span: last - first, points: t.len() });
    }
    // The sample times are multiples of the period, not sums, because sums would accumulate rounding errors.
    // The motion may contain no multiple of the period.
    let turns = if to >= from { (to - from) as usize + 1 } else { 0 };
    let at = (0..turns).map(|turn| (from + turn as f64) * period);
    Ok(at.filter_map(|at| seen(t, points, at)).collect())
}

/// Returns the point of the motion at the time `at`, or `None` if this time is before the first point.
fn seen(t: &[f64], points: &[(f64, f64)], at: f64) -> Option<(f64, f64)> {
    // The last point that is not later than this time. At a jump, this is the point after the jump.
    let place = t.partition_point(|t| *t <= at).checked_sub(1)?;
    let from = points[place];
    let point = match points.get(place + 1) {
        Some(to) if at > t[place] => {
            let part = (at - t[place]) / (t[place + 1] - t[place]);
            (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1))
        }
        _ => from,
    };
    (point.0.is_finite() && point.1.is_finite()).then_some(point)
}
