//! Differential variational inequalities: closed forms, other schemes, and invalid data.

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
