//! Contents of an SVG file in the coordinates of its axes, which are determined from the labels of the ticks.

/// A drawn figure with one panel.
pub(crate) struct Drawn {
    x: Axis,
    y: Axis,
    svg: String,
}

/// Conversion from pixels to numbers.
#[derive(Clone, Copy)]
struct Axis {
    pixel: f64,
    number: f64,
    per_pixel: f64,
}

/// Units of the file per pixel of the figure.
pub(crate) const PIXEL: f64 = 10.0;

impl Axis {
    /// Determines the conversion from the first and the last tick.
    fn of(ticks: &[(f64, f64)]) -> Self {
        let (first, last) = (ticks[0], ticks[ticks.len() - 1]);
        let per_pixel = (last.1 - first.1) / (last.0 - first.0);
        Self { pixel: first.0, number: first.1, per_pixel }
    }

    fn number(self, pixel: f64) -> f64 {
        self.number + (pixel - self.pixel) * self.per_pixel
    }
}

impl Drawn {
    /// Reads a figure of one panel with linear axes.
    pub(crate) fn new(svg: String) -> Self {
        Self::with_axes(svg, (false, false))
    }

    /// Reads a figure with one panel. On a logarithmic axis, the numbers are logarithms to base ten.
    pub(crate) fn with_axes(svg: String, (x_is_log, y_is_log): (bool, bool)) -> Self {
        let ticks = |(anchor, along): (&str, &str), is_log: bool| {
            let texts = svg.split("<text").skip(1).filter(|text| text.contains("font-size=\"115\""));
            let of_axis = texts.filter(|text| text.contains(&format!("text-anchor=\"{anchor}\"")));
            let ticks = of_axis.map(|text| {
                let label = text.split('\n').nth(1).expect("a label");
                let number = number_of(label);
                (attribute(text, along), if is_log { number.log10() } else { number })
            });
            Axis::of(&ticks.collect::<Vec<_>>())
        };
        let (x, y) = (ticks(("middle", "x"), x_is_log), ticks(("end", "y"), y_is_log));
        Self { x, y, svg }
    }

    /// Returns the lines of a colour such as `#0072B2`.
    pub(crate) fn lines(&self, colour: &str) -> Vec<Vec<(f64, f64)>> {
        let stroke = format!("stroke=\"{colour}\"");
        let lines = self.svg.split("<polyline").skip(1).filter(|line| line.contains(&stroke));
        let points = |line: &str| {
            let (_, rest) = line.split_once("points=\"").expect("points");
            let pairs = rest.split('"').next().expect("an end").split_whitespace();
            let pixel = |text: &str| text.parse::<f64>().expect("a number");
            pairs.filter_map(|pair| pair.split_once(',')).map(|(x, y)| self.at(pixel(x), pixel(y))).collect()
        };
        lines.map(points).collect()
    }

    /// Returns the centres of the dots of a colour.
    pub(crate) fn dots(&self, colour: &str) -> Vec<(f64, f64)> {
        let fill = format!("fill=\"{colour}\"");
        let dots = self.svg.split("<circle").skip(1).filter(|dot| dot.contains(&fill));
        dots.map(|dot| self.at(attribute(dot, "cx"), attribute(dot, "cy"))).collect()
    }

    /// Returns the size of a pixel along both axes.
    pub(crate) fn pixel(&self) -> (f64, f64) {
        (PIXEL * self.x.per_pixel.abs(), PIXEL * self.y.per_pixel.abs())
    }

    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x.number(x), self.y.number(y))
    }
}

fn attribute(element: &str, name: &str) -> f64 {
    let (_, rest) = element.split_once(&format!(" {name}=\"")).expect("an attribute");
    rest.split('"').next().and_then(|number| number.parse().ok()).expect("a number")
}

/// Parses a label: `−2.5` is -2.5, and `10⁻³` is 0.001.
fn number_of(label: &str) -> f64 {
    const SUPERSCRIPTS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻";
    let plain = |character: char| match SUPERSCRIPTS.chars().position(|superscript| superscript == character)
    {
        Some(place) => "0123456789-".as_bytes()[place].into(),
        None if character == '−' => '-',
        None => character,
    };
    let text: String = label.chars().map(plain).collect();
    let is_power = label.contains(|character| SUPERSCRIPTS.contains(character));
    let text = if is_power { text.replacen("10", "1e", 1) } else { text };
    text.parse().unwrap_or_else(|_| panic!("no number in {label}"))
}
