//! Files for VTK and ParaView: points with data, lines and surfaces, and their animation.
//!
//! | type or function | contents | file |
//! | --- | --- | --- |
//! | [`PolyData`] | points, data at the points, cells that connect them | `.vtp` |
//! | [`Collection`] | files and their times | `.pvd` |
//! | [`path_of`], [`write_path`] | path of a point in a trajectory: a line with the time as data at its vertices | `.vtp` |
//! | [`write_bodies`] | animation: bodies with a [`Surface`] at each time of a trajectory | `.pvd`, and a folder of `.vtp` |
//! | [`write_series`] | animation: the points at each time of a trajectory | `.pvd`, and a folder of `.vtp` |
//!
//! A `.vtp` file consists of an XML header with the byte offsets of the arrays, followed by the numbers in
//! binary form, little-endian and uncompressed. The format is defined in *VTK File Formats* (Kitware),
//! `PolyData`, version 1.0, with raw appended data and headers of 64 bits.

#[cfg(feature = "model")]
mod bodies;
mod cells;
mod collection;
mod error;
#[cfg(feature = "mesh")]
mod mesh;
mod poly_data;
mod surface;
mod trajectory;
mod xml;

#[cfg(feature = "model")]
pub use bodies::{MovingBody, write_bodies};
pub use cells::Cells;
pub use collection::Collection;
pub use error::{VtkError, VtkErrorKind};
pub use poly_data::{PointData, PolyData};
pub use surface::Surface;
pub use trajectory::{path_of, write_path, write_series};
