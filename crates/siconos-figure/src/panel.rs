//! Drawing of one panel: its margins, grid and curves.

use plotters::style::RGBColor;

use crate::axis::Axis;
use crate::canvas::{Align, BackEnd, Canvas, Lettering};
use crate::clip::{Rectangle, dashes};
use crate::decimate::{Grain, Pixel, Segments, dots, stretches, strokes};
use crate::legend::{self, Header};
use crate::ticks::{Ticks, power};
use crate::{Curve, CurveStyle, FigureError, Panel, Scale};

const LABEL: Lettering = Lettering { em: 12.5, bold: false, colour: RGBColor(34, 34, 34) };
const TICK: Lettering = Lettering { em: 11.5, bold: false, colour: RGBColor(68, 68, 68) };
const GRID: RGBColor = RGBColor(230, 230, 230);
const ZERO_LINE: RGBColor = RGBColor(185, 185, 185);
const FRAME: RGBColor = RGBColor(110, 110, 110);

/// Text in the middle of a panel that has no point to show.
const NOTHING: &str = "no value can be drawn";

/// Radius of a point between two gaps of a curve.
const LONELY_RADIUS: f64 = 1.4;
/// Radius of these points if the curve has few of them.
const FEW_RADIUS: f64 = 2.5;
/// Maximum number of these points for the larger radius.
const FEW_LONELY: usize = 20;
/// Width of the line of a stem.
const STEM: f64 = 1.2;

/// Height of the line of tick labels below the plot.
const TICK_LINE: f64 = 20.0;
/// Height of the line of the axis label below the plot.
const LABEL_LINE: f64 = 19.0;
/// Gap between the tick labels and the plot.
const TICK_GAP: f64 = 6.0;

/// Panel with its axes, ready to be laid out and drawn.
pub(crate) struct Prepared<'a> {
    panel: &'a Panel,
    x: Axis,
    y: Axis,
}

impl<'a> Prepared<'a> {
    /// Determines the ranges of the axes.
    pub(crate) fn new(panel: &'a Panel) -> Result<Self, FigureError> {
        let points = || panel.curves.iter().flat_map(|curve| curve.points.iter().copied());
        let explicit = |axis, range, scale| {
            Axis::explicit(range, scale).ok_or_else(|| FigureError::Range {
                panel: panel.title.clone(),
                axis,
                range,
            })
        };
        let x = match panel.x_range {
            Some(range) => explicit('x', range, panel.x_scale)?,
            None => {
                // A function of time is allowed to touch both ends of its axis; a phase portrait or a cloud
                // needs a margin.
                let is_function = panel.curves.iter().all(|curve| {
                    let xs = curve.points.iter().map(|point| point.0).filter(|x| x.is_finite());
                    !matches!(curve.style, CurveStyle::Points | CurveStyle::Cloud) && xs.is_sorted()
                });
                if is_function || panel.is_empty() {
                    Axis::around(points().map(|point| point.0), panel.x_scale, 0.0)
                } else {
                    // The axis ends at the points that are drawn.
                    let drawn = points().filter(|point| panel.y_scale.place(point.1).is_finite());
                    Axis::around(drawn.map(|point| point.0), panel.x_scale, 0.05)
                }
            }
        };
        let y = match panel.y_range {
            Some(range) => explicit('y', range, panel.y_scale)?,
            None => {
                let has_stems = panel.curves.iter().any(|curve| curve.style == CurveStyle::Stems);
                let drawn = points().filter(|point| panel.x_scale.place(point.0).is_finite());
                let ends = drawn.map(|point| point.1).chain(has_stems.then_some(0.0));
                Axis::around(ends, panel.y_scale, 0.06)
            }
        };
        Ok(Self { panel, x, y })
    }

    /// Returns the ticks of the vertical axis of a plot of about this height.
    pub(crate) fn y_ticks(&self, height: f64) -> Ticks {
        if self.panel.is_drawing {
            return Ticks::default();
        }
        self.y.ticks(((height / 36.0) as usize).clamp(2, 8))
    }

