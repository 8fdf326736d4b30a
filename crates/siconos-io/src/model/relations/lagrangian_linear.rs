//! Linear relations of Lagrangian systems: y = H q + b + D lambda.

use ndarray::Array1;
use siconos_expression::Expression;
use siconos_kernel::model::LagrangianLinearRelation;

use super::super::sheet::Sheet;
use super::super::values::{Grid, Stored, evaluated, matrix, row_count, sized, stored};
use super::Parts;
use crate::document::{Faults, Form, Key, Value, needed, optional};

pub(super) const KEYS: [Key; 4] = [
    needed("kind", Form::Word(&["lagrangian_linear"]), "kind of the relation"),
    needed("H", Form::Matrix, "H, constant: a row for each component of y, a column for each coordinate"),
    optional("offset", Form::Vector, "b, constant; default 0"),
    optional("compliance", Form::Matrix, "D, constant; default 0"),
];

/// Description of the relation in a file.
#[derive(Debug)]
pub(in super::super) struct Described {
    h: Stored,
    offset: Option<Vec<Expression>>,
    compliance: Option<Grid>,
}

pub(super) fn read(parts: Parts<'_, '_>, faults: &mut Faults<'_>) -> Option<Described> {
    let columns = parts.columns();
    let Parts { table, span, scopes, .. } = parts;
    let scope = &scopes.parameters;
    let [_, h, offset, compliance] = table.keyed(&KEYS, &span, faults);
    let size = h.as_ref().and_then(row_count);
    let h = h.and_then(|h| stored(&h, (None, columns), scope, faults));
    let offset = match offset {
        Some(offset) => sized(&offset, size, scope, faults).map(Some),
        None => Some(None),
    };
    let compliance = match compliance {
        Some(compliance) => matrix(&compliance, (size, size), scope, faults).map(Some),
        None => Some(None),
    };
    Some(Described { h: h?, offset: offset?, compliance: compliance? })
}

impl Described {
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

/// Writes the relation with the keys by which it is read.
pub(super) fn write(own: &LagrangianLinearRelation, sheet: &mut Sheet<'_>) {
    let [kind, h, offset, compliance] = &KEYS;
    sheet.put(kind, Value::of_text("lagrangian_linear"));
    sheet.stored(h, own.h());
    if let Some(own) = own.offset() {
        sheet.vector(offset, &own.to_vec());
    }
    if let Some(own) = own.compliance() {
        sheet.matrix(compliance, own.view());
    }
}
