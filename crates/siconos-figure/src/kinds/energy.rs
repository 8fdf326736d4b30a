//! Energies and their sum.

use super::Points;
use super::family::{named, with_legend, with_lines};
use super::motion::Parted;
use crate::{Colour, Curve, CurveStyle, FigureError, Panel};

/// Creates a panel of the components of an energy over time, each with its name and its values at the times
/// `t`. Their sum is drawn first, as a black line.
///
/// Jumps, at which two successive times are equal, are drawn as in [`time_series`](super::time_series). The
/// axes are `time t [s]` and `energy [J]`; set [`Panel::x_label`] and [`Panel::y_label`] for other units. If
/// there is only one component, no sum is drawn.
///
/// # Errors
///
/// If the number of values of a component differs from the number of times ([`FigureError::Lengths`]).
///
/// ```
/// use siconos_figure::{Figure, kinds};
///
/// let t: Vec<f64> = (0..200).map(|k| 0.01 * f64::from(k)).collect();
/// let kinetic = t.iter().map(|t| (3.0 * t).sin().powi(2)).collect::<Vec<_>>();
/// let potential = t.iter().map(|t| (3.0 * t).cos().powi(2)).collect::<Vec<_>>();
/// let panel = kinds::energy(&t, [("kinetic", kinetic), ("potential", potential)])?;
/// let sum = &panel.curves[0];
/// assert_eq!(sum.label.as_deref(), Some("sum"));
/// assert!(sum.points.iter().all(|(_, energy)| (energy - 1.0).abs() < 1e-15));
/// assert!(Figure::new("Oscillator", vec![panel]).to_svg()?.contains("potential"));
/// # Ok::<(), siconos_figure::FigureError>(())
/// ```
pub fn energy<L: Into<String>>(
    t: &[f64],
    parts: impl IntoIterator<Item = (L, Vec<f64>)>,
) -> Result<Panel, FigureError> {
    let parts = named(parts);
    let mut sum = vec![0.0; t.len()];
    for (label, values) in &parts {
        if values.len() != t.len() {
            let (expected, found) = (t.len(), values.len());
            return Err(FigureError::Lengths { what: format!("the energy {label:?}"), expected, found });
        }
        for (sum, value) in sum.iter_mut().zip(values) {
            *sum += value;
        }
    }
    let parted = |values: &[f64]| {
        let points: Points = t.iter().copied().zip(values.iter().copied()).collect();
        Parted::new(t.iter().copied(), points)
    };
    let mut panel = Panel::new("", "time t [s]", "energy [J]");
    if parts.len() > 1 {
        let Parted { smooth, leaps } = parted(&sum);
        if !leaps.is_empty() {
            let leaps = Curve::line("", leaps).coloured(Colour::Black);
            panel.curves.push(Curve { style: CurveStyle::Jump, ..leaps });
        }
        panel.curves.push(Curve::line("sum", smooth).coloured(Colour::Black));
    }
    let members = parts.into_iter().map(|(label, values)| (label, parted(&values))).collect();
    Ok(with_legend(with_lines(panel, members)))
}
