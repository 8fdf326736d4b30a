//! Lines, dots and text on a back end of the crate `plotters`, in pixels of the figure.
//!
//! This module compensates for two properties of `plotters`. Coordinates are integers, so everything is drawn
//! at a larger scale and reduced afterwards. The back ends for PNG and SVG place text differently, so this
//! module centres text vertically at the given position.

use std::error::Error;
use std::sync::OnceLock;

use plotters::coord::Shift;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::{Circle, DrawingArea, DrawingBackend, PathElement, Polygon, Rectangle as Block};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, TextStyle, register_font,
};

use crate::FigureError;
use crate::clip::Rectangle;
use crate::decimate::Pixel;

/// Kind of output of the back end of `plotters`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Medium {
    /// Pixels.
    Bitmap,
    /// Elements of an SVG or PDF file.
    Vector,
}

/// Font of a piece of text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lettering {
    /// Font size in pixels of the figure.
    pub(crate) em: f64,
    pub(crate) bold: bool,
    pub(crate) colour: RGBColor,
}

/// Horizontal alignment of text relative to its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Centre,
    Right,
}

/// Ratio of line height to font size of DejaVu Sans.
const LINE_PER_EM: f64 = 1.164;
/// Ratio of line height to font size that `plotters` assumes for vector files.
pub(crate) const SVG_LINE_PER_EM: f64 = 1.24;

/// Upward shift that centres text vertically in a bitmap, as a multiple of the font size.
const BITMAP_TEXT_RISES: f64 = 0.15;

/// Back end of `plotters` whose errors can be stored in a [`FigureError`].
pub(crate) trait BackEnd: DrawingBackend<ErrorType: 'static> {}

impl<T: DrawingBackend<ErrorType: 'static>> BackEnd for T {}

/// Drawing area with a scale.
pub(crate) struct Canvas<'a, DB: BackEnd> {
    pub(crate) area: &'a DrawingArea<DB, Shift>,
    pub(crate) medium: Medium,
    /// Pixels of the back end per pixel of the figure.
    pub(crate) scale: f64,
}

