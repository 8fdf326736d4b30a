//! The performance profile as an SVG picture.

use std::error::Error;
use std::sync::OnceLock;

use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};

use super::profile::Profile;

const SIZE: (u32, u32) = (900, 560);

/// Colours that differ for colour-blind readers as well (Okabe and Ito 2008), without the yellow, which is
/// pale on white.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];

/// Dashes and gaps in pixels; the first seven curves are whole lines.
const DASHES: [(i32, i32); 4] = [(1, 0), (9, 4), (3, 3), (14, 6)];

/// Draws the curves of steps over the factor on a logarithmic axis.
pub(super) fn svg(profiles: &[Profile], files: usize) -> Result<String, String> {
    let mut picture = String::new();
    draw(&mut picture, profiles, files).map_err(|error| format!("cannot draw the profile: {error}"))?;
    Ok(picture)
}

fn draw(picture: &mut String, profiles: &[Profile], files: usize) -> Result<(), Box<dyn Error>> {
    register_fonts()?;
    let largest = profiles.iter().filter_map(|profile| profile.ratios.last()).fold(1.0_f64, |a, b| a.max(*b));
    // The last step has a level to the right of it; without any, there is an axis all the same.
    let end = (1.3 * largest).max(2.0);
    let root = SVGBackend::with_string(picture, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let title = format!("Performance profile over {files} {}", if files == 1 { "file" } else { "files" });
    let (plot, legend) = root.split_horizontally(620);
    let mut chart = ChartBuilder::on(&plot)
        .caption(title, ("sans-serif", 19))
        .margin(12)
        .x_label_area_size(46)
        .y_label_area_size(58)
        .build_cartesian_2d((1.0..end).log_scale(), 0.0..1.02)?;
    chart
        .configure_mesh()
        .x_desc("time / least time of any method")
        .y_desc("part of the files solved within that factor")
        .x_label_formatter(&|x| number(*x))
        .y_label_formatter(&|y| format!("{y:.1}"))
        .y_labels(6)
        .x_max_light_lines(0)
        .y_max_light_lines(1)
        .bold_line_style(RGBColor(220, 220, 220))
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .draw()?;
    for (index, profile) in profiles.iter().enumerate() {
        let (style, dashes) = style(index);
        let steps = profile.steps(files, end);
        if dashes.1 == 0 {
            chart.draw_series(LineSeries::new(steps, style))?;
        } else {
            chart.draw_series(DashedLineSeries::new(steps, dashes.0, dashes.1, style))?;
        }
    }
    draw_legend(&legend, profiles, files)?;
    root.present()?;
    Ok(())
}

/// Beside the curves, where it hides none of them.
fn draw_legend(
    area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    profiles: &[Profile],
    files: usize,
) -> Result<(), Box<dyn Error>> {
    // As many as have room.
    area.draw(&Text::new("method (files solved)", (4, 22), ("sans-serif", 14)))?;
    let step = (480 / profiles.len().max(1) as i32).clamp(16, 34);
    for (index, profile) in profiles.iter().enumerate() {
        let (style, dashes) = style(index);
        let y = 52 + step * index as i32;
        let line = [(4, y), (40, y)];
        if dashes.1 == 0 {
            area.draw(&PathElement::new(line, style))?;
        } else {
            let mut x = line[0].0;
            while x < line[1].0 {
                area.draw(&PathElement::new([(x, y), ((x + dashes.0).min(line[1].0), y)], style))?;
                x += dashes.0 + dashes.1;
            }
        }
        let text = format!("{} ({} of {files})", profile.method, profile.ratios.len());
        area.draw(&Text::new(text, (48, y - 7), ("sans-serif", 13)))?;
    }
    Ok(())
}

fn style(index: usize) -> (ShapeStyle, (i32, i32)) {
    let dashes = DASHES[(index / COLOURS.len()) % DASHES.len()];
    (COLOURS[index % COLOURS.len()].stroke_width(2), dashes)
}

/// A factor without needless digits; only 1, 2 and 5 times a power of ten, between which the lines stay
/// without a number.
fn number(x: f64) -> String {
    let mantissa = x / 10_f64.powf(x.log10().floor());
    if ![1.0, 2.0, 5.0, 10.0].iter().any(|round| (mantissa - round).abs() < 1e-6 * round) {
        String::new()
    } else if x < 1e5 {
        format!("{}", x.round())
    } else {
        format!("{x:.0e}")
    }
}

/// Makes the DejaVu font known to plotters, once; without a font it can neither draw nor measure text.
fn register_fonts() -> Result<(), Box<dyn Error>> {
    static REGISTERED: OnceLock<bool> = OnceLock::new();
    let register = || register_font("sans-serif", FontStyle::Normal, dejavu::sans::regular()).is_ok();
    if *REGISTERED.get_or_init(register) { Ok(()) } else { Err("the embedded font is damaged".into()) }
}
