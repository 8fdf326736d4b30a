//! A curve: its points, and how they are shown.

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

    /// Draws in a colour of your choice.
    #[must_use]
    pub fn coloured(mut self, colour: Colour) -> Self {
        self.colour = Some(colour);
        self
    }

    fn styled(style: CurveStyle, label: String, points: Vec<(f64, f64)>) -> Self {
        Self { label: (!label.is_empty()).then_some(label), points, style, colour: None }
    }
}

/// How the points of a curve are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CurveStyle {
    /// Joined by a line.
    #[default]
    Line,
    /// Joined by a dashed line.
    Dashed,
    /// Joined by a wide pale line, for a reference on which another curve will lie.
    Underlay,
    /// One dot each. Of dots that would cover each other only one is drawn.
    Points,
    /// One small dot each, for clouds of thousands of points with a fine structure.
    Cloud,
}
