//! Motions seen at single instants: stroboscopic maps, and maps of impacts.

use super::Points;
use super::family::{named, with_clouds};
use crate::{FigureError, Panel};

/// Clouds of points of a surface that motions cross, such as states once per period of what drives them
/// ([`once_per_period`]); each cloud has its name (empty for none).
///
/// A motion with that period is one point, one of twice the period two, and chaos an attractor. Clouds of
/// less than 400 points together have dots that are seen one by one.
///
/// ```
/// use siconos_figure::{Figure, kinds};
///
/// // The attractor of Henon's map.
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

/// Impacts as points: the phase at which each happens, folded into one period, and what is known of it, such
/// as the velocity before.
///
/// `period` has the unit of the phase: 360 where that is an angle in degrees, the period of the drive \[s\]
/// where it is the time. One that is not positive is refused when the figure is drawn
/// ([`FigureError::Range`]).
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

/// Where a motion is at the times 0, `period`, 2 `period`, .. that it covers, linearly between its points;
/// at a jump, behind it.
///
/// Times have to rise. What lies between two points of which one is not finite is left out.
///
/// # Errors
///
/// [`FigureError::Lengths`] where there are not as many points as times, [`FigureError::Period`] for a
/// period that is not positive and finite, or shorter than the points are apart on average, and
/// [`FigureError::Order`] for times that fall.
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
    // Turns are counted, not added up, and there may be none.
    let turns = if to >= from { (to - from) as usize + 1 } else { 0 };
    let at = (0..turns).map(|turn| (from + turn as f64) * period);
    Ok(at.filter_map(|at| seen(t, points, at)).collect())
}

/// Where the motion is at a time that is not before the first one.
fn seen(t: &[f64], points: &[(f64, f64)], at: f64) -> Option<(f64, f64)> {
    // The last point that is not later: behind a jump.
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
