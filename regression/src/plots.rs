//! Figures of the report: a column over its reference, and their difference.

use siconos_figure::{Colour, Curve, Figure, FigureError, Panel, Scale};

use crate::compare::{ColumnOutcome, difference};
use crate::run::Compared;

/// Number of points of the curve of differences. Each is the largest difference of an interval of rows, so
/// that no peak is lost.
const STRETCHES: usize = 300;

/// Maximum number of decades on the axis of differences. Smaller differences are clipped: a body at rest has
/// differences of 1e-40, which are irrelevant.
const DECADES: f64 = 10.0;

const SIZE: (u32, u32) = (1120, 240);

/// Interval of rows: the position and size of its largest difference, and its smallest allowed difference.
struct Stretch {
    x: f64,
    difference: f64,
    allowed: f64,
}

/// Returns two panels side by side as an `<svg>` element.
pub(crate) fn of_column(compared: &Compared, outcome: &ColumnOutcome) -> Result<String, FigureError> {
    let rows = &compared.comparison.rows;
    let (x_label, xs): (&str, Vec<f64>) = match compared.result.column("t") {
        Some(times) => ("t", times.collect()),
        None => ("row", (0..compared.result.len()).map(|row| row as f64).collect()),
    };
    let values: Vec<f64> = compared.result.column(&outcome.name).into_iter().flatten().collect();
    let references: Vec<f64> =
        compared.reference.column(&outcome.reference_column).into_iter().flatten().collect();
    let (xs, values, references) = (&xs[rows.clone()], &values[rows.clone()], &references[rows.clone()]);

    let curve = |ys: &[f64]| xs.iter().copied().zip(ys.iter().copied()).collect();
    let over = Panel::new("", x_label, outcome.name.as_str())
        .with(Curve::underlay("reference", curve(references)).coloured(Colour::Orange))
        .with(Curve::line("result", curve(values)).coloured(Colour::Blue));

    let apart = panel_of_differences(x_label, &stretches(xs, values, references, outcome));
    let x_range = xs.first().copied().zip(xs.last().copied()).filter(|(first, last)| first < last);
    let panels = [over, apart].map(|panel| Panel { x_range, ..panel });
    Figure::grid("", 2, panels.into()).with_size(SIZE.0, SIZE.1).to_svg()
}

fn stretches(xs: &[f64], values: &[f64], references: &[f64], outcome: &ColumnOutcome) -> Vec<Stretch> {
    let length = xs.len().div_ceil(STRETCHES).max(1);
    let rows: Vec<Stretch> = xs
        .iter()
        .zip(values.iter().zip(references))
        .map(|(&x, (&value, &reference))| Stretch {
            x,
            difference: difference(value, reference),
            allowed: outcome.tolerance.allowed(value, reference),
        })
        .collect();
    rows.chunks(length)
        .map(|stretch| {
            let allowed = stretch.iter().map(|row| row.allowed).fold(f64::INFINITY, f64::min);
            // The first of equal differences, so that the curve starts at the first row.
            let largest =
                stretch.iter().fold(&stretch[0], |a, b| if b.difference > a.difference { b } else { a });
            Stretch { allowed, ..*largest }
        })
        .collect()
}

/// Returns a panel of differences on a logarithmic axis. Zero differences are shown by a bar at the bottom of
/// the panel.
fn panel_of_differences(x_label: &str, stretches: &[Stretch]) -> Panel {
    let sizes = || {
        let sizes = stretches.iter().flat_map(|stretch| [stretch.difference, stretch.allowed]);
        sizes.filter(|size| size.is_finite() && *size > 0.0)
    };
    // Without positive numbers the axis is around the rounding error of numbers near one.
    let (low, high) =
        sizes().fold((f64::INFINITY, 0.0_f64), |(low, high), size| (low.min(size), high.max(size)));
    let (low, high) = if low <= high { (low, high) } else { (f64::EPSILON, f64::EPSILON) };
    let foot = 10_f64.powf((low.log10().floor() - 1.0).max(high.log10() - DECADES)).max(f64::MIN_POSITIVE);

    let or_gap = |is_exact: bool| if is_exact { foot } else { f64::NAN };
    let exact = stretches.iter().map(|stretch| (stretch.x, or_gap(stretch.difference == 0.0)));
    let apart = stretches.iter().map(|stretch| (stretch.x, stretch.difference));
    let allowed = stretches.iter().map(|stretch| (stretch.x, stretch.allowed));
    let mut panel = Panel {
        y_scale: Scale::Logarithmic,
        y_range: Some((0.4 * foot, 8.0 * high)),
        ..Panel::new("", x_label, "|difference|")
    };
    for (curve, colour) in [
        (Curve::dashed("allowed", allowed.collect()), Colour::Black),
        (Curve::underlay("equal to the last bit", exact.collect()), Colour::Green),
        (Curve::line("largest difference", apart.collect()), Colour::Vermillion),
    ] {
        if curve.points.iter().any(|point| point.1 > 0.0) {
            panel = panel.with(curve.coloured(colour));
        }
    }
    panel
}

#[cfg(test)]
mod tests {
    use super::{Stretch, panel_of_differences};

    #[test]
    fn zeros_have_a_place() {
        // Curves: allowed difference, bar of equal rows, largest difference.
        let stretch = |x, difference, allowed| Stretch { x, difference, allowed };
        let panel = panel_of_differences("t", &[stretch(0.0, 0.0, 1e-11), stretch(1.0, 2e-15, 1e-11)]);
        let (low, high) = panel.y_range.expect("a range");
        let bar = &panel.curves[1].points;
        assert!(low < bar[0].1 && bar[0].1 < 2e-15 && bar[1].1.is_nan() && high > 1e-11, "{bar:?}");

        let all_exact = panel_of_differences("t", &[stretch(0.0, 0.0, 0.0)]);
        assert_eq!(all_exact.curves.len(), 1, "only the bar");
        let resting = panel_of_differences("t", &[stretch(0.0, 1e-40, 1e-11)]);
        assert!(resting.y_range.is_some_and(|(low, _)| low > 1e-23), "the axis stays short");
        let infinite = panel_of_differences("t", &[stretch(0.0, f64::INFINITY, 1e-11)]);
        assert!(infinite.y_range.is_some_and(|(low, high)| low < high && high.is_finite()));
    }
}
