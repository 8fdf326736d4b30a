//! Points, data at the points, and cells that connect them.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::xml::attribute;
use super::{Cells, VtkError, VtkErrorKind};

/// Points with data, and the cells that connect them.
///
/// VTK displays only cells. A point is visible only if it belongs to a vertex, a line or a polygon.
///
/// ```
/// use siconos_io::vtk::{PointData, PolyData};
///
/// // A triangle, and the velocities of its corners [m/s].
/// let mut triangle = PolyData {
///     points: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
///     ..PolyData::default()
/// };
/// triangle.polygons.push([0, 1, 2]);
/// triangle.point_data.push(PointData {
///     name: "velocity".to_owned(),
///     components: 3,
///     values: vec![0.0, 0.0, -1.0, 0.0, 0.0, -1.0, 0.0, 0.0, -2.0],
/// });
/// let mut file = Vec::new();
/// triangle.to_vtp(&mut file)?;
/// assert!(file.starts_with(b"<?xml"));
/// # Ok::<(), siconos_io::vtk::VtkError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolyData {
    /// Coordinates of the points, in the unit of the model.
    pub points: Vec<[f64; 3]>,
    /// Data at the points.
    pub point_data: Vec<PointData>,
    /// Cells that display single points, usually one point per cell.
    pub vertices: Cells,
    /// Lines through two or more points.
    pub lines: Cells,
    /// Polygons with three or more corners.
    pub polygons: Cells,
    /// Time of the data \[s\], written as `TimeValue`; `None` by default.
    pub time: Option<f64>,
}

/// Data at points.
///
/// ```
/// use siconos_io::vtk::PointData;
///
/// let masses = PointData { name: "mass".to_owned(), components: 1, values: vec![1.0, 2.0] };
/// assert_eq!(masses.values.len() / masses.components, 2);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PointData {
    /// Name of the array in VTK.
    pub name: String,
    /// Number of values at each point: 1 for a scalar, 3 for a vector.
    pub components: usize,
    /// All values, point by point.
    pub values: Vec<f64>,
}

impl PolyData {
    /// Writes a `.vtp` file at `path` and replaces an existing file.
    ///
    /// # Errors
    ///
    /// If [`PolyData::to_vtp`] returns an error, or the file cannot be created. The [`VtkError`] states the
    /// path.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), VtkError> {
        let path = path.as_ref();
        let write = || {
            // The data are checked before the existing file is replaced.
            let head = self.head()?;
            let mut file = BufWriter::new(File::create(path)?);
            self.write_with(&head, &mut file)
        };
        write().map_err(|error| error.in_file(path))
    }

    /// Writes a `.vtp` file to `writer`.
    ///
    /// # Errors
    ///
    /// If a point is not finite, an array has the wrong number of values, two arrays have the same name, XML
    /// cannot represent a name, a cell contains a point that does not exist, or the writer fails.
    pub fn to_vtp(&self, writer: impl Write) -> Result<(), VtkError> {
        let head = self.head()?;
        self.write_with(&head, &mut BufWriter::new(writer))
    }

    fn write_with(&self, head: &str, writer: &mut dyn Write) -> Result<(), VtkError> {
        writer.write_all(head.as_bytes())?;
        if let Some(time) = self.time {
            write_block(writer, [time.to_le_bytes()].into_iter())?;
        }
        write_block(writer, self.points.as_flattened().iter().map(|x| x.to_le_bytes()))?;
        for array in &self.point_data {
            write_block(writer, array.values.iter().map(|x| x.to_le_bytes()))?;
        }
        for cells in self.cells().into_iter().filter(|cells| !cells.is_empty()) {
            for indices in [cells.points(), cells.ends()] {
                write_block(writer, indices.iter().map(|index| (*index as u64).to_le_bytes()))?;
            }
        }
        writer.write_all(END)?;
        Ok(writer.flush()?)
    }

    /// Returns the cells of each kind, in the order of the file.
    fn cells(&self) -> [&Cells; 3] {
        [&self.vertices, &self.lines, &self.polygons]
    }

    /// Returns the XML header that precedes the numbers.
    fn head(&self) -> Result<String, VtkError> {
        self.check()?;
        let size = |cells: &Cells| CellSizes { cells: cells.len(), points: cells.points().len() };
        let [vertices, lines, polygons] = self.cells().map(size);
        let sizes = Sizes {
            has_time: self.time.is_some(),
            points: self.points.len(),
            point_data: self.point_data.iter().map(|array| (&*array.name, array.components)).collect(),
            vertices,
            lines,
            polygons,
        };
        sizes.head()
    }

    fn check(&self) -> Result<(), VtkError> {
        let points = self.points.len();
        if let Some(point) = self.points.iter().position(|point| !point.iter().all(|x| x.is_finite())) {
            return Err(VtkErrorKind::NotFinite { point, value: self.points[point] }.into());
        }
        for (place, PointData { name, components, values }) in self.point_data.iter().enumerate() {
            let (name, components, found) = (name.clone(), *components, values.len());
            if components == 0 || points.checked_mul(components) != Some(found) {
                return Err(VtkErrorKind::WrongLength { name, components, points, found }.into());
            }
            if self.point_data[..place].iter().any(|other| other.name == name) {
                return Err(VtkErrorKind::DuplicateName { name }.into());
            }
        }
        for (kind, cells) in
            [("vertices", &self.vertices), ("lines", &self.lines), ("polygons", &self.polygons)]
        {
            for (cell, of_cell) in cells.iter().enumerate() {
                if let Some(&point) = of_cell.iter().find(|point| **point >= points) {
                    return Err(VtkErrorKind::NoSuchPoint { kind, cell, point, points }.into());
                }
            }
        }
        Ok(())
    }
}

