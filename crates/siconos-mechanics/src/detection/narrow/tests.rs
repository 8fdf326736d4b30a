//! Random pairs of shapes against an enumeration of all pairs of features and all axes.

use siconos_kernel::engine::vector::{add, cross, difference, dot, length, scaled};
use siconos_kernel::model::Quaternion;
use siconos_testkit::random::RandomState;

use super::{Touch, touches};
use crate::Pose;
use crate::detection::placed::{PlacedCore, PlacedShape};
use crate::shape::Shape;
use crate::shape::polytope::Polytope;

/// Sizes of random pairs, and their distances from the origin in units of the size.
pub(super) const PLACES: [(f64, f64); 4] = [(1.0, 0.0), (1e-6, 0.0), (1e6, 0.0), (1.0, 1e3)];

/// Returns the pose of a body at the origin with a random orientation.
pub(super) fn turned(random: &mut RandomState) -> Pose {
    loop {
        let parts: [f64; 4] = random.vector(1.0);
        let size = parts.iter().map(|x| x * x).sum::<f64>();
        if (0.01..1.0).contains(&size) {
            let [scalar, vector @ ..] = parts;
            let orientation = Quaternion::of_parts(scalar, vector).normalised();
            return Pose { orientation, ..Pose::IDENTITY };
        }
    }
}

fn core(placed: &PlacedShape) -> &Polytope {
    match &placed.core {
        PlacedCore::Polytope(core) => core,
        other => panic!("{other:?}"),
    }
}

/// Smallest coordinate of `a` minus the largest coordinate of `b` along a unit vector.
fn separation(a: &Polytope, b: &Polytope, along: [f64; 3]) -> f64 {
    let base = a.vertices[0];
    let of = |p: &[f64; 3]| dot(along, difference(*p, base));
    let low = a.vertices.iter().map(of).fold(f64::INFINITY, f64::min);
    low - b.vertices.iter().map(of).fold(f64::NEG_INFINITY, f64::max)
}

/// Returns the distance of a point from a segment.
fn from_segment(p: [f64; 3], a: [f64; 3], b: [f64; 3]) -> f64 {
    let along = difference(b, a);
    let t = (dot(along, difference(p, a)) / dot(along, along)).clamp(0.0, 1.0);
    length(difference(p, add(a, scaled(t, along))))
}

/// Returns the distance of two polytopes that do not overlap, by enumeration of all pairs of features.
fn distance(a: &Polytope, b: &Polytope) -> f64 {
    let mut least = f64::INFINITY;
    for (own, other) in [(a, b), (b, a)] {
        for p in &own.vertices {
            other.vertices.iter().for_each(|q| least = least.min(length(difference(*p, *q))));
            for [i, j] in &other.edges {
                least = least.min(from_segment(*p, other.vertices[*i as usize], other.vertices[*j as usize]));
            }
            for face in &other.faces {
                let corner = |k: usize| other.vertices[face.vertices[k % face.vertices.len()] as usize];
                let is_over = (0..face.vertices.len()).all(|k| {
                    let along = difference(corner(k + 1), corner(k));
                    dot(cross(face.normal, along), difference(*p, corner(k))) >= 0.0
                });
                let height = dot(face.normal, difference(*p, corner(0)));
                if is_over && height >= -1e-14 * length(*p) {
                    least = least.min(height.max(0.0));
                }
            }
        }
    }
    for [i, j] in &a.edges {
        for [k, l] in &b.edges {
            let [p, q] = [i, j].map(|v| a.vertices[*v as usize]);
            let [r, s] = [k, l].map(|v| b.vertices[*v as usize]);
            let (u, v, w) = (difference(q, p), difference(s, r), difference(r, p));
            let n = cross(u, v);
            let nn = dot(n, n);
            if nn > 1e-20 * dot(u, u) * dot(v, v) {
                let (x, y) = (dot(cross(w, v), n) / nn, dot(cross(w, u), n) / nn);
                if (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y) {
                    least = least.min((dot(w, n) / nn.sqrt()).abs());
                }
            }
        }
    }
    least
}

