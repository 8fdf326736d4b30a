//! Construction of a figure of each kind from the columns of a table.

use siconos_figure::kinds::{self, Contact, Orbit, Points, measured_order};
use siconos_figure::{Figure, FigureError, Legend, Panel, Scale};

use super::arguments::{Logarithmic, PictureKind, PlotArguments};
use super::columns::Columns;
use super::contacts;
use super::groups::{Group, derivative, groups};
use super::long_file::Drawing;
use super::runs::{Run, Series, is_constant, is_missing, series};

/// Maximum number of panels that are readable on one page.
const MOST_PANELS: usize = 12;
/// Minimum number of panels that are arranged in two columns.
const TWO_COLUMNS: usize = 6;
/// Width of a figure with two columns of panels \[pixels\].
const WIDE: u32 = 1200;
/// Width and height of a panel of a phase portrait or map \[pixels\].
const PORTRAIT: (u32, u32) = (880, 560);

/// Figure, and the columns that are omitted because they are constant.
pub(super) struct Picture {
    pub(super) figure: Figure,
    pub(super) constant: Vec<String>,
}

/// Request: the runs, the columns of the first run, and the options.
#[derive(Clone, Copy)]
struct Request<'a> {
    runs: &'a [Run],
    columns: Columns<'a>,
    arguments: &'a PlotArguments,
}

/// Plots the columns of a run against the first column, with one panel for each group of columns.
pub(super) fn over_first(run: Run, title: &str) -> Result<Figure, String> {
    let columns = run.columns();
    let all: Vec<usize> = (1..columns.names().len()).collect();
    let runs = std::slice::from_ref(&run);
    let (drawn, _) = varying(runs, groups(columns, &all));
    over_time(runs, 0, drawn, title, None)
}

/// Returns the figure requested by the command line. Its title is the name of the file, or empty for several
/// files. There is at least one run.
pub(super) fn of(runs: &[Run], arguments: &PlotArguments) -> Result<Picture, String> {
    let request = Request { runs, columns: runs[0].columns(), arguments };
    let title = match &arguments.files[..] {
        [file] => file.file_name().unwrap_or_default().to_string_lossy(),
        _ => "".into(),
    };
    let mut constant = Vec::new();
    let figure = match arguments.kind {
        PictureKind::Time => {
            let x = request.x_or(runs[0].parameters)?;
            let left: Vec<usize> = (0..runs[0].parameters).chain([x]).collect();
            let groups = request.groups(&left, &mut constant)?;
            over_time(runs, x, groups, &title, arguments.log)?
        }
        PictureKind::Phase | PictureKind::Map => {
            let planes = planes(request, &mut constant)?;
            let (drawing, panel): (_, PanelOf) = match (arguments.kind, arguments.period) {
                (PictureKind::Phase, _) => (Drawing::Orbit, portrait),
                (_, None) => (Drawing::Dots, map),
                (_, Some(period)) => (Drawing::Stroboscope(period), map),
            };
            portraits(request, &title, planes, drawing, panel)?
        }
        PictureKind::Bifurcation => {
            let x = request.x_or(0)?;
            let time = request.columns.names().iter().position(|name| name == "t");
            let but: Vec<usize> = time.into_iter().chain([x]).collect();
            let groups = request.groups(&but, &mut constant)?;
            let planes = groups.into_iter().map(|group| (x, group)).collect();
            let panel: PanelOf = |x, y, series| kinds::bifurcation(x, y, named(series));
            portraits(request, &title, planes, Drawing::Dots, panel)?
        }
        PictureKind::Energy => Figure::new(title, vec![energy(request)?]),
        PictureKind::Gap => gap(request, &title)?,
        PictureKind::Convergence => {
            let panel = convergence(request)?;
            let (width, height) = PORTRAIT;
            Figure::new(title, vec![panel]).with_size(width, height)
        }
    };
    let figure = labelled(scaled(figure, arguments.log), arguments)?;
    Ok(Picture { figure, constant })
}

