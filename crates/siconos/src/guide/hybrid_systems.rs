//! Hybrid systems: how do I simulate equations with discrete variables, thresholds and resets?
