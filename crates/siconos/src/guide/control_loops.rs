//! Control loops: how do I close a sampled control loop around a model?
