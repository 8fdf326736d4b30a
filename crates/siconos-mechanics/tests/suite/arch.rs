//! Masonry arches: a half circle of voussoirs between two fixed springers. The least thickness at which an
//! arch stands is computed from the statics of its joints, and compared with values for convex voussoirs.
//!
//! References: Heyman (1969), "The safety of masonry arches", Int. J. Mech. Sci. 11; Alexakis and Makris
//! (2015), "Limit equilibrium analysis of masonry arches", Archive of Applied Mechanics 85.

use std::f64::consts::PI;

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::Sleeping;
use siconos_mechanics::{Body, BodyId, Overlaps, Scene, Shape};

use super::common::{largest, run};

/// Returns a corner of a voussoir at joint k of `count` voussoirs.
fn corner(k: usize, count: usize, radius: f64) -> [f64; 2] {
    let (sine, cosine) = (PI * k as f64 / count as f64).sin_cos();
    [radius * cosine, radius * sine]
}

/// Returns the corners of voussoir k of an arch with a mean radius of 1 m.
fn voussoir(k: usize, count: usize, thickness: f64) -> [[f64; 2]; 4] {
    let [inner, outer] = [1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness];
    [(k, inner), (k, outer), (k + 1, outer), (k + 1, inner)].map(|(k, radius)| corner(k, count, radius))
}

/// Returns the smallest violation of the laws of the joints by forces in equilibrium, by a linear program.
/// Each joint has a normal and a tangential force at its inner and at its outer corner. The arch can stand if
/// the violation is not positive.
fn violation(count: usize, thickness: f64, mu: f64) -> f64 {
    let unknowns = 4 * (count + 1) + 1;
    let last = unknowns - 1;
    let mut entries: Vec<(usize, usize, f64)> = Vec::new();
    let mut b = vec![0.0; 3 * count];
    for joint in 0..=count {
        let (sine, cosine) = (PI * joint as f64 / count as f64).sin_cos();
        for (side, radius) in [1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness].into_iter().enumerate() {
            let [x, y] = corner(joint, count, radius);
            for (own, [u, v]) in [[-sine, cosine], [cosine, sine]].into_iter().enumerate() {
                let column = 4 * joint + 2 * side + own;
                // The force acts on the voussoir after the joint, and its opposite on the voussoir before.
                for (body, sign) in [(joint, 1.0), (joint.wrapping_sub(1), -1.0)] {
                    if body < count {
                        let terms = [u, v, x * v - y * u].into_iter().enumerate();
                        entries.extend(terms.map(|(row, term)| (3 * body + row, column, sign * term)));
                    }
                }
            }
        }
    }
    for body in 0..count {
        let own =
            Shape::polygon(&voussoir(body, count, thickness)).unwrap().planar_mass_properties(1.0).unwrap();
        // In units of the weight of a voussoir.
        (b[3 * body + 1], b[3 * body + 2]) = (1.0, own.centre[0]);
    }
    // n + z >= 0, mu n - t + z >= 0, mu n + t + z >= 0, and z >= -1.
    let mut row = b.len();
    for contact in 0..2 * (count + 1) {
        let (n, t) = (2 * contact, 2 * contact + 1);
        for [of_n, of_t] in [[1.0, 0.0], [mu, -1.0], [mu, 1.0]] {
            entries.extend([(row, n, -of_n), (row, t, -of_t), (row, last, -1.0)]);
            b.push(0.0);
            row += 1;
        }
    }
    entries.push((row, last, -1.0));
    b.push(1.0);
    let equalities = 3 * count;
    let cones =
        [SupportedConeT::ZeroConeT(equalities), SupportedConeT::NonnegativeConeT(b.len() - equalities)];
    let [rows, columns] =
        [0, 1].map(|part| entries.iter().map(|e| if part == 0 { e.0 } else { e.1 }).collect());
    let values = entries.iter().map(|entry| entry.2).collect();
    let a = CscMatrix::new_from_triplets(b.len(), unknowns, rows, columns, values);
    let mut cost = vec![0.0; unknowns];
    cost[last] = 1.0;
    let settings = DefaultSettings { verbose: false, ..DefaultSettings::default() };
    let zero = CscMatrix::zeros((unknowns, unknowns));
    let mut solver = DefaultSolver::new(&zero, &cost, &a, &b, &cones, settings).unwrap();
    solver.solve();
    assert_eq!(solver.solution.status, SolverStatus::Solved, "{count} {thickness}");
    solver.solution.x[last]
}

