//! Styles and names of the curves in one panel.

use super::Points;
use super::motion::Parted;
use crate::{Colour, Curve, CurveStyle, Legend, Panel};

/// Minimum number of named curves for which the legend is placed next to the panel.
pub const MANY: usize = 7;

/// Number of distinct line styles, which are combinations of a colour and a dash pattern.
const MOST_DIFFERENT: usize = 35;
/// Number of distinct colours of clouds.
const MOST_COLOURS: usize = 7;
/// Approximate number of names in the legend of a family with more lines than styles.
const NAMED: usize = 12;
/// Number of points below which a cloud has large dots, so that single dots are visible.
pub const SPARSE: usize = 400;

/// Adds lines with their jumps. Each line has a name, which can be empty.
pub(super) fn with_lines(mut panel: Panel, members: Vec<(String, Parted)>) -> Panel {
    let count = members.len();
    let is_family = count > MOST_DIFFERENT;
    for (index, (label, Parted { smooth, leaps })) in members.into_iter().enumerate() {
        let colour = if is_family { Colour::of_row(index, count) } else { Colour::cycle(index) };
        let style = if is_family { CurveStyle::Line } else { CurveStyle::cycle(index) };
        if !leaps.is_empty() {
            panel.curves.push(Curve { style: CurveStyle::Jump, ..Curve::line("", leaps).coloured(colour) });
        }
        let label = if is_family { of_some(label, index, count) } else { label };
        panel.curves.push(Curve { style, ..Curve::line(label, smooth).coloured(colour) });
    }
    with_legend(panel)
}

/// Adds clouds. Each cloud has a name, which can be empty.
pub(super) fn with_clouds(mut panel: Panel, members: Vec<(String, Points)>) -> Panel {
    let count = members.len();
    let is_family = count > MOST_COLOURS;
    let is_sparse = members.iter().map(|(_, points)| points.len()).sum::<usize>() < SPARSE;
    for (index, (label, points)) in members.into_iter().enumerate() {
        let colour = if is_family { Colour::of_row(index, count) } else { Colour::cycle(index) };
        let label = if is_family { of_some(label, index, count) } else { label };
        let style = if is_sparse { CurveStyle::Points } else { CurveStyle::Cloud };
        panel.curves.push(Curve { style, ..Curve::line(label, points).coloured(colour) });
    }
    with_legend(panel)
}

/// Moves the legend next to the panel if it has many curves.
pub(super) fn with_legend(panel: Panel) -> Panel {
    let named = panel.curves.iter().filter(|curve| curve.label.is_some()).count();
    Panel { legend: if named < MANY { Legend::Above } else { Legend::Right }, ..panel }
}

/// Converts the names of the members to strings.
pub(super) fn named<L: Into<String>, T>(members: impl IntoIterator<Item = (L, T)>) -> Vec<(String, T)> {
    members.into_iter().map(|(label, member)| (label.into(), member)).collect()
}

/// Returns the name of the first member, the last member and some members between them, and an empty name for
/// the others.
fn of_some(label: String, index: usize, count: usize) -> String {
    let is_named = index.is_multiple_of(count.div_ceil(NAMED)) || index + 1 == count;
    if is_named { label } else { String::new() }
}
