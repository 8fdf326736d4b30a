//! Colours that readers with any kind of colour vision can distinguish.

use plotters::style::RGBColor;

/// Colour of the palette of Okabe and Ito (2008), grey, or a colour of a family of curves.
///
/// The yellow of the palette is omitted, because it is too light for a line on white.
///
/// ```
/// use siconos_figure::{Colour, Curve};
///
/// let third = Curve::line("third of ten", vec![(0.0, 0.0), (1.0, 1.0)]).coloured(Colour::of_row(2, 10));
/// assert_eq!(third.colour, Some(Colour::Row(56)));
/// assert_eq!(Colour::cycle(0), Colour::Blue);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Blue, the first colour of the palette.
    Blue,
    /// Vermillion (an orange red).
    Vermillion,
    /// Bluish green.
    Green,
    /// Reddish purple.
    Purple,
    /// Orange.
    Orange,
    /// Sky blue.
    SkyBlue,
    /// Black.
    Black,
    /// Middle grey, for references and limits.
    Grey,
    /// Colour of a member of a family of curves: from blue (0) to orange (255).
    Row(u8),
}

impl Colour {
    pub(crate) const CYCLE: [Self; 7] =
        [Self::Blue, Self::Vermillion, Self::Green, Self::Purple, Self::Orange, Self::SkyBlue, Self::Black];

    /// Returns the colour of the curve with the given index (from 0) in a panel. Grey is not among these
    /// colours.
    pub fn cycle(index: usize) -> Self {
        Self::CYCLE[index % Self::CYCLE.len()]
    }

    /// Returns the colour of the curve with the given index (from 0) in a family of `count` curves.
    pub fn of_row(index: usize, count: usize) -> Self {
        Self::Row(u8::try_from(255 * index / count.saturating_sub(1).max(1)).unwrap_or(u8::MAX))
    }

    pub(crate) fn rgb(self) -> RGBColor {
        match self {
            Self::Blue => RGBColor(0, 114, 178),
            Self::Vermillion => RGBColor(213, 94, 0),
            Self::Green => RGBColor(0, 158, 115),
            Self::Purple => RGBColor(204, 121, 167),
            Self::Orange => RGBColor(230, 159, 0),
            Self::SkyBlue => RGBColor(86, 180, 233),
            Self::Black => RGBColor(26, 26, 26),
            Self::Grey => RGBColor(128, 128, 128),
            Self::Row(place) => {
                let (first, last) = (Self::Blue.rgb(), Self::Orange.rgb());
                let part = f64::from(place) / 255.0;
                let mixed = |from: u8, to: u8| (f64::from(from) * (1.0 - part) + f64::from(to) * part) as u8;
                RGBColor(mixed(first.0, last.0), mixed(first.1, last.1), mixed(first.2, last.2))
            }
        }
    }

    /// Returns the colour mixed halfway with white.
    pub(crate) fn pale(self) -> RGBColor {
        let RGBColor(red, green, blue) = self.rgb();
        let halfway = |channel: u8| channel / 2 + 127;
        RGBColor(halfway(red), halfway(green), halfway(blue))
    }
}
