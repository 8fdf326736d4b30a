//! Convex quadratic programs.
