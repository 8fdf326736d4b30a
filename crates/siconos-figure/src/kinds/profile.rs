//! The performance profile of Dolan and Moré (2002, section 2).
//!
//! With t the time of a method s on a problem p, r = t / (least time of any method on p) is its performance
//! ratio, infinite where it does not solve p. The profile of s is the part of all problems whose ratio is at
//! most tau. At tau = 1 it is the part on which s is the fastest; where it levels off, the part that s solves
//! at all.

use super::Points;
use crate::{Curve, CurveStyle, Legend, Panel, Scale};

/// A method in a performance profile.
///
/// ```
/// use siconos_figure::kinds::Profile;
///
/// // The fastest on one of three problems, four times as slow as the best on another, and the third not solved.
/// let profile = Profile { label: "lemke".to_owned(), ratios: vec![4.0, 1.0] };
/// assert_eq!(profile.ratios.len(), 2);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Profile {
    /// Name in the legend.
    pub label: String,
    /// For each problem that it solves, its time over the least time of any method, in any order.
    pub ratios: Vec<f64>,
}

/// The performance profile of methods over so many problems: for each the part of the problems that it solves
/// within a factor of the least time of any method, over that factor.
///
/// The names stand beside the panel, as they do in print. A ratio that is not finite is that of a problem
/// which is not solved; one below 1 counts as 1.
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
    // The last step has a level to the right of it; without any, there is an axis all the same.
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
        legend: Legend::Beside,
        ..Panel::new("", "time / least time of any method", "part of the problems solved within that factor")
    }
}

/// The corners of the curve of steps from 1 to `end`, of ratios in rising order.
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
