//! Texts of a panel: its title, and the legend with a sample of each curve, above the plot or next to it.

use plotters::style::RGBColor;

use crate::canvas::{Align, BackEnd, Canvas, Lettering};
use crate::clip::{Rectangle, dashes};
use crate::decimate::Pixel;
use crate::{Curve, CurveStyle, FigureError, Legend, Panel};

const TITLE: Lettering = Lettering { em: 13.5, bold: true, colour: RGBColor(34, 34, 34) };
const NAME: Lettering = Lettering { em: 12.5, bold: false, colour: RGBColor(34, 34, 34) };

/// Height of a line of text in pixels.
pub(crate) const LINE: f64 = 20.0;
/// Gap below the last line above the plot.
const HEADER_GAP: f64 = 6.0;
/// Length of the sample of an entry in pixels.
const SAMPLE: f64 = 22.0;
/// Length in pixels of the sample of an entry in a legend next to the plot. It shows two periods of each dash
/// pattern.
const SAMPLE_BESIDE: f64 = 34.0;
/// Gap between the sample and the name.
const SAMPLE_GAP: f64 = 6.0;
/// Gap between two entries on one line, and between the plot and the legend next to it.
const ENTRY_GAP: f64 = 16.0;
/// Ratio of the width of a line in its sample to its width in the plot.
const THICKER: f64 = 1.3;
/// Maximum width of a legend next to the plot, as a fraction of the width of the panel.
const MOST_BESIDE: f64 = 0.45;
/// Ratio of line height to font size in a compressed legend.
const LINE_PER_EM: f64 = 1.2;

/// Entry of the legend.
struct LegendEntry<'a> {
    label: &'a str,
    curve: &'a Curve,
    colour: RGBColor,
    /// Width of the sample and the name.
    width: f64,
}

impl<'a> LegendEntry<'a> {
    /// Creates the entries of all curves that have a name.
    fn of<DB: BackEnd>(
        panel: &'a Panel,
        canvas: &Canvas<'_, DB>,
        sample: f64,
    ) -> Result<Vec<Self>, FigureError> {
        let named = panel.curves.iter().enumerate();
        let named = named.filter_map(|(index, curve)| Some((index, curve, curve.label.as_deref()?)));
        named
            .map(|(index, curve, label)| {
                let width = sample + SAMPLE_GAP + canvas.width(label, NAME)?;
                Ok(Self { label, curve, colour: curve.rgb(index), width })
            })
            .collect()
    }

    /// Draws the sample starting at `at`, followed by the name. Their total width is at most `room`.
    fn draw<DB: BackEnd>(
        &self,
        canvas: &Canvas<'_, DB>,
        (x, y): Pixel,
        (sample, room): (f64, f64),
        lettering: Lettering,
    ) -> Result<(), FigureError> {
        let style = self.curve.style;
        if matches!(style, CurveStyle::Points | CurveStyle::Cloud | CurveStyle::Stems) {
            // A small dot would not show its colour.
            canvas.dot((x + 0.5 * sample, y), THICKER * CurveStyle::Points.size(), self.colour)?;
        } else {
            let width = if style == CurveStyle::Underlay { 1.0 } else { THICKER } * style.size();
            for dash in dashes(&[(x, y), (x + sample, y)], style.dashes()) {
                canvas.line(&dash, self.colour, width)?;
            }
        }
        let lettering = canvas.fitting(self.label, lettering, room - sample - SAMPLE_GAP)?;
        canvas.text(self.label, (x + sample + SAMPLE_GAP, y), lettering, Align::Left)
    }
}

/// Text above the plot: the title and the legend. They are on one line if both fit, otherwise on separate
/// lines.
pub(crate) struct Header<'a> {
    title: &'a str,
    legend: Vec<Vec<LegendEntry<'a>>>,
    on_title_line: bool,
    pub(crate) height: f64,
}

