//! Time series.

use super::Points;
use super::family::{named, with_lines};
use super::motion::Parted;
use crate::Panel;

/// Creates a panel of quantities over time. Each has a name, which can be empty, and its points (time,
/// value).
///
/// If two successive points have equal times, they are a jump: the curve is interrupted, and a thin pale line
/// joins the two points. If a motion was computed backward in time, its points are reversed. The label of the
/// horizontal axis is `time t [s]`; set [`Panel::x_label`] for another unit.
///
/// ```
/// use siconos_figure::{Figure, kinds};
///
/// // A ball that hits the floor at t = 1 and loses half of its speed.
/// let velocity = vec![(0.0, 0.0), (1.0, -9.81), (1.0, 4.905), (2.0, -4.905)];
/// let panel = kinds::time_series("v [m/s]", [("ball", velocity)]);
/// // The jump, and the intervals before and after it.
/// let [jump, smooth] = &panel.curves[..] else { panic!("two curves") };
/// assert_eq!(jump.points[..2], [(1.0, -9.81), (1.0, 4.905)]);
/// assert_eq!((smooth.points[1], smooth.points[3]), ((1.0, -9.81), (1.0, 4.905)));
/// assert!(Figure::new("Ball", vec![panel]).to_svg()?.contains("time t [s]"));
/// # Ok::<(), siconos_figure::FigureError>(())
/// ```
pub fn time_series<L: Into<String>>(
    y_label: impl Into<String>,
    series: impl IntoIterator<Item = (L, Points)>,
) -> Panel {
    let parted = |(label, mut points): (String, Points)| {
        if points.first().zip(points.last()).is_some_and(|(first, last)| last.0 < first.0) {
            points.reverse();
        }
        (label, Parted::new(points.iter().map(|point| point.0), points.iter().copied()))
    };
    with_lines(Panel::new("", "time t [s]", y_label), named(series).into_iter().map(parted).collect())
}
