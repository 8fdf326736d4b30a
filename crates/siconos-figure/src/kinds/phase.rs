//! Phase portraits.

use super::Points;
use super::family::with_lines;
use super::motion::Parted;
use crate::Panel;

/// Motion in a plane of the phase space.
///
/// ```
/// use siconos_figure::kinds::Orbit;
///
/// let orbit = Orbit { label: "ball".to_owned(), t: vec![0.0, 1.0], points: vec![(4.9, 0.0), (0.0, -9.8)] };
/// assert_eq!(orbit.points.len(), orbit.t.len());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Orbit {
    /// Name in the legend; empty for none.
    pub label: String,
    /// Times of the points. They are used only to find jumps, at which two successive times are equal. A
    /// point without a time is omitted.
    pub t: Vec<f64>,
    /// Points of the motion, for example (position, velocity).
    pub points: Points,
}

/// Creates a phase portrait: one quantity of each motion against another, without a time axis.
///
/// If two successive points have equal times, they are a jump, such as the jump of the velocity at an impact.
/// The orbit is then interrupted, and a thin pale line joins the two points.
///
/// ```
/// use siconos_figure::{Figure, kinds::{Orbit, phase_portrait}};
///
/// let points = vec![(4.9, 0.0), (0.0, -9.8), (0.0, 4.9), (1.2, 0.0)];
/// let orbit = Orbit { label: String::new(), t: vec![0.0, 1.0, 1.0, 1.5], points };
/// let panel = phase_portrait("q [m]", "v [m/s]", [orbit]);
/// assert_eq!(panel.curves[0].points[..2], [(0.0, -9.8), (0.0, 4.9)]);
/// assert!(Figure::new("Ball", vec![panel]).to_svg()?.contains("v [m/s]"));
/// # Ok::<(), siconos_figure::FigureError>(())
/// ```
pub fn phase_portrait(
    x_label: impl Into<String>,
    y_label: impl Into<String>,
    orbits: impl IntoIterator<Item = Orbit>,
) -> Panel {
    let parted = |orbit: Orbit| (orbit.label, Parted::new(orbit.t, orbit.points));
    with_lines(Panel::new("", x_label, y_label), orbits.into_iter().map(parted).collect())
}
