//! Positions that are put back onto joints and contacts.

mod contacts;
mod joints;
