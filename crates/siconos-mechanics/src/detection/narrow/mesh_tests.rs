//! Overlaps with a closed convex mesh against overlaps with the convex polyhedron.

use siconos_kernel::engine::vector::{add, dot, scaled};
use siconos_testkit::random::RandomState;

use super::Touch;
use super::tests::{contacts, turned};
use crate::Pose;
use crate::detection::placed::PlacedShape;
use crate::shape::Shape;

/// Returns a cube of side 2 as a mesh and as a cuboid.
fn cubes() -> [Shape; 2] {
    let vertices: Vec<[f64; 3]> =
        (0..8_u32).map(|k| [0, 1, 2].map(|axis| if k & (1 << axis) == 0 { -1.0 } else { 1.0 })).collect();
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Vec<[usize; 3]> =
        faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    [Shape::mesh(&vertices, &triangles).unwrap(), Shape::cuboid([2.0; 3]).unwrap()]
}

fn deepest(a: &PlacedShape, b: &PlacedShape) -> Option<Touch> {
    contacts(a, b, 10.0).into_iter().min_by(|a, b| a.gap.total_cmp(&b.gap))
}

/// Triangles near a convex edge do not push a body deeper than the whole surface does.
#[test]
fn overlaps_near_convex_edges_are_those_of_the_surface() {
    let [mesh, cube] = cubes().map(|shape| PlacedShape::new(&shape, &Pose::IDENTITY));
    let mut random = RandomState::new(11);
    let shapes = [
        Shape::capsule(0.8, 0.2).unwrap(),
        Shape::cuboid([0.5, 0.7, 0.9]).unwrap(),
        Shape::prism(5, 0.4, 0.6).unwrap(),
    ];
    // Deep overlaps of curved solids can be missed.
    let curved = [Shape::cylinder(0.3, 0.8).unwrap(), Shape::cone(0.4, 0.6).unwrap()];
    let cases = shapes.iter().flat_map(|shape| [1e-3, 0.02, 0.1].map(|depth| (shape, depth)));
    let of_curved = curved.iter().flat_map(|shape| [1e-3, 0.01].map(|depth| (shape, depth)));
    for (shape, depth) in cases.chain(of_curved) {
        let mut count = 0;
        while count < 40 {
            let mut pose = Pose { position: random.vector(1.5), ..turned(&mut random) };
            let mut body = PlacedShape::new(shape, &pose);
            let mut expected = f64::INFINITY;
            // Towards the wanted depth, along the normal.
            for _ in 0..30 {
                let Some(touch) = deepest(&body, &cube) else { break };
                expected = touch.gap;
                if (expected + depth).abs() < 1e-9 {
                    break;
                }
                pose.position = add(pose.position, scaled(-depth - expected, touch.normal));
                body.place(shape, &pose);
            }
            if (expected + depth).abs() > 1e-6 {
                continue;
            }
            count += 1;
            let found = deepest(&body, &mesh);
            let off = found.map_or(f64::NAN, |touch| touch.gap - expected);
            let what = format!("{} at depth {depth}: {found:?} {expected:e}", shape.kind());
            assert!(off.abs() < 1e-2, "{what}");
            // The normal removes the overlap.
            let Some(Touch { normal, points, .. }) = found else { continue };
            pose.position = add(pose.position, scaled(2.0 * depth, normal));
            body.place(shape, &pose);
            assert!(deepest(&body, &cube).is_some_and(|touch| touch.gap > 0.0), "{what}, {points:?}");
            assert!((dot(normal, normal) - 1.0).abs() < 1e-12);
        }
    }
}
