//! The examples of sweeping processes against closed forms and invariants.

mod crowd;
mod plastic_chain;
