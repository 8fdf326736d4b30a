//! Contact forces and energy: how do I read contact forces, impulses and energies?
