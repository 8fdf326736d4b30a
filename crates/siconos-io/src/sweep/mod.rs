//! One model for many values: a table of what comes out of each.
//!
//! A [`Sweep`] is a model file with a [`Vary`] for each value that takes several; its points are all of their
//! combinations, the last one varying fastest. What a point comes to does not depend on the others, nor on
//! the order in which they are computed, so the table is the same in every byte whether one process makes it,
//! several threads do, or parts of it are made on different machines. Points that are done are kept in a
//! [`Journal`], from which a sweep that was stopped goes on. Points without an answer are noted there as
//! well, and do not affect the others.

mod journal;
mod points;
mod vary;
mod worker;

pub use journal::{Journal, JournalError, Points, Unanswered};
pub use points::{PointError, Rows, Sweep};
pub use vary::{Vary, VaryError};
pub use worker::Worker;
