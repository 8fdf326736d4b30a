//! Back end of plotters for PDF files.
//!
//! The file has one page. Text is drawn as outlines of the embedded font, so it looks the same in every
//! viewer, and the file contains no font.

use std::convert::Infallible;
use std::io::{self, Write};

use ab_glyph::{Font, FontRef, OutlineCurve, Point};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Filter, Finish, Pdf, Rect, Ref};
use plotters_backend::text_anchor::HPos;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontStyle,
    FontTransform,
};

use crate::canvas::{SVG_LINE_PER_EM, fonts};

/// Points of a PDF file per pixel of the figure: a point is 1/72 inch, and a pixel is 1/96 inch.
const POINTS_PER_PIXEL: f32 = 0.75;
/// Ratio of the height of the letter x to the font size of DejaVu Sans.
const X_HEIGHT_PER_EM: f32 = 0.547;

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// Back end that appends to the content of a page. The origin is the upper left corner.
pub(crate) struct PdfBackEnd<'c> {
    content: &'c mut Content,
    size: (u32, u32),
    regular: FontRef<'static>,
    bold: FontRef<'static>,
}

/// Creates the content of a page with `steps` coordinate units per pixel and the given height in pixels.
pub(crate) fn content(steps: u32, height: u32) -> Content {
    let mut content = Content::new();
    let scale = POINTS_PER_PIXEL / steps as f32;
    content.transform([scale, 0.0, 0.0, -scale, 0.0, POINTS_PER_PIXEL * height as f32]);
    content.set_line_join(LineJoinStyle::RoundJoin).set_line_cap(LineCapStyle::ButtCap);
    content
}

/// Returns the bytes of a file with one page. The size is in pixels.
pub(crate) fn file(content: Content, (width, height): (u32, u32)) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&content.finish())?;
    let stream = encoder.finish()?;
    let [catalog, pages, page, contents] = [1, 2, 3, 4].map(Ref::new);
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let mut described = pdf.page(page);
    let [width, height] = [width, height].map(|side| POINTS_PER_PIXEL * side as f32);
    described.parent(pages).media_box(Rect::new(0.0, 0.0, width, height)).contents(contents).resources();
    described.finish();
    pdf.stream(contents, &stream).filter(Filter::FlateDecode);
    Ok(pdf.finish())
}

impl<'c> PdfBackEnd<'c> {
    /// Creates a back end of the given size in coordinate units. Returns `None` if the font is damaged.
    pub(crate) fn new(content: &'c mut Content, size: (u32, u32)) -> Option<Self> {
        let font = |bytes| FontRef::try_from_slice(bytes).ok();
        let (regular, bold) = fonts();
        Some(Self { content, size, regular: font(regular)?, bold: font(bold)? })
    }

    fn fill_colour(&mut self, colour: BackendColor) {
        let [red, green, blue] = channels(colour);
        self.content.set_fill_rgb(red, green, blue);
    }

    fn stroke_style(&mut self, style: &impl BackendStyle) {
        let [red, green, blue] = channels(style.color());
        self.content.set_stroke_rgb(red, green, blue).set_line_width(style.stroke_width() as f32);
    }

    /// Adds a path through the points. Returns `false` if there are no points.
    fn path(&mut self, points: impl IntoIterator<Item = BackendCoord>) -> bool {
        let mut points = points.into_iter().map(|(x, y)| (x as f32, y as f32));
        let Some((x, y)) = points.next() else { return false };
        self.content.move_to(x, y);
        points.for_each(|(x, y)| {
            self.content.line_to(x, y);
        });
        true
    }
}

impl DrawingBackend for PdfBackEnd<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, colour: BackendColor) -> Drawn {
        self.fill_colour(colour);
        self.content.rect(x as f32, y as f32, 1.0, 1.0).fill_nonzero();
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        is_filled: bool,
    ) -> Drawn {
        let (width, height) = ((right - left) as f32, (bottom - top) as f32);
        if is_filled {
            self.fill_colour(style.color());
            self.content.rect(left as f32, top as f32, width, height).fill_nonzero();
        } else {
            self.stroke_style(style);
            self.content.rect(left as f32, top as f32, width, height).stroke();
        }
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.stroke_style(style);
        if self.path(path) {
            self.content.stroke();
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &S,
        _is_filled: bool,
    ) -> Drawn {
        self.fill_colour(style.color());
        let (x, y, r) = (x as f32, y as f32, radius as f32);
        // Four cubic curves approximate a circle to 0.03 % of its radius with this distance of the control
        // points.
        let c = 0.552_284_8 * r;
        self.content.move_to(x + r, y);
        self.content.cubic_to(x + r, y + c, x + c, y + r, x, y + r);
        self.content.cubic_to(x - c, y + r, x - r, y + c, x - r, y);
        self.content.cubic_to(x - r, y - c, x - c, y - r, x, y - r);
        self.content.cubic_to(x + c, y - r, x + r, y - c, x + r, y);
        self.content.close_path().fill_nonzero();
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Drawn {
        self.fill_colour(style.color());
        if self.path(corners) {
            self.content.close_path().fill_nonzero();
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) -> Drawn {
        let font = if matches!(style.style(), FontStyle::Bold) { &self.bold } else { &self.regular };
        let em = (style.size() / SVG_LINE_PER_EM) as f32;
        let scale = em / font.units_per_em().unwrap_or(2048.0);
        let glyphs: Vec<_> = text.chars().map(|character| font.glyph_id(character)).collect();
        let width: f32 = glyphs.iter().map(|glyph| scale * font.h_advance_unscaled(*glyph)).sum();
        let mut pen = match style.anchor().h_pos {
            HPos::Left => 0.0,
            HPos::Center => -0.5 * width,
            HPos::Right => -width,
        };
        let baseline = 0.5 * X_HEIGHT_PER_EM * em;
        let is_upward = matches!(style.transform(), FontTransform::Rotate270);
        let mut outlines = Vec::new();
        for glyph in glyphs {
            let place = |point: Point| {
                let (along, down) = (pen + scale * point.x, baseline - scale * point.y);
                let (dx, dy) = if is_upward { (down, -along) } else { (along, down) };
                (x as f32 + dx, y as f32 + dy)
            };
            if let Some(outline) = font.outline(glyph) {
                outlines.extend(outline.curves.iter().map(|curve| cubic(curve).map(place)));
            }
            pen += scale * font.h_advance_unscaled(glyph);
        }
        self.fill_colour(style.color());
        let mut end = None;
        for [from, first, second, to] in outlines {
            if end != Some(from) {
                self.content.move_to(from.0, from.1);
            }
            self.content.cubic_to(first.0, first.1, second.0, second.1, to.0, to.1);
            end = Some(to);
        }
        if end.is_some() {
            self.content.fill_nonzero();
        }
        Ok(())
    }
}

/// Returns a curve of an outline as a cubic Bezier curve.
fn cubic(curve: &OutlineCurve) -> [Point; 4] {
    let between = |from: Point, to: Point, part: f32| Point {
        x: from.x + part * (to.x - from.x),
        y: from.y + part * (to.y - from.y),
    };
    match *curve {
        OutlineCurve::Line(from, to) => [from, from, to, to],
        OutlineCurve::Quad(from, middle, to) => {
            [from, between(from, middle, 2.0 / 3.0), between(to, middle, 2.0 / 3.0), to]
        }
        OutlineCurve::Cubic(from, first, second, to) => [from, first, second, to],
    }
}

fn channels(colour: BackendColor) -> [f32; 3] {
    let (red, green, blue) = colour.rgb;
    [red, green, blue].map(|channel| f32::from(channel) / 255.0)
}
