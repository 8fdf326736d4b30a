//! A trajectory as paths, or as a film of its points.

use std::fs;
use std::path::Path;

use super::{Collection, PointData, PolyData, VtkError, VtkErrorKind};
use crate::trajectory::Table;

/// The path of a point through a trajectory: a line with a point for each row, at which all columns but those
/// of the coordinates are known, the time among them.
///
/// `coordinates` names the columns of x, y and z; those that are not named are 0.
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
/// [`VtkErrorKind::NoSuchColumn`], [`VtkErrorKind::Coordinates`].
pub fn path_of(table: &Table, coordinates: &[&str]) -> Result<PolyData, VtkError> {
    let places = places_of(table, coordinates)?;
    let points: Vec<_> = table.rows().map(|row| point_at(row, &places)).collect();
    let others = table.columns().iter().enumerate().filter(|(place, _)| !places.contains(place));
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

/// Removes the rows of a film that was longer, as far as they go on without a gap.
fn remove_rest(folder: &Path, rows: usize) {
    let file = |number: usize| folder.join(file_of_row(number));
    let _gone = (rows..).take_while(|&number| fs::remove_file(file(number)).is_ok()).count();
}

fn file_of_row(number: usize) -> String {
    format!("{number:06}.vtp")
}

/// Writes a trajectory as a film: a `.pvd` file at `path`, and a `.vtp` file for each row in a folder of its
/// name without the ending, which is made where it is not there; rows of a longer film before are removed.
/// Returns how many rows there were.
///
/// `time` names the column of the time \[s\], and each of `points` the columns of x, y and z of a point;
/// those that are not named are 0. At each point the number `point` is known, from 0 in the order of the
/// list. Of a long trajectory, [`Table::thinned`] leaves as many rows as a film needs.
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
/// [`VtkErrorKind::NoSuchColumn`], [`VtkErrorKind::Coordinates`], a point that is not finite, a path that is
/// not in UTF-8, a file that cannot be written.
pub fn write_series(
    path: impl AsRef<Path>,
    table: &Table,
    time: &str,
    points: &[&[&str]],
) -> Result<usize, VtkError> {
    let path = path.as_ref();
    let places: Vec<_> =
        points.iter().map(|coordinates| places_of(table, coordinates)).collect::<Result<_, _>>()?;
    let time = place_of(table, time)?;
    let folder = path.with_extension("");
    let name = folder.file_name().and_then(|name| name.to_str()).filter(|_| folder != path);
    let Some(name) = name else {
        return Err(VtkErrorKind::NoFileName { path: path.to_owned() }.into());
    };
    fs::create_dir_all(&folder).map_err(|error| VtkError::from(error).in_file(&folder))?;
    let mut film = Collection::default();
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
    for (number, row) in table.rows().enumerate() {
        let file = file_of_row(number);
        scene.time = Some(row[time]);
        scene.points.clear();
        scene.points.extend(places.iter().map(|places| point_at(row, places)));
        scene.write(folder.join(&file))?;
        film.push(row[time], format!("{name}/{file}"));
    }
    film.write(path)?;
    remove_rest(&folder, film.len());
    Ok(film.len())
}

fn point_at(row: &[f64], places: &[usize]) -> [f64; 3] {
    let mut point = [0.0; 3];
    for (coordinate, place) in point.iter_mut().zip(places) {
        *coordinate = row[*place];
    }
    point
}

fn places_of(table: &Table, coordinates: &[&str]) -> Result<Vec<usize>, VtkError> {
    if !(1..=3).contains(&coordinates.len()) {
        return Err(VtkErrorKind::Coordinates { found: coordinates.len() }.into());
    }
    coordinates.iter().map(|name| place_of(table, name)).collect()
}

fn place_of(table: &Table, name: &str) -> Result<usize, VtkError> {
    table.column_index(name).ok_or_else(|| {
        VtkErrorKind::NoSuchColumn { name: name.to_owned(), columns: table.columns().to_vec() }.into()
    })
}
