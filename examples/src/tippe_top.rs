//! The tippe top, which turns over and then spins on its head; what friction keeps and what it does not.
//!
//! A body with an axis of symmetry touches the floor with a sphere of radius R = 20 mm, whose centre is a = 6
//! mm from the centre of mass, above it at rest. Its mass is 20 g, its moments of inertia across and along
//! the axis are $A = \frac{131}{350} m R^2$ and $C = \frac{2}{5} m R^2$. Where friction goes on as long as
//! the contact slides, the top rises until it spins upside down if, with $\alpha = a / R$,
//!
//! $$ 1 - \alpha < A / C < 1 + \alpha, \qquad
//!    \lambda > \frac{\sqrt{m g R^3 C \alpha} (1 + \alpha)^2}{\sqrt{1 + \alpha - A / C}} $$
//!
//! (Rauch-Wojciechowski, Skoldstam and Glad 2005; Rauch-Wojciechowski and Rutstam 2014): of all motions with
//! this value of Jellett's integral $\lambda = L \cdot r$ the inverted spin then has the smallest energy,
//! and the upright one does not. L is the angular momentum about the centre of mass, r the vector to it from
//! the point of contact. As plain text: 1 - alpha < A / C < 1 + alpha and
//! lambda > sqrt(m g R^3 C alpha) (1 + alpha)^2 / sqrt(1 + alpha - A / C). That value belongs to 77 rad/s;
//! the top starts with 155 rad/s.
//!
//! Any force in the point of contact keeps $\lambda$, whatever the coefficient of friction: its moment is
//! perpendicular to r, and L to the change of r. A moment does not, and rolling friction transmits one.
//! Upside down with the same $\lambda$ the spin is $(1 - \alpha) / (1 + \alpha)$ of what it was, and about
//! the axis of the body its sign has changed.
//!
//! Coulomb's friction in a point can do one thing more: hold the contact. A top that is thrown with a spin
//! about the vertical goes on sliding and turns over, but for the last few degrees, which it rolls. One that
//! spins about its inclined axis slides for a tenth of a second and then rolls, without loss and for ever
//! upright. (For that reason Leine and Glocker 2003 have friction of Coulomb and Contensou, in which a
//! contact that drills creeps.)
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/tippe_top.svg"))]
//!
//! ```
//! use siconos_examples::tippe_top::TippeTop;
//!
//! // One tenth of a second: Jellett's integral is kept to the error of the scheme.
//! let table = TippeTop { t_end: 0.1, ..TippeTop::default() }.simulate()?;
//! let integral: Vec<f64> = table.column("jellett").expect("a column").collect();
//! assert!(integral.iter().all(|value| (value / integral[0] - 1.0).abs() < 1e-3));
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::model::ContactPoints;
use siconos_kernel::prelude::*;

