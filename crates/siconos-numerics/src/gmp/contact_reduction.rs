//! Reduction to a problem of contacts alone.

use ndarray::{Array1, Array2};
use siconos_linalg::Csc;

use super::elimination::SchurReduction;
use super::residual::{begin, is_solution};
use super::{GenericMechanicalProblem, Gmp, MechanicalLaw, error_of_point};
use crate::cascade::{Budget, Stage};
use crate::contact::{self, ContactLaw, ContactProblem};
use crate::effort::EffortLimit;
use crate::error::SolverError;
use crate::info::{SolveInfo, Status};
use crate::method::{Limits, Solver};

/// Position of the unknown of a relay within its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Between,
    Lower,
    Upper,
}

/// One unknown of a relay.
#[derive(Clone, Copy, Debug)]
struct RelayUnknown {
    row: usize,
    bounds: [f64; 2],
    at: Bound,
}

impl RelayUnknown {
    /// Returns the value of the unknown at a bound; `None` between the bounds.
    fn fixed(&self) -> Option<f64> {
        match self.at {
            Bound::Between => None,
            Bound::Lower => Some(self.bounds[0]),
            Bound::Upper => Some(self.bounds[1]),
        }
    }

    /// Returns the position that z and w indicate. `response` is the diagonal entry of M.
    fn indicated(&self, z: f64, w: f64, response: f64) -> Bound {
        let [lower, upper] = self.bounds;
        let target = z - w / response.abs().max(f64::MIN_POSITIVE);
        if target <= lower {
            Bound::Lower
        } else if target >= upper {
            Bound::Upper
        } else {
            Bound::Between
        }
    }
}

/// Friction of all contacts of a problem, which have equal dimensions.
#[derive(Debug)]
struct Friction {
    dimension: usize,
    mu: Vec<f64>,
    /// Empty without rolling friction.
    mu_rolling: Vec<f64>,
}

/// Returns the common dimension of all contacts. Returns `None` without contacts, if a law is neither an
/// equality, a relay nor friction, or if contacts have different dimensions or kinds of friction.
fn common_dimension(laws: &[MechanicalLaw]) -> Option<usize> {
    let is_contact =
        |law: &&MechanicalLaw| !matches!(law, MechanicalLaw::Equality { .. } | MechanicalLaw::Relay { .. });
    let mut contacts = laws.iter().filter(is_contact);
    let first = contacts.next().filter(|law| !matches!(law, MechanicalLaw::Complementarity { .. }))?;
    let is_same = |law: &MechanicalLaw| std::mem::discriminant(law) == std::mem::discriminant(first);
    contacts.all(is_same).then(|| first.size())
}

impl Friction {
    /// Collects the coefficients of the contacts of a problem with a [`common_dimension`].
    fn of(laws: &[MechanicalLaw]) -> Option<Self> {
        let mut all = Self { dimension: common_dimension(laws)?, mu: Vec::new(), mu_rolling: Vec::new() };
        for law in laws {
            match law {
                MechanicalLaw::Friction2 { mu } | MechanicalLaw::Friction3 { mu } => all.mu.push(*mu),
                MechanicalLaw::Rolling3 { mu, mu_rolling } | MechanicalLaw::Rolling5 { mu, mu_rolling } => {
                    all.mu.push(*mu);
                    all.mu_rolling.push(*mu_rolling);
                }
                _ => {}
            }
        }
        Some(all)
    }

    fn law(&self) -> ContactLaw<'_> {
        let Self { dimension, ref mu, ref mu_rolling } = *self;
        match mu_rolling.is_empty() {
            true => ContactLaw::Coulomb { dimension, mu },
            false => ContactLaw::Rolling { dimension, mu, mu_rolling },
        }
    }
}

/// Reduction to a problem of contacts, for [`contact::Auto`].
///
/// **Problem.** Equalities, relays, and contacts of one kind of friction.
///
/// **Method.** (1) Guess which unknowns of relays are at a bound; the others count as equalities. (2)
/// Eliminate all equalities, as [`EqualityElimination`](super::EqualityElimination) does, and solve the
/// contacts. (3) An active-set step: unknowns that leave their bounds are set to the bound, and unknowns at a
/// bound with the wrong sign of w become free. Repeat (2) until nothing changes.
///
/// **Result.** `Converged` if the error of the whole problem is within the tolerance. Otherwise the initial
/// point, and the status of the last contact problem, or `Stalled` if it was solved.
#[derive(Debug)]
pub(super) struct ContactReduction {
    tolerance: f64,
    contacts: contact::Auto,
    schur: SchurReduction,
    relays: Vec<RelayUnknown>,
    whole: Csc,
    /// Rows of the problem without the unknowns at bounds.
    rows: Vec<usize>,
}

/// Tolerance of the contact problem, as a fraction of the tolerance of the whole problem. The errors of both
/// problems are relative to different vectors.
const TIGHTER: f64 = 0.125;

