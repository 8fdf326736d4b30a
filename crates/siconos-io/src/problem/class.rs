//! A problem of any class, and the names of the classes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use siconos_numerics::lcp::LinearComplementarityProblem;
use siconos_numerics::linalg::MatrixRef;
use siconos_numerics::mlcp::MixedLinearComplementarityProblem;
use siconos_numerics::relay::BoxComplementarityProblem;

/// The class of a problem. Its name, in files and on command lines, is in lower case.
///
/// ```
/// use siconos_io::problem::ProblemClass;
///
/// assert_eq!("mlcp".parse(), Ok(ProblemClass::Mlcp));
/// assert_eq!(ProblemClass::Relay.to_string(), "relay");
/// assert!("friction".parse::<ProblemClass>().unwrap_err().to_string().ends_with("lcp, mlcp, relay"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ProblemClass {
    /// Linear complementarity.
    Lcp,
    /// Mixed linear complementarity.
    Mlcp,
    /// Complementarity between bounds.
    Relay,
}

impl ProblemClass {
    /// Every class.
    pub const ALL: [Self; 3] = [Self::Lcp, Self::Mlcp, Self::Relay];

    /// The name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lcp => "lcp",
            Self::Mlcp => "mlcp",
            Self::Relay => "relay",
        }
    }
}

impl fmt::Display for ProblemClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no class has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no class `{name}`; the classes are {}", ProblemClass::ALL.map(ProblemClass::name).join(", "))]
pub struct UnknownClass {
    /// The name.
    pub name: String,
}

impl FromStr for ProblemClass {
    type Err = UnknownClass;

    fn from_str(name: &str) -> Result<Self, UnknownClass> {
        let class = Self::ALL.into_iter().find(|class| class.name() == name);
        class.ok_or_else(|| UnknownClass { name: name.to_owned() })
    }
}

/// A problem of one of the classes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// Linear complementarity.
    Lcp(LinearComplementarityProblem),
    /// Mixed linear complementarity.
    Mlcp(MixedLinearComplementarityProblem),
    /// Complementarity between bounds.
    Relay(BoxComplementarityProblem),
}

impl Problem {
    /// The class.
    #[must_use]
    pub fn class(&self) -> ProblemClass {
        match self {
            Self::Lcp(_) => ProblemClass::Lcp,
            Self::Mlcp(_) => ProblemClass::Mlcp,
            Self::Relay(_) => ProblemClass::Relay,
        }
    }

    /// The number of unknowns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.q().len()
    }

    /// The matrix, `n x n`.
    #[must_use]
    pub fn m(&self) -> MatrixRef<'_> {
        match self {
            Self::Lcp(problem) => problem.view().m(),
            Self::Mlcp(problem) => problem.view().m(),
            Self::Relay(problem) => problem.view().m(),
        }
    }

    /// The vector, `n`.
    #[must_use]
    pub fn q(&self) -> &[f64] {
        match self {
            Self::Lcp(problem) => problem.view().q(),
            Self::Mlcp(problem) => problem.view().q(),
            Self::Relay(problem) => problem.view().q(),
        }
    }
}

impl From<LinearComplementarityProblem> for Problem {
    fn from(problem: LinearComplementarityProblem) -> Self {
        Self::Lcp(problem)
    }
}

impl From<MixedLinearComplementarityProblem> for Problem {
    fn from(problem: MixedLinearComplementarityProblem) -> Self {
        Self::Mlcp(problem)
    }
}

impl From<BoxComplementarityProblem> for Problem {
    fn from(problem: BoxComplementarityProblem) -> Self {
        Self::Relay(problem)
    }
}
