//! Meshes of solids whose triangles intersect each other.

use siconos_kernel::prelude::*;
use siconos_mechanics::{Decomposition, Shape, ShapeError};
use siconos_testkit::random::RandomState;

use super::solid_meshes::{Triangles, moved, of_cells};

/// Unit cube at a corner.
fn cube(at: [f64; 3]) -> Triangles {
    moved(of_cells([&[0.0, 1.0], &[0.0, 1.0], &[0.0, 1.0]], |_| true), |p| [0, 1, 2].map(|i| p[i] + at[i]))
}

/// Both meshes as one mesh.
fn both((mut vertices, mut triangles): Triangles, other: Triangles) -> Triangles {
    triangles.extend(other.1.iter().map(|own| own.map(|corner| corner + vertices.len())));
    vertices.extend(other.0);
    (vertices, triangles)
}

/// Calls `check` with a mesh in several orientations and sizes.
fn for_positions(mesh: &Triangles, mut check: impl FnMut(Triangles)) {
    let mut random = RandomState::new(11);
    check(mesh.clone());
    for size in [1.0, 1e-6, 1e6] {
        for far in [0.0, 1e3] {
            let turned = Quaternion::exp(random.vector(2.0)).normalised();
            let by: [f64; 3] = random.vector(far);
            check(moved(mesh.clone(), |p| {
                let p = turned.rotate(p);
                [0, 1, 2].map(|i| size * (by[i] + p[i]))
            }));
        }
    }
}

fn intersection((vertices, triangles): &Triangles) -> [usize; 2] {
    match Shape::solid(vertices, triangles) {
        Err(ShapeError::SelfIntersection { triangles }) => triangles,
        other => panic!("{other:?}"),
    }
}

#[test]
fn parts_that_overlap_are_refused() {
    let offsets = [
        [0.4, 0.3, 0.2],
        // Faces in common planes, and edges that cross each other.
        [0.5, 0.5, 0.0],
        [0.5, 0.0, 0.0],
        [0.5, 0.5, 0.5],
        [0.999, 0.0, 0.1],
        [1.0 - 1e-4, 0.3, 0.2],
    ];
    for offset in offsets {
        for_positions(&both(cube([0.0; 3]), cube(offset)), |mesh| {
            let [a, b] = intersection(&mesh);
            assert!(a < 12 && (12..24).contains(&b), "{offset:?}: {a} {b}");
        });
    }
    // A thin bar through a large face.
    let bar = of_cells([&[0.4, 0.41], &[0.3, 0.31], &[-1.0, 2.0]], |_| true);
    for_positions(&both(cube([0.0; 3]), bar), |mesh| assert!(intersection(&mesh)[1] > 11));
    // The same cube twice.
    assert_eq!(intersection(&both(cube([0.0; 3]), cube([0.0; 3]))), [0, 12]);
}

