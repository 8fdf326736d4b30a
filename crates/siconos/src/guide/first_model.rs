//! First model: how do I simulate a ball that bounces on a floor, and read its motion?
