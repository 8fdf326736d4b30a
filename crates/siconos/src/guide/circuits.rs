//! Circuits and relays: how do I simulate diodes, switches and relays?
