//! Conversion of a trajectory to the path of a point, or to an animation of points.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Collection, PointData, PolyData, VtkError, VtkErrorKind};
use crate::trajectory::Table;

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
    let others = table.columns().iter().enumerate().filter(|(place, _)| !places.contains(&Some(*place)));
    let values_of = |place: usize| table.rows().map(|row| row[place]).collect();
    let point_data = others
        .map(|(place, name)| PointData { name: name.clone(), components: 1, values: values_of(place) })
        .collect();
    let mut path = PolyData { points, point_data, ..PolyData::default() };
    if !table.is_empty() {
        path.lines.push(0..table.len());
    }
    Ok(path)
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
/// contains the index of each point in `points`, counted from 0. For a long trajectory, [`Table::thinned`]
/// reduces the number of
/// rows.
///
/// ```no_run
/// use siconos_io::trajectory::Table;
/// use siconos_io::vtk::write_series;
///
/// let table = Table::read("double_pendulum.slog")?;
/// write_series("film.pvd", &table, "t", &[&["x0", "y0"], &["x1", "y1"]])?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the table does not have one of the columns ([`VtkErrorKind::NoSuchColumn`]), the number of coordinates
/// is not 1, 2 or 3 ([`VtkErrorKind::Coordinates`]), a point is not finite, the path is not valid UTF-8, or a
/// file cannot be written.
pub fn write_series(
    path: impl AsRef<Path>,
    table: &Table,
    time: &str,
    points: &[&[&str]],
) -> Result<usize, VtkError> {
    let places: Vec<_> =
        points.iter().map(|coordinates| places_of(table, coordinates)).collect::<Result<_, _>>()?;
    let time = place_of(table, time)?;
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
    for row in table.rows() {
        scene.points.clear();
        scene.points.extend(places.iter().map(|places| point_at(row, places)));
        film.push(row[time], &mut scene)?;
    }
    film.finish()
}

/// Animation that is being written: a `.pvd` file and a folder with a `.vtp` file for each time.
pub(super) struct Film {
    path: PathBuf,
    folder: PathBuf,
    name: String,
    collection: Collection,
}

impl Film {
    /// Creates the folder of the animation.
    pub(super) fn begin(path: &Path) -> Result<Self, VtkError> {
        let folder = path.with_extension("");
        let name = folder.file_name().and_then(|name| name.to_str()).filter(|_| folder != path);
        let Some(name) = name.map(str::to_owned) else {
            return Err(VtkErrorKind::NoFileName { path: path.to_owned() }.into());
        };
        fs::create_dir_all(&folder).map_err(|error| VtkError::from(error).in_file(&folder))?;
        Ok(Self { path: path.to_owned(), folder, name, collection: Collection::default() })
    }

    /// Writes the scene at a time \[s\].
    pub(super) fn push(&mut self, time: f64, scene: &mut PolyData) -> Result<(), VtkError> {
        let file = file_of_row(self.collection.len());
        scene.time = Some(time);
        scene.write(self.folder.join(&file))?;
        self.collection.push(time, format!("{}/{file}", self.name));
        Ok(())
    }

    /// Writes the `.pvd` file, and removes the files of an earlier, longer animation. Returns the number of
    /// times.
    pub(super) fn finish(self) -> Result<usize, VtkError> {
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
