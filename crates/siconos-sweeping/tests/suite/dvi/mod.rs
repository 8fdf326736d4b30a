//! Differential variational inequalities against closed forms, other schemes, and data that make no sense.

mod attack;
mod boundary;
mod boundary_attack;
mod four_ways;
mod initial;
mod models;
mod problems;
mod relative_degree;
mod report;
mod units;
mod wrong_input;
