//! When it does not converge: what do I do when a step does not converge or the motion looks wrong?
