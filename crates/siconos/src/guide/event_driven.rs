//! Events and event-driven simulation: how do I get the exact times of impacts?
