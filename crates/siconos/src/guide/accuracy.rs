//! Integrator, step and tolerance: which integrator, step length and tolerance do I need, and what does an error of 1e-8 mean?
