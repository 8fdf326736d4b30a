//! Where the functions of a built model come from: what lets it be written to a file again.

use siconos_expression::Expression;
use siconos_kernel::ModelError;
use siconos_kernel::model::{Origin, UserFunctions};

use super::registered::Registered;

/// The name of functions that follow from others: the derivatives of expressions, which a reader of the file
/// takes again.
pub(super) const DERIVED: &str = "derivative of the expressions";

/// Says of each function of an object which expressions it is made of: those that `text` knows by the name of
/// the function, all others being derivatives of these.
///
/// # Errors
///
/// None that a user can cause.
pub(super) fn set<'e>(
    object: &mut impl UserFunctions,
    arguments: &[String],
    text: impl Fn(&str) -> Option<&'e [Expression]>,
) -> Result<(), ModelError> {
    let names: Vec<_> = object.functions().iter().map(|function| function.name).collect();
    for name in names {
        let origin = match text(name) {
            Some(entries) => {
                Origin::expressions(arguments.iter().cloned(), entries.iter().map(ToString::to_string))
            }
            None => Origin::registered(DERIVED),
        };
        object.set_origin(name, origin)?;
    }
    Ok(())
}

/// Says which functions of an object are those of a registry.
///
/// # Errors
///
/// None that a user can cause.
pub(super) fn set_registered<'r>(
    object: &mut impl UserFunctions,
    registered: impl IntoIterator<Item = (&'static str, &'r Registered)>,
) -> Result<(), ModelError> {
    registered.into_iter().try_for_each(|(name, own)| object.set_origin(name, Origin::registered(&own.name)))
}
