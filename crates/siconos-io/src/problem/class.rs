//! A problem of any class, and the names of the classes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use siconos_numerics::contact::{
    FrictionContactProblem, GlobalFrictionProblem, GlobalRollingProblem, RollingFrictionProblem,
    SecondOrderConeProblem,
};
use siconos_numerics::gmp::GenericMechanicalProblem;
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
/// assert!("friction".parse::<ProblemClass>().unwrap_err().to_string().contains("lcp, mlcp, relay, fc2d, fc3d"));
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
    /// Complementarity over second-order cones.
    Soclcp,
    /// Blocks of different laws.
    Gmp,
}

impl ProblemClass {
    /// Every class.
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

    /// The name.
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
    /// Contact with friction in the plane.
    Fc2d(FrictionContactProblem<2>),
    /// Contact with friction in space.
    Fc3d(FrictionContactProblem<3>),
    /// Contact with friction in the plane, in global form.
    Gfc2d(GlobalFrictionProblem<2>),
    /// Contact with friction in space, in global form.
    Gfc3d(GlobalFrictionProblem<3>),
    /// Contact with rolling friction in the plane, blocks (N, T, R).
    Rolling2d(RollingFrictionProblem<3>),
    /// Contact with rolling friction in space, blocks (N, T1, T2, R1, R2).
    Rolling3d(RollingFrictionProblem<5>),
    /// Contact with rolling friction in the plane, in global form.
    Grolling2d(GlobalRollingProblem<3>),
    /// Contact with rolling friction in space, in global form.
    Grolling3d(GlobalRollingProblem<5>),
    /// Complementarity over second-order cones.
    Soclcp(SecondOrderConeProblem),
    /// Blocks of different laws.
    Gmp(GenericMechanicalProblem),
}

impl Problem {
    /// The class.
    #[must_use]
    pub fn class(&self) -> ProblemClass {
        match self {
            Self::Lcp(_) => ProblemClass::Lcp,
            Self::Mlcp(_) => ProblemClass::Mlcp,
            Self::Relay(_) => ProblemClass::Relay,
            Self::Fc2d(_) => ProblemClass::Fc2d,
            Self::Fc3d(_) => ProblemClass::Fc3d,
            Self::Gfc2d(_) => ProblemClass::Gfc2d,
            Self::Gfc3d(_) => ProblemClass::Gfc3d,
            Self::Rolling2d(_) | Self::Rolling3d(_) => ProblemClass::Rolling,
            Self::Grolling2d(_) | Self::Grolling3d(_) => ProblemClass::Grolling,
            Self::Soclcp(_) => ProblemClass::Soclcp,
            Self::Gmp(_) => ProblemClass::Gmp,
        }
    }

    /// The number of unknowns; of a global form, the velocities of the bodies.
    #[must_use]
    pub fn size(&self) -> usize {
        self.q().len()
    }

    /// The square matrix: M, or W of a local contact problem.
    #[must_use]
    pub fn m(&self) -> MatrixRef<'_> {
        match self {
            Self::Lcp(problem) => problem.view().m(),
            Self::Mlcp(problem) => problem.view().m(),
            Self::Relay(problem) => problem.view().m(),
            Self::Fc2d(problem) => problem.w().view(),
            Self::Fc3d(problem) => problem.w().view(),
            Self::Gfc2d(problem) => problem.m(),
            Self::Gfc3d(problem) => problem.m(),
            Self::Rolling2d(problem) => problem.w().view(),
            Self::Rolling3d(problem) => problem.w().view(),
            Self::Grolling2d(problem) => problem.m(),
            Self::Grolling3d(problem) => problem.m(),
            Self::Soclcp(problem) => problem.m().view(),
            Self::Gmp(problem) => problem.m(),
        }
    }

    /// The vector that goes with [`m`](Self::m): q, or f of a global form.
    #[must_use]
    pub fn q(&self) -> &[f64] {
        match self {
            Self::Lcp(problem) => problem.view().q(),
            Self::Mlcp(problem) => problem.view().q(),
            Self::Relay(problem) => problem.view().q(),
            Self::Fc2d(problem) => problem.q(),
            Self::Fc3d(problem) => problem.q(),
            Self::Gfc2d(problem) => problem.f(),
            Self::Gfc3d(problem) => problem.f(),
            Self::Rolling2d(problem) => problem.q(),
            Self::Rolling3d(problem) => problem.q(),
            Self::Grolling2d(problem) => problem.f(),
            Self::Grolling3d(problem) => problem.f(),
            Self::Soclcp(problem) => problem.q(),
            Self::Gmp(problem) => problem.q(),
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

impl From<FrictionContactProblem<2>> for Problem {
    fn from(problem: FrictionContactProblem<2>) -> Self {
        Self::Fc2d(problem)
    }
}

impl From<FrictionContactProblem<3>> for Problem {
    fn from(problem: FrictionContactProblem<3>) -> Self {
        Self::Fc3d(problem)
    }
}

impl From<GlobalFrictionProblem<2>> for Problem {
    fn from(problem: GlobalFrictionProblem<2>) -> Self {
        Self::Gfc2d(problem)
    }
}

impl From<GlobalFrictionProblem<3>> for Problem {
    fn from(problem: GlobalFrictionProblem<3>) -> Self {
        Self::Gfc3d(problem)
    }
}

impl From<RollingFrictionProblem<3>> for Problem {
    fn from(problem: RollingFrictionProblem<3>) -> Self {
        Self::Rolling2d(problem)
    }
}

impl From<RollingFrictionProblem<5>> for Problem {
    fn from(problem: RollingFrictionProblem<5>) -> Self {
        Self::Rolling3d(problem)
    }
}

impl From<GlobalRollingProblem<3>> for Problem {
    fn from(problem: GlobalRollingProblem<3>) -> Self {
        Self::Grolling2d(problem)
    }
}

impl From<GlobalRollingProblem<5>> for Problem {
    fn from(problem: GlobalRollingProblem<5>) -> Self {
        Self::Grolling3d(problem)
    }
}

impl From<SecondOrderConeProblem> for Problem {
    fn from(problem: SecondOrderConeProblem) -> Self {
        Self::Soclcp(problem)
    }
}

impl From<GenericMechanicalProblem> for Problem {
    fn from(problem: GenericMechanicalProblem) -> Self {
        Self::Gmp(problem)
    }
}
