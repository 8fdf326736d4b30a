//! Half-explicit scheme with separate forces and impacts.

mod motion;
mod reference;
mod rest;