/// Maximum number of active-set steps in addition to the number of relays.
const EXTRA_STEPS: usize = 8;

impl ContactReduction {
    pub(super) fn of_checked(tolerance: f64) -> Self {
        let tolerance_of_contacts = TIGHTER * tolerance;
        let settings =
            contact::AutoSettings { tolerance: tolerance_of_contacts, ..contact::AutoSettings::default() };
        Self {
            tolerance,
            contacts: contact::Auto::of_checked(settings),
            schur: SchurReduction::default(),
            relays: Vec::new(),
            whole: Csc::default(),
            rows: Vec::new(),
        }
    }

    /// Returns `true` if the method applies to a problem.
    pub(super) fn applies(problem: &GenericMechanicalProblem) -> bool {
        common_dimension(problem.laws()).is_some()
    }

    /// Lists the unknowns of relays with their positions at the point (z, w).
    fn list_relays(&mut self, problem: &GenericMechanicalProblem, z: &[f64], w: &[f64]) {
        self.relays.clear();
        for (block, law) in problem.laws().iter().enumerate() {
            let MechanicalLaw::Relay { lower, upper } = law else { continue };
            for (row, bounds) in problem.range(block).zip(lower.iter().zip(upper)) {
                let relay = RelayUnknown { row, bounds: [*bounds.0, *bounds.1], at: Bound::Between };
                let at = relay.indicated(z[row], w[row], diagonal(&self.whole, row));
                self.relays.push(RelayUnknown { at, ..relay });
            }
        }
    }

    /// Returns the problem without the unknowns at bounds. The other unknowns of relays are equalities.
    fn without_bounds(
        &mut self,
        problem: &GenericMechanicalProblem,
    ) -> Result<GenericMechanicalProblem, SolverError> {
        let Self { relays, whole, rows, .. } = self;
        let mut laws = Vec::new();
        let mut left = relays.iter();
        rows.clear();
        for (block, law) in problem.laws().iter().enumerate() {
            let range = problem.range(block);
            if !matches!(law, MechanicalLaw::Relay { .. }) {
                laws.push(law.clone());
                rows.extend(range);
                continue;
            }
            for relay in left.by_ref().take(range.len()).filter(|relay| relay.at == Bound::Between) {
                laws.push(MechanicalLaw::Equality { size: 1 });
                rows.push(relay.row);
            }
        }
        let mut place = vec![usize::MAX; problem.size()];
        rows.iter().enumerate().for_each(|(k, row)| place[*row] = k);
        let mut m = Array2::zeros((rows.len(), rows.len()));
        for (j, row) in rows.iter().enumerate() {
            for (i, value) in whole.column(*row).filter(|(i, _)| place[*i] != usize::MAX) {
                m[[place[i], j]] = value;
            }
        }
        let mut q: Array1<f64> = rows.iter().map(|row| problem.q()[*row]).collect();
        for (row, value) in relays.iter().filter_map(|relay| Some((relay.row, relay.fixed()?))) {
            for (i, entry) in whole.column(row).filter(|(i, _)| place[*i] != usize::MAX) {
                q[place[i]] += entry * value;
            }
        }
        Ok(GenericMechanicalProblem::new(m, q, laws)?)
    }

    /// Solves the problem with the present positions of the relays, and writes the solution to `z`.
    fn solve_contacts(
        &mut self,
        problem: &GenericMechanicalProblem,
        friction: &Friction,
        z: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let free = self.without_bounds(problem)?;
        self.schur.factor(&free)?;
        let (w_of_contacts, q) = self.schur.reduce(&free);
        let mut z_free: Vec<f64> = self.rows.iter().map(|row| z[*row]).collect();
        let mut r = self.schur.parts.of_others(&z_free);
        let mut u = vec![0.0; r.len()];
        let contacts = ContactProblem::new(&w_of_contacts, &q, friction.law())?;
        let info = self.contacts.solve(&contacts, &mut r, &mut u)?;
        self.schur.recover(&free, &r, &mut z_free);
        self.rows.iter().zip(&z_free).for_each(|(row, value)| z[*row] = *value);
        for (row, value) in self.relays.iter().filter_map(|relay| Some((relay.row, relay.fixed()?))) {
            z[row] = value;
        }
        Ok(info)
    }

    /// Takes an active-set step. Returns `true` if a relay has changed its position.
    fn step(&mut self, z: &[f64], w: &[f64]) -> bool {
        let mut has_changed = false;
        for relay in &mut self.relays {
            let at = relay.indicated(z[relay.row], w[relay.row], diagonal(&self.whole, relay.row));
            has_changed |= at != relay.at;
            relay.at = at;
        }
        has_changed
    }
}

fn diagonal(matrix: &Csc, row: usize) -> f64 {
    matrix.column(row).find(|(i, _)| *i == row).map_or(0.0, |(_, value)| value)
}

impl Stage for ContactReduction {
    fn set_budget(&mut self, budget: &Budget) {
        self.contacts.set_effort(EffortLimit::of_operations(budget.operations));
    }

