//! Conversion of a trajectory to the path of a point, or to an animation of points.

use std::fs;
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::poly_data::{CellSizes, END, Sizes, write_block, write_length};
use super::{Collection, PointData, PolyData, VtkError, VtkErrorKind};
use crate::folder::folder_of;
use crate::trajectory::{ByColumn, ColumnStore, Table, TableErrorKind, TableReader, write_numbers};
use crate::unfinished::Unfinished;

/// Returns the path of a point in a trajectory: a line with one vertex for each row. The data at the vertices
/// are all columns except the coordinates, including the time.
///
/// `coordinates` contains the names of the columns of x, y and z. Coordinates with an empty name or without a
/// name are 0.
///
/// ```
/// use siconos_io::trajectory::Table;
/// use siconos_io::vtk::path_of;
///
/// let mut table = Table::new(["t", "x", "y"]);
/// for k in 0..100 {
///     let t = 0.01 * f64::from(k);
///     table.push_row(&[t, 3.0 * t, 4.0 * t - 0.5 * 9.81 * t * t])?;
/// }
/// let path = path_of(&table, &["x", "y"])?;
/// assert_eq!((path.points.len(), path.lines.len()), (100, 1));
/// assert_eq!(path.point_data[0].name, "t");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the table does not have one of the columns ([`VtkErrorKind::NoSuchColumn`]), or the number of
/// coordinates is not 1, 2 or 3 ([`VtkErrorKind::Coordinates`]).
pub fn path_of(table: &Table, coordinates: &[&str]) -> Result<PolyData, VtkError> {
    let places = places_of(table, coordinates)?;
    let points: Vec<_> = table.rows().map(|row| point_at(row, &places)).collect();
    let values_of = |place: usize| table.rows().map(|row| row[place]).collect();
    let point_data = others(table, &places)
        .map(|(place, name)| PointData { name: name.to_owned(), components: 1, values: values_of(place) })
        .collect();
    let mut path = PolyData { points, point_data, ..PolyData::default() };
    if !table.is_empty() {
        path.lines.push(0..table.len());
    }
    Ok(path)
}

/// Writes the path of a point to a `.vtp` file at `path`, as [`path_of`] and [`PolyData::write`] do, and
/// returns the number of rows. The memory does not depend on the number of rows; temporary files in the
/// folder of `path` have the size of all rows.
///
/// ```no_run
/// use siconos_io::trajectory::TableReader;
/// use siconos_io::vtk::write_path;
///
/// let rows = TableReader::open("double_pendulum.slog")?;
/// write_path("path.vtp", rows, &["x1", "y1"])?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As [`path_of`] and [`PolyData::write`]. Also if the rows cannot be read ([`VtkErrorKind::Rows`]).
pub fn write_path(
    path: impl AsRef<Path>,
    rows: impl Into<TableReader>,
    coordinates: &[&str],
) -> Result<usize, VtkError> {
    let (path, mut reader) = (path.as_ref(), rows.into());
    let head = reader.head().clone();
    let places = places_of(&head, coordinates)?;
    let in_target = |error: VtkError| error.in_file(path);
    let failed = |error: io::Error| in_target(error.into());
    let mut store = ColumnStore::new(&head, folder_of(path))?;
    let mut points = BufWriter::new(tempfile::tempfile_in(folder_of(path)).map_err(failed)?);
    while let Some(row) = reader.next_row()? {
        let value = point_at(row, &places);
        if !value.iter().all(|coordinate| coordinate.is_finite()) {
            return Err(in_target(VtkErrorKind::NotFinite { point: store.rows(), value }.into()));
        }
        write_numbers(&mut points, &value).map_err(failed)?;
        store.push_row(row)?;
    }
    let mut points = points.into_inner().map_err(|error| failed(error.into_error()))?;
    let count = store.rows();
    let lines = CellSizes { cells: usize::from(count > 0), points: count };
    let point_data = others(&head, &places).map(|(_, name)| (name, 1)).collect();
    let sizes = Sizes { points: count, point_data, lines, ..Sizes::default() };
    let xml = sizes.head().map_err(in_target)?;
    let target = Unfinished::beside(path).map_err(failed)?;
    let mut writer = BufWriter::new(target.file());
    let mut write = || -> Result<(), VtkError> {
        writer.write_all(xml.as_bytes())?;
        write_length(&mut writer, 3 * count)?;
        points.rewind()?;
        io::copy(&mut points, &mut writer)?;
        for (place, _) in others(&head, &places) {
            write_length(&mut writer, count)?;
            store.read_column(place, &mut |numbers| {
                write_numbers(&mut writer, numbers).map_err(|source| TableErrorKind::Io(source).into())
            })?;
        }
        if count > 0 {
            write_block(&mut writer, (0..count).map(|point| (point as u64).to_le_bytes()))?;
            write_block(&mut writer, [(count as u64).to_le_bytes()].into_iter())?;
        }
        writer.write_all(END)?;
        Ok(writer.flush()?)
    };
    write().map_err(in_target)?;
    drop(writer);
    target.replace(path).map_err(failed)?;
    Ok(count)
}

