//! Panels with more curves than the palette has colours, and legends next to the plot.

use siconos_figure::{Colour, Curve, CurveStyle, Figure, FigureError, Legend, Panel};

/// Creates a panel with `count` rising lines.
fn panel(count: usize) -> Panel {
    let line = |k: usize| Curve {
        style: CurveStyle::cycle(k),
        ..Curve::line(format!("curve {k} of many"), vec![(0.0, 0.0), (1.0, k as f64)])
    };
    Panel { curves: (0..count).map(line).collect(), legend: Legend::Right, ..Panel::new("", "x", "y") }
}

/// Returns the positions of the names of the curves in pixels of the figure, and the sizes of their fonts.
fn names(svg: &str) -> Vec<(f64, f64, f64)> {
    let number = |text: &str, name: &str| {
        let (_, rest) = text.split_once(&format!(" {name}=\"")).expect("an attribute");
        rest.split('"').next().and_then(|number| number.parse::<f64>().ok()).expect("a number")
    };
    let texts = svg.split("<text").skip(1).filter(|text| text.contains("of many"));
    texts
        .map(|text| (number(text, "x") / 10.0, number(text, "y") / 10.0, number(text, "font-size") / 10.0))
        .collect()
}

#[test]
fn thirty_five_lines_differ() {
    let style = |k| (Colour::cycle(k), CurveStyle::cycle(k));
    for k in 0..35 {
        assert!((0..k).all(|other| style(other) != style(k)), "{k}");
    }
    assert_eq!(style(35), style(0));
}

#[test]
fn names_beside_the_plot_stand_below_each_other() -> Result<(), FigureError> {
    for (count, height) in [(3, 280), (24, 600), (40, 480)] {
        let svg = Figure::new("", vec![panel(count)]).with_size(900, height).to_svg()?;
        let names = names(&svg);
        assert_eq!(names.len(), count);
        let (left, _, em) = names[0];
        assert!(left > 600.0 && em > 8.0, "{:?}", names[0]);
        for pair in names.windows(2) {
            assert!(pair[1].0 == left && pair[1].1 - pair[0].1 > 0.9 * em, "{pair:?}");
        }
        assert!(names[count - 1].1 < f64::from(height) - 40.0, "the last is above the end of the plot");
    }
    Ok(())
}

#[test]
fn a_long_name_leaves_room_for_the_plot() -> Result<(), FigureError> {
    let mut panel = panel(2);
    panel.curves[0].label = Some("of many a name that does not end ".repeat(8));
    let svg = Figure::new("", vec![panel]).to_svg()?;
    let names = names(&svg);
    assert!(names.iter().all(|name| name.0 > 440.0), "{names:?}");
    assert!(names[0].2 < names[1].2, "{names:?}");
    Ok(())
}

#[test]
fn a_figure_is_as_high_as_its_names_ask_for() {
    let height = |count| Figure::new("", vec![panel(count)]).size.1;
    assert_eq!([height(3), height(9), height(20), height(100)], [280, 280, 490, 560]);
    let above = Panel { legend: Legend::Above, ..panel(20) };
    assert_eq!(Figure::grid("", 2, vec![above, panel(20), panel(3)]).size.1, 980);
}
