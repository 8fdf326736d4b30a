//! Complete figures.

use siconos_figure::{Curve, Figure, FigureError, Panel, Scale};

fn noise(count: u32) -> Vec<(f64, f64)> {
    (0..count)
        .map(|k| (f64::from(k), (12.9898 * f64::from(k)).sin() * (78.233 * f64::from(k)).cos()))
        .collect()
}

#[test]
fn an_svg_holds_its_texts_and_stays_small() -> Result<(), FigureError> {
    let panel = Panel::new("Angle θ & more", "time t [s]", "θ [°]")
        .with(Curve::line("10⁻² < x²", noise(100_000)))
        .with(Curve::dashed("dashed", noise(100_000)))
        .with(Curve::points("points", noise(100_000)));
    let svg = Figure::new("A figure", vec![panel]).to_svg()?;
    assert!(svg.starts_with("<svg width=\"880\" height=\"310\""), "{}", &svg[..100]);
    for text in [
        "A figure",
        "Angle θ &amp; more",
        "time t [s]   (× 10³)",
        "θ [°]",
        "10⁻² &lt; x²",
        "dashed",
        "points",
    ] {
        assert!(svg.contains(text), "{text}");
    }
    assert!(svg.len() < 300_000, "{} bytes", svg.len());
    Ok(())
}

#[test]
fn the_same_figure_gives_the_same_file() -> Result<(), FigureError> {
    let figure =
        Figure::grid("", 2, vec![Panel::default().with(Curve::points("", noise(5000))), Panel::default()]);
    assert_eq!(figure.to_svg()?, figure.to_svg()?);
    Ok(())
}

/// A line with a single point is a dot that is visible without a magnifier.
#[test]
fn a_line_of_one_point_is_a_large_dot() -> Result<(), FigureError> {
    let radii = |count: u32| {
        let gap = (f64::NAN, f64::NAN);
        let points = (0..count).flat_map(|k| [(f64::from(k), 1.0), gap]).collect();
        let svg = Figure::new("", vec![Panel::new("", "t", "x").with(Curve::line("", points))]).to_svg()?;
        Ok::<_, FigureError>((svg.matches(" r=\"25\"").count(), svg.matches(" r=\"14\"").count()))
    };
    assert_eq!((radii(1)?, radii(20)?, radii(100)?), ((1, 0), (20, 0), (0, 100)));
    Ok(())
}

/// Points with one coordinate that cannot be drawn do not widen the axes. A time axis has all times.
#[test]
fn the_axes_end_at_points_that_are_drawn() -> Result<(), FigureError> {
    let points = vec![(1.0, 1.0), (2.0, 2.0), (4000.0, f64::NAN), (f64::NAN, 4000.0)];
    let texts = |curve| Figure::new("", vec![Panel::new("", "x", "y").with(curve)]).to_svg();
    assert!(!texts(Curve::points("", points.clone()))?.contains("4000"));
    let svg = texts(Curve::line("", points))?;
    assert_eq!(svg.matches("\n4000\n").count(), 1, "the time axis");
    Ok(())
}

/// The page has the size of the figure at 96 pixels per inch.
#[test]
fn a_pdf_has_one_page_of_the_size_of_the_figure() -> Result<(), FigureError> {
    let panel = Panel::new("θ²", "t", "q").with(Curve::line("a", noise(100_000)));
    let figure = Figure::new("", vec![panel]).with_size(880, 400);
    let pdf = figure.to_pdf()?;
    assert_eq!(pdf, figure.to_pdf()?);
    let text = String::from_utf8_lossy(&pdf);
    assert!(text.starts_with("%PDF-") && text.trim_end().ends_with("%%EOF"));
    assert!(text.contains("/MediaBox [0 0 660 300]"), "{}", &text[..600.min(text.len())]);
    assert!(pdf.len() < 100_000, "{} bytes", pdf.len());
    Ok(())
}

#[test]
fn a_png_is_a_png() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::temp_dir().join(format!("siconos_figure_{}.png", std::process::id()));
    Figure::new("", vec![Panel::default().with(Curve::line("", noise(10)))])
        .with_size(220, 160)
        .save(&path)?;
    let bytes = std::fs::read(&path)?;
    std::fs::remove_file(&path)?;
    assert!(bytes.starts_with(b"\x89PNG"));
    Ok(())
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let figure = |panel| Figure::new("", vec![panel]);
    assert!(matches!(Figure::new("", vec![]).to_svg(), Err(FigureError::NoPanel { .. })));
    let panel = Panel { x_range: Some((1.0, 1.0)), ..Panel::default() };
    assert!(matches!(figure(panel).to_svg(), Err(FigureError::Range { axis: 'x', .. })));
    let panel = Panel { y_range: Some((0.0, 1.0)), y_scale: Scale::Logarithmic, ..Panel::default() };
    assert!(matches!(figure(panel).to_svg(), Err(FigureError::Range { axis: 'y', .. })));
    let small = figure(Panel::new("title", "x", "y")).with_size(100, 60);
    assert!(matches!(small.to_svg(), Err(FigureError::TooSmall { .. })));
    for name in ["figure.eps", "figure", "png"] {
        assert!(matches!(figure(Panel::default()).save(name), Err(FigureError::UnknownExtension { .. })));
    }
    assert!(matches!(figure(Panel::default()).save("no/such/folder/a.png"), Err(FigureError::Write { .. })));
    assert!(matches!(figure(Panel::default()).save("no/such/folder/a.svg"), Err(FigureError::Write { .. })));
}
