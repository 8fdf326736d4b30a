//! The data of a mixed nonlinear complementarity problem.

use crate::error::ProblemError;
use crate::map::DifferentiableMap;

/// Mixed nonlinear complementarity problem with borrowed data. The first `equalities` rows are $F_i(z) = 0$
/// with $z_i$ free; all other rows are $0 \le z_i \perp F_i(z) \ge 0$.
///
/// ```
/// use siconos_numerics::mcp::McpProblem;
/// use siconos_numerics::ncp::FromFunctions;
///
/// let map = FromFunctions::new(2, |z, f| f.copy_from_slice(z), |_, mut j| j.diag_mut().fill(1.0));
/// assert_eq!(McpProblem::new(&map, 1)?.size(), 2);
/// assert!(McpProblem::new(&map, 3).is_err());
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[doc(alias = "MCP")]
#[derive(Clone, Copy)]
pub struct McpProblem<'a> {
    map: &'a dyn DifferentiableMap,
    equalities: usize,
}

impl std::fmt::Debug for McpProblem<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("McpProblem")
            .field("size", &self.size())
            .field("equalities", &self.equalities)
            .finish_non_exhaustive()
    }
}

impl<'a> McpProblem<'a> {
    /// Creates a problem in which the first `equalities` rows are equations.
    ///
    /// # Errors
    ///
    /// If there are more equations than rows ([`ProblemError::WrongLength`]).
    pub fn new(map: &'a dyn DifferentiableMap, equalities: usize) -> Result<Self, ProblemError> {
        let expected = map.size();
        if equalities > expected {
            return Err(ProblemError::WrongLength { what: "equality rows", expected, found: equalities });
        }
        Ok(Self { map, equalities })
    }

    /// Returns the number of unknowns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.map.size()
    }

    /// Returns the map F.
    #[must_use]
    pub fn map(&self) -> &'a dyn DifferentiableMap {
        self.map
    }

    /// Returns the number of equations; the unknowns of these rows can have any sign.
    #[must_use]
    pub fn equalities(&self) -> usize {
        self.equalities
    }
}
