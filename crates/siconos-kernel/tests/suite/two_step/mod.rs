//! Schemes in differences of positions.

mod modal_exact;
mod model;
mod schatzman_paoli;
mod state;
