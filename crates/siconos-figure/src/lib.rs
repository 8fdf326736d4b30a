//! Figures of curves and points, described by data types and drawn as PNG, SVG, inline SVG or PDF.
//!
//! A [`Figure`] is a grid of [`Panel`]s, and a panel is a pair of axes with [`Curve`]s. Ranges, ticks,
//! colours, legends and margins are computed from the data, so that a program describes only the contents:
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
//! | file | contents |
//! | --- | --- |
//! | `lib.rs` | figures: panels in a grid |
//! | `curve.rs` | curves and their styles |
//! | `kinds/` | constructors of the figures that are common in the study of motions |
//! | `palette.rs` | colours that colour-blind readers can distinguish |
//! | `render.rs` | output as PNG, SVG and PDF, and the layout of the panels |
//! | `panel.rs` | drawing of one panel: margins, grid, curves |
//! | `legend.rs` | the title of a panel and the names of its curves |
//! | `axis.rs` | ranges of axes, and positions of values on them |
//! | `ticks.rs` | round ticks and their labels |
//! | `decimate.rs` | reduction of points that does not change the picture |
//! | `clip.rs` | clipping to the panel, and dashes |
//! | `canvas.rs` | lines and text on a back end of plotters |
//! | `pdf.rs` | back end of plotters for PDF files |
//!
//! The font is DejaVu Sans, which is embedded in the crate, so a PNG or PDF file looks the same on every
//! machine. (An SVG file uses a font of the viewer.) Drawing a figure twice produces byte-identical files.
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
mod pdf;
mod render;
mod ticks;

pub use curve::{Curve, CurveStyle};
pub use error::FigureError;
pub use palette::Colour;

/// Program of the README, compiled and run as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Default width of a figure in pixels.
const WIDTH: u32 = 880;
/// Height of a row of panels in pixels.
const ROW_HEIGHT: u32 = 280;
/// Height of the title in pixels.
const TITLE_HEIGHT: u32 = 30;
/// Height in pixels of a name in a legend next to a plot.
const NAME_HEIGHT: u32 = 20;
/// Total height in pixels above and below a plot with a legend next to it.
const AROUND_PLOT: u32 = 90;

/// A grid of panels with a title.
///
/// [`Figure::save`] draws it to a file, [`Figure::to_svg`] to a string, [`Figure::to_pdf`] to bytes.
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
    /// Title above the panels; empty for none.
    pub title: String,
    /// Panels, row by row.
    pub panels: Vec<Panel>,
    /// Number of panels per row.
    pub columns: usize,
    /// Width and height in pixels at which text has its intended size. PNG files have twice as many pixels in
    /// each direction, for high-resolution screens.
    pub size: (u32, u32),
}

impl Figure {
    /// Creates a figure with the panels in one column. Its default size has enough room for each panel.
    pub fn new(title: impl Into<String>, panels: Vec<Panel>) -> Self {
        Self::grid(title, 1, panels)
    }

    /// Creates a figure with the panels in rows of `columns` panels (at least one). Its default size has
    /// enough room for each panel.
    pub fn grid(title: impl Into<String>, columns: usize, panels: Vec<Panel>) -> Self {
        let title = title.into();
        let columns = columns.max(1);
        // Every row has the height of a row with one panel. Rows of narrow panels could be lower, but most
        // figures have few rows.
        let rows = u32::try_from(panels.len().div_ceil(columns).max(1)).unwrap_or(1);
        let above = if title.is_empty() { 0 } else { TITLE_HEIGHT };
        let row = panels.iter().map(Panel::height).fold(ROW_HEIGHT, u32::max);
        Self { title, panels, columns, size: (WIDTH, above.saturating_add(rows.saturating_mul(row))) }
    }

