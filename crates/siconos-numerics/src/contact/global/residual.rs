//! The stopping measure of problems in global form.

use siconos_linalg::{Csc, norm};

use super::GlobalProblem;
use super::mass::Mass;
use crate::contact::ContactLaw;
use crate::contact::residual::{natural_map_norm, relative_violation};
use crate::contact::scales::{BlockScale, FreeVelocities, scale_blocks};
use crate::info::Status;
use crate::rounding::PART_LOST_IN_ROUNDING;

/// Computes $u = H^T v + w$ into `u` and returns the error of reactions `r` and velocities `v`: that of the
/// balance of momentum, as the root of a part of the energy, and by how much velocities violate the law,
///
/// $$ e = \frac{\lVert M v - H r - f \rVert_D}{\max(\lVert f \rVert_D, \lVert M v \rVert_D, \lVert H r
/// \rVert_D)} +
/// \frac{\lVert \text{violations} \rVert}{\lVert q \rVert}, \qquad \lVert x \rVert_D^2 = \sum_k
/// \frac{x_k^2}{M_{kk}}. $$
///
/// As plain text: the norm of M v - H r - f over the largest of those of its terms, each a root of a sum of
/// x_k^2 / M_kk, and the violations of all contacts over norm(q). Both parts are looked at in each set of
/// bodies and contacts that are coupled as well, and q counts, as in the [local
/// problem](crate::contact::error), whose violations these are, with $d$ the mean diagonal of $H^T
/// \mathrm{diag}(M)^{-1} H$ over the rows of a contact, and $q = H^T M^{-1} f + w$ is the free velocity of
/// the contacts (with $\mathrm{diag}(M)$ in place of a singular M; where its terms cancel, a millionth of
/// them). A row of M without a diagonal entry counts with its largest one.
///
/// It is the same in all units of mass, length and time, also where degrees of freedom have units of their
/// own. NaN when an entry is not finite. The number of Siconos is [`global_siconos_error_of_point`].
///
/// # Panics
///
/// When a slice has the wrong length.
#[track_caller]
#[must_use]
pub fn global_error_of_point(problem: &GlobalProblem<'_>, r: &[f64], v: &[f64], u: &mut [f64]) -> f64 {
    let (mut measure, mut mass) = (Measure::default(), Mass::default());
    let is_regular = mass.factor(problem.m()).is_ok();
    measure.prepare(problem, is_regular.then_some(&mut mass));
    measure.of(problem, r, v, u)
}

/// Computes $u = H^T v + w$ into `u` and returns the error of Siconos (`gfc3d_compute_error`), for
/// comparison:
///
/// $$ \frac{\lVert M v - H r - f \rVert}{\max(\lVert f \rVert, \lVert M v \rVert, \lVert H r \rVert)} +
///    \frac{\lVert r - P_K(r - u - s(u) e_N) \rVert}{\max(\lVert u \rVert, \lVert r \rVert)}, $$
///
/// each divided only where its scale exceeds the root of the machine precision. NaN when an entry is not
/// finite.
///
/// # Panics
///
/// When a slice has the wrong length.
#[doc(alias = "gfc3d_compute_error")]
#[track_caller]
#[must_use]
pub fn global_siconos_error_of_point(
    problem: &GlobalProblem<'_>,
    r: &[f64],
    v: &[f64],
    u: &mut [f64],
) -> f64 {
    let mut measure = Measure::default();
    measure.balance(problem, r, v, u);
    let Measure { momentum, impulse, .. } = &measure;
    let scale = norm(problem.f()).max(norm(momentum)).max(norm(impulse));
    let sums = momentum.iter().zip(impulse).zip(problem.f());
    let residual = sums.map(|((m, h), f)| (h + f - m).powi(2)).sum::<f64>().sqrt();
    let relative = |x: f64, scale: f64| if scale > f64::EPSILON.sqrt() { x / scale } else { x };
    relative(residual, scale) + relative(natural_map_norm(&problem.law(), r, u), norm(u).max(norm(r)))
}

/// The terms of q may cancel, as for contacts that move along with each other. What is left of them below
/// this part is no size to compare with: velocities are sums of such terms, and rounding is a part of each.
const CANCELLED: f64 = 1e-6;

/// Sums over a set of degrees of freedom, each a square over a mass.
#[derive(Clone, Copy, Debug, Default)]
struct Balance {
    residual: f64,
    force: f64,
    momentum: f64,
    impulse: f64,
}

impl Balance {
    fn add(&mut self, other: Self) {
        self.residual += other.residual;
        self.force += other.force;
        self.momentum += other.momentum;
        self.impulse += other.impulse;
    }

