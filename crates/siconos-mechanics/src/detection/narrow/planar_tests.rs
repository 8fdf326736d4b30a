//! Random pairs of polygons, segments and discs against an enumeration of all corners, sides and axes.

use std::f64::consts::PI;

use siconos_kernel::engine::vector::{difference, dot};
use siconos_kernel::model::Quaternion;
use siconos_testkit::random::RandomState;

use super::Touch;
use super::tests::{PLACES, contacts};
use crate::Pose;
use crate::detection::placed::{PlacedCore, PlacedShape};
use crate::shape::Shape;

/// Returns the corners of the core: one for a disc.
fn corners(shape: &PlacedShape) -> Vec<[f64; 2]> {
    match &shape.core {
        PlacedCore::Polygon(core) => core.corners().to_vec(),
        PlacedCore::Polytope(core) => core.vertices.iter().map(|[x, y, _]| [*x, *y]).collect(),
        other => panic!("{other:?}"),
    }
}

fn minus([a, b]: [f64; 2], [x, y]: [f64; 2]) -> [f64; 2] {
    [a - x, b - y]
}

fn inner([a, b]: [f64; 2], [x, y]: [f64; 2]) -> f64 {
    a * x + b * y
}

fn length([x, y]: [f64; 2]) -> f64 {
    x.hypot(y)
}

/// Returns the sides of a polygon as pairs of corners.
fn sides(corners: &[[f64; 2]]) -> Vec<[[f64; 2]; 2]> {
    let count = corners.len();
    (0..count).filter(|_| count > 1).map(|k| [corners[k], corners[(k + 1) % count]]).collect()
}

fn from_side(p: [f64; 2], [a, b]: [[f64; 2]; 2]) -> f64 {
    let (along, from) = (minus(b, a), minus(p, a));
    let t = inner(along, from) / inner(along, along);
    if t <= 0.0 {
        length(from)
    } else if t >= 1.0 {
        length(minus(p, b))
    } else {
        (along[0] * from[1] - along[1] * from[0]).abs() / length(along)
    }
}

