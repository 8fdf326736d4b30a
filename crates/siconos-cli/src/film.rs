//! Tables for VTK and ParaView: points that move, as a film, and the path of one point.

use std::path::Path;

use siconos_io::trajectory::Table;
use siconos_io::vtk;

use crate::arguments::ConvertArguments;

/// What of a table is written for VTK.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A file for each row, and one that says which belongs to which time.
    Film,
    /// One line through all places of a point.
    Path,
}

impl Kind {
    /// By the end of the name of a file; nothing of one that is not for VTK.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "pvd" => Some(Self::Film),
            "vtp" => Some(Self::Path),
            _ => None,
        }
    }
}

/// The column of the time.
const TIME: &str = "t";

/// Writes the points that the command line names; says what has been done. An error is bad input.
pub(crate) fn write(kind: Kind, arguments: &ConvertArguments) -> Result<String, String> {
    let ConvertArguments { from, to, points, every, force } = arguments;
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
                "{target}: say by --points which columns are the coordinates of each point, as x:y or x:y:z; {source} has \
                 {columns}"
            ))
        }
        (Kind::Path, [point]) => {
            let path = vtk::path_of(&table, point).map_err(|error| format!("{source}: {error}"))?;
            path.write(to).map_err(|error| error.to_string())?;
            Ok(format!("the path of a point over {} rows of {source} is written to {target}", table.len()))
        }
        (Kind::Path, _) => {
            Err(format!("{target}: a path is that of one point; films of several have the ending .pvd"))
        }
        (Kind::Film, points) => {
            let folder = to.with_extension("");
            if folder.exists() && !force {
                let folder = folder.display();
                return Err(format!(
                    "{folder}: this folder exists already; --force writes the film into it, in place of the one there"
                ));
            }
            let points: Vec<_> = points.iter().map(Vec::as_slice).collect();
            let rows = vtk::write_series(to, &table, TIME, &points).map_err(|error| error.to_string())?;
            Ok(format!(
                "{rows} rows of {source} are written to {target}, with a file each in {}",
                folder.display()
            ))
        }
    }
}
