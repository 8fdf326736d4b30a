//! Contacts of convex polygons, segments and discs in the plane.

use super::{RESOLVED, ROUNDING, Touch, edge_feature};
use crate::shape::Polygon;

/// Side of a polygon with the largest separation from another polygon.
#[derive(Clone, Copy)]
struct Side {
    index: usize,
    separation: f64,
    /// Corner of the other polygon that is closest to the side.
    corner: usize,
}

fn minus([a, b]: [f64; 2], [x, y]: [f64; 2]) -> [f64; 2] {
    [a - x, b - y]
}

fn inner([a, b]: [f64; 2], [x, y]: [f64; 2]) -> f64 {
    a * x + b * y
}

fn moved([x, y]: [f64; 2], by: f64, [a, b]: [f64; 2]) -> [f64; 2] {
    [x + by * a, y + by * b]
}

fn in_space([x, y]: [f64; 2]) -> [f64; 3] {
    [x, y, 0.0]
}

/// Returns the side of `own` above which `other` lies highest.
fn best_side(own: &Polygon, other: &Polygon) -> Side {
    let mut best = Side { index: 0, separation: f64::NEG_INFINITY, corner: 0 };
    for (index, (base, normal)) in own.corners().iter().zip(own.normals()).enumerate() {
        let mut least = Side { index, separation: f64::INFINITY, corner: 0 };
        for (corner, point) in other.corners().iter().enumerate() {
            let height = inner(*normal, minus(*point, *base));
            if height < least.separation {
                least = Side { separation: height, corner, ..least };
            }
        }
        if least.separation > best.separation {
            best = least;
        }
    }
    best
}

/// Appends the contacts of all points within `radii` of two polygons or segments.
pub(super) fn polygons(a: &Polygon, b: &Polygon, radii: [f64; 2], reach: f64, found: &mut Vec<Touch>) {
    let first = found.len();
    cores(a, b, reach + radii[0] + radii[1], found);
    for touch in &mut found[first..] {
        *touch = Touch::of_cores(touch.points, touch.normal, touch.gap, radii, touch.features);
    }
}

/// Appends the contacts of two polygons or segments.
fn cores(a: &Polygon, b: &Polygon, reach: f64, found: &mut Vec<Touch>) {
    let size = a.extent().size.max(b.extent().size);
    let (of_b, of_a) = (best_side(b, a), best_side(a, b));
    let is_of_a = of_a.separation > of_b.separation + ROUNDING * size;
    let best = if is_of_a { of_a } else { of_b };
    if best.separation > reach {
        return;
    }
    let is_apart = best.separation > ROUNDING * size;
    let of_corners = if is_apart { corners(a, b, best.separation, size) } else { None };
    // A side that is perpendicular to a segment has the separation of the end of the segment.
    let least = 2.0 * best.separation.max(ROUNDING * size);
    let of_tips = || tip(a, b, least).or_else(|| Some(tip(b, a, least)?.exchanged()));
    if let Some(touch) = of_corners.or_else(of_tips) {
        if touch.gap <= reach {
            found.push(touch);
        }
        return;
    }
    if is_of_a {
        let first = found.len();
        overlap(b, a, best, reach, size, found);
        found[first..].iter_mut().for_each(|touch| *touch = touch.exchanged());
    } else {
        overlap(a, b, best, reach, size, found);
    }
}

/// Returns the contact of two corners if their distance is shorter than all other distances, and longer than
/// the separation along all sides. The direction of a very short distance is a rounding error.
fn corners(a: &Polygon, b: &Polygon, separation: f64, size: f64) -> Option<Touch> {
    let mut least = f64::INFINITY;
    let mut pair = None;
    for (i, p) in a.corners().iter().enumerate() {
        for (j, q) in b.corners().iter().enumerate() {
            let [x, y] = minus(*p, *q);
            let distance = x.hypot(y);
            if distance < least {
                least = distance;
                pair = Some((i, j, *p, *q));
            }
        }
    }
    // If the closest feature of one polygon is a side, the separation along this side is the distance.
    let to_sides = side_distance(a, b).min(side_distance(b, a));
    let (i, j, p, q) = pair?;
    if to_sides < least || least <= RESOLVED * size || least - separation <= ROUNDING * size + 1e-12 * least {
        return None;
    }
    let [x, y] = minus(p, q);
    let points = [in_space(p), in_space(q)];
    Some(Touch { points, normal: [x / least, y / least, 0.0], gap: least, features: [i as u32, j as u32] })
}

/// Returns the contact of an end of a segment with the closest corner of a polygon or segment beyond this
/// end, if the separation along the segment exceeds a value. Sides that are nearly parallel to the segment do
/// not separate two thin shapes on a line.
fn tip(segment: &Polygon, other: &Polygon, separation: f64) -> Option<Touch> {
    let (ends, [x, y]) = (segment.ends()?, segment.normals()[0]);
    [[y, -x], [-y, x]].into_iter().enumerate().find_map(|(end, outward)| {
        let heights = other.corners().iter().map(|corner| inner(outward, minus(*corner, ends[end])));
        let (near, height) = heights.enumerate().min_by(|a, b| a.1.total_cmp(&b.1))?;
        (height > separation).then(|| Touch {
            points: [in_space(ends[end]), in_space(other.corners()[near])],
            normal: in_space(outward.map(|x| -x)),
            gap: height,
            features: [end as u32, near as u32],
        })
    })
}

