//! Kinetic energy and forces that do work, for second-order systems of any kind.

use std::sync::Arc;

use ndarray::Array2;
use siconos_linalg::dot;

use super::{DynamicalSystem, Lagrangian, LagrangianLinear, LagrangianScratch, NewtonEuler};
use crate::model::{At, Parameters};

/// System with a workspace for evaluating its kinetic energy and its forces.
#[derive(Clone, Debug)]
pub(crate) struct KineticWorkspace {
    system: System,
    /// Difference of two velocities.
    change: Vec<f64>,
    /// Sum of two velocities.
    sum: Vec<f64>,
    /// Product of M and a velocity.
    momentum: Vec<f64>,
}

#[derive(Clone, Debug)]
enum System {
    General(Arc<Lagrangian>, Box<LagrangianWorkspace>),
    Linear(Arc<LagrangianLinear>),
    Body(Arc<NewtonEuler>),
}

/// Workspace of a [`Lagrangian`] system. The matrices are empty if M is constant.
#[derive(Clone, Debug)]
struct LagrangianWorkspace {
    scratch: LagrangianScratch,
    mass: Array2<f64>,
    /// Change of M between two positions.
    mass_change: Array2<f64>,
}

/// Kinetic energy at one point of a motion, and its change since an earlier point \[J\].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kinetic {
    pub(crate) energy: f64,
    pub(crate) change: f64,
}

impl KineticWorkspace {
    /// Creates the workspace; `None` for a first-order system, which has no kinetic energy.
    pub(crate) fn of(system: &DynamicalSystem) -> Option<Self> {
        let n = system.v0().len();
        let zeros = || vec![0.0; n];
        let own = match system {
            DynamicalSystem::Lagrangian(system) => {
                let n = if system.constant_mass().is_some() { 0 } else { n };
                let (mass, mass_change) = (Array2::zeros((n, n)), Array2::zeros((n, n)));
                let memory = LagrangianWorkspace { scratch: system.scratch(), mass, mass_change };
                System::General(Arc::clone(system), Box::new(memory))
            }
            DynamicalSystem::LagrangianLinear(system) => System::Linear(Arc::clone(system)),
            DynamicalSystem::NewtonEuler(body) => System::Body(Arc::clone(body)),
            _ => return None,
        };
        Some(Self { system: own, change: zeros(), sum: zeros(), momentum: zeros() })
    }

    /// Returns the kinetic energy at (q, v) and its change since (q_k, v_k). With a constant mass, the change
    /// is computed as $\frac{1}{2} (v - v_k)^T M (v + v_k)$, because a difference of the two energies would
    /// contain their rounding errors.
    pub(crate) fn kinetic(
        &mut self,
        parameters: &Parameters,
        (q_k, v_k): (&[f64], &[f64]),
        (q, v): (&[f64], &[f64]),
    ) -> Kinetic {
        let Self { system, change, sum, momentum } = self;
        for (i, (v, v_k)) in v.iter().zip(v_k).enumerate() {
            (change[i], sum[i]) = (v - v_k, v + v_k);
        }
        let mut of_mass_itself = 0.0;
        if let System::General(system, memory) = system
            && system.constant_mass().is_none()
        {
            let LagrangianWorkspace { mass, mass_change, .. } = &mut **memory;
            system.mass_into(parameters, q_k, mass_change);
            system.mass_into(parameters, q, mass);
            mass_change.zip_mut_with(mass, |change, mass| *change = mass - *change);
            multiply(mass_change, v_k, momentum);
            of_mass_itself = 0.5 * dot(v_k, momentum);
        }
        system.momentum_into(v, momentum);
        let energy = 0.5 * dot(v, momentum);
        system.momentum_into(change, momentum);
        Kinetic { energy, change: 0.5 * dot(sum, momentum) + of_mass_itself }
    }

    /// Writes the forces on the right-hand side that do work: external, internal and control forces.
    /// Gyroscopic forces are not included, because they are inertial forces.
    pub(crate) fn forces_into(&mut self, at: At<'_>, q: &[f64], v: &[f64], out: &mut [f64]) {
        match &mut self.system {
            System::Linear(system) => system.forces_into(at, q, v, out),
            System::General(system, memory) => system.applied_forces_into(at, q, v, &mut memory.scratch, out),
            System::Body(body) => body.forces_into(at, q, v, out),
        }
    }
}

impl System {
    /// Writes M x with the most recently evaluated M.
    fn momentum_into(&self, x: &[f64], out: &mut [f64]) {
        let mass = match self {
            Self::General(system, memory) => match system.constant_mass() {
                Some(mass) => mass,
                None => return multiply(&memory.mass, x, out),
            },
            Self::Linear(system) => system.mass(),
            Self::Body(body) => {
                let turning = body.inertia().times([x[3], x[4], x[5]]);
                (0..3).for_each(|i| (out[i], out[3 + i]) = (body.mass() * x[i], turning[i]));
                return;
            }
        };
        out.fill(0.0);
        mass.add_product(1.0, x, out);
    }
}

fn multiply(matrix: &Array2<f64>, x: &[f64], out: &mut [f64]) {
    let rows = out.iter_mut().zip(matrix.rows());
    rows.for_each(|(out, row)| *out = row.iter().zip(x).map(|(m, x)| m * x).sum());
}
