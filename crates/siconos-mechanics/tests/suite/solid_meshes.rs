//! Closed meshes of the tests.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use siconos_testkit::random::RandomState;

/// Vertices and triangles of a mesh.
pub(crate) type Triangles = (Vec<[f64; 3]>, Vec<[usize; 3]>);

/// Returns a mesh with other vertices.
pub(crate) fn moved((vertices, triangles): Triangles, by: impl Fn([f64; 3]) -> [f64; 3]) -> Triangles {
    (vertices.into_iter().map(by).collect(), triangles)
}

/// Returns the surface of the cells of a grid that `is_full` selects. The grid has lines at the given
/// coordinates along each axis.
pub(crate) fn of_cells(lines: [&[f64]; 3], is_full: impl Fn([usize; 3]) -> bool) -> Triangles {
    let counts = lines.map(|own| own.len() - 1);
    let full = |cell: [Option<usize>; 3]| match cell {
        [Some(i), Some(j), Some(k)] if i < counts[0] && j < counts[1] && k < counts[2] => is_full([i, j, k]),
        _ => false,
    };
    let (mut vertices, mut numbers, mut triangles) = (Vec::new(), BTreeMap::new(), Vec::new());
    let mut number = |at: [usize; 3]| {
        *numbers.entry(at).or_insert_with(|| {
            vertices.push([lines[0][at[0]], lines[1][at[1]], lines[2][at[2]]]);
            vertices.len() - 1
        })
    };
    let cells = (0..counts[0]).flat_map(|i| (0..counts[1]).map(move |j| [i, j]));
    for cell in cells.flat_map(|[i, j]| (0..counts[2]).map(move |k| [i, j, k])).filter(|cell| is_full(*cell))
    {
        for axis in 0..3 {
            for is_upper in [false, true] {
                let mut next = cell.map(Some);
                next[axis] = if is_upper { Some(cell[axis] + 1) } else { cell[axis].checked_sub(1) };
                if full(next) {
                    continue;
                }
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[x, y]| {
                    let mut at = cell;
                    at[axis] += usize::from(is_upper);
                    at[u] += x;
                    at[v] += y;
                    number(at)
                });
                if !is_upper {
                    corners.reverse();
                }
                let [a, b, c, d] = corners;
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    (vertices, triangles)
}

/// Returns an L of two bars with square sections of side 1 and lengths 3 and 2.
pub(crate) fn l_shape() -> Triangles {
    of_cells([&[0.0, 1.0, 3.0], &[0.0, 1.0], &[0.0, 1.0, 2.0]], |[i, _, k]| i == 0 || k == 0)
}

/// Returns a U that stands on its two legs.
pub(crate) fn u_shape() -> Triangles {
    of_cells([&[-1.5, -1.0, 1.0, 1.5], &[-0.5, 0.5], &[0.0, 1.0, 1.5]], |[i, _, k]| i != 1 || k == 1)
}

/// Returns a table with four legs.
pub(crate) fn table() -> Triangles {
    let lines = [-1.0, -0.8, 0.8, 1.0];
    of_cells([&lines, &lines, &[0.0, 1.0, 1.1]], |[i, j, k]| k == 1 || i != 1 && j != 1)
}

/// Returns a frame of four bars.
pub(crate) fn frame() -> Triangles {
    let lines = [-1.0, -0.7, 0.7, 1.0];
    of_cells([&lines, &lines, &[-0.1, 0.1]], |[i, j, _]| i != 1 || j != 1)
}

/// Returns a T whose stem points upwards.
pub(crate) fn t_shape() -> Triangles {
    of_cells([&[-1.0, -0.25, 0.25, 1.0], &[-0.5, 0.5], &[0.0, 0.5, 1.5]], |[i, _, k]| i == 1 || k == 0)
}

/// Returns a torus about the z-axis.
pub(crate) fn torus(radius: f64, thickness: f64, [along, around]: [usize; 2]) -> Triangles {
    let point = |i: usize, j: usize| {
        let (s, c) = (2.0 * PI * i as f64 / along as f64).sin_cos();
        let (t, d) = (2.0 * PI * j as f64 / around as f64).sin_cos();
        let r = radius + thickness * d;
        [r * c, r * s, thickness * t]
    };
    let vertices = (0..along).flat_map(|i| (0..around).map(move |j| point(i, j))).collect();
    let at = |i: usize, j: usize| (i % along) * around + j % around;
    let quads = (0..along).flat_map(|i| (0..around).map(move |j| (i, j)));
    let triangles = quads.flat_map(|(i, j)| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    (vertices, triangles.collect())
}

/// Returns a ball whose vertices are at random distances between `least` and 1 from the centre.
pub(crate) fn star([along, around]: [usize; 2], least: f64, seed: u32) -> Triangles {
    let mut random = RandomState::new(seed);
    let mut vertices: Vec<[f64; 3]> = vec![[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]];
    for i in 1..along {
        for j in 0..around {
            let (s, c) = (PI * i as f64 / along as f64).sin_cos();
            let (t, d) = (2.0 * PI * j as f64 / around as f64).sin_cos();
            let r = random.between(least, 1.0);
            vertices.push([r * s * d, r * s * t, -r * c]);
        }
    }
    let at = |i: usize, j: usize| 2 + (i - 1) * around + j % around;
    let mut triangles = Vec::new();
    for j in 0..around {
        triangles.push([0, at(1, j + 1), at(1, j)]);
        triangles.push([1, at(along - 1, j), at(along - 1, j + 1)]);
        for i in 1..along - 1 {
            let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (vertices, triangles)
}
