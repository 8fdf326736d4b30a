//! Output of a figure as PNG, SVG or PDF, and the layout of the panels.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use plotters::prelude::{BitMapBackend, IntoDrawingArea, SVGBackend};
use plotters::style::{RGBColor, WHITE};
use png::{BitDepth, ColorType, Encoder};

use crate::canvas::{Align, BackEnd, Canvas, Lettering, Medium, failed, register_fonts};
use crate::clip::Rectangle;
use crate::legend::{Header, Side};
use crate::panel::Prepared;
use crate::ticks::Ticks;
use crate::{Figure, FigureError, TITLE_HEIGHT, pdf};

/// Coordinate steps per pixel in an SVG or PDF file. The crate `plotters` passes integer coordinates, and a
/// curve in steps of one pixel would look jagged.
const SVG_STEPS: u32 = 10;
/// Pixels of a PNG file per pixel of the figure.
const PNG_DENSITY: u32 = 2;
/// Samples per pixel of a PNG file, in each direction. They smooth the edges.
const PNG_SAMPLES: u32 = 2;

const TITLE: Lettering = Lettering { em: 16.0, bold: true, colour: RGBColor(34, 34, 34) };
const MARGIN: f64 = 12.0;
const GAP: f64 = 14.0;
/// Typical total height above and below a plot. Only the number of ticks depends on this constant.
const USUAL_AROUND: f64 = 70.0;
/// Minimum width and height of a plot.
const LEAST_PLOT: (f64, f64) = (80.0, 40.0);

