//! Rays and closest points.

use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, BodyId, Overlaps, Scene, SceneParts, Shape, ShapeError};

use super::common::largest;

fn scene() -> (SceneParts, State, [BodyId; 5]) {
    let mut scene = Scene::new().with_overlaps(Overlaps::Accept);
    let mut add = |body: Body| scene.add(body).unwrap();
    let turned = Quaternion::about([0.0, 1.0, 0.0], std::f64::consts::FRAC_PI_2);
    let bodies = [
        add(Body::fixed(Shape::half_space([0.0, 0.0, 1.0]).unwrap())),
        add(Body::new(Shape::ball(0.5).unwrap()).at([0.0, 0.0, 2.0])),
        add(Body::new(Shape::cuboid([1.0, 2.0, 3.0]).unwrap()).at([4.0, 0.0, 2.0])),
        add(Body::new(Shape::capsule(1.0, 0.25).unwrap()).at([0.0, 5.0, 1.0]).turned(turned)),
        add(Body::new(Shape::prism(6, 0.5, 1.0).unwrap()).at([0.0, -5.0, 1.0])),
    ];
    let parts = scene.into_parts().unwrap();
    let state = State::new(&parts.model, 0.0);
    (parts, state, bodies)
}

#[test]
fn rays_hit_the_first_body() {
    let (parts, state, [floor, ball, cuboid, capsule, prism]) = scene();
    let half = 0.5_f64;
    let cases = [
        ([0.0, 0.0, 9.0], [0.0, 0.0, -2.0], Some((ball, 6.5, [0.0, 0.0, 1.0]))),
        ([0.3, 0.0, 9.0], [0.0, 0.0, -1.0], Some((ball, 7.0 - 0.4, [0.6, 0.0, 0.8]))),
        ([0.6, 0.0, 9.0], [0.0, 0.0, -1.0], Some((floor, 9.0, [0.0, 0.0, 1.0]))),
        ([0.0, 0.0, 9.0], [0.0, 0.0, 1.0], None),
        ([0.0, 0.0, 3.0], [1.0, 0.0, 0.0], Some((cuboid, 3.5, [-1.0, 0.0, 0.0]))),
        ([0.0, 5.0, 3.0], [0.0, 0.0, -1.0], Some((capsule, 1.75, [0.0, 0.0, 1.0]))),
        ([-3.0, 5.0, 1.0], [1.0, 0.0, 0.0], Some((capsule, 3.0 - 0.75, [-1.0, 0.0, 0.0]))),
        ([0.0, -9.0, 1.0], [0.0, 1.0, 0.0], Some((prism, 4.0 - half * 0.75_f64.sqrt(), [0.0, -1.0, 0.0]))),
        ([0.0, 0.0, 2.1], [1.0, 0.0, 0.0], Some((ball, 0.0, [-1.0, 0.0, 0.0]))),
    ];
    for (origin, direction, expected) in cases {
        let hit = parts.cast_ray(&state, origin, direction).unwrap();
        let Some((body, distance, normal)) = expected else {
            assert!(hit.is_none(), "{hit:?}");
            continue;
        };
        let hit = hit.unwrap_or_else(|| panic!("a ray from {origin:?} hits {body:?}"));
        let off = [0, 1, 2].map(|i| hit.normal[i] - normal[i]);
        assert_eq!(hit.body, body);
        assert!((hit.distance - distance).abs() < 1e-14 && largest(&off) < 1e-14, "{hit:?}");
    }
    let refused = parts.cast_ray(&state, [0.0; 3], [0.0; 3]);
    assert_eq!(refused, Err(ShapeError::NoDirection { what: "direction of a ray" }));
}

#[test]
fn closest_points_of_bodies() {
    let (parts, state, [floor, ball, cuboid, capsule, _]) = scene();
    let closest = parts.closest(&state, ball, cuboid).unwrap();
    assert!((closest.distance - 3.0).abs() < 1e-14 && closest.normal == [-1.0, 0.0, 0.0], "{closest:?}");
    assert_eq!(closest.points, [[0.5, 0.0, 2.0], [3.5, 0.0, 2.0]]);
    let lowest = parts.closest(&state, floor, capsule).unwrap();
    assert!((lowest.distance - 0.75).abs() < 1e-14 && lowest.normal == [0.0, 0.0, -1.0], "{lowest:?}");
    assert!(parts.closest(&state, floor, floor).is_none());
}
