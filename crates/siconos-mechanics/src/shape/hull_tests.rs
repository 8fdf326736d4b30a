//! Hulls of thin, duplicated, coplanar and many points against closed forms.

use std::f64::consts::PI;

use siconos_kernel::engine::vector::{add, difference, dot, scaled};
use siconos_kernel::model::Quaternion;
use siconos_testkit::random::RandomState;

use super::hull::Hull;
use super::{MassProperties, Shape};

/// Corners of a cuboid with given half side lengths.
fn corners(half: [f64; 3]) -> Vec<[f64; 3]> {
    let sign = |corner: u32, axis: usize| if corner & (1 << axis) == 0 { -1.0 } else { 1.0 };
    (0..8).map(|corner| [0, 1, 2].map(|axis| half[axis] * sign(corner, axis))).collect()
}

/// Adds points on the faces and edges, and copies of all points, in a random order.
fn with_others(mut points: Vec<[f64; 3]>, half: [f64; 3], random: &mut RandomState) -> Vec<[f64; 3]> {
    for k in 0..60 {
        let mut point = [0, 1, 2].map(|axis| half[axis] * random.between(-1.0, 1.0));
        point[k % 3] = half[k % 3].copysign(point[k % 3]);
        if k < 20 {
            point[(k + 1) % 3] = half[(k + 1) % 3].copysign(point[(k + 1) % 3]);
        }
        points.push(point);
    }
    points.extend(points.clone());
    for k in (1..points.len()).rev() {
        points.swap(k, (random.between(0.0, 1.0) * k as f64) as usize);
    }
    points
}

/// Checks that a hull is closed and convex and contains all points, except for a tolerance.
fn assert_hull(points: &[[f64; 3]], tolerance: f64, what: &str) -> Hull {
    let hull = Hull::of_points(points).unwrap_or_else(|error| panic!("{what}: {error}"));
    let mut sides = Vec::new();
    for (normal, face) in &hull.faces {
        let base = hull.vertices[face[0] as usize];
        let highest = points.iter().map(|p| dot(*normal, difference(*p, base))).fold(f64::MIN, f64::max);
        assert!(highest <= tolerance, "{what}: {highest:e} {tolerance:e}");
        sides.extend((0..face.len()).map(|k| [face[k], face[(k + 1) % face.len()]]));
    }
    assert!(sides.iter().all(|[a, b]| sides.iter().filter(|side| **side == [*b, *a]).count() == 1));
    assert_eq!(hull.vertices.len() + hull.faces.len(), sides.len() / 2 + 2, "{what}");
    assert!(hull.vertices.iter().all(|vertex| points.contains(vertex)));
    hull
}

/// Checks mass properties with a tolerance relative to the largest entries.
fn assert_mass(own: &MassProperties, expected: &MassProperties, relative: f64, length: f64, what: &str) {
    let mass = own.mass / expected.mass - 1.0;
    assert!(mass.abs() <= relative, "{what}: mass {mass:e}, {relative:e}");
    let off = difference(own.centre, expected.centre).map(f64::abs);
    assert!(off.iter().all(|x| *x <= relative * length), "{what}: centre {off:?}");
    let entries = expected.inertia.iter().flatten().zip(own.inertia.iter().flatten());
    let largest = expected.inertia.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    for (x, y) in entries {
        assert!((x - y).abs() <= relative * largest, "{what}: inertia {x:e} {y:e}");
    }
}

/// Plates, needles and cubes in all orientations and units, with coplanar and duplicated points.
#[test]
fn cuboids_have_six_faces() {
    let mut random = RandomState::new(1);
    for ratios in
        [[1.0, 1.0], [1e-3, 1.0], [1e-6, 1.0], [1e-9, 1.0], [1e-3, 1e-3], [1e-6, 1e-6], [1e-9, 1e-3]]
    {
        for k in 0..48 {
            let size = [1e-6, 1.0, 1e6][k % 3];
            let half = [size, 0.7 * size * ratios[1], 0.4 * size * ratios[0]];
            let is_turned = k % 2 == 1;
            let turned = if is_turned {
                Quaternion::exp(random.vector(3.0)).normalised()
            } else {
                Quaternion::IDENTITY
            };
            let by = if k % 4 > 1 { random.vector(10.0 * size) } else { [0.0; 3] };
            let local = corners(half);
            let local = if k % 8 > 3 { with_others(local, half, &mut random) } else { local };
            let points: Vec<_> = local.iter().map(|p| add(turned.rotate(*p), by)).collect();
            let what = format!("{ratios:?} {k}");
            // Rounding errors of the points, as a fraction of the smallest side length.
            let smallest = half.iter().fold(f64::INFINITY, |least: f64, x| least.min(*x));
            let noise = 1e-15 * (size + by.iter().fold(0.0, |most: f64, x| most.max(x.abs())));
            let hull = assert_hull(&points, 20.0 * noise + 1e-9 * smallest, &what);
            assert_eq!((hull.vertices.len(), hull.faces.len()), (8, 6), "{what}");
            let own = Shape::hull(&points).unwrap().mass_properties(2.0).unwrap();
            let sides = half.map(|x| 2.0 * x);
            let cuboid = Shape::cuboid(sides).unwrap().mass_properties(2.0).unwrap().moved(turned, by);
            assert_mass(&own, &cuboid, 1e-13 + 20.0 * noise / smallest, size, &what);
        }
    }
}

