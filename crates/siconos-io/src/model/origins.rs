//! Origins of the functions of a built model. An origin names the expressions or the registered function from
//! which a function was built. Origins are used to write a model to a file.

use siconos_expression::Expression;
use siconos_kernel::ModelError;
use siconos_kernel::model::{Origin, UserFunctions};

use super::registered::Registered;

/// Origin of functions that are derivatives of expressions. A reader of the file recomputes them.
pub(super) const DERIVED: &str = "derivative of the expressions";

/// Sets the origin of each function of an object. The origin consists of the expressions that `text` returns
/// for the name of the function, or is [`DERIVED`] if `text` returns `None`.
///
/// # Errors
///
/// If the kernel rejects an origin. No model file causes this error.
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

/// Sets the origins of those functions of an object that come from a registry.
///
/// # Errors
///
/// If the kernel rejects an origin. No model file causes this error.
pub(super) fn set_registered<'r>(
    object: &mut impl UserFunctions,
    registered: impl IntoIterator<Item = (&'static str, &'r Registered)>,
) -> Result<(), ModelError> {
    registered.into_iter().try_for_each(|(name, own)| object.set_origin(name, Origin::registered(&own.name)))
}
