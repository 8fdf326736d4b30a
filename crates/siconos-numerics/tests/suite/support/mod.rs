//! What several tests share.

pub(crate) mod contact_files;
pub(crate) mod lcp_files;
pub(crate) mod piles;
pub(crate) mod tokens;