    /// Returns as many ticks as possible for a plot of this width without overlapping labels.
    pub(crate) fn x_ticks<DB: BackEnd>(
        &self,
        canvas: &Canvas<'_, DB>,
        width: f64,
    ) -> Result<Ticks, FigureError> {
        if self.panel.is_drawing {
            return Ok(Ticks::default());
        }
        let most = ((width / 60.0) as usize).clamp(2, 10);
        for wanted in (2..=most).rev() {
            let ticks = self.x.ticks(wanted);
            let mut end_of_last = f64::NEG_INFINITY;
            let mut fit = true;
            for tick in &ticks.ticks {
                let half = 0.5 * canvas.width(&tick.label, TICK)?;
                let centre = self.x.fraction(tick.at) * width;
                fit &= centre - half > end_of_last + 16.0;
                end_of_last = centre + half;
            }
            if fit {
                return Ok(ticks);
            }
        }
        Ok(self.x.ticks(1))
    }

    /// Returns the width that the vertical axis needs on the left of the plot.
    pub(crate) fn left<DB: BackEnd>(
        &self,
        canvas: &Canvas<'_, DB>,
        ticks: &Ticks,
    ) -> Result<f64, FigureError> {
        let mut widest = 0.0_f64;
        for tick in &ticks.ticks {
            widest = widest.max(canvas.width(&tick.label, TICK)?);
        }
        let label = if axis_label(&self.panel.y_label, ticks).is_empty() { 0.0 } else { LABEL_LINE };
        Ok(label + TICK_GAP + widest + TICK_GAP)
    }

    /// Returns the width that half of the last label needs on the right of the plot.
    pub(crate) fn right<DB: BackEnd>(
        &self,
        canvas: &Canvas<'_, DB>,
        ticks: &Ticks,
    ) -> Result<f64, FigureError> {
        let last = ticks.ticks.last().map_or(Ok(0.0), |tick| canvas.width(&tick.label, TICK))?;
        Ok((0.5 * last).max(TICK_GAP))
    }

    /// Returns the height that the horizontal axis needs below the plot.
    pub(crate) fn bottom(&self, ticks: &Ticks) -> f64 {
        if self.panel.is_drawing {
            return 0.0;
        }
        TICK_LINE + if axis_label(&self.panel.x_label, ticks).is_empty() { 0.0 } else { LABEL_LINE }
    }

    /// Draws the contents of `plot` and everything around it. `left` is the width on the left of the plot.
    pub(crate) fn draw<DB: BackEnd>(
        &self,
        canvas: &Canvas<'_, DB>,
        plot: Rectangle,
        left: f64,
        header: &Header<'_>,
        (x_ticks, y_ticks): (&Ticks, &Ticks),
    ) -> Result<(), FigureError> {
        if self.panel.is_drawing {
            self.draw_curves(canvas, self.to_scale(plot))?;
            return header.draw(canvas, plot);
        }
        self.draw_grid(canvas, plot, x_ticks, y_ticks)?;
        self.draw_curves(canvas, plot)?;
        let frame = [(plot.left, plot.top), (plot.left, plot.bottom), (plot.right, plot.bottom)];
        canvas.line(&frame, FRAME, 1.0)?;
        header.draw(canvas, plot)?;
        let centre = (0.5 * (plot.left + plot.right), 0.5 * (plot.top + plot.bottom));
        if self.panel.is_empty() {
            let lettering = canvas.fitting(NOTHING, LABEL, plot.width())?;
            canvas.text(NOTHING, centre, lettering, Align::Centre)?;
        }
        let label = axis_label(&self.panel.x_label, x_ticks);
        let lettering = canvas.fitting(&label, LABEL, plot.width())?;
        let y = plot.bottom + 4.0 + TICK_LINE + 0.4 * LABEL_LINE;
        canvas.text(&label, (centre.0, y), lettering, Align::Centre)?;

        let label = axis_label(&self.panel.y_label, y_ticks);
        // A long label is allowed to extend beyond the ends of the axis, up to the top of the header.
        let lettering = canvas.fitting(&label, LABEL, plot.height() + 2.0 * legend::LINE)?;
        canvas.text_upwards(&label, (plot.left - left + 0.4 * LABEL_LINE, centre.1), lettering)
    }

