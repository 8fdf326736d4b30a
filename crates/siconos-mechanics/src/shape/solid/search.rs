//! Search for convex pieces that cover a mesh.

use siconos_kernel::engine::vector::{add, difference, dot, scaled};

use super::cut::cut;
use super::distance::Boundary;
use super::lump::Lump;
use super::merge::merge;
use super::planes::planes;
use super::protrusion::protrusion;
use crate::shape::hull::Hull;

/// Distance at which points lie in the plane of a cut, as a fraction of the resolution.
const SNAP: f64 = 1.0 / 4096.0;

/// Smallest distance at which points lie in the plane of a cut.
const LEAST_SNAP: f64 = 1.0 / (1_u64 << 34) as f64;

/// Returns distances at which points lie in the plane of a cut. The first is for meshes with rounding errors,
/// the second for meshes with thin parts, which the first can lose.
pub(super) fn snaps(resolution: f64) -> impl Iterator<Item = f64> {
    let coarse = Some(SNAP * resolution).filter(|snap| *snap > LEAST_SNAP);
    coarse.into_iter().chain([LEAST_SNAP])
}

/// Difference of volumes that count as equal, as a fraction of the volume of the hull.
const EQUAL: f64 = 1e-9;

/// Volume of a part that is a rounding error.
const FLAT: f64 = 1e-15;

/// Rounding error of sums of volumes.
const ROUNDING: f64 = 1e-12;

/// Convex piece: the points whose hull it is, and a bound on the distance of its points from the mesh.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) points: Vec<[f64; 3]>,
    pub(super) protrusion: f64,
}

/// Pieces of a decomposition, and parts that are not convex within the resolution.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) pieces: Vec<Piece>,
    /// Bound on the distance of the hulls of the remaining parts from the mesh; 0 if there are none.
    pub(super) unresolved: f64,
    /// `true` if the maximum number of pieces prevents a cut.
    pub(super) is_limited: bool,
}

/// Data of a decomposition.
struct Search<'a> {
    boundary: &'a Boundary,
    resolution: f64,
    snap: f64,
}

/// Part of the solid with its hull.
struct Part {
    lump: Lump,
    hull: Hull,
    /// Volume of the hull outside the part.
    excess: f64,
}

/// Cuts the parts of a closed mesh, whose size is at most 1, into convex pieces that protrude from it by at
/// most `resolution`. Points up to the distance `snap` from a plane lie in it. At most `most` pieces are cut;
/// they are then merged where the common hull is a piece. The result is `None` if a part is flat.
pub(super) fn decompose(
    lumps: &[Lump],
    boundary: &Boundary,
    resolution: f64,
    snap: f64,
    most: usize,
) -> Option<Found> {
    let search = Search { boundary, resolution, snap };
    let mut found = Found { pieces: Vec::new(), unresolved: 0.0, is_limited: false };
    let mut open = lumps.iter().cloned().map(Part::new).collect::<Option<Vec<Part>>>()?;
    while let Some(next) = most_excess(&open) {
        let part = open.swap_remove(next);
        if let Some(piece) = search.piece(&part) {
            found.pieces.push(piece);
            continue;
        }
        let others = found.pieces.len() + open.len();
        let cut = if others + 2 <= most { search.best_cut(&part) } else { None };
        found.is_limited |= cut.as_ref().map_or(others + 2, |parts| others + parts.len()) > most;
        match cut.filter(|parts| others + parts.len() <= most) {
            Some(parts) => open.extend(parts),
            None => {
                let protrusion = protrusion(&part.hull, boundary, f64::INFINITY);
                found.unresolved = found.unresolved.max(protrusion);
            }
        }
    }
    if found.unresolved == 0.0 && found.pieces.len() > 1 {
        found.pieces = merge(found.pieces, boundary, resolution);
    }
    Some(found)
}

/// Returns the index of the part with the largest excess.
fn most_excess(open: &[Part]) -> Option<usize> {
    (0..open.len()).rev().max_by(|a, b| open[*a].excess.total_cmp(&open[*b].excess))
}

impl Part {
    /// Creates a part; `None` if it is flat.
    fn new(lump: Lump) -> Option<Self> {
        let hull = Hull::of_points(&lump.points).ok()?;
        let excess = lump.hull_volume()? - lump.volume();
        Some(Self { lump, hull, excess })
    }
}

