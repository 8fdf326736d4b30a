//! Scenes and shapes that are rejected, with the reason.

use siconos_kernel::detection::{ContactLaws, DetectionError};
use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, Contactor, Motion, Overlaps, Pose, Scene, SceneError, Shape, ShapeError};

use super::common::ground;

#[test]
fn shapes_are_checked() {
    let message = |shape: Result<Shape, ShapeError>| shape.unwrap_err().to_string();
    let cases = [
        (Shape::ball(0.0), "the radius of a ball is 0; it must be positive"),
        (Shape::ball(f64::NAN), "the radius of a ball is NaN"),
        (Shape::capsule(-1.0, 0.1), "the length of a capsule is -1"),
        (Shape::cuboid([1.0, 0.0, 1.0]), "the side length of a cuboid is 0"),
        (Shape::half_space([0.0; 3]), "the normal of a half-space has no direction"),
        (Shape::hull(&[]), "got 0 points"),
        (
            Shape::hull(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]]),
            "4 points in a plane",
        ),
        (Shape::hull(&[[0.0; 3]; 5]), "5 points in a plane"),
        (
            Shape::hull(&[[0.0; 3], [1.0, f64::INFINITY, 0.0], [0.0; 3], [0.0; 3]]),
            "point 1 of a convex hull contains inf",
        ),
        (Shape::prism(2, 1.0, 1.0), "at least 3 corners; got 2"),
        (Shape::polygon(&[[0.0, 0.0], [1.0, 0.0]]), "at least 3 corners; got 2"),
        (Shape::polygon(&[[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]), "corner 0 of a polygon turns to the right"),
        (Shape::polygon(&[[0.0, 0.0], [2.0, 0.0], [1.0, 0.2], [1.0, 2.0]]), "corner 2 of a polygon"),
    ];
    for (shape, expected) in cases {
        let found = message(shape);
        assert!(found.contains(expected), "{found}");
    }
    let plane = Shape::half_space([0.0, 0.0, 1.0]).unwrap();
    assert_eq!(plane.mass_properties(1.0), Err(ShapeError::NoVolume { shape: "half-space" }));
}

#[test]
fn bodies_are_checked() {
    let ball = || Shape::ball(0.1).unwrap();
    let refused = |body: Body| Scene::new().add(body).unwrap_err().to_string();
    let rectangle = Shape::rectangle([1.0, 1.0]).unwrap();
    let plane = Shape::half_space([0.0, 0.0, 1.0]).unwrap();
    let cases = [
        (Body::new(ball()).with_density(0.0).named("b"), "the density of body `b` is 0"),
        (Body::new(ball()).with_mass(f64::INFINITY), "the mass of body `#0` is inf"),
        (Body::new(rectangle), "is in space, but it has a polygon"),
        (Body::new(plane), "half-space only for a fixed or driven body"),
    ];
    for (body, expected) in cases {
        let found = refused(body);
        assert!(found.contains(expected), "{found}");
    }
    let mut scene = Scene::new();
    scene.add(Body::new(ball()).named("twin")).unwrap();
    let again = scene.add(Body::new(ball()).named("twin")).unwrap_err();
    assert_eq!(again, SceneError::DuplicateName { name: "twin".to_owned() });
}

#[test]
fn numbers_that_are_not_finite_are_named() {
    let ball = || Shape::ball(0.1).unwrap();
    let long = Quaternion([2.0, 0.0, 0.0, 0.0]);
    let offset = Pose { orientation: Quaternion([f64::NAN; 4]), ..Pose::IDENTITY };
    let spinning = Motion { omega: [0.0, f64::INFINITY, 0.0], ..Motion::default() };
    let cases = [
        (Body::fixed(ball()).at([0.0, f64::NAN, 0.0]), "the pose of body `#0` contains NaN"),
        (Body::driven(ball(), spinning), "the motion of body `#0` contains inf"),
        (
            Body::fixed(ball()).turned(long),
            "the pose of body `#0` has a quaternion of length 2; it must be 1",
        ),
        (
            Body::fixed(Contactor { pose: offset, ..ball().into() }),
            "the pose of a contactor of body `#0` has a quaternion of length NaN",
        ),
    ];
    for (body, expected) in cases {
        let found = Scene::new().add(body).unwrap_err().to_string();
        assert!(found.contains(expected), "{found}");
    }
}

/// A body is added to and removed from a simulation only if it has the bodies of the scene.
#[test]
fn simulations_of_other_scenes_are_not_changed() {
    let ball = || Body::new(Shape::ball(0.1).unwrap()).at([0.0, 0.0, 0.1]);
    let parts = || {
        let mut scene = ground();
        scene.add(ball()).unwrap();
        scene.into_parts().unwrap()
    };
    let grid = || TimeDiscretisation::uniform(0.0, 1.0, 1e-3).unwrap();
    let (mut own, other) = (parts(), parts());
    let mut of_own = own.simulation(grid()).build().unwrap();
    let mut before = own.simulation(grid()).build().unwrap();
    let mut of_other = other.simulation(grid()).build().unwrap();
    assert_eq!(own.add(&mut of_other, ball()), Err(SceneError::OtherContacts));
    let added = own.add(&mut of_own, ball().at([1.0, 0.0, 0.1])).unwrap();
    assert_eq!(own.add(&mut before, ball()), Err(SceneError::OtherContacts));
    assert_eq!(own.remove(&mut before, added), Err(SceneError::OtherContacts));
    own.remove(&mut of_own, added).unwrap();
    let mut state = of_own.initial_state(&own.model).unwrap();
    of_own.step(&own.model, &mut state).unwrap();
    assert_eq!((own.bodies().count(), state.contacts().len()), (2, 1));
}

