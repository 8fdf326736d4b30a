//! Solids inside closed meshes: mass properties of the mesh itself, and convex pieces for contacts.
//!
//! The mesh is cut by planes until each part is convex within a resolution, and a piece is the convex hull of
//! a part. Planes through the edges at which the mesh is not convex give exact pieces (Chazelle, 1984); parts
//! that are convex within a tolerance are not cut (Lien and Amato, 2007).

mod cap;
mod cover;
mod cut;
mod distance;
mod intersection;
mod lump;
mod merge;
mod overlap;
mod planes;
mod protrusion;
mod search;
mod winding;

use siconos_kernel::engine::vector::{add, cross, difference, dot, length, scaled};

use self::cover::Region;
use self::distance::Boundary;
use self::intersection::intersection;
use self::lump::{Lump, component_of_points};
use self::search::{Found, Frame, Piece};
use self::winding::winding_number;
use super::extent::Extent;
use super::hull::Hull;
use super::mesh::{Mesh, OpenEdge};
use super::polytope::Polytope;
use super::{Core, MassProperties, Shape, ShapeError};

/// Settings of the decomposition of a closed mesh into convex pieces.
///
/// ```
/// use siconos_mechanics::DecompositionSettings;
///
/// let settings = DecompositionSettings::default();
/// assert_eq!((settings.resolution, settings.most_pieces), (1.0 / 64.0, 64));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecompositionSettings {
    /// Largest distance by which a piece may protrude from the mesh, as a fraction of the
    /// [`size`](Shape::size). Default: 1/64, the distance in multiples of the size at which contacts are
    /// reported. With 0, all pieces are exact.
    pub resolution: f64,
    /// Maximum number of pieces, before pieces with a common convex hull are merged. Default: 64.
    pub most_pieces: usize,
}

impl Default for DecompositionSettings {
    fn default() -> Self {
        Self { resolution: 1.0 / 64.0, most_pieces: 64 }
    }
}

/// Convex pieces of a solid, with their errors.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Decomposition {
    /// Convex hulls whose union contains the mesh, except for the gap.
    pub pieces: Vec<Shape>,
    /// Requested resolution \[m\]: the largest distance by which a piece may protrude from the mesh.
    pub resolution: f64,
    /// Bound on the distance of all points of the pieces from the mesh \[m\].
    pub error: f64,
    /// Bound on the height of the surface of the mesh above the faces of the pieces \[m\]: about 1e-13 of the
    /// size if the pieces contain the surface.
    pub gap: f64,
    /// Volume of the mesh \[m3\].
    pub volume: f64,
    /// Sum of the volumes of all pieces minus the volume of the mesh \[m3\]. Overlaps of pieces are counted.
    pub excess: f64,
}

/// Solid inside a closed mesh.
#[derive(Clone, PartialEq)]
pub(crate) struct Solid {
    pub(crate) decomposition: Decomposition,
    pub(crate) extent: Extent,
    /// Mass properties with the density 1.
    mass: MassProperties,
    pieces: Vec<Polytope>,
    /// Regions of each face of each piece that no other piece covers.
    uncovered: Vec<Vec<Vec<Region>>>,
    /// Numbers of the features of each piece begin at this number.
    pub(crate) first_feature: Vec<u32>,
}

impl std::fmt::Debug for Solid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solid").field("pieces", &self.pieces.len()).finish_non_exhaustive()
    }
}

/// Distance up to which a point counts as a point of a piece, as a fraction of the size.
const INSIDE: f64 = 1e-6;

/// Sine of the largest angle between directions that count as equal.
const PARALLEL: f64 = 1e-6;

/// Largest gap between a mesh and its pieces that is a rounding error, as a fraction of the size.
const ROUNDING: f64 = 1e-8;

/// Distance from the uncovered region of a face up to which other bodies can touch the face, as a fraction of
/// the size. A body that overlaps both sides of a fold has contacts in the covered region.
const DEPTH: f64 = 1.0 / 64.0;

