//! Structures at rest: loaded contacts stay closed, and nothing moves.
//!
//! Each structure has an equilibrium, or a uniform motion, at which no contact is about to change its state:
//! boxes on 2 to 100 contacts, stacks, pyramids, walls, arches, tables, slopes and belts, in the plane and in
//! space. The exact motion is known, so every step at default settings is compared with it.
//!
//! | quantity | bound |
//! |---|---|
//! | contacts that are not active in a step | none |
//! | velocities, relative to the exact motion | 1e-6 g h |
//! | positions and orientations, relative to the exact motion | 1e-9 m, 1e-9 |
//! | force on the ground | 1e-6 of the weight |
//!
//! Structures that are dropped from 1 cm must come to rest and stay at rest. The small structures run by
//! default, all of them with `cargo xtask battery`.

mod dropped;
mod families;
mod packing;
mod projected;
mod resting;
mod scene;
mod structures;

use siconos_kernel::prelude::*;

use self::dropped::Drop;
use self::resting::Resting;
use self::structures::{Structure, all};

/// Runs the given structures, and reports the failures of all of them together.
fn check(structures: impl Iterator<Item = Structure>, run: impl Fn(&Structure) -> Result<String, String>) {
    let mut failures = Vec::new();
    for structure in structures {
        match run(&structure) {
            Ok(measured) => println!("{structure}: {measured}"),
            Err(failure) => failures.push(format!("{structure}: {failure}")),
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn small_structures_stay_at_rest() {
    let small = all().into_iter().filter(|structure| structure.scene.touches.len() <= 12);
    check(small, |structure| Resting { structure, steps: 1500 }.run());
}

#[test]
#[ignore = "the whole battery: cargo xtask battery"]
fn battery_of_structures_at_rest() {
    check(all().into_iter(), |structure| Resting { structure, steps: 10_000 }.run());
}

#[test]
fn small_structures_come_to_rest() {
    let small =
        all().into_iter().filter(|structure| structure.can_fall && structure.scene.touches.len() <= 8);
    check(small, |structure| Drop { structure, seconds: 1.0 }.run());
}

#[test]
#[ignore = "the whole battery: cargo xtask battery"]
fn battery_of_structures_that_fall() {
    check(all().into_iter().filter(|structure| structure.can_fall), |structure| {
        Drop { structure, seconds: 4.0 }.run()
    });
}

/// Both contacts of a box in the plane stay active for 10 000 steps.
#[test]
fn one_box_on_two_contacts_keeps_both() -> Result<(), Error> {
    let scene = families::box_on_grid(scene::Space::Plane, 2, 0.5);
    let structure = Structure { scene, restitution: 0.0, h: 5e-3, ..all().swap_remove(0) };
    check(std::iter::once(structure), |structure| Resting { structure, steps: 10_000 }.run());
    Ok(())
}
