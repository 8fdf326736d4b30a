//! Tests of bodies with shapes.

mod arch;
mod common;
mod curved;
mod decompositions;
mod driven;
mod intersections;
mod joints;
mod meshes;
mod motion;
mod packings;
mod planar_joints;
mod queries;
mod random_scenes;
mod refusals;
mod segments;
mod shapes;
mod sleeping;
mod solid_meshes;
mod solids;
mod standing;
