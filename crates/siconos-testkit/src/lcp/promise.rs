//! What each method promises, by its name; one table for the property tests and the regression table.

use super::{Capability, MatrixClass};

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
        let iterative = |classes: &'static [MatrixClass]| {
            let mut promise = promise(classes);
            // Some thousands of sweeps gain a factor of 1e-8 up to about here.
            promise.capability.largest_condition = 2000.0;
            promise
        };
        match name {
            "lemke" => {
                let mut promise = promise(&[C::CopositivePlus, C::PMatrix]);
                promise.capability.recognises_unsolvable = true;
                promise
            }
            "projected-gauss-seidel" => iterative(&[C::SymmetricPositiveDefinite, C::HMatrix]),
            _ => HONESTY,
        }
    }
}
