//! Merging of pieces whose common hull is a piece within the resolution.

use siconos_kernel::engine::vector::length;

use super::bounds;
use super::distance::Boundary;
use super::lump::Lump;
use super::protrusion::protrusion;
use super::search::Piece;
use crate::shape::hull::Hull;
use crate::shape::quickhull;
use crate::shape::surface::area_vector;

/// Largest volume that a common hull adds, as a fraction of a layer of the thickness of the resolution on the
/// hull. Other pairs are rarely pieces.
const LAYER: f64 = 0.25;

/// Piece with the volume of its hull.
struct Merged {
    piece: Piece,
    volume: f64,
    bounds: [[f64; 3]; 2],
}

/// Pair of pieces, with the volume that their common hull adds.
struct Pair {
    excess: f64,
    pieces: [usize; 2],
}

/// Merges pieces, those with the smallest added volume first, as long as the common hull protrudes from the
/// mesh by at most `resolution`.
pub(super) fn merge(pieces: Vec<Piece>, boundary: &Boundary, resolution: f64) -> Vec<Piece> {
    let mut all: Vec<Option<Merged>> = pieces.into_iter().map(|piece| Some(Merged::new(piece))).collect();
    let mut pairs: Vec<Pair> = Vec::new();
    for last in 0..all.len() {
        pairs.extend(pairs_with(&all[..=last], resolution));
    }
    pairs.sort_by(descending);
    while let Some(Pair { pieces: [a, b], .. }) = pairs.pop() {
        let (Some(own), Some(other)) = (&all[a], &all[b]) else { continue };
        let Some(piece) = common(own, other, boundary, resolution) else { continue };
        all[a] = None;
        all[b] = None;
        all.push(Some(Merged::new(piece)));
        pairs.extend(pairs_with(&all, resolution));
        pairs.sort_by(descending);
    }
    all.into_iter().flatten().map(|merged| merged.piece).collect()
}

fn descending(a: &Pair, b: &Pair) -> std::cmp::Ordering {
    b.excess.total_cmp(&a.excess).then(b.pieces.cmp(&a.pieces))
}

impl Merged {
    fn new(piece: Piece) -> Self {
        let (volume, bounds) =
            (hull_volume(&piece.points).map_or(0.0, |[volume, _]| volume), bounds(&piece.points));
        Self { piece, volume, bounds }
    }

    /// Returns `true` if the bounds of two pieces are closer than a distance.
    fn is_near(&self, other: &Self, distance: f64) -> bool {
        let ([low, high], [other_low, other_high]) = (self.bounds, other.bounds);
        (0..3).all(|i| low[i] <= other_high[i] + distance && other_low[i] <= high[i] + distance)
    }
}

/// Returns the pairs of the last piece whose common hull can be a piece: the volume that it adds is small
/// compared with a layer of the thickness of the resolution.
fn pairs_with(all: &[Option<Merged>], resolution: f64) -> Vec<Pair> {
    let Some((Some(last), others)) = all.split_last() else { return Vec::new() };
    let mut pairs = Vec::new();
    for (index, other) in others.iter().enumerate() {
        let Some(other) = other.as_ref().filter(|other| last.is_near(other, resolution)) else { continue };
        let points: Vec<[f64; 3]> = last.piece.points.iter().chain(&other.piece.points).copied().collect();
        let Some([volume, area]) = hull_volume(&points) else { continue };
        let excess = volume - last.volume - other.volume;
        if excess <= LAYER * resolution * area {
            pairs.push(Pair { excess, pieces: [index, others.len()] });
        }
    }
    pairs
}

/// Returns the hull of two pieces if it is a piece.
fn common(a: &Merged, b: &Merged, boundary: &Boundary, resolution: f64) -> Option<Piece> {
    let points: Vec<[f64; 3]> = a.piece.points.iter().chain(&b.piece.points).copied().collect();
    let hull = Hull::of_points(&points).ok()?;
    let protrusion = protrusion(&hull, boundary, resolution);
    (protrusion <= resolution).then_some(Piece { points: hull.vertices, protrusion })
}

/// Returns the volume and the surface area of the hull of points.
fn hull_volume(points: &[[f64; 3]]) -> Option<[f64; 2]> {
    let hull = Lump { points: points.to_vec(), triangles: quickhull::triangles(points)? };
    let area = |triangle| 0.5 * length(area_vector(hull.corners(triangle)));
    Some([hull.volume(), (0..hull.triangles.len()).map(area).sum()])
}
