//! Affine variational inequalities over a polyhedron.
