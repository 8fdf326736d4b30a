//! Sweeping processes.

mod fesd;
mod same_as_event_driven;