/// Returns the largest separation along all normals of faces and common perpendiculars of edges.
fn largest_separation(a: &Polytope, b: &Polytope) -> f64 {
    let normals = b.faces.iter().map(|face| face.normal);
    let opposite = a.faces.iter().map(|face| scaled(-1.0, face.normal));
    let faces = normals.chain(opposite).map(|n| separation(a, b, n)).fold(f64::NEG_INFINITY, f64::max);
    let along = |polytope: &Polytope, [i, j]: [u32; 2]| {
        difference(polytope.vertices[j as usize], polytope.vertices[i as usize])
    };
    let mut best = faces;
    for d in &a.edges {
        for e in &b.edges {
            let (u, v) = (along(a, *d), along(b, *e));
            let n = cross(u, v);
            if length(n) > 1e-9 * length(u) * length(v) {
                let n = scaled(1.0 / length(n), n);
                best = best.max(separation(a, b, n)).max(separation(a, b, scaled(-1.0, n)));
            }
        }
    }
    best
}

fn reference(a: &PlacedShape, b: &PlacedShape) -> f64 {
    let (x, y) = (core(a), core(b));
    let has_faces = !(x.faces.is_empty() && y.faces.is_empty());
    let overlap = if has_faces { largest_separation(x, y) } else { 1.0 };
    (if overlap > 0.0 { distance(x, y) } else { overlap }) - a.radius - b.radius
}

pub(super) fn contacts(a: &PlacedShape, b: &PlacedShape, reach: f64) -> Vec<Touch> {
    let mut found = Vec::new();
    touches(a, b, reach, &mut found);
    found
}

fn least(found: &[Touch]) -> f64 {
    found.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min)
}

fn shapes(random: &mut RandomState, size: f64) -> [Shape; 6] {
    let mut side = || size * (1.2 + random.between(-1.0, 1.0));
    let sides = [side(), side(), side()];
    let (length, radius) = (side(), 0.3 * side());
    let points: Vec<_> = (0..12).map(|_| random.vector(size)).collect();
    [
        Shape::ball(radius).unwrap(),
        Shape::capsule(length, radius).unwrap(),
        Shape::cuboid(sides).unwrap(),
        Shape::hull(&points).unwrap(),
        Shape::cuboid([sides[0], sides[1], 1e-5 * sides[2]]).unwrap(),
        Shape::prism(3, 1e-5 * radius, length).unwrap(),
    ]
}

/// Compares pairs of shapes at gaps around the values of the list with the enumeration.
fn compare(pairs: usize, size: f64, place: f64) {
    let mut random = RandomState::new(7);
    for k in 0..pairs {
        let target = [1e-2, 1e-6, 0.0, -1e-6, -1e-2][k % 5] * size;
        let (own, others) = (shapes(&mut random, size), shapes(&mut random, size));
        let common = Pose { position: random.vector(place * size), ..turned(&mut random) };
        for (i, shape) in own.iter().enumerate() {
            for (j, other) in others.iter().enumerate() {
                let poses = [(); 2].map(|()| turned(&mut random));
                let mut offset = random.vector(2.5 * size);
                // Towards the wanted gap, along the normal.
                for _ in 0..40 {
                    let moved = Pose { position: offset, ..poses[0] };
                    let placed = [PlacedShape::new(shape, &moved), PlacedShape::new(other, &poses[1])];
                    let found = contacts(&placed[0], &placed[1], 100.0 * size);
                    let closest = found.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)).unwrap();
                    if (closest.gap - target).abs() < 1e-3 * target.abs().max(1e-12 * size) {
                        break;
                    }
                    offset = add(offset, scaled(target - closest.gap, closest.normal));
                }
                let moved = Pose { position: offset, ..poses[0] };
                let [a, b] = [(shape, &moved), (other, &poses[1])]
                    .map(|(shape, pose)| PlacedShape::new(shape, &common.then(pose)));
                let expected = reference(&a, &b);
                let found = contacts(&a, &b, 0.1 * size);
                let largest = a.size.max(b.size);
                let tolerance = 1e-12 * largest;
                let what = format!("{i} {j}, pair {k}, gap {target:e}, size {size:e}");
                assert!(
                    (least(&found) - expected).abs() <= tolerance,
                    "{what}: {:e} {expected:e}",
                    least(&found)
                );
                let closest = found.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)).unwrap();
                let attained = separation(core(&a), core(&b), closest.normal) - a.radius - b.radius;
                assert!(
                    (attained - closest.gap).abs() <= tolerance,
                    "{what}: normal {attained:e} {:e}",
                    closest.gap
                );
                for touch in &found {
                    let [p, q] = touch.points;
                    let apart = dot(touch.normal, difference(p, q));
                    assert!(
                        (apart - touch.gap).abs() <= tolerance,
                        "{what}: points {apart:e} {:e}",
                        touch.gap
                    );
                }
                let exchanged = contacts(&b, &a, 0.1 * size);
                assert!((least(&exchanged) - least(&found)).abs() <= tolerance, "{what}: exchanged");
            }
        }
    }
}