/// Returns the least thickness at which an arch can stand.
fn least_thickness(count: usize, mu: f64) -> f64 {
    let [mut low, mut high] = [0.05, 0.25];
    while high - low > 2e-7 {
        let middle = 0.5 * (low + high);
        if violation(count, middle, mu) > 1e-8 { low = middle } else { high = middle }
    }
    high
}

#[test]
fn statics_give_the_least_thickness() {
    let known =
        [(7, 0.5, 0.09570), (15, 0.5, 0.10607), (21, 0.5, 0.10670), (25, 0.5, 0.10696), (21, 0.35, 0.1505)];
    for (count, mu, expected) in known {
        let found = least_thickness(count, mu);
        let digits = if expected > 0.15 { 5e-5 } else { 6e-6 };
        assert!((found - expected).abs() <= digits, "{count} voussoirs, mu = {mu}: {found} {expected}");
    }
}

/// Creates an arch with a mean radius of 1 m, `count` voussoirs and the given thickness \[m\].
fn arch(count: usize, thickness: f64, mu: f64) -> (Scene, Vec<BodyId>) {
    let law = NewtonImpactFriction::in_plane(0.0, mu).unwrap();
    let laws = siconos_kernel::detection::ContactLaws::new(law);
    let mut scene =
        Scene::planar().with_laws(laws).with_gravity([0.0, -9.81, 0.0]).with_overlaps(Overlaps::Accept);
    for x in [-1.0, 1.0] {
        let springer = Shape::rectangle([4.0 * thickness, 1.0]).unwrap();
        scene.add(Body::fixed(springer).at([x, -0.5, 0.0])).unwrap();
    }
    let voussoirs = (0..count)
        .map(|k| {
            let corners = voussoir(k, count, thickness);
            scene.add(Body::new(Shape::polygon(&corners).unwrap())).unwrap()
        })
        .collect();
    (scene, voussoirs)
}

#[test]
fn an_arch_stands_if_it_is_thick_enough() {
    for (count, mu) in [(7, 0.5), (15, 0.5), (21, 0.35)] {
        let least = least_thickness(count, mu);
        for (factor, stands, steps) in [(1.02, true, 1000), (0.98, false, 400)] {
            let (scene, voussoirs) = arch(count, factor * least, mu);
            let (parts, state) = run(scene, steps, 1e-3, |_, _, _| {});
            let speeds = voussoirs.iter().flat_map(|id| state.v(parts.system(*id).unwrap()));
            let fastest = largest(speeds);
            assert_eq!(fastest < 1e-6, stands, "{count} voussoirs, {factor}: {fastest:e}");
        }
    }
}

/// Sleep does not move an arch that stands.
#[test]
fn a_standing_arch_sleeps() {
    let build = || arch(15, 1.02 * least_thickness(15, 0.5), 0.5);
    let (scene, voussoirs) = build();
    let (parts, awake) = run(scene, 1000, 1e-3, |_, _, _| {});
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 1e-3).unwrap();
    let mut simulation = parts.simulation(grid).sleeping(Sleeping::default()).build().unwrap();
    let mut state = simulation.initial_state(&parts.model).unwrap();
    simulation.run(&parts.model, &mut state, |_, _| {}).unwrap();
    for system in voussoirs.iter().map(|id| parts.system(*id).unwrap()) {
        assert!(state.is_asleep(system));
        let off = state.q(system).iter().zip(awake.q(system)).map(|(a, b)| a - b).collect::<Vec<_>>();
        assert!(largest(&off) < 1e-6, "{off:?}");
    }
}