    fn scale(&self) -> f64 {
        self.force.max(self.momentum).max(self.impulse)
    }
}

/// The measure with what it divides by, and its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Measure {
    /// $1 / M_{kk}$.
    inverse_masses: Vec<f64>,
    blocks: Vec<BlockScale>,
    free_velocity: f64,
    free_velocities: FreeVelocities,
    velocity_terms: Vec<f64>,
    balances: Vec<Balance>,
    momentum: Vec<f64>,
    impulse: Vec<f64>,
    h: Csc,
}

impl Measure {
    /// Prepares for a problem, with the factors of M where it is regular.
    pub(super) fn prepare(&mut self, problem: &GlobalProblem<'_>, mass: Option<&mut Mass>) {
        let (n, law) = (problem.degrees_of_freedom(), problem.law());
        self.find_inverse_masses(problem);
        self.h.copy_from(problem.h(), |_, _| false);
        let Self { h, inverse_masses, .. } = self;
        let compliance = |j: usize| h.column(j).map(|(k, x)| x * x * inverse_masses[k]).sum::<f64>();
        scale_blocks(&law, compliance, &mut self.blocks);
        self.momentum.clear();
        self.momentum.extend_from_slice(problem.f());
        match mass {
            Some(mass) => mass.solve(&mut self.momentum),
            None => self.momentum.iter_mut().zip(&self.inverse_masses).for_each(|(f, m)| *f *= m),
        }
        self.impulse.clear();
        self.impulse.extend_from_slice(problem.w());
        if n > 0 {
            problem.h().add_transposed_product(1.0, &self.momentum, &mut self.impulse);
        }
        self.velocity_terms.clear();
        self.velocity_terms.extend(problem.w().iter().map(|w| w.abs()));
        problem.h().add_absolute_transposed_product(&self.momentum, &mut self.velocity_terms);
        for (q, terms) in self.impulse.iter_mut().zip(&self.velocity_terms) {
            if q.abs() < CANCELLED * terms {
                *q = -CANCELLED * terms;
            }
        }
        self.find_components(problem);
        self.free_velocity = self.free_velocities.write(&law, &self.impulse, &mut self.blocks);
    }

    /// Finds the sets of contacts and degrees of freedom, these after the contacts, that are coupled.
    fn find_components(&mut self, problem: &GlobalProblem<'_>) {
        let (law, components) = (problem.law(), &mut self.free_velocities.components);
        let contacts = law.blocks();
        components.begin(contacts + problem.degrees_of_freedom());
        components.join_coupled(problem.m(), |row| contacts + row);
        for j in 0..self.h.columns() {
            let contact = law.block_of(j);
            let entries = self.h.column(j).filter(|(_, x)| *x != 0.0);
            entries.for_each(|(k, _)| components.join(contact, contacts + k));
        }
    }

    /// The size of the free velocities of the contacts, which violations of the law are divided by.
    pub(super) fn free_velocity(&self) -> f64 {
        self.free_velocity
    }

    /// The scales of each contact.
    pub(super) fn scales(&self) -> &[BlockScale] {
        &self.blocks
    }

    /// Takes over what another one has prepared.
    pub(super) fn prepare_as(&mut self, other: &Self) {
        self.inverse_masses.clone_from(&other.inverse_masses);
        self.blocks.clone_from(&other.blocks);
        self.free_velocity = other.free_velocity;
        self.free_velocities.clone_from(&other.free_velocities);
    }

    /// The inverse of the diagonal of M, of the largest entry of a row that has none.
    fn find_inverse_masses(&mut self, problem: &GlobalProblem<'_>) {
        let n = problem.degrees_of_freedom();
        self.inverse_masses.clear();
        self.inverse_masses.resize(n, 0.0);
        problem.m().copy_diagonal(&mut self.inverse_masses);
        if self.inverse_masses.contains(&0.0) {
            self.h.copy_from(problem.m(), |_, _| false);
            let h = &self.h;
            let rows = self.inverse_masses.iter_mut().enumerate().filter(|(_, m)| **m == 0.0);
            rows.for_each(|(k, m)| *m = h.column(k).fold(0.0, |a: f64, (_, x)| a.max(x.abs())));
        }
        self.inverse_masses.iter_mut().for_each(|m| *m = if *m == 0.0 { 1.0 } else { 1.0 / m.abs() });
    }

