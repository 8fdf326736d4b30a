//! Surfaces from mesh files.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use super::{Surface, VtkError, VtkErrorKind};

impl Surface {
    /// Reads a mesh from an STL file (`.stl`) or a Wavefront OBJ file (`.obj`).
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not valid ([`VtkErrorKind::Io`]), or the extension is another one
    /// ([`VtkErrorKind::UnknownMesh`]). The [`VtkError`] states the path.
    pub fn read_mesh(path: impl AsRef<Path>) -> Result<Self, VtkError> {
        let path = path.as_ref();
        let read = match path.extension().and_then(|extension| extension.to_str()) {
            Some("stl" | "STL") => of_stl(path),
            Some("obj" | "OBJ") => of_obj(path),
            _ => Err(VtkErrorKind::UnknownMesh.into()),
        };
        read.map_err(|error| error.in_file(path))
    }
}

fn of_stl(path: &Path) -> Result<Surface, VtkError> {
    let mesh = stl_io::read_stl(&mut BufReader::new(File::open(path)?))?;
    Ok(Surface {
        points: mesh.vertices.iter().map(|vertex| vertex.0.map(f64::from)).collect(),
        lines: Vec::new(),
        polygons: mesh.faces.iter().map(|face| face.vertices.to_vec()).collect(),
    })
}

fn of_obj(path: &Path) -> Result<Surface, VtkError> {
    let options = tobj::LoadOptions::default();
    let mut reader = BufReader::new(File::open(path)?);
    // Materials have no effect on the surface.
    let without_materials = |_: &Path| Ok((Vec::new(), Default::default()));
    let (models, _) = tobj::load_obj_buf(&mut reader, &options, without_materials)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    let mut surface = Surface::default();
    for tobj::Model { mesh, .. } in models {
        let first = surface.points.len();
        let points =
            mesh.positions.chunks_exact(3).map(|point| [point[0], point[1], point[2]].map(f64::from));
        surface.points.extend(points);
        let corner = |index: &u32| first + *index as usize;
        match mesh.face_arities.is_empty() {
            true => surface
                .polygons
                .extend(mesh.indices.chunks_exact(3).map(|face| face.iter().map(corner).collect())),
            false => {
                let mut rest = &mesh.indices[..];
                for arity in &mesh.face_arities {
                    let (face, others) = rest.split_at(*arity as usize);
                    surface.polygons.push(face.iter().map(corner).collect());
                    rest = others;
                }
            }
        }
    }
    Ok(surface)
}
