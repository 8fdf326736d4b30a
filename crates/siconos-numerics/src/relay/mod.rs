//! Relay problems: linear complementarity between two bounds.
