//! What each method promises, by its name; one table for the property tests and the regression table.

use super::{Capability, LARGEST_ENUMERATED, MatrixClass};

/// What a method promises and where it stops being asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Promise {
    /// Classes, tolerance and condition.
    pub capability: Capability,
    /// The largest problem that it is given: methods that look at all pieces take $2^n$ steps.
    pub largest_size: usize,
}

/// Nothing promised but honesty: a converged point is one.
const HONESTY: Promise = Promise {
    capability: Capability {
        classes: &[],
        tolerance: 1e-8,
        largest_condition: f64::INFINITY,
        recognises_unsolvable: false,
    },
    largest_size: usize::MAX,
};

impl Promise {
    /// The promise of the method of that name (`LcpMethod::description`). A name that is not in the table promises nothing,
    /// and is still held to be honest.
    ///
    /// The classes are those of each method's page.
    #[must_use]
    pub fn of_method(name: &str) -> Self {
        use MatrixClass as C;
        let promise = |classes: &'static [MatrixClass]| Self {
            capability: Capability { classes, ..HONESTY.capability },
            ..HONESTY
        };
        // Ten thousand sweeps gain a factor of 1e-8 up to about these condition numbers.
        let iterative = |classes: &'static [MatrixClass], largest_condition| {
            let mut promise = promise(classes);
            promise.capability.largest_condition = largest_condition;
            promise
        };
        let recognises = |classes: &'static [MatrixClass]| {
            let mut promise = promise(classes);
            promise.capability.recognises_unsolvable = true;
            promise
        };
        match name {
            "lemke" => recognises(&[C::CopositivePlus, C::PMatrix]),
            // It looks for a proof where the matrix is dense.
            "auto" => promise(&[C::CopositivePlus, C::PMatrix]),
            "projected-gauss-seidel" => iterative(&[C::SymmetricPositiveDefinite, C::HMatrix], 2000.0),
            "projected-sor" => iterative(&[C::SymmetricPositiveDefinite], 2000.0),
            "regularised-gauss-seidel" => iterative(&[C::SymmetricPositiveSemidefinite], 600.0),
            "conjugate-projected-gradient" => promise(&[C::SymmetricPositiveDefinite]),
            "projected-gradient" => iterative(&[C::SymmetricPositiveDefinite], 5000.0),
            "latin" | "latin-weighted" | "quadratic-program" => promise(&[C::PositiveSemidefinite]),
            "sequential-quadratic-program" => promise(&[C::PositiveSemidefinite, C::PMatrix]),
            "newton-fischer-burmeister" | "newton-min" | "newton-min-line-search" => promise(&[C::PMatrix]),
            "interior-point" => promise(&[C::PositiveDefinite, C::PMatrix]),
            "enumeration" => {
                let mut promise = recognises(&[C::General]);
                promise.largest_size = LARGEST_ENUMERATED;
                promise
            }
            _ => HONESTY,
        }
    }
}
