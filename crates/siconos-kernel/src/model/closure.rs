//! User-supplied functions, stored so that a model can be cloned and printed.

use std::sync::Arc;

use super::origin::Origin;

/// Shared function. Clones of a model share the function but have separate origins.
pub struct Closure<F: ?Sized>(pub Arc<F>, Option<Origin>);

impl<F: ?Sized> Closure<F> {
    /// Creates a user function of unknown origin.
    pub fn new(function: Arc<F>) -> Self {
        Self(function, Some(Origin::Unknown))
    }

    /// Wraps a function of this crate. It has no origin, because the data from which it is built are already
    /// listed as parts of the model.
    pub fn of_crate(function: Arc<F>) -> Self {
        Self(function, None)
    }

    /// Returns the origin of a user function, or `None` for a function of this crate.
    pub fn origin(&self) -> Option<&Origin> {
        self.1.as_ref()
    }

    /// Returns the origin of a user function; `Unknown` for a function of this crate.
    pub fn origin_or_unknown(&self) -> &Origin {
        self.origin().unwrap_or(&Origin::Unknown)
    }

    /// Returns `true` if both closures share one function object.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the origin for modification.
    pub fn origin_mut(&mut self) -> Option<&mut Origin> {
        self.1.as_mut()
    }
}

impl<F: ?Sized> Clone for Closure<F> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0), self.1.clone())
    }
}

impl<F: ?Sized> std::fmt::Debug for Closure<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("<function>")
    }
}