/// Parts that touch at faces, edges and vertices without common vertices, with rounding errors of double and
/// single precision.
#[test]
fn parts_that_touch_do_not_intersect() {
    let offsets = [
        [1.0, 0.0, 0.0],
        [1.0, 0.3, 0.4],
        [1.0, 1.0, 0.0],
        [1.0, 1.0, 0.5],
        [1.0, 1.0, 1.0],
        [1.0 - 1e-8, 0.3, 0.2],
    ];
    for offset in offsets {
        let mesh = both(cube([0.0; 3]), cube(offset));
        let mut check = |(vertices, triangles): Triangles| {
            let shape = Shape::solid(&vertices, &triangles).unwrap();
            assert!(shape.decomposition().unwrap().pieces.len() <= 2, "{offset:?}");
        };
        for_positions(&mesh, &mut check);
        let turned = Quaternion::about([1.0, 2.0, -1.0], 1.0);
        check(moved(mesh, |p| turned.rotate(p).map(|x| f64::from(x as f32))));
    }
    // A vertex on a face, and an edge on an edge.
    let quarter = Quaternion::about([1.0, -1.0, 0.0], 2.0_f64.sqrt().atan());
    let on_vertex = moved(cube([0.0; 3]), |p| {
        let p = quarter.rotate(p);
        [p[0] + 0.4, p[1] + 0.3, p[2] + 1.0]
    });
    let half = Quaternion::about([0.0, 1.0, 0.0], std::f64::consts::FRAC_PI_4);
    let on_edge = moved(cube([0.0; 3]), |p| {
        let p = half.rotate([p[0] - 1.0, p[1] - 0.5, p[2] - 1.0]);
        [p[0], p[1] + 0.5, p[2]]
    });
    for other in [on_vertex, on_edge] {
        for_positions(&both(cube([0.0; 3]), other), |(vertices, triangles)| {
            let shape = Shape::solid(&vertices, &triangles).unwrap();
            let Decomposition { pieces, excess, volume, .. } = shape.decomposition().unwrap();
            assert_eq!(pieces.len(), 2);
            assert!(excess.abs() < 1e-9 * volume, "{excess:e}");
        });
    }
}

/// A block whose faces consist of small squares.
fn block() -> Triangles {
    let line = [0.0, 1.0, 2.0, 3.0];
    of_cells([&line, &line, &line], |_| true)
}

#[test]
fn folded_surfaces_are_refused() {
    let vertex = |mesh: &Triangles, at: [f64; 3]| mesh.0.iter().position(|own| *own == at).unwrap();
    let cases = [
        // In the plane of the face, beyond the neighbours.
        ([1.0, 1.0, 3.0], [2.5, 1.4, 3.0], true),
        // Through the opposite face, and through a side.
        ([1.0, 1.0, 3.0], [1.2, 1.3, -0.5], true),
        ([1.0, 1.0, 3.0], [-1.0, 1.3, 2.6], true),
        // A corner through the face next to it.
        ([3.0, 3.0, 3.0], [1.5, 1.4, 3.5], true),
        // A dent, a spike, and a shift.
        ([1.0, 1.0, 3.0], [1.2, 1.3, 0.5], false),
        ([1.0, 1.0, 3.0], [2.5, 2.5, 4.5], false),
        ([1.0, 1.0, 3.0], [1.4, 1.3, 3.0], false),
    ];
    for (from, to, is_fold) in cases {
        let mut mesh = block();
        let index = vertex(&mesh, from);
        mesh.0[index] = to;
        for_positions(&mesh, |(vertices, triangles)| {
            let found = Shape::solid(&vertices, &triangles);
            if let Err(ShapeError::SelfIntersection { triangles: [a, b] }) = found {
                assert!([a, b].iter().any(|own| triangles[*own].contains(&index)), "{to:?}: {a} {b}");
            }
            let is_refused = matches!(found, Err(ShapeError::SelfIntersection { .. }));
            assert_eq!(is_refused, is_fold, "{to:?}: {found:?}");
        });
    }
}

/// Tetrahedra with a common vertex, apart and in each other.
#[test]
fn triangles_with_a_common_vertex_can_intersect() {
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let others = [[3, 5, 4], [3, 4, 6], [4, 5, 6], [5, 3, 6]];
    let base = [[0.0, 0.0, -1.0], [1.0, 0.0, -1.0], [0.0, 1.0, -1.0], [0.0; 3]];
    let apart = [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]];
    let inside = [[1.0, 0.3, -2.0], [0.3, 1.0, -2.0], [0.3, 0.2, -1.8]];
    for (other, is_refused) in [(apart, false), (inside, true)] {
        let mesh = (base.into_iter().chain(other).collect(), faces.into_iter().chain(others).collect());
        for_positions(&mesh, |(vertices, triangles)| {
            let found = Shape::solid(&vertices, &triangles);
            assert_eq!(matches!(found, Err(ShapeError::SelfIntersection { .. })), is_refused, "{found:?}");
        });
    }
}
