//! Solids inside closed meshes: mass properties, convex pieces and contacts.

use siconos_mechanics::{Decomposition, DecompositionSettings, Shape};

use super::solid_meshes::{Triangles, frame, l_shape, star, t_shape, table, torus, u_shape};

fn solid((vertices, triangles): &Triangles) -> Shape {
    Shape::solid(vertices, triangles).unwrap()
}

#[test]
fn probe() {
    for (name, mesh) in [
        ("l", l_shape()),
        ("u", u_shape()),
        ("table", table()),
        ("frame", frame()),
        ("t", t_shape()),
        ("torus", torus(1.0, 0.3, [24, 12])),
        ("thin torus", torus(1.0, 0.1, [24, 8])),
        ("star", star([6, 8], 0.7, 1)),
        ("star", star([8, 12], 0.6, 2)),
    ] {
        let begin = std::time::Instant::now();
        for resolution in [1.0 / 64.0, 1.0 / 16.0] {
            let settings = DecompositionSettings { resolution, most_pieces: 200 };
            match Shape::solid_with(&mesh.0, &mesh.1, settings) {
                Ok(shape) => {
                    let Decomposition { pieces, error, volume, excess, resolution, .. } = shape.decomposition().unwrap();
                    println!("{name} {} triangles: {} pieces, error {error:e} of {resolution:e}, volume {volume}, excess {excess:e}, {:?}", mesh.1.len(), pieces.len(), begin.elapsed());
                }
                Err(error) => println!("{name} {} triangles {error} {:?}", mesh.1.len(), begin.elapsed()),
            }
        }
    }
}
