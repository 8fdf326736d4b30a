//! Generic mechanical problems (blocks with different laws) in the JSON format.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use siconos_numerics::ProblemError;
use siconos_numerics::gmp::{GenericMechanicalProblem, MechanicalLaw};

use super::json_coefficients::Coefficient;
use super::json_matrix::ReadMatrix;
use super::{ProblemFileError, ProblemFileErrorKind as Kind};

/// Law of a block. A bound that is `null` is infinite.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Law {
    Equality { size: usize },
    Complementarity { size: usize },
    Relay { lower: Vec<Option<f64>>, upper: Vec<Option<f64>> },
    Friction2 { mu: Coefficient },
    Friction3 { mu: Coefficient },
    Rolling3 { mu: Coefficient, mu_rolling: Coefficient },
    Rolling5 { mu: Coefficient, mu_rolling: Coefficient },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GmpFields {
    #[serde(rename = "class")]
    _class: IgnoredAny,
    m: ReadMatrix,
    q: Vec<f64>,
    laws: Vec<Law>,
}

pub(super) fn gmp(fields: GmpFields) -> Result<GenericMechanicalProblem, ProblemError> {
    let laws = fields.laws.into_iter().map(MechanicalLaw::from).collect();
    GenericMechanicalProblem::new(fields.m, fields.q.into(), laws)
}

pub(super) fn written_laws(problem: &GenericMechanicalProblem) -> Result<Vec<Law>, ProblemFileError> {
    problem.laws().iter().map(Law::of).collect()
}

impl Law {
    fn of(law: &MechanicalLaw) -> Result<Self, ProblemFileError> {
        let finite = |bounds: &[f64]| bounds.iter().map(|b| b.is_finite().then_some(*b)).collect();
        Ok(match law {
            MechanicalLaw::Equality { size } => Self::Equality { size: *size },
            MechanicalLaw::Complementarity { size } => Self::Complementarity { size: *size },
            MechanicalLaw::Relay { lower, upper } => {
                Self::Relay { lower: finite(lower), upper: finite(upper) }
            }
            MechanicalLaw::Friction2 { mu } => Self::Friction2 { mu: Coefficient(*mu) },
            MechanicalLaw::Friction3 { mu } => Self::Friction3 { mu: Coefficient(*mu) },
            MechanicalLaw::Rolling3 { mu, mu_rolling } => {
                Self::Rolling3 { mu: Coefficient(*mu), mu_rolling: Coefficient(*mu_rolling) }
            }
            MechanicalLaw::Rolling5 { mu, mu_rolling } => {
                Self::Rolling5 { mu: Coefficient(*mu), mu_rolling: Coefficient(*mu_rolling) }
            }
            _ => return Err(Kind::UnsupportedStorage { storage: "one of the laws" }.into()),
        })
    }
}

impl From<Law> for MechanicalLaw {
    fn from(law: Law) -> Self {
        let or =
            |bounds: Vec<Option<f64>>, none: f64| bounds.into_iter().map(|b| b.unwrap_or(none)).collect();
        match law {
            Law::Equality { size } => Self::Equality { size },
            Law::Complementarity { size } => Self::Complementarity { size },
            Law::Relay { lower, upper } => {
                Self::Relay { lower: or(lower, f64::NEG_INFINITY), upper: or(upper, f64::INFINITY) }
            }
            Law::Friction2 { mu: Coefficient(mu) } => Self::Friction2 { mu },
            Law::Friction3 { mu: Coefficient(mu) } => Self::Friction3 { mu },
            Law::Rolling3 { mu: Coefficient(mu), mu_rolling: Coefficient(mu_rolling) } => {
                Self::Rolling3 { mu, mu_rolling }
            }
            Law::Rolling5 { mu: Coefficient(mu), mu_rolling: Coefficient(mu_rolling) } => {
                Self::Rolling5 { mu, mu_rolling }
            }
        }
    }
}
