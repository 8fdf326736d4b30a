//! Reasons why a law, a model object or a method is not supported.

/// Description of an unsupported feature, and a remedy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) what: &'static str,
    pub(crate) instead: &'static str,
}

impl Refusal {
    pub(crate) const fn new(what: &'static str, instead: &'static str) -> Self {
        Self { what, instead }
    }
}
