//! Extending the library: your own relations, solvers, convex sets, sensors and actuators.
//!
//! How do I write my own relation, law, integrator, solver or controller? Some parts of the library can be
//! extended from outside: you pass a closure, or implement a trait. Other parts cannot: to extend them, you
//! change the library itself.
//!
//! | part | extensible from outside? | interface |
//! |---|---|---|
//! | forces, masses, right-hand sides | yes | closures of [`Lagrangian`](crate::kernel::model::Lagrangian), [`NewtonEuler`](crate::kernel::model::NewtonEuler), [`FirstOrderNonlinear`](crate::kernel::model::FirstOrderNonlinear) |
//! | relation | yes | closures for h and, if you wish, for its derivatives (see below) |
//! | law | no, but you can combine existing laws | enum [`NonSmoothLaw`](crate::kernel::model::NonSmoothLaw) |
//! | integrator of time-stepping | no | enum [`Integrator`](crate::kernel::integrator::Integrator) |
//! | solver of the one-step problem | yes | trait [`Solver`](crate::numerics::Solver) |
//! | convex set | yes, but not for use in laws | trait [`ConvexSet`](crate::numerics::cone::ConvexSet), or a closure |
//! | moving set of a sweeping process | yes | trait [`MovingSet`](crate::sweeping::MovingSet) |
//! | sensor, observer, actuator | yes | traits of [`control`](crate::control) |
//! | equations with events and actions | yes | closures of [`HybridSystem`](crate::hybrid::HybridSystem) |
//! | loop over the steps | yes | methods of [`TimeStepping`](crate::kernel::simulation::TimeStepping) for the stages of a step |
//!
//! # A relation from functions
//!
//! A bead of mass $m$ \[kg\] slides without friction on a wire of shape $z = x^2/2$ \[m\]. The relation is
//! $y = h(q) = z - x^2/2$ with $q = (x, z)$, and the law requires $y = 0$.
//!
//! ```
//! use siconos::kernel::model::Relation;
//! use siconos::ndarray::array;
//! use siconos::prelude::*;
//!
//! fn main() -> Result<(), siconos::Error> {
//!     let (m, g, x0) = (2.0, 9.81, 0.5);
//!     let wire =
//!         LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = q[1] - 0.5 * q[0] * q[0])
//!             .with_jacobian(|_, q, j| {
//!                 j[[0, 0]] = -q[0];
//!                 j[[0, 1]] = 1.0;
//!             });
//!     // Compare the Jacobian with central differences at one point.
//!     Relation::from(wire.clone()).check_jacobians(0.0, &[0.3, 0.7], 1e-8)?;
//!
//!     let mut model = NonSmoothDynamicalSystem::new();
//!     let bead = LagrangianLinear::new(vec![x0, 0.5 * x0 * x0], vec![0.0, 0.0], array![m, m])
//!         .with_constant_external_force(vec![0.0, -m * g]);
//!     let bead = model.add_system(bead)?;
//!     let wire = model.add_interaction([bead], wire, EqualityCondition::new(1)?)?;
//!
//!     let grid = TimeDiscretisation::uniform(0.0, 1.0, 1e-3)?;
//!     let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//!     let mut state = simulation.initial_state(&model)?;
//!     let mut largest: f64 = 0.0;
//!     while simulation.step(&model, &mut state)?.is_some() {
//!         largest = largest.max(state.lambda(wire, Level::Acceleration)[0]);
//!         assert!(state.y(wire, Level::Position)[0].abs() < 1e-6);
//!     }
//!     // At the lowest point, the curvature is 1 per metre and v^2 = g x0^2, so the force of the
//!     // wire is m g (1 + x0^2).
//!     let exact = m * g * (1.0 + x0 * x0);
//!     assert!((largest - exact).abs() < 1e-4 * exact);
//!     assert!(state.q(bead)[0] < x0);
//!     Ok(())
//! }
//! ```
//!
//! 1. The function writes $y$ into its last argument, which is zeroed before the call. Its first argument,
//!    [`Parameters`](crate::kernel::model::Parameters), contains the parameters of the model.
//! 2. The Jacobian defines the direction of the reaction: $p = J(q)^T \lambda$, here $\lambda (-x, 1)$ \[N\].
//! 3. If you omit `with_jacobian`, J is computed by central finite differences. The motion then has about ten
//!    correct digits, and each step evaluates h more often.
//! 4. A wrong Jacobian often causes a wrong motion without an error. `check_jacobians` reports the wrong
//!    entry: "entry (0, 0) of the Jacobian \`derivative of h in q\` is 0.3, but finite differences give
//!    -0.2999999999954161".
//!
//! The systems determine the type of the relation. Derivatives that you do not give are computed by finite
//! differences, except in first-order relations:
//!
//! | type | functions | derivatives that you can give |
//! |---|---|---|
//! | [`LagrangianScleronomousRelation`](crate::kernel::model::LagrangianScleronomousRelation) | $h(q)$ | J |
//! | [`LagrangianRheonomousRelation`](crate::kernel::model::LagrangianRheonomousRelation) | $h(t, q)$ | J and $\partial_t h$ |
//! | [`NewtonEulerRelation`](crate::kernel::model::NewtonEulerRelation) | $h(t, q)$, seven coordinates per body | $\partial h/\partial q$; `with_input` sets a matrix G for the reaction $p = G^T \lambda$ |
//! | [`PointContact::new`](crate::kernel::model::PointContact::new) | closest points and normal of two bodies | none: the derivatives, and the tangents for friction, follow from the points and the normal |
//! | [`FirstOrderNonlinearRelation`](crate::kernel::model::FirstOrderNonlinearRelation) | $y = h(t, x, \lambda)$, $r = g(t, x, \lambda)$ | C, D, K, B: each must be declared |
//!
//! Event-driven simulation also needs the convective acceleration of y, $\dot J v$. By default, it is
//! computed by finite differences of sixth order; `with_convective_acceleration` sets it exactly.
//!
//! In a first-order relation, each of the matrices C, D, K and B must be declared as one of the variants of
//! [`RelationJacobian`](crate::kernel::model::RelationJacobian): `Zero`, `Constant`, `function(..)` or
//! `FiniteDifference`. If you forget a matrix, you get an error, not a zero matrix. The documentation of the
//! type contains an example.
//!
//! # A law built from existing laws
//!
//! You cannot add laws from outside, but you can combine existing laws. If several interactions have the same
//! relation, their forces are added. A compliance D in a relation acts as a spring in series. With these two
//! rules, you can build many piecewise linear laws:
//!
//! | law | built from |
//! |---|---|
//! | dry friction plus viscous friction, $-F \operatorname{sgn} v - c v$ | [`Relay`](crate::kernel::model::Relay) and [`SpringDamper`](crate::kernel::model::SpringDamper) with the same relation |
//! | elastic stop, $\max(-k y, 0)$ | [`ComplementarityCondition`](crate::kernel::model::ComplementarityCondition) with a linear relation and D = 1/k |
//! | bilinear spring, which is stiffer below $y_1$ | a spring, and an elastic stop with the offset $-y_1$ |
//! | backlash | two elastic stops of opposite sign; each also acts as a damper k h / 2, see [an elastic support](super::relations_and_laws) |
//! | adhesion | [`with_cohesion`](crate::kernel::model::NewtonImpactFriction::with_cohesion); or a law with memory, see below |
//! | saturation | [`Relay`](crate::kernel::model::Relay) in a first-order relation with D |
//! | brake that fades, supply that switches | [`Relay::of_time`](crate::kernel::model::Relay::of_time), whose bounds can depend on time and parameters |
//!
//! In this example, a mass $m$ slides with dry friction (force F) and viscous friction (coefficient c). It
//! starts with the velocity $v_0$ and stops after the time $t = (m/c) \ln(1 + c v_0/F)$ \[s\].
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let (m, c, force, v0) = (2.0, 0.5, 3.0, 4.0);
//! let mut model = NonSmoothDynamicalSystem::new();
//! let mass = model.add_system(LagrangianLinear::new(vec![0.0], vec![v0], array![m]))?;
//! let displacement = LagrangianLinearRelation::new(array![[1.0]]);
//! model.add_interaction([mass], displacement.clone(), Relay::symmetric(1, force)?)?;
//! model.add_interaction([mass], displacement, SpringDamper::new(0.0, c)?)?;
//!
//! let grid = TimeDiscretisation::uniform(0.0, 3.0, 1e-3)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut stop = None;
//! simulation.run(&model, &mut state, |report, state| {
//!     if stop.is_none() && state.v(mass)[0].abs() < 1e-12 {
//!         stop = Some(report.t);
//!     }
//! })?;
//! let exact = m / c * f64::ln(1.0 + c * v0 / force);
//! assert!(stop.is_some_and(|t| (t - exact).abs() < 1.1e-3));
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! **A law with memory.** A parameter of the model can contain the memory of a law. The loop over the steps
//! then updates this parameter. In this example, glue withstands a tension of up to 30 N; once broken, it
//! withstands no tension. The contact consists of two interactions:
//! [`NewtonImpact`](crate::kernel::model::NewtonImpact) pushes the bodies apart, and a relay pulls them
//! together until the glue breaks. A force that grows by 37 N/s pulls the body up.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let (mass, strength, rate) = (2.0, 30.0, 37.0);
//! let weight = mass * 9.81;
//! let mut model = NonSmoothDynamicalSystem::new();
//! let bond = model.add_parameter("bond [N]", vec![strength])?;
//! let body = LagrangianLinear::new(vec![0.0], vec![0.0], array![mass])
//!     .with_external_force(move |at, f| f[0] = rate * at.t - weight);
//! let body = model.add_system(body)?;
//! let gap = LagrangianLinearRelation::new(array![[1.0]]);
//! let push = model.add_interaction([body], gap.clone(), NewtonImpact::new(0.0)?)?;
//! // If the gap opens, the force is at the lower bound. If the force is between the bounds, the gap
//! // stays closed.
//! let glue = Relay::of_time(1, move |at, lower, upper| {
//!     (lower[0], upper[0]) = (-at[bond][0], 0.0);
//! })?;
//! model.add_interaction([body], gap, glue)?;
//! let grid = TimeDiscretisation::uniform(0.0, 1.6, 1e-3)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut breaks = None;
//! while let Some(report) = simulation.step(&model, &mut state)? {
//!     if breaks.is_none() && state.y(push, Level::Velocity)[0] > 1e-9 {
//!         breaks = Some(report.t);
//!         state.set_parameter(bond, &[0.0])?;
//!     }
//! }
//! let expected = (strength + weight) / rate;
//! assert!(breaks.is_some_and(|t| (t - expected).abs() < 1.5e-3));
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! # A solver
//!
//! A solver implements the trait [`Solver`](crate::numerics::Solver) for one
//! [`Class`](crate::numerics::method::Class) of problems. You can call a solver directly, or set it in a
//! simulation with [`TimeSteppingBuilder::solver`](crate::kernel::simulation::TimeSteppingBuilder::solver).
//! The solver in this example solves linear complementarity problems $0 \le w = M z + q \perp z \ge 0$ by
//! Gauss-Seidel sweeps:
//!
//! ```
//! use siconos::numerics::lcp::{Lcp, LcpProblem, error_of_point};
//! use siconos::numerics::method::Limits;
//! use siconos::numerics::{SolveInfo, Solver, SolverError, Status};
//! # use siconos::ndarray::array;
//! # use siconos::kernel::prelude::*;
//!
//! #[derive(Debug)]
//! struct Passes;
//!
//! impl Solver for Passes {
//!     type Class = Lcp;
//!
//!     fn name(&self) -> &'static str {
//!         "passes"
//!     }
//!
//!     fn limits(&self) -> Limits {
//!         Limits { tolerance: 1e-10, max_iterations: 1000 }
//!     }
//!
//!     fn solve(
//!         &mut self,
//!         problem: &LcpProblem<'_>,
//!         z: &mut [f64],
//!         w: &mut [f64],
//!     ) -> Result<SolveInfo, SolverError> {
//!         let Limits { tolerance, max_iterations } = self.limits();
//!         let m = problem.m().to_dense();
//!         let mut iterations = 0;
//!         loop {
//!             // This function writes w = M z + q. In the first pass, z is the initial guess.
//!             let error = error_of_point(problem, z, w);
//!             let status =
//!                 if error <= tolerance { Status::Converged } else { Status::MaxIterations };
//!             if status.is_success() || iterations == max_iterations {
//!                 return Ok(SolveInfo { status, iterations, error });
//!             }
//!             for i in 0..z.len() {
//!                 let w_i =
//!                     problem.q()[i] + (0..z.len()).map(|j| m[[i, j]] * z[j]).sum::<f64>();
//!                 z[i] = (z[i] - w_i / m[[i, i]]).max(0.0);
//!             }
//!             iterations += 1;
//!         }
//!     }
//! }
//!
//! // Three balls of 1 kg are stacked. The floor carries the weight of all three.
//! # let mut model = NonSmoothDynamicalSystem::new();
//! # let mut balls = Vec::new();
//! # for height in 0..3 {
//! #     let ball = LagrangianLinear::new(vec![f64::from(height)], vec![0.0], array![1.0]);
//! #     balls.push(model.add_system(ball.with_constant_external_force(vec![-9.81]))?);
//! # }
//! # let law = NewtonImpact::new(0.0)?;
//! # let floor = model.add_interaction([balls[0]], LagrangianLinearRelation::new(array![[1.0]]), law)?;
//! # for pair in balls.windows(2) {
//! #     let gap = LagrangianLinearRelation::new(array![[-1.0, 1.0]]).with_offset(vec![-1.0]);
//! #     model.add_interaction([pair[0], pair[1]], gap, law)?;
//! # }
//! let grid = TimeDiscretisation::uniform(0.0, 0.1, 0.01)?;
//! let mut simulation =
//!     TimeStepping::builder(&model).discretisation(grid).solver(Passes).build()?;
//! assert_eq!(simulation.solver(), "passes");
//! let mut state = simulation.initial_state(&model)?;
//! simulation.run(&model, &mut state, |report, _| assert!(report.is_converged))?;
//! let force = state.lambda(floor, Level::Acceleration)[0];
//! assert!((force - 3.0 * 9.81).abs() < 1e-7);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! - If the solver does not converge, return a [`Status`](crate::numerics::Status). Return `Err` only if the
//!   solver does not support the problem. To compute the error, use the error function of the class, as all
//!   solvers do.
//! - The simulation passes every one-step problem to the solver. If the class of the solver does not suit the
//!   model, `build` fails: "passes does not support a model with friction; it supports models without
//!   friction, relays or cones; .."
//! - A solver that you set solves the islands one after another, even if several threads are set.
//! - [`engine`](crate::numerics::engine) contains building blocks of the solvers in the library: Gauss-Seidel
//!   sweeps, Newton's method with line search, and projections. Its interface can change in any version.
//!
//! # A convex set
//!
//! A convex set is defined by its projection. Sets can be used in solvers for variational inequalities
//! ([`vi`](crate::numerics::vi)), in solvers for convex quadratic programs ([`qp`](crate::numerics::qp)), and
//! in sweeping processes. In this example, the set is a capsule: all points within the distance $r$ of a
//! segment with the half-length $a$. The capsule moves upwards and takes a point along:
//!
//! ```
//! use siconos::numerics::cone::ConvexSet;
//! use siconos::sweeping::{CatchingUp, MovingFrame};
//!
//! #[derive(Debug)]
//! struct Capsule {
//!     half_length: f64,
//!     radius: f64,
//! }
//!
//! impl ConvexSet for Capsule {
//!     fn project(&self, x: &mut [f64]) {
//!         let on_segment = x[0].clamp(-self.half_length, self.half_length);
//!         let distance = f64::hypot(x[0] - on_segment, x[1]);
//!         if distance > self.radius {
//!             let shrink = self.radius / distance;
//!             x[0] = on_segment + shrink * (x[0] - on_segment);
//!             x[1] *= shrink;
//!         }
//!     }
//! }
//!
//! let capsule = Capsule { half_length: 1.0, radius: 0.25 };
//! assert_eq!(capsule.distance(&[0.5, 1.0]), 0.75);
//! // The capsule rises at 1 m/s. Its flat lower side lifts the point along a straight line.
//! let moving = MovingFrame::translated(2, capsule, |t, centre| centre[1] = t);
//! let (mut sweep, mut x) = (CatchingUp::new(moving), [0.5, 0.0]);
//! for k in 0..100 {
//!     assert!(sweep.step(0.01 * f64::from(k), 0.01, &mut x)?.status.is_success());
//! }
//! assert!((x[0] - 0.5).abs() < 1e-12 && (x[1] - 0.75).abs() < 1e-12);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! The laws in `siconos-kernel` do not accept your own set: [`NormalCone`](crate::kernel::model::NormalCone)
//! takes a polyhedron, and [`ConeComplementarity`](crate::kernel::model::ConeComplementarity) takes
//! second-order cones.
//!
//! # Sensors and actuators
//!
//! A [`Sensor`](crate::control::Sensor) reads the state, and an [`Actuator`](crate::control::Actuator) writes
//! a parameter of the model. A [`ControlLoop`](crate::control::ControlLoop) calls them at their sampling
//! times. If an actuator has an internal state, its function `memory` must return this state, so that
//! [records](super::saving) contain it. In this example, a thermostat with hysteresis controls the heater of
//! a room, whose temperature satisfies $\dot T = -T/\tau + u$:
//!
//! ```
//! use siconos::control::{Actuator, ControlError, Ports, Sensor};
//! use siconos::kernel::model::At;
//! # use siconos::ndarray::array;
//! use siconos::prelude::*;
//!
//! /// Thermometer that rounds down to tenths of a degree.
//! #[derive(Debug)]
//! struct Thermometer(DynamicalSystemId);
//!
//! impl Sensor for Thermometer {
//!     fn size(&self) -> usize {
//!         1
//!     }
//!
//!     fn measure(
//!         &mut self,
//!         _model: &NonSmoothDynamicalSystem,
//!         state: &State,
//!         y: &mut [f64],
//!     ) -> Result<(), ControlError> {
//!         y[0] = (10.0 * state.x(self.0)[0]).floor() / 10.0;
//!         Ok(())
//!     }
//! }
//!
//! #[derive(Debug, Default)]
//! struct Thermostat {
//!     is_on: bool,
//! }
//!
//! impl Actuator for Thermostat {
//!     fn ports(&self) -> Ports {
//!         Ports { takes: 1, gives: 1, period: None }
//!     }
//!
//!     fn act(
//!         &mut self,
//!         _at: At<'_>,
//!         measured: &[f64],
//!         u: &mut [f64],
//!     ) -> Result<(), ControlError> {
//!         self.is_on = if self.is_on { measured[0] < 21.0 } else { measured[0] < 19.0 };
//!         u[0] = if self.is_on { 0.05 } else { 0.0 };
//!         Ok(())
//!     }
//!
//!     fn restart(&mut self) {
//!         self.is_on = false;
//!     }
//!
//!     fn memory(&self) -> Vec<f64> {
//!         vec![f64::from(self.is_on)]
//!     }
//!
//!     fn recall(&mut self, memory: &[f64]) -> bool {
//!         self.is_on = memory == [1.0];
//!         memory.len() == 1
//!     }
//! }
//!
//! let mut model = NonSmoothDynamicalSystem::new();
//! let heater = model.add_parameter("heater [K/s]", vec![0.0])?;
//! let room = FirstOrderLinear::new(vec![15.0], array![[-1.0 / 1000.0]]);
//! let room =
//!     model.add_system(room.with_source_function(move |at, b| b[0] = at[heater][0]))?;
//! let grid = TimeDiscretisation::uniform(0.0, 7200.0, 10.0)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//!
//! let mut control = ControlLoop::default();
//! let sampling = Sampling::every(10.0);
//! let thermometer = control.add_sensor(sampling, Thermometer(room));
//! control.add_actuator(sampling, Thermostat::default(), thermometer, heater)?;
//! control.schedule(&model, simulation.events_mut())?;
//! let mut state = simulation.initial_state(&model)?;
//! while let Some(report) = simulation.step(&model, &mut state)? {
//!     control.process(report.events, &model, &mut state)?;
//!     let temperature = state.x(room)[0];
//!     assert!(state.t < 300.0 || (18.7..21.5).contains(&temperature), "{temperature}");
//! }
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! For a feedback without an internal state, [`FunctionActuator`](crate::control::FunctionActuator) takes a
//! closure.
//!
//! # Adding laws and integrators to the library
//!
//! First check whether you can write your equations as a [hybrid system](super::hybrid_systems), whose events
//! and actions are closures, or as a [differential variational inequality](crate::sweeping::dvi).
//!
//! [`NonSmoothLaw`](crate::kernel::model::NonSmoothLaw) and
//! [`Integrator`](crate::kernel::integrator::Integrator) are enums. A model can therefore be cloned, compared
//! and written to a file, and every combination of relation, law and integrator is accepted or rejected when
//! a simulation is built. To add a law or an integrator, change `siconos-kernel`. The table lists the changes
//! for these and other additions:
//!
//! | addition | changes |
//! |---|---|
//! | law with rows of a known class (complementarity, equality, bounds, polyhedron, cone, friction) | a file in `model/nonsmooth_law/` with a `LawDescription`; a variant of `NonSmoothLaw`; the parameters of the law in `nonsmooth_problem/laws.rs` |
//! | law with rows of a new class | as above; also a class of problems and a solver in `siconos-numerics`, a `RowLaw`, and changes in `nonsmooth_problem/class.rs` and `solver.rs` |
//! | first-order integrator that is defined by theta, theta_r and gamma | weights and an `IntegratorDescription` in `integrator/`; a variant of `Integrator` |
//! | other integrator | as above; also the evaluation of a block in `integrator/`, and stages in `simulation/time_stepping/` |
//! | method for smooth integration | a stepper in `siconos-ode` |
//! | key in model files | files in the folder `model/` of `siconos-io` |
//!
//! `docs/architecture.md` in the repository describes the crates and the rules that apply everywhere. Most
//! `match` expressions on both enums are exhaustive, so the compiler lists the places that you must change.
//!
//! # Next
//!
//! - [Relations and laws](super::relations_and_laws): the existing relations and laws.
//! - [`siconos_numerics::guide`](crate::numerics::guide): classes of problems and their solvers.
//! - [Convergence problems](super::convergence): a wrong Jacobian, and other causes.
//! - The examples `nonlinear_relation` (a relation from functions) and `sampled_pid` (a control loop).
