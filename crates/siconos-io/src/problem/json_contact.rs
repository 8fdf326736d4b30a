//! The contact problems of the JSON format: their fields, and the problems made of them.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use siconos_numerics::ProblemError;
use siconos_numerics::contact::{
    FrictionContactProblem, GlobalFrictionProblem, GlobalRollingProblem, RollingFrictionProblem,
    SecondOrderConeProblem,
};

use super::json_matrix::{ReadMatrix, WrittenMatrix, written_matrix};
use super::{Problem, ProblemFileError, json_coefficients};

#[derive(Serialize)]
pub(super) struct WrittenLocal<'a> {
    pub(super) w: WrittenMatrix<'a>,
    pub(super) q: &'a [f64],
    #[serde(serialize_with = "json_coefficients::serialize")]
    pub(super) mu: &'a [f64],
}

#[derive(Serialize)]
pub(super) struct WrittenRolling<'a> {
    dimension: usize,
    w: WrittenMatrix<'a>,
    q: &'a [f64],
    #[serde(serialize_with = "json_coefficients::serialize")]
    mu: &'a [f64],
    #[serde(serialize_with = "json_coefficients::serialize")]
    mu_rolling: &'a [f64],
}

impl<'a> WrittenRolling<'a> {
    pub(super) fn of<const D: usize>(
        problem: &'a RollingFrictionProblem<D>,
    ) -> Result<Self, ProblemFileError> {
        let (w, q) = (written_matrix(problem.w().view())?, problem.q());
        Ok(Self { dimension: D, w, q, mu: problem.mu(), mu_rolling: problem.mu_rolling() })
    }
}

#[derive(Serialize)]
pub(super) struct WrittenGlobal<'a> {
    m: WrittenMatrix<'a>,
    h: WrittenMatrix<'a>,
    f: &'a [f64],
    w: &'a [f64],
    #[serde(serialize_with = "json_coefficients::serialize")]
    mu: &'a [f64],
}

impl<'a> WrittenGlobal<'a> {
    pub(super) fn of<const D: usize>(
        problem: &'a GlobalFrictionProblem<D>,
    ) -> Result<Self, ProblemFileError> {
        let (m, h) = (written_matrix(problem.m())?, written_matrix(problem.h())?);
        Ok(Self { m, h, f: problem.f(), w: problem.w(), mu: problem.mu() })
    }
}

#[derive(Serialize)]
pub(super) struct WrittenGlobalRolling<'a> {
    dimension: usize,
    m: WrittenMatrix<'a>,
    h: WrittenMatrix<'a>,
    f: &'a [f64],
    w: &'a [f64],
    #[serde(serialize_with = "json_coefficients::serialize")]
    mu: &'a [f64],
    #[serde(serialize_with = "json_coefficients::serialize")]
    mu_rolling: &'a [f64],
}

impl<'a> WrittenGlobalRolling<'a> {
    pub(super) fn of<const D: usize>(problem: &'a GlobalRollingProblem<D>) -> Result<Self, ProblemFileError> {
        let (m, h) = (written_matrix(problem.m())?, written_matrix(problem.h())?);
        let (mu, mu_rolling) = (problem.mu(), problem.mu_rolling());
        Ok(Self { dimension: D, m, h, f: problem.f(), w: problem.w(), mu, mu_rolling })
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
    dimension: RollingDimension,
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
    dimension: RollingDimension,
    m: ReadMatrix,
    h: ReadMatrix,
    f: Vec<f64>,
    w: Vec<f64>,
    #[serde(deserialize_with = "json_coefficients::deserialize")]
    mu: Vec<f64>,
    #[serde(deserialize_with = "json_coefficients::deserialize")]
    mu_rolling: Vec<f64>,
}

/// The size of the blocks.
#[derive(Deserialize)]
#[serde(try_from = "usize")]
enum RollingDimension {
    Plane,
    Space,
}

impl TryFrom<usize> for RollingDimension {
    type Error = String;

    fn try_from(dimension: usize) -> Result<Self, String> {
        match dimension {
            3 => Ok(Self::Plane),
            5 => Ok(Self::Space),
            other => Err(format!("the dimension of rolling friction is 3 (plane) or 5 (space), not {other}")),
        }
    }
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

pub(super) fn local<const D: usize>(fields: LocalFields) -> Result<FrictionContactProblem<D>, ProblemError> {
    FrictionContactProblem::new(fields.w, fields.q.into(), fields.mu.into())
}

pub(super) fn global<const D: usize>(fields: GlobalFields) -> Result<GlobalFrictionProblem<D>, ProblemError> {
    let GlobalFields { m, h, f, w, mu, .. } = fields;
    let h = h.with_columns(w.len());
    GlobalFrictionProblem::new(m, h, f.into(), w.into(), mu.into())
}

pub(super) fn rolling(fields: RollingFields) -> Result<Problem, ProblemError> {
    let RollingFields { dimension, w, q, mu, mu_rolling, .. } = fields;
    let (q, mu, mu_rolling) = (q.into(), mu.into(), mu_rolling.into());
    Ok(match dimension {
        RollingDimension::Plane => RollingFrictionProblem::<3>::new(w, q, mu, mu_rolling)?.into(),
        RollingDimension::Space => RollingFrictionProblem::<5>::new(w, q, mu, mu_rolling)?.into(),
    })
}

pub(super) fn global_rolling(fields: GlobalRollingFields) -> Result<Problem, ProblemError> {
    let GlobalRollingFields { dimension, m, h, f, w, mu, mu_rolling, .. } = fields;
    let h = h.with_columns(w.len());
    let (f, w, mu, mu_rolling) = (f.into(), w.into(), mu.into(), mu_rolling.into());
    Ok(match dimension {
        RollingDimension::Plane => GlobalRollingProblem::<3>::new(m, h, f, w, mu, mu_rolling)?.into(),
        RollingDimension::Space => GlobalRollingProblem::<5>::new(m, h, f, w, mu, mu_rolling)?.into(),
    })
}

pub(super) fn second_order(fields: SecondOrderFields) -> Result<SecondOrderConeProblem, ProblemError> {
    SecondOrderConeProblem::new(fields.m, fields.q.into(), fields.starts, fields.tau.into())
}
