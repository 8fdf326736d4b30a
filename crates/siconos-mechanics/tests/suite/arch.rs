//! Masonry arches: a half circle of voussoirs between two fixed springers.

use std::f64::consts::PI;

use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, BodyId, Overlaps, Scene, Shape};

use super::common::{largest, run};

/// Creates an arch with a mean radius of 1 m, `count` voussoirs and the given thickness \[m\].
fn arch(count: usize, thickness: f64, mu: f64) -> (Scene, Vec<BodyId>) {
    let law = NewtonImpactFriction::in_plane(0.0, mu).unwrap();
    let laws = siconos_kernel::detection::ContactLaws::new(law);
    let mut scene = Scene::with_laws(laws, [0.0, -9.81, 0.0]).with_overlaps(Overlaps::Accept);
    let corner = |k: f64, radius: f64| {
        let (sine, cosine) = (PI * k / count as f64).sin_cos();
        [radius * cosine, radius * sine]
    };
    let (inner, outer) = (1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness);
    for x in [-1.0, 1.0] {
        let springer = Shape::rectangle([4.0 * thickness, 1.0]).unwrap();
        scene.add(Body::fixed(springer).at([x, -0.5, 0.0])).unwrap();
    }
    let voussoirs = (0..count)
        .map(|k| {
            let (k, next) = (k as f64, (k + 1) as f64);
            let corners = [corner(k, inner), corner(k, outer), corner(next, outer), corner(next, inner)];
            scene.add(Body::planar(Shape::polygon(&corners).unwrap())).unwrap()
        })
        .collect();
    (scene, voussoirs)
}

#[test]
fn an_arch_stands_if_it_is_thick_enough() {
    for (count, least) in [(7, 0.09570), (15, 0.10607)] {
        for (factor, stands) in [(1.02, true), (0.98, false)] {
            let (scene, voussoirs) = arch(count, factor * least, 0.5);
            let (parts, state) = run(scene, 1000, 1e-3, |_, _, _| {});
            let speeds = voussoirs.iter().map(|id| largest(state.v(parts.system(*id).unwrap())));
            let fastest = largest(&speeds.collect::<Vec<_>>());
            println!("{count} {factor}: {fastest:e}");
            assert_eq!(fastest < 1e-6, stands, "{count} voussoirs, {factor}: {fastest:e}");
        }
    }
}