/// Returns the ends of a segment with the directions that point outwards.
fn tips(corners: &[[f64; 2]]) -> Vec<([f64; 2], [f64; 2])> {
    match *corners {
        [p, q] => {
            let size = length(minus(q, p));
            [(q, p), (p, q)]
                .into_iter()
                .map(|(end, start)| (end, minus(end, start).map(|x| x / size)))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the largest separation along the normals of sides and along segments; positive infinity for two
/// points.
fn largest_separation(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    let beyond = |[p, q]: [[f64; 2]; 2], other: &[[f64; 2]]| {
        let [x, y] = minus(q, p);
        let heights = other.iter().map(|r| inner([y, -x], minus(*r, p)) / length([x, y]));
        heights.fold(f64::INFINITY, f64::min)
    };
    let beyond_tip = |(end, outward): ([f64; 2], [f64; 2]), other: &[[f64; 2]]| {
        other.iter().map(|r| inner(outward, minus(*r, end))).fold(f64::INFINITY, f64::min)
    };
    let mut all = Vec::new();
    for (own, other) in [(a, b), (b, a)] {
        all.extend(sides(own).into_iter().map(|side| beyond(side, other)));
        all.extend(tips(own).into_iter().map(|tip| beyond_tip(tip, other)));
    }
    if all.is_empty() { f64::INFINITY } else { all.into_iter().fold(f64::NEG_INFINITY, f64::max) }
}

fn distance(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    let mut least = f64::INFINITY;
    for (own, other) in [(a, b), (b, a)] {
        for p in own {
            other.iter().for_each(|q| least = least.min(length(minus(*p, *q))));
            sides(other).into_iter().for_each(|side| least = least.min(from_side(*p, side)));
        }
    }
    least
}

fn reference(a: &PlacedShape, b: &PlacedShape) -> f64 {
    let (x, y) = (corners(a), corners(b));
    let separation = largest_separation(&x, &y);
    (if separation > 0.0 { distance(&x, &y) } else { separation }) - a.radius - b.radius
}

/// Returns a disc, a rectangle, a needle, a triangle with an acute angle, a polygon on an ellipse, a segment
/// and a stadium.
fn shapes(random: &mut RandomState, size: f64) -> Vec<Shape> {
    let mut side = || size * (1.2 + random.between(-1.0, 1.0));
    let thin = [1e-2, 1e-4, 1e-6, 1e-8][(side() / size * 1e6) as usize % 4];
    let (long, half) = (side(), thin * side());
    let on_ellipse = |k: usize| {
        let (sine, cosine) = (2.0 * PI * k as f64 / 7.0).sin_cos();
        [long * cosine, 0.3 * long * sine]
    };
    vec![
        Shape::ball(0.3 * long).unwrap(),
        Shape::rectangle([side(), side()]).unwrap(),
        Shape::rectangle([side(), half]).unwrap(),
        Shape::polygon(&[[0.0, -half], [long, 0.0], [0.0, half]]).unwrap(),
        Shape::polygon(&(0..7).map(on_ellipse).collect::<Vec<_>>()).unwrap(),
        Shape::segment([-0.6 * long, 0.0], [0.4 * long, 0.0]).unwrap(),
        Shape::stadium([-0.5 * long, 0.0], [0.5 * long, 0.0], 0.2 * long).unwrap(),
    ]
}

fn pose(position: [f64; 2], angle: f64) -> Pose {
    let orientation = Quaternion::about([0.0, 0.0, 1.0], angle);
    Pose { position: [position[0], position[1], 0.0], orientation }
}

fn closest(found: &[Touch]) -> Touch {
    *found.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)).unwrap()
}

fn compare(pairs: usize, size: f64, place: f64) {
    let mut random = RandomState::new(17);
    for k in 0..pairs {
        let target = [1.0, 1e-2, 1e-4, 1e-6, 0.0, -1e-6, -1e-2][k % 7] * size;
        let (own, others) = (shapes(&mut random, size), shapes(&mut random, size));
        let by: [f64; 2] = random.vector(place * size);
        for (i, shape) in own.iter().enumerate() {
            for (j, other) in others.iter().enumerate() {
                // Also needles with a common axis.
                let angle = 4.0 * random.between(-1.0, 1.0);
                let angles = [angle + PI + [0.0, 1e-6, 1.0][k % 3] * random.between(-1.0, 1.0), angle];
                let mut offset = [3.0 * size * angle.cos(), 3.0 * size * angle.sin()];
                let placed = |offset: [f64; 2], by: [f64; 2]| {
                    let first = pose([by[0] + offset[0], by[1] + offset[1]], angles[0]);
                    [PlacedShape::new(shape, &first), PlacedShape::new(other, &pose(by, angles[1]))]
                };
                // Towards the wanted gap, along the normal.
                for _ in 0..20 {
                    let [a, b] = placed(offset, [0.0; 2]);
                    let Touch { gap, normal: [x, y, _], .. } = closest(&contacts(&a, &b, 100.0 * size));
                    offset = [offset[0] + (target - gap) * x, offset[1] + (target - gap) * y];
                }
                let [a, b] = placed(offset, by);
                let (expected, found) = (reference(&a, &b), contacts(&a, &b, 2.0 * size));
                let largest = a.size.max(b.size) + expected.abs();
                let tolerance = 1e-12 * largest * (1.0 + 1e-2 * place);
                let what = format!("{i} {j}, pair {k}, gap {target:e}, size {size:e}");
                let own = closest(&found);
                assert!((own.gap - expected).abs() <= tolerance, "{what}: {:e} {expected:e}", own.gap);
                for touch in &found {
                    let apart = dot(touch.normal, difference(touch.points[0], touch.points[1]));
                    assert!(
                        (apart - touch.gap).abs() <= tolerance,
                        "{what}: points {apart:e} {:e}",
                        touch.gap
                    );
                    assert!((dot(touch.normal, touch.normal) - 1.0).abs() < 1e-14 && touch.normal[2] == 0.0);
                }
                let normal = [own.normal[0], own.normal[1]];
                let low =
                    corners(&a).iter().map(|p| inner(normal, minus(*p, by))).fold(f64::INFINITY, f64::min);
                let high = corners(&b).iter().map(|p| inner(normal, minus(*p, by))).fold(f64::MIN, f64::max);
                let attained = low - high - a.radius - b.radius;
                assert!((attained - own.gap).abs() <= tolerance, "{what}: normal {attained:e} {:e}", own.gap);
                let exchanged = closest(&contacts(&b, &a, 2.0 * size));
                assert!((exchanged.gap - own.gap).abs() <= tolerance, "{what}: exchanged");
            }
        }
    }
}

#[test]
fn gaps_are_those_of_all_features() {
    PLACES.into_iter().for_each(|(size, place)| compare(105, size, place));
}

#[test]
#[ignore = "takes a minute"]
fn ten_thousand_pairs() {
    PLACES.into_iter().for_each(|(size, place)| compare(10_000, size, place));
}

/// Lengths in other units that differ by a power of two change no bit.
#[test]
fn gaps_do_not_depend_on_units() {
    let mut random = RandomState::new(23);
    for k in 0..50 {
        let seed = random.clone();
        let touches = |unit: f64| {
            let mut random = seed.clone();
            let (own, others) = (shapes(&mut random, unit), shapes(&mut random, unit));
            let mut all = Vec::new();
            for (shape, other) in own.iter().flat_map(|shape| others.iter().map(move |other| (shape, other)))
            {
                let placed = [shape, other].map(|shape| {
                    let [x, y]: [f64; 2] = random.vector(1.5);
                    PlacedShape::new(shape, &pose([unit * x, unit * y], 4.0 * random.between(-1.0, 1.0)))
                });
                all.extend(contacts(&placed[0], &placed[1], unit));
            }
            all.into_iter().map(move |Touch { points, normal, gap, features }| {
                let scaled = points.map(|p| p.map(|x| (x / unit).to_bits()));
                (scaled, normal.map(f64::to_bits), (gap / unit).to_bits(), features)
            })
        };
        for unit in [1024.0, 1.0 / 1_048_576.0] {
            assert!(touches(1.0).eq(touches(unit)), "{k} {unit}");
        }
        random = seed;
        random.between(0.0, 1.0);
    }
}

/// Two needles on a line, tip to tip.
#[test]
fn tips_have_the_distance_of_their_corners() {
    for thin in [1e-2, 1e-5, 1e-7, 1e-9] {
        let needle = Shape::polygon(&[[-1.0, -thin], [0.0, 0.0], [-1.0, thin]]).unwrap();
        let gap = 1e-3;
        let placed = [pose([gap, 0.0], PI), pose([0.0; 2], 0.0)].map(|pose| PlacedShape::new(&needle, &pose));
        let found = contacts(&placed[0], &placed[1], 0.1);
        assert!((closest(&found).gap - gap).abs() < 1e-15, "{thin}: {found:?}");
    }
}

/// Discs with the same centre have a normal in the plane.
#[test]
fn discs_that_coincide_have_a_normal_in_the_plane() {
    let [small, large] = [0.1, 0.2].map(|radius| Shape::ball(radius).unwrap());
    let placed = [&small, &large].map(|shape| PlacedShape::new(shape, &pose([0.3, 0.4], 0.5)));
    let [touch] = contacts(&placed[0], &placed[1], 0.0)[..] else { panic!("one contact") };
    assert!(touch.normal[2] == 0.0 && (touch.gap + 0.3).abs() < 1e-16, "{touch:?}");
    let exchanged = contacts(&placed[1], &placed[0], 0.0);
    assert_eq!(exchanged[0].normal, touch.normal.map(|x| -x));
}

/// The smallest gap from a polyline is the smallest gap from its segments, for both directions of the
/// polyline, if the bodies are apart.
#[test]
fn polylines_have_the_gaps_of_their_segments() {
    let mut random = RandomState::new(31);
    let mut apart = 0;
    for k in 0..400 {
        let mut points: Vec<[f64; 2]> = (0..6).map(|_| random.vector(2.0)).collect();
        if k % 2 == 0 {
            points.push(points[0]);
        }
        let pieces: Vec<_> =
            points.windows(2).map(|pair| Shape::segment(pair[0], pair[1]).unwrap()).collect();
        let line = Shape::polyline(&points).unwrap();
        points.reverse();
        let reversed = Shape::polyline(&points).unwrap();
        let common = pose(random.vector(3.0), 4.0 * random.between(-1.0, 1.0));
        for shape in shapes(&mut random, 0.2) {
            let body = PlacedShape::new(&shape, &pose(random.vector(3.0), 4.0 * random.between(-1.0, 1.0)));
            let least = |other: &Shape| {
                let found = contacts(&body, &PlacedShape::new(other, &common), 100.0);
                found.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min)
            };
            let expected = pieces.iter().map(least).fold(f64::INFINITY, f64::min);
            if expected > 0.0 {
                apart += 1;
                assert!((least(&line) - expected).abs() < 1e-14, "{k} {shape:?}");
                assert!((least(&reversed) - expected).abs() < 1e-14, "{k} {shape:?}");
            }
        }
    }
    assert!(apart > 1000, "{apart}");
}
