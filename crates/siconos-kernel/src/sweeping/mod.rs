//! Sweeping processes: states that are kept in a set, by measures where they would leave it.

pub mod higher_order;
