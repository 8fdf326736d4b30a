//! Mixed complementarity problems: equations and complementarity, nonlinear.
