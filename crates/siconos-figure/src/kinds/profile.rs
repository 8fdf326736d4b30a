//! Performance profiles (Dolan and Moré 2002, section 2).
//!
//! The performance ratio of a method s on a problem p is the time of s on p divided by the least time of any
//! method on p. The ratio is infinite if s does not solve p. The profile of s is the fraction of all problems
//! with a ratio of at most tau, as a function of tau. At tau = 1 it is the fraction of problems on which s is
//! the fastest method. For large tau it is the fraction of problems that s solves.

use super::Points;
use crate::{Curve, CurveStyle, Legend, Panel, Scale};

/// Method in a performance profile.
///
/// ```
/// use siconos_figure::kinds::Profile;
///
/// // The fastest on one of three problems, four times as slow as the fastest on another; one is unsolved.
/// let profile = Profile { label: "lemke".to_owned(), ratios: vec![4.0, 1.0] };
/// assert_eq!(profile.ratios.len(), 2);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Profile {
    /// Name in the legend.
    pub label: String,
    /// Performance ratios, one for each problem that the method solves, in any order: the time of this method
    /// divided by the least time of any method.
    pub ratios: Vec<f64>,
}

/// Creates the performance profiles of methods over a number of problems. The curve of a method shows the
/// fraction of the problems that it solves within a factor of the least time of any method, as a function of
/// this factor.
///
/// The legend is next to the panel, as is usual in print. A ratio that is not finite means that the problem
/// is unsolved; a ratio below 1 counts as 1.
///
/// ```
/// use siconos_figure::kinds::{Profile, performance_profile};
///
/// let method = |label: &str, ratios: &[f64]| Profile { label: label.to_owned(), ratios: ratios.to_vec() };
/// let panel = performance_profile(4, [method("fast", &[1.0, 1.0]), method("slow", &[1.0, 4.0, 1.0])]);
/// assert_eq!(panel.curves[0].points[0], (1.0, 0.5));
/// assert_eq!(panel.curves[1].points[..3], [(1.0, 0.5), (4.0, 0.5), (4.0, 0.75)]);
/// ```
pub fn performance_profile(problems: usize, profiles: impl IntoIterator<Item = Profile>) -> Panel {
    let sorted = |mut profile: Profile| {
        profile.ratios.retain(|ratio| ratio.is_finite());
        profile.ratios.sort_by(f64::total_cmp);
        profile
    };
    let profiles: Vec<Profile> = profiles.into_iter().map(sorted).collect();
    let largest = profiles.iter().filter_map(|profile| profile.ratios.last()).fold(1.0_f64, |a, b| a.max(*b));
    // The axis extends beyond the last step; without steps, it ends at 2.
    let end = (1.3 * largest).max(2.0);
    let curve = |(index, profile): (usize, Profile)| {
        let points = steps(&profile.ratios, problems, end);
        Curve { style: CurveStyle::cycle(index), ..Curve::line(profile.label, points) }
    };
    Panel {
        curves: profiles.into_iter().enumerate().map(curve).collect(),
        x_range: Some((1.0, end)),
        y_range: Some((-0.02, 1.02)),
        x_scale: Scale::Logarithmic,
        legend: Legend::Right,
        ..Panel::new("", "time / least time of any method", "fraction of problems solved within that factor")
    }
}

/// Returns the corners of a step function from 1 to `end`, for ratios in ascending order.
fn steps(ratios: &[f64], problems: usize, end: f64) -> Points {
    let part = |count: usize| count as f64 / problems.max(1) as f64;
    let at_once = ratios.partition_point(|ratio| *ratio <= 1.0);
    let mut steps = vec![(1.0, part(at_once))];
    for (before, ratio) in ratios.iter().enumerate().skip(at_once) {
        steps.extend([(*ratio, part(before)), (*ratio, part(before + 1))]);
    }
    steps.push((end, part(ratios.len())));
    steps
}
