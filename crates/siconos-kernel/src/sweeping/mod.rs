//! Sweeping processes: states that are kept in a moving set by measures where they would leave it.
//!
//! | what | for |
//! | --- | --- |
//! | [`fesd`] | Filippov systems and perturbed sweeping to high order across switches, without event search |

pub mod fesd;
