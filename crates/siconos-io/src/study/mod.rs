//! Parameter studies: one model is run with many values, and the results are collected in a table.
//!
//! A [`ParameterStudy`] is a model file with a [`VariedValue`] for each value that varies. Its points are all
//! combinations of these values; the last value varies fastest. Values of one table vary together
//! ([`VariedValue::of_table`]). The result of a point does not depend on the other points or on the order of
//! computation. Therefore the table is byte-for-byte identical whether it is computed by one process, by
//! several threads or on several machines. A [`Journal`] stores the finished points, so that an interrupted
//! study can be resumed. Points without a result are also recorded. The run of a point can be interrupted
//! between two steps; [`InterruptedPointFiles`] store its state.

mod interrupted;
mod journal;
mod points;
mod vary;
mod worker;

pub use interrupted::{InterruptedPoint, InterruptedPointError, InterruptedPointFiles};
pub use journal::{FinishedPoints, Journal, JournalError, PointsWithoutResult};
pub use points::{KeptRows, ParameterStudy, PointError};
pub use vary::{VariedValue, VariedValueError};
pub use worker::{PointEnd, PointRunner};