impl Solid {
    /// Creates the solid inside a closed mesh.
    pub(super) fn new(
        vertices: &[[f64; 3]],
        triangles: &[[usize; 3]],
        settings: DecompositionSettings,
    ) -> Result<Self, ShapeError> {
        let resolution = settings.resolution;
        if !(resolution >= 0.0 && resolution.is_finite()) {
            return Err(ShapeError::Resolution { resolution });
        }
        let mesh = Mesh::new(vertices, triangles)?;
        if let Some(OpenEdge { triangle, ends }) = mesh.open_edge() {
            return Err(ShapeError::OpenMesh { triangle, ends });
        }
        let corners: Vec<[u32; 3]> = triangles.iter().map(|own| own.map(|corner| corner as u32)).collect();
        let lump = Lump::new(vertices, &corners);
        let frame = Frame::new(bounds(&lump.points));
        let local = frame.local_lump(&lump);
        if let Some(triangles) = intersection(&local, INSIDE * mesh.extent.size / frame.unit) {
            return Err(ShapeError::SelfIntersection { triangles });
        }
        check_orientation(&lump)?;
        let surface = || (0..lump.triangles.len()).map(|triangle| lump.corners(triangle));
        let mass = MassProperties::of_surface(1.0, middle(&lump.points), surface());
        let extent = mesh.extent;
        let decomposition = decompose(&lump, &local, &frame, extent.size, mass.mass, settings)?;
        Ok(Self::of_pieces(decomposition, extent, mass))
    }

    /// Prepares the contacts of the pieces.
    fn of_pieces(decomposition: Decomposition, extent: Extent, mass: MassProperties) -> Self {
        let pieces: Vec<Polytope> = decomposition.pieces.iter().filter_map(polytope).cloned().collect();
        let regions = |own: usize| {
            let faces = pieces[own].faces.iter();
            faces.map(|face| cover::uncovered(&pieces, own, face, extent.size)).collect()
        };
        let uncovered = (0..pieces.len()).map(regions).collect();
        let mut count = 0;
        let mut first_feature = Vec::with_capacity(pieces.len());
        for piece in &pieces {
            first_feature.push(count);
            count += piece.vertices.len().max(piece.edges.len()) as u32;
        }
        Self { decomposition, extent, mass, pieces, uncovered, first_feature }
    }

    /// Returns `true` if another body can touch a piece at a point with an outward unit normal: the point is
    /// on a face with this normal that no other piece covers, or no other piece at this point is farther
    /// along the normal.
    pub(crate) fn is_exposed(&self, piece: usize, point: [f64; 3], normal: [f64; 3]) -> bool {
        let size = self.extent.size;
        let faces = self.pieces[piece].faces.iter().zip(&self.uncovered[piece]);
        let is_parallel =
            |along: [f64; 3]| dot(along, normal) > 0.0 && length(cross(along, normal)) <= PARALLEL;
        let mut regions = faces.filter(|(face, _)| is_parallel(face.normal)).flat_map(|(_, regions)| regions);
        if regions.any(|region| cover::is_near(region, normal, point, DEPTH * size)) {
            return true;
        }
        let others = self.pieces.iter().enumerate().filter(|(index, _)| *index != piece);
        others.map(|(_, other)| other).all(|other| {
            let is_inside = other.faces.iter().all(|face| {
                let base = other.vertices[face.vertices[0] as usize];
                dot(face.normal, difference(point, base)) <= INSIDE * size
            });
            let is_below = |vertex: &[f64; 3]| {
                let along = difference(*vertex, point);
                dot(normal, along) <= PARALLEL * length(along) + 2.0 * INSIDE * size
            };
            !is_inside || other.vertices.iter().all(is_below)
        })
    }

    /// Returns the mass properties with a density.
    pub(super) fn mass_properties(&self, density: f64) -> MassProperties {
        let MassProperties { mass, centre, inertia } = self.mass;
        MassProperties { mass: density * mass, centre, inertia: inertia.map(|row| scaled(density, row)) }
    }
}

