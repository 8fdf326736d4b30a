//! Animation of bodies with a shape.

use std::path::Path;

use siconos_kernel::model::Quaternion;

use super::trajectory::{Film, place_of};
use super::{PointData, PolyData, Surface, VtkError};
use crate::trajectory::{Table, TableReader};

/// Body of an animation: its surface, and the columns of a table with its position and orientation.
#[derive(Clone, Debug, PartialEq)]
pub struct MovingBody {
    /// Surface in the body frame.
    pub surface: Surface,
    position: Vec<usize>,
    orientation: Orientation,
}

/// Columns with the orientation of a body.
#[derive(Clone, Debug, PartialEq)]
enum Orientation {
    /// The body does not rotate.
    Fixed,
    /// Angle about the z axis \[rad\].
    Angle(usize),
    /// Unit quaternion, scalar first.
    Quaternion([usize; 4]),
}

impl MovingBody {
    /// Finds the columns of the body called `name`, with the names that model files give them: `name.x`,
    /// `name.y` and, if it exists, `name.z` for the position, and `name.e[0]` to `name.e[3]` or `name.angle`
    /// for the orientation. A body without these columns does not rotate.
    ///
    /// # Errors
    ///
    /// If the table does not have the columns of the position
    /// ([`VtkErrorKind::NoSuchColumn`](super::VtkErrorKind::NoSuchColumn)).
    pub fn of_columns(table: &Table, name: &str, surface: Surface) -> Result<Self, VtkError> {
        let column = |word: &str| place_of(table, &format!("{name}.{word}"));
        let mut position = vec![column("x")?, column("y")?];
        position.extend(column("z"));
        let quaternion = ["e[0]", "e[1]", "e[2]", "e[3]"].map(column);
        let orientation = match (quaternion, column("angle")) {
            ([Ok(a), Ok(b), Ok(c), Ok(d)], _) => Orientation::Quaternion([a, b, c, d]),
            (_, Ok(angle)) => Orientation::Angle(angle),
            _ => Orientation::Fixed,
        };
        Ok(Self { surface, position, orientation })
    }

    /// Returns the points of the surface at the pose in a row.
    fn points<'r>(&'r self, row: &'r [f64]) -> impl Iterator<Item = [f64; 3]> + 'r {
        let rotation = match self.orientation {
            Orientation::Fixed => Quaternion::IDENTITY,
            Orientation::Angle(angle) => Quaternion::about([0.0, 0.0, 1.0], row[angle]),
            Orientation::Quaternion([w, x, y, z]) => {
                Quaternion::of_parts(row[w], [row[x], row[y], row[z]]).normalised()
            }
        };
        let mut position = [0.0; 3];
        position.iter_mut().zip(&self.position).for_each(|(own, place)| *own = row[*place]);
        self.surface.points.iter().map(move |point| {
            let rotated = rotation.rotate(*point);
            [0, 1, 2].map(|axis| position[axis] + rotated[axis])
        })
    }
}

/// Writes a trajectory as an animation of bodies, in the files of [`write_series`](super::write_series). The
/// data array `body` contains the index of the body of each point in `bodies`, counted from 0. Returns the
/// number of rows.
///
/// ```no_run
/// use siconos_io::trajectory::TableReader;
/// use siconos_io::vtk::{MovingBody, Surface, write_bodies};
///
/// let rows = TableReader::open("stack.slog")?;
/// let cube = MovingBody::of_columns(rows.head(), "cube", Surface::cuboid([0.1, 0.1, 0.1]))?;
/// write_bodies("film.pvd", rows, "t", &[cube])?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the table does not have the time column
/// ([`VtkErrorKind::NoSuchColumn`](super::VtkErrorKind::NoSuchColumn)), a point is not finite, the path is
/// not valid UTF-8, a row cannot be read ([`VtkErrorKind::Rows`](super::VtkErrorKind::Rows)), or a file
/// cannot be written.
pub fn write_bodies(
    path: impl AsRef<Path>,
    rows: impl Into<TableReader>,
    time: &str,
    bodies: &[MovingBody],
) -> Result<usize, VtkError> {
    let mut reader = rows.into();
    let time = place_of(reader.head(), time)?;
    let mut film = Film::begin(path.as_ref())?;
    let mut scene = PolyData::default();
    let mut owners = Vec::new();
    for (number, MovingBody { surface, .. }) in bodies.iter().enumerate() {
        let first = owners.len();
        owners.resize(first + surface.points.len(), number as f64);
        let moved = |cell: &Vec<usize>| cell.iter().map(|point| first + point).collect::<Vec<_>>();
        surface.lines.iter().for_each(|cell| scene.lines.push(moved(cell)));
        surface.polygons.iter().for_each(|cell| scene.polygons.push(moved(cell)));
    }
    scene.point_data.push(PointData { name: "body".to_owned(), components: 1, values: owners });
    while let Some(row) = reader.next_row()? {
        scene.points.clear();
        bodies.iter().for_each(|body| scene.points.extend(body.points(row)));
        film.push(row[time], &mut scene)?;
    }
    film.finish()
}
