//! The schemes of second-order systems beside Moreau and Jean's.

mod d1_minus_linear;
mod modal_exact;
mod model;
mod schatzman_paoli;
mod state;
