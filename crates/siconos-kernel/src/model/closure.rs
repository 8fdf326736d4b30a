//! The functions that users supply, stored so that a model can be cloned and printed.

use std::sync::Arc;

use super::origin::Origin;

/// A shared function; two clones of a model share it. Each has an origin of its own.
pub struct Closure<F: ?Sized>(pub Arc<F>, Option<Origin>);

impl<F: ?Sized> Closure<F> {
    /// A function of the user.
    pub fn new(function: Arc<F>) -> Self {
        Self(function, Some(Origin::Unknown))
    }

    /// A function of this crate, made of data that are listed elsewhere.
    pub fn of_crate(function: Arc<F>) -> Self {
        Self(function, None)
    }

    /// Where it comes from, if it is one of the user.
    pub fn origin(&self) -> Option<&Origin> {
        self.1.as_ref()
    }

    /// Where a function comes from that is one of the user in any case.
    pub fn origin_or_unknown(&self) -> &Origin {
        self.origin().unwrap_or(&Origin::Unknown)
    }

    /// Whether both are the same object.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Its origin, to be set.
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