#[test]
fn gaps_and_normals_are_those_of_all_features() {
    PLACES.into_iter().for_each(|(size, place)| compare(20, size, place));
}

/// Two cubes whose corners are opposite to each other, in frames with distant origins.
#[test]
fn gaps_do_not_depend_on_the_origins_of_shapes() {
    let mut random = RandomState::new(8);
    for gap in [1e-3, 1e-5, 1e-7] {
        for far in [0.0, 1e3, 1e4] {
            let [first, second]: [[f64; 3]; 2] = [(); 2].map(|()| random.vector(far).map(f64::round));
            let corners = |from: [f64; 3]| {
                let bits = |k: u32| [k & 1, (k / 2) & 1, k / 4].map(f64::from);
                let points: Vec<_> = (0..8).map(|k| add(from, bits(k))).collect();
                Shape::hull(&points).unwrap()
            };
            let apart = [2.0, 3.0, 6.0].map(|x| 1.0 + gap * x / 7.0);
            let a = PlacedShape::new(&corners(first), &Pose::at(difference(apart, first)));
            let b = PlacedShape::new(&corners(second), &Pose::at(scaled(-1.0, second)));
            let found = contacts(&a, &b, 1.0);
            assert!((least(&found) / gap - 1.0).abs() < 1e-11 * far.max(1.0) / gap, "{gap} {far}: {found:?}");
        }
    }
}

/// The same tests with 10 000 pairs of each kind.
#[test]
#[ignore = "takes a minute"]
fn ten_thousand_pairs() {
    PLACES.into_iter().for_each(|(size, place)| compare(10_000, size, place));
}

/// Cores that meet: the contact has a unit normal perpendicular to the segments, and the gap is minus the sum
/// of the radii.
#[test]
fn cores_that_meet() {
    let mut random = RandomState::new(12);
    let long = 2.0;
    let segment = |radius: f64| Shape::capsule(long, radius).unwrap();
    let ball = |radius: f64| Shape::ball(radius).unwrap();
    let upright = Pose::IDENTITY;
    let level = |angle: f64| {
        let turned = Quaternion::about([0.0, 0.0, 1.0], angle)
            * Quaternion::about([1.0, 0.0, 0.0], 0.5 * std::f64::consts::PI);
        Pose { orientation: turned, ..Pose::IDENTITY }
    };
    let at = |z: f64, pose: Pose| Pose { position: [0.0, 0.0, z], ..pose };
    let cases = [
        (ball(0.2), upright, ball(0.3), upright),
        (ball(0.2), upright, ball(0.2), upright),
        (ball(0.2), at(0.3, upright), segment(0.1), upright),
        (ball(0.2), at(1.0, upright), segment(0.1), upright),
        (segment(0.2), level(0.0), segment(0.1), upright),
        (segment(0.2), at(0.5, level(0.7)), segment(0.1), upright),
        (segment(0.2), at(1.0, level(0.7)), segment(0.1), upright),
        (segment(0.2), at(2.0, upright), segment(0.1), upright),
        (segment(0.2), at(1.0, upright), segment(0.1), upright),
        (segment(0.2), upright, segment(0.1), upright),
        (segment(0.2), upright, segment(0.2), upright),
        (segment(0.2), level(0.3), segment(0.1), level(0.3)),
        (segment(0.2), level(0.3), segment(0.1), level(0.3 + 1e-7)),
    ];
    for (number, (first, pose, second, other)) in cases.iter().enumerate() {
        for k in 0..20 {
            let common = if k == 0 { Pose::IDENTITY } else { turned(&mut random) };
            let placed = |shape: &Shape, pose: &Pose| PlacedShape::new(shape, &common.then(pose));
            let [a, b] = [placed(first, pose), placed(second, other)];
            let found = contacts(&a, &b, 0.0);
            let gap = -(a.radius + b.radius);
            let what = format!("case {number}, {k}");
            assert!((least(&found) - gap).abs() < 1e-15, "{what}: {found:?}");
            for touch in &found {
                assert!((length(touch.normal) - 1.0).abs() < 1e-15, "{what}: {found:?}");
                let apart = difference(touch.points[0], touch.points[1]);
                assert!((dot(apart, touch.normal) - touch.gap).abs() < 1e-14);
                assert!(length(cross(apart, touch.normal)) < 1e-6, "{what}: {found:?}");
                for core in [core(&a), core(&b)] {
                    if let [p, q] = core.vertices[..] {
                        assert!(dot(touch.normal, difference(p, q)).abs() < 1e-8, "{what}: {found:?}");
                    }
                }
            }
            let exchanged = contacts(&b, &a, 0.0);
            let is_opposite = length(add(exchanged[0].normal, found[0].normal)) < 1e-12;
            assert_eq!(is_opposite, first != second || pose != other, "{what}: {found:?} {exchanged:?}");
        }
    }
}

