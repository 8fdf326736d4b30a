//! Comparison of a time-stepping scheme with the relative degree of a system.

use std::fmt;

use super::RelativeDegree;
use crate::integrator::{Integrator, Unknown, Weights};

/// Reason why a scheme is unsuitable for a system. The `Display` text also names a suitable scheme, if there
/// is one.
///
/// | relative degree | solutions | suitable schemes |
/// |---|---|---|
/// | 0, with a regular matrix D | continuously differentiable | all; order 2 with [`ThetaGamma`] |
/// | at most 1 | absolutely continuous after an initial jump | schemes with lambda at the end of the step |
/// | 2 | of bounded variation: x jumps, lambda is a measure | [`MeasureEuler`] |
/// | above 2 | lambda contains derivatives of measures | none |
///
/// For relative degree 0 with a regular D, lambda is also continuous. Source: Acary and Brogliato (2008),
/// section 4.3 and chapter 5.
///
/// [`ThetaGamma`]: crate::integrator::ThetaGamma
/// [`MeasureEuler`]: crate::integrator::MeasureEuler
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::analysis::{LinearSystem, RelativeDegree, SchemeMismatch};
/// use siconos_kernel::integrator::{EulerMoreau, ThetaGamma};
///
/// // x' = lambda, y = x: relative degree 1.
/// let system = LinearSystem::new(array![[0.0]], array![[1.0]], array![[1.0]], array![[0.0]])?;
/// let degree = RelativeDegree::of(&system)?;
/// assert!(SchemeMismatch::of(&degree, EulerMoreau::default()).is_none());
/// let mismatch = SchemeMismatch::of(&degree, ThetaGamma::default()).unwrap();
/// assert!(mismatch.to_string().contains("gamma = 1"));
/// # Ok::<(), siconos_kernel::analysis::AnalysisError>(())
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct SchemeMismatch {
    /// Name of the scheme.
    pub integrator: &'static str,
    /// Largest relative degree of a row; `None` if lambda appears in no derivative of some row.
    pub degree: Option<usize>,
    reason: Reason,
}

/// Cause of a mismatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    ExplicitMultiplier,
    LaggingMultiplier,
    Jumps,
    Distributions,
    NoMultiplier,
}

impl SchemeMismatch {
    /// Returns the mismatch, or `None` if the scheme is suitable.
    #[must_use]
    pub fn of(degree: &RelativeDegree, integrator: impl Into<Integrator>) -> Option<Self> {
        let integrator = integrator.into();
        let scheme = integrator.scheme();
        if !scheme.is_first_order() {
            return None;
        }
        let reason = reason(degree, &scheme.weights)?;
        Some(Self { integrator: scheme.is.name, degree: degree.largest(), reason })
    }

    /// Returns the mismatch for multipliers with finite bounds, such as relay multipliers, or `None` if the
    /// scheme is suitable. With finite bounds the state does not jump, whatever the relative degree.
    /// Therefore, only schemes with an explicit or lagging multiplier are unsuitable.
    #[must_use]
    pub fn of_bounded(degree: &RelativeDegree, integrator: impl Into<Integrator>) -> Option<Self> {
        Self::of(degree, integrator).filter(|mismatch| match mismatch.reason {
            Reason::ExplicitMultiplier | Reason::LaggingMultiplier => true,
            Reason::Jumps | Reason::Distributions | Reason::NoMultiplier => false,
        })
    }
}

fn reason(degree: &RelativeDegree, weights: &Weights) -> Option<Reason> {
    let continuous = degree.uniform == Some(0);
    match degree.largest() {
        _ if continuous => None,
        None => Some(Reason::NoMultiplier),
        _ if weights.theta_r * weights.gamma == 0.0 => Some(Reason::ExplicitMultiplier),
        _ if weights.theta_r < 1.0 || weights.gamma < 1.0 => Some(Reason::LaggingMultiplier),
        Some(0 | 1) => None,
        Some(2) if weights.unknown == Unknown::Measure => None,
        Some(2) => Some(Reason::Jumps),
        Some(_) => Some(Reason::Distributions),
    }
}

impl fmt::Display for SchemeMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.degree {
            Some(degree) => write!(f, "{} on a system of relative degree {degree}", self.integrator)?,
            None => write!(f, "{} on a system of infinite relative degree", self.integrator)?,
        }
        f.write_str(match self.reason {
            Reason::ExplicitMultiplier => {
                ": the multiplier at the end of the step does not act in the step, which requires a regular D; use gamma and \
                 theta_r above 0"
            }
            Reason::LaggingMultiplier => {
                " without a regular D: lambda may jump, and with gamma or theta_r below 1 it then oscillates from step to step; \
                 use gamma = 1 and theta_r = 1 (EulerMoreau), or MeasureEuler if the state jumps"
            }
            Reason::Jumps => {
                ": the state jumps and lambda is a measure, of size 1/h in the step; use MeasureEuler"
            }
            Reason::Distributions => {
                ": lambda contains derivatives of measures, which none of these schemes approximates"
            }
            Reason::NoMultiplier => {
                ": no multiplier acts on some row of y, however often the row is differentiated"
            }
        })
    }
}
