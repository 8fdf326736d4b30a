//! Checks of a method for linear complementarity problems. They follow from the guarantee of the method.

use siconos_numerics::method::{Guarantee, MethodDescription, Scope};

use super::{Capability, LARGEST_ENUMERATED};

/// Guarantee of a method, and the largest size of the problems on which it is tested.
#[derive(Clone, Debug, PartialEq)]
pub struct Promise {
    /// Matrix classes, tolerance and largest condition number.
    pub capability: Capability,
    /// Maximum number of unknowns of the test problems. It is small for methods that enumerate all
    /// complementary bases, because they take $2^n$ steps.
    pub largest_size: usize,
}

/// Approximate condition numbers up to which ten thousand iterations of a method reduce the error by a factor
/// of 1e-8.
const LARGEST_CONDITIONS: [(&str, f64); 4] = [
    ("projected-gauss-seidel", 2000.0),
    ("projected-sor", 2000.0),
    ("regularised-gauss-seidel", 600.0),
    ("projected-gradient", 5000.0),
];

impl Promise {
    /// Returns the checks that follow from the guarantee of a method. If the guarantee depends on more than
    /// the matrix and the number of unknowns, no matrix class is included.
    #[must_use]
    pub fn of(method: &MethodDescription) -> Self {
        let Guarantee { classes, only, recognises_unsolvable, .. } = method.guarantee;
        let condition = LARGEST_CONDITIONS.iter().find(|(name, _)| *name == method.name);
        Self {
            capability: Capability {
                classes: if matches!(only, Scope::All | Scope::FewUnknowns) { classes } else { &[] },
                tolerance: 1e-8,
                largest_condition: condition.map_or(f64::INFINITY, |(_, condition)| *condition),
                recognises_unsolvable,
            },
            largest_size: if only == Scope::FewUnknowns { LARGEST_ENUMERATED } else { usize::MAX },
        }
    }
}

#[cfg(test)]
mod tests {
    use siconos_numerics::Method;
    use siconos_numerics::lcp::LcpMethod;

    use super::LARGEST_CONDITIONS;

    #[test]
    fn every_exception_is_one_for_a_method() {
        for (name, _) in LARGEST_CONDITIONS {
            assert!(LcpMethod::from_name(name).is_some(), "there is no method {name} any more");
        }
    }
}
