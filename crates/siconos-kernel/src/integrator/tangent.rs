//! Mass, damping and stiffness of one Lagrangian system as dense matrices, for implicit schemes at
//! acceleration level.

use ndarray::Array2;
use siconos_numerics::linalg::Matrix;

use super::LagrangianRef;
use crate::model::dynamical_system::LagrangianScratch;
use crate::model::{At, Parameters};

/// The matrices of one system where they were evaluated last, and the memory for that.
#[derive(Clone, Debug)]
pub(crate) struct TangentWork {
    mass: Array2<f64>,
    /// Derivatives of the forces on the left-hand side: K and C of a linear system.
    stiffness: Array2<f64>,
    damping: Array2<f64>,
    scratch: LagrangianScratch,
}

impl TangentWork {
    pub(crate) fn new(system: LagrangianRef<'_>) -> Self {
        match system {
            LagrangianRef::General(system) => {
                let n = system.q0().len();
                let zeros = || Array2::zeros((n, n));
                Self { mass: zeros(), stiffness: zeros(), damping: zeros(), scratch: system.scratch() }
            }
            LagrangianRef::Linear(system) => {
                let n = system.q0().len();
                let dense = |matrix: Option<&Matrix>| {
                    matrix.map_or_else(|| Array2::zeros((n, n)), |matrix| matrix.view().to_dense())
                };
                Self {
                    mass: dense(Some(system.mass())),
                    stiffness: dense(system.stiffness()),
                    damping: dense(system.damping()),
                    scratch: LagrangianScratch::default(),
                }
            }
        }
    }

    /// Adds $M(q) a$ to `out`.
    pub(crate) fn add_inertia(
        &mut self,
        system: LagrangianRef<'_>,
        parameters: &Parameters,
        (q, a): (&[f64], &[f64]),
        out: &mut [f64],
    ) {
        if let LagrangianRef::General(system) = system {
            system.mass_into(parameters, q, &mut self.mass);
        }
        for (out, row) in out.iter_mut().zip(self.mass.rows()) {
            *out += row.iter().zip(a).map(|(m, a)| m * a).sum::<f64>();
        }
    }

    /// Writes $M + c C + k K$ at a point of the motion to the rows and columns from `first` on of a dense
    /// matrix of `size` rows.
    pub(crate) fn tangent_into(
        &mut self,
        system: LagrangianRef<'_>,
        (at, q, v): (At<'_>, &[f64], &[f64]),
        (c, k): (f64, f64),
        (matrix, first, size): (&mut [f64], usize, usize),
    ) {
        if let LagrangianRef::General(system) = system {
            system.mass_into(at.parameters(), q, &mut self.mass);
            system.jacobians_into(at, q, v, &mut self.scratch, &mut self.stiffness, &mut self.damping);
        }
        let rows = self.mass.rows().into_iter().zip(self.damping.rows()).zip(self.stiffness.rows());
        for (i, ((mass, damping), stiffness)) in rows.enumerate() {
            let start = (first + i) * size + first;
            let target = &mut matrix[start..start + q.len()];
            for (j, target) in target.iter_mut().enumerate() {
                *target = mass[j] + c * damping[j] + k * stiffness[j];
            }
        }
    }
}
