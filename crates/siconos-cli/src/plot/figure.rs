//! Construction of a figure of each kind from the columns of a table.

use siconos_figure::kinds::{self, Contact, Orbit, Points, measured_order, once_per_period};
use siconos_figure::{Figure, FigureError, Panel, Scale};

use super::arguments::{Logarithmic, PictureKind, PlotArguments};
use super::columns::Columns;
use super::contacts;
use super::groups::{Group, derivative, groups, joined};

/// Maximum number of panels that are readable on one page.
const MOST_PANELS: usize = 12;
/// Minimum number of panels that are arranged in two columns.
const TWO_COLUMNS: usize = 6;
/// Width of a figure with two columns of panels \[pixels\].
const WIDE: u32 = 1200;
/// Width and height of a panel of a phase portrait or map \[pixels\].
const PORTRAIT: (u32, u32) = (880, 560);

/// Plots the columns against the first column, with one panel for each group of columns.
pub(super) fn over_first(columns: &Columns<'_>, title: &str) -> Figure {
    let groups = groups(columns.names(), &[0]);
    arranged(title, groups.iter().map(|group| series(columns, 0, group)).collect())
}

/// Returns the figure requested by the command line. Its title is the name of the file.
pub(super) fn of(columns: &Columns<'_>, arguments: &PlotArguments) -> Result<Figure, String> {
    let file = arguments.file.file_name().unwrap_or_default().to_string_lossy();
    let figure = match arguments.kind {
        PictureKind::Time => {
            let x = x_or_first(columns, arguments)?;
            let groups = listed_or(columns, arguments, || groups(columns.names(), &[x]))?;
            arranged(&file, groups.iter().map(|group| series(columns, x, group)).collect())
        }
        PictureKind::Phase => {
            let planes = planes(columns, arguments)?;
            portraits(&file, planes.iter().map(|(x, group)| portrait(columns, *x, group)).collect())
        }
        PictureKind::Map => {
            let planes = planes(columns, arguments)?;
            let panels = planes.iter().map(|(x, group)| map(columns, *x, group, arguments.period));
            portraits(&file, panels.collect::<Result<_, _>>().map_err(shown)?)
        }
        PictureKind::Bifurcation => {
            let x = x_or_first(columns, arguments)?;
            let time = columns.names().iter().position(|name| name == "t");
            let but: Vec<usize> = time.into_iter().chain([x]).collect();
            let groups = listed_or(columns, arguments, || groups(columns.names(), &but))?;
            let panel = |group: &Group| {
                kinds::bifurcation(columns.label(x), &group.label, named(columns, x, &group.columns))
            };
            portraits(&file, groups.iter().map(panel).collect())
        }
        PictureKind::Energy => Figure::new(file, vec![energy(columns, arguments)?]),
        PictureKind::Gap => gap(columns, arguments, &file)?,
        PictureKind::Convergence => {
            let panel = convergence(columns, arguments)?;
            let (width, height) = PORTRAIT;
            Figure::new(file, vec![panel]).with_size(width, height)
        }
    };
    Ok(scaled(figure, arguments.log))
}

fn x_or_first(columns: &Columns<'_>, arguments: &PlotArguments) -> Result<usize, String> {
    arguments.x.as_deref().map_or(Ok(0), |name| columns.find(name))
}

/// Returns one group for each `--y`, or the default groups.
fn listed_or(
    columns: &Columns<'_>,
    arguments: &PlotArguments,
    default: impl FnOnce() -> Vec<Group>,
) -> Result<Vec<Group>, String> {
    if arguments.y.is_empty() {
        return Ok(default());
    }
    let group = |list: &String| {
        let places = columns.find_all(list)?;
        Ok(Group { label: joined(columns.names(), &places), columns: places })
    };
    arguments.y.iter().map(group).collect()
}

