//! Segments and stadiums in the plane.

use siconos_kernel::State;
use siconos_kernel::model::DynamicalSystem;
use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, Motion, Scene, SceneError, Shape, ShapeError};

use super::common::{largest, run};

fn scene() -> Scene {
    Scene::planar().with_gravity([0.0, -10.0, 0.0])
}

fn segment(a: [f64; 2], b: [f64; 2]) -> Shape {
    Shape::segment(a, b).unwrap()
}

/// A free rod falls on the ground, and rests on both ends.
#[test]
fn a_rod_rests_on_its_ends() {
    let ground = [
        Shape::half_space([0.0, 1.0, 0.0]).unwrap(),
        segment([-3.0, 0.0], [3.0, 0.0]),
        segment([3.0, 0.0], [-3.0, 0.0]),
        Shape::polyline(&[[-3.0, 2.0], [-3.0, 0.0], [3.0, 0.0], [3.0, 2.0]]).unwrap(),
        Shape::polygon(&[[-3.0, -1.0], [3.0, -1.0], [3.0, 0.0], [-3.0, 0.0]]).unwrap(),
    ];
    for ground in ground {
        for radius in [0.0, 0.05] {
            let mut scene = scene();
            scene.add(Body::fixed(ground.clone())).unwrap();
            let ends = [[-0.4, 0.0], [0.6, 0.0]];
            let rod = match radius {
                0.0 => segment(ends[0], ends[1]),
                _ => Shape::stadium(ends[0], ends[1], radius).unwrap(),
            };
            let turned = Quaternion::about([0.0, 0.0, 1.0], 0.7);
            let rod = scene.add(Body::new(rod).with_mass(0.4).at([0.0, 0.8, 0.0]).turned(turned)).unwrap();
            let mut at_rest = None;
            let (parts, state) = run(scene, 10_000, 1e-3, |parts, report, state| {
                if report.step == 3000 {
                    at_rest = Some(state.q(parts.system(rod).unwrap()).to_vec());
                }
                if report.step > 3000 {
                    assert_eq!(state.contacts().len(), 2, "{} {radius}", report.step);
                }
            });
            let q = state.q(parts.system(rod).unwrap());
            let moved: Vec<f64> = q.iter().zip(at_rest.unwrap()).map(|(a, b)| a - b).collect();
            let what = format!("{} {radius}: {q:?} {moved:?}", ground.kind());
            assert!(largest(&moved) < 1e-9 && q[2].abs() < 1e-6, "{what}");
            assert!((q[1] - radius).abs() < 1e-6, "{what}");
            let forces: f64 = state.contacts().iter().map(|contact| contact.impulse[1]).sum();
            assert!((forces - 4e-3).abs() < 1e-9, "{what} {forces}");
        }
    }
}

/// Rods with 200 angles fall on a wall and on each other, and none passes another.
#[test]
fn rods_do_not_pass_a_wall() {
    for k in 0..200 {
        let mut scene = scene();
        scene.add(Body::fixed(segment([-2.0, 0.0], [2.0, 0.0]))).unwrap();
        let angles = [0.0317 * f64::from(k) - 3.1, 0.0171 * f64::from(k)];
        let rods = [0, 1].map(|i| {
            let rod = Body::new(segment([-0.2, 0.0], [0.2, 0.0])).with_mass(0.4);
            let turned = Quaternion::about([0.0, 0.0, 1.0], angles[i]);
            scene.add(rod.at([0.01, 0.3 + 0.45 * i as f64, 0.0]).turned(turned)).unwrap()
        });
        let (parts, state) = run(scene, 700, 1e-3, |_, _, _| {});
        for rod in rods {
            let [_, y, _] = parts.pose(&state, rod).position;
            assert!(y > -1e-3, "{k}: {y} {:?}", state.v(parts.system(rod).unwrap()));
        }
    }
}

/// Returns the velocity at the end, the largest vertical speed and the final position of a body that starts
/// at 2 m/s along the x-axis.
fn slide(ground: Body, body: Shape, sign: f64) -> ([f64; 3], f64, [f64; 3]) {
    let mut scene = scene().with_gravity([0.0, -10.0 * sign, 0.0]);
    scene.add(ground).unwrap();
    let body = Body::new(body).with_mass(1.0).at([0.0317, 0.1 * sign, 0.0]).with_velocity([2.0, 0.0, 0.0]);
    let body = scene.add(body).unwrap();
    let mut fastest = 0.0_f64;
    let (parts, state) = run(scene, 1000, 1e-3, |parts, _, state| {
        fastest = fastest.max(state.v(parts.system(body).unwrap())[1].abs());
    });
    let id = parts.system(body).unwrap();
    let entries = |x: &[f64]| [0, 1, 2].map(|i| x[i]);
    (entries(state.v(id)), fastest, entries(state.q(id)))
}

