//! Impacts by compression ([`MultipleImpact`](crate::model::MultipleImpact)): each island is solved
//! separately, with all touching contacts.

use crate::multiple_impact::{ImpactContact, MultipleImpact};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use siconos_linalg::{DenseLu, SingularMatrix};
use siconos_numerics::{SolveInfo, SolverError};

use super::{Constraint, LagrangianModes, MotionPoint};
use crate::integrator::larger;
use crate::nonsmooth_problem::{
    BilateralSystem, Blocks, Coefficients, NOTHING_TO_SOLVE, Tables, UnitaryIndex,
};
use crate::simulation::SimulationError;
use crate::threads::Threads;

/// Matrix of all touching contacts, and the solver.
#[derive(Debug)]
pub(super) struct MultipleImpacts {
    system: BilateralSystem,
    /// Contact of each row of the matrix; `None` for an equality.
    contacts: Vec<Option<ImpactContact>>,
    solver: MultipleImpact,
    lu: DenseLu,
}

impl MultipleImpacts {
    pub(super) fn new(tables: &Tables) -> Self {
        let system = BilateralSystem::new(tables);
        let (solver, lu) = (MultipleImpact::default(), DenseLu::default());
        Self { system, contacts: Vec::new(), solver, lu }
    }
}

/// Reason why the impact of an island has no solution.
enum Unsolved {
    Equalities(SingularMatrix),
    Solver(SolverError),
}

impl LagrangianModes {
    /// Returns `true` if, at all approaching contacts, the flight before the impact was not higher than the
    /// rounding error of the gap. An impact of this size is plastic, so that all bodies stay together.
    /// Otherwise, in a column of bodies, each impact would slightly lift the bodies above, and the impacts
    /// would never end in floating-point arithmetic.
    pub(super) fn settles(&self) -> bool {
        let approaches = |place: &UnitaryIndex| {
            self.touching[*place] && !self.is_bilateral(*place) && self.gap_velocity(*place) < 0.0
        };
        // A fall from the height s ends with the speed sqrt(2 a s).
        let is_unresolved = |place: UnitaryIndex| {
            let fall = -self.point.y_ddot[self.tables.unitary[place].first_row().index()];
            self.gap_velocity(place).powi(2) <= 4.0 * fall * self.gap_resolution(place)
        };
        let mut approaching = self.tables.unitary.places().filter(approaches).peekable();
        approaching.peek().is_some() && approaching.all(is_unresolved)
    }

    /// Computes the percussions of an impact of the selected contacts (`members`). All of them must touch,
    /// and the masses must be factorised.
    pub(super) fn solve_by_compression(&mut self, point: &MotionPoint) -> Result<SolveInfo, SimulationError> {
        let Self { tables, kinematics, delassus, masses, members, constraints, constant, .. } = self;
        let Some(multiple) = &mut self.multiple else { return Ok(NOTHING_TO_SOLVE) };
        multiple.system.set_members(tables, members.iter().copied());
        let coefficients = Coefficients::of_jacobian(&kinematics.jacobian);
        delassus.want(tables, 1.0, *constant, multiple.system.rows().iter().copied());
        delassus.solve_wanted(tables, &Threads::default(), masses, coefficients, 1.0);
        multiple.system.gather(Blocks { tables, delassus, coefficients, h: 1.0 });
        multiple.contacts.clear();
        for &member in multiple.system.members() {
            let contact = match constraints[member] {
                Constraint::ByCompression(contact) => Some(contact),
                _ => None,
            };
            let rows = tables.unitary[member].rows.len();
            multiple.contacts.extend(std::iter::repeat_n(contact, rows));
        }
        let mut told = NOTHING_TO_SOLVE;
        let MultipleImpacts { system, contacts, solver, lu } = multiple;
        let rows = system.rows();
        for (own, matrix) in system.parts() {
            let velocity = own.iter().map(|&k| point.y_dot[rows[k].index()]).collect();
            let contacts: Vec<_> = own.iter().map(|&k| contacts[k]).collect();
            let solved = solve_island(solver, lu, matrix.view(), &contacts, velocity);
            let (percussions, info) = solved.map_err(|unsolved| match unsolved {
                Unsolved::Equalities(source) => SimulationError::DependentConstraints { t: point.t, source },
                Unsolved::Solver(source) => SimulationError::OneStepProblem { step: 0, t: point.t, source },
            })?;
            if !info.status.is_success() {
                let SolveInfo { status, iterations, error } = info;
                return Err(SimulationError::NotConverged { step: 0, t: point.t, status, iterations, error });
            }
            told.iterations += info.iterations;
            told.error = larger(told.error, info.error);
            own.iter().zip(percussions).for_each(|(&k, p)| self.posed.z[rows[k].index()] = p);
        }
        Ok(told)
    }
}

/// Computes the percussions of an island. The equalities are eliminated by
/// $P_e = -A_{ee}^{-1} (u_e + A_{ec} P_c)$.
fn solve_island(
    solver: &mut MultipleImpact,
    lu: &mut DenseLu,
    a: ArrayView2<'_, f64>,
    contacts: &[Option<ImpactContact>],
    velocity: Array1<f64>,
) -> Result<(Array1<f64>, SolveInfo), Unsolved> {
    let places = |is_contact: bool| -> Vec<usize> {
        (0..contacts.len()).filter(|&k| contacts[k].is_some() == is_contact).collect()
    };
    let (of_contacts, of_equalities) = (places(true), places(false));
    let part = |rows: &[usize], columns: &[usize]| a.select(Axis(0), rows).select(Axis(1), columns);
    let mut reduced = part(&of_contacts, &of_contacts);
    let mut u = velocity.select(Axis(0), &of_contacts);
    // Computes A_ee^-1 [A_ec, u_e].
    let mut held = Array2::zeros((of_equalities.len(), of_contacts.len() + 1));
    if !of_equalities.is_empty() {
        lu.factor(part(&of_equalities, &of_equalities).view()).map_err(Unsolved::Equalities)?;
        held.slice_mut(ndarray::s![.., ..of_contacts.len()]).assign(&part(&of_equalities, &of_contacts));
        held.column_mut(of_contacts.len()).assign(&velocity.select(Axis(0), &of_equalities));
        for mut column in held.columns_mut() {
            let mut x = column.to_vec();
            lu.solve(&mut x);
            column.assign(&ArrayView1::from(&x));
        }
        let through = part(&of_contacts, &of_equalities).dot(&held);
        reduced -= &through.slice(ndarray::s![.., ..of_contacts.len()]);
        u -= &through.column(of_contacts.len());
    }
    let laws: Vec<_> = contacts.iter().copied().flatten().collect();
    let (mut u, mut p) = (u.to_vec(), vec![0.0; laws.len()]);
    let info = solver.solve((&reduced).into(), &laws, &mut u, &mut p).map_err(Unsolved::Solver)?;
    let p = Array1::from(p);
    let of_held = held.slice(ndarray::s![.., ..p.len()]).dot(&p) + held.column(p.len());
    let mut percussions = Array1::zeros(contacts.len());
    of_contacts.iter().zip(&p).for_each(|(&k, p)| percussions[k] = *p);
    of_equalities.iter().zip(&of_held).for_each(|(&k, p)| percussions[k] = -p);
    Ok((percussions, info))
}