/// Cuts a closed mesh into convex pieces. `local` is the mesh in a frame.
fn decompose(
    lump: &Lump,
    local: &Lump,
    frame: &Frame,
    size: f64,
    volume: f64,
    settings: DecompositionSettings,
) -> Result<Decomposition, ShapeError> {
    let resolution = settings.resolution * size;
    let limit = resolution.max(ROUNDING * size);
    let most = settings.most_pieces;
    let (boundary, lumps) = (Boundary::new(local), local.clone().components());
    if lumps.len() > most {
        return Err(ShapeError::ManyParts { parts: lumps.len(), limit: most });
    }
    let mut reason = ShapeError::NotCovered { resolution };
    for snap in search::snaps(resolution / frame.unit) {
        let found = search::decompose(&lumps, &boundary, resolution / frame.unit, snap, most);
        let Some(Found { pieces, unresolved, is_limited }) = found else { continue };
        if unresolved > 0.0 {
            let error = unresolved * frame.unit;
            reason = ShapeError::NotConvexPieces { limit: most, resolution, error, fraction: error / size };
            if is_limited {
                break;
            }
            continue;
        }
        let error = frame.unit * pieces.iter().map(|piece| piece.protrusion).fold(0.0, f64::max);
        let pieces: Vec<Shape> = pieces.iter().map(|piece| shape(piece, frame)).collect::<Result<_, _>>()?;
        let cores: Vec<Polytope> = pieces.iter().filter_map(polytope).cloned().collect();
        let triangles = (0..lump.triangles.len()).map(|triangle| lump.corners(triangle));
        if let Some(gap) = cover::gap(triangles, &cores, size, limit) {
            let volumes = cores.iter().map(|core| MassProperties::of_polyhedron(1.0, core).mass);
            let excess = volumes.sum::<f64>() - volume;
            return Ok(Decomposition { pieces, resolution, error, gap, volume, excess });
        }
    }
    Err(reason)
}

/// Returns the core of a convex hull.
fn polytope(shape: &Shape) -> Option<&Polytope> {
    match &shape.core {
        Core::Polytope(core) => Some(core),
        _ => None,
    }
}

/// Returns the hull of a piece.
fn shape(piece: &Piece, frame: &Frame) -> Result<Shape, ShapeError> {
    let points: Vec<_> = piece.points.iter().map(|point| frame.global(*point)).collect();
    Ok(Shape::new("convex hull", Polytope::of_hull(Hull::of_points(&points)?), 0.0))
}

/// Checks that a surface encloses a positive volume: all triangles are counterclockwise as seen from outside,
/// and surfaces that have no common point do not enclose each other unless the inner one is a void.
fn check_orientation(lump: &Lump) -> Result<(), ShapeError> {
    let volume = lump.volume();
    if volume <= 0.0 {
        return Err(ShapeError::InvertedMesh { triangle: 0, volume });
    }
    let component = component_of_points(lump.points.len(), &lump.triangles);
    let of = |triangle: &[u32; 3]| component[triangle[0] as usize];
    let mut seen = Vec::new();
    for (triangle, corners) in lump.triangles.iter().enumerate() {
        let own = of(corners);
        if seen.contains(&own) {
            continue;
        }
        seen.push(own);
        let members: Vec<[u32; 3]> =
            lump.triangles.iter().filter(|other| of(other) == own).copied().collect();
        let volume = Lump { points: lump.points.clone(), triangles: members }.volume();
        let others = (0..lump.triangles.len()).filter(|other| of(&lump.triangles[*other]) != own);
        let point = lump.points[corners[0] as usize];
        let around = winding_number(others.map(|other| lump.corners(other)), point).round();
        let expected = if volume > 0.0 { 0.0 } else { 1.0 };
        if around != expected {
            return Err(match volume > 0.0 {
                true => ShapeError::NestedMesh { triangle },
                false => ShapeError::InvertedMesh { triangle, volume },
            });
        }
    }
    Ok(())
}

/// Returns the mean of points.
fn middle(points: &[[f64; 3]]) -> [f64; 3] {
    scaled(1.0 / points.len() as f64, points.iter().fold([0.0; 3], |sum, point| add(sum, *point)))
}

/// Returns the lower and the upper bounds of points.
fn bounds(points: &[[f64; 3]]) -> [[f64; 3]; 2] {
    points.iter().fold([[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]], |[low, high], p| {
        [[0, 1, 2].map(|i| p[i].min(low[i])), [0, 1, 2].map(|i| p[i].max(high[i]))]
    })
}
