//! Convergence diagrams: errors against step sizes.

use super::Points;
use super::family::{named, with_legend};
use crate::{Colour, Curve, CurveStyle, Panel, Scale};

/// Ratio of a reference line to the nearest errors. It is below 1 so that the line does not touch a curve.
const BELOW: f64 = 0.5;

/// Styles of the reference lines, used cyclically.
const DASHES: [CurveStyle; 4] =
    [CurveStyle::Dashed, CurveStyle::Dotted, CurveStyle::LongDashed, CurveStyle::DashDotted];

/// Creates a diagram of errors against step sizes, or against effort, on logarithmic axes. Each method has a
/// name, which can be empty. For each of the `orders`, a grey reference line with this slope is drawn below
/// the errors of the method with the nearest order.
///
/// Against effort, orders are negative: the errors of a method of order 2 are proportional to the number of
/// steps to the power -2.
///
/// ```
/// use siconos_figure::{Figure, kinds};
///
/// let steps = || (0..8).map(|k| 0.5_f64.powi(k));
/// let first: Vec<_> = steps().map(|h| (h, 2.0 * h)).collect();
/// let second: Vec<_> = steps().map(|h| (h, 0.3 * h * h)).collect();
/// let methods = [("implicit Euler", first), ("midpoint", second)];
/// let panel = kinds::convergence("step h [s]", "error [m]", methods, &[1.0, 2.0]);
/// let reference = panel.curves.iter().find(|curve| curve.label.as_deref() == Some("order 2"));
/// let points = &reference.expect("it was asked for").points;
/// assert_eq!((points[0].0, points[1].0), (0.5_f64.powi(7), 1.0));
/// assert!((points[1].1 - 0.15).abs() < 1e-12, "half as high as the errors of the midpoint rule");
/// assert!(Figure::new("Convergence", vec![panel]).to_svg()?.contains("10⁻²"));
/// # Ok::<(), siconos_figure::FigureError>(())
/// ```
pub fn convergence<L: Into<String>>(
    x_label: impl Into<String>,
    y_label: impl Into<String>,
    methods: impl IntoIterator<Item = (L, Points)>,
    orders: &[f64],
) -> Panel {
    let mut panel = Panel {
        x_scale: Scale::Logarithmic,
        y_scale: Scale::Logarithmic,
        ..Panel::new("", x_label, y_label)
    };
    let methods = named(methods);
    for (index, order) in orders.iter().enumerate() {
        if let Some(points) = reference(&methods, *order) {
            let line = Curve { style: DASHES[index % DASHES.len()], ..Curve::line(name(*order), points) };
            panel.curves.push(line.coloured(Colour::Grey));
        }
    }
    for (index, (label, points)) in methods.into_iter().enumerate() {
        let colour = Colour::cycle(index);
        panel.curves.push(Curve::points("", points.clone()).coloured(colour));
        let line = Curve { style: CurveStyle::cycle(index), ..Curve::line(label, points) };
        panel.curves.push(line.coloured(colour));
    }
    with_legend(panel)
}

/// Returns the ends of the reference line with slope `order`, below the errors of the method with the nearest
/// order.
fn reference(methods: &[(String, Points)], order: f64) -> Option<Points> {
    let distance = |points: &Points| measured_order(points).map(|measured| (measured - order).abs());
    let all = methods.iter().filter_map(|(_, points)| Some((distance(points)?, points)));
    let (_, points) = all.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let lowest = drawable(points).map(|(x, y)| y.ln() - order * x.ln()).fold(f64::INFINITY, f64::min);
    let at = |x: f64| (x, BELOW * (lowest + order * x.ln()).exp());
    let (low, high) =
        drawable(points).fold((f64::INFINITY, 0.0_f64), |(low, high), (x, _)| (low.min(x), high.max(x)));
    Some(vec![at(low), at(high)])
}

/// Returns the observed order of convergence: the slope of a least-squares line through the logarithms of the
/// points. Returns `None` if fewer than two points with different x are positive and finite.
///
/// ```
/// use siconos_figure::kinds::measured_order;
///
/// let errors: Vec<_> = [0.1_f64, 0.05, 0.025].map(|h| (h, 7.0 * h.powi(3))).to_vec();
/// assert!((measured_order(&errors).expect("three points") - 3.0).abs() < 1e-12);
/// assert_eq!(measured_order(&errors[..1]), None);
/// ```
pub fn measured_order(points: &[(f64, f64)]) -> Option<f64> {
    let logarithms: Vec<(f64, f64)> = drawable(points).map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logarithms.len() as f64;
    let sum = |of: fn(&(f64, f64)) -> f64| logarithms.iter().map(of).sum::<f64>() / count;
    let (x_mean, y_mean) = (sum(|point| point.0), sum(|point| point.1));
    let (mut above, mut below) = (0.0, 0.0);
    for (x, y) in &logarithms {
        above += (x - x_mean) * (y - y_mean);
        below += (x - x_mean) * (x - x_mean);
    }
    let order = above / below;
    order.is_finite().then_some(order)
}

/// Returns the points that can be shown on logarithmic axes.
fn drawable(points: &[(f64, f64)]) -> impl Iterator<Item = (f64, f64)> {
    let has_place = |x: f64| x > 0.0 && x.is_finite();
    points.iter().copied().filter(move |(x, y)| has_place(*x) && has_place(*y))
}

/// Returns the name of a reference line, such as `order 2`. The name contains the order without its sign.
fn name(order: f64) -> String {
    format!("order {}", order.abs())
}
