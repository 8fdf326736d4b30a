//! Moving sets, differential variational inequalities, and what belongs to them.

pub mod dvi;
