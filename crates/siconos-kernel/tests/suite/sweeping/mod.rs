//! Sweeping processes.

mod higher_order;
