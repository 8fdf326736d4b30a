//! A heavy top on a ball joint: steady precession, nutation with cusps, and where a joint reacts in a step.
//!
//! A body of m = 1 kg with moments $I_1$ = 0.3 kg m2 across its axis, about the pivot, and $I_3$ = 0.1 kg m2
//! about it turns about a fixed point l = 0.5 m from its centre of mass. At an inclination a of 1 rad and
//! with an angular velocity about its axis of $\omega_3$ = 60 rad/s it precesses steadily with the rates p
//! that solve (Goldstein, Classical Mechanics, section 5.7)
//!
//! $$ I_1 p^2 \cos a - I_3 \omega_3 p + m g l = 0, $$
//!
//! the slower of which is 0.836399 rad/s. The cosine of the inclination then stays what it is. Without that
//! precession at first the axis falls, is turned aside and comes back to rest in a cusp: with $u = \cos a$
//! energy and angular momentum about the vertical are kept where u is between $u_0$ and the root of
//!
//! $$ (I_3 \omega_3)^2 (u_0 - u) = 2 I_1 m g l (1 - u^2). $$
//!
//! As plain text: I1 p^2 cos a - I3 w3 p + m g l = 0, and (I3 w3)^2 (u0 - u) = 2 I1 m g l (1 - u^2).
//!
//! The joint is an equality; a step takes the direction of its reaction in the middle, which makes the
//! scheme one of order 2, or at the end, which makes it one of order 1 that loses energy.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/heavy_top.svg"))]
//!
//! ```
//! use siconos_examples::heavy_top::HeavyTop;
//!
//! let table = HeavyTop::steady().simulate()?;
//! // The inclination stays 1 rad while the axis goes round.
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
    /// Rate of precession at first \[rad/s\].
    pub precession: f64,
    /// Where the direction of the reaction of the joint is taken.
    pub joint_reaction: JointReaction,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

/// Gravity \[m/s2\].
pub const GRAVITY: f64 = 9.81;
/// Mass \[kg\].
pub const MASS: f64 = 1.0;
/// From the pivot to the centre of mass \[m\].
pub const LENGTH: f64 = 0.5;
/// Moments of inertia about the centre of mass, the last one about the axis \[kg m2\].
pub const INERTIA: [f64; 3] = [0.05, 0.05, 0.1];
/// Inclination at first \[rad\].
pub const INCLINATION: f64 = 1.0;
/// Angular velocity about the axis \[rad/s\].
pub const SPIN: f64 = 60.0;

const MOMENT_ABOUT_PIVOT: f64 = INERTIA[0] + MASS * LENGTH * LENGTH;

/// The slow rate of steady precession \[rad/s\].
#[must_use]
pub fn slow_precession() -> f64 {
    let (momentum, weight) = (INERTIA[2] * SPIN, MASS * GRAVITY * LENGTH);
    let square = MOMENT_ABOUT_PIVOT * INCLINATION.cos();
    // The smaller root without the difference of two numbers that are nearly equal.
    2.0 * weight / (momentum + (momentum * momentum - 4.0 * square * weight).sqrt())
}

/// The cosine of the largest inclination that the axis reaches when it is let go without precession.
#[must_use]
pub fn lowest_cosine() -> f64 {
    let ratio = (INERTIA[2] * SPIN).powi(2) / (2.0 * MOMENT_ABOUT_PIVOT * MASS * GRAVITY * LENGTH);
    let upper = INCLINATION.cos();
    // u^2 - ratio u + ratio u0 - 1 = 0.
    let product = ratio * upper - 1.0;
    2.0 * product / (ratio + (ratio * ratio - 4.0 * product).sqrt())
}

impl HeavyTop {
    /// The slow steady precession for one second.
    #[must_use]
    pub fn steady() -> Self {
        Self { precession: slow_precession(), joint_reaction: JointReaction::Middle, h: 1e-3, t_end: 1.0 }
    }

    /// Let go without precession, for about a turn around the vertical.
    #[must_use]
    pub fn let_go() -> Self {
        Self { precession: 0.0, t_end: 7.5, ..Self::steady() }
    }

    /// The model and the top.
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

    /// The direction of the axis in space, its last component the cosine of the inclination, and the energy
    /// over time: columns t, x, y, z, E.
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

    /// The largest change of the cosine of the inclination, which is an error in steady precession.
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

/// Runs the example: prints the errors of steady precession and writes `heavy_top.svg` and `.png`.
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
    // A circle is to look like one.
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
