//! Rays, closest points, overlaps, and names.

use siconos_kernel::prelude::*;
use siconos_mechanics::{
    Body, BodyId, Contactor, Overlaps, Scene, SceneError, SceneParts, Shape, ShapeError,
};

use super::common::{ground, largest, run};

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

/// Rays in random directions against solids with curved surfaces, compared with the distance function.
#[test]
fn rays_hit_curved_solids() {
    let shapes = [
        Shape::cylinder(0.5, 1.2).unwrap(),
        Shape::cone(0.6, 1.5).unwrap(),
        Shape::ellipsoid([0.4, 0.7, 1.0]).unwrap(),
    ];
    for (number, shape) in shapes.into_iter().enumerate() {
        let mut scene = Scene::new();
        let turned = Quaternion::about([0.3, 1.0, 0.2], 0.7);
        let body = scene.add(Body::new(shape).at([1.0, 2.0, 3.0]).turned(turned)).unwrap();
        let parts = scene.into_parts().unwrap();
        let state = State::new(&parts.model, 0.0);
        let mut hits = 0;
        for k in 0..200 {
            let angle = 0.7 * f64::from(k);
            let origin = [1.0 + 4.0 * angle.cos(), 2.0 + 4.0 * angle.sin(), 3.0 + (1.3 * angle).sin()];
            let target = [1.0 + 0.6 * (2.1 * angle).sin(), 2.0 + 0.6 * (3.3 * angle).cos(), 3.0];
            let direction = [0, 1, 2].map(|i| target[i] - origin[i]);
            let Some(hit) = parts.cast_ray(&state, origin, direction).unwrap() else { continue };
            hits += 1;
            assert!((largest(&hit.normal) <= 1.0) && hit.body == body);
            // A small ball that touches the surface at the hit has distance 0.
            let centre = [0, 1, 2].map(|i| hit.point[i] + 1e-3 * hit.normal[i]);
            let [found, none] = [1.0 + 1e-5, 1.0 - 1e-5].map(|factor| {
                let ball = Body::new(Shape::ball(1e-3 * factor).unwrap()).at(centre);
                parts.overlaps(&state, &ball).unwrap()
            });
            assert!(found.len() == 1 && none.is_empty(), "{number}, ray {k}: {found:?} {none:?}");
        }
        assert!(hits > 60, "{hits}");
    }
}

/// Overlaps respect the groups, the time of a driven body, and the space of the scene.
#[test]
fn overlaps_of_bodies_that_cannot_touch_are_ignored() {
    let mut scene = Scene::new();
    let wall = Contactor { groups: 2, ..Shape::cuboid([1.0; 3]).unwrap().into() };
    let wall = scene.add(Body::fixed(wall)).unwrap();
    let parts = scene.into_parts().unwrap();
    let ball = || Contactor::from(Shape::ball(0.5).unwrap());
    let depths = |state: &State, body: Body| {
        let found = parts.overlaps(state, &body).unwrap();
        found.iter().map(|overlap| (overlap.body, (overlap.depth * 1e9).round())).collect::<Vec<_>>()
    };
    let state = State::new(&parts.model, 0.0);
    assert_eq!(depths(&state, Body::new(ball()).at([0.9, 0.0, 0.0])), [(wall, 1e8)]);
    let other = Contactor { mask: 1, ..ball() };
    assert_eq!(depths(&state, Body::new(other).at([0.9, 0.0, 0.0])), []);
    assert_eq!(depths(&state, Body::fixed(ball()).at([0.9, 0.0, 0.0])), []);
    // Far-away bodies with a common rounding error touch.
    assert_eq!(depths(&state, Body::new(ball()).at([1.0 - 1e-12, 0.0, 0.0])), []);
    let error = parts.overlaps(&state, &Body::new(Shape::rectangle([1.0, 1.0]).unwrap())).unwrap_err();
    assert!(matches!(error, SceneError::ShapeOfBody { .. }), "{error}");
    let error = parts.cast_ray(&state, [f64::NAN, 0.0, 0.0], [1.0, 0.0, 0.0]).unwrap_err();
    assert!(matches!(error, ShapeError::RayOrigin { .. }), "{error}");
}

