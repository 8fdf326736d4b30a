//! Tables for VTK and ParaView: an animation of points or bodies, or the path of one point.

use std::path::{Path, PathBuf};

use siconos_io::trajectory::Table;
use siconos_io::vtk::{self, MovingBody, Surface, VtkError, VtkErrorKind};

use crate::arguments::ConvertArguments;
use crate::tables;

/// Kind of output for VTK.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum VtkOutput {
    /// A .vtp file for each row of the table, and a .pvd file that lists these files with their times.
    Film,
    /// A line through all positions of one point.
    Path,
}

impl VtkOutput {
    /// Returns the kind of output for the extension of `path`, or `None` if VTK does not use this extension.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "pvd" => Some(Self::Film),
            "vtp" => Some(Self::Path),
            _ => None,
        }
    }
}

/// Name of the time column.
const TIME: &str = "t";

/// Converts the points given on the command line. Returns a message for the user. An error means bad input.
pub(crate) fn write(kind: VtkOutput, arguments: &ConvertArguments) -> Result<String, String> {
    let ConvertArguments { from, to, points, body, every, force, .. } = arguments;
    let mut reader = tables::open(from).map_err(|error| error.to_string())?;
    if let Some(every) = every {
        reader = reader.thinned(*every);
    }
    let points: Vec<Vec<&str>> = points.iter().map(|point| point.split(':').collect()).collect();
    let (source, target) = (from.display(), to.display());
    let in_words = |error: VtkError| match error.kind {
        VtkErrorKind::NoSuchColumn { .. } | VtkErrorKind::Coordinates { .. } => format!("{source}: {error}"),
        _ => error.to_string(),
    };
    if let (VtkOutput::Path, [_, ..]) = (kind, &body[..]) {
        return Err(format!("{target}: a path must have one point; use .pvd for an animation of bodies"));
    }
    match (kind, &points[..]) {
        (VtkOutput::Film, []) if !body.is_empty() => {
            let bodies = body.iter().map(|text| moving_body(reader.head(), text));
            let bodies = bodies.collect::<Result<Vec<_>, _>>()?;
            let folder = free_folder(to, *force)?;
            let rows = vtk::write_bodies(to, reader, TIME, &bodies).map_err(in_words)?;
            Ok(written(rows, arguments, &folder))
        }
        (_, []) => {
            let columns = reader.head().columns().join(", ");
            Err(format!(
                "{target}: use --points to give the columns with the coordinates of each point, as x:y or x:y:z, or --body to give \
                 the shape of each body; {source} has {columns}"
            ))
        }
        (VtkOutput::Path, [point]) => {
            let rows = vtk::write_path(to, reader, point).map_err(in_words)?;
            Ok(format!("the path of a point over {rows} rows of {source} was written to {target}"))
        }
        (VtkOutput::Path, _) => {
            Err(format!("{target}: a path must have one point; use .pvd for an animation of several points"))
        }
        (VtkOutput::Film, points) => {
            let folder = free_folder(to, *force)?;
            let points: Vec<_> = points.iter().map(Vec::as_slice).collect();
            let rows = vtk::write_series(to, reader, TIME, &points).map_err(in_words)?;
            Ok(written(rows, arguments, &folder))
        }
    }
}

/// Returns the folder of an animation, which must not exist unless it can be replaced.
fn free_folder(to: &Path, force: bool) -> Result<PathBuf, String> {
    let folder = to.with_extension("");
    if folder.exists() && !force {
        let folder = folder.display();
        return Err(format!(
            "{folder}: this folder already exists; use --force to replace the animation in it"
        ));
    }
    Ok(folder)
}

fn written(rows: usize, arguments: &ConvertArguments, folder: &Path) -> String {
    let (source, target) = (arguments.from.display(), arguments.to.display());
    let folder = folder.display();
    format!("{rows} rows of {source} were written to {target}, with one file for each row in {folder}")
}

/// Parses a body with its shape: `cube=box:1:1:0.5`.
fn moving_body(table: &Table, text: &str) -> Result<MovingBody, String> {
    let wrong = || {
        format!(
            "--body is `{text}`; expected NAME=SHAPE with ball:RADIUS, box:A:B:C, box:A:B, capsule:RADIUS:LENGTH, \
             disc:RADIUS or mesh:FILE"
        )
    };
    let (name, shape) = text.split_once('=').ok_or_else(wrong)?;
    let (kind, rest) = shape.split_once(':').ok_or_else(wrong)?;
    let numbers = || -> Option<Vec<f64>> {
        let number =
            |text: &str| text.trim().parse().ok().filter(|length: &f64| length.is_finite() && *length > 0.0);
        rest.split(':').map(number).collect()
    };
    let surface = match (kind, numbers().as_deref()) {
        ("mesh", _) => Surface::read_mesh(rest).map_err(|error| error.to_string())?,
        ("ball", Some(&[radius])) => Surface::ball(radius),
        ("disc", Some(&[radius])) => Surface::disc(radius),
        ("capsule", Some(&[radius, length])) => Surface::capsule(radius, length),
        ("box", Some(&[a, b, c])) => Surface::cuboid([a, b, c]),
        ("box", Some(&[a, b])) => Surface::rectangle([a, b]),
        _ => return Err(wrong()),
    };
    MovingBody::of_columns(table, name, surface).map_err(|error| error.to_string())
}
