//! Solids inside closed meshes: mass properties, and convex pieces with their errors.

use siconos_kernel::prelude::*;
use siconos_mechanics::{
    Body, Decomposition, DecompositionSettings, MassProperties, Scene, Shape, ShapeError,
};
use siconos_testkit::random::RandomState;

use super::common::largest;
use super::solid_meshes::{Triangles, frame, l_shape, moved, of_cells, star, t_shape, table, torus, u_shape};

fn solid((vertices, triangles): &Triangles) -> Shape {
    Shape::solid(vertices, triangles).unwrap()
}

fn with(mesh: &Triangles, resolution: f64) -> Shape {
    let settings = DecompositionSettings { resolution, most_pieces: 400 };
    Shape::solid_with(&mesh.0, &mesh.1, settings).unwrap()
}

/// Mass properties of cuboids with given lower and upper corners, which do not overlap.
fn of_cuboids(cuboids: &[[[f64; 3]; 2]]) -> MassProperties {
    let volume = |[low, high]: &[[f64; 3]; 2]| (0..3).map(|i| high[i] - low[i]).product::<f64>();
    let mass: f64 = cuboids.iter().map(volume).sum();
    let middle = |[low, high]: &[[f64; 3]; 2]| [0, 1, 2].map(|i| 0.5 * (low[i] + high[i]));
    let centre =
        [0, 1, 2].map(|i| cuboids.iter().map(|own| volume(own) * middle(own)[i]).sum::<f64>() / mass);
    let second = |i: usize, j: usize| {
        let of = |own: &[[f64; 3]; 2]| {
            let [x, y] = [i, j].map(|axis| middle(own)[axis] - centre[axis]);
            let side = own[1][i] - own[0][i];
            volume(own) * (x * y + if i == j { side * side / 12.0 } else { 0.0 })
        };
        cuboids.iter().map(of).sum::<f64>()
    };
    let entry = |i: usize, j: usize| match i == j {
        true => second((i + 1) % 3, (i + 1) % 3) + second((i + 2) % 3, (i + 2) % 3),
        false => -second(i, j),
    };
    MassProperties { mass, centre, inertia: [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j))) }
}

fn assert_mass(own: &MassProperties, expected: &MassProperties, tolerance: f64, what: &str) {
    assert!((own.mass / expected.mass - 1.0).abs() < tolerance, "{what}: {} {}", own.mass, expected.mass);
    let off = [0, 1, 2].map(|i| own.centre[i] - expected.centre[i]);
    assert!(largest(&off) < tolerance * (1.0 + largest(&expected.centre)), "{what}: centre {off:?}");
    let scale = largest(expected.inertia.iter().flatten());
    for (x, y) in own.inertia.iter().flatten().zip(expected.inertia.iter().flatten()) {
        assert!((x - y).abs() < tolerance * scale, "{what}: {own:?} {expected:?}");
    }
}

#[test]
fn mass_properties_are_those_of_the_mesh() {
    let l = [[[0.0; 3], [3.0, 1.0, 1.0]], [[0.0, 0.0, 1.0], [1.0, 1.0, 2.0]]];
    let [a, b, c] = [1.0, 0.7, 0.1];
    let bars = [
        [[-a, -a, -c], [-b, a, c]],
        [[b, -a, -c], [a, a, c]],
        [[-b, -a, -c], [b, -b, c]],
        [[-b, b, -c], [b, a, c]],
    ];
    for (mesh, cuboids) in [(l_shape(), &l[..]), (frame(), &bars[..])] {
        let own = solid(&mesh).mass_properties(7.0).unwrap();
        let expected = of_cuboids(cuboids);
        let inertia = expected.inertia.map(|row| row.map(|x| 7.0 * x));
        assert_mass(
            &own,
            &MassProperties { mass: 7.0 * expected.mass, inertia, ..expected },
            1e-13,
            "cuboids",
        );
    }
    // The sum of the tetrahedra between the origin and the triangles of a torus.
    let mesh = torus(1.0, 0.3, [24, 12]);
    let (mut volume, mut second) = (0.0, 0.0);
    for [a, b, c] in mesh.1.iter().map(|own| own.map(|corner| mesh.0[corner])) {
        let determinant = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
            + a[2] * (b[0] * c[1] - b[1] * c[0]);
        volume += determinant / 6.0;
        let squares = [0, 1].map(|i| {
            let sum = a[i] + b[i] + c[i];
            a[i] * a[i] + b[i] * b[i] + c[i] * c[i] + sum * sum
        });
        second += determinant / 120.0 * (squares[0] + squares[1]);
    }
    let own = with(&mesh, 1.0 / 4.0).mass_properties(1.0).unwrap();
    assert!((own.mass - volume).abs() < 1e-14 * volume && largest(&own.centre) < 1e-15, "{own:?} {volume}");
    assert!((own.inertia[2][2] - second).abs() < 1e-13 * second, "{own:?} {second}");
}