/// Bodies are found by their names and by the keys of their contacts.
#[test]
fn bodies_of_contacts_have_names() {
    let mut scene = ground();
    let ball = scene.add(Body::new(Shape::ball(0.1).unwrap()).at([0.0, 0.0, 0.1]).named("ball")).unwrap();
    let (mut parts, state) = run(scene, 1, 1e-3, |_, _, _| {});
    let touching = parts.bodies_of(state.contacts()[0].key);
    assert_eq!(touching.map(|body| parts.name(body)), ["ball", "ground"]);
    assert_eq!((parts.find_body("ball"), parts.find_body("cup"), ball.number()), (Some(ball), None, 1));
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 1e-3).unwrap();
    let mut simulation = parts.simulation(grid).build().unwrap();
    parts.remove(&mut simulation, ball).unwrap();
    assert_eq!(parts.find_body("ball"), None);
}

/// A ray from far away hits at the same point as a ray from nearby.
#[test]
fn rays_from_far_away_are_accurate() {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let shapes = [
        Shape::ball(0.5),
        Shape::capsule(1.0, 0.25),
        Shape::cuboid([1.0, 2.0, 3.0]),
        Shape::hull(&corners),
        Shape::cylinder(0.5, 1.2),
        Shape::cone(0.6, 1.5),
        Shape::ellipsoid([0.4, 0.7, 1.0]),
    ];
    for shape in shapes.map(Result::unwrap) {
        let kind = shape.kind();
        let mut scene = Scene::new();
        let turned = Quaternion::about([0.3, 1.0, 0.2], 0.7);
        scene.add(Body::new(shape).turned(turned)).unwrap();
        let parts = scene.into_parts().unwrap();
        let state = State::new(&parts.model, 0.0);
        let mut hits = 0;
        for direction in [[2.0, 3.0, 6.0], [-6.0, 2.0, 3.0], [3.0, 6.0, -2.0], [1.0, -4.0, 8.0]] {
            let largest = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
            for k in 0..20 {
                let (sine, cosine) = (2.4 * f64::from(k)).sin_cos();
                let through = [0.2 * cosine, 0.2 * sine, 0.02 * f64::from(k)];
                let from = |lengths: f64| [0, 1, 2].map(|i| through[i] - lengths * direction[i]);
                let hit = |lengths: f64| parts.cast_ray(&state, from(lengths), direction).unwrap();
                let (near, far) = (hit(1.0), hit(131_073.0));
                let Some((near, far)) = near.zip(far) else {
                    assert!(near.is_none() && far.is_none(), "{kind}: {near:?} {far:?}");
                    continue;
                };
                hits += 1;
                let more = far.distance - near.distance - 131_072.0 * largest;
                let off = [0, 1, 2].map(|i| far.point[i] - near.point[i]);
                assert!(more.abs() < 2e-9 && off.iter().all(|x| x.abs() < 2e-9), "{kind}: {more:e} {off:?}");
                assert!((0..3).all(|i| (far.normal[i] - near.normal[i]).abs() < 1e-7), "{kind}");
            }
        }
        assert!(hits > 30, "{kind}: {hits}");
    }
}

/// Queries find bodies that were added after the last step.
#[test]
fn queries_find_new_bodies() {
    let mut parts = ground().into_parts().unwrap();
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 1e-2).unwrap();
    let mut simulation = parts.simulation(grid).build().unwrap();
    let mut state = simulation.initial_state(&parts.model).unwrap();
    simulation.step(&parts.model, &mut state).unwrap();
    let ball = Body::new(Shape::ball(0.5).unwrap()).at([1.0, 0.0, 3.0]);
    let first = parts.add(&mut simulation, ball.clone()).unwrap();
    assert_eq!(parts.pose(&state, first).position, [1.0, 0.0, 3.0]);
    let overlaps = parts.overlaps(&state, &ball.at([1.5, 0.0, 3.0])).unwrap();
    assert!(overlaps.len() == 1 && overlaps[0].body == first && (overlaps[0].depth - 0.5).abs() < 1e-15);
    let hit = parts.cast_ray(&state, [1.0, 0.0, 9.0], [0.0, 0.0, -1.0]).unwrap().unwrap();
    assert!(hit.body == first && (hit.distance - 5.5).abs() < 1e-14);
}
