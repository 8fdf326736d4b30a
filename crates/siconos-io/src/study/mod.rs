//! Parameter studies: one model is run with many values, and the results are collected in a table.
//!
//! A [`ParameterStudy`] is a model file with a [`VariedValue`] for each value that varies. Its points are all
//! combinations of these values; the last value varies fastest. The result of a point does not depend on the
//! other points or on the order of computation. Therefore the table is byte-for-byte identical whether it is
//! computed by one process, by several threads or on several machines. A [`Journal`] stores the finished
//! points, so that an interrupted study can be resumed. Points without a result are also recorded.

mod journal;
mod points;
mod vary;
mod worker;

pub use journal::{FinishedPoints, Journal, JournalError, PointsWithoutResult};
pub use points::{KeptRows, ParameterStudy, PointError};
pub use vary::{VariedValue, VariedValueError};
pub use worker::PointRunner;