#[test]
fn a_convex_mesh_is_its_hull() {
    let mesh = star([8, 12], 1.0, 1);
    let shape = solid(&mesh);
    let Decomposition { pieces, error, excess, volume, .. } = shape.decomposition().unwrap();
    assert_eq!(pieces[..], [Shape::hull(&mesh.0).unwrap()]);
    assert!(*error < 1e-15 && excess.abs() < 1e-14 * volume, "{error:e} {excess:e}");
    assert_eq!(Shape::hull(&mesh.0).unwrap().decomposition(), None);
}

/// Unions of few cuboids in all orientations and sizes, also far from the origin, have exact pieces.
#[test]
fn unions_of_cuboids_are_cut_exactly() {
    let line = [-1.0, -0.6, 0.6, 1.0];
    let dumbbell = of_cells([&[-3.0, -2.0, 2.0, 3.0], &line, &line], |[i, j, k]| i != 1 || j == 1 && k == 1);
    let cross = of_cells([&line, &line, &line], |cell| cell.iter().filter(|i| **i == 1).count() > 1);
    let hollow = of_cells([&line, &line, &line], |cell| cell != [1, 1, 1]);
    let stairs = of_cells([&[0.0, 1.0, 2.0, 3.0], &[0.0, 1.0], &[0.0, 0.5, 1.0, 1.5]], |[i, _, k]| k <= i);
    let cases = [
        ("L", l_shape(), 2),
        ("U", u_shape(), 3),
        ("T", t_shape(), 2),
        ("table", table(), 5),
        ("frame", frame(), 4),
        ("dumbbell", dumbbell, 3),
        ("cross", cross, 5),
        ("hollow cube", hollow, 6),
        ("stairs", stairs, 3),
    ];
    let mut random = RandomState::new(3);
    for (name, mesh, count) in cases {
        for k in 0..12 {
            let size = [1.0, 1e-6, 1e6][k % 3];
            let turned =
                if k < 3 { Quaternion::IDENTITY } else { Quaternion::exp(random.vector(2.0)).normalised() };
            let far = if k > 8 { 1e6 } else { 0.0 };
            let by: [f64; 3] = random.vector(far * size);
            let mesh = moved(mesh.clone(), |p| {
                let turned = turned.rotate(p.map(|x| size * x));
                [0, 1, 2].map(|i| by[i] + turned[i])
            });
            let shape = solid(&mesh);
            let Decomposition { pieces, error, gap, excess, volume, .. } = shape.decomposition().unwrap();
            // Rounding errors of the vertices, as a fraction of the size.
            let rounding = 1e-14 + 1e-15 * far;
            let what = format!("{name} {k}: {} pieces, {error:e}, {excess:e} of {volume}", pieces.len());
            assert_eq!(pieces.len(), count, "{what}");
            assert!(*gap <= (1e-12 + 10.0 * rounding) * size, "{what}: {gap:e}");
            assert!(*error <= rounding * size && excess.abs() <= 100.0 * rounding * volume, "{what}");
        }
    }
}

