//! Saving and resuming: how do I write trajectories to files, and resume an interrupted run?
