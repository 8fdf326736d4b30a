//! Tippe top: a spinning top that friction turns upside down, and the conservation of Jellett's integral.
//!
//! A body with an axis of symmetry touches the floor with a sphere of radius R = 20 mm. At rest, the centre
//! of the sphere is a = 6 mm above the centre of mass. The mass is 20 g. The moments of inertia across and
//! along the axis are $A = \frac{131}{350} m R^2$ and $C = \frac{2}{5} m R^2$. If friction acts as long as
//! the contact slides, the top rises until it spins upside down, provided that with $\alpha = a / R$
//!
//! $$ 1 - \alpha < A / C < 1 + \alpha, \qquad
//!    \lambda > \frac{\sqrt{m g R^3 C \alpha} (1 + \alpha)^2}{\sqrt{1 + \alpha - A / C}} $$
//!
//! (Rauch-Wojciechowski, Skoldstam and Glad 2005; Rauch-Wojciechowski and Rutstam 2014). Here
//! $\lambda = L \cdot r$ is Jellett's integral, L is the angular momentum about the centre of mass, and r is
//! the vector from the contact point to the centre of mass. Under these conditions, the inverted spin has the
//! smallest energy of all motions with this $\lambda$, and the upright spin does not. As plain text: 1 -
//! alpha < A / C < 1 + alpha and lambda > sqrt(m g R^3 C alpha) (1 + alpha)^2 / sqrt(1 + alpha - A / C). This
//! threshold corresponds to 77 rad/s; the top starts with 155 rad/s.
//!
//! Any force at the contact point conserves $\lambda$, for any coefficient of friction, because the moment of
//! the force is perpendicular to r, and L is perpendicular to the change of r. A moment at the contact, as in
//! rolling friction, changes $\lambda$. In the inverted state with the same $\lambda$, the spin is
//! $(1 - \alpha) / (1 + \alpha)$ times the initial spin, and its sign about the axis of the body is reversed.
//!
//! Coulomb friction at a point can also stop the sliding. A top that is released with a spin about the
//! vertical keeps sliding and turns over, except for the last few degrees, during which it rolls. A top that
//! initially spins about its inclined axis slides for a tenth of a second, and then rolls without loss and
//! stays upright. For this reason, Leine and Glocker (2003) use Coulomb-Contensou friction, in which the
//! contact creeps if the body also rotates about the normal.
//!
//! The figure compares four tops: without friction, with Coulomb friction, with a spin about its own axis,
//! and with rolling friction.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/tippe_top.svg"))]
//!
//! ```
//! use siconos_examples::tippe_top::TippeTop;
//!
//! // In a tenth of a second, Jellett's integral is conserved up to the error of the scheme.
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
    /// Coefficient of rolling friction \[m\]. It is 0 for a contact that transmits no moment.
    pub mu_rolling: f64,
    /// Initial angular velocity \[rad/s\].
    pub spin: f64,
    /// `true` for an initial spin about the axis of the top, `false` for a spin about the vertical.
    pub about_own_axis: bool,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

/// Acceleration of gravity \[m/s2\].
pub const GRAVITY: f64 = 9.81;
/// Mass \[kg\].
pub const MASS: f64 = 0.02;
/// Radius of the sphere \[m\].
pub const RADIUS: f64 = 0.02;
/// Distance from the centre of mass to the centre of the sphere \[m\].
pub const OFFSET: f64 = 0.3 * RADIUS;
/// Principal moments of inertia about the centre of mass \[kg m2\]. The last is about the axis of symmetry.
pub const INERTIA: [f64; 3] = [131.0 / 350.0 * SQUARE, 131.0 / 350.0 * SQUARE, 0.4 * SQUARE];

const SQUARE: f64 = MASS * RADIUS * RADIUS;
/// Initial inclination \[rad\].
pub const INCLINATION: f64 = 0.1;

impl Default for TippeTop {
    fn default() -> Self {
        Self { mu: 0.1, mu_rolling: 0.0, spin: 155.0, about_own_axis: false, h: 5e-5, t_end: 4.0 }
    }
}

/// Returns the value of Jellett's integral above which the inverted spin is stable \[kg m3/s\].
#[must_use]
pub fn threshold() -> f64 {
    let alpha = OFFSET / RADIUS;
    let [across, _, along] = INERTIA;
    (MASS * GRAVITY * RADIUS.powi(3) * along * alpha).sqrt() * (1.0 + alpha).powi(2)
        / (1.0 + alpha - across / along).sqrt()
}

/// Returns the vector from the contact point to the centre of mass in the inertial frame.
fn above_contact(attitude: Quaternion) -> [f64; 3] {
    let [x, y, z] = attitude.rotate([0.0, 0.0, OFFSET]);
    [-x, -y, RADIUS - z]
}

impl TippeTop {
    /// Builds the model and returns it with the id of the top.
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

    /// Simulates the motion. The table has the cosine of the inclination, the height of the centre of mass,
    /// the angular velocity about the axis, Jellett's integral and the energy, in the columns t, cosine,
    /// height, spin, jellett, E.
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

/// Runs the example, prints the final state of each top, and writes `tippe_top.svg` and `.png`.
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
        // The curve without friction is drawn below the other curves.
        let curve = if top.mu == 0.0 { Curve::underlay } else { Curve::line };
        of_cosine = of_cosine.with(curve(label, pairs(&table, "t", "cosine")?));
        of_spin = of_spin.with(curve("", pairs(&table, "t", "spin")?));
        of_integral = of_integral.with(curve("", changes));
        of_energy = of_energy.with(curve("", scaled_pairs(&table, ("t", 1.0), ("E", 1e3))?));
    }
    let panels = vec![of_cosine, of_spin, of_integral, of_energy];
    crate::save(&Figure::grid("A tippe top with a spin of 155 rad/s", 2, panels), output, "tippe_top")
}
