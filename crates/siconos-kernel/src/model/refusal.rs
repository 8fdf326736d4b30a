//! Reasons to refuse a combination of model parts.

/// Unsupported model part and a remedy.
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
