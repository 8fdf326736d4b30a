//! Regions of faces and triangles that no convex piece covers.

use siconos_kernel::engine::vector::{add, cross, difference, dot, length, scaled, unit};

use crate::shape::polytope::{Face, Polytope};
use crate::shape::surface::area_vector;

/// Distance above a face at which other pieces cover it, as a fraction of the size.
const ABOVE: f64 = 2e-6;

/// Extent of a region that is a rounding error, as a fraction of the size.
const SMALL: f64 = 1e-6;

/// Smallest gap, as a fraction of the size.
const EXACT: f64 = 1e-13;

/// Convex polygon, counterclockwise as seen from outside.
pub(super) type Region = Vec<[f64; 3]>;

/// Returns the regions of a face of a piece that no other piece covers.
pub(super) fn uncovered(pieces: &[Polytope], own: usize, face: &Face, size: f64) -> Vec<Region> {
    let up = scaled(ABOVE * size, face.normal);
    let corner = |vertex: &u32| add(pieces[own].vertices[*vertex as usize], up);
    let mut open: Vec<Region> = vec![face.vertices.iter().map(corner).collect()];
    for (_, piece) in pieces.iter().enumerate().filter(|(index, _)| *index != own) {
        open = open.into_iter().flat_map(|region| outside(region, piece, face.normal, 0.0, size)).collect();
    }
    open
}

/// Returns the largest height of triangles above the faces of the pieces that cover them, rounded up by at
/// most a factor 4; `None` if it exceeds `limit`. Regions whose width is a rounding error are ignored.
pub(super) fn gap(
    triangles: impl Iterator<Item = [[f64; 3]; 3]>,
    pieces: &[Polytope],
    size: f64,
    limit: f64,
) -> Option<f64> {
    let mut gap = EXACT * size;
    for corners in triangles {
        let Some(normal) = unit(area_vector(corners)) else { continue };
        let mut open: Vec<Region> = vec![corners.to_vec()];
        loop {
            for piece in pieces {
                open = open.into_iter().flat_map(|own| outside(own, piece, normal, gap, size)).collect();
            }
            if open.is_empty() {
                break;
            }
            gap *= 4.0;
            if gap > limit {
                return None;
            }
        }
    }
    Some(gap)
}

/// Returns the regions of a polygon above the faces of a piece, by more than `margin`.
fn outside(region: Region, piece: &Polytope, normal: [f64; 3], margin: f64, size: f64) -> Vec<Region> {
    let base = |own: &Face| add(piece.vertices[own.vertices[0] as usize], scaled(margin, own.normal));
    let planes = || piece.faces.iter().map(|own| (own.normal, base(own)));
    let is_above = |(across, base): ([f64; 3], [f64; 3])| {
        region.iter().all(|point| dot(across, difference(*point, base)) >= 0.0)
    };
    if planes().any(is_above) {
        return vec![region];
    }
    let (mut rest, mut found) = (region.clone(), Vec::new());
    for (across, base) in planes() {
        let height = |point: [f64; 3]| dot(across, difference(point, base));
        let front = clipped(&rest, height);
        rest = clipped(&rest, |point| -height(point));
        if is_region(&front, normal, size) {
            found.push(front);
        }
        if !is_region(&rest, normal, size) {
            return found;
        }
    }
    found
}

/// Returns the region of a polygon in which a linear function is positive.
fn clipped(region: &[[f64; 3]], height: impl Fn([f64; 3]) -> f64) -> Region {
    let next = region.iter().cycle().skip(1);
    let mut found = Region::with_capacity(region.len() + 1);
    for (from, to) in region.iter().zip(next) {
        let (a, b) = (height(*from), height(*to));
        if a >= 0.0 {
            found.push(*from);
        }
        if (a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0) {
            found.push(add(*from, scaled(a / (a - b), difference(*to, *from))));
        }
    }
    found
}

/// Returns `true` if the width of a polygon is not a rounding error.
fn is_region(region: &[[f64; 3]], normal: [f64; 3], size: f64) -> bool {
    let Some(&base) = region.first() else { return false };
    let longest = region.iter().map(|point| length(difference(*point, base))).fold(0.0, f64::max);
    let doubled: f64 = region
        .windows(2)
        .map(|pair| dot(normal, cross(difference(pair[0], base), difference(pair[1], base))))
        .sum();
    region.len() > 2 && doubled > SMALL * size * longest
}

/// Returns `true` if the distance of a point in the plane of a polygon from the polygon is at most `reach`.
pub(super) fn is_near(region: &[[f64; 3]], normal: [f64; 3], point: [f64; 3], reach: f64) -> bool {
    let next = region.iter().cycle().skip(1);
    region.iter().zip(next).all(|(from, to)| {
        let inward = cross(normal, difference(*to, *from));
        dot(inward, difference(point, *from)) >= -reach * length(inward)
    })
}
