//! Maps: motions sampled once per period or at each impact.

use super::Points;
use super::family::{named, with_clouds};
use crate::Panel;

/// Creates a panel of points of a Poincaré section, such as states sampled once per period of the excitation
/// ([`once_per_period`](super::once_per_period)). Each cloud of points has a name, which can be empty.
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
/// [`FigureError::Range`](crate::FigureError::Range).
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