    /// Sets the size of the figure (width and height in pixels).
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
    /// Title above the panel; empty for none.
    pub title: String,
    /// Label of the horizontal axis with its unit: `time t [s]`.
    pub x_label: String,
    /// Label of the vertical axis with its unit.
    pub y_label: String,
    /// Curves; later curves are drawn over earlier ones.
    pub curves: Vec<Curve>,
    /// Ends of the horizontal axis; `None` determines them from the data.
    pub x_range: Option<(f64, f64)>,
    /// Ends of the vertical axis; `None` determines them from the data.
    pub y_range: Option<(f64, f64)>,
    /// Scale of the horizontal axis.
    pub x_scale: Scale,
    /// Scale of the vertical axis.
    pub y_scale: Scale,
    /// Number of points that are not in the curves because a coordinate is not positive on a logarithmic
    /// axis.
    pub omitted: usize,
    /// Position of the legend.
    pub legend: Legend,
    /// `true` for a drawing, which has no axes and has equal scales in both directions.
    pub is_drawing: bool,
}

impl Panel {
    /// Creates a panel without curves.
    pub fn new(title: impl Into<String>, x_label: impl Into<String>, y_label: impl Into<String>) -> Self {
        Self { title: title.into(), x_label: x_label.into(), y_label: y_label.into(), ..Self::default() }
    }

    /// Creates a drawing without curves.
    pub fn drawing(title: impl Into<String>) -> Self {
        Self { title: title.into(), is_drawing: true, ..Self::default() }
    }

    /// Returns the number of finite points that cannot be shown on a logarithmic axis because a coordinate is
    /// not positive, including the [`omitted`](Self::omitted) ones.
    #[must_use]
    pub fn points_without_logarithm(&self) -> usize {
        let has_logarithm = |value: f64, scale| scale == Scale::Linear || value > 0.0;
        let is_lost = |&&(x, y): &&(f64, f64)| {
            x.is_finite()
                && y.is_finite()
                && !(has_logarithm(x, self.x_scale) && has_logarithm(y, self.y_scale))
        };
        self.omitted + self.curves.iter().flat_map(|curve| &curve.points).filter(is_lost).count()
    }

    /// Returns `true` if the panel has points, but none of them can be shown on its axes. The panel then
    /// contains a note.
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

    /// Returns the height that the legend next to the plot needs, limited to twice the height of a panel with
    /// another legend. A longer legend is compressed.
    fn height(&self) -> u32 {
        let names = self.curves.iter().filter(|curve| curve.label.is_some()).count();
        let names = if self.legend == Legend::Right { u32::try_from(names).unwrap_or(u32::MAX) } else { 0 };
        names.saturating_mul(NAME_HEIGHT).saturating_add(AROUND_PLOT).min(2 * ROW_HEIGHT)
    }

    /// Adds a curve.
    #[must_use]
    pub fn with(mut self, curve: Curve) -> Self {
        self.curves.push(curve);
        self
    }
}

/// Position of the legend of a panel.
///
/// ```
/// use siconos_figure::{Curve, Figure, Legend, Panel};
///
/// let line = |k: u32| Curve::line(format!("method {k}"), vec![(0.0, 0.0), (1.0, f64::from(k))]);
/// let panel = Panel { legend: Legend::Right, ..Panel::new("Twelve", "x", "y") };
/// let svg = Figure::new("", vec![(0..12).map(line).fold(panel, Panel::with)]).to_svg()?;
/// assert!(svg.contains("method 11"));
/// # Ok::<(), siconos_figure::FigureError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Legend {
    /// In lines above the plot, or on the line of the title if there is room.
    #[default]
    Above,
    /// In one column on the right of the plot, for many curves. Each name takes 20 pixels of the height of
    /// the plot, or less if there are too many names.
    Right,
    /// No legend, for a panel whose curves have the names of the curves in another panel.
    Hidden,
}

/// Scale of an axis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scale {
    /// Linear scale: equal distances represent equal differences.
    #[default]
    Linear,
    /// Logarithmic scale: equal distances represent equal ratios. Values that are not positive cannot be
    /// shown and break a curve.
    Logarithmic,
}
