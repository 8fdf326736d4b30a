//! Sweeping processes.

mod fesd;
