//! Heavy top on a ball joint: steady precession, nutation with cusps, and two treatments of joint reactions.
//!
//! A body of mass m = 1 kg rotates about a fixed point at the distance l = 0.5 m from its centre of mass. Its
//! moment of inertia about its axis is $I_3$ = 0.1 kg m2. Its moment of inertia about an axis through the
//! pivot perpendicular to its own axis is $I_1$ = 0.3 kg m2. At an inclination a of 1 rad, with an angular
//! velocity about its axis of $\omega_3$ = 60 rad/s, the top precesses steadily at the rates p that solve
//! (Goldstein, Classical Mechanics, section 5.7)
//!
//! $$ I_1 p^2 \cos a - I_3 \omega_3 p + m g l = 0. $$
//!
//! The slower rate is 0.836399 rad/s. In steady precession, the inclination is constant. Without initial
//! precession, the axis falls, is deflected sideways, and returns to rest in a cusp. Because the energy and
//! the angular momentum about the vertical are conserved, $u = \cos a$ stays between $u_0$ and the root of
//!
//! $$ (I_3 \omega_3)^2 (u_0 - u) = 2 I_1 m g l (1 - u^2). $$
//!
//! As plain text: I1 p^2 cos a - I3 w3 p + m g l = 0, and (I3 w3)^2 (u0 - u) = 2 I1 m g l (1 - u^2).
//!
//! The joint is an equality constraint. The direction of its reaction is evaluated either at the midpoint of
//! the step, which results in order 2, or at the end, which results in order 1 and a loss of energy. The
//! figure shows the path of the axis, the nutation, and the errors and energies of both treatments.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/heavy_top.svg"))]
//!
//! ```
//! use siconos_examples::heavy_top::HeavyTop;
//!
//! let table = HeavyTop::steady().simulate()?;
//! // The inclination remains 1 rad while the axis precesses.
//! assert!(table.column("z").expect("a column").all(|z| (z - 1.0_f64.cos()).abs() < 2e-5));
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Colour, Curve, Figure, Panel, Scale};
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::JointReaction;

use crate::{ExampleError, kinetic_energy, pairs, record};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct HeavyTop {
    /// Initial rate of precession \[rad/s\].
    pub precession: f64,
    /// Point in the step at which the direction of the joint reaction is evaluated.
    pub joint_reaction: JointReaction,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

/// Acceleration of gravity \[m/s2\].
pub const GRAVITY: f64 = 9.81;
/// Mass \[kg\].
pub const MASS: f64 = 1.0;
/// Distance from the pivot to the centre of mass \[m\].
pub const LENGTH: f64 = 0.5;
/// Principal moments of inertia about the centre of mass \[kg m2\]. The last is about the axis of symmetry.
pub const INERTIA: [f64; 3] = [0.05, 0.05, 0.1];
/// Initial inclination \[rad\].
pub const INCLINATION: f64 = 1.0;
/// Angular velocity about the axis \[rad/s\].
pub const SPIN: f64 = 60.0;

const MOMENT_ABOUT_PIVOT: f64 = INERTIA[0] + MASS * LENGTH * LENGTH;

/// Returns the slow rate of steady precession \[rad/s\].
#[must_use]
pub fn slow_precession() -> f64 {
    let (momentum, weight) = (INERTIA[2] * SPIN, MASS * GRAVITY * LENGTH);
    let square = MOMENT_ABOUT_PIVOT * INCLINATION.cos();
    // The smaller root, written without a difference of nearly equal numbers.
    2.0 * weight / (momentum + (momentum * momentum - 4.0 * square * weight).sqrt())
}

/// Returns the cosine of the largest inclination that the axis reaches after a release without precession.
#[must_use]
pub fn lowest_cosine() -> f64 {
    let ratio = (INERTIA[2] * SPIN).powi(2) / (2.0 * MOMENT_ABOUT_PIVOT * MASS * GRAVITY * LENGTH);
    let upper = INCLINATION.cos();
    // The cosine u solves u^2 - ratio u + ratio u0 - 1 = 0.
    let product = ratio * upper - 1.0;
    2.0 * product / (ratio + (ratio * ratio - 4.0 * product).sqrt())
}

impl HeavyTop {
    /// Creates the slow steady precession for one second.
    #[must_use]
    pub fn steady() -> Self {
        Self { precession: slow_precession(), joint_reaction: JointReaction::Middle, h: 1e-3, t_end: 1.0 }
    }

    /// Creates the release without precession, for about one revolution around the vertical.
    #[must_use]
    pub fn let_go() -> Self {
        Self { precession: 0.0, t_end: 7.5, ..Self::steady() }
    }

    /// Builds the model and returns it with the id of the top.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(&self) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId), ExampleError> {
        let (sine, cosine) = INCLINATION.sin_cos();
        let centre = [LENGTH * sine, 0.0, LENGTH * cosine];
        let attitude = Quaternion::about([0.0, 1.0, 0.0], INCLINATION);
        let velocity = [0.0, self.precession * LENGTH * sine, 0.0];
        let top = NewtonEuler::new(MASS, INERTIA, centre, attitude)
            .with_twist(velocity, [-self.precession * sine, 0.0, SPIN])
            .with_constant_external_force([0.0, 0.0, -MASS * GRAVITY]);
        let pivot = Joint::spherical(&top, [0.0; 3])?;
        let mut model = NonSmoothDynamicalSystem::new();
        let top = model.add_system(top)?;
        let condition = pivot.condition()?;
        model.add_interaction([top], pivot, condition)?;
        Ok((model, top))
    }

    /// Builds the simulation of a model created by [`model`](Self::model).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<TimeStepping, ExampleError> {
        let newton = NewtonSettings {
            tolerance: 1e-13,
            joint_reaction: self.joint_reaction,
            ..NewtonSettings::default()
        };
        Ok(TimeStepping::builder(model)
            .discretisation(TimeDiscretisation::uniform(0.0, self.t_end, self.h)?)
            .newton(newton)
            .build()?)
    }

    /// Simulates the motion. The table has the direction of the axis in the inertial frame and the energy, in
    /// the columns t, x, y, z, E. The component z is the cosine of the inclination.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (model, top) = self.model()?;
        record(&model, self.simulation(&model)?, ["t", "x", "y", "z", "E"], |state| {
            let q = state.q(top);
            let [x, y, z] = Quaternion::of_body(q).rotate([0.0, 0.0, 1.0]);
            let energy = kinetic_energy(MASS, INERTIA, state.v(top)) + MASS * GRAVITY * q[2];
            [state.t, x, y, z, energy]
        })
    }

    /// Returns the largest change of the cosine of the inclination. In steady precession, this change is an
    /// error.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn largest_change(&self) -> Result<f64, ExampleError> {
        let points = pairs(&self.simulate()?, "t", "z")?;
        Ok(points.iter().map(|(_, z)| (z - INCLINATION.cos()).abs()).fold(0.0, f64::max))
    }
}

