//! The functions that users supply, stored so that a model can be cloned and printed.

use std::sync::Arc;

/// A shared function of the user; two clones of a model share it.
pub(crate) struct Closure<F: ?Sized>(pub(crate) Arc<F>);

impl<F: ?Sized> Clone for Closure<F> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<F: ?Sized> std::fmt::Debug for Closure<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("<function>")
    }
}
