//! Contacts of solids with curved surfaces: cylinders, cones and ellipsoids.

use siconos_kernel::engine::vector::{difference, dot, scaled};

use super::patch::Patch;
use super::reduction::reduce;
use super::separation::{Nearest, Pair};
use super::support::SupportMap;
use super::{MOST_POINTS, Touch, edge_feature, face_feature, half_space};
use crate::detection::placed::{PlacedRound, Plane};
use crate::shape::polytope::Polytope;
use crate::shape::round::Facing;

/// Difference of gaps below which the lowest point of a rim is left out, as a fraction of the size. Its
/// azimuth is a rounding error if the face is level.
const LOWEST: f64 = 1e-11;

/// Number of the first end of a straight line of a curved surface. Smaller numbers are points of rims.
const LINE: u32 = 16;

/// Number of the apex of a cone.
pub(super) const APEX: u32 = LINE + 1;

/// Index of the curved surface as a face.
pub(super) const CURVED: usize = 2;

/// Convex body of a pair.
#[derive(Clone, Copy)]
pub(super) enum Side<'a> {
    Polytope(&'a Polytope),
    Round(&'a PlacedRound),
}

impl<'a> Side<'a> {
    fn support_map(self) -> &'a dyn SupportMap {
        match self {
            Self::Polytope(core) => core,
            Self::Round(core) => core,
        }
    }

    /// Returns the part that faces a direction.
    fn outline(self, outward: [f64; 3]) -> Outline<'a> {
        match self {
            Self::Polytope(core) => Outline::Whole(core),
            Self::Round(core) => match core.facing(outward) {
                Facing::Cap(_) => Outline::Whole(&core.caps),
                Facing::Line(ends) => Outline::Line(Polytope::line(ends)),
                Facing::Rim(_) | Facing::Apex | Facing::Curved => Outline::Point,
            },
        }
    }

    /// Returns the number of the feature that contains the closest point.
    fn feature(self, side: usize, outward: [f64; 3], nearest: &Nearest) -> u32 {
        match self {
            Self::Polytope(core) => nearest.simplex.feature(side, core),
            Self::Round(core) => feature_of(core.facing(outward)),
        }
    }
}

/// Part of a body that can touch at several points.
enum Outline<'a> {
    Whole(&'a Polytope),
    Line(Polytope),
    Point,
}

impl Outline<'_> {
    fn polytope(&self) -> Option<&Polytope> {
        match self {
            Self::Whole(core) => Some(core),
            Self::Line(core) => Some(core),
            Self::Point => None,
        }
    }

    /// Returns the number of a feature of the body from its number in the outline.
    fn number(&self, feature: u32) -> u32 {
        if matches!(self, Self::Line(_)) { feature + LINE } else { feature }
    }
}

fn feature_of(facing: Facing) -> u32 {
    match facing {
        Facing::Cap(face) => edge_feature(LINE + face as u32),
        Facing::Rim(face) => edge_feature(LINE + face),
        Facing::Line(_) | Facing::Curved => face_feature(CURVED),
        Facing::Apex => APEX,
    }
}

/// Appends the contacts of a solid with a half-space.
pub(super) fn on_half_space(
    core: &PlacedRound,
    size: f64,
    plane: &Plane,
    reach: f64,
    found: &mut Vec<Touch>,
) {
    let outward = scaled(-1.0, plane.normal);
    let first = found.len();
    let facing = core.facing(outward);
    match facing {
        Facing::Cap(face) => {
            let numbers = &core.caps.faces[face].vertices;
            let points = numbers.iter().map(|number| (*number, core.caps.vertices[*number as usize]));
            half_space::touches(points, 0.0, plane, reach, found);
        }
        Facing::Line(ends) => {
            half_space::touches((LINE..).zip(ends), 0.0, plane, reach, found);
            return;
        }
        Facing::Rim(_) | Facing::Apex | Facing::Curved => {}
    }
    let lowest = core.farthest(outward);
    let gap = dot(plane.normal, difference(lowest, plane.point));
    let least = found[first..].iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min);
    if gap < least - LOWEST * size {
        half_space::touches([(feature_of(facing), lowest)].into_iter(), 0.0, plane, reach, found);
    }
}

/// Appends the contacts of two convex bodies of which one is curved.
pub(super) fn convex(
    sides: [Side<'_>; 2],
    radii: [f64; 2],
    sizes: [f64; 2],
    reach: f64,
    found: &mut Vec<Touch>,
) {
    let around = reach + radii[0] + radii[1];
    let pair = Pair { sets: sides.map(Side::support_map), sizes };
    let Some(nearest) = pair.nearest(around) else { return };
    let normal = nearest.normal;
    let outward = [scaled(-1.0, normal), normal];
    let features = [0, 1].map(|side| sides[side].feature(side, outward[side], &nearest));
    let closest = Touch::of_cores(nearest.points, normal, nearest.separation, radii, features);
    let outlines = [0, 1].map(|side| sides[side].outline(outward[side]));
    let first = found.len();
    if let [Some(a), Some(b)] = [outlines[0].polytope(), outlines[1].polytope()] {
        Patch { normal, radii, size: sizes[0].min(sizes[1]), reach }.add(a, b, found);
        for touch in &mut found[first..] {
            touch.features = [0, 1].map(|side| outlines[side].number(touch.features[side]));
        }
    }
    reduce(found, first, MOST_POINTS);
    closest.complete(LOWEST * sizes[0].max(sizes[1]), first, found);
}