use crate::{ExampleError, kinetic_energy, pairs, record, scaled_pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct TippeTop {
    /// Coefficient of friction.
    pub mu: f64,
    /// Coefficient of rolling friction \[m\]; 0 for a contact that transmits no moment.
    pub mu_rolling: f64,
    /// Angular velocity at first \[rad/s\].
    pub spin: f64,
    /// Whether the top spins about its own axis at first; else about the vertical.
    pub about_own_axis: bool,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

/// Gravity \[m/s2\].
pub const GRAVITY: f64 = 9.81;
/// Mass \[kg\].
pub const MASS: f64 = 0.02;
/// Radius of the sphere \[m\].
pub const RADIUS: f64 = 0.02;
/// From the centre of mass to that of the sphere \[m\].
pub const OFFSET: f64 = 0.3 * RADIUS;
/// Moments of inertia about the centre of mass, the last one about the axis \[kg m2\].
pub const INERTIA: [f64; 3] = [131.0 / 350.0 * SQUARE, 131.0 / 350.0 * SQUARE, 0.4 * SQUARE];

const SQUARE: f64 = MASS * RADIUS * RADIUS;
/// Inclination at first \[rad\].
pub const INCLINATION: f64 = 0.1;

impl Default for TippeTop {
    fn default() -> Self {
        Self { mu: 0.1, mu_rolling: 0.0, spin: 155.0, about_own_axis: false, h: 5e-5, t_end: 4.0 }
    }
}

/// The value of Jellett's integral above which the inverted spin is stable \[kg m3/s\].
#[must_use]
pub fn threshold() -> f64 {
    let alpha = OFFSET / RADIUS;
    let [across, _, along] = INERTIA;
    (MASS * GRAVITY * RADIUS.powi(3) * along * alpha).sqrt() * (1.0 + alpha).powi(2)
        / (1.0 + alpha - across / along).sqrt()
}

/// From the point of contact to the centre of mass, along the axes of space.
fn above_contact(attitude: Quaternion) -> [f64; 3] {
    let [x, y, z] = attitude.rotate([0.0, 0.0, OFFSET]);
    [-x, -y, RADIUS - z]
}

impl TippeTop {
    /// The model and the top.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(&self) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId), ExampleError> {
        let attitude = Quaternion::about([0.0, 1.0, 0.0], INCLINATION);
        let height = above_contact(attitude)[2];
        let axis = [0.0, 0.0, self.spin];
        let spin = if self.about_own_axis { axis } else { attitude.rotate_back(axis) };
        let top = NewtonEuler::new(MASS, INERTIA, [0.0, 0.0, height], attitude)
            .with_twist([0.0; 3], spin)
            .with_constant_external_force([0.0, 0.0, -MASS * GRAVITY]);
        let has_moment = self.mu_rolling > 0.0;
        let rows = if has_moment { ContactRows::Rolling } else { ContactRows::Friction };
        let floor = PointContact::new(rows, |_, q| {
            let [x, y, above] = above_contact(Quaternion::of_body(q));
            let lowest = [q[0] - x, q[1] - y, q[2] - above];
            ContactPoints { first: lowest, second: [lowest[0], lowest[1], 0.0], normal: [0.0, 0.0, 1.0] }
        });
        let friction = NewtonImpactFriction::in_space(0.0, self.mu)?;
        let law = if has_moment { friction.with_rolling(self.mu_rolling)? } else { friction };
        let mut model = NonSmoothDynamicalSystem::new();
        let top = model.add_system(top)?;
        model.add_interaction([top], floor, law)?;
        Ok((model, top))
    }

    /// Builds the simulation of a model created by [`model`](Self::model).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<TimeStepping, ExampleError> {
        Ok(TimeStepping::builder(model)
            .discretisation(TimeDiscretisation::uniform(0.0, self.t_end, self.h)?)
            .tolerance(1e-12)
            .build()?)
    }

    /// Cosine of the inclination, height of the centre of mass, angular velocity about the axis, Jellett's
    /// integral and energy over time: columns t, cosine, height, spin, jellett, E.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (model, top) = self.model()?;
        let columns = ["t", "cosine", "height", "spin", "jellett", "E"];
        record(&model, self.simulation(&model)?, columns, |state| {
            let (q, v) = (state.q(top), state.v(top));
            let attitude = Quaternion::of_body(q);
            let momentum = attitude.rotate([INERTIA[0] * v[3], INERTIA[1] * v[4], INERTIA[2] * v[5]]);
            let jellett = above_contact(attitude).iter().zip(momentum).map(|(r, l)| r * l).sum();
            let energy = kinetic_energy(MASS, INERTIA, v) + MASS * GRAVITY * q[2];
            [state.t, attitude.rotate([0.0, 0.0, 1.0])[2], q[2], v[5], jellett, energy]
        })
    }
}

/// Runs the example: prints how each top ends and writes `tippe_top.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let coulomb = TippeTop::default();
    let tops = [
        (TippeTop { mu: 0.0, ..coulomb }, "no friction"),
        (coulomb, "\u{3bc} = 0.1"),
        (TippeTop { about_own_axis: true, ..coulomb }, "about its axis"),
        (TippeTop { mu_rolling: 1e-4, ..coulomb }, "rolling friction"),
    ];
    println!("the tippe top after {} s; it turns over above {:.3e} kg m3/s", coulomb.t_end, threshold());
    println!(
        "{:>18} {:>18} {:>12} {:>10} {:>12}",
        "", "Jellett [kg m3/s]", "change [%]", "cosine", "spin [rad/s]"
    );
    let mut of_cosine = Panel::new("Cosine of the inclination", "t [s]", "cos");
    let mut of_spin = Panel::new("Spin about the axis of the body", "t [s]", "\u{3a9}3 [rad/s]");
    let mut of_integral = Panel::new("Jellett's integral", "t [s]", "change of L \u{b7} r [%]");
    let mut of_energy = Panel::new("Energy", "t [s]", "E [mJ]");
    for (top, label) in tops {
        let table = top.simulate()?;
        let mut changes = pairs(&table, "t", "jellett")?;
        let first = changes.first().map_or(f64::NAN, |(_, value)| *value);
        changes.iter_mut().for_each(|(_, value)| *value = 100.0 * (*value / first - 1.0));
        if let (Some(end), Some((_, change))) = (table.rows().last(), changes.last()) {
            println!("{label:>18} {first:18.3e} {change:12.4} {:10.6} {:12.4}", end[1], end[3]);
        }
        // Other curves lie on the one without friction.
        let curve = if top.mu == 0.0 { Curve::underlay } else { Curve::line };
        of_cosine = of_cosine.with(curve(label, pairs(&table, "t", "cosine")?));
        of_spin = of_spin.with(curve("", pairs(&table, "t", "spin")?));
        of_integral = of_integral.with(curve("", changes));
        of_energy = of_energy.with(curve("", scaled_pairs(&table, ("t", 1.0), ("E", 1e3))?));
    }
    let panels = vec![of_cosine, of_spin, of_integral, of_energy];
    crate::save(&Figure::grid("A tippe top with a spin of 155 rad/s", 2, panels), output, "tippe_top")
}
