//! Mass, damping and stiffness of one Lagrangian system as dense matrices, for implicit schemes at
//! acceleration level.

use ndarray::Array2;
use siconos_linalg::Matrix;

use crate::integrator::MassWorkspace;
use crate::model::dynamical_system::LagrangianScratch;
use crate::model::{At, DynamicalSystem, Parameters};

/// Matrices of one system at their last evaluation, and the workspace to evaluate them.
#[derive(Clone, Debug)]
pub(crate) struct TangentWorkspace {
    system: DynamicalSystem,
    mass: Array2<f64>,
    /// Derivatives of the forces on the left-hand side: K and C of a linear system.
    stiffness: Array2<f64>,
    damping: Array2<f64>,
    scratch: LagrangianScratch,
}

impl TangentWorkspace {
    /// Creates the workspace for the system to which the mass matrix belongs.
    pub(crate) fn new(mass: &MassWorkspace) -> Self {
        let system = mass.system();
        let n = system.v0().len();
        let dense = |matrix: Option<&Matrix>| {
            matrix.map_or_else(|| Array2::zeros((n, n)), |matrix| matrix.view().to_dense())
        };
        let (mut stiffness, mut damping, mut scratch) = (None, None, LagrangianScratch::default());
        match system {
            DynamicalSystem::Lagrangian(system) => scratch = system.scratch(),
            DynamicalSystem::LagrangianLinear(system) => {
                (stiffness, damping) = (system.stiffness(), system.damping());
            }
            _ => {}
        }
        Self {
            system: system.clone(),
            mass: dense(system.constant_mass()),
            stiffness: dense(stiffness),
            damping: dense(damping),
            scratch,
        }
    }

    /// Adds $M(q) a$ to `out`.
    pub(crate) fn add_inertia(&mut self, parameters: &Parameters, (q, a): (&[f64], &[f64]), out: &mut [f64]) {
        if let DynamicalSystem::Lagrangian(system) = &self.system {
            system.mass_into(parameters, q, &mut self.mass);
        }
        for (out, row) in out.iter_mut().zip(self.mass.rows()) {
            *out += row.iter().zip(a).map(|(m, a)| m * a).sum::<f64>();
        }
    }

    /// Evaluates $M + c C + k K$ at time `at`, positions q and velocities v, and writes the result into a
    /// dense matrix of `size` rows. The block starts at row and column `first`.
    pub(crate) fn tangent_into(
        &mut self,
        at: At<'_>,
        (q, v): (&[f64], &[f64]),
        (c, k): (f64, f64),
        matrix: &mut [f64],
        first: usize,
        size: usize,
    ) {
        if let DynamicalSystem::Lagrangian(system) = &self.system {
            system.mass_into(at.parameters(), q, &mut self.mass);
            system.jacobians_into(at, q, v, &mut self.scratch, &mut self.stiffness, &mut self.damping);
        }
        let rows = self.mass.rows().into_iter().zip(self.damping.rows()).zip(self.stiffness.rows());
        for (i, ((mass, damping), stiffness)) in rows.enumerate() {
            let start = (first + i) * size + first;
            let target = &mut matrix[start..start + v.len()];
            for (j, target) in target.iter_mut().enumerate() {
                *target = mass[j] + c * damping[j] + k * stiffness[j];
            }
        }
    }
}
