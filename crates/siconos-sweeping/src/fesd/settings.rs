//! How a step of finite elements with switch detection is divided, and when its iterations end.

use serde::{Deserialize, Serialize};

use siconos_kernel::SettingsError;
use siconos_kernel::engine::check_number;

/// Settings of [`Fesd`](super::Fesd).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FesdSettings {
    /// The elements of a step. A step with more switches than boundaries between its elements takes one
    /// element more for each. Default 2, at least 1.
    pub elements: usize,
    /// The largest error of a condition that counts as 0, relative to the size of its terms; see
    /// [`FesdResidual`](super::FesdResidual). Default 1e-12, in \[1e-14, 1e-2\].
    pub tolerance: f64,
    /// The largest number of Newton steps of one solve. Default 40, at least 1.
    pub max_iterations: usize,
    /// The largest number of switches in a step, for the continuation; the homotopy finds at most as many as
    /// there are boundaries between elements, and tries up to three elements more. Default 30.
    pub max_switches: usize,
    /// How the pattern of a step is found. Default [`PatternSearch::Continuation`].
    pub pattern: PatternSearch,
}

/// How the pattern of a step is found: which weights act in which elements. Both searches end with Newton's
/// method on the square system of the pattern, and with the measure of all conditions.
///
/// In 300 random steps (two to four modes, affine fields, two or three states, 100 each with 0, 1 and 2
/// switches; two stages, three elements) the continuation solved all, with 19 Newton steps in the median. The
/// homotopy solved the same motion in all steps with at most one switch and 96 of those with two, 11 of them
/// with another pattern that meets the conditions at the stages, with 234 in the median. With three and four
/// stages there were 98 of those with two switches. The continuation is the default: it costs less, looks
/// between the stages as well, and evaluates a field near its region only.
///
/// ```
/// use siconos_sweeping::fesd::{Fesd, FesdSettings, FilippovSystem, PatternSearch};
///
/// // x' = 1/2 - Sgn x from 1, one step across the switch at t = 2.
/// let mut ends = Vec::new();
/// for pattern in [PatternSearch::Continuation, PatternSearch::Homotopy] {
///     let system =
///         FilippovSystem::two_modes(1, |_t, x| x[0], |_t, _x, f| f[0] = 1.5, |_t, _x, f| f[0] = -0.5)?;
///     let settings = FesdSettings { pattern, ..FesdSettings::default() };
///     let mut fesd = Fesd::new(system, 2, settings)?;
///     let mut x = [1.0];
///     let report = fesd.step(0.0, 3.0, &mut x)?;
///     assert!(report.status.is_success());
///     ends.push(report.switches[0].t);
/// }
/// assert!((ends[0] - 2.0).abs() < 1e-12 && (ends[1] - 2.0).abs() < 1e-12);
/// # Ok::<(), siconos_sweeping::fesd::FesdError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum PatternSearch {
    /// From switch to switch: an element ends where a sign becomes wrong, and the next set of weights is a
    /// solution of the complementarity problem for the derivatives there (Stewart 1990).
    #[default]
    Continuation,
    /// By a homotopy in the complementarity of the whole step, as in the papers: all lengths are unknown from
    /// the beginning, the product of each weight and its slack goes to 0, and cross complementarity with step
    /// equilibration moves the boundaries onto the switches. The papers relax these conditions to
    /// inequalities, for an interior-point method; here they are a square system, whose path is followed by
    /// its length. A step without a switch needs none of it. The fields of all modes are evaluated wherever
    /// the stages are, also far from their regions. With one stage, steps so long that an implicit Euler step
    /// is not unique are often not solved.
    Homotopy,
}

impl Default for FesdSettings {
    fn default() -> Self {
        Self {
            elements: 2,
            tolerance: 1e-12,
            max_iterations: 40,
            max_switches: 30,
            pattern: PatternSearch::default(),
        }
    }
}

impl FesdSettings {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        check_number("elements", self.elements as f64, |n| n >= 1.0, "at least 1")?;
        check_number("tolerance", self.tolerance, |x| (1e-14..=1e-2).contains(&x), "in [1e-14, 1e-2]")?;
        check_number("max_iterations", self.max_iterations as f64, |n| n >= 1.0, "at least 1")
    }
}
