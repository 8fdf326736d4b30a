//! Bifurcation diagrams.

use super::Points;
use super::family::{named, with_clouds};
use crate::Panel;

/// Creates a bifurcation diagram from clouds of points (parameter, value). Each cloud has a name, which can
/// be empty.
///
/// For each value of the parameter, the diagram shows the values that the motion takes once per period of its
/// excitation after the transients have decayed: one value for a motion of that period, two after the first
/// period doubling, a band for chaos.
///
/// ```
/// use siconos_figure::{Figure, kinds};
///
/// // The logistic map for r between 2.8 and 4.
/// let settled = |r: f64| {
///     let orbit = std::iter::successors(Some(0.4), move |x: &f64| Some(r * x * (1.0 - x)));
///     orbit.skip(300).take(50).map(move |x| (r, x))
/// };
/// let cloud = (0..400).flat_map(|k| settled(2.8 + 0.003 * f64::from(k))).collect();
/// let panel = kinds::bifurcation("growth r [1]", "x [1]", [("", cloud)]);
/// // Below r = 3 there is one fixed point, 1 - 1/r.
/// let (r, x) = panel.curves[0].points[49];
/// assert_eq!(r, 2.8);
/// assert!((x - (1.0 - 1.0 / 2.8)).abs() < 1e-12);
/// assert!(Figure::new("Logistic map", vec![panel]).to_svg()?.contains("growth r [1]"));
/// # Ok::<(), siconos_figure::FigureError>(())
/// ```
pub fn bifurcation<L: Into<String>>(
    parameter_label: impl Into<String>,
    y_label: impl Into<String>,
    clouds: impl IntoIterator<Item = (L, Points)>,
) -> Panel {
    with_clouds(Panel::new("", parameter_label, y_label), named(clouds))
}
