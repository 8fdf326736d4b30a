//! Curves: points and their style.

use plotters::style::RGBColor;

use crate::Colour;

/// Sequence of points. A point with a coordinate that is not finite breaks the curve.
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
    /// Name in the legend; `None` for a curve without a name. A panel without named curves has no legend.
    pub label: Option<String>,
    /// Points in drawing order.
    pub points: Vec<(f64, f64)>,
    /// Style of the points.
    pub style: CurveStyle,
    /// Colour; `None` selects a colour of the palette by the index of the curve in its panel.
    pub colour: Option<Colour>,
}

impl Curve {
    /// Creates a line through the points; an empty label means no name.
    pub fn line(label: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self::styled(CurveStyle::Line, label.into(), points)
    }

    /// Creates a dashed line through the points; an empty label means no name.
    pub fn dashed(label: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self::styled(CurveStyle::Dashed, label.into(), points)
    }

    /// Creates a wide pale line through the points, on top of which another curve is drawn; an empty label
    /// means no name.
    pub fn underlay(label: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self::styled(CurveStyle::Underlay, label.into(), points)
    }

    /// Creates a curve with one dot for each point; an empty label means no name.
    pub fn points(label: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self::styled(CurveStyle::Points, label.into(), points)
    }

    /// Creates a cloud with a small dot for each point; an empty label means no name.
    pub fn cloud(label: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self::styled(CurveStyle::Cloud, label.into(), points)
    }

    /// Creates a stem from zero for each point; an empty label means no name.
    pub fn stems(label: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self::styled(CurveStyle::Stems, label.into(), points)
    }

    /// Sets the colour.
    #[must_use]
    pub fn coloured(mut self, colour: Colour) -> Self {
        self.colour = Some(colour);
        self
    }

    /// Returns the colour of the curve. `index` is its index in the panel, from 0.
    pub(crate) fn rgb(&self, index: usize) -> RGBColor {
        let colour = self.colour.unwrap_or_else(|| Colour::cycle(index));
        match self.style {
            CurveStyle::Underlay | CurveStyle::Jump => colour.pale(),
            _ => colour.rgb(),
        }
    }

    fn styled(style: CurveStyle, label: String, points: Vec<(f64, f64)>) -> Self {
        Self { label: (!label.is_empty()).then_some(label), points, style, colour: None }
    }
}

/// Style of a curve.
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
    /// A solid line.
    #[default]
    Line,
    /// A dashed line.
    Dashed,
    /// A line of short dashes.
    Dotted,
    /// A line of long dashes.
    LongDashed,
    /// A line of alternating long and short dashes.
    DashDotted,
    /// A wide pale line that serves as a reference, with another curve drawn on top of it.
    Underlay,
    /// One dot for each point. Among dots that would cover each other, only one is drawn.
    Points,
    /// One small dot for each point, for clouds of thousands of points with a fine structure. The dots of a
    /// panel with few distinct dots are larger.
    Cloud,
    /// A line from zero to each point with a dot at its end, for events at single times. If no range is given
    /// for the axis, the range includes zero. On a logarithmic axis, a stem starts at the low end.
    Stems,
    /// A thin pale line for the jumps of a curve. The points are two points for each jump, followed by a
    /// break.
    Jump,
}

/// Radius of the dots of a cloud with many dots \[pixels\].
const SMALLEST_DOT: f64 = 0.6;
/// Number of dots in a panel up to which the dots of a cloud have the radius of [`CurveStyle::Points`].
const LARGE_DOTS: f64 = 400.0;

impl CurveStyle {
    const CYCLE: [Self; 5] = [Self::Line, Self::Dashed, Self::Dotted, Self::LongDashed, Self::DashDotted];

    /// Returns a line style for a panel with more lines than the palette has colours. The first seven lines
    /// are solid, and each further group of seven lines has another dash pattern. `index` counts the lines
    /// from 0. Combined with the colours of [`Colour::cycle`], 35 lines are distinct.
    pub fn cycle(index: usize) -> Self {
        Self::CYCLE[index / Colour::CYCLE.len() % Self::CYCLE.len()]
    }

    /// Returns the width of the line or the radius of the dots in pixels.
    pub(crate) fn size(self) -> f64 {
        match self {
            Self::Line | Self::Dashed | Self::Dotted | Self::LongDashed | Self::DashDotted => 1.6,
            Self::Underlay => 5.0,
            Self::Points | Self::Stems => 2.2,
            Self::Jump => 1.0,
            Self::Cloud => SMALLEST_DOT,
        }
    }

    /// Returns the radius in pixels of the dots of a cloud in a panel with `count` dots. The dots cover a
    /// constant area, so few dots are as visible as many.
    pub(crate) fn cloud_radius(count: usize) -> f64 {
        let radius = Self::Points.size() * (LARGE_DOTS / count.max(1) as f64).sqrt();
        radius.clamp(SMALLEST_DOT, Self::Points.size())
    }

    /// Returns the alternating lengths of dashes and gaps in pixels; empty for a solid line.
    pub(crate) fn dashes(self) -> &'static [f64] {
        match self {
            Self::Dashed => &[6.0, 4.0],
            Self::Dotted => &[1.8, 2.6],
            Self::LongDashed => &[14.0, 4.0],
            Self::DashDotted => &[9.0, 3.0, 2.0, 3.0],
            Self::Line | Self::Underlay | Self::Points | Self::Cloud | Self::Stems | Self::Jump => &[],
        }
    }
}