/// Powers of two change no digit of the pieces.
#[test]
fn units_change_no_digit() {
    let mesh = star([5, 6], 0.6, 4);
    let own = with(&mesh, 0.1);
    for unit in [2.0_f64.powi(-40), 2.0_f64.powi(40)] {
        let other = with(&moved(mesh.clone(), |p| p.map(|x| unit * x)), 0.1);
        let (a, b) = (own.decomposition().unwrap(), other.decomposition().unwrap());
        assert_eq!((a.pieces.len(), unit * a.error), (b.pieces.len(), b.error));
        for (a, b) in a.pieces.iter().zip(&b.pieces) {
            let [a, b] = [a, b].map(|own| own.mass_properties(1.0).unwrap());
            assert_eq!((a.mass * unit.powi(3), a.centre.map(|x| unit * x)), (b.mass, b.centre));
        }
    }
}

/// Distance of a point from a triangle.
fn distance_from(point: [f64; 3], [a, b, c]: [[f64; 3]; 3]) -> f64 {
    let minus = |x: [f64; 3], y: [f64; 3]| [0, 1, 2].map(|i| x[i] - y[i]);
    let dot = |x: [f64; 3], y: [f64; 3]| (0..3).map(|i| x[i] * y[i]).sum::<f64>();
    let of_side = |from: [f64; 3], to: [f64; 3]| {
        let (along, off) = (minus(to, from), minus(point, from));
        let t = (dot(along, off) / dot(along, along)).clamp(0.0, 1.0);
        let foot = minus(off, along.map(|x| t * x));
        dot(foot, foot).sqrt()
    };
    let (u, v, w) = (minus(b, a), minus(c, a), minus(point, a));
    let (uu, uv, vv, wu, wv) = (dot(u, u), dot(u, v), dot(v, v), dot(w, u), dot(w, v));
    let determinant = uu * vv - uv * uv;
    let (s, t) = ((vv * wu - uv * wv) / determinant, (uu * wv - uv * wu) / determinant);
    if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
        let off = [0, 1, 2].map(|i| w[i] - s * u[i] - t * v[i]);
        return dot(off, off).sqrt();
    }
    of_side(a, b).min(of_side(b, c)).min(of_side(c, a))
}

/// The pieces contain the mesh, and no point of them is farther from it than the reported error.
#[test]
fn pieces_contain_the_mesh_and_protrude_by_the_error() {
    let cases = [
        ("torus", torus(1.0, 0.3, [16, 8]), 1.0 / 16.0),
        ("thin torus", torus(1.0, 0.1, [16, 6]), 1.0 / 8.0),
        ("star", star([5, 7], 0.6, 5), 1.0 / 16.0),
        ("star", star([6, 8], 0.7, 6), 1.0 / 16.0),
    ];
    let mut random = RandomState::new(8);
    for (name, mesh, resolution) in cases {
        let shape = with(&mesh, resolution);
        let Decomposition { pieces, error, resolution, excess, volume, .. } = shape.decomposition().unwrap();
        assert!(*error > 0.0 && error <= resolution, "{name}: {error:e} {resolution:e}");
        let sum: f64 = pieces.iter().map(|piece| piece.mass_properties(1.0).unwrap().mass).sum();
        assert!((sum - volume - excess).abs() < 1e-12 && *excess > 0.0, "{name}: {sum} {volume} {excess}");
        let mut scene = Scene::new();
        scene.add(Body::fixed(shape.clone())).unwrap();
        let parts = scene.into_parts().unwrap();
        let state = State::new(&parts.model, 0.0);
        let is_inside = |point: [f64; 3]| {
            let hit = parts.cast_ray(&state, point, [0.0, 0.0, 1.0]).unwrap();
            hit.is_some_and(|hit| hit.distance == 0.0)
        };
        let corners: Vec<[[f64; 3]; 3]> = mesh.1.iter().map(|own| own.map(|corner| mesh.0[corner])).collect();
        for [a, b, c] in &corners {
            // A little below the surface, because of rounding.
            let [s, t]: [f64; 2] = [random.between(0.0, 0.5), random.between(0.0, 0.5)];
            let on = [0, 1, 2].map(|i| a[i] + s * (b[i] - a[i]) + t * (c[i] - a[i]));
            let across = [0, 1, 2].map(|i| {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                (b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j])
            });
            let point = [0, 1, 2].map(|i| on[i] - 1e-7 * across[i] / largest(&across));
            assert!(is_inside(point), "{name}: {point:?}");
        }
        let mut farthest = 0.0_f64;
        for _ in 0..4000 {
            let place: [f64; 3] = random.vector(1.0);
            let point = [0, 1, 2].map(|i| place[i] * largest(mesh.0.iter().map(|vertex| &vertex[i])));
            // A ray from outside the mesh passes through as many triangles in each direction.
            if is_inside(point) && !is_enclosed(point, &corners) {
                let distance =
                    corners.iter().map(|own| distance_from(point, *own)).fold(f64::INFINITY, f64::min);
                farthest = farthest.max(distance);
            }
        }
        assert!(farthest > 0.0 && farthest <= *error, "{name}: {farthest:e} {error:e}");
    }
}

