//! The contact classes: every method by name over the reference files and over piles and drawn problems.
//!
//! | file | idea |
//! | --- | --- |
//! | `local.rs` | friction in the plane and in space, rolling friction, second-order cones: one view, one table of methods |
//! | `global.rs` | friction in global form |
//! | `blocks.rs` | blocks of different laws |
//! | `effort.rs` | how many iterations a method is given |
//! | `hard.rs` | the files on which the default is asked for less |

mod blocks;
pub(crate) mod effort;
mod global;
mod hard;
mod local;

use crate::complementarity::Class;

/// The classes.
pub(crate) const CLASSES: [Class; 6] = [
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
        name: "contact_gfc3d",
        description: "Every method on friction in global form: reference files and piles of spheres.",
        survey: global::run,
    },
    Class {
        name: "contact_gmp",
        description: "Every method on blocks of different laws: reference files and planted problems.",
        survey: blocks::run,
    },
];
