//! Files for VTK and ParaView: points with what is known at them, lines and surfaces, and their motion.
//!
//! | type or function | what | file |
//! | --- | --- | --- |
//! | [`PolyData`] | points, numbers at them, cells between them | `.vtp` |
//! | [`Collection`] | which file belongs to which time | `.pvd` |
//! | [`path_of`] | the path of a point through a trajectory, as a line with the time at its points | `.vtp` |
//! | [`write_series`] | the points of each moment of a trajectory | `.pvd`, and a folder of `.vtp` |
//!
//! The numbers stand in a `.vtp` file as they are in memory, little-endian and uncompressed, behind a part in
//! XML that says where; the form is that of *VTK File Formats* (Kitware), `PolyData`, version 1.0, with raw
//! appended data and headers of 64 bits.

mod cells;
mod collection;
mod error;
mod poly_data;
mod trajectory;
mod xml;

pub use cells::Cells;
pub use collection::Collection;
pub use error::{VtkError, VtkErrorKind};
pub use poly_data::{PointData, PolyData};
pub use trajectory::{path_of, write_series};
