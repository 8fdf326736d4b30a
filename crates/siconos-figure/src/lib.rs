//! Figures: a small typed description of panels and curves, drawn to a PNG or SVG file or to inline SVG.
//!
//! A [`Figure`] is a grid of [`Panel`]s, a panel is a pair of axes with [`Curve`]s. Ranges, ticks, colours,
//! legend and margins follow from the data, so that a program says what it shows and nothing about how:
//!
//! ```
//! use siconos_figure::{Curve, Figure, Panel};
//!
//! let height = (0..1000).map(|k| (0.01 * f64::from(k), (0.06 * f64::from(k)).sin().abs())).collect();
//! let panel = Panel::new("Bouncing ball", "time t [s]", "height q [m]").with(Curve::line("e = 0.9", height));
//! let svg = Figure::new("", vec![panel]).to_svg()?;
//! assert!(svg.starts_with("<svg"));
//! # Ok::<(), siconos_figure::FigureError>(())
//! ```
//!
//! | file | idea |
//! | --- | --- |
//! | `lib.rs` | what a figure is: panels in a grid |
//! | `curve.rs` | what a curve is |
//! | `kinds/` | the figures that the study of motions asks for, made of their data |
//! | `palette.rs` | colours that the colour-blind can tell apart |
//! | `render.rs` | from the description to a file: the two media, the grid of panels |
//! | `panel.rs` | one panel: its margins, its grid, its curves |
//! | `legend.rs` | the title of a panel and the names of its curves |
//! | `axis.rs` | from numbers to a place on the axis; ranges |
//! | `ticks.rs` | round numbers and how to write them |
//! | `decimate.rs` | fewer points with the same picture |
//! | `clip.rs` | what lies outside of the panel, and dashes |
//! | `canvas.rs` | lines and text on a plotters back end |
//!
//! Letters are DejaVu Sans, which is part of the crate: a PNG file looks alike on every machine (an SVG file
//! leaves its letters to whoever shows it). A figure drawn twice gives one file, to the last byte.
#![deny(missing_docs)]

mod axis;
mod canvas;
mod clip;
mod curve;
mod decimate;
mod error;
pub mod kinds;
mod legend;
mod palette;
mod panel;
mod render;
mod ticks;

pub use curve::{Curve, CurveStyle};
pub use error::FigureError;
pub use palette::Colour;

/// The program in the README, run with the doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Width of a figure unless told otherwise, and height of a row of panels, in pixels.
const WIDTH: u32 = 880;
const ROW_HEIGHT: u32 = 280;
const TITLE_HEIGHT: u32 = 30;
/// Height of a name beside a panel, and what stands above and below a plot with its legend there.
const NAME_HEIGHT: u32 = 20;
const AROUND_PLOT: u32 = 90;

/// A grid of panels with a title.
///
/// [`Figure::save`] draws it to a file, [`Figure::to_svg`] to a string.
///
/// ```
/// use siconos_figure::{Curve, Figure, Panel};
///
/// let panel = |name: &str, points| Panel::new(name, "time t [s]", "q [m]").with(Curve::line("", points));
/// let rise = panel("Rise", vec![(0.0, 0.0), (1.0, 2.0)]);
/// let fall = panel("Fall", vec![(0.0, 2.0), (1.0, 0.0)]);
/// let figure = Figure::grid("Two motions", 2, vec![rise, fall]).with_size(900, 320);
/// assert!(figure.to_svg()?.contains("Two motions"));
/// # Ok::<(), siconos_figure::FigureError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Written on top; empty for none.
    pub title: String,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// Number of panels beside each other.
    pub columns: usize,
    /// Width and height in pixels at which text has its proper size. PNG files hold twice as many pixels each
    /// way, for sharp screens.
    pub size: (u32, u32),
}

impl Figure {
    /// Panels below each other, in a size that gives each of them room.
    pub fn new(title: impl Into<String>, panels: Vec<Panel>) -> Self {
        Self::grid(title, 1, panels)
    }

    /// Panels in rows of `columns` (at least one), in a size that gives each of them room.
    pub fn grid(title: impl Into<String>, columns: usize, panels: Vec<Panel>) -> Self {
        let title = title.into();
        let columns = columns.max(1);
        // A row of narrow panels may be lower than a row of wide ones, and most figures have few rows.
        let rows = u32::try_from(panels.len().div_ceil(columns).max(1)).unwrap_or(1);
        let above = if title.is_empty() { 0 } else { TITLE_HEIGHT };
        let row = panels.iter().map(Panel::height).fold(ROW_HEIGHT, u32::max);
        Self { title, panels, columns, size: (WIDTH, above.saturating_add(rows.saturating_mul(row))) }
    }

    /// Draws in another size (width and height in pixels).
    #[must_use]
    pub fn with_size(mut self, width: u32, height: u32) -> Self {
        self.size = (width, height);
        self
    }
}

