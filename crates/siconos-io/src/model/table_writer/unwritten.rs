//! Parts of a model that are missing from its file, with the reasons.

/// A part of a model that is not in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnwrittenPart {
    /// Object that the part belongs to: ``system `ball` ``, ``interaction `floor` `` or `simulation`. The
    /// object is `text` if the written text cannot be read back.
    pub object: String,
    /// Name of the part. The name of a function is its name in
    /// [`UserFunctions`](siconos_kernel::model::UserFunctions).
    pub part: String,
    /// Reason why the part is missing.
    pub reason: &'static str,
}

impl std::fmt::Display for UnwrittenPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} {}", self.object, self.part, self.reason)
    }
}

/// Reason for a name that is not written.
pub(in crate::model) const NO_NAME: &str = "is not valid in a file";

/// Reason for a part without a key in files.
pub(in crate::model) const NO_KEY: &str = "has no key in files";