/// Points near the faces of a cuboid make many small faces; the volume changes by their distance.
#[test]
fn jitter_changes_the_volume_by_its_size() {
    let mut random = RandomState::new(2);
    for k in 0..200 {
        let jitter = [1e-3, 1e-6, 1e-9, 1e-12, 1e-15][k % 5];
        let thickness = [1.0, 1e-3, 1e-6][k % 3];
        let half = [1.0, 0.7, 0.4 * thickness];
        let turned = Quaternion::exp(random.vector(3.0)).normalised();
        let local = with_others(corners(half), half, &mut random);
        let points: Vec<_> = local
            .into_iter()
            .map(|p| {
                let [x, y, z]: [f64; 3] = random.vector(jitter);
                turned.rotate(add(p, [x, y, thickness * z]))
            })
            .collect();
        assert_hull(&points, 1e-9 * thickness + 1e-13, &format!("{k}"));
        let mass = Shape::hull(&points).unwrap().mass_properties(1.0).unwrap().mass;
        let change = mass / (8.0 * half[0] * half[1] * half[2]) - 1.0;
        assert!(change.abs() < 10.0 * jitter + 1e-14 / thickness, "{k}: {change:e}");
    }
}

/// Clouds, grids and lenses of points.
#[test]
fn all_points_are_inside() {
    let mut random = RandomState::new(3);
    for k in 0..300 {
        let count = 4 + k % 40;
        let scales: [f64; 3] =
            [[1.0, 1.0, 1.0], [1.0, 1.0, 1e-5], [1.0, 1e-5, 1e-5], [1.0, 1e-4, 1e-8]][k % 4];
        let turned = Quaternion::exp(random.vector(3.0)).normalised();
        let grid = |x: f64| if k % 3 == 0 { (2.0 * x).round() } else { x };
        let mut points: Vec<[f64; 3]> = (0..count).map(|_| random.vector(1.0).map(grid)).collect();
        // Four points that do not lie in a plane.
        points.extend([[2.0, 0.0, 0.0], [-2.0, 0.0, 2.0], [0.0, 2.0, -2.0], [0.0, -2.0, 0.0]]);
        let points: Vec<_> =
            points.iter().map(|p| turned.rotate([0, 1, 2].map(|axis| scales[axis] * p[axis]))).collect();
        assert_hull(&points, 1e-8 * scales[2] + 1e-13, &format!("{k}"));
    }
}

/// A ball of ten thousand points.
#[test]
fn many_points() {
    let golden = PI * (5.0_f64.sqrt() - 1.0);
    let count = 10_000;
    let points: Vec<[f64; 3]> = (0..count)
        .map(|k| {
            let z = 1.0 - (2.0 * k as f64 + 1.0) / f64::from(count);
            let (sine, cosine) = (golden * f64::from(k)).sin_cos();
            scaled(3.0, [(1.0 - z * z).sqrt() * cosine, (1.0 - z * z).sqrt() * sine, z])
        })
        .collect();
    let own = Shape::hull(&points).unwrap().mass_properties(1.0).unwrap();
    let volume = 36.0 * PI;
    assert!(own.mass < volume && own.mass > 0.999 * volume, "{}", own.mass / volume);
    assert!((own.inertia[0][0] / (0.4 * 9.0 * volume) - 1.0).abs() < 2e-3);
}

/// Powers of two change no digit of a hull.
#[test]
fn units_change_no_digit() {
    let mut random = RandomState::new(4);
    let points: Vec<[f64; 3]> = (0..50).map(|_| random.vector(1.0)).collect();
    let hull = Hull::of_points(&points).unwrap();
    for unit_length in [2.0_f64.powi(-30), 2.0_f64.powi(30)] {
        let other =
            Hull::of_points(&points.iter().map(|p| scaled(unit_length, *p)).collect::<Vec<_>>()).unwrap();
        assert_eq!(other.faces, hull.faces);
        assert!(hull.vertices.iter().zip(&other.vertices).all(|(a, b)| scaled(unit_length, *a) == *b));
    }
}

#[test]
fn flat_points_are_refused() {
    let mut random = RandomState::new(5);
    for _ in 0..100 {
        let turned = Quaternion::exp(random.vector(3.0)).normalised();
        let flat = |_| {
            let [x, y] = random.vector(1.0);
            turned.rotate([x, y, 0.0])
        };
        let points: Vec<[f64; 3]> = (0..20).map(flat).collect();
        assert!(matches!(Hull::of_points(&points), Err(super::ShapeError::FlatHull { points: 20 })));
        let line: Vec<[f64; 3]> = (0..20).map(|k| scaled(f64::from(k), points[0])).collect();
        assert!(matches!(Hull::of_points(&line), Err(super::ShapeError::FlatHull { points: 20 })));
    }
}

/// Thin prisms have the mass properties of a regular polygon with a thickness.
#[test]
fn prisms_of_any_thickness() {
    for sides in [3, 4, 6, 100] {
        for length in [1e3, 1.0, 1e-3, 1e-6, 1e-9, 1e-12] {
            let radius = 1.5;
            let own = Shape::prism(sides, radius, length).unwrap().mass_properties(1.0).unwrap();
            let angle = 2.0 * PI / sides as f64;
            let area = 0.5 * sides as f64 * radius * radius * angle.sin();
            let mass = area * length;
            // Half the polar moment of area, per area.
            let half = radius * radius * (2.0 + angle.cos()) / 12.0;
            let across = mass * (half + length * length / 12.0);
            let expected = MassProperties::principal(mass, [across, across, 2.0 * mass * half]);
            assert_mass(&own, &expected, 1e-13, radius.max(length), &format!("{sides} {length}"));
        }
    }
}
