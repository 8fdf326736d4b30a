//! Errors of the analysis functions.

use siconos_linalg::{SingularMatrix, SpectrumError};

use crate::model::ModelError;
use crate::settings_error::SettingsError;

/// Error that prevents an analysis. A property that the system lacks is reported as a result, not as an
/// error.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// A matrix or vector has the wrong shape or is not finite.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The step length or theta is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Eigenvalues or singular values could not be computed: products of the data overflow, or LAPACK failed.
    #[error("the spectrum of {of} could not be computed: {source}")]
    Spectrum {
        /// Name of the matrix.
        of: &'static str,
        /// Cause of the failure.
        source: SpectrumError,
    },
    /// The mass matrix of a first-order system is singular, so $M^{-1} A$ does not exist.
    #[error("the matrix M of the first-order systems is singular: {source}")]
    SingularMass {
        /// Error of the factorisation.
        source: SingularMatrix,
    },
    /// The analysis needs dense matrices, which would be too large for this system.
    #[error(
        "a part with {states} states and {multipliers} multipliers is too large for the analysis of its relative degree; \
         the limit is {largest} in total"
    )]
    TooLarge {
        /// Number of states.
        states: usize,
        /// Number of multipliers.
        multipliers: usize,
        /// Maximum sum of the numbers of states and multipliers.
        largest: usize,
    },
    /// The matrix $I - h \theta A$ of a step is singular.
    #[error("I - h theta A is singular for h theta = {step}: {source}; use another step length")]
    SingularIterationMatrix {
        /// Value of $h \theta$ \[s\].
        step: f64,
        /// Error of the factorisation.
        source: SingularMatrix,
    },
}

/// Returns a function that adds the name of the matrix to a spectrum error.
pub(super) fn spectrum_of(of: &'static str) -> impl Fn(SpectrumError) -> AnalysisError {
    move |source| AnalysisError::Spectrum { of, source }
}
