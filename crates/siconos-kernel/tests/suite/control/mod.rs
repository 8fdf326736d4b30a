//! Sampled control: each controller and observer against closed forms computed beside it.

mod combinations;
mod loop_rules;
mod multirate;
mod observers;
mod pid;
mod plants;
mod records;
mod sliding_mode;
mod twisting;
mod units;
mod wrong_input;
