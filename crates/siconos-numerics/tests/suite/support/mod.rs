//! Support for several tests.

pub(crate) mod contact_files;
pub(crate) mod lcp_files;
pub(crate) mod piles;
pub(crate) mod tokens;