/// Returns the points of each column against column `x`, with the name of the column as label. If there is
/// only one column, its label is empty, because its name is on the axis.
fn named(columns: &Columns<'_>, x: usize, places: &[usize]) -> Vec<(String, Points)> {
    let label = |y: usize| if places.len() > 1 { columns.name(y).to_owned() } else { String::new() };
    places.iter().map(|y| (label(*y), columns.points(x, *y))).collect()
}

fn series(columns: &Columns<'_>, x: usize, group: &Group) -> Panel {
    let panel = kinds::time_series(&group.label, named(columns, x, &group.columns));
    Panel { x_label: columns.label(x), ..panel }
}

/// Returns the columns of each phase portrait or map: those requested by `--x` and `--y`, or each column with
/// its derivative.
fn planes(columns: &Columns<'_>, arguments: &PlotArguments) -> Result<Vec<(usize, Group)>, String> {
    let names = columns.names();
    let plane = |x: usize, y: usize| (x, Group { label: names[y].clone(), columns: vec![y] });
    match (&arguments.x, arguments.y.is_empty()) {
        (Some(x), false) => {
            let x = columns.find(x)?;
            Ok(listed_or(columns, arguments, Vec::new)?.into_iter().map(|group| (x, group)).collect())
        }
        (Some(name), true) => {
            let x = columns.find(name)?;
            let y = derivative(names, x);
            y.map(|y| vec![plane(x, y)]).ok_or_else(|| {
                format!("there is no column `{name}'`, the derivative of `{name}`; choose columns with --y")
            })
        }
        (None, false) => Err("choose the column of the horizontal axis with --x".to_owned()),
        (None, true) => {
            let planes: Vec<_> =
                (0..names.len()).filter_map(|x| Some(plane(x, derivative(names, x)?))).collect();
            if planes.is_empty() {
                let message = "no two columns are a variable and its derivative, such as `q` and `q'`; give --x and --y";
                return Err(message.to_owned());
            }
            Ok(planes)
        }
    }
}

fn portrait(columns: &Columns<'_>, x: usize, group: &Group) -> Panel {
    let t = columns.values(0);
    let orbit = |(label, points)| Orbit { label, t: t.clone(), points };
    let orbits = named(columns, x, &group.columns).into_iter().map(orbit);
    kinds::phase_portrait(columns.label(x), &group.label, orbits)
}

fn map(columns: &Columns<'_>, x: usize, group: &Group, period: Option<f64>) -> Result<Panel, FigureError> {
    let mut clouds = named(columns, x, &group.columns);
    if let Some(period) = period {
        let t = columns.values(0);
        for (_, points) in &mut clouds {
            *points = once_per_period(&t, points, period)?;
        }
    }
    Ok(kinds::poincare_map(columns.label(x), &group.label, clouds))
}

fn energy(columns: &Columns<'_>, arguments: &PlotArguments) -> Result<Panel, String> {
    let x = x_or_first(columns, arguments)?;
    let by_name = || {
        let is_energy =
            |name: &str| ["energy", "kinetic", "potential"].iter().any(|word| name.contains(word));
        let names = columns.names().iter().enumerate();
        names.filter(|(_, name)| is_energy(&name.to_lowercase())).map(|(column, _)| column).collect()
    };
    let listed =
        arguments.y.iter().map(|list| columns.find_all(list)).collect::<Result<Vec<_>, _>>()?.concat();
    let parts: Vec<usize> = if listed.is_empty() { by_name() } else { listed };
    if parts.is_empty() {
        return Err("no column has the name of an energy; choose the parts with --y".to_owned());
    }
    let t = columns.values(x);
    let named = parts.iter().map(|part| (columns.name(*part), columns.values(*part)));
    let panel = kinds::energy(&t, named).map_err(shown)?;
    Ok(Panel { x_label: columns.label(x), y_label: "energy".to_owned(), ..panel })
}

