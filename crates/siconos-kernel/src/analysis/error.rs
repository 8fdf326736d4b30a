//! Why an analysis has no answer.

use siconos_linalg::{SingularMatrix, SpectrumError};

use crate::model::ModelError;
use crate::settings_error::SettingsError;

/// Why an analysis has no answer; that a system lacks a property is an answer, not an error.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// A matrix or vector has the wrong shape or is not finite.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The step or theta is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Eigenvalues or singular values could not be computed: products of the data overflow, or LAPACK gave
    /// up.
    #[error("the spectrum of {of} could not be computed: {source}")]
    Spectrum {
        /// Of which matrix.
        of: &'static str,
        /// What went wrong.
        source: SpectrumError,
    },
    /// The mass matrix of a first-order system is singular, so that there is no $M^{-1} A$.
    #[error("the matrix M of the first-order systems is singular: {source}")]
    SingularMass {
        /// What showed it.
        source: SingularMatrix,
    },
    /// The matrices of the analysis are dense, and these would be too large.
    #[error(
        "a part of {states} states and {multipliers} multipliers is too large for an analysis of its relative degree; \
         the limit is {largest} of both together"
    )]
    TooLarge {
        /// The number of states.
        states: usize,
        /// The number of multipliers.
        multipliers: usize,
        /// The largest sum of both.
        largest: usize,
    },
    /// The matrix $I - h \theta A$ of a step is singular.
    #[error("I - h theta A is singular for h theta = {step}: {source}; take another step")]
    SingularIterationMatrix {
        /// $h \theta$ \[s\].
        step: f64,
        /// What showed it.
        source: SingularMatrix,
    },
}

/// Names the matrix whose spectrum failed.
pub(super) fn spectrum_of(of: &'static str) -> impl Fn(SpectrumError) -> AnalysisError {
    move |source| AnalysisError::Spectrum { of, source }
}
