//! Schemes for second-order systems other than the Moreau-Jean scheme.

mod d1_minus_linear;
mod modal_exact;
mod model;
mod schatzman_paoli;
mod state;