/// Returns the columns that are not coordinates, with their indices.
fn others<'t>(
    table: &'t Table,
    places: &'t [Option<usize>],
) -> impl Iterator<Item = (usize, &'t str)> + use<'t> {
    let all = table.columns().iter().map(String::as_str).enumerate();
    all.filter(|(place, _)| !places.contains(&Some(*place)))
}

/// Removes the files of rows with index `rows` or more, which an earlier, longer animation has left.
fn remove_rest(folder: &Path, rows: usize) {
    let file = |number: usize| folder.join(file_of_row(number));
    let _gone = (rows..).take_while(|&number| fs::remove_file(file(number)).is_ok()).count();
}

fn file_of_row(number: usize) -> String {
    format!("{number:06}.vtp")
}

/// Writes a trajectory as an animation: a `.pvd` file at `path`, and a `.vtp` file for each row. The `.vtp`
/// files are in a folder that has the name of the `.pvd` file without its extension. The folder is created if
/// it does not exist, and leftover files of an earlier, longer animation are removed. Returns the number of
/// rows.
///
/// `time` is the name of the time column \[s\]. Each element of `points` contains the names of the x, y and z
/// columns of one point. Coordinates with an empty name or without a name are 0. The data array `point`
/// contains the index of each point in `points`, counted from 0. The rows are read one at a time. For a long
/// trajectory, [`TableReader::thinned`] reduces their number.
///
/// ```no_run
/// use siconos_io::trajectory::TableReader;
/// use siconos_io::vtk::write_series;
///
/// let rows = TableReader::open("double_pendulum.slog")?;
/// write_series("film.pvd", rows, "t", &[&["x0", "y0"], &["x1", "y1"]])?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the table does not have one of the columns ([`VtkErrorKind::NoSuchColumn`]), the number of coordinates
/// is not 1, 2 or 3 ([`VtkErrorKind::Coordinates`]), a point is not finite, the path is not valid UTF-8, a
/// row cannot be read ([`VtkErrorKind::Rows`]), or a file cannot be written.
pub fn write_series(
    path: impl AsRef<Path>,
    rows: impl Into<TableReader>,
    time: &str,
    points: &[&[&str]],
) -> Result<usize, VtkError> {
    let mut reader = rows.into();
    let places = points.iter().map(|coordinates| places_of(reader.head(), coordinates));
    let places: Vec<_> = places.collect::<Result<_, _>>()?;
    let time = place_of(reader.head(), time)?;
    let mut film = Film::begin(path.as_ref())?;
    let mut scene = PolyData {
        point_data: vec![PointData {
            name: "point".to_owned(),
            components: 1,
            values: (0..points.len()).map(|number| number as f64).collect(),
        }],
        ..PolyData::default()
    };
    for point in 0..points.len() {
        scene.vertices.push([point]);
    }
    while let Some(row) = reader.next_row()? {
        scene.points.clear();
        scene.points.extend(places.iter().map(|places| point_at(row, places)));
        film.push(row[time], &mut scene)?;
    }
    film.finish()
}

/// Animation that is being written: a `.pvd` file and a folder with a `.vtp` file for each time. The files
/// are in a temporary folder until the last one is complete.
pub(super) struct Film {
    path: PathBuf,
    folder: PathBuf,
    name: String,
    unfinished: TempDir,
    collection: Collection,
}

impl Film {
    /// Creates the temporary folder.
    pub(super) fn begin(path: &Path) -> Result<Self, VtkError> {
        let folder = path.with_extension("");
        let name = folder.file_name().and_then(|name| name.to_str()).filter(|_| folder != path);
        let Some(name) = name.map(str::to_owned) else {
            return Err(VtkErrorKind::NoFileName { path: path.to_owned() }.into());
        };
        let mut builder = tempfile::Builder::new();
        let prefix = format!(".{name}.");
        let unfinished = builder.prefix(&prefix).suffix(".unfinished").tempdir_in(folder_of(path));
        let unfinished = unfinished.map_err(|error| VtkError::from(error).in_file(&folder))?;
        Ok(Self { path: path.to_owned(), folder, name, unfinished, collection: Collection::default() })
    }

    /// Writes the scene at a time \[s\].
    pub(super) fn push(&mut self, time: f64, scene: &mut PolyData) -> Result<(), VtkError> {
        let file = file_of_row(self.collection.len());
        scene.time = Some(time);
        scene.write(self.unfinished.path().join(&file))?;
        self.collection.push(time, format!("{}/{file}", self.name));
        Ok(())
    }

    /// Moves the files to their folder, writes the `.pvd` file, and removes the files of an earlier, longer
    /// animation. Returns the number of times.
    pub(super) fn finish(self) -> Result<usize, VtkError> {
        let in_folder = |error: io::Error| VtkError::from(error).in_file(&self.folder);
        fs::create_dir_all(&self.folder).map_err(in_folder)?;
        for file in (0..self.collection.len()).map(file_of_row) {
            fs::rename(self.unfinished.path().join(&file), self.folder.join(&file)).map_err(in_folder)?;
        }
        self.collection.write(&self.path)?;
        remove_rest(&self.folder, self.collection.len());
        Ok(self.collection.len())
    }
}

fn point_at(row: &[f64], places: &[Option<usize>]) -> [f64; 3] {
    let mut point = [0.0; 3];
    for (coordinate, place) in point.iter_mut().zip(places) {
        *coordinate = place.map_or(0.0, |place| row[place]);
    }
    point
}

/// Returns the columns of coordinates. A coordinate without a name has no column.
fn places_of(table: &Table, coordinates: &[&str]) -> Result<Vec<Option<usize>>, VtkError> {
    if !(1..=3).contains(&coordinates.len()) {
        return Err(VtkErrorKind::Coordinates { found: coordinates.len() }.into());
    }
    let place = |name: &&str| (!name.is_empty()).then(|| place_of(table, name)).transpose();
    coordinates.iter().map(place).collect()
}

pub(super) fn place_of(table: &Table, name: &str) -> Result<usize, VtkError> {
    table.column_index(name).ok_or_else(|| {
        VtkErrorKind::NoSuchColumn { name: name.to_owned(), columns: table.columns().to_vec() }.into()
    })
}
