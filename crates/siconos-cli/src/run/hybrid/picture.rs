//! The trajectory as a picture: variables of one kind share a panel.

use std::path::Path;

use siconos_figure::{Curve, CurveStyle, Figure, Legend, Panel};

use super::samples::Samples;

/// From so many curves on their names stand beside the panel.
const MANY_CURVES: usize = 7;

/// Longer labels of axes are cut.
const LONGEST_LABEL: usize = 30;

/// Whether a picture can be expected to be written.
pub(super) fn check(path: Option<&Path>) -> Result<(), String> {
    path.map_or(Ok(()), |path| crate::run::check_file(path, &[".svg", ".png"]))
}

/// Draws a picture, SVG or PNG by the end of the name.
pub(super) fn write(path: &Path, title: &str, samples: &Samples) -> Result<(), String> {
    let panels = groups(samples).iter().map(|places| panel(samples, places)).collect();
    Figure::new(title, panels).save(path).map_err(|error| {
        let cause = std::error::Error::source(&error).map_or_else(String::new, |cause| format!(": {cause}"));
        format!("{error}{cause}")
    })
}

/// The places of the variables of each panel: by the order of the derivative, and the discrete ones.
fn groups(samples: &Samples) -> Vec<Vec<usize>> {
    let primes = |name: &str| name.bytes().filter(|byte| *byte == b'\'').count();
    let continuous = &samples.names[..samples.continuous];
    let highest = continuous.iter().map(|name| primes(name)).max().unwrap_or(0);
    let of_order =
        |order| (0..samples.continuous).filter(|place| primes(&continuous[*place]) == order).collect();
    let mut groups: Vec<Vec<usize>> = (0..=highest).map(of_order).collect();
    groups.push((samples.continuous..samples.names.len()).collect());
    groups.retain(|group| !group.is_empty());
    groups
}

fn panel(samples: &Samples, places: &[usize]) -> Panel {
    let name = |place: &usize| samples.names[*place].as_str();
    let all = places.iter().map(name).collect::<Vec<_>>().join(", ");
    let label = if all.chars().count() > LONGEST_LABEL {
        let begin: String = all.chars().take(LONGEST_LABEL).collect();
        format!("{begin} ..")
    } else {
        all
    };
    let curve = |(index, place): (usize, &usize)| {
        // A panel with one curve has its name on the axis.
        let label = if places.len() > 1 { name(place) } else { "" };
        // What events alone change is constant within a step.
        let rows = if *place < samples.continuous { &samples.dense } else { &samples.rows };
        let mut points: Vec<_> = rows.iter().map(|(t, values)| (*t, values[*place])).collect();
        if points.first().zip(points.last()).is_some_and(|(first, last)| last.0 < first.0) {
            points.reverse();
        }
        Curve { style: CurveStyle::cycle(index), ..Curve::line(label, points) }
    };
    Panel {
        curves: places.iter().enumerate().map(curve).collect(),
        legend: if places.len() < MANY_CURVES { Legend::Above } else { Legend::Beside },
        ..Panel::new("", "time t [s]", label)
    }
}