fn gap(columns: &Columns<'_>, arguments: &PlotArguments, title: &str) -> Result<Figure, String> {
    let x = x_or_first(columns, arguments)?;
    let pairs = if arguments.y.is_empty() {
        contacts::found(columns)?
    } else {
        contacts::listed(columns, &arguments.y)?
    };
    let contact = |pair: &contacts::Pair| Contact {
        label: pair.label.clone(),
        gap: columns.values(pair.gap),
        impulse: columns.values(pair.impulse),
    };
    let panels = kinds::gap_and_impulse(&columns.values(x), pairs.iter().map(contact)).map_err(shown)?;
    let [gap, impulse] = panels.map(|panel| Panel { x_label: columns.label(x), ..panel });
    // The labels have no units, because the file does not state them.
    let gap = Panel { y_label: "gap".to_owned(), ..gap };
    Ok(Figure::new(title, vec![gap, Panel { y_label: "impulse".to_owned(), ..impulse }]))
}

fn convergence(columns: &Columns<'_>, arguments: &PlotArguments) -> Result<Panel, String> {
    let x = x_or_first(columns, arguments)?;
    let all = || (0..columns.names().len()).filter(|column| *column != x).collect();
    let listed =
        arguments.y.iter().map(|list| columns.find_all(list)).collect::<Result<Vec<_>, _>>()?.concat();
    let methods: Vec<usize> = if listed.is_empty() { all() } else { listed };
    let curves: Vec<_> = methods.iter().map(|y| (columns.name(*y), columns.points(x, *y))).collect();
    // Orders are rounded to multiples of 1/2. Half-integer orders occur if the solution jumps.
    let half = |order: f64| (2.0 * order).round() / 2.0;
    let mut orders: Vec<f64> =
        curves.iter().filter_map(|(_, points)| measured_order(points)).map(half).collect();
    orders.retain(|order| *order != 0.0);
    orders.sort_by(f64::total_cmp);
    orders.dedup();
    Ok(kinds::convergence(columns.label(x), "error", curves, &orders))
}

/// Arranges panels in one column, or in two if there are many. If panels are omitted, the title states how
/// many are shown.
fn arranged(title: &str, panels: Vec<Panel>) -> Figure {
    let (title, panels) = at_most(title, panels);
    let count = panels.len();
    if count < TWO_COLUMNS {
        return Figure::new(title, panels);
    }
    let figure = Figure::grid(title, 2, panels);
    let height = figure.size.1;
    figure.with_size(WIDE, height)
}

/// Arranges the panels of phase portraits and maps, which are higher than other panels.
fn portraits(title: &str, panels: Vec<Panel>) -> Figure {
    let (title, panels) = at_most(title, panels);
    let (width, height) = PORTRAIT;
    if panels.len() == 1 {
        return Figure::new(title, panels).with_size(width, height);
    }
    let rows = u32::try_from(panels.len().div_ceil(2)).unwrap_or(u32::MAX);
    Figure::grid(title, 2, panels).with_size(WIDE, rows.saturating_mul(height))
}

fn at_most(title: &str, mut panels: Vec<Panel>) -> (String, Vec<Panel>) {
    let all = panels.len();
    panels.truncate(MOST_PANELS);
    let title =
        if all > MOST_PANELS { format!("{title} ({MOST_PANELS} of {all} panels)") } else { title.to_owned() };
    (title, panels)
}

fn scaled(mut figure: Figure, log: Option<Logarithmic>) -> Figure {
    for panel in &mut figure.panels {
        if matches!(log, Some(Logarithmic::X | Logarithmic::Xy)) {
            panel.x_scale = Scale::Logarithmic;
            // The range of a linear axis can contain 0 or negative numbers, which have no logarithm.
            panel.x_range = panel.x_range.filter(|range| range.0 > 0.0);
        }
        if matches!(log, Some(Logarithmic::Y | Logarithmic::Xy)) {
            panel.y_scale = Scale::Logarithmic;
        }
    }
    figure
}

fn shown(error: FigureError) -> String {
    error.to_string()
}
