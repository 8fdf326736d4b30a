//! Tables for VTK and ParaView: an animation of moving points, or the path of one point.

use std::path::Path;

use siconos_io::trajectory::Table;
use siconos_io::vtk;

use crate::arguments::ConvertArguments;

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
    let ConvertArguments { from, to, points, every, force, .. } = arguments;
    let mut table = Table::read(from).map_err(|error| error.to_string())?;
    if let Some(every) = every {
        table = table.thinned(*every);
    }
    let points: Vec<Vec<&str>> = points.iter().map(|point| point.split(':').collect()).collect();
    let (source, target) = (from.display(), to.display());
    match (kind, &points[..]) {
        (_, []) => {
            let columns = table.columns().join(", ");
            Err(format!(
                "{target}: use --points to give the columns with the coordinates of each point, as x:y or x:y:z; {source} has \
                 {columns}"
            ))
        }
        (VtkOutput::Path, [point]) => {
            let path = vtk::path_of(&table, point).map_err(|error| format!("{source}: {error}"))?;
            path.write(to).map_err(|error| error.to_string())?;
            Ok(format!("the path of a point over {} rows of {source} was written to {target}", table.len()))
        }
        (VtkOutput::Path, _) => {
            Err(format!("{target}: a path must have one point; use .pvd for an animation of several points"))
        }
        (VtkOutput::Film, points) => {
            let folder = to.with_extension("");
            if folder.exists() && !force {
                let folder = folder.display();
                return Err(format!(
                    "{folder}: this folder already exists; use --force to replace the animation in it"
                ));
            }
            let points: Vec<_> = points.iter().map(Vec::as_slice).collect();
            let rows = vtk::write_series(to, &table, TIME, &points).map_err(|error| error.to_string())?;
            Ok(format!(
                "{rows} rows of {source} were written to {target}, with one file for each row in {}",
                folder.display()
            ))
        }
    }
}
