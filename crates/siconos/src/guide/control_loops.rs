//! Control loops: sensors, observers and controllers that are sampled around a model.
//!
//! How do I close a sampled control loop around a model? The loop measures the state of the model at given
//! times, computes an input, and holds the input until the next sample. The plant can be any model, with or
//! without contacts and friction. You can use a controller of the library or write your own.
//!
//! # A cart under PID control
//!
//! A motor moves a cart of mass 1 kg to the position r = 1 m. The controller samples the position q \[m\]
//! every h = 50 ms and sets the force $u_k = K_p e_k + K_d (e_k - e_{k-1}) / h$ \[N\], where $e = r - q$ is
//! the control error, $K_p$ the proportional gain and $K_d$ the derivative gain.
//!
//! ```
//! use siconos::ndarray::array;
//! use siconos::prelude::*;
//!
//! fn main() -> Result<(), siconos::Error> {
//!     // The input of the plant is a parameter of the model. The external force reads it.
//!     let mut model = NonSmoothDynamicalSystem::new();
//!     let motor = model.add_parameter("motor [N]", vec![0.0])?;
//!     let cart = LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0]);
//!     let cart =
//!         model.add_system(cart.with_external_force(move |at, f| f[0] = at[motor][0]))?;
//!     let grid = TimeDiscretisation::uniform(0.0, 20.0, 0.01)?;
//!     let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//!
//!     // The loop has a sensor with the output y = C (q, v), and an actuator that reads y and sets
//!     // the parameter.
//!     let sampling = Sampling::every(0.05);
//!     let mut control = ControlLoop::default();
//!     let position =
//!         control.add_sensor(sampling, LinearSensor::new([cart], array![[1.0, 0.0]])?);
//!     let gains = PidGains { proportional: 4.0, derivative: 3.0, ..PidGains::default() };
//!     let pid = Pid::new(gains, sampling.period)?.with_reference(1.0)?;
//!     let force = control.add_actuator(sampling, pid, position, motor)?;
//!
//!     // The sampling times become events of the simulation.
//!     // After each step, pass the events of the step to the loop.
//!     control.schedule(&model, simulation.events_mut())?;
//!     let mut state = simulation.initial_state(&model)?;
//!     while let Some(report) = simulation.step(&model, &mut state)? {
//!         control.process(report.events, &model, &mut state)?;
//!     }
//!     assert!((state.q(cart)[0] - 1.0).abs() < 1e-6);
//!
//!     // The recorded samples satisfy the control law.
//!     let (q, u) = (control.sensor(position)?.samples(), control.actuator(force)?.samples());
//!     assert_eq!((q.len(), u.len()), (401, 401));
//!     let errors: Vec<f64> = q.iter().map(|sample| 1.0 - sample.value[0]).collect();
//!     for (sample, e) in u.iter().skip(1).zip(errors.windows(2)) {
//!         assert!((sample.value[0] - (4.0 * e[1] + 3.0 * (e[1] - e[0]) / 0.05)).abs() < 1e-9);
//!     }
//!     Ok(())
//! }
//! ```
//!
//! 1. [`add_parameter`](crate::kernel::model::NonSmoothDynamicalSystem::add_parameter) declares the input.
//!    The state contains the current value of the input, and all functions of the model can read this value
//!    as `at[motor]`.
//! 2. [`LinearSensor`](crate::control::LinearSensor) measures $y = C x + D u$. For a mechanical system, x is
//!    (q, v); for a first-order system, x is the state.
//!    [`with_delay`](crate::control::LinearSensor::with_delay) delays y by a number of samples.
//! 3. If several components have a sample at the same time, sensors come first, followed by observers and
//!    actuators. The input at $t_k$ therefore depends on the measurement at $t_k$.
//! 4. The first sample is at t = 0, so the first call of
//!    [`step`](crate::kernel::simulation::TimeStepping::step) only reports the events at t = 0. In this call,
//!    the state does not change, and `step` and `h` of the report are 0.
//! 5. [`Samples`](crate::control::Samples) contains the time, the value and the
//!    [terms](crate::control::Actuator::terms) of each sample. You can turn the recording off with
//!    [`set_recording`](crate::control::ControlLoop::set_recording).
//!
//! # Components
//!
//! | component | purpose |
//! |---|---|
//! | [`Pid`](crate::control::Pid) | PID with filtered derivative, bounds and back-calculation |
//! | [`LuenbergerObserver`](crate::control::LuenbergerObserver), [`SlidingReducedOrderObserver`](crate::control::SlidingReducedOrderObserver) | estimate of x from y and u |
//! | [`LinearSlidingMode`](crate::control::LinearSlidingMode), [`ExplicitLinearSlidingMode`](crate::control::ExplicitLinearSlidingMode) | sliding mode on $C x = 0$; only the explicit controller chatters |
//! | [`Twisting`](crate::control::Twisting) | second-order sliding mode |
//! | [`FunctionActuator`](crate::control::FunctionActuator) | a closure |
//! | your own type | implements one of the traits [`Sensor`](crate::control::Sensor), [`Observer`](crate::control::Observer), [`Actuator`](crate::control::Actuator) |
//!
//! The simulation determines the error of the plant between samples, and the possible sampling times:
//!
//! | simulation of the plant | error between samples | sampling times |
//! |---|---|---|
//! | `TimeStepping`, [`MoreauJean`](crate::kernel::integrator::MoreauJean) | see [integrator, step and tolerance](super::accuracy) | grid points |
//! | `TimeStepping`, [`ZeroOrderHold`](crate::kernel::integrator::ZeroOrderHold) | none, for linear first-order systems with constant A | grid points |
//! | [`EventDriven`](crate::kernel::simulation::EventDriven) | tolerance of the integrator, 1e-12 by default | any times |
//!
//! # Saturation and windup
//!
//! The force of the motor is limited to 1.5 N. While the force is at this bound, the integral of the
//! controller must not continue to grow. If bounds are set, `Pid` therefore corrects the integral until the
//! unlimited input agrees with the limited input. The time constant of this correction is the tracking time
//! $T_t$ \[s\]. A very long tracking time disables the correction, and the cart overshoots:
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let overshoot = |tracking_time: f64| -> Result<f64, siconos::Error> {
//!     // .. model, simulation and sensor as above ..
//! #     let mut model = NonSmoothDynamicalSystem::new();
//! #     let motor = model.add_parameter("motor [N]", vec![0.0])?;
//! #     let cart = LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0]);
//! #     let cart = model.add_system(cart.with_external_force(move |at, f| f[0] = at[motor][0]))?;
//! #     let grid = TimeDiscretisation::uniform(0.0, 10.0, 0.01)?;
//! #     let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! #     let sampling = Sampling::every(0.05);
//! #     let mut control = ControlLoop::default();
//! #     let position = control.add_sensor(sampling, LinearSensor::new([cart], array![[1.0, 0.0]])?);
//!     let gains = PidGains {
//!         proportional: 6.0,
//!         integral: 3.0,
//!         derivative: 5.0,
//!         filter_time: 0.05,
//!         tracking_time: Some(tracking_time),
//!     };
//!     let pid = Pid::new(gains, 0.05)?.with_reference(2.0)?.with_bounds(-1.5, 1.5)?;
//!     control.add_actuator(sampling, pid, position, motor)?;
//! #     control.schedule(&model, simulation.events_mut())?;
//! #     let mut state = simulation.initial_state(&model)?;
//!     let mut farthest = 0.0_f64;
//!     while let Some(report) = simulation.step(&model, &mut state)? {
//!         control.process(report.events, &model, &mut state)?;
//!         farthest = farthest.max(state.q(cart)[0]);
//!     }
//!     Ok(farthest - 2.0)
//! };
//! assert!(overshoot(0.5)? < 0.3 * overshoot(1e12)?);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
#![cfg_attr(doc, doc = include_str!("../../figures/sampled_pid.svg"))]
//!
//! *Position, force and integral with and without the correction. The example `sampled_pid` draws the figure:
//! `cargo run --release --package siconos-examples -- sampled_pid`.*
//!
//! # State feedback from an observer
//!
//! In this example, only the angle of a pendulum is measured, and an observer estimates the state. The
//! observer uses a model of the plant, [`HeldPlant`](crate::control::HeldPlant): $\dot x = A x + B u$, where
//! u is constant in each period. This model may differ from the actual plant. The observer reads the sensor
//! and the input u. A closure computes u from the estimated state.
//!
//! ```
//! # use siconos::control::{FunctionActuator, HeldPlant, LuenbergerObserver};
//! # use siconos::kernel::prelude::ZeroOrderHold;
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! // An unstable plant: a pendulum near its upright position, x = (angle, rate).
//! let (a, b) = (array![[0.0, 1.0], [9.81, 0.0]], array![[0.0], [1.0]]);
//! let mut model = NonSmoothDynamicalSystem::new();
//! let input = model.add_parameter("u [rad/s^2]", vec![0.0])?;
//! let pendulum = FirstOrderLinear::new(vec![0.1, 0.0], a.clone());
//! let pendulum =
//!     model.add_system(pendulum.with_source_function(move |at, r| r[1] = at[input][0]))?;
//! let grid = TimeDiscretisation::uniform(0.0, 4.0, 0.01)?;
//! let mut simulation = TimeStepping::builder(&model)
//!     .discretisation(grid)
//!     .integrator(ZeroOrderHold::default())
//!     .build()?;
//!
//! let sampling = Sampling::every(0.02);
//! let plant = HeldPlant::new(a, b, sampling.period)?;
//! let (c, gain) = (array![[1.0, 0.0]], array![[20.0], [110.0]]);
//! let observer = LuenbergerObserver::new(&plant, c.clone(), gain, vec![0.0, 0.0])?;
//! let feedback = FunctionActuator::new(2, 1, |_at, x, u| u[0] = -25.0 * x[0] - 8.0 * x[1]);
//!
//! let mut control = ControlLoop::default();
//! let angle = control.add_sensor(sampling, LinearSensor::new([pendulum], c)?);
//! let estimate = control.add_observer(sampling, observer, angle, [input])?;
//! control.add_actuator(sampling, feedback, estimate, input)?;
//! control.schedule(&model, simulation.events_mut())?;
//! let mut state = simulation.initial_state(&model)?;
//! while let Some(report) = simulation.step(&model, &mut state)? {
//!     control.process(report.events, &model, &mut state)?;
//! }
//! let estimated = control.observer(estimate)?.value().expect("it has been sampled");
//! assert!(
//!     state.x(pendulum)[0].abs() < 1e-4 && (estimated[1] - state.x(pendulum)[1]).abs() < 1e-9
//! );
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! # Sliding mode without chattering
//!
//! A sliding-mode controller drives $\sigma = C x$ to 0. The explicit controller uses the sign of $\sigma$ at
//! the current sample. It chatters with an amplitude of about $\alpha h$, where $\alpha$ is the gain and h
//! the sampling period. The implicit controller uses the sign of $\sigma$ at the next sample, which it
//! predicts with a model of the plant. It reaches $\sigma = 0$ up to rounding.
//!
//! ```
//! # use siconos::control::{Actuator, EquivalentControl, HeldPlant};
//! # use siconos::control::{ExplicitLinearSlidingMode, LinearSlidingMode};
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let (h, alpha) = (0.02, 1.0);
//! let plant = HeldPlant::new(array![[0.0, 1.0], [9.81, 0.0]], array![[0.0], [1.0]], h)?;
//! let surface = array![[2.0, 1.0]]; // sigma = 2 q + q'
//! let held = EquivalentControl::Held;
//! let implicit = LinearSlidingMode::new(&plant, surface.clone(), &[alpha], held)?;
//! let explicit = ExplicitLinearSlidingMode::new(&plant, surface, &[alpha], held)?;
//! let controllers: [Box<dyn Actuator>; 2] = [Box::new(implicit), Box::new(explicit)];
//! // Controllers can be called without a loop. Here, the model of the plant replaces the plant.
//! let late = controllers.map(|mut controller| -> Result<f64, siconos::Error> {
//!     let (mut x, mut u, mut largest) = ([0.3, 0.2], [0.0], 0.0_f64);
//!     for k in 0..200 {
//!         controller.act(0.0.into(), &x, &mut u)?;
//!         let next = |i: usize| {
//!             plant.phi().row(i).dot(&array![x[0], x[1]]) + plant.psi()[[i, 0]] * u[0]
//!         };
//!         x = [next(0), next(1)];
//!         if k > 100 {
//!             largest = largest.max((2.0 * x[0] + x[1]).abs());
//!         }
//!     }
//!     Ok(largest)
//! });
//! let [implicit, explicit] = late;
//! assert!(implicit? < 1e-12 && (0.2..1.1).contains(&(explicit? / (alpha * h))));
//! # Ok::<(), siconos::Error>(())
//! ```
//!
#![cfg_attr(doc, doc = include_str!("../../figures/sliding_mode.svg"))]
//!
//! *The implicit and the explicit controller of a pendulum. The example `sliding_mode` draws the figure:
//! `cargo run --release --package siconos-examples -- sliding_mode`.*
//!
//! # Pitfalls
//!
//! - Time steps must end at the sampling times. With steps of 30 ms and samples every 50 ms,
//!   [`process`](crate::control::ControlLoop::process) fails with the error "a sample is due at t = 0.05, but
//!   the step ends at t = 0.06: first times and periods must be whole multiples of the step, counted from the
//!   first point of the grid". In event-driven simulation, samples can be due at any time.
//! - Some components depend on the sampling period. If the periods differ, the error is "an actuator was
//!   created for a period of 0.05 s, but is added with a period of 0.02 s; they must be equal".
//! - A component must not read a signal that has no sample yet: "actuator #0@33 reads sensor #0@32 at t = 0,
//!   before its first sample; use a later first time for the reader". To avoid this error, use the same
//!   [`Sampling::first`](crate::control::Sampling::first) for all components.
//! - An input can have only one actuator. To combine several controllers, let each of them set its own
//!   parameter, and compute the sum of the parameters in the function of the external force.
//! - If you do not call `process`, no error occurs, but the input keeps its initial value.
//! - For a second run, create a new state and a new simulation, call
//!   [`restart`](crate::control::ControlLoop::restart), and call `schedule` again. `restart` does not reset
//!   variables that the closure of a `FunctionActuator` has captured.
//!
//! # Next
//!
//! - [Hybrid systems](super::hybrid_systems): controllers that are state machines with thresholds.
//! - [Saving and resuming](super::saving): saving a control loop with
//!   [`ControlLoop::record`](crate::control::ControlLoop::record).
//! - The examples `sampled_pid`, `sliding_mode` and `hybrid_sampled_pid`, and the model file `observed_cart`,
//!   of the package `siconos-examples`.