    /// Writes u, M v and H r.
    #[track_caller]
    fn balance(&mut self, problem: &GlobalProblem<'_>, r: &[f64], v: &[f64], u: &mut [f64]) {
        u.fill(0.0);
        problem.h().add_transposed_product(1.0, v, u);
        u.iter_mut().zip(problem.w()).for_each(|(u, w)| *u += w);
        for memory in [&mut self.momentum, &mut self.impulse] {
            memory.clear();
            memory.resize(problem.degrees_of_freedom(), 0.0);
        }
        problem.m().add_product(1.0, v, &mut self.momentum);
        problem.h().add_product(1.0, r, &mut self.impulse);
    }

    /// See [`global_error_of_point`], for the problem that was [prepared](Self::prepare).
    #[track_caller]
    pub(super) fn of(&mut self, problem: &GlobalProblem<'_>, r: &[f64], v: &[f64], u: &mut [f64]) -> f64 {
        let [of_balance, of_law] = self.parts(problem, r, v, u);
        of_balance + of_law
    }

    /// The two parts of the error: of the balance of momentum, and of the law.
    #[track_caller]
    pub(super) fn parts(
        &mut self,
        problem: &GlobalProblem<'_>,
        r: &[f64],
        v: &[f64],
        u: &mut [f64],
    ) -> [f64; 2] {
        self.balance(problem, r, v, u);
        let law = problem.law();
        let of_law = relative_violation(&law, (&self.blocks, self.free_velocity), r, u);
        [self.error_of_balance(law.blocks(), problem.f()), of_law]
    }

    /// The error of the balance of momentum that [`balance`](Self::balance) left: of all of it, and to half
    /// of the digits of each set that is coupled. One without a force takes the scale of the whole problem.
    fn error_of_balance(&mut self, contacts: usize, f: &[f64]) -> f64 {
        let Self { momentum, impulse, inverse_masses, free_velocities, balances, .. } = self;
        balances.clear();
        balances.resize(free_velocities.components.count(), Balance::default());
        let labels = &free_velocities.components.labels()[contacts..];
        let rows = momentum.iter().zip(&*impulse).zip(f).zip(&*inverse_masses).zip(labels);
        for ((((momentum, impulse), f), inverse_mass), label) in rows {
            let square = |x: f64| x * x * inverse_mass;
            balances[*label].add(Balance {
                residual: square(impulse + f - momentum),
                force: square(*f),
                momentum: square(*momentum),
                impulse: square(*impulse),
            });
        }
        let mut whole = Balance::default();
        balances.iter().for_each(|one| whole.add(*one));
        let relative = |one: &Balance| match one.residual {
            0.0 => 0.0,
            residual => residual / if one.force > 0.0 { one.scale() } else { whole.scale() },
        };
        let of_sets = balances.iter().map(relative).sum::<f64>();
        relative(&whole).sqrt().max(of_sets.min(of_sets.sqrt()))
    }

    /// The status of a point that a method took for a solution; any other but success means that it was
    /// mistaken.
    pub(super) fn judge(&self, law: &ContactLaw<'_>, r: &[f64], error: f64, tolerance: f64) -> Status {
        if !error.is_finite() {
            Status::Breakdown
        } else if error > tolerance {
            Status::Stalled
        } else if self.is_lost(law, r) {
            Status::NotFound
        } else {
            Status::Converged
        }
    }

    /// Whether reactions are so large that rounding in the velocities that they make covers a thousandth of
    /// the free ones, in a set of contacts that are coupled.
    fn is_lost(&self, law: &ContactLaw<'_>, r: &[f64]) -> bool {
        let covers = |velocities: f64, free: f64| f64::EPSILON * velocities > PART_LOST_IN_ROUNDING * free;
        let sum = |r: &[f64]| r.iter().map(|r| r.abs()).sum::<f64>();
        let (inverse_mass, least) = self.blocks.iter().fold((0.0_f64, f64::INFINITY), |(a, b), block| {
            (a.max(block.inverse_mass), b.min(block.free_velocity))
        });
        // Mostly the whole problem is enough to know.
        if !covers(inverse_mass * sum(r), least) {
            return false;
        }
        let labels = self.free_velocities.components.labels();
        let mut sets = vec![(0.0_f64, 0.0); self.free_velocities.components.count()];
        for (block, (scale, label)) in self.blocks.iter().zip(labels).enumerate() {
            let (inverse_mass, impulses) = &mut sets[*label];
            *inverse_mass = inverse_mass.max(scale.inverse_mass);
            *impulses += sum(&r[law.range(block)]);
        }
        self.blocks.iter().zip(labels).any(|(block, label)| {
            let (inverse_mass, impulses) = sets[*label];
            block.free_velocity > 0.0 && covers(inverse_mass * impulses, block.free_velocity)
        })
    }
}
