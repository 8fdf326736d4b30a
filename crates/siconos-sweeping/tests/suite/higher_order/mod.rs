//! Higher-order sweeping process: closed forms, and the schemes that it contains.

mod catching_up;
mod chain;
mod contact;
mod jumps;
mod normal_forms;
mod steps;
mod systems;
mod units;
mod wrong_input;
