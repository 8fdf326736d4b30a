//! Scenes of bodies with shapes, whose contacts are detected in each step: an arch, a stack of boxes, a
//! column of spheres, a rotating drum, a hopper, a terrain, a vehicle.
//!
//! | example | contents |
//! |---|---|
//! | [`masonry_arch`] | an arch of voussoirs near its least thickness: line of thrust, collapse by hinges |
//! | [`box_stack`] | ten boxes at rest and after a fall: the force on the floor, restitution |
//! | [`sphere_column`] | a column of 200 spheres that collapses into a heap |
//! | [`rotating_drum`] | 500 discs in a rotating drum: the dynamic angle of repose |
//! | [`hopper`] | grains added and removed during the run: discharge rate and Beverloo's law |
//! | [`terrain`] | bodies slide and tumble down a terrain: acceleration, energy balance |
//! | [`vehicle`] | four motors drive a vehicle over a height field: acceleration, speed under load |

pub mod box_stack;
pub mod hopper;
pub mod masonry_arch;
pub mod rotating_drum;
pub mod sphere_column;
pub mod terrain;
pub mod vehicle;

use std::fmt;

use siconos_kernel::prelude::*;
use siconos_kernel::simulation::TimeSteppingBuilder;
use siconos_mechanics::Pose;

/// Number of colours of the grains in a figure.
const LAYERS: usize = 5;

/// Accuracy of the contact problems of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// Tolerance of the relative error of a contact problem.
    pub tolerance: f64,
    /// Number of steps.
    pub steps: usize,
    /// Number of steps whose contact problem was not solved to the tolerance.
    pub unconverged: usize,
    /// Largest relative error of a contact problem.
    pub largest_error: f64,
}

impl Accuracy {
    fn new(tolerance: f64) -> Self {
        Self { tolerance, steps: 0, unconverged: 0, largest_error: 0.0 }
    }

    /// Adds a step.
    fn record(&mut self, report: &StepReport<'_>) {
        self.steps += 1;
        self.unconverged += usize::from(!report.is_converged);
        // An error that is NaN remains.
        if report.error.is_nan() || report.error > self.largest_error {
            self.largest_error = report.error;
        }
    }
}

impl fmt::Display for Accuracy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tolerance, steps, unconverged, largest_error } = self;
        write!(f, "{steps} steps, {unconverged} of them unconverged; largest error of a contact problem: ")?;
        write!(f, "{largest_error:.1e}, tolerance {tolerance:.0e}")
    }
}

/// Sets the tolerance of the contact problems. A step that does not converge is reported instead of failing.
fn reporting_errors(builder: TimeSteppingBuilder<'_>, tolerance: f64) -> TimeSteppingBuilder<'_> {
    builder.tolerance(tolerance).on_non_convergence(OnNonConvergence::Continue)
}

/// Returns the closed outline of a polygon in the plane, given in the frame of a body.
fn outline(pose: &Pose, corners: &[[f64; 2]]) -> Vec<(f64, f64)> {
    let first = corners.first();
    corners
        .iter()
        .chain(first)
        .map(|[x, y]| {
            let [x, y, _] = pose.point([*x, *y, 0.0]);
            (x, y)
        })
        .collect()
}

/// Returns the outline of a disc.
fn circle((x, y): (f64, f64), radius: f64) -> Vec<(f64, f64)> {
    let at = |k: i32| {
        let (sine, cosine) = (std::f64::consts::TAU * f64::from(k) / 60.0).sin_cos();
        (x + radius * cosine, y + radius * sine)
    };
    (0..=60).map(at).collect()
}

/// Joins outlines into one curve with breaks between them.
fn joined(outlines: impl IntoIterator<Item = Vec<(f64, f64)>>) -> Vec<(f64, f64)> {
    outlines.into_iter().flat_map(|own| own.into_iter().chain([(f64::NAN, f64::NAN)])).collect()
}

/// Generator of pseudorandom numbers (splitmix64), equal in every run.
struct Random(u64);

impl Random {
    /// Returns a number between -1 and 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}
