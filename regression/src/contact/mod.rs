//! Contact classes: every method over the reference files, piles and random problems.
//!
//! | file | contents |
//! | --- | --- |
//! | `local.rs` | friction in the plane and in space, rolling friction, second-order cones |
//! | `global.rs` | friction in the global formulation |
//! | `blocks.rs` | blocks with different laws |
//! | `effort.rs` | numbers of iterations of the methods |
//! | `hard.rs` | files on which less is required of the default method |

mod blocks;
pub(crate) mod effort;
mod global;
mod hard;
mod local;

use crate::complementarity::Class;

/// Contact classes. The first ones take longest, so that two processors end at about the same time.
pub(crate) const CLASSES: [Class; 6] = [
    Class {
        name: "contact_gfc3d",
        description: "Every method on friction in global form: reference files and piles of spheres.",
        survey: global::run,
    },
    Class {
        name: "contact_fc2d",
        description: "Every method on friction in the plane: reference files, piles of discs, planted problems.",
        survey: local::plane,
    },
    Class {
        name: "contact_fc3d",
        description: "Every method on friction in space: reference files, piles of spheres, towers, planted problems.",
        survey: local::space,
    },
    Class {
        name: "contact_rolling",
        description: "Every method on rolling friction: reference files and planted problems.",
        survey: local::rolling,
    },
    Class {
        name: "contact_soclcp",
        description: "Every method on second-order cones: reference files and planted problems.",
        survey: local::cones,
    },
    Class {
        name: "contact_gmp",
        description: "Every method on blocks with different laws: reference files and planted problems.",
        survey: blocks::run,
    },
];