/// A disc that slides rolls at 2/3 of its speed after v / (3 mu g), and a box stops after v^2 / (2 mu g), on
/// both sides of a straight polyline, as on a single segment.
#[test]
fn bodies_slide_over_the_vertices_of_a_polyline() {
    let points: Vec<[f64; 2]> = (0..60).map(|k| [0.1 * f64::from(k) - 1.0, 0.0]).collect();
    for ground in [Shape::polyline(&points).unwrap(), segment(points[0], points[59])] {
        for sign in [1.0, -1.0] {
            let ground = || Body::fixed(ground.clone());
            let (v, up, q) = slide(ground(), Shape::ball(0.1).unwrap(), sign);
            assert!(
                (v[0] - 4.0 / 3.0).abs() < 1e-9 && up < 1e-9 && (q[1] - 0.1 * sign).abs() < 1e-9,
                "{v:?} {up:e}"
            );
            for body in
                [Shape::rectangle([0.3, 0.2]).unwrap(), Shape::stadium([-0.2, 0.0], [0.2, 0.0], 0.1).unwrap()]
            {
                let (v, up, q) = slide(ground(), body, sign);
                assert!(largest(&v) < 1e-9 && up < 1e-6 && q[2].abs() < 1e-9, "{v:?} {up:e} {q:?}");
                // The friction of the first step acts from the beginning: v^2 / (2 mu g) + v h / 2 - ...
                assert!((q[0] - 0.4317).abs() < 1e-3, "{q:?}");
            }
        }
    }
}

/// The ends of single segments make contacts of their own: a disc gets small kicks.
#[test]
fn ends_of_single_segments_kick_a_disc() {
    let piece = |k: i32| segment([0.1 * f64::from(k), 0.0], [0.1 * f64::from(k + 1), 0.0]);
    let ground = (-9..50).fold(Body::fixed(piece(-10)), |body, k| body.with_contactor(piece(k)));
    let (v, up, _) = slide(ground, Shape::ball(0.1).unwrap(), 1.0);
    assert!((v[0] - 4.0 / 3.0).abs() < 0.01 && (1e-3..0.1).contains(&up), "{v:?} {up:e}");
}

/// Returns the position of a disc with a radius of 0.1 m after it came to rest in a funnel of lines.
fn in_funnel(points: &[[f64; 2]], start: [f64; 2], sign: f64) -> [f64; 3] {
    let mut scene = scene();
    let points: Vec<_> = points.iter().map(|[x, y]| [sign * x, *y]).collect();
    scene.add(Body::fixed(Shape::polyline(&points).unwrap())).unwrap();
    let disc = Body::new(Shape::ball(0.1).unwrap()).at([sign * start[0], start[1], 0.0]);
    let disc = scene.add(disc).unwrap();
    let (parts, state) = run(scene, 4000, 1e-3, |_, _, _| {});
    parts.pose(&state, disc).position
}

/// A disc rests in the corner of a funnel at the distance of its radius from both walls, for both directions
/// of the polyline, and on a convex corner it does not enter the wall.
#[test]
fn discs_come_to_rest_in_a_funnel() {
    for sign in [1.0, -1.0] {
        // The walls have slopes of 1 and -1/2; the disc touches both.
        let at = in_funnel(&[[-1.0, 1.0], [0.0, 0.0], [2.0, 1.0]], [-0.3, 0.6], sign);
        let from_wall = |[x, y]: [f64; 2], [a, b]: [f64; 2]| (a * x + b * y) / a.hypot(b);
        let own = [sign * at[0], at[1]];
        let gaps = [from_wall(own, [1.0, 1.0]), from_wall(own, [-1.0, 2.0])];
        assert!(gaps.iter().all(|gap| (gap - 0.1).abs() < 1e-6), "{gaps:?}");
        // A table with an edge: the disc lies on the table.
        let at = in_funnel(&[[-1.0, 0.5], [-1.0, 0.0], [0.0, 0.0], [0.0, -1.0]], [-0.6, 0.3], sign);
        assert!((at[1] - 0.1).abs() < 1e-6 && sign * at[0] < 0.0, "{at:?}");
    }
}

/// A polyline that is closed has no free end: a disc rolls around it on the inside.
#[test]
fn a_disc_stays_in_a_closed_polyline() {
    let corner = |k: usize| {
        let (sine, cosine) = (std::f64::consts::TAU * (k % 40) as f64 / 40.0).sin_cos();
        [cosine, sine]
    };
    let points: Vec<[f64; 2]> = (0..=40).map(corner).collect();
    let mut scene = scene();
    scene.add(Body::fixed(Shape::polyline(&points).unwrap())).unwrap();
    let disc = Body::new(Shape::ball(0.1).unwrap()).at([0.0, -0.88, 0.0]).with_velocity([20.0, 0.0, 0.0]);
    let disc = scene.add(disc).unwrap();
    let mut turned = 0.0_f64;
    let (parts, state) = run(scene, 8000, 1e-3, |parts, _, state| {
        let [x, y, _] = parts.pose(state, disc).position;
        assert!(x.hypot(y) < 0.92, "{x} {y}");
        turned = turned.max(y);
    });
    let [x, y, _] = parts.pose(&state, disc).position;
    assert!(turned > 0.8 && y < -0.85 && x.abs() < 0.5, "{turned} {x} {y}");
}