    /// Returns the largest rectangle in the middle of a plot on which both axes have the same scale.
    fn to_scale(&self, plot: Rectangle) -> Rectangle {
        let [half_x, half_y] = [&self.x, &self.y].map(Axis::half_length);
        let scale = (0.5 * plot.width() / half_x).min(0.5 * plot.height() / half_y);
        let (x, y) = (0.5 * (plot.left + plot.right), 0.5 * (plot.top + plot.bottom));
        let (half_width, half_height) = (scale * half_x, scale * half_y);
        Rectangle {
            left: x - half_width,
            top: y - half_height,
            right: x + half_width,
            bottom: y + half_height,
        }
    }

    fn draw_curves<DB: BackEnd>(&self, canvas: &Canvas<'_, DB>, plot: Rectangle) -> Result<(), FigureError> {
        let clouds = self.panel.curves.iter().filter(|curve| curve.style == CurveStyle::Cloud);
        let in_clouds = clouds.map(|curve| self.dots(plot, curve, Grain::Fine).len()).sum();
        for (index, curve) in self.panel.curves.iter().enumerate() {
            let size = match curve.style {
                CurveStyle::Cloud => CurveStyle::cloud_radius(in_clouds),
                style => style.size(),
            };
            self.draw_curve(canvas, plot, curve, curve.rgb(index), size)?;
        }
        Ok(())
    }

    /// Returns the distinct dots of a curve inside the plot.
    fn dots(&self, plot: Rectangle, curve: &Curve, grain: Grain) -> Vec<Pixel> {
        let places = curve.points.iter().map(|&point| self.place(plot, point));
        dots(places.filter(|&place| plot.contains(place)), grain)
    }

    fn draw_grid<DB: BackEnd>(
        &self,
        canvas: &Canvas<'_, DB>,
        plot: Rectangle,
        x_ticks: &Ticks,
        y_ticks: &Ticks,
    ) -> Result<(), FigureError> {
        for tick in &x_ticks.ticks {
            let x = self.place(plot, (tick.at, f64::NAN)).0;
            canvas.line(&[(x, plot.top), (x, plot.bottom)], GRID, 1.0)?;
            canvas.line(&[(x, plot.bottom), (x, plot.bottom + 4.0)], FRAME, 1.0)?;
            canvas.text(&tick.label, (x, plot.bottom + 4.0 + 0.5 * TICK_LINE), TICK, Align::Centre)?;
        }
        for tick in &y_ticks.ticks {
            let y = self.place(plot, (f64::NAN, tick.at)).1;
            canvas.line(&[(plot.left, y), (plot.right, y)], GRID, 1.0)?;
            canvas.line(&[(plot.left - 4.0, y), (plot.left, y)], FRAME, 1.0)?;
            canvas.text(&tick.label, (plot.left - 1.2 * TICK_GAP, y), TICK, Align::Right)?;
        }
        if self.panel.y_scale == Scale::Linear && self.y.has_zero_inside() {
            let y = self.place(plot, (f64::NAN, 0.0)).1;
            canvas.line(&[(plot.left, y), (plot.right, y)], ZERO_LINE, 1.0)?;
        }
        Ok(())
    }

