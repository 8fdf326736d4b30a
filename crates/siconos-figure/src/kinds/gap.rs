//! Gaps and impulses of contacts.

use super::family::{with_legend, with_lines};
use super::motion::Parted;
use crate::{Colour, Curve, FigureError, Panel};

/// Gap and impulse of a contact over time.
///
/// ```
/// use siconos_figure::kinds::Contact;
///
/// let contact = Contact { label: "floor".to_owned(), gap: vec![0.1, 0.0], impulse: vec![0.0, 2.0] };
/// assert_eq!(contact.gap.len(), contact.impulse.len());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Contact {
    /// Name in the legend; empty for none.
    pub label: String,
    /// Gap at each time \[m\].
    pub gap: Vec<f64>,
    /// Impulse at each time \[N s\]: the impulse over the step that ends at this time, or the impulse of an
    /// impact; 0 if no impulse acts.
    pub impulse: Vec<f64>,
}

/// Creates two panels of contacts over the times `t`: the gaps, and below them the impulses, with one stem
/// for each nonzero impulse. Both panels have the same time axis.
///
/// The axes are `time t [s]`, `gap [m]` and `impulse [N s]`; change the labels for other units.
///
/// # Errors
///
/// If the number of gaps or impulses of a contact differs from the number of times
/// ([`FigureError::Lengths`]).
///
/// ```
/// use siconos_figure::{Figure, kinds::{Contact, gap_and_impulse}};
///
/// let t = [0.0, 0.1, 0.2, 0.3];
/// let contact = Contact {
///     label: "floor".to_owned(),
///     gap: vec![0.1, 0.05, 0.0, 0.05],
///     impulse: vec![0.0, 0.0, 1.5, 0.0],
/// };
/// let [gap, impulse] = gap_and_impulse(&t, [contact])?;
/// assert_eq!(gap.curves[0].points.len(), 4);
/// assert_eq!(impulse.curves[0].points, [(0.2, 1.5)]);
/// assert!(Figure::new("Impact", vec![gap, impulse]).to_svg()?.contains("impulse [N s]"));
/// # Ok::<(), siconos_figure::FigureError>(())
/// ```
pub fn gap_and_impulse(
    t: &[f64],
    contacts: impl IntoIterator<Item = Contact>,
) -> Result<[Panel; 2], FigureError> {
    let (mut gaps, mut impulses) = (Vec::new(), Vec::new());
    for Contact { label, gap, impulse } in contacts {
        for (of, values) in [("gaps", &gap), ("impulses", &impulse)] {
            if values.len() != t.len() {
                let (expected, found) = (t.len(), values.len());
                return Err(FigureError::Lengths { what: format!("the {of} of {label:?}"), expected, found });
            }
        }
        let over_time = |values: Vec<f64>| t.iter().copied().zip(values);
        gaps.push((label.clone(), Parted::new(t.iter().copied(), over_time(gap))));
        impulses.push((label, over_time(impulse).filter(|(_, impulse)| *impulse != 0.0).collect()));
    }
    let time = "time t [s]";
    let colours = (0..).map(Colour::cycle);
    let stems = impulses.into_iter().zip(colours);
    let stems = stems.map(|((label, points), colour)| Curve::stems(label, points).coloured(colour));
    let gap = with_lines(Panel::new("", time, "gap [m]"), gaps);
    let impulse = with_legend(stems.fold(Panel::new("", time, "impulse [N s]"), Panel::with));
    let ends = t.iter().copied().filter(|t| t.is_finite());
    let (low, high) =
        ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), t| (low.min(t), high.max(t)));
    // If all times are equal, they do not define a range, and each panel determines its own range.
    let x_range = (low < high).then_some((low, high));
    Ok([gap, impulse].map(|panel| Panel { x_range, ..panel }))
}
