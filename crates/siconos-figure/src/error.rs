//! Errors of figures.

use std::error::Error;
use std::io;
use std::path::PathBuf;

/// Reason why a figure could not be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FigureError {
    /// The extension of the file name does not belong to a known format.
    #[error("{}: unknown extension for a figure; use .png, .svg or .pdf", path.display())]
    UnknownExtension {
        /// Requested file.
        path: PathBuf,
    },
    /// The figure has no panels.
    #[error("the figure {title:?} has no panels")]
    NoPanel {
        /// Title of the figure.
        title: String,
    },
    /// A given range is not valid for an axis.
    #[error(
        "panel {panel:?}: the {axis} axis cannot go from {} to {}; its ends must be finite and increasing, \
         and positive on a logarithmic axis",
        range.0, range.1
    )]
    Range {
        /// Title of the panel.
        panel: String,
        /// Axis, `x` or `y`.
        axis: char,
        /// Given range.
        range: (f64, f64),
    },
    /// The figure is too small for its panels.
    #[error(
        "the figure {title:?} of {} x {} pixels is too small; a panel requires about 200 x 150", size.0, size.1
    )]
    TooSmall {
        /// Title of the figure.
        title: String,
        /// Width and height in pixels.
        size: (u32, u32),
    },
    /// The number of values or points differs from the number of times.
    #[error("{what} has {found} values; expected {expected}, one for each time")]
    Lengths {
        /// Description of the values.
        what: String,
        /// Number of times.
        expected: usize,
        /// Number of values.
        found: usize,
    },
    /// The times decrease, or one is NaN.
    #[error("the times must increase: the time {at} of point {place} (counted from 0) is not after {before}")]
    Order {
        /// Index of the point, from 0.
        place: usize,
        /// Previous time.
        before: f64,
        /// Time of the point.
        at: f64,
    },
    /// A motion cannot be sampled with this period.
    #[error(
        "the period {period} is invalid for {points} points over {span}; it must be positive and not below \
         the mean distance of the points"
    )]
    Period {
        /// Given period.
        period: f64,
        /// Difference between the last and the first time.
        span: f64,
        /// Number of points.
        points: usize,
    },
    /// The font cannot be used, or the back end failed.
    #[error("the figure could not be drawn")]
    Draw(#[source] Box<dyn Error + Send + Sync>),
    /// The file could not be written.
    #[error("{}: cannot write the figure", path.display())]
    Write {
        /// Requested file.
        path: PathBuf,
        /// Underlying error.
        source: io::Error,
    },
}