impl<DB: BackEnd> Canvas<'_, DB> {
    fn place(&self, (x, y): Pixel) -> (i32, i32) {
        ((x * self.scale).round() as i32, (y * self.scale).round() as i32)
    }

    /// Fills a rectangle.
    pub(crate) fn block(&self, rectangle: Rectangle, colour: RGBColor) -> Result<(), FigureError> {
        let corners =
            [self.place((rectangle.left, rectangle.top)), self.place((rectangle.right, rectangle.bottom))];
        self.area.draw(&Block::new(corners, colour.filled())).map_err(failed)
    }

    /// Draws a line through the points.
    pub(crate) fn line(&self, points: &[Pixel], colour: RGBColor, width: f64) -> Result<(), FigureError> {
        let mut places: Vec<(i32, i32)> = points.iter().map(|&point| self.place(point)).collect();
        places.dedup();
        match self.medium {
            Medium::Vector => {
                let stroke = colour.stroke_width((width * self.scale).round().max(1.0) as u32);
                self.area.draw(&PathElement::new(places, stroke)).map_err(failed)
            }
            Medium::Bitmap => self.painted_line(&places, colour, width),
        }
    }

    /// Draws a line segment by segment, with a disc at each joint, because the rasteriser of plotters leaves
    /// holes where a wide line crosses itself.
    fn painted_line(&self, places: &[(i32, i32)], colour: RGBColor, width: f64) -> Result<(), FigureError> {
        let half = 0.5 * width * self.scale;
        for pair in places.windows(2) {
            let (from, to) = (to_f64(pair[0]), to_f64(pair[1]));
            let length = (to.0 - from.0).hypot(to.1 - from.1);
            let (nx, ny) = (half * (from.1 - to.1) / length, half * (to.0 - from.0) / length);
            let corner =
                |(x, y): Pixel, side: f64| ((x + side * nx).round() as i32, (y + side * ny).round() as i32);
            let quad = [corner(from, 1.0), corner(to, 1.0), corner(to, -1.0), corner(from, -1.0)];
            self.area.draw(&Polygon::new(quad, colour.filled())).map_err(failed)?;
        }
        // Thin lines have no visible gaps at joints, and plotters draws no disc with a radius below one
        // pixel.
        if half > 1.5 && places.len() > 2 {
            for &place in &places[1..places.len() - 1] {
                self.area
                    .draw(&Circle::new(place, (half - 0.5).round() as i32, colour.filled()))
                    .map_err(failed)?;
            }
        }
        Ok(())
    }

    /// Draws a disc.
    pub(crate) fn dot(&self, centre: Pixel, radius: f64, colour: RGBColor) -> Result<(), FigureError> {
        let radius = (radius * self.scale).round() as i32;
        self.area.draw(&Circle::new(self.place(centre), radius, colour.filled())).map_err(failed)
    }

    /// Draws one line of text, vertically centred at `at`.
    pub(crate) fn text(
        &self,
        text: &str,
        at: Pixel,
        lettering: Lettering,
        align: Align,
    ) -> Result<(), FigureError> {
        let down = self.sinking(lettering);
        let style = self.style(lettering, FontTransform::None, align);
        self.area.draw_text(text, &style, self.place((at.0, at.1 + down))).map_err(failed)
    }

    /// Draws text that runs upward, centred at `at`.
    pub(crate) fn text_upwards(
        &self,
        text: &str,
        at: Pixel,
        lettering: Lettering,
    ) -> Result<(), FigureError> {
        let down = self.sinking(lettering);
        let style = self.style(lettering, FontTransform::Rotate270, Align::Centre);
        self.area.draw_text(text, &style, self.place((at.0 + down, at.1))).map_err(failed)
    }

    /// Returns the width of text in pixels of the figure.
    pub(crate) fn width(&self, text: &str, lettering: Lettering) -> Result<f64, FigureError> {
        // The width is always measured for a bitmap, for which the size of the font is known.
        let font = self.font(lettering, LINE_PER_EM);
        let (width, _) =
            self.area.estimate_text_size(text, &font.color(&lettering.colour)).map_err(failed)?;
        Ok(f64::from(width) / self.scale)
    }

    /// Returns the font, reduced if necessary so that the width of the text is at most `room`.
    pub(crate) fn fitting(
        &self,
        text: &str,
        lettering: Lettering,
        room: f64,
    ) -> Result<Lettering, FigureError> {
        let width = self.width(text, lettering)?;
        let factor = if width > room { room / width } else { 1.0 };
        Ok(Lettering { em: lettering.em * factor, ..lettering })
    }

    fn sinking(&self, lettering: Lettering) -> f64 {
        match self.medium {
            Medium::Bitmap => BITMAP_TEXT_RISES * lettering.em,
            Medium::Vector => 0.0,
        }
    }

    fn style(&self, lettering: Lettering, transform: FontTransform, align: Align) -> TextStyle<'static> {
        let line_per_em = match self.medium {
            Medium::Bitmap => LINE_PER_EM,
            Medium::Vector => SVG_LINE_PER_EM,
        };
        let h_pos = match align {
            Align::Left => HPos::Left,
            Align::Centre => HPos::Center,
            Align::Right => HPos::Right,
        };
        self.font(lettering, line_per_em)
            .transform(transform)
            .color(&lettering.colour)
            .pos(Pos::new(h_pos, VPos::Center))
    }

    fn font(&self, lettering: Lettering, line_per_em: f64) -> FontDesc<'static> {
        let style = if lettering.bold { FontStyle::Bold } else { FontStyle::Normal };
        FontDesc::new(FontFamily::SansSerif, lettering.em * line_per_em * self.scale, style)
    }
}

/// Converts the error of a back end.
pub(crate) fn failed<E: Error + Send + Sync + 'static>(error: DrawingAreaErrorKind<E>) -> FigureError {
    FigureError::Draw(Box::new(error))
}

fn to_f64((x, y): (i32, i32)) -> Pixel {
    (f64::from(x), f64::from(y))
}

/// Returns the regular and the bold font. Only this function reads them from the crate `dejavu`, because each
/// function that does so can contain a copy of the fonts, 1.5 MB.
pub(crate) fn fonts() -> (&'static [u8], &'static [u8]) {
    static FONTS: OnceLock<(&[u8], &[u8])> = OnceLock::new();
    *FONTS.get_or_init(|| (dejavu::sans::regular(), dejavu::sans::bold()))
}

/// Registers the DejaVu fonts with plotters, once. Without a font, plotters can neither draw nor measure
/// text.
pub(crate) fn register_fonts() -> Result<(), FigureError> {
    static REGISTERED: OnceLock<bool> = OnceLock::new();
    let registered = *REGISTERED.get_or_init(|| {
        let (regular, bold) = fonts();
        register_font("sans-serif", FontStyle::Normal, regular).is_ok()
            && register_font("sans-serif", FontStyle::Bold, bold).is_ok()
    });
    if registered { Ok(()) } else { Err(FigureError::Draw("the embedded font is damaged".into())) }
}
