//! Linear complementarity problems $w = M z + q$, $0 \le w \perp z \ge 0$, with known answers.
//!
//! | item | contents |
//! |---|---|
//! | [`KnownLcp`] | one problem with its matrix class, its source and its answer |
//! | [`all`], [`textbook`], [`degenerate`], [`unsolvable`] | collections of problems |
//! | [`murty`], [`murty_reversed`], [`fathi`], [`bead_column`], [`clamped_chain`] | families of any size |
//! | [`enumerate_solutions`] | a test oracle that tries every support |
//! | [`class_of`] | the class of a matrix, found by a few checks |
//! | [`Measures`] | errors of a point, computed without the crate under test |
//! | [`generated`] | random problems of any size, with class and answer known by construction |
//! | [`strategy`] | random problems for property tests |
//! | [`check_lcp_solver`] | the battery that every solver must pass |
//! | [`Promise`] | the checks of a method that follow from its stated guarantee |

mod battery;
mod classify;
mod elimination;
mod families;
pub mod games;
pub mod generated;
mod known;
mod measures;
mod oracle;
mod promise;
pub mod strategy;
mod textbook;
mod ties;
mod unsolvable;

pub use battery::{BatteryReport, Capability, check_lcp_solver, check_lcp_solver_up_to};
pub use classify::class_of;
pub use elimination::condition_number;
pub use families::{bead_column, clamped_chain, fathi, murty, murty_reversed, parametric_quadratic_program};
pub use known::{Answer, KnownLcp};
pub use measures::Measures;
pub use oracle::{LARGEST_ENUMERATED, enumerate_solutions};
pub use promise::Promise;
pub use textbook::textbook;
pub use ties::degenerate;
pub use unsolvable::unsolvable;

/// Returns all known problems: [`textbook`], [`degenerate`], [`unsolvable`] and some sizes of each family.
#[must_use]
pub fn all() -> Vec<KnownLcp> {
    let mut problems = textbook();
    problems.extend(degenerate());
    problems.extend(unsolvable());
    problems.extend([1, 2, 5, 10].map(murty));
    problems.extend([2, 6, 10].map(murty_reversed));
    problems.extend([1, 3, 8, 12].map(fathi));
    problems.extend([1, 2, 10, 40].map(bead_column));
    problems.extend([1, 2, 9, 30].map(clamped_chain));
    problems.extend([1.0, 16.0, 100.0].map(parametric_quadratic_program));
    problems
}