    fn draw_curve<DB: BackEnd>(
        &self,
        canvas: &Canvas<'_, DB>,
        plot: Rectangle,
        curve: &Curve,
        colour: RGBColor,
        size: f64,
    ) -> Result<(), FigureError> {
        let places = curve.points.iter().map(|&point| self.place(plot, point));
        let grain = match curve.style {
            CurveStyle::Points => Some(Grain::Coarse),
            CurveStyle::Cloud => Some(Grain::Fine),
            CurveStyle::Stems => {
                let zero = self.place(plot, (f64::NAN, 0.0)).1;
                let foot = if zero.is_finite() { zero } else { plot.bottom };
                let pairs = places.clone().map(|(x, y)| ((x, foot), (x, y)));
                Self::draw_strokes(canvas, plot, pairs, colour, STEM)?;
                Some(Grain::Coarse)
            }
            CurveStyle::Jump => {
                let ends = places.clone().skip(1);
                return Self::draw_strokes(canvas, plot, places.zip(ends), colour, size);
            }
            _ => None,
        };
        if let Some(grain) = grain {
            for dot in self.dots(plot, curve, grain) {
                canvas.dot(dot, size, colour)?;
            }
            return Ok(());
        }
        let Segments { long, short, lonely } = stretches(places);
        for stretch in &long {
            for part in plot.clip(stretch) {
                for dash in dashes(&part, curve.style.dashes()) {
                    canvas.line(&dash, colour, size)?;
                }
            }
        }
        // A point between two gaps would be an invisible line of length zero, so it is drawn as a dot.
        let lonely = dots(lonely.into_iter().filter(|&place| plot.contains(place)), Grain::Fine);
        let radius = if lonely.len() <= FEW_LONELY { FEW_RADIUS } else { LONELY_RADIUS };
        for dot in lonely {
            canvas.dot(dot, radius.max(0.5 * size), colour)?;
        }
        Self::draw_strokes(canvas, plot, short, colour, size)
    }

    fn draw_strokes<DB: BackEnd>(
        canvas: &Canvas<'_, DB>,
        plot: Rectangle,
        pairs: impl IntoIterator<Item = (Pixel, Pixel)>,
        colour: RGBColor,
        width: f64,
    ) -> Result<(), FigureError> {
        for stroke in strokes(pairs) {
            for part in plot.clip(&stroke) {
                canvas.line(&part, colour, width)?;
            }
        }
        Ok(())
    }

    fn place(&self, plot: Rectangle, (x, y): (f64, f64)) -> Pixel {
        (plot.left + self.x.fraction(x) * plot.width(), plot.bottom - self.y.fraction(y) * plot.height())
    }
}

/// Units that take a prefix instead of a power of ten.
const PREFIXED: [&str; 9] = ["s", "m", "rad", "V", "A", "J", "N", "m/s", "N/m"];

/// Returns the label of an axis with the offset and the power of ten that its ticks share: `t [s]` becomes
/// `t [ms]`, or `t − 100 [ms]`.
fn axis_label(label: &str, ticks: &Ticks) -> String {
    let label = &match &ticks.offset {
        Some(offset) => relative_to(label, offset),
        None => label.to_owned(),
    };
    if ticks.power == 0 {
        return label.to_owned();
    }
    let prefix = match ticks.power {
        -6 => Some('µ'),
        -3 => Some('m'),
        3 => Some('k'),
        6 => Some('M'),
        _ => None,
    };
    let unit = label.strip_suffix(']').and_then(|label| label.rsplit_once('['));
    match (prefix, unit) {
        // Kiloseconds and kiloradians are not in common use.
        (Some('k' | 'M'), Some((_, "s" | "rad"))) => format!("{label}   (× {})", power(ticks.power)),
        (Some(prefix), Some((quantity, unit))) if PREFIXED.contains(&unit) => {
            format!("{quantity}[{prefix}{unit}]")
        }
        _ if label.is_empty() => format!("× {}", power(ticks.power)),
        _ => format!("{label}   (× {})", power(ticks.power)),
    }
}

/// Adds an offset to a label, before its unit.
fn relative_to(label: &str, offset: &str) -> String {
    let (quantity, unit) = match label.strip_suffix(']').and_then(|label| label.rsplit_once(" [")) {
        Some((quantity, unit)) => (quantity, format!(" [{unit}]")),
        None => (label, String::new()),
    };
    match offset.strip_prefix('-') {
        Some(digits) => format!("{quantity} + {digits}{unit}"),
        None => format!("{quantity} − {offset}{unit}"),
    }
}
