//! User guide, one chapter per question.
//!
//! | chapter | question |
//! |---|---|
//! | [First model](first_model) | How do I simulate a ball that bounces on a floor, and read its motion? |
//! | [Relations and laws](relations_and_laws) | How do I describe gaps, ropes, springs and other interactions between bodies? |
//! | [Contact with friction](friction) | How do I model a block that sticks and slides, or a sphere that rolls? |
//! | [Rigid bodies and joints](rigid_bodies) | How do I build a mechanism from bodies, joints, stops and motors? |
//! | [Scenes](scenes) | How do I simulate bodies with shapes that fall, stack, slide and roll? |
//! | [Circuits and relays](circuits) | How do I simulate diodes, switches and relays? |
//! | [Events and event-driven simulation](event_driven) | How do I get the exact times of impacts? |
//! | [Hybrid systems](hybrid_systems) | How do I simulate equations with discrete variables, thresholds and resets? |
//! | [Control loops](control_loops) | How do I close a sampled control loop around a model? |
//! | [Integrator, step and tolerance](accuracy) | Which integrator, step length and tolerance do I need, and what does an error of 1e-8 mean? |
//! | [Contact forces and energy](forces_and_energy) | How do I read contact forces, impulses and energies? |
//! | [Saving and resuming](saving) | How do I write trajectories to files, and resume an interrupted run? |
//! | [Extending the library](extending) | How do I write my own law, relation, integrator or solver? |
//! | [Large models and threads](large_models) | How do I simulate thousands of contacts? |
//! | [Convergence problems](convergence) | What can I do if a step does not converge, or if the motion looks wrong? |
//!
//! The programs in the chapters import [`siconos::prelude`](crate::prelude), and other names if they need
//! them. To use the solvers without a simulation, read [`siconos_numerics::guide`](crate::numerics::guide).
//! Larger examples, with figures, are in the package `siconos-examples`.
pub mod accuracy;
pub mod circuits;
pub mod control_loops;
pub mod convergence;
pub mod event_driven;
pub mod extending;
pub mod first_model;
pub mod forces_and_energy;
pub mod friction;
pub mod hybrid_systems;
pub mod large_models;
pub mod relations_and_laws;
pub mod rigid_bodies;
#[cfg(feature = "io")]
pub mod saving;
pub mod scenes;
