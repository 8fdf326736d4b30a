//! Contact problems in the JSON format.

use serde::de::{Error, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize};
use siconos_linalg::slice;
use siconos_numerics::ProblemError;
use siconos_numerics::contact::{BodiesData, ContactData, ContactLaw, ContactLawData, OperatorData};

use super::json_matrix::{ReadMatrix, WrittenMatrix, written_matrix};
use super::{ProblemClass, ProblemFileError, ProblemFileErrorKind as Kind, json_coefficients};

/// Fields of a contact problem of any class. For second-order cones, the matrix is `m` and the vector is `q`.
#[derive(Serialize)]
pub(super) struct Written<'a> {
    class: ProblemClass,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimension: Option<usize>,
    #[serde(flatten)]
    data: WrittenData<'a>,
    #[serde(flatten)]
    law: WrittenLaw<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum WrittenData<'a> {
    Local { w: WrittenMatrix<'a>, q: &'a [f64] },
    Global { m: WrittenMatrix<'a>, h: WrittenMatrix<'a>, f: &'a [f64], w: &'a [f64] },
    Cones { m: WrittenMatrix<'a>, q: &'a [f64] },
}

#[derive(Serialize)]
#[serde(untagged)]
enum WrittenLaw<'a> {
    Coulomb {
        #[serde(serialize_with = "json_coefficients::serialize")]
        mu: &'a [f64],
    },
    Rolling {
        #[serde(serialize_with = "json_coefficients::serialize")]
        mu: &'a [f64],
        #[serde(serialize_with = "json_coefficients::serialize")]
        mu_rolling: &'a [f64],
    },
    Cones {
        starts: &'a [usize],
        tau: &'a [f64],
    },
}

impl<'a> Written<'a> {
    pub(super) fn of(class: ProblemClass, problem: &'a ContactData) -> Result<Self, ProblemFileError> {
        let q = problem.q();
        let data = match (problem.operator(), problem.law()) {
            (OperatorData::Delassus(w), ContactLaw::SecondOrder { .. }) => {
                WrittenData::Cones { m: written_matrix(w.view()), q }
            }
            (OperatorData::Delassus(w), _) => WrittenData::Local { w: written_matrix(w.view()), q },
            (OperatorData::Bodies(bodies), _) => WrittenData::Global {
                m: written_matrix(bodies.m.view()),
                h: written_matrix(bodies.h.view()),
                f: slice(&bodies.f),
                w: slice(&bodies.w),
            },
        };
        // The class determines the dimension of Coulomb's law.
        let (dimension, law) = match problem.law() {
            ContactLaw::Coulomb { mu, .. } => (None, WrittenLaw::Coulomb { mu }),
            ContactLaw::Rolling { dimension, mu, mu_rolling } => {
                (Some(dimension), WrittenLaw::Rolling { mu, mu_rolling })
            }
            ContactLaw::SecondOrder { starts, tau } => (None, WrittenLaw::Cones { starts, tau }),
            _ => return Err(Kind::UnsupportedStorage { storage: "the law" }.into()),
        };
        Ok(Self { class, dimension, data, law })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LocalFields {
    #[serde(rename = "class")]
    _class: IgnoredAny,
    w: ReadMatrix,
    q: Vec<f64>,
    #[serde(deserialize_with = "json_coefficients::deserialize")]
    mu: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GlobalFields {
    #[serde(rename = "class")]
    _class: IgnoredAny,
    m: ReadMatrix,
    h: ReadMatrix,
    f: Vec<f64>,
    w: Vec<f64>,
    #[serde(deserialize_with = "json_coefficients::deserialize")]
    mu: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RollingFields {
    #[serde(rename = "class")]
    _class: IgnoredAny,
    #[serde(deserialize_with = "plane_or_space")]
    dimension: usize,
    w: ReadMatrix,
    q: Vec<f64>,
    #[serde(deserialize_with = "json_coefficients::deserialize")]
    mu: Vec<f64>,
    #[serde(deserialize_with = "json_coefficients::deserialize")]
    mu_rolling: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GlobalRollingFields {
    #[serde(rename = "class")]
    _class: IgnoredAny,
    #[serde(deserialize_with = "plane_or_space")]
    dimension: usize,
    m: ReadMatrix,
    h: ReadMatrix,
    f: Vec<f64>,
    w: Vec<f64>,
    #[serde(deserialize_with = "json_coefficients::deserialize")]
    mu: Vec<f64>,
    #[serde(deserialize_with = "json_coefficients::deserialize")]
    mu_rolling: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SecondOrderFields {
    #[serde(rename = "class")]
    _class: IgnoredAny,
    m: ReadMatrix,
    q: Vec<f64>,
    starts: Vec<usize>,
    tau: Vec<f64>,
}

/// Reads the block size of rolling friction: 3 in the plane, 5 in space.
fn plane_or_space<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    match usize::deserialize(deserializer)? {
        dimension @ (3 | 5) => Ok(dimension),
        other => {
            let message =
                format!("the dimension of rolling friction must be 3 (plane) or 5 (space), not {other}");
            Err(D::Error::custom(message))
        }
    }
}

pub(super) fn local(dimension: usize, fields: LocalFields) -> Result<ContactData, ProblemError> {
    ContactData::new(fields.w, fields.q.into(), ContactLawData::coulomb(dimension, fields.mu))
}

pub(super) fn global(dimension: usize, fields: GlobalFields) -> Result<ContactData, ProblemError> {
    let GlobalFields { m, h, f, w, mu, .. } = fields;
    let h = h.with_columns(w.len());
    let bodies = BodiesData { m: m.into(), h, f: f.into(), w: w.into() };
    ContactData::of_bodies(bodies, ContactLawData::coulomb(dimension, mu))
}

pub(super) fn rolling(fields: RollingFields) -> Result<ContactData, ProblemError> {
    let RollingFields { dimension, w, q, mu, mu_rolling, .. } = fields;
    ContactData::new(w, q.into(), ContactLawData::rolling(dimension, mu, mu_rolling))
}

pub(super) fn global_rolling(fields: GlobalRollingFields) -> Result<ContactData, ProblemError> {
    let GlobalRollingFields { dimension, m, h, f, w, mu, mu_rolling, .. } = fields;
    let h = h.with_columns(w.len());
    let bodies = BodiesData { m: m.into(), h, f: f.into(), w: w.into() };
    ContactData::of_bodies(bodies, ContactLawData::rolling(dimension, mu, mu_rolling))
}

pub(super) fn second_order(fields: SecondOrderFields) -> Result<ContactData, ProblemError> {
    let SecondOrderFields { m, q, starts, tau, .. } = fields;
    ContactData::new(m, q.into(), ContactLawData::SecondOrder { starts, tau })
}