/// Shapes of other spaces, and bodies outside the plane, would not touch anything.
#[test]
fn planar_scenes_stay_in_their_plane() {
    let disc = || Body::new(Shape::ball(0.1).unwrap());
    let fixed = |shape: Result<Shape, ShapeError>| Body::fixed(shape.unwrap());
    let tilted = Quaternion::about([1.0, 0.0, 0.0], 0.1);
    let falling = Motion { velocity: [0.0, 0.0, -1.0], ..Motion::default() };
    let cases = [
        (Body::new(Shape::cuboid([1.0; 3]).unwrap()), "`#0` is in the plane, but it has a cuboid"),
        (fixed(Shape::cuboid([1.0; 3])), "`#0` is in the plane, but it has a cuboid; use a ball, rectangle"),
        (fixed(Shape::cylinder(1.0, 1.0)), "is in the plane, but it has a cylinder"),
        (fixed(Shape::half_space([0.0, 0.0, 1.0])), "z = 0, but the normal of its half-space is not"),
        (disc().at([0.0, 0.0, 1e-3]), "z = 0, but its position is not"),
        (disc().turned(tilted), "z = 0, but the axis of its orientation is not"),
        (disc().with_velocity([0.0, 0.0, 1.0]), "z = 0, but its velocity is not"),
        (disc().with_angular_velocity([0.0, 1.0, 0.0]), "z = 0, but its angular velocity is not"),
        (Body::driven(Shape::ball(0.1).unwrap(), falling), "z = 0, but its motion is not"),
    ];
    for (body, expected) in cases {
        let found = Scene::planar().add(body).unwrap_err().to_string();
        assert!(found.contains(expected), "{found}");
    }
    let rectangle = Scene::new().add(fixed(Shape::rectangle([1.0, 1.0]))).unwrap_err().to_string();
    assert!(rectangle.contains("`#0` is in space, but it has a polygon"), "{rectangle}");
    let mut scene = Scene::planar();
    scene.add(disc()).unwrap();
    let down = scene.with_gravity([0.0, 0.0, -9.81]).into_parts().unwrap_err().to_string();
    assert!(down.contains("but the gravity of the scene is not"), "{down}");
}

#[test]
fn overlaps_at_the_start_are_named() {
    let scene = |overlaps| {
        let mut scene = ground().with_overlaps(overlaps);
        scene.add(Body::new(Shape::ball(0.1).unwrap()).at([0.0, 0.0, 0.08]).named("ball")).unwrap();
        scene
    };
    let Err(SceneError::Overlap { first, second, depth }) = scene(Overlaps::Refuse).into_parts() else {
        panic!("an overlap")
    };
    assert_eq!((&first[..], &second[..]), ("ball", "ground"));
    assert!((depth - 0.02).abs() < 1e-15, "{depth}");
    scene(Overlaps::Warn).into_parts().unwrap();
    scene(Overlaps::Accept).into_parts().unwrap();
}

#[test]
fn pairs_without_a_law_and_too_many_contacts_are_named() {
    let mut laws = ContactLaws::without_default();
    let [steel, wood] = ["steel", "wood"].map(|name| laws.material(name));
    laws.set(steel, steel, NewtonImpactFriction::in_space(0.0, 0.2).unwrap());
    let with = |shape: Shape, material| Contactor { material, ..shape.into() };
    let ball = |material| Body::new(with(Shape::ball(0.1).unwrap(), material)).at([0.0, 0.0, 0.1]);
    let floor = || Body::fixed(with(Shape::half_space([0.0, 0.0, 1.0]).unwrap(), steel));
    let scene = |material, limit| {
        let mut scene = Scene::new().with_laws(laws.clone()).with_contact_limit(limit);
        scene.add(floor()).unwrap();
        scene.add(ball(material)).unwrap();
        scene
    };
    scene(steel, 1).into_parts().unwrap();
    let refused = scene(wood, 1).into_parts().unwrap_err();
    let expected = DetectionError::NoLaw { first: "wood".to_owned(), second: "steel".to_owned() };
    assert_eq!(refused, SceneError::Detection(expected));
    let refused = scene(steel, 0).into_parts().unwrap_err();
    assert_eq!(refused, SceneError::Detection(DetectionError::TooMany { limit: 0 }));
}

/// Groups, masks and excluded pairs.
#[test]
fn bodies_that_do_not_touch_pass_through_each_other() {
    let ball = || Shape::ball(0.1).unwrap();
    let contacts = |first: Contactor, second: Contactor, is_excluded: bool| {
        let mut scene = Scene::new().with_overlaps(Overlaps::Accept);
        let a = scene.add(Body::new(first)).unwrap();
        let b = scene.add(Body::new(second).at([0.15, 0.0, 0.0])).unwrap();
        if is_excluded {
            scene.exclude(b, a).unwrap();
        }
        let parts = scene.into_parts().unwrap();
        let grid = TimeDiscretisation::uniform(0.0, 0.1, 0.1).unwrap();
        let mut simulation = parts.simulation(grid).build().unwrap();
        let mut state = simulation.initial_state(&parts.model).unwrap();
        simulation.step(&parts.model, &mut state).unwrap();
        state.contacts().len()
    };
    let of = |groups, mask| Contactor { groups, mask, ..ball().into() };
    assert_eq!(contacts(ball().into(), ball().into(), false), 1);
    assert_eq!(contacts(ball().into(), ball().into(), true), 0);
    assert_eq!(contacts(of(1, 2), of(2, 1), false), 1);
    assert_eq!(contacts(of(1, 2), of(2, 4), false), 0);
    assert_eq!(contacts(of(1, 1), of(2, u32::MAX), false), 0);
}