impl Request<'_> {
    fn x_or(self, default: usize) -> Result<usize, String> {
        self.arguments.x.as_deref().map_or(Ok(default), |name| self.columns.find(name))
    }

    /// Returns the columns requested with `--y` or `--columns`; empty without these options.
    fn listed(self) -> Result<Vec<usize>, String> {
        let lists = self.arguments.y.iter().chain(&self.arguments.columns);
        Ok(lists.map(|list| self.columns.find_all(list)).collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// Returns one group for each `--y`, the groups of `--columns`, or the groups of all columns except
    /// `but`. Among all columns, those that a run does not have and the constant ones are omitted; the names
    /// of the latter are appended to `constant`.
    fn groups(self, but: &[usize], constant: &mut Vec<String>) -> Result<Vec<Group>, String> {
        let names = self.columns.names();
        if !self.arguments.y.is_empty() {
            let group = |list: &String| Ok(Group::new(self.columns, self.columns.find_all(list)?));
            return self.arguments.y.iter().map(group).collect();
        }
        let listed = self.listed()?;
        if !listed.is_empty() {
            return Ok(groups(self.columns, &listed));
        }
        let is_drawn = |column: &usize| !but.contains(column) && !is_missing(self.runs, *column);
        let all: Vec<usize> = (0..names.len()).filter(is_drawn).collect();
        if all.is_empty() {
            return Err("there is no column besides the horizontal axis that all files have".to_owned());
        }
        let (varying, omitted) = varying(self.runs, groups(self.columns, &all));
        constant.extend(omitted.iter().flat_map(|group| &group.columns).map(|column| names[*column].clone()));
        Ok(varying)
    }

    /// Returns an error if there are several files.
    fn single(self, kind: &str) -> Result<(), String> {
        match self.arguments.files.len() {
            1 => Ok(()),
            count => Err(format!(
                "--kind {kind} draws one file, but there are {count}; draw each file alone, or columns of \
                 several files with --kind time"
            )),
        }
    }
}

/// Separates the groups from those whose columns are all constant. If all groups are constant, all are drawn.
fn varying(runs: &[Run], groups: Vec<Group>) -> (Vec<Group>, Vec<Group>) {
    let is_varying = |group: &Group| group.columns.iter().any(|column| !is_constant(runs, *column));
    let (varying, constant): (Vec<_>, Vec<_>) = groups.into_iter().partition(is_varying);
    if varying.is_empty() { (constant, varying) } else { (varying, constant) }
}

/// Returns the number of points that are not among the points of the series.
fn undrawn(all: &[Series]) -> usize {
    all.iter().map(|series| series.undrawn).sum()
}

/// Returns the name and the points of each series.
fn named(all: Vec<Series>) -> impl Iterator<Item = (String, Points)> {
    all.into_iter().map(|series| (series.label, series.points))
}

/// Returns a figure with one panel for each group of columns over column `x`.
fn over_time(
    runs: &[Run],
    x: usize,
    groups: Vec<Group>,
    title: &str,
    log: Option<Logarithmic>,
) -> Result<Figure, String> {
    let (title, groups) = at_most(title, groups);
    let planes: Vec<_> = groups.iter().map(|group| (x, group.columns.clone())).collect();
    let all = series(runs, &planes, Drawing::Function, scales(log))?;
    let panel = |(group, series): (&Group, Vec<Series>)| {
        let omitted = undrawn(&series);
        let panel = kinds::time_series(&group.label, named(series));
        Panel { x_label: runs[0].columns().label(x), omitted, ..panel }
    };
    Ok(arranged(&title, groups.iter().zip(all).map(panel).collect()))
}

/// Returns the columns of each phase portrait or map: those requested by `--x`, `--y` and `--columns`, or
/// each column with its derivative. The names of constant columns that are omitted are appended to
/// `constant`.
fn planes(request: Request<'_>, constant: &mut Vec<String>) -> Result<Vec<(usize, Group)>, String> {
    let names = request.columns.names();
    let plane = |x: usize, y: usize| (x, Group::new(request.columns, vec![y]));
    let arguments = request.arguments;
    match (&arguments.x, arguments.y.is_empty()) {
        (Some(x), is_without_y) if !is_without_y || arguments.columns.is_some() => {
            let x = request.columns.find(x)?;
            Ok(request.groups(&[], constant)?.into_iter().map(|group| (x, group)).collect())
        }
        (Some(name), _) => {
            let x = request.columns.find(name)?;
            let y = derivative(names, x);
            y.map(|y| vec![plane(x, y)]).ok_or_else(|| {
                format!("there is no column `{name}'`, the derivative of `{name}`; choose columns with --y")
            })
        }
        (None, false) => Err("choose the column of the horizontal axis with --x".to_owned()),
        (None, true) => {
            let listed = request.listed()?;
            let candidates = if listed.is_empty() { (0..names.len()).collect() } else { listed.clone() };
            let is_known = |column: usize| !is_missing(request.runs, column);
            let pairs = candidates.into_iter().filter_map(|x| Some((x, derivative(names, x)?)));
            let pairs: Vec<_> = pairs.filter(|(x, y)| is_known(*x) && is_known(*y)).collect();
            if pairs.is_empty() {
                let message = "no two columns are a variable and its derivative, such as `q` and `q'`; give --x and --y";
                return Err(message.to_owned());
            }
            let rests =
                |(x, y): &(usize, usize)| is_constant(request.runs, *x) && is_constant(request.runs, *y);
            let (resting, moving): (Vec<_>, Vec<_>) = pairs.iter().copied().partition(rests);
            if moving.is_empty() || !listed.is_empty() {
                return Ok(pairs.into_iter().map(|(x, y)| plane(x, y)).collect());
            }
            constant.extend(resting.iter().flat_map(|(x, y)| [names[*x].clone(), names[*y].clone()]));
            Ok(moving.into_iter().map(|(x, y)| plane(x, y)).collect())
        }
    }
}

/// Function that returns the panel of series, with the labels of its horizontal and its vertical axis.
type PanelOf = fn(String, String, Vec<Series>) -> Panel;

fn portrait(x: String, y: String, all: Vec<Series>) -> Panel {
    let orbit = |Series { label, t, points, .. }| Orbit { label, t, points };
    kinds::phase_portrait(x, y, all.into_iter().map(orbit))
}

fn map(x: String, y: String, all: Vec<Series>) -> Panel {
    kinds::poincare_map(x, y, named(all))
}

fn energy(request: Request<'_>) -> Result<Panel, String> {
    request.single("energy")?;
    let (columns, x) = (request.columns, request.x_or(0)?);
    let by_name = || {
        let is_energy =
            |name: &str| ["energy", "kinetic", "potential"].iter().any(|word| name.contains(word));
        let names = columns.names().iter().enumerate();
        names.filter(|(_, name)| is_energy(&name.to_lowercase())).map(|(column, _)| column).collect()
    };
    let listed = request.listed()?;
    let parts: Vec<usize> = if listed.is_empty() { by_name() } else { listed };
    if parts.is_empty() {
        return Err("no column has the name of an energy; choose the parts with --y".to_owned());
    }
    let (t, values) = request.runs[0].values(x, &parts, true)?;
    let named = parts.iter().map(|part| columns.name(*part)).zip(values);
    let panel = kinds::energy(&t, named).map_err(shown)?;
    Ok(Panel { x_label: columns.label(x), y_label: "energy".to_owned(), ..panel })
}

fn gap(request: Request<'_>, title: &str) -> Result<Figure, String> {
    request.single("gap")?;
    let (columns, x) = (request.columns, request.x_or(0)?);
    let listed = request.listed()?;
    let pairs =
        if listed.is_empty() { contacts::found(columns)? } else { contacts::listed(columns, &listed)? };
    let places: Vec<usize> = pairs.iter().flat_map(|pair| [pair.gap, pair.impulse]).collect();
    let (t, values) = request.runs[0].values(x, &places, false)?;
    let mut values = values.into_iter();
    let contacts = pairs.into_iter().filter_map(|pair| {
        let (gap, impulse) = (values.next()?, values.next()?);
        Some(Contact { label: pair.label, gap, impulse })
    });
    let panels = kinds::gap_and_impulse(&t, contacts).map_err(shown)?;
    let [gap, impulse] = panels.map(|panel| Panel { x_label: columns.label(x), ..panel });
    // The labels have no units, because the file does not state them.
    let gap = Panel { y_label: "gap".to_owned(), ..gap };
    Ok(Figure::new(title, vec![gap, Panel { y_label: "impulse".to_owned(), ..impulse }]))
}

fn convergence(request: Request<'_>) -> Result<Panel, String> {
    let (columns, x) = (request.columns, request.x_or(0)?);
    let is_method = |column: &usize| *column != x && !is_missing(request.runs, *column);
    let all = || (0..columns.names().len()).filter(is_method).collect();
    let listed = request.listed()?;
    let methods: Vec<usize> = if listed.is_empty() { all() } else { listed };
    let planes = [(x, methods.clone())];
    let all = series(request.runs, &planes, Drawing::Function, scales(request.arguments.log))?;
    let mut curves: Vec<_> = named(all.into_iter().flatten().collect()).collect();
    if let ([(label, _)], [method]) = (&mut curves[..], &methods[..]) {
        columns.name(*method).clone_into(label);
    }
    // Orders are rounded to multiples of 1/2. Half-integer orders occur if the solution jumps.
    let half = |order: f64| (2.0 * order).round() / 2.0;
    let mut orders: Vec<f64> =
        curves.iter().filter_map(|(_, points)| measured_order(points)).map(half).collect();
    orders.retain(|order| *order != 0.0);
    orders.sort_by(f64::total_cmp);
    orders.dedup();
    Ok(kinds::convergence(columns.label(x), "error", curves, &orders))
}

/// Arranges panels in one column, or in two if there are many.
fn arranged(title: &str, panels: Vec<Panel>) -> Figure {
    let panels = with_one_legend(panels);
    let count = panels.len();
    if count < TWO_COLUMNS {
        return Figure::new(title, panels);
    }
    let figure = Figure::grid(title, 2, panels);
    let height = figure.size.1;
    figure.with_size(WIDE, height)
}

/// Returns a figure with one panel for each plane. The panels of phase portraits and maps are higher than
/// other panels.
fn portraits(
    request: Request<'_>,
    title: &str,
    planes: Vec<(usize, Group)>,
    drawing: Drawing,
    panel: PanelOf,
) -> Result<Figure, String> {
    let (title, planes) = at_most(title, planes);
    let places: Vec<_> = planes.iter().map(|(x, group)| (*x, group.columns.clone())).collect();
    let all = series(request.runs, &places, drawing, scales(request.arguments.log))?;
    let panels = planes.into_iter().zip(all);
    let panels = panels.map(|((x, group), series)| {
        let omitted = undrawn(&series);
        Panel { omitted, ..panel(request.columns.label(x), group.label, series) }
    });
    let panels = with_one_legend(panels.collect());
    let (width, height) = PORTRAIT;
    if panels.len() == 1 {
        return Ok(Figure::new(title, panels).with_size(width, height));
    }
    let rows = u32::try_from(panels.len().div_ceil(2)).unwrap_or(u32::MAX);
    Ok(Figure::grid(title, 2, panels).with_size(WIDE, rows.saturating_mul(height)))
}

/// Hides the legends of all panels except the first if all panels have the same legend above their plots.
fn with_one_legend(mut panels: Vec<Panel>) -> Vec<Panel> {
    let names = |panel: &Panel| panel.curves.iter().map(|curve| curve.label.clone()).collect::<Vec<_>>();
    let Some(first) = panels.first().map(names) else { return panels };
    if panels.iter().all(|panel| panel.legend == Legend::Above && names(panel) == first) {
        panels.iter_mut().skip(1).for_each(|panel| panel.legend = Legend::Hidden);
    }
    panels
}

/// Removes panels if there are too many. The title then states how many are shown.
fn at_most<P>(title: &str, mut panels: Vec<P>) -> (String, Vec<P>) {
    let all = panels.len();
    panels.truncate(MOST_PANELS);
    let title =
        if all > MOST_PANELS { format!("{title} ({MOST_PANELS} of {all} panels)") } else { title.to_owned() };
    (title.trim_start().to_owned(), panels)
}

/// Sets the labels of the axes and the size.
fn labelled(mut figure: Figure, arguments: &PlotArguments) -> Result<Figure, String> {
    let (count, labels) = (figure.panels.len(), &arguments.y_label);
    if labels.len() > 1 && labels.len() != count {
        return Err(format!(
            "there are {} labels of vertical axes for {count} panels; give --y-label once, or once for each panel",
            labels.len()
        ));
    }
    for (panel, label) in figure.panels.iter_mut().zip(labels.iter().cycle()) {
        panel.y_label.clone_from(label);
    }
    if let Some(label) = &arguments.x_label {
        figure.panels.iter_mut().for_each(|panel| panel.x_label.clone_from(label));
    }
    if let Some(title) = &arguments.title {
        figure.title.clone_from(title);
    }
    if let Some(size) = arguments.size {
        figure.size = size;
    }
    Ok(figure)
}

fn scaled(mut figure: Figure, log: Option<Logarithmic>) -> Figure {
    for panel in &mut figure.panels {
        let (x, y) = scales(log);
        if x == Scale::Logarithmic {
            panel.x_scale = Scale::Logarithmic;
            // The range of a linear axis can contain 0 or negative numbers, which have no logarithm.
            panel.x_range = panel.x_range.filter(|range| range.0 > 0.0);
        }
        if y == Scale::Logarithmic {
            panel.y_scale = Scale::Logarithmic;
        }
    }
    figure
}

/// Returns the requested scales of the horizontal and the vertical axis.
fn scales(log: Option<Logarithmic>) -> (Scale, Scale) {
    let scale = |is_logarithmic| if is_logarithmic { Scale::Logarithmic } else { Scale::Linear };
    let is = |one| log == Some(Logarithmic::Xy) || log == Some(one);
    (scale(is(Logarithmic::X)), scale(is(Logarithmic::Y)))
}

fn shown(error: FigureError) -> String {
    error.to_string()
}
