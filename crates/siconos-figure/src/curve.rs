//! A curve: its points, and how they are shown.

use plotters::style::RGBColor;

use crate::Colour;

/// A row of points. A point with a coordinate that is not finite breaks the curve.
///
/// ```
/// use siconos_figure::{Colour, Curve, Figure, Panel};
///
/// let motion = vec![(0.0, 1.0), (0.5, 0.2), (f64::NAN, f64::NAN), (0.5, 0.4), (1.0, 0.9)];
/// let limit = Curve::dashed("limit", vec![(0.0, 0.2), (1.0, 0.2)]).coloured(Colour::Grey);
/// let panel = Panel::new("", "t [s]", "q [m]").with(Curve::line("motion", motion)).with(limit);
/// assert!(Figure::new("", vec![panel]).to_svg()?.contains("limit"));
/// # Ok::<(), siconos_figure::FigureError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Curve {
    /// Name in the legend; `None` for a curve that needs no name. A panel without named curves has no legend.
    pub label: Option<String>,
    /// The points in drawing order.
    pub points: Vec<(f64, f64)>,
    /// How the points are shown.
    pub style: CurveStyle,
    /// Colour; `None` takes the next of the palette by the place of the curve in its panel.
    pub colour: Option<Colour>,
}

impl Curve {
    /// A line through the points; an empty label stands for none.
    pub fn line(label: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self::styled(CurveStyle::Line, label.into(), points)
    }

    /// A dashed line through the points; an empty label stands for none.
    pub fn dashed(label: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self::styled(CurveStyle::Dashed, label.into(), points)
    }

    /// A wide pale line through the points, on which another curve will lie; an empty label stands for none.
    pub fn underlay(label: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self::styled(CurveStyle::Underlay, label.into(), points)
    }

    /// A dot for each point; an empty label stands for none.
    pub fn points(label: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self::styled(CurveStyle::Points, label.into(), points)
    }

    /// A small dot for each point of a cloud; an empty label stands for none.
    pub fn cloud(label: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self::styled(CurveStyle::Cloud, label.into(), points)
    }

    /// A stem from zero for each point; an empty label stands for none.
    pub fn stems(label: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self::styled(CurveStyle::Stems, label.into(), points)
    }

    /// Draws in a colour of your choice.
    #[must_use]
    pub fn coloured(mut self, colour: Colour) -> Self {
        self.colour = Some(colour);
        self
    }

    /// The colour of curve number `index` (from 0) of its panel.
    pub(crate) fn rgb(&self, index: usize) -> RGBColor {
        let colour = self.colour.unwrap_or_else(|| Colour::cycle(index));
        match self.style {
            CurveStyle::Underlay | CurveStyle::Leap => colour.pale(),
            _ => colour.rgb(),
        }
    }

    fn styled(style: CurveStyle, label: String, points: Vec<(f64, f64)>) -> Self {
        Self { label: (!label.is_empty()).then_some(label), points, style, colour: None }
    }
}

/// How the points of a curve are shown.
///
/// ```
/// use siconos_figure::{Curve, CurveStyle, Figure, Panel};
///
/// // More lines than the palette has colours.
/// let line = |k: usize| Curve {
///     style: CurveStyle::cycle(k),
///     ..Curve::line(format!("method {k}"), vec![(0.0, 0.0), (1.0, k as f64)])
/// };
/// let panel = (0..20).map(line).fold(Panel::new("", "x", "y"), Panel::with);
/// let svg = Figure::new("", vec![panel]).with_size(880, 400).to_svg()?;
/// assert!(svg.contains("method 19"));
/// # Ok::<(), siconos_figure::FigureError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CurveStyle {
    /// Joined by a line.
    #[default]
    Line,
    /// Joined by a dashed line.
    Dashed,
    /// Joined by a line of short dashes.
    Dotted,
    /// Joined by a line of long dashes.
    LongDashed,
    /// Joined by a line of dashes, long and short in turn.
    DashDotted,
    /// Joined by a wide pale line, for a reference on which another curve will lie.
    Underlay,
    /// One dot each. Of dots that would cover each other only one is drawn.
    Points,
    /// One small dot each, for clouds of thousands of points with a fine structure.
    Cloud,
    /// A line from zero to each point with a dot at its end, for what happens at single instants. An axis
    /// that is not given holds zero; on a logarithmic one a stem begins at the low end.
    Stems,
    /// Joined by a thin pale line, for the jumps of a curve: two points each, and a break behind them.
    Leap,
}

impl CurveStyle {
    const CYCLE: [Self; 5] = [Self::Line, Self::Dashed, Self::Dotted, Self::LongDashed, Self::DashDotted];

    /// Style of line number `index` (from 0) of a panel with more lines than the palette has colours: whole
    /// for the first seven, another kind of dashes for each seven more. With [`Colour::cycle`] 35 lines
    /// differ.
    pub fn cycle(index: usize) -> Self {
        Self::CYCLE[index / Colour::CYCLE.len() % Self::CYCLE.len()]
    }

    /// Width of the line or radius of the dots in pixels.
    pub(crate) fn size(self) -> f64 {
        match self {
            Self::Line | Self::Dashed | Self::Dotted | Self::LongDashed | Self::DashDotted => 1.6,
            Self::Underlay => 5.0,
            Self::Points | Self::Stems => 2.2,
            Self::Leap => 1.0,
            Self::Cloud => 0.6,
        }
    }

    /// Lengths of dashes and gaps in turn, in pixels; none for a whole line.
    pub(crate) fn dashes(self) -> &'static [f64] {
        match self {
            Self::Dashed => &[6.0, 4.0],
            Self::Dotted => &[1.8, 2.6],
            Self::LongDashed => &[14.0, 4.0],
            Self::DashDotted => &[9.0, 3.0, 2.0, 3.0],
            Self::Line | Self::Underlay | Self::Points | Self::Cloud | Self::Stems | Self::Leap => &[],
        }
    }
}