#[test]
fn rays_hit_both_sides_of_segments() {
    let mut scene = scene();
    scene.add(Body::fixed(Shape::polyline(&[[-1.0, 0.0], [0.0, 0.0], [1.0, 1.0]]).unwrap())).unwrap();
    let pill = Shape::stadium([-1.0, 0.0], [1.0, 0.0], 0.25).unwrap();
    scene.add(Body::fixed(pill).at([0.0, 5.0, 0.0])).unwrap();
    let parts = scene.into_parts().unwrap();
    let state = State::new(&parts.model, 0.0);
    let ray = |origin: [f64; 2], direction: [f64; 2]| {
        let [origin, direction] = [origin, direction].map(|[x, y]| [x, y, 0.0]);
        parts.cast_ray(&state, origin, direction).unwrap().map(|hit| (hit.distance, hit.normal))
    };
    assert_eq!(ray([-0.5, 1.0], [0.0, -2.0]), Some((1.0, [0.0, 1.0, 0.0])));
    assert_eq!(ray([-0.5, -1.0], [0.0, 1.0]), Some((1.0, [0.0, -1.0, 0.0])));
    assert_eq!(ray([-1.5, -1.0], [0.0, 1.0]), None);
    assert_eq!(ray([0.5, 9.0], [0.0, -1.0]), Some((3.75, [0.0, 1.0, 0.0])));
    let (distance, [x, y, _]) = ray([0.5, -1.0], [0.0, 1.0]).unwrap();
    let half = 0.5_f64.sqrt();
    assert!((distance - 1.5).abs() < 1e-15 && (x - half).abs() < 1e-15 && (y + half).abs() < 1e-15);
}

/// Moments of inertia of thin rods, also in bodies of several segments and of segments with areas.
#[test]
fn rods_have_the_inertia_of_thin_rods() {
    let moment = |body: Body| {
        let mut scene = scene();
        let body = scene.add(body).unwrap();
        let parts = scene.into_parts().unwrap();
        let Ok(DynamicalSystem::LagrangianLinear(system)) = parts.model.system(parts.system(body).unwrap())
        else {
            panic!("a planar body")
        };
        [0, 2].map(|i| system.mass().view().to_dense()[[i, i]])
    };
    let assert_close = |found: [f64; 2], expected: [f64; 2]| {
        assert!((0..2).all(|i| (found[i] - expected[i]).abs() < 1e-14), "{found:?} {expected:?}");
    };
    let rod = segment([0.5, 0.2], [0.5, 1.4]);
    assert_close(moment(Body::new(rod.clone()).with_mass(3.0)), [3.0, 3.0 * 1.44 / 12.0]);
    // An L of two equal rods: m (L^2 / 12 + L^2 / 8) about the centre.
    let l = Body::new(segment([0.0, 0.0], [1.0, 0.0])).with_contactor(segment([0.0, 0.0], [0.0, 1.0]));
    assert_close(moment(l.with_mass(2.0)), [2.0, 2.0 * (1.0 / 12.0 + 0.125)]);
    let flag = Body::new(rod.clone()).with_contactor(Shape::ball(0.1).unwrap());
    assert_close(moment(flag.with_mass(2.0)), [2.0, 2.0 * 0.5 * 0.01]);
    let refused = scene().add(Body::new(rod.clone()).named("rod"));
    assert_eq!(refused, Err(SceneError::NoArea { body: "rod".to_owned(), shape: "segment" }));
    let none = rod.planar_mass_properties(1.0);
    assert_eq!(none, Err(ShapeError::NoVolume { shape: "segment" }));
}

