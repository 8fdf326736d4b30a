//! Problems of any class and the names of the classes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use siconos_linalg::{MatrixRef, slice};
use siconos_numerics::contact::{ContactData, ContactLaw, OperatorData};
use siconos_numerics::gmp::GenericMechanicalProblem;
use siconos_numerics::lcp::LinearComplementarityProblem;
use siconos_numerics::mlcp::MixedLinearComplementarityProblem;
use siconos_numerics::relay::BoxComplementarityProblem;

/// Class of a problem. Its name in files and on command lines is in lower case.
///
/// ```
/// use siconos_io::problem::ProblemClass;
///
/// assert_eq!("mlcp".parse(), Ok(ProblemClass::Mlcp));
/// assert_eq!(ProblemClass::Relay.to_string(), "relay");
/// assert!("friction".parse::<ProblemClass>().unwrap_err().to_string().contains("lcp, mlcp, relay, fc2d, fc3d"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ProblemClass {
    /// Linear complementarity problem.
    Lcp,
    /// Mixed linear complementarity problem.
    Mlcp,
    /// Box-constrained complementarity problem.
    Relay,
    /// Contact with friction in the plane.
    Fc2d,
    /// Contact with friction in space.
    Fc3d,
    /// Contact with friction in the plane, in global form.
    Gfc2d,
    /// Contact with friction in space, in global form.
    Gfc3d,
    /// Contact with rolling friction, in the plane or in space.
    Rolling,
    /// Contact with rolling friction in global form, in the plane or in space.
    Grolling,
    /// Complementarity problem over second-order cones.
    Soclcp,
    /// Generic mechanical problem: blocks with different laws.
    Gmp,
}

impl ProblemClass {
    /// All classes.
    pub const ALL: [Self; 11] = [
        Self::Lcp,
        Self::Mlcp,
        Self::Relay,
        Self::Fc2d,
        Self::Fc3d,
        Self::Gfc2d,
        Self::Gfc3d,
        Self::Rolling,
        Self::Grolling,
        Self::Soclcp,
        Self::Gmp,
    ];

    /// Returns the name of the class, as used in files and on command lines.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lcp => "lcp",
            Self::Mlcp => "mlcp",
            Self::Relay => "relay",
            Self::Fc2d => "fc2d",
            Self::Fc3d => "fc3d",
            Self::Gfc2d => "gfc2d",
            Self::Gfc3d => "gfc3d",
            Self::Rolling => "rolling",
            Self::Grolling => "grolling",
            Self::Soclcp => "soclcp",
            Self::Gmp => "gmp",
        }
    }
}

impl fmt::Display for ProblemClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Error for an unknown class name.
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

/// Problem of one of the classes.
#[derive(Clone, Debug, PartialEq, derive_more::From)]
#[non_exhaustive]
pub enum Problem {
    /// Linear complementarity problem.
    Lcp(LinearComplementarityProblem),
    /// Mixed linear complementarity problem.
    Mlcp(MixedLinearComplementarityProblem),
    /// Box-constrained complementarity problem.
    Relay(BoxComplementarityProblem),
    /// Contact problem with friction or rolling friction, in local or global form, or complementarity problem
    /// over second-order cones. [`Problem::class`] distinguishes them.
    Contact(ContactData),
    /// Generic mechanical problem: blocks with different laws.
    Gmp(GenericMechanicalProblem),
}

impl Problem {
    /// Returns the class.
    #[must_use]
    pub fn class(&self) -> ProblemClass {
        match self {
            Self::Lcp(_) => ProblemClass::Lcp,
            Self::Mlcp(_) => ProblemClass::Mlcp,
            Self::Relay(_) => ProblemClass::Relay,
            Self::Contact(problem) => match (problem.law(), problem.bodies().is_some()) {
                (ContactLaw::Coulomb { dimension: 2, .. }, false) => ProblemClass::Fc2d,
                (ContactLaw::Coulomb { .. }, false) => ProblemClass::Fc3d,
                (ContactLaw::Rolling { .. }, false) => ProblemClass::Rolling,
                (ContactLaw::Coulomb { dimension: 2, .. }, true) => ProblemClass::Gfc2d,
                (ContactLaw::Coulomb { .. }, true) => ProblemClass::Gfc3d,
                (ContactLaw::Rolling { .. }, true) => ProblemClass::Grolling,
                _ => ProblemClass::Soclcp,
            },
            Self::Gmp(_) => ProblemClass::Gmp,
        }
    }

    /// Returns the number of unknowns. For a global form, this is the number of velocities of the bodies.
    #[must_use]
    pub fn size(&self) -> usize {
        self.q().len()
    }

    /// Returns the matrix of the problem: W for a local contact problem, M for all other problems.
    #[must_use]
    pub fn m(&self) -> MatrixRef<'_> {
        match self {
            Self::Lcp(problem) => problem.view().m(),
            Self::Mlcp(problem) => problem.view().m(),
            Self::Relay(problem) => problem.view().m(),
            Self::Contact(problem) => match problem.operator() {
                OperatorData::Bodies(bodies) => bodies.m.view(),
                OperatorData::Delassus(w) => w.view(),
            },
            Self::Gmp(problem) => problem.m(),
        }
    }

    /// Returns the constant vector of the problem: f for a global form, q for all other problems.
    #[must_use]
    pub fn q(&self) -> &[f64] {
        match self {
            Self::Lcp(problem) => problem.view().q(),
            Self::Mlcp(problem) => problem.view().q(),
            Self::Relay(problem) => problem.view().q(),
            Self::Contact(problem) => match problem.bodies() {
                Some(bodies) => slice(&bodies.f),
                None => problem.q(),
            },
            Self::Gmp(problem) => problem.q(),
        }
    }
}