/// Text after the numbers.
pub(super) const END: &[u8] = b"\n</AppendedData>\n</VTKFile>\n";

/// Sizes of all arrays of a `.vtp` file, which determine its header.
#[derive(Default)]
pub(super) struct Sizes<'n> {
    pub(super) has_time: bool,
    /// Number of points.
    pub(super) points: usize,
    /// Name of each array of data at the points, and its number of values at each point.
    pub(super) point_data: Vec<(&'n str, usize)>,
    pub(super) vertices: CellSizes,
    pub(super) lines: CellSizes,
    pub(super) polygons: CellSizes,
}

/// Sizes of the cells of one kind.
#[derive(Clone, Copy, Default)]
pub(super) struct CellSizes {
    /// Number of cells.
    pub(super) cells: usize,
    /// Number of points of all cells.
    pub(super) points: usize,
}

impl Sizes<'_> {
    /// Returns the XML header that precedes the numbers.
    pub(super) fn head(&self) -> Result<String, VtkError> {
        let mut arrays = Arrays::default();
        let mut head = "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" \
                        byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n"
            .to_owned();
        if self.has_time {
            let time = arrays.next("Float64", "TimeValue", "NumberOfTuples=\"1\"", 1)?;
            head.push_str(&format!("<FieldData>\n{time}</FieldData>\n"));
        }
        head.push_str(&format!(
            "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" \
             NumberOfPolys=\"{}\">\n",
            self.points, self.vertices.cells, self.lines.cells, self.polygons.cells
        ));
        let points = arrays.next("Float64", "Points", &components(3), 3 * self.points)?;
        head.push_str(&format!("<Points>\n{points}</Points>\n"));
        head.push_str("<PointData>\n");
        for (name, count) in &self.point_data {
            head.push_str(&arrays.next("Float64", name, &components(*count), count * self.points)?);
        }
        head.push_str("</PointData>\n");
        let all = [("Verts", self.vertices), ("Lines", self.lines), ("Polys", self.polygons)];
        for (name, sizes) in all.into_iter().filter(|(_, sizes)| sizes.cells > 0) {
            let points = arrays.next("Int64", "connectivity", "", sizes.points)?;
            let ends = arrays.next("Int64", "offsets", "", sizes.cells)?;
            head.push_str(&format!("<{name}>\n{points}{ends}</{name}>\n"));
        }
        head.push_str("</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
        Ok(head)
    }
}

fn components(count: usize) -> String {
    format!("NumberOfComponents=\"{count}\"")
}

/// Byte offset of the next array after the XML header.
#[derive(Default)]
struct Arrays {
    offset: u64,
}

impl Arrays {
    /// Returns the XML element of the next array, which has `numbers` values of eight bytes.
    fn next(&mut self, kind: &str, name: &str, shape: &str, numbers: usize) -> Result<String, VtkError> {
        let (name, offset) = (attribute(name)?, self.offset);
        // The data of each array are preceded by their length, which has eight bytes.
        self.offset += 8 + 8 * numbers as u64;
        Ok(format!(
            "<DataArray type=\"{kind}\" Name=\"{name}\" {shape} format=\"appended\" offset=\"{offset}\"/>\n"
        ))
    }
}

/// Writes the length of an array of `numbers` values, which precedes its values.
pub(super) fn write_length(writer: &mut dyn Write, numbers: usize) -> io::Result<()> {
    writer.write_all(&(8 * numbers as u64).to_le_bytes())
}

/// Writes an array with its length.
pub(super) fn write_block(
    writer: &mut dyn Write,
    numbers: impl ExactSizeIterator<Item = [u8; 8]>,
) -> io::Result<()> {
    write_length(writer, numbers.len())?;
    for number in numbers {
        writer.write_all(&number)?;
    }
    Ok(())
}