    fn effort(&self, _: &GenericMechanicalProblem, info: &SolveInfo, budget: &Budget) -> f64 {
        self.contacts.effort_spent() + budget.cost * info.iterations.max(1) as f64
    }
}

impl Solver for ContactReduction {
    type Class = Gmp;

    fn name(&self) -> &'static str {
        "contact-reduction"
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.tolerance, max_iterations: EXTRA_STEPS }
    }

    fn solve(
        &mut self,
        problem: &GenericMechanicalProblem,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        if let Some(solved) = begin(problem, z, w)? {
            return Ok(solved);
        }
        let Some(friction) = Friction::of(problem.laws()) else {
            let error = error_of_point(problem, z, w);
            return Ok(SolveInfo { status: Status::NotFound, iterations: 0, error });
        };
        self.whole.copy_from(problem.m(), |_, _| false);
        let error = error_of_point(problem, z, w);
        self.list_relays(problem, z, w);
        let (mut trial, mut scratch) = (z.to_vec(), Vec::new());
        let mut info = SolveInfo { status: Status::NotFound, iterations: 0, error };
        for step in 1..=self.relays.len() + EXTRA_STEPS {
            let solved = self.solve_contacts(problem, &friction, &mut trial)?;
            let now = error_of_point(problem, &trial, w);
            if is_solution(problem, &trial, (now, self.tolerance), &mut scratch) {
                z.copy_from_slice(&trial);
                return Ok(SolveInfo { status: Status::Converged, iterations: step, error: now });
            }
            info.status = if solved.status.is_success() { Status::Stalled } else { solved.status };
            info.iterations = step;
            if !self.step(&trial, w) {
                break;
            }
        }
        // If there is no solution, the contact solver can end far out, where rounding errors hide q.
        error_of_point(problem, z, w);
        Ok(info)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array;

    /// Various problems with a joint, a redundant joint, relays and contacts are solved, with relays within
    /// and at their bounds.
    #[test]
    fn relays_and_contacts_are_solved_together() {
        let mut positions = [0; 3];
        for seed in 0..60 {
            let mut count = f64::from(seed);
            let mut number = || {
                count += 1.0;
                (0.7 * count * count).sin()
            };
            let (rows, dofs) = (2 + 3 + 9, 16);
            let mut jacobian = Array::from_shape_fn((rows, dofs), |_| number());
            // The second equation repeats the first.
            let first = jacobian.row(0).to_owned();
            jacobian.row_mut(1).assign(&first);
            let mut q = jacobian.dot(&Array::from_shape_fn(dofs, |_| number()));
            let m = jacobian.dot(&jacobian.t());
            q[1] = q[0];
            let laws = vec![
                MechanicalLaw::Equality { size: 2 },
                MechanicalLaw::Friction3 { mu: 0.5 },
                MechanicalLaw::Relay { lower: vec![-0.1, -0.05, 0.0], upper: vec![0.1, 0.2, 0.02] },
                MechanicalLaw::Friction3 { mu: 0.3 },
                MechanicalLaw::Friction3 { mu: 0.0 },
            ];
            let problem = GenericMechanicalProblem::new(m, q, laws).unwrap();
            let (mut z, mut w) = (vec![0.0; rows], vec![0.0; rows]);
            let info = ContactReduction::of_checked(1e-9).solve(&problem, &mut z, &mut w).unwrap();
            assert!(info.status.is_success() && info.error <= 1e-9, "seed {seed}: {info:?}");
            assert!(error_of_point(&problem, &z, &mut w) <= 1e-9);
            for (value, (lower, upper)) in z[5..8].iter().zip([(-0.1, 0.1), (-0.05, 0.2), (0.0, 0.02)]) {
                positions[if *value == lower {
                    0
                } else if *value == upper {
                    1
                } else {
                    2
                }] += 1;
            }
        }
        assert!(positions.iter().all(|count| *count > 10), "{positions:?}");
    }

    /// Other laws, and contacts of different dimensions, are left to other methods.
    #[test]
    fn the_method_applies_to_one_kind_of_friction() {
        let joint = MechanicalLaw::Equality { size: 2 };
        let plane = MechanicalLaw::Friction2 { mu: 0.5 };
        let space = MechanicalLaw::Friction3 { mu: 0.5 };
        let rolling = MechanicalLaw::Rolling3 { mu: 0.5, mu_rolling: 0.1 };
        let stop = MechanicalLaw::Complementarity { size: 1 };
        assert_eq!(common_dimension(&[joint.clone(), space.clone(), space.clone()]), Some(3));
        assert_eq!(common_dimension(&[plane.clone(), joint.clone()]), Some(2));
        for laws in [
            vec![joint.clone()],
            vec![plane, space.clone()],
            vec![rolling, space.clone()],
            vec![space, stop.clone()],
            vec![stop, joint],
        ] {
            assert_eq!(common_dimension(&laws), None, "{laws:?}");
        }
    }
}