/// Returns `true` if a mesh contains a point: a line along z passes through an odd number of triangles above.
fn is_enclosed([x, y, z]: [f64; 3], corners: &[[[f64; 3]; 3]]) -> bool {
    let is_above = |[a, b, c]: &[[f64; 3]; 3]| {
        let area = |p: [f64; 2], q: [f64; 2], r: [f64; 2]| {
            (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
        };
        let [p, q, r] = [a, b, c].map(|corner| [corner[0], corner[1]]);
        let [u, v, w] = [area(q, r, [x, y]), area(r, p, [x, y]), area(p, q, [x, y])];
        let is_over = u > 0.0 && v > 0.0 && w > 0.0 || u < 0.0 && v < 0.0 && w < 0.0;
        is_over && (u * a[2] + v * b[2] + w * c[2]) / (u + v + w) > z
    };
    corners.iter().filter(|own| is_above(own)).count() % 2 == 1
}

#[test]
fn meshes_of_solids_are_checked() {
    let (vertices, triangles) = l_shape();
    let of = |vertices: &[[f64; 3]], triangles: &[[usize; 3]]| Shape::solid(vertices, triangles).unwrap_err();
    let open = of(&vertices, &triangles[1..]);
    assert!(matches!(open, ShapeError::OpenMesh { .. }), "{open}");
    let inverted: Vec<[usize; 3]> = triangles.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
    let error = of(&vertices, &inverted);
    assert!(
        matches!(error, ShapeError::InvertedMesh { triangle: 0, volume } if (volume + 4.0).abs() < 1e-12),
        "{error}"
    );
    let mut one = triangles.clone();
    one[3].swap(0, 1);
    assert!(matches!(of(&vertices, &one), ShapeError::MeshOrientation { .. }));
    let mut out = triangles.clone();
    out[2][1] = 1000;
    assert!(matches!(of(&vertices, &out), ShapeError::MeshIndex { triangle: 2, index: 1000, .. }));
    let mut unknown = vertices.clone();
    unknown[4][1] = f64::NAN;
    assert!(matches!(of(&unknown, &triangles), ShapeError::NotFinite { index: 4, .. }));
    let mut flat = triangles.clone();
    flat[1][1] = flat[1][0];
    assert!(matches!(of(&vertices, &flat), ShapeError::FlatTriangle { triangle: 1 }));
    assert!(matches!(of(&vertices, &[]), ShapeError::MeshSize { .. }));
    // A cube in a cube that is not a void, and an inverted cube outside.
    let line = [-3.0, -1.0, 1.0, 3.0];
    let hollow = of_cells([&line, &line, &line], |cell| cell != [1, 1, 1]);
    let is_of_void =
        |own: &[usize; 3]| own.iter().all(|corner| hollow.0[*corner].iter().all(|x| x.abs() < 2.0));
    let filled: Vec<[usize; 3]> =
        hollow.1.iter().map(|own| if is_of_void(own) { [own[0], own[2], own[1]] } else { *own }).collect();
    let error = of(&hollow.0, &filled);
    assert!(matches!(error, ShapeError::NestedMesh { .. }), "{error}");
    let apart =
        moved(
            hollow.clone(),
            |p| if p.iter().all(|x| x.abs() < 2.0) { [p[0] + 10.0, p[1], p[2]] } else { p },
        );
    let error = of(&apart.0, &apart.1);
    assert!(matches!(error, ShapeError::InvertedMesh { volume, .. } if volume < 0.0), "{error}");
    for resolution in [-1.0, f64::NAN, f64::INFINITY] {
        let settings = DecompositionSettings { resolution, ..DecompositionSettings::default() };
        let error = Shape::solid_with(&vertices, &triangles, settings).unwrap_err();
        assert!(matches!(error, ShapeError::Resolution { .. }), "{error}");
    }
    let settings = DecompositionSettings { most_pieces: 3, ..DecompositionSettings::default() };
    let (vertices, triangles) = table();
    let error = Shape::solid_with(&vertices, &triangles, settings).unwrap_err();
    let ShapeError::NotConvexPieces { limit: 3, resolution, error, .. } = error else { panic!("{error}") };
    assert!(error > resolution, "{error} {resolution}");
    let settings = DecompositionSettings { most_pieces: 1, ..DecompositionSettings::default() };
    let line = [0.0, 1.0, 2.0, 3.0];
    let (vertices, triangles) = of_cells([&line, &line[..2], &line[..2]], |[i, ..]| i != 1);
    let error = Shape::solid_with(&vertices, &triangles, settings).unwrap_err();
    assert!(matches!(error, ShapeError::ManyParts { parts: 2, limit: 1 }), "{error}");
}

/// With the resolution that an error reports, the same number of pieces is enough.
#[test]
fn too_few_pieces_report_the_resolution_that_they_reach() {
    for (mesh, limits) in
        [(torus(1.0, 0.3, [16, 8]), [2, 7]), (star([5, 7], 0.6, 5), [1, 5]), (table(), [1, 3])]
    {
        for most_pieces in limits {
            let settings = DecompositionSettings { most_pieces, ..DecompositionSettings::default() };
            let of = |settings| Shape::solid_with(&mesh.0, &mesh.1, settings);
            let error = of(settings).unwrap_err();
            let ShapeError::NotConvexPieces { resolution, fraction, .. } = error else { panic!("{error}") };
            let text = error.to_string();
            let shape = of(DecompositionSettings { resolution: fraction, ..settings }).unwrap();
            let Decomposition { pieces, error, .. } = shape.decomposition().unwrap();
            assert!(*error > resolution && *error <= 1.0001 * fraction * shape.size(), "{error} {fraction}");
            assert!(pieces.len() <= most_pieces, "{} {most_pieces}", pieces.len());
            // The message contains the resolution with few digits.
            let after = text.split("in the settings to ").nth(1).unwrap().split(',').next().unwrap();
            let printed: f64 = after.parse().unwrap();
            assert!(printed >= fraction && printed < 1.02 * fraction, "{text}: {fraction}");
            of(DecompositionSettings { resolution: printed, ..settings }).unwrap();
        }
    }
}

/// Unions of random cells have exact pieces, also with coordinates in single precision as in STL files.
#[test]
fn random_unions_of_cells() {
    let mut random = RandomState::new(77);
    let (mut exact, mut refused) = (0, 0);
    for k in 0..90 {
        let count = 2 + k % 3;
        let mut line = vec![0.0];
        (0..count).for_each(|at| line.push(line[at] + random.between(0.1, 1.0)));
        let fraction = [0.9, 0.75, 0.4][k / 3 % 3];
        let is_full: Vec<bool> = (0..count.pow(3)).map(|_| random.between(0.0, 1.0) < fraction).collect();
        let mesh = of_cells([&line, &line, &line], |[i, j, l]| is_full[(i * count + j) * count + l]);
        let turned = Quaternion::exp(random.vector(if k % 2 == 0 { 0.0 } else { 2.0 })).normalised();
        let rounded = |x: f64| if k % 5 == 0 { f64::from(x as f32) } else { x };
        let mesh = moved(mesh, |p| turned.rotate(p).map(rounded));
        match Shape::solid(&mesh.0, &mesh.1) {
            Ok(shape) => {
                let Decomposition { error, resolution, excess, volume, .. } = shape.decomposition().unwrap();
                let tolerance = if k % 5 == 0 { 1e-5 } else { 1e-12 };
                assert!(error <= resolution && *excess > -tolerance * volume, "{k}: {error:e} {excess:e}");
                exact += usize::from(*error <= tolerance);
            }
            // Cells that touch at an edge, and no cells.
            Err(error) => {
                let is_expected =
                    matches!(error, ShapeError::MeshOrientation { .. } | ShapeError::MeshSize { .. });
                assert!(is_expected, "{k}: {error}");
                refused += 1;
            }
        }
    }
    assert!(exact > 25 && refused < 65, "{exact} {refused}");
}

/// A thin sheet that sticks out of a block is a piece of its own, as long as it is thicker than 1e-10.
#[test]
fn thin_parts_are_not_lost() {
    for thickness in [1e-2, 1e-4, 1e-6, 1e-8] {
        let lines: [&[f64]; 3] = [&[0.0, 1.0, 2.0], &[0.0, 1.0], &[0.0, 0.5, 0.5 + thickness, 1.0]];
        let shape = solid(&of_cells(lines, |[i, _, k]| i == 0 || k == 1));
        let Decomposition { pieces, gap, volume, .. } = shape.decomposition().unwrap();
        assert_eq!(pieces.len(), 2, "{thickness:e}");
        let thinnest =
            pieces.iter().map(|piece| piece.mass_properties(1.0).unwrap().mass).fold(1.0, f64::min);
        assert!((thinnest / thickness - 1.0).abs() < 1e-6, "{thickness:e}: {thinnest:e}");
        assert!((volume - 1.0 - thickness).abs() < 1e-14 && *gap < 1e-12, "{thickness:e}: {gap:e}");
    }
}

/// Cubes that have a common vertex, or equal vertices along an edge, are separate pieces.
#[test]
fn parts_that_touch_are_separate_pieces() {
    let line = [0.0, 1.0, 2.0];
    let at_vertex = of_cells([&line, &line, &line], |cell| cell == [0; 3] || cell == [1; 3]);
    let (mut vertices, mut triangles) = of_cells([&[0.0, 1.0], &[0.0, 1.0], &[0.0, 1.0]], |_| true);
    for other in [[1.0, 1.0, 0.0], [0.0, 0.0, 3.0]] {
        let copy = of_cells([&[0.0, 1.0], &[0.0, 1.0], &[0.0, 1.0]], |_| true);
        triangles.extend(copy.1.iter().map(|own| own.map(|corner| corner + vertices.len())));
        vertices.extend(copy.0.iter().map(|p| [0, 1, 2].map(|i| p[i] + other[i])));
    }
    for (mesh, count) in [(at_vertex, 2), ((vertices, triangles), 3)] {
        let shape = solid(&mesh);
        let Decomposition { pieces, error, gap, excess, .. } = shape.decomposition().unwrap();
        assert_eq!(pieces.len(), count);
        assert!(*error < 1e-14 && *gap < 1e-12 && excess.abs() < 1e-13, "{error:e} {gap:e} {excess:e}");
    }
}

/// Faces of many coplanar triangles, at edges of many parts, need no more pieces.
#[test]
fn fine_meshes_of_boxes_have_few_pieces() {
    let line: Vec<f64> = (0..=9).map(|k| 0.1 * f64::from(k * k)).collect();
    let mesh = of_cells([&line, &line[..4], &line], |[i, _, k]| i < 3 || k < 4);
    let turned = Quaternion::about([1.0, 2.0, -1.0], 1.0);
    for mesh in [mesh.clone(), moved(mesh, |p| turned.rotate(p).map(|x| f64::from(x as f32)))] {
        let shape = solid(&mesh);
        let Decomposition { pieces, error, gap, .. } = shape.decomposition().unwrap();
        assert_eq!((pieces.len(), mesh.1.len() > 400), (2, true));
        assert!(*error < 1e-6 * shape.size() && *gap < 1e-5 * shape.size(), "{error:e} {gap:e}");
    }
}