impl Figure {
    /// Draws the figure to a `.png`, `.svg` or `.pdf` file. An existing file is replaced.
    ///
    /// # Errors
    ///
    /// If the extension is not .png, .svg or .pdf, the figure has no panel, a range is invalid, the figure is
    /// too small for its panels, or the file cannot be written ([`FigureError`]).
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FigureError> {
        let path = path.as_ref();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("png") => self.save_png(path),
            Some("svg") => write(path, self.to_svg()?.as_bytes()),
            Some("pdf") => write(path, &self.to_pdf()?),
            _ => Err(FigureError::UnknownExtension { path: path.to_owned() }),
        }
    }

    /// Draws the figure to the text of an `<svg>` element, which can be inserted in an HTML page.
    ///
    /// # Errors
    ///
    /// If the figure has no panel, a range is invalid, or the figure is too small for its panels
    /// ([`FigureError`]).
    pub fn to_svg(&self) -> Result<String, FigureError> {
        let prepared = self.prepared()?;
        let large = (self.size.0 * SVG_STEPS, self.size.1 * SVG_STEPS);
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, large).into_drawing_area();
            let canvas = Canvas { area: &area, medium: Medium::Vector, scale: f64::from(SVG_STEPS) };
            self.draw(&canvas, &prepared)?;
            area.present().map_err(failed)?;
        }
        // The coordinates in the SVG file, given by its view box, are `SVG_STEPS` times larger than the
        // picture. The lines have round joints.
        let head = format!("<svg width=\"{}\" height=\"{}\"", large.0, large.1);
        let proper = format!(
            "<svg width=\"{}\" height=\"{}\" stroke-linejoin=\"round\" stroke-linecap=\"butt\"",
            self.size.0, self.size.1
        );
        Ok(svg.replacen(&head, &proper, 1))
    }

    /// Draws the figure to the bytes of a PDF file with one page. Text is drawn as outlines, so it cannot be
    /// searched. A pixel of the figure is 1/96 inch.
    ///
    /// # Errors
    ///
    /// If the figure has no panel, a range is invalid, or the figure is too small for its panels
    /// ([`FigureError`]).
    ///
    /// ```
    /// use siconos_figure::{Curve, Figure, Panel};
    ///
    /// let panel = Panel::new("", "t [s]", "q [m]").with(Curve::line("", vec![(0.0, 1.0), (1.0, 0.0)]));
    /// assert!(Figure::new("", vec![panel]).to_pdf()?.starts_with(b"%PDF-"));
    /// # Ok::<(), siconos_figure::FigureError>(())
    /// ```
    pub fn to_pdf(&self) -> Result<Vec<u8>, FigureError> {
        let prepared = self.prepared()?;
        let large = (self.size.0 * SVG_STEPS, self.size.1 * SVG_STEPS);
        let mut content = pdf::content(SVG_STEPS, self.size.1);
        {
            let back_end = pdf::PdfBackEnd::new(&mut content, large)
                .ok_or_else(|| FigureError::Draw("the embedded font is damaged".into()))?;
            let area = back_end.into_drawing_area();
            let canvas = Canvas { area: &area, medium: Medium::Vector, scale: f64::from(SVG_STEPS) };
            self.draw(&canvas, &prepared)?;
        }
        pdf::file(content, self.size).map_err(|error| FigureError::Draw(Box::new(error)))
    }

    fn save_png(&self, path: &Path) -> Result<(), FigureError> {
        let prepared = self.prepared()?;
        let size = (self.size.0 * PNG_DENSITY, self.size.1 * PNG_DENSITY);
        let large = (size.0 * PNG_SAMPLES, size.1 * PNG_SAMPLES);
        let mut samples = vec![u8::MAX; 3 * large.0 as usize * large.1 as usize];
        {
            let area = BitMapBackend::with_buffer(&mut samples, large).into_drawing_area();
            let scale = f64::from(PNG_DENSITY * PNG_SAMPLES);
            self.draw(&Canvas { area: &area, medium: Medium::Bitmap, scale }, &prepared)?;
            area.present().map_err(failed)?;
        }
        let pixels = averaged(&samples, large.0 as usize);
        write_png(path, size, &pixels).map_err(|source| FigureError::Write { path: path.to_owned(), source })
    }

    /// Returns the panels with their axes, after checking the input.
    fn prepared(&self) -> Result<Vec<Prepared<'_>>, FigureError> {
        if self.panels.is_empty() {
            return Err(FigureError::NoPanel { title: self.title.clone() });
        }
        register_fonts()?;
        self.panels.iter().map(Prepared::new).collect()
    }

    fn draw<DB: BackEnd>(
        &self,
        canvas: &Canvas<'_, DB>,
        prepared: &[Prepared<'_>],
    ) -> Result<(), FigureError> {
        let whole =
            Rectangle { left: 0.0, top: 0.0, right: f64::from(self.size.0), bottom: f64::from(self.size.1) };
        canvas.block(whole, WHITE)?;
        let mut grid = whole;
        if !self.title.is_empty() {
            let room = whole.width() - 2.0 * MARGIN;
            let lettering = canvas.fitting(&self.title, TITLE, room)?;
            let at = (0.5 * whole.width(), 0.5 * MARGIN + 0.5 * f64::from(TITLE_HEIGHT));
            canvas.text(&self.title, at, lettering, Align::Centre)?;
            grid.top += f64::from(TITLE_HEIGHT);
        }
        self.draw_grid(canvas, prepared, grid)
    }

    /// Lays out the panels in three passes. First, the axes and the legends on the right determine the widths
    /// of the plots. Second, the widths determine the number of lines of the legends above the plots. Third,
    /// these determine the heights. Plots in one column start at the same x, plots in one row at the same y.
    fn draw_grid<DB: BackEnd>(
        &self,
        canvas: &Canvas<'_, DB>,
        prepared: &[Prepared<'_>],
        grid: Rectangle,
    ) -> Result<(), FigureError> {
        let columns = self.columns.max(1);
        let rows = prepared.len().div_ceil(columns);
        let cell_width = (grid.width() - 2.0 * MARGIN - GAP * (columns - 1) as f64) / columns as f64;
        let cell_height = (grid.height() - 2.0 * MARGIN - GAP * (rows - 1) as f64) / rows as f64;

        let y_ticks: Vec<Ticks> =
            prepared.iter().map(|panel| panel.y_ticks(cell_height - USUAL_AROUND)).collect();
        let mut left = vec![0.0_f64; columns];
        for (index, (panel, ticks)) in prepared.iter().zip(&y_ticks).enumerate() {
            let column = &mut left[index % columns];
            *column = column.max(panel.left(canvas, ticks)?);
        }

        let mut across = Vec::with_capacity(prepared.len());
        let mut above = vec![0.0_f64; rows];
        let mut below = vec![0.0_f64; rows];
        for (index, (panel, described)) in prepared.iter().zip(&self.panels).enumerate() {
            let side = Side::new(described, canvas, cell_width)?;
            let width = cell_width - left[index % columns] - side.width;
            let ticks = panel.x_ticks(canvas, width)?;
            let right = panel.right(canvas, &ticks)?;
            let header = Header::new(described, canvas, width - right)?;
            let row = index / columns;
            above[row] = above[row].max(header.height);
            below[row] = below[row].max(panel.bottom(&ticks));
            across.push((ticks, right + side.width, header, side));
        }

        for (index, (panel, (x_ticks, right, header, side))) in prepared.iter().zip(&across).enumerate() {
            let (row, column) = (index / columns, index % columns);
            let x = grid.left + MARGIN + column as f64 * (cell_width + GAP);
            let y = grid.top + MARGIN + row as f64 * (cell_height + GAP);
            let plot = Rectangle {
                left: x + left[column],
                top: y + above[row],
                right: x + cell_width - right,
                bottom: y + cell_height - below[row],
            };
            if plot.width() < LEAST_PLOT.0 || plot.height() < LEAST_PLOT.1 {
                return Err(FigureError::TooSmall { title: self.title.clone(), size: self.size });
            }
            panel.draw(canvas, plot, left[column], header, (x_ticks, &y_ticks[index]))?;
            side.draw(canvas, plot)?;
        }
        Ok(())
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), FigureError> {
    std::fs::write(path, bytes).map_err(|source| FigureError::Write { path: path.to_owned(), source })
}

/// Writes pixels with eight bits for each of red, green and blue.
fn write_png(path: &Path, (width, height): (u32, u32), pixels: &[u8]) -> io::Result<()> {
    let mut encoder = Encoder::new(BufWriter::new(File::create(path)?), width, height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    Ok(writer.finish()?)
}

/// Averages the `PNG_SAMPLES` x `PNG_SAMPLES` samples of each pixel; a row has `width` samples.
fn averaged(samples: &[u8], width: usize) -> Vec<u8> {
    let block = PNG_SAMPLES as usize;
    let mut pixels = Vec::with_capacity(samples.len() / (block * block));
    for rows in samples.chunks_exact(3 * width * block) {
        for x in (0..width).step_by(block) {
            for channel in 0..3 {
                let sum: usize = (0..block)
                    .flat_map(|dy| (0..block).map(move |dx| 3 * (dy * width + x + dx) + channel))
                    .map(|index| usize::from(rows[index]))
                    .sum();
                pixels.push(u8::try_from(sum / (block * block)).unwrap_or(u8::MAX));
            }
        }
    }
    pixels
}