/// A pair of axes with curves.
///
/// ```
/// use siconos_figure::{Curve, Figure, Panel, Scale};
///
/// let errors = (1..6).map(|k| (0.1_f64.powi(k), 0.01_f64.powi(k))).collect();
/// let panel = Panel {
///     x_scale: Scale::Logarithmic,
///     y_scale: Scale::Logarithmic,
///     y_range: Some((1e-12, 1.0)),
///     ..Panel::new("Order 2", "step h [s]", "error [m]")
/// };
/// let svg = Figure::new("", vec![panel.with(Curve::points("", errors))]).to_svg()?;
/// assert!(svg.contains("10⁻⁴"));
/// # Ok::<(), siconos_figure::FigureError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Panel {
    /// Written above the panel; empty for none.
    pub title: String,
    /// What the horizontal axis shows, with its unit: `time t [s]`.
    pub x_label: String,
    /// What the vertical axis shows, with its unit.
    pub y_label: String,
    /// The curves; later ones are drawn over earlier ones.
    pub curves: Vec<Curve>,
    /// Ends of the horizontal axis; `None` takes them from the data.
    pub x_range: Option<(f64, f64)>,
    /// Ends of the vertical axis; `None` takes them from the data.
    pub y_range: Option<(f64, f64)>,
    /// Division of the horizontal axis.
    pub x_scale: Scale,
    /// Division of the vertical axis.
    pub y_scale: Scale,
    /// Where the names of the curves stand.
    pub legend: Legend,
    /// A drawing: without axes, and with one scale in both directions.
    pub is_drawing: bool,
}

impl Panel {
    /// A panel without curves.
    pub fn new(title: impl Into<String>, x_label: impl Into<String>, y_label: impl Into<String>) -> Self {
        Self { title: title.into(), x_label: x_label.into(), y_label: y_label.into(), ..Self::default() }
    }

    /// A drawing without curves.
    pub fn drawing(title: impl Into<String>) -> Self {
        Self { title: title.into(), is_drawing: true, ..Self::default() }
    }

    /// The number of finite points that a logarithmic axis has no place for, since a coordinate is not
    /// positive.
    #[must_use]
    pub fn points_without_logarithm(&self) -> usize {
        let has_logarithm = |value: f64, scale| scale == Scale::Linear || value > 0.0;
        let is_lost = |&&(x, y): &&(f64, f64)| {
            x.is_finite()
                && y.is_finite()
                && !(has_logarithm(x, self.x_scale) && has_logarithm(y, self.y_scale))
        };
        self.curves.iter().flat_map(|curve| &curve.points).filter(is_lost).count()
    }

    /// Returns `true` if the panel has points, and no point has a place on its axes. The figure has a note
    /// there.
    ///
    /// ```
    /// use siconos_figure::{Curve, Panel, Scale};
    ///
    /// let panel = Panel::new("", "t", "x").with(Curve::line("", vec![(0.0, -1.0), (1.0, -2.0)]));
    /// assert!(!panel.is_empty());
    /// let logarithmic = Panel { y_scale: Scale::Logarithmic, ..panel };
    /// assert!(logarithmic.is_empty());
    /// assert_eq!(logarithmic.points_without_logarithm(), 2);
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let has_place =
            |&(x, y): &(f64, f64)| self.x_scale.place(x).is_finite() && self.y_scale.place(y).is_finite();
        let mut points = self.curves.iter().flat_map(|curve| &curve.points).peekable();
        points.peek().is_some() && !points.any(has_place)
    }

    /// The height that the names beside it need, up to twice that of other panels: more are crowded.
    fn height(&self) -> u32 {
        let names = self.curves.iter().filter(|curve| curve.label.is_some()).count();
        let names = if self.legend == Legend::Beside { u32::try_from(names).unwrap_or(u32::MAX) } else { 0 };
        names.saturating_mul(NAME_HEIGHT).saturating_add(AROUND_PLOT).min(2 * ROW_HEIGHT)
    }

    /// Adds a curve.
    #[must_use]
    pub fn with(mut self, curve: Curve) -> Self {
        self.curves.push(curve);
        self
    }
}

/// Where the names of the curves of a panel stand.
///
/// ```
/// use siconos_figure::{Curve, Figure, Legend, Panel};
///
/// let line = |k: u32| Curve::line(format!("method {k}"), vec![(0.0, 0.0), (1.0, f64::from(k))]);
/// let panel = Panel { legend: Legend::Beside, ..Panel::new("Twelve", "x", "y") };
/// let svg = Figure::new("", vec![(0..12).map(line).fold(panel, Panel::with)]).to_svg()?;
/// assert!(svg.contains("method 11"));
/// # Ok::<(), siconos_figure::FigureError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Legend {
    /// In lines above the plot, or at the end of the line of the title.
    #[default]
    Above,
    /// Below each other on the right of the plot: for many curves. Each takes 20 pixels of the height of the
    /// plot, less where they have to be crowded.
    Beside,
}

/// How an axis is divided.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps for equal differences.
    #[default]
    Linear,
    /// Equal steps for equal ratios. Numbers that are not positive have no place and break a curve.
    Logarithmic,
}
