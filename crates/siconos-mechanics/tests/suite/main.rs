//! Tests of bodies with shapes.

mod motion;
