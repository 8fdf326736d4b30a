//! Methods with velocities of their own, judged by those that their reactions make.

use siconos_linalg::in_general_position;

use super::mass::Mass;
use super::reduced::velocity;
use super::residual::Measure;
use super::{GlobalContact, GlobalProblem};
use crate::chain::{Allowance, Link};
use crate::error::{SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::method::{Limits, Solver};

/// A method that ends with velocities of its own.
pub(super) trait OwnVelocities: Link<Class = GlobalContact> {
    /// Sets the error at which a point counts as a solution.
    fn set_tolerance(&mut self, tolerance: f64);
}

/// What velocities follow from reactions, for one problem after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Verdict {
    mass: Mass,
    /// Whether M is regular; it is not looked at before a method has found something.
    is_regular: Option<bool>,
    measure: Measure,
    rest: Vec<f64>,
    roots: Vec<f64>,
    /// The best point of a method, and its velocities at the contacts.
    z: Vec<f64>,
    u: Vec<f64>,
}

/// Where M amplifies some vector more than that, in the units of its diagonal, it is singular but for
/// rounding.
const LARGEST_CONDITION: f64 = 1e13;

impl Verdict {
    /// Begins with another problem.
    pub(super) fn begin(&mut self) {
        self.is_regular = None;
    }

    fn keep(&mut self, z: &[f64], u: &[f64]) {
        for (kept, given) in [(&mut self.z, z), (&mut self.u, u)] {
            kept.clear();
            kept.extend_from_slice(given);
        }
    }

    fn put_back(&self, z: &mut [f64], u: &mut [f64]) {
        z.copy_from_slice(&self.z);
        u.copy_from_slice(&self.u);
    }

    /// The error of reactions with the velocities $v = M^{-1} (H r + f)$, which are written; `None` where M
    /// is singular.
    fn error_of(&mut self, problem: &GlobalProblem<'_>, z: &mut [f64], u: &mut [f64]) -> Option<f64> {
        let Self { mass, is_regular, measure, rest, roots, .. } = self;
        let is_regular = *is_regular.get_or_insert_with(|| {
            let is_regular =
                mass.factor(problem.m()).is_ok() && is_far_from_singular(problem, mass, (rest, roots));
            measure.prepare(problem, is_regular.then_some(mass));
            is_regular
        });
        let (r, v) = z.split_at_mut(problem.size());
        is_regular.then(|| {
            velocity(problem, mass, r, v, rest);
            measure.of(problem, r, v, u)
        })
    }
}

/// Whether M, with its factors at hand, makes no velocity out of nothing; `x` and `roots` are memory.
fn is_far_from_singular(
    problem: &GlobalProblem<'_>,
    mass: &mut Mass,
    (x, roots): (&mut Vec<f64>, &mut Vec<f64>),
) -> bool {
    roots.clear();
    roots.resize(problem.degrees_of_freedom(), 0.0);
    problem.m().copy_diagonal(roots);
    roots.iter_mut().for_each(|m| *m = m.abs().sqrt());
    x.clear();
    x.extend(roots.iter().enumerate().map(|(i, root)| root * in_general_position(i)));
    mass.solve(x);
    let largest = x.iter().zip(&*roots).fold(0.0_f64, |largest, (x, root)| {
        let size = (x * root).abs();
        if size.is_nan() { f64::INFINITY } else { largest.max(size) }
    });
    largest < LARGEST_CONDITION
}

/// A method whose success counts where the velocities that follow from its reactions are a solution as well.
/// The balance of momentum is within the tolerance in the norm of energies; on stiff bodies velocities that
/// are off by that break the law by far more. Then the method goes on to tighter tolerances.
#[derive(Debug)]
pub(super) struct Judged<'a> {
    method: &'a mut dyn OwnVelocities,
    verdict: &'a mut Verdict,
    allowance: Allowance,
    /// The operations of all solves.
    spent: f64,
}

impl<'a> Judged<'a> {
    pub(super) fn new(method: &'a mut dyn OwnVelocities, verdict: &'a mut Verdict) -> Self {
        let allowance = Allowance::of(method.limits().max_iterations, 0.0);
        Self { method, verdict, allowance, spent: 0.0 }
    }
}

/// Each tolerance is this times the one before, and how many there are.
const TIGHTENING: f64 = 1e-2;
const LEVELS: i32 = 3;

impl Link for Judged<'_> {
    fn lend(&mut self, allowance: &Allowance) {
        self.allowance = *allowance;
        self.method.lend(allowance);
    }

    fn effort(&self, _: &GlobalProblem<'_>, _: &SolveInfo, _: &Allowance) -> f64 {
        self.spent
    }
}

impl Solver for Judged<'_> {
    type Class = GlobalContact;

    fn name(&self) -> &'static str {
        self.method.name()
    }

    fn limits(&self) -> Limits {
        self.method.limits()
    }

    fn supports(&self, problem: &GlobalProblem<'_>) -> Result<(), Unsupported> {
        self.method.supports(problem)
    }

    fn solve(
        &mut self,
        problem: &GlobalProblem<'_>,
        z: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let tolerance = self.method.limits().tolerance;
        let solved = self.solve_within(tolerance, problem, z, u);
        self.method.set_tolerance(tolerance);
        solved
    }
}

