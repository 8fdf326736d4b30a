//! Projection of positions onto joints and contacts.

mod contacts;
mod joints;
