//! What can be wrong with a figure.

use std::error::Error;
use std::io;
use std::path::PathBuf;

/// Why a figure could not be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FigureError {
    /// The end of the file name says nothing about the format.
    #[error("{}: unknown extension for a figure; use .png or .svg", path.display())]
    UnknownExtension {
        /// The file asked for.
        path: PathBuf,
    },
    /// There is nothing to draw.
    #[error("the figure {title:?} has no panel")]
    NoPanel {
        /// Title of the figure.
        title: String,
    },
    /// An explicit range cannot be an axis.
    #[error(
        "panel {panel:?}: the {axis} axis cannot go from {} to {}; finite ends in rising order expected, \
         positive ones on a logarithmic axis",
        range.0, range.1
    )]
    Range {
        /// Title of the panel.
        panel: String,
        /// The axis, `x` or `y`.
        axis: char,
        /// The range asked for.
        range: (f64, f64),
    },
    /// The figure is too small for its panels.
    #[error(
        "the figure {title:?} of {} x {} pixels is too small; a panel needs about 200 x 150", size.0, size.1
    )]
    TooSmall {
        /// Title of the figure.
        title: String,
        /// Width and height in pixels.
        size: (u32, u32),
    },
    /// There are not as many values as times.
    #[error("{what}: {found} values at {expected} times; as many expected")]
    Lengths {
        /// What they are the values of.
        what: String,
        /// The number of times.
        expected: usize,
        /// The number of values.
        found: usize,
    },
    /// Times that should rise fall, or are not numbers.
    #[error("the time {at} of point {place} (from 0) is not behind {before}; rising times expected")]
    Order {
        /// The point, from 0.
        place: usize,
        /// The time before it.
        before: f64,
        /// Its time.
        at: f64,
    },
    /// A motion cannot be seen once per such a period.
    #[error(
        "the period {period} is not one for {points} points over {span}; a positive number expected, not below \
         the distance of points"
    )]
    Period {
        /// The period asked for.
        period: f64,
        /// From the first time to the last.
        span: f64,
        /// The number of points.
        points: usize,
    },
    /// The font cannot be used or the back end failed.
    #[error("the figure could not be drawn")]
    Draw(#[source] Box<dyn Error + Send + Sync>),
    /// The file could not be written.
    #[error("{}: cannot write the figure", path.display())]
    Write {
        /// The file asked for.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}
