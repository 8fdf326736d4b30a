//! The half-explicit scheme, with forces and impacts apart.

mod motion;
mod reference;
mod rest;
