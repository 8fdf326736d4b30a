//! Free body that flips repeatedly (Dzhanibekov effect, or tennis racket theorem).
//!
//! Rotation about the intermediate principal axis of inertia is unstable. A body with moments of inertia 1,
//! 2, 3 kg m2 that rotates about the second axis with 1 rad/s, and about the other two with $10^{-3}$ rad/s,
//! flips every
//!
//! $$ \frac{2 K(m)}{p} = 27.53 \text{ s}, \qquad p^2 = \frac{(I_3 - I_2)(L^2 - 2 T I_1)}{I_1 I_2 I_3}, \qquad
//!    m = \frac{(I_2 - I_1)(2 T I_3 - L^2)}{(I_3 - I_2)(L^2 - 2 T I_1)}, $$
//!
//! where K is the complete elliptic integral, T the kinetic energy and L the angular momentum (Landau and
//! Lifshitz, Mechanics, section 37). The figure shows the angular velocity in the body frame, and the kinetic
//! energy for three treatments of the gyroscopic moment. If the moment is evaluated at the midpoint of each
//! step, T is conserved up to rounding for any step length. If the moment is evaluated at the start of the
//! step, energy is added.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/free_body_flip.svg"))]
//!
//! ```
//! use siconos_examples::free_body_flip::FreeBody;
//!
//! let table = FreeBody { t_end: 20.0, ..FreeBody::default() }.simulate()?;
//! let energies: Vec<f64> = table.column("T").expect("a column").collect();
//! assert!(energies.iter().all(|energy| (energy / energies[0] - 1.0).abs() < 1e-12));
//! let omega: Vec<f64> = table.column("omega2").expect("a column").collect();
//! assert!(omega[0] > 0.99 && omega.last().is_some_and(|last| *last < -0.9), "it has turned over");
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::integrator::GyroscopicTerm;
use siconos_kernel::model::{NewtonEuler, Quaternion};
use siconos_kernel::prelude::*;

use crate::{ExampleError, pairs, record};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct FreeBody {
    /// Point in the step at which the gyroscopic moment is evaluated.
    pub gyroscopic: GyroscopicTerm,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

const INERTIA: [f64; 3] = [1.0, 2.0, 3.0];

impl Default for FreeBody {
    fn default() -> Self {
        Self { gyroscopic: GyroscopicTerm::Middle, h: 0.05, t_end: 100.0 }
    }
}

impl FreeBody {
    /// Builds the model and returns it with the id of the body.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(&self) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId), ExampleError> {
        let body = NewtonEuler::new(1.0, INERTIA, [0.0; 3], Quaternion::IDENTITY)
            .with_twist([0.0; 3], [1e-3, 1.0, 1e-3]);
        let mut model = NonSmoothDynamicalSystem::new();
        let body = model.add_system(body)?;
        Ok((model, body))
    }

    /// Builds the simulation of a model created by [`model`](Self::model).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<TimeStepping, ExampleError> {
        Ok(TimeStepping::builder(model)
            .discretisation(TimeDiscretisation::uniform(0.0, self.t_end, self.h)?)
            .integrator(MoreauJean { gyroscopic: self.gyroscopic, ..MoreauJean::default() })
            .newton(NewtonSettings { tolerance: 1e-14, ..NewtonSettings::default() })
            .build()?)
    }

    /// Simulates the motion. The table has the angular velocity in the body frame and the kinetic energy, in
    /// the columns t, omega1, omega2, omega3, T.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (model, body) = self.model()?;
        record(&model, self.simulation(&model)?, ["t", "omega1", "omega2", "omega3", "T"], |state| {
            let omega = &state.v(body)[3..];
            let energy = 0.5 * omega.iter().zip(INERTIA).map(|(w, i)| i * w * w).sum::<f64>();
            [state.t, omega[0], omega[1], omega[2], energy]
        })
    }
}

/// Runs the example, prints the times at which the body flips, and writes `free_body_flip.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let table = FreeBody::default().simulate()?;
    println!("a body with three axes: the second component of its angular velocity changes sign at");
    let points = pairs(&table, "t", "omega2")?;
    for pair in points.windows(2).filter(|pair| pair[0].1 * pair[1].1 < 0.0) {
        let ((t, before), (_, after)) = (pair[0], pair[1]);
        println!("{:8.3} s", t + (pair[1].0 - t) * before / (before - after));
    }
    let mut of_omega = Panel::new("Angular velocity", "t [s]", "\u{3a9} [rad/s]");
    for (name, label) in [("omega1", "\u{3a9}1"), ("omega2", "\u{3a9}2"), ("omega3", "\u{3a9}3")] {
        of_omega = of_omega.with(Curve::line(label, pairs(&table, "t", name)?));
    }
    let mut of_energy = Panel::new("Kinetic energy by the place of the gyroscopic moment", "t [s]", "T [J]");
    for (gyroscopic, label) in [
        (GyroscopicTerm::Middle, "in the middle"),
        (GyroscopicTerm::Ends, "at both ends"),
        (GyroscopicTerm::Explicit, "at the beginning"),
    ] {
        let table = FreeBody { gyroscopic, ..FreeBody::default() }.simulate()?;
        of_energy = of_energy.with(Curve::line(label, pairs(&table, "t", "T")?));
    }
    let figure = Figure::new("A body that turns over, h = 50 ms", vec![of_omega, of_energy]);
    crate::save(&figure, output, "free_body_flip")
}