impl Search<'_> {
    /// Returns the hull of a part as a piece; `None` if its distance from the mesh exceeds the resolution.
    fn piece(&self, part: &Part) -> Option<Piece> {
        let from_mesh = || protrusion(&part.hull, self.boundary, self.resolution);
        let is_piece = |protrusion: &f64| *protrusion <= self.resolution;
        let protrusion = self.rounding(part).or_else(|| Some(from_mesh()).filter(is_piece))?;
        Some(Piece { points: part.lump.points.clone(), protrusion })
    }

    /// Returns the largest distance of the surface of a part from the surface of its hull if the part is
    /// convex except for points that lie in a plane.
    fn rounding(&self, part: &Part) -> Option<f64> {
        if part.excess > 16.0 * self.snap {
            return None;
        }
        let mut largest = 0.0_f64;
        for triangle in 0..part.lump.triangles.len() {
            let corners = part.lump.corners(triangle);
            let distance = part.hull.faces.iter().map(|(normal, face)| {
                let base = part.hull.vertices[face[0] as usize];
                corners.iter().map(|p| dot(*normal, difference(base, *p)).abs()).fold(0.0, f64::max)
            });
            largest = largest.max(distance.fold(f64::INFINITY, f64::min));
            if largest > self.snap {
                return None;
            }
        }
        Some(largest)
    }

    /// Returns the parts of the cut with the smallest volume of the hulls of all parts. Of equal cuts, it is
    /// the first with the smallest number of parts.
    fn best_cut(&self, part: &Part) -> Option<Vec<Part>> {
        let equal = EQUAL * (part.excess + part.lump.volume());
        let mut best: Option<(f64, Vec<Part>)> = None;
        for plane in planes(&part.lump, self.snap) {
            let Some([below, above]) = cut(&part.lump, plane, self.snap) else { continue };
            let is_solid = |lump: &Lump| lump.volume() > FLAT;
            let lumps: Vec<Lump> = below.into_iter().chain(above).filter(is_solid).collect();
            let limit = best.as_ref().map_or(f64::INFINITY, |(least, _)| least + equal);
            let Some(volume) = hull_volume(&lumps, limit) else { continue };
            let is_better = best.as_ref().is_none_or(|(least, parts)| {
                volume < least - equal || volume <= least + equal && lumps.len() < parts.len()
            });
            if is_better && let Some(parts) = lumps.into_iter().map(Part::new).collect() {
                best = Some((volume, parts));
            }
        }
        best.map(|(_, parts)| parts)
    }
}

/// Returns the sum of the volumes of the hulls of solids; `None` if a solid is flat. If the sum certainly
/// exceeds `limit`, the result is `None` as well: a hull is at least as large as its solid.
fn hull_volume(lumps: &[Lump], limit: f64) -> Option<f64> {
    let mut rest: f64 = lumps.iter().map(Lump::volume).sum();
    let mut sum = 0.0;
    for lump in lumps {
        rest -= lump.volume();
        sum += lump.hull_volume()?;
        if sum + rest > limit + ROUNDING {
            return None;
        }
    }
    Some(sum)
}

/// Change of coordinates after which the size of a mesh is between 1/2 and 1 and its middle is near the
/// origin. It changes no digit of the coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    origin: [f64; 3],
    /// Power of two.
    pub(super) unit: f64,
}

/// Distance of the middle from the origin above which the origin is moved, as a multiple of the size. All
/// coordinates then differ from the middle by less than a factor 2, so the differences are exact.
const FAR: f64 = 4.0;

impl Frame {
    /// Creates the frame of a mesh with the given bounds.
    pub(super) fn new([low, high]: [[f64; 3]; 2]) -> Self {
        let middle = add(low, scaled(0.5, difference(high, low)));
        let size = difference(high, low).into_iter().fold(0.0, f64::max);
        let origin = middle.map(|x| if x.abs() > FAR * size { x } else { 0.0 });
        Self { origin, unit: power_of_two_above(size) }
    }

    pub(super) fn local_lump(&self, lump: &Lump) -> Lump {
        let local = |point: &[f64; 3]| difference(*point, self.origin).map(|x| x / self.unit);
        Lump { points: lump.points.iter().map(local).collect(), triangles: lump.triangles.clone() }
    }

    pub(super) fn global(&self, point: [f64; 3]) -> [f64; 3] {
        add(self.origin, scaled(self.unit, point))
    }
}

/// Returns the smallest power of two that exceeds a positive number, if it is representable.
fn power_of_two_above(x: f64) -> f64 {
    let mut power = 1.0_f64;
    while power <= x && power < 2.0_f64.powi(1000) {
        power *= 2.0;
    }
    while 0.5 * power > x && power > 2.0_f64.powi(-1000) {
        power *= 0.5;
    }
    power
}