#[test]
fn segments_are_checked() {
    let message = |shape: Result<Shape, ShapeError>| shape.unwrap_err().to_string();
    let origin = [0.0; 2];
    let cases = [
        (Shape::segment(origin, origin), "the length of a segment is 0"),
        (Shape::segment(origin, [f64::NAN, 0.0]), "point 1 of a segment contains NaN"),
        (Shape::stadium(origin, [1.0, 0.0], -1.0), "the radius of a stadium is -1"),
        (Shape::stadium([f64::INFINITY, 0.0], origin, 1.0), "point 0 of a stadium contains inf"),
        (Shape::polyline(&[origin]), "a polyline needs at least 2 points; got 1"),
        (Shape::polyline(&[]), "a polyline needs at least 2 points; got 0"),
        (Shape::polyline(&[[1.0, 0.0], origin, origin]), "points 1 and 2 of a polyline coincide"),
        (Shape::polyline(&[origin, [0.0, f64::NAN]]), "point 1 of a polyline contains NaN"),
    ];
    for (shape, expected) in cases {
        let found = message(shape);
        assert!(found.contains(expected), "{found}");
    }
    let line = Shape::polyline(&[origin, [1.0, 0.0]]).unwrap();
    let bodies = [
        (Scene::planar(), Body::new(line.clone()), "is free, but it has a polyline; use several segments"),
        (Scene::new(), Body::fixed(line), "is in space, but it has a polyline; use a triangle mesh"),
        (Scene::new(), Body::fixed(segment(origin, [1.0, 0.0])), "is in space, but it has a segment"),
    ];
    for (mut scene, body, expected) in bodies {
        let found = scene.add(body).unwrap_err().to_string();
        assert!(found.contains(expected), "{found}");
    }
}

/// Returns the positions of discs, boxes and stadiums in a funnel of lines, in units of the length.
fn funnel(unit: f64, has_stranger: bool) -> Vec<[f64; 3]> {
    let mut scene = Scene::planar().with_gravity([0.0, -10.0 * unit, 0.0]);
    let at = |x: f64, y: f64| [unit * x, unit * y];
    let walls =
        [at(-1.0, 3.0), at(-1.0, 1.0), at(-0.3, 0.3), at(0.0, 0.0), at(0.4, 0.4), at(1.0, 1.0), at(1.0, 3.0)];
    scene.add(Body::fixed(Shape::polyline(&walls).unwrap())).unwrap();
    let shape = |k: usize| match k % 3 {
        0 => Shape::ball(0.08 * unit),
        1 => Shape::rectangle([0.2 * unit, 0.1 * unit]),
        _ => Shape::stadium(at(-0.08, 0.0), at(0.08, 0.0), 0.04 * unit),
    };
    let bodies: Vec<_> = (0..24)
        .map(|k| {
            let start = at(0.33 * (k % 5) as f64 - 0.66 + 0.01 * k as f64, 1.1 + 0.35 * (k / 5) as f64);
            let turned = Quaternion::about([0.0, 0.0, 1.0], 0.7 * k as f64);
            let body = Body::new(shape(k).unwrap()).with_mass(0.2 + 0.01 * k as f64);
            scene.add(body.at([start[0], start[1], 0.0]).turned(turned)).unwrap()
        })
        .collect();
    if has_stranger {
        scene.add(Body::new(Shape::ball(0.1 * unit).unwrap()).at([9.0 * unit, 0.0, 0.0])).unwrap();
    }
    let (parts, state) = run(scene, 900, 1e-3, |_, _, _| {});
    bodies.iter().map(|body| parts.pose(&state, *body).position.map(|x| x / unit)).collect()
}

/// No body leaves a funnel. Units that differ by a power of two, and a body that touches nothing, change no
/// bit.
#[test]
fn bodies_stay_in_a_funnel() {
    let own = funnel(1.0, false);
    for (k, [x, y, _]) in own.iter().enumerate() {
        assert!(x.abs() < 1.0 && *y > x.abs() - 1e-3, "{k}: {x} {y}");
    }
    let bits = |all: &[[f64; 3]]| all.as_flattened().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    for (unit, has_stranger) in [(1.0, true), (1.0 / 1024.0, false)] {
        assert_eq!(bits(&own), bits(&funnel(unit, has_stranger)), "{unit} {has_stranger}");
    }
}

/// A wall that moves pushes a disc in front of it, in both directions.
#[test]
fn a_moving_wall_pushes_a_disc() {
    for speed in [0.7, -0.7] {
        let mut scene = Scene::planar().with_gravity([0.0; 3]);
        let motion = Motion { velocity: [speed, 0.0, 0.0], ..Motion::default() };
        scene.add(Body::driven(segment([0.0, -1.0], [0.0, 1.0]), motion)).unwrap();
        let disc = Body::new(Shape::ball(0.1).unwrap()).at([0.3 * speed.signum(), 0.2, 0.0]);
        let disc = scene.add(disc).unwrap();
        let (parts, state) = run(scene, 1000, 1e-3, |_, _, _| {});
        let v = state.v(parts.system(disc).unwrap());
        let [x, y, _] = parts.pose(&state, disc).position;
        assert!((v[0] - speed).abs() < 1e-9 && (x - speed * (1.0 + 0.1 / 0.7)).abs() < 1e-3, "{v:?} {x}");
        assert!((y - 0.2).abs() < 1e-9, "{y}");
    }
}
