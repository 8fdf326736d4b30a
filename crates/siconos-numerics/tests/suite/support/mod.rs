//! What several tests share.

pub(crate) mod contact_files;
pub(crate) mod tokens;