impl<'a> Header<'a> {
    /// Lays out the title and the legend above a plot of the given width.
    pub(crate) fn new<DB: BackEnd>(
        panel: &'a Panel,
        canvas: &Canvas<'_, DB>,
        width: f64,
    ) -> Result<Self, FigureError> {
        let entries = match panel.legend {
            Legend::Above => LegendEntry::of(panel, canvas, SAMPLE)?,
            Legend::Right | Legend::Hidden => Vec::new(),
        };
        let mut legend: Vec<Vec<LegendEntry<'a>>> = Vec::new();
        let mut taken = f64::INFINITY;
        for entry in entries {
            if taken + ENTRY_GAP + entry.width > width {
                legend.push(Vec::new());
                taken = -ENTRY_GAP;
            }
            taken += ENTRY_GAP + entry.width;
            if let Some(line) = legend.last_mut() {
                line.push(entry);
            }
        }
        let title = canvas.width(&panel.title, TITLE)?;
        let on_title_line = legend.len() == 1 && (title == 0.0 || title + 2.0 * ENTRY_GAP + taken <= width);
        let title_lines = usize::from(title > 0.0);
        let lines = if on_title_line { 1 } else { title_lines + legend.len() };
        let height = lines as f64 * LINE + HEADER_GAP;
        Ok(Self { title: &panel.title, legend, on_title_line, height })
    }

    pub(crate) fn draw<DB: BackEnd>(
        &self,
        canvas: &Canvas<'_, DB>,
        plot: Rectangle,
    ) -> Result<(), FigureError> {
        let mut y = plot.top - self.height + 0.5 * LINE;
        let title = canvas.fitting(self.title, TITLE, plot.width())?;
        canvas.text(self.title, (plot.left, y), title, Align::Left)?;
        if !self.title.is_empty() && !self.on_title_line {
            y += LINE;
        }
        for line in &self.legend {
            let width =
                line.iter().map(|entry| entry.width).sum::<f64>() + ENTRY_GAP * (line.len() - 1) as f64;
            let beside_title = self.on_title_line && !self.title.is_empty();
            let mut x = if beside_title { plot.right - width } else { plot.left };
            for entry in line {
                entry.draw(canvas, (x, y), (SAMPLE, plot.width()), NAME)?;
                x += entry.width + ENTRY_GAP;
            }
            y += LINE;
        }
        Ok(())
    }
}

/// Legend on the right of the plot, in one column.
pub(crate) struct Side<'a> {
    entries: Vec<LegendEntry<'a>>,
    /// Required width, including the gap to the plot; 0 for an empty legend.
    pub(crate) width: f64,
}

impl<'a> Side<'a> {
    /// Lays out the legend of a panel of the given width.
    pub(crate) fn new<DB: BackEnd>(
        panel: &'a Panel,
        canvas: &Canvas<'_, DB>,
        width: f64,
    ) -> Result<Self, FigureError> {
        let entries = match panel.legend {
            Legend::Above | Legend::Hidden => Vec::new(),
            Legend::Right => LegendEntry::of(panel, canvas, SAMPLE_BESIDE)?,
        };
        let widest = entries.iter().map(|entry| ENTRY_GAP + entry.width).fold(0.0, f64::max);
        Ok(Self { entries, width: widest.min(MOST_BESIDE * width) })
    }

    /// Draws the legend downward from the top of the plot. A long legend is compressed to the height of the
    /// plot.
    pub(crate) fn draw<DB: BackEnd>(
        &self,
        canvas: &Canvas<'_, DB>,
        plot: Rectangle,
    ) -> Result<(), FigureError> {
        let line = LINE.min(plot.height() / self.entries.len().max(1) as f64);
        let lettering = Lettering { em: NAME.em.min(line / LINE_PER_EM), ..NAME };
        for (index, entry) in self.entries.iter().enumerate() {
            let at = (plot.right + ENTRY_GAP, plot.top + (index as f64 + 0.5) * line);
            entry.draw(canvas, at, (SAMPLE_BESIDE, self.width - ENTRY_GAP), lettering)?;
        }
        Ok(())
    }
}
