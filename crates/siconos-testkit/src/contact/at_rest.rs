//! Structures at rest or nearly at rest, as in most steps of a simulation.
//!
//! There are more contacts than are needed to hold the structures, and most contacts stick. Gauss-Seidel
//! sweeps converge slowly, and the problems have no strict interior for interior-point methods.

use super::assembly::{GRAVITY, STEP};
use super::boxes::{self, Laying};
use super::{KnownContact, spheres};

/// Returns problems with single boxes, towers, walls, rows of spheres and piles. The friction coefficients
/// are between 0.05 and 1, and the mass ratios are at most a million. The structures are exactly at rest,
/// pushed slightly, or pulled along the floor.
#[must_use]
pub fn at_rest() -> Vec<KnownContact> {
    let rest = Laying::REST;
    let pushed = |part: f64| Laying { velocity: part * GRAVITY * STEP, ..rest };
    let pulled = |shear: f64| Laying { shear, ..rest };
    let off_place = |jitter: f64| Laying { jitter, ..rest };
    let heavier = |mass_ratio: f64| Laying { mass_ratio, ..rest };
    let mut problems = Vec::new();
    for (along_edge, mu, laying, how) in [
        (2, 0.5, rest, "at rest"),
        (2, 0.5, pulled(1.0), "sliding"),
        (10, 0.5, rest, "at rest"),
        (10, 0.3, pulled(1.0), "sliding"),
        (10, 1.0, pushed(0.4), "pushed"),
        (30, 0.5, pulled(0.4), "pulled"),
    ] {
        let of_box = boxes::laid_box(along_edge, &laying, 1);
        problems.push(KnownContact::of(format!("box {along_edge}x{along_edge} mu {mu} {how}"), &of_box, mu));
    }
    for (count, mu, laying, how) in [
        (2, 0.5, heavier(1e6), "heavier upwards"),
        (5, 0.5, off_place(0.05), "off place"),
        (5, 0.5, heavier(1e4), "heavier upwards"),
        (10, 0.5, rest, "at rest"),
        (10, 0.05, rest, "at rest"),
        (10, 0.5, off_place(0.05), "off place"),
        (10, 0.5, heavier(1e6), "heavier upwards"),
        (10, 0.5, pulled(0.2), "pulled"),
        (30, 0.5, rest, "at rest"),
        (30, 0.5, off_place(0.05), "off place"),
        (30, 0.5, pushed(0.2), "pushed"),
    ] {
        let tower = boxes::laid_tower(count, &laying, 2);
        problems.push(KnownContact::of(format!("tower {count} mu {mu} {how}"), &tower, mu));
    }
    for (bricks, mu, laying, how) in [
        (3, 0.5, rest, "at rest"),
        (3, 0.5, off_place(0.02), "off place"),
        (3, 0.3, pushed(0.2), "pushed"),
        (4, 0.5, rest, "at rest"),
        (5, 0.5, rest, "at rest"),
        (5, 0.5, off_place(0.02), "off place"),
        (5, 0.5, pulled(0.2), "pulled"),
        (8, 0.8, rest, "at rest"),
        (11, 0.5, rest, "at rest"),
    ] {
        let wall = boxes::laid_wall(bricks, &laying, 3);
        problems.push(KnownContact::of(format!("wall {bricks}x{bricks} mu {mu} {how}"), &wall, mu));
    }
    for (count, jitter, mu) in
        [(5, 0.1, 0.3), (20, 0.0, 0.3), (20, 0.1, 0.8), (50, 0.1, 0.3), (100, 0.1, 0.3)]
    {
        let chain = spheres::chain(count, jitter, 4);
        problems.push(KnownContact::of(format!("chain {count} mu {mu} jitter {jitter}"), &chain, mu));
    }
    for (contacts, mu) in [
        (20, 0.3),
        (50, 0.1),
        (50, 0.3),
        (50, 1.0),
        (100, 0.1),
        (100, 0.3),
        (100, 1.0),
        (200, 0.3),
        (200, 1.0),
        (1000, 0.05),
    ] {
        problems.push(KnownContact::of(format!("pile {contacts} mu {mu}"), &spheres::pile(contacts, 5), mu));
    }
    problems
}