/// Returns the smallest distance of a corner of `other` from the interior of a side of `own`.
fn side_distance(own: &Polygon, other: &Polygon) -> f64 {
    let count = own.corners().len();
    let mut least = f64::INFINITY;
    for (k, (base, normal)) in own.corners().iter().zip(own.normals()).enumerate() {
        let along = minus(own.corners()[(k + 1) % count], *base);
        let length = inner(along, along);
        for point in other.corners() {
            let from = minus(*point, *base);
            let (height, t) = (inner(*normal, from), inner(along, from));
            if height > 0.0 && t > 0.0 && t < length {
                least = least.min(height);
            }
        }
    }
    least
}

/// Appends the ends of the overlap of a side of `b` with the opposite side of `a`.
fn overlap(a: &Polygon, b: &Polygon, best: Side, reach: f64, size: f64, found: &mut Vec<Touch>) {
    let first = found.len();
    let ends = |polygon: &Polygon, k: usize| {
        let corners = polygon.corners();
        [k, (k + 1) % corners.len()].map(|k| (k as u32, corners[k]))
    };
    let normal = b.normals()[best.index];
    let facing =
        |k: &usize, l: &usize| inner(a.normals()[*k], normal).total_cmp(&inner(a.normals()[*l], normal));
    let count = a.corners().len();
    // The opposite side is one of the two sides at the closest corner.
    let sides = [best.corner, (best.corner + count - 1) % count];
    let opposite = sides.into_iter().min_by(facing).unwrap_or(best.corner);
    let (own, other) = (ends(b, best.index), ends(a, opposite));
    let along = minus(own[1].1, own[0].1);
    let length = inner(along, along);
    let mut add = |points: [[f64; 2]; 2], gap: f64, features: [u32; 2]| {
        if gap <= reach {
            let points = points.map(in_space);
            found.push(Touch { points, normal: in_space(normal), gap, features });
        }
    };
    let mut places = [f64::NAN; 2];
    for ((corner, point), place) in other.into_iter().zip(&mut places) {
        let from = minus(point, own[0].1);
        let t = inner(along, from) / length;
        *place = t;
        if (-1e-9..=1.0 + 1e-9).contains(&t) {
            let gap = inner(normal, from);
            add([point, moved(point, -gap, normal)], gap, [corner, edge_feature(best.index as u32)]);
        }
    }
    let span = minus(other[1].1, other[0].1);
    for (corner, point) in own {
        // The point of the opposite side above a corner.
        let t = inner(along, minus(point, own[0].1)) / length;
        let s = (t - places[0]) / (places[1] - places[0]);
        if s > 1e-9 && s < 1.0 - 1e-9 {
            let above = moved(other[0].1, s, span);
            let gap = inner(normal, minus(above, point));
            add([above, point], gap, [edge_feature(opposite as u32), corner]);
        }
    }
    let is_known = |touch: &Touch| touch.gap <= best.separation + 2.0 * ROUNDING * size;
    if best.separation <= reach && !found[first..].iter().any(is_known) {
        let point = a.corners()[best.corner];
        let points = [point, moved(point, -best.separation, normal)].map(in_space);
        let features = [best.corner as u32, edge_feature(best.index as u32)];
        found.push(Touch { points, normal: in_space(normal), gap: best.separation, features });
    }
}

/// Appends the contact of a disc with all points within a radius of a polygon or segment. The radii are those
/// of the disc and of the polygon.
pub(super) fn disc(centre: [f64; 3], polygon: &Polygon, radii: [f64; 2], reach: f64, found: &mut Vec<Touch>) {
    let centre = [centre[0], centre[1]];
    let corners = polygon.corners();
    let (mut best, mut side) = (f64::NEG_INFINITY, 0);
    for (k, (base, normal)) in corners.iter().zip(polygon.normals()).enumerate() {
        let height = inner(*normal, minus(centre, *base));
        if height > best {
            (best, side) = (height, k);
        }
    }
    let [a, b] = [side, (side + 1) % corners.len()];
    let along = minus(corners[b], corners[a]);
    let t = inner(along, minus(centre, corners[a]));
    // The line of a segment contains points at height 0 outside of the segment.
    let is_outside = best > 0.0 || polygon.ends().is_some();
    let is_beside = is_outside && !(0.0..=inner(along, along)).contains(&t);
    let (point, feature) = match is_beside {
        true if t < 0.0 => (corners[a], a as u32),
        true => (corners[b], b as u32),
        false => (moved(centre, -best, polygon.normals()[side]), edge_feature(side as u32)),
    };
    let (normal, distance) = if is_beside {
        let [x, y] = minus(centre, point);
        let distance = x.hypot(y);
        ([x / distance, y / distance], distance)
    } else {
        (polygon.normals()[side], best)
    };
    let points = [in_space(centre), in_space(point)];
    let touch = Touch::of_cores(points, in_space(normal), distance, radii, [0, feature]);
    if touch.gap <= reach {
        found.push(touch);
    }
}
