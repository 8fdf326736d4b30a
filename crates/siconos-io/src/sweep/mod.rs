//! Parameter studies: tables of results of one model for many values.
//!
//! A [`Sweep`] is a model file with a [`Vary`] for each value that varies. Its points are all combinations of
//! these values; the last value varies fastest. The result of a point does not depend on the other points or
//! on the order of computation, so the table is the same byte for byte whether it is computed by one process,
//! by several threads or on several machines. A [`Journal`] stores the finished points, and an interrupted
//! study resumes from it. Points without a result are recorded as well and do not affect the other points.

mod journal;
mod points;
mod vary;
mod worker;

pub use journal::{Journal, JournalError, Points, Unanswered};
pub use points::{PointError, Rows, Sweep};
pub use vary::{Vary, VaryError};
pub use worker::Worker;