/// Rotating both bodies rotates the contacts, and exchanging them exchanges the contacts, also if the cores
/// meet or overlap symmetrically.
#[test]
fn normals_of_cores_that_meet_rotate_with_the_bodies() {
    let mut random = RandomState::new(14);
    let (capsule, thick) = (Shape::capsule(2.0, 0.1).unwrap(), Shape::capsule(2.0, 0.3).unwrap());
    let (ball, cube) = (Shape::ball(0.2).unwrap(), Shape::cuboid([1.0; 3]).unwrap());
    let (brick, prism) = (Shape::cuboid([1.0, 2.0, 3.0]).unwrap(), Shape::prism(6, 0.5, 1.0).unwrap());
    let about = |axis: [f64; 3], angle: f64| Quaternion::about(axis, angle);
    let orientations = [
        Quaternion::IDENTITY,
        about([1.0, 0.0, 0.0], 0.5 * std::f64::consts::PI),
        about([0.0, 1.0, 0.0], std::f64::consts::PI),
        about([0.0, 0.0, 1.0], 0.7),
        about([1.0, 1.0, 1.0], 0.4),
        about([1.0, 0.0, 0.0], std::f64::consts::PI) * about([0.0, 0.0, 1.0], 0.3),
    ];
    let positions = [[0.0; 3], [0.0, 0.0, 0.5], [0.0, 0.0, 1.0], [0.0, 0.0, 2.0]];
    let pairs = [
        [&ball, &ball],
        [&ball, &capsule],
        [&capsule, &capsule],
        [&capsule, &thick],
        [&ball, &cube],
        [&capsule, &cube],
        [&capsule, &brick],
        [&capsule, &prism],
    ];
    for (number, [first, second]) in pairs.into_iter().enumerate() {
        for (orientation, position) in
            orientations.iter().flat_map(|turned| positions.iter().map(move |place| (*turned, *place)))
        {
            let (own, other) = (Pose { position, orientation }, Pose::IDENTITY);
            let placed =
                |common: &Pose, shape: &Shape, pose: &Pose| PlacedShape::new(shape, &common.then(pose));
            let at = |common: &Pose| [placed(common, first, &own), placed(common, second, &other)];
            let [a, b] = at(&Pose::IDENTITY);
            let expected = contacts(&a, &b, 0.0);
            let what = format!("pair {number}, {own:?}");
            for _ in 0..10 {
                let common = Pose { position: random.vector(1.0), ..turned(&mut random) };
                let [a, b] = at(&common);
                let (found, exchanged) = (contacts(&a, &b, 0.0), contacts(&b, &a, 0.0));
                let is_equal = first == second && own == other;
                assert_eq!((found.len(), exchanged.len()), (expected.len(), expected.len()), "{what}");
                for touch in &found {
                    let is_near =
                        |normal: [f64; 3], own: &Touch| length(difference(normal, own.normal)) < 1e-9;
                    let back = common.orientation.rotate_back(touch.normal);
                    let is_rotated = expected.iter().any(|own| is_near(back, own));
                    assert!(is_rotated, "{what}: {back:?} {expected:?}");
                    let opposite = scaled(-1.0, touch.normal);
                    let is_exchanged = exchanged.iter().any(|own| is_near(opposite, own));
                    assert!(is_exchanged || is_equal, "{what}: {found:?} {exchanged:?}");
                }
            }
        }
    }
}
