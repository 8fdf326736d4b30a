//! Relations and laws: how do I describe what bodies may do to each other: gaps, ropes, springs, diodes?
