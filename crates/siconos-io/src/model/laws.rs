//! Nonsmooth laws: under a name of their own, or in the interaction.

use siconos_expression::Scope;
use siconos_kernel::model::{
    ComplementarityCondition, EqualityCondition, NonSmoothLaw,
};

use crate::document::{Faults, Node, Value, settings};

/// Laws whose size may be left out, which is then that of the relation.
const SIZED: [(&str, fn(usize) -> Option<NonSmoothLaw>); 2] = [
    ("complementarity", |size| ComplementarityCondition::new(size).ok().map(Into::into)),
    ("equality", |size| EqualityCondition::new(size).ok().map(Into::into)),
];

/// Reads a law for a relation of a size.
pub(super) fn read(
    value: &Value<'_>,
    size: usize,
    constants: &Scope,
    faults: &mut Faults<'_>,
) -> Option<NonSmoothLaw> {
    if let Some(law) = of_relation(value, size) {
        return Some(law);
    }
    let law: NonSmoothLaw = settings(value, constants, faults)?;
    let block = law.size();
    if size % block != 0 {
        let message = format_args!("blocks of {block} components do not fit into a relation of {size}");
        faults.note(&value.span, message);
        return None;
    }
    Some(law)
}

/// A law of the size of the relation, where none is given.
fn of_relation(value: &Value<'_>, size: usize) -> Option<NonSmoothLaw> {
    let word = match &value.node {
        Node::Text(word) => &word.content,
        Node::Table(table) => match &table.entries[..] {
            [only] if only.key == "kind" => match &only.value.node {
                Node::Text(word) => &word.content,
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    };
    SIZED.iter().find(|(known, _)| known == word).and_then(|(_, of)| of(size))
}