const REACTIONS: [(JointReaction, &str); 2] =
    [(JointReaction::Middle, "reaction in the middle"), (JointReaction::End, "reaction at the end")];

/// Runs the example, prints the errors of steady precession, and writes `heavy_top.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    println!("a heavy top in steady precession, {:.6} rad/s: error of the cosine", slow_precession());
    let mut of_error = Panel::new("Error of the cosine over 1 s", "step h [ms]", "largest error");
    (of_error.x_scale, of_error.y_scale) = (Scale::Logarithmic, Scale::Logarithmic);
    let mut of_energy = Panel::new("Energy, h = 1 ms", "t [s]", "E [J]");
    for (k, (joint_reaction, label)) in REACTIONS.into_iter().enumerate() {
        let top = HeavyTop { joint_reaction, ..HeavyTop::steady() };
        let mut errors = Vec::new();
        for h in [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4] {
            let error = HeavyTop { h, ..top }.largest_change()?;
            println!("{label:>24}, h = {:5.2} ms: {error:.2e}", 1e3 * h);
            errors.push((1e3 * h, error));
        }
        let curves = [Curve::line(label, errors.clone()), Curve::points("", errors)];
        of_error.curves.extend(curves.map(|curve| curve.coloured(Colour::cycle(k))));
        of_energy = of_energy.with(Curve::line(label, pairs(&top.simulate()?, "t", "E")?));
    }
    let steady = HeavyTop { t_end: HeavyTop::let_go().t_end, ..HeavyTop::steady() }.simulate()?;
    let let_go = HeavyTop::let_go().simulate()?;
    let mut of_path = Panel::new("The axis seen from above, h = 1 ms", "x", "y")
        .with(Curve::line("let go", pairs(&let_go, "x", "y")?))
        .with(Curve::line("steady", pairs(&steady, "x", "y")?));
    // With these ranges, one unit has the same length on both axes.
    (of_path.x_range, of_path.y_range) = (Some((-1.2, 1.2)), Some((-1.0, 1.0)));
    let mut of_nutation = Panel::new("Cosine of the inclination", "t [s]", "cos a")
        .with(Curve::line("let go", pairs(&let_go, "t", "z")?))
        .with(Curve::line("steady", pairs(&steady, "t", "z")?))
        .with(Curve::dashed("exact lowest", vec![(0.0, lowest_cosine()), (2.0, lowest_cosine())]));
    of_nutation.x_range = Some((0.0, 2.0));
    let panels = vec![of_path, of_nutation, of_error, of_energy];
    let figure = Figure::grid("A heavy top with a spin of 60 rad/s", 2, panels).with_size(880, 800);
    crate::save(&figure, output, "heavy_top")
}
