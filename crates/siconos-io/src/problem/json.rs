//! The JSON format of problems. It can be written by hand and does not depend on the internal types.

use std::io::{Read, Write};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use siconos_numerics::ProblemError;
use siconos_numerics::lcp::LinearComplementarityProblem;
use siconos_numerics::mlcp::{MixedLinearComplementarityProblem, MlcpRow};
use siconos_numerics::relay::BoxComplementarityProblem;

use super::json_contact::{self, Written as WrittenContact};
use super::json_gmp::{self, Law, written_laws};
use super::json_matrix::{ReadMatrix, WrittenMatrix, written_matrix};
use super::{Problem, ProblemClass, ProblemFileError, ProblemFileErrorKind as Kind, TextPosition};

/// Problem as it is written to a JSON file.
#[derive(Serialize)]
#[serde(tag = "class", rename_all = "lowercase")]
enum Written<'a> {
    Lcp {
        m: WrittenMatrix<'a>,
        q: &'a [f64],
    },
    Mlcp {
        m: WrittenMatrix<'a>,
        q: &'a [f64],
        rows: Vec<Row>,
    },
    Relay {
        m: WrittenMatrix<'a>,
        q: &'a [f64],
        lower: Vec<Option<f64>>,
        upper: Vec<Option<f64>>,
    },
    Gmp {
        m: WrittenMatrix<'a>,
        q: &'a [f64],
        laws: Vec<Law>,
    },
    /// Contact problem. [`WrittenContact`] contains the class, which depends on the law.
    #[serde(untagged)]
    Contact(WrittenContact<'a>),
}

/// The field `class`, which is read first because the other fields depend on it.
#[derive(Deserialize)]
#[serde(expecting = "a problem, as in {\"class\": \"lcp\", ..}")]
struct Tagged {
    class: ProblemClass,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LcpFields {
    #[serde(rename = "class")]
    _class: IgnoredAny,
    m: ReadMatrix,
    q: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MlcpFields {
    #[serde(rename = "class")]
    _class: IgnoredAny,
    m: ReadMatrix,
    q: Vec<f64>,
    rows: Vec<Row>,
}

/// Fields of a relay problem. A bound that is `null` is infinite.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RelayFields {
    #[serde(rename = "class")]
    _class: IgnoredAny,
    m: ReadMatrix,
    q: Vec<f64>,
    lower: Vec<Option<f64>>,
    upper: Vec<Option<f64>>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Row {
    Equality,
    Complementarity,
}

impl From<Row> for MlcpRow {
    fn from(row: Row) -> Self {
        match row {
            Row::Equality => Self::Equality,
            Row::Complementarity => Self::Complementarity,
        }
    }
}

impl From<MlcpRow> for Row {
    fn from(row: MlcpRow) -> Self {
        match row {
            MlcpRow::Equality => Self::Equality,
            MlcpRow::Complementarity => Self::Complementarity,
        }
    }
}

impl Problem {
    /// Reads the JSON format (see [`problem`](super)).
    ///
    /// # Errors
    ///
    /// If the text is not valid JSON or does not have the fields of a problem ([`Kind::Json`], with line and
    /// column), the data are inconsistent ([`Kind::Problem`]), or the reader fails.
    pub fn from_json(mut reader: impl Read) -> Result<Self, ProblemFileError> {
        let mut text = Vec::new();
        reader.read_to_end(&mut text).map_err(ProblemFileError::reading)?;
        let Tagged { class } = parse(&text)?;
        read_fields(&text, class)
    }

    /// Writes the JSON format, on one line. Reading it again gives an identical problem, bit for bit.
    ///
    /// # Errors
    ///
    /// If the writer fails ([`Kind::Io`]), or the format does not support a law
    /// ([`Kind::UnsupportedStorage`]).
    pub fn to_json(&self, mut writer: impl Write) -> Result<(), ProblemFileError> {
        let (m, q) = (written_matrix(self.m()), self.q());
        let finite = |bounds: &[f64]| bounds.iter().map(|b| b.is_finite().then_some(*b)).collect();
        let written = match self {
            Self::Lcp(_) => Written::Lcp { m, q },
            Self::Mlcp(problem) => {
                Written::Mlcp { m, q, rows: problem.view().rows().iter().copied().map(Row::from).collect() }
            }
            Self::Relay(problem) => {
                let problem = problem.view();
                Written::Relay { m, q, lower: finite(problem.lower()), upper: finite(problem.upper()) }
            }
            Self::Contact(problem) => Written::Contact(WrittenContact::of(self.class(), problem)?),
            Self::Gmp(problem) => Written::Gmp { m, q, laws: written_laws(problem)? },
        };
        serde_json::to_writer(&mut writer, &written).map_err(|error| Kind::Io(error.into()))?;
        writeln!(writer)?;
        Ok(writer.flush()?)
    }
}

fn read_fields(text: &[u8], class: ProblemClass) -> Result<Problem, ProblemFileError> {
    let wrong = |error: ProblemError| ProblemFileError::from(Kind::Problem(error));
    Ok(match class {
        ProblemClass::Lcp => {
            let LcpFields { m, q, .. } = parse(text)?;
            LinearComplementarityProblem::new(m, q.into()).map_err(wrong)?.into()
        }
        ProblemClass::Mlcp => {
            let MlcpFields { m, q, rows, .. } = parse(text)?;
            let rows = rows.into_iter().map(MlcpRow::from).collect();
            MixedLinearComplementarityProblem::new(m, q.into(), rows).map_err(wrong)?.into()
        }
        ProblemClass::Relay => {
            let RelayFields { m, q, lower, upper, .. } = parse(text)?;
            let or =
                |bounds: Vec<Option<f64>>, none: f64| bounds.into_iter().map(|b| b.unwrap_or(none)).collect();
            let (lower, upper) = (or(lower, f64::NEG_INFINITY), or(upper, f64::INFINITY));
            BoxComplementarityProblem::new(m, q.into(), lower, upper).map_err(wrong)?.into()
        }
        ProblemClass::Fc2d => json_contact::local(2, parse(text)?).map_err(wrong)?.into(),
        ProblemClass::Fc3d => json_contact::local(3, parse(text)?).map_err(wrong)?.into(),
        ProblemClass::Gfc2d => json_contact::global(2, parse(text)?).map_err(wrong)?.into(),
        ProblemClass::Gfc3d => json_contact::global(3, parse(text)?).map_err(wrong)?.into(),
        ProblemClass::Rolling => json_contact::rolling(parse(text)?).map_err(wrong)?.into(),
        ProblemClass::Grolling => json_contact::global_rolling(parse(text)?).map_err(wrong)?.into(),
        ProblemClass::Soclcp => json_contact::second_order(parse(text)?).map_err(wrong)?.into(),
        ProblemClass::Gmp => json_gmp::gmp(parse(text)?).map_err(wrong)?.into(),
    })
}

fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T, ProblemFileError> {
    serde_json::from_slice(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        let place = format!(" at line {line} column {column}");
        let message = message.strip_suffix(&place).unwrap_or(&message).to_owned();
        ProblemFileError::at(TextPosition { line, column: column.max(1) }, Kind::Json { message })
    })
}
