//! Linear relations of Lagrangian systems: y = H q + b + D lambda.

use ndarray::Array1;
use siconos_expression::Expression;
use siconos_kernel::model::LagrangianLinearRelation;

use super::super::table_writer::TableWriter;
use super::super::values::{Grid, Stored, evaluated, matrix, row_count, sized, stored};
use super::RelationInput;
use crate::document::{Diagnostics, Form, Key, Value, needed, optional};

pub(super) const KEYS: [Key; 4] = [
    needed("kind", Form::Word(&["lagrangian_linear"]), "y = H q + b + D lambda"),
    needed("H", Form::Matrix, "H, constant: a row for each component of y, a column for each coordinate"),
    optional("offset", Form::Vector, "b, constant; default 0"),
    optional("compliance", Form::Matrix, "D, constant; default 0"),
];

/// Description of the relation in a file.
#[derive(Debug)]
pub(in super::super) struct LinearRelationDescription {
    h: Stored,
    offset: Option<Vec<Expression>>,
    compliance: Option<Grid>,
}

pub(super) fn read(
    parts: RelationInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<LinearRelationDescription> {
    let columns = parts.columns();
    let RelationInput { table, span, scopes, .. } = parts;
    let scope = &scopes.parameters;
    let [_, h, offset, compliance] = table.keyed(&KEYS, &span, diagnostics);
    let size = h.as_ref().and_then(row_count);
    let h = h.and_then(|h| stored(&h, (None, columns), scope, diagnostics));
    let offset = match offset {
        Some(offset) => sized(&offset, size, scope, diagnostics).map(Some),
        None => Some(None),
    };
    let compliance = match compliance {
        Some(compliance) => matrix(&compliance, (size, size), scope, diagnostics).map(Some),
        None => Some(None),
    };
    Some(LinearRelationDescription { h: h?, offset: offset?, compliance: compliance? })
}

impl LinearRelationDescription {
    /// Returns `true` if the relation has the term D lambda.
    pub(super) fn is_compliant(&self) -> bool {
        self.compliance.is_some()
    }

    pub(super) fn size(&self) -> usize {
        self.h.rows
    }

    pub(super) fn build(&self, parameters: &[f64]) -> Option<LagrangianLinearRelation> {
        let mut relation = LagrangianLinearRelation::new(self.h.values(parameters)?);
        if let Some(offset) = &self.offset {
            relation = relation.with_offset(Array1::from(evaluated(offset, parameters)));
        }
        if let Some(compliance) = &self.compliance {
            relation = relation.with_compliance(compliance.values(parameters)?);
        }
        Some(relation)
    }
}

/// Writes the relation with the keys that the reader expects.
pub(super) fn write(own: &LagrangianLinearRelation, table_writer: &mut TableWriter<'_>) {
    let [kind, h, offset, compliance] = &KEYS;
    table_writer.put(kind, Value::of_text("lagrangian_linear"));
    table_writer.stored(h, own.h());
    if let Some(own) = own.offset() {
        table_writer.vector(offset, &own.to_vec());
    }
    if let Some(own) = own.compliance() {
        table_writer.matrix(compliance, own.view());
    }
}
