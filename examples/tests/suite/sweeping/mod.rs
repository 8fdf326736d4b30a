//! Comparison of the examples of sweeping processes with closed forms and invariants.

mod crowd;
mod plastic_chain;
