//! Matrices in the JSON format.

use std::fmt;

use ndarray::{Array1, Array2};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use siconos_linalg::{BlockCsr, Csc, Matrix, MatrixRef};

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WrittenMatrix<'a> {
    Dense(Vec<Vec<f64>>),
    Diagonal(Vec<f64>),
    BlockCsr(&'a BlockCsr),
    Csc(&'a Csc),
}

/// Matrix in one of its forms, or as a list of rows.
pub(super) struct ReadMatrix(Form);

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Form {
    Dense(DenseRows),
    Diagonal(Vec<f64>),
    BlockCsr(BlockCsr),
    Csc(Csc),
}

impl<'de> Deserialize<'de> for ReadMatrix {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MatrixVisitor).map(Self)
    }
}

struct MatrixVisitor;

impl<'de> Visitor<'de> for MatrixVisitor {
    type Value = Form;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(
            "a matrix: a list of rows, or an object with `dense`, `diagonal`, `csc` or `block_csr`",
        )
    }

    fn visit_seq<A: SeqAccess<'de>>(self, rows: A) -> Result<Form, A::Error> {
        DenseRows::deserialize(SeqAccessDeserializer::new(rows)).map(Form::Dense)
    }

    fn visit_map<A: MapAccess<'de>>(self, form: A) -> Result<Form, A::Error> {
        Form::deserialize(MapAccessDeserializer::new(form))
    }
}

/// Dense matrix as a list of rows of equal length.
#[derive(Deserialize)]
#[serde(try_from = "Vec<Vec<f64>>")]
struct DenseRows(Array2<f64>);

impl TryFrom<Vec<Vec<f64>>> for DenseRows {
    type Error = String;

    fn try_from(rows: Vec<Vec<f64>>) -> Result<Self, String> {
        let columns = rows.first().map_or(0, Vec::len);
        if let Some(i) = rows.iter().position(|row| row.len() != columns) {
            let found = rows[i].len();
            return Err(format!("row {i} of a dense matrix has {found} entries, but row 0 has {columns}"));
        }
        let entries = rows.iter().flatten().copied().collect();
        Array2::from_shape_vec((rows.len(), columns), entries).map(Self).map_err(|error| error.to_string())
    }
}

impl ReadMatrix {
    /// Returns the matrix. If the list of rows is empty, the matrix has `columns` columns.
    pub(super) fn with_columns(self, columns: usize) -> Matrix {
        match self.0 {
            Form::Dense(DenseRows(a)) if a.nrows() == 0 => Array2::zeros((0, columns)).into(),
            form => Self(form).into(),
        }
    }
}

impl From<ReadMatrix> for Matrix {
    fn from(ReadMatrix(form): ReadMatrix) -> Self {
        match form {
            Form::Dense(DenseRows(a)) => a.into(),
            Form::Diagonal(d) => Array1::from(d).into(),
            Form::BlockCsr(a) => a.into(),
            Form::Csc(a) => a.into(),
        }
    }
}

pub(super) fn written_matrix(m: MatrixRef<'_>) -> WrittenMatrix<'_> {
    match m {
        MatrixRef::Dense(a) => WrittenMatrix::Dense(a.rows().into_iter().map(|row| row.to_vec()).collect()),
        MatrixRef::Diagonal(d) => WrittenMatrix::Diagonal(d.to_vec()),
        MatrixRef::BlockCsr(a) => WrittenMatrix::BlockCsr(a),
        MatrixRef::Csc(a) => WrittenMatrix::Csc(a),
    }
}