impl Judged<'_> {
    fn solve_within(
        &mut self,
        tolerance: f64,
        problem: &GlobalProblem<'_>,
        z: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let (mut iterations, mut least, mut status) = (0, f64::INFINITY, Status::Stalled);
        for level in 0..LEVELS {
            let left = self.allowance.iterations.saturating_sub(iterations);
            if level > 0 {
                let tighter = (tolerance * TIGHTENING.powi(level)).max(f64::MIN_POSITIVE);
                self.method.set_tolerance(tighter);
                self.method.lend(&Allowance::of(left, self.allowance.cost));
            }
            let info = match self.method.solve(problem, z, u) {
                Ok(info) => info,
                Err(error) if level == 0 => return Err(error),
                Err(_) => break,
            };
            self.spent += self.method.effort(problem, &info, &self.allowance);
            iterations += info.iterations;
            let is_success = info.status.is_success();
            let error = if level > 0 || is_success { self.verdict.error_of(problem, z, u) } else { None };
            let Some(error) = error else { return Ok(SolveInfo { iterations, ..info }) };
            if error <= tolerance {
                let status =
                    self.verdict.measure.judge(&problem.law(), &z[..problem.size()], error, tolerance);
                return Ok(SolveInfo { status, iterations, error });
            }
            if error < least || least.is_infinite() {
                least = error;
                self.verdict.keep(z, u);
            }
            if !is_success || left <= info.iterations {
                status = if is_success { Status::Stalled } else { info.status };
                break;
            }
        }
        self.verdict.put_back(z, u);
        Ok(SolveInfo { status, iterations, error: least })
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, array};

    use super::*;
    use crate::contact::ContactLaw;

    /// A method whose reaction is off by a multiple of the tolerance.
    #[derive(Debug)]
    struct Loose {
        off: f64,
        tolerance: f64,
        asked: Vec<f64>,
    }

    /// The solution of the problem below: it sticks.
    const REACTIONS: [f64; 2] = [1.0, -0.25];

    impl Solver for Loose {
        type Class = GlobalContact;

        fn name(&self) -> &'static str {
            "loose"
        }

        fn limits(&self) -> Limits {
            Limits { tolerance: self.tolerance, max_iterations: 1 }
        }

        fn solve(
            &mut self,
            _: &GlobalProblem<'_>,
            z: &mut [f64],
            _: &mut [f64],
        ) -> Result<SolveInfo, SolverError> {
            self.asked.push(self.tolerance);
            z.fill(0.0);
            z[..2].copy_from_slice(&REACTIONS);
            z[0] += self.off * self.tolerance;
            Ok(SolveInfo { status: Status::Converged, iterations: 1, error: 0.5 * self.tolerance })
        }
    }

    impl Link for Loose {
        fn lend(&mut self, _: &Allowance) {}
    }

    impl OwnVelocities for Loose {
        fn set_tolerance(&mut self, tolerance: f64) {
            self.tolerance = tolerance;
        }
    }

    /// What is told of a particle, beside two freedoms with so much of their masses in common, and the
    /// tolerances that a method which is off was asked for.
    fn told(in_common: f64, off: f64, allowed: usize) -> (SolveInfo, Vec<f64>) {
        let mut m = Array2::eye(4);
        (m[[2, 3]], m[[3, 2]]) = (in_common, in_common);
        let h = array![[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]];
        let f = [-REACTIONS[0], -REACTIONS[1], 0.0, 0.0];
        let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
        let problem = GlobalProblem::new(&m, &h, &f, &[0.0; 2], law).expect("the parts fit");
        let mut method = Loose { off, tolerance: 1e-6, asked: Vec::new() };
        let (mut z, mut u) = ([0.0; 6], [0.0; 2]);
        let mut verdict = Verdict::default();
        verdict.begin();
        let mut judged = Judged::new(&mut method, &mut verdict);
        judged.lend(&Allowance::of(allowed, 1.0));
        let info = judged.solve(&problem, &mut z, &mut u);
        assert_eq!(Some(judged.spent), info.as_ref().ok().map(|info| info.iterations as f64));
        assert_eq!(method.tolerance, 1e-6);
        (info.expect("it solves"), method.asked)
    }

    #[test]
    fn a_method_goes_on_until_its_reactions_are_a_solution() {
        for (off, expected) in [(0.5, 1), (50.0, 2), (5e3, 3)] {
            let (info, asked) = told(0.5, off, 100);
            assert!(info.status == Status::Converged && info.error <= 1e-6, "{off}: {info:?}");
            assert_eq!((info.iterations, asked.len()), (expected, expected), "{off}");
        }
        let (info, asked) = told(0.5, 5e5, 100);
        assert!(info.status == Status::Stalled && info.error > 1e-6, "{info:?}");
        assert_eq!(asked.len(), 3);
        // All levels together get what one would.
        let (info, asked) = told(0.5, 5e5, 2);
        assert_eq!((info.status, info.iterations, asked.len()), (Status::Stalled, 2, 2));
    }

    /// The verdict on a point stays with the method where M is singular, also but for rounding.
    #[test]
    fn a_singular_mass_makes_no_velocities() {
        for in_common in [1.0, 1.0 - 1e-15] {
            let (info, asked) = told(in_common, 5e5, 100);
            assert_eq!((info.status, asked.len()), (Status::Converged, 1), "{in_common}");
        }
    }
}
