//! Finite elements with switch detection: high-order integration of nonsmooth systems. The times of the
//! switches are unknowns of the step, so no event location is needed.

mod active_set;
mod continuation;
mod element;
mod error;
mod filippov;
mod homotopy;
mod layout;
mod newton;
mod path;
mod pattern;
mod polish;
mod radau;
mod report;
mod residual;
mod scales;
mod search;
mod settings;
mod smoothed;
mod square_system;
mod stage;
mod sweeping_system;
mod system;
mod unknowns;
mod violation;

use self::continuation::Continuation;
use self::homotopy::Homotopy;
use self::polish::Polish;
use self::radau::RadauTable;
use self::residual::{ResidualMemory, measure};
use self::scales::{ScaleMemory, Scales};
use self::system::FesdPoint;
use super::sizes::relative;
use siconos_kernel::SettingsError;
use siconos_kernel::engine::{check_finite, check_positive, check_shape};

pub use element::Element;
pub use error::FesdError;
pub use filippov::FilippovSystem;
pub use report::{FesdReport, FesdStatus, Switch};
pub use residual::FesdResidual;
pub use settings::{FesdSettings, PatternSearch};
pub use sweeping_system::SweepingSystem;
pub use system::FesdSystem;

/// Finite elements with switch detection (FESD), based on Radau IIA methods with s stages. The order
/// $2 s - 1$ of these methods is preserved across switches.
///
/// A step of length h is divided into elements, and the lengths of the elements are unknowns. For the
/// [system](FesdSystem) $\dot x = f_0 + \sum_i w_i b_i$, $s_i = g_i - \mu$, the stages and lengths satisfy
/// four groups of conditions:
///
/// - the Runge-Kutta equations in each element;
/// - complementarity at each stage, $0 \le w_i \perp s_i \ge 0$;
/// - cross complementarity: if a weight is not 0 at one stage of an element, its slack is 0 at all other
///   stages and at the start of the element (which is the end of the previous element). The active set can
///   therefore change only between elements. At such a change a slack or a weight is 0, which determines the
///   lengths;
/// - step equilibration: neighbouring elements have equal lengths if there is no switch between them, and all
///   lengths add up to h.
///
/// [`FesdResidual`] contains the errors of all conditions. A step has converged if the largest error is at
/// most the tolerance. Without a switch, a step consists of Radau steps of equal length.
///
/// If the state leaves a surface, a weight goes to 0. The conditions then do not determine the lengths
/// uniquely, and the element is chosen to end where the weight at its last stage is 0. The weights are
/// accurate only to order s, and so is the time at which the state leaves the surface. The state still has
/// order $2 s - 1$, because its rate does not jump at this time.
///
/// **Method.** A step is first attempted with one active set for all elements. If all signs are right, the
/// step is done. Otherwise the pattern, that is, the active set of each element, is found by continuation
/// from switch to switch, or by a homotopy in a smoothed complementarity condition as in the references
/// below; see [`PatternSearch`] for a comparison. Newton's method on the square system of the pattern then
/// solves for all elements of the step simultaneously, including their lengths.
///
/// A slack can be negative between two stages. The continuation detects this on the polynomial of the
/// element, for intervals of any length, if the slack is below 0 by more than the tolerance and has at most
/// one minimum within a sixteenth of the element. In a step with a switch, the homotopy checks the slacks
/// only at the stages.
///
/// If the solution is not unique, for example on a surface from which the fields on both sides point away,
/// the step takes the solution with the fewest active modes; among these, the solution with the lowest mode
/// indices.
///
/// ```
/// use siconos_sweeping::fesd::{Fesd, FesdSettings, FilippovSystem};
///
/// // x' = 1/2 - Sgn x from x = 1: x reaches 0 at t = 2 and slides, with weight 1/4 of mode 0.
/// let system = FilippovSystem::two_modes(1, |_t, x| x[0], |_t, _x, f| f[0] = 1.5, |_t, _x, f| f[0] = -0.5)?;
/// let mut fesd = Fesd::new(system, 2, FesdSettings::default())?;
/// let mut x = [1.0];
/// let report = fesd.step(0.0, 3.0, &mut x)?;
/// assert!(report.status.is_success() && (report.switches[0].t - 2.0).abs() < 1e-12);
/// assert!(x[0].abs() < 1e-12);
/// assert!((fesd.weights()[0] - 0.25).abs() < 1e-12);
/// # Ok::<(), siconos_sweeping::fesd::FesdError>(())
/// ```
///
/// References: A. Nurkanovic, M. Sperl, S. Albrecht, M. Diehl (2024), "Finite elements with switch detection
/// for direct optimal control of nonsmooth systems", Numerische Mathematik 156, 1115-1162. A. Pozharskiy, A.
/// Nurkanovic, M. Diehl (2024), "Finite elements with switch detection for numerical optimal control of
/// projected dynamical systems", arXiv 2412.11320. D. E. Stewart (1990), Numerische Mathematik 58, 299-328.
#[doc(alias("nosnoc", "switch detection", "Filippov"))]
#[derive(Debug)]
pub struct Fesd {
    system: FesdSystem,
    table: RadauTable,
    settings: FesdSettings,
    scales: Scales,
    scale_memory: ScaleMemory,
    point: FesdPoint,
    continuation: Continuation,
    homotopy: Homotopy,
    polish: Polish,
    elements: Vec<Element>,
    residual_memory: ResidualMemory,
    report: FesdReport,
    /// Mode with the smallest guard at the start of the step, for a Filippov system; otherwise empty.
    first: Vec<usize>,
    end: End,
}

/// State at the end of the last step, with its active set.
#[derive(Debug, Default)]
struct End {
    t: f64,
    x: Vec<f64>,
    active: Vec<usize>,
}

/// A state is outside the set if a constraint is violated by more than this multiple of the tolerance.
const OUTSIDE: f64 = 1e3;

/// Largest time difference, as a fraction of an element, between the end of the previous step and the start
/// of a step that counts as its continuation.
const SAME_TIME: f64 = 1e-6;

impl Fesd {
    /// Creates the method with s = 1 to 4 stages for a [`FilippovSystem`] or a [`SweepingSystem`].
    ///
    /// # Errors
    ///
    /// If the number of stages is not 1 to 4, or if a setting is outside its range ([`FesdError::Settings`]).
    pub fn new(
        system: impl Into<FesdSystem>,
        stages: usize,
        settings: FesdSettings,
    ) -> Result<Self, FesdError> {
        settings.check()?;
        let Some(table) = RadauTable::new(stages) else {
            let (name, must_be) = ("stages", "1, 2, 3 or 4");
            return Err(SettingsError::OutOfRange { name, value: stages as f64, must_be }.into());
        };
        let system = system.into();
        let scales = Scales::new(system.states(), system.pairs());
        Ok(Self {
            system,
            table,
            settings,
            scales,
            scale_memory: ScaleMemory::default(),
            point: FesdPoint::default(),
            continuation: Continuation::default(),
            homotopy: Homotopy::default(),
            polish: Polish::default(),
            elements: Vec::new(),
            residual_memory: ResidualMemory::default(),
            report: FesdReport::default(),
            first: Vec::new(),
            end: End { t: f64::NAN, ..End::default() },
        })
    }

    /// Returns the elements of the last step.
    #[must_use]
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// Returns the weights at the end of the last step, m entries: theta of a Filippov system, lambda of a
    /// sweeping process. Empty before the first step.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        self.elements.last().map_or(&[], |element| element.weights_at(self.table.stages() - 1))
    }

    /// Takes a step from t to t + h \[s\]. On entry x is the state at t; on return x is the state at t + h.
    /// If the status of the report is not a success, x is the last state that was computed.
    ///
    /// # Errors
    ///
    /// If h is not positive, if a time or a state is not finite, if a user function writes a value that is
    /// not finite at the start, or if the state is outside the set of a sweeping process. On error x is
    /// unchanged.
    pub fn step(&mut self, t: f64, h: f64, x: &mut [f64]) -> Result<&FesdReport, FesdError> {
        check_positive("h", h)?;
        check_finite("t", [&t])?;
        check_shape("x", (self.system.states(), 1), (x.len(), 1))?;
        check_finite("x", &*x)?;
        self.begin(t, h, x)?;
        self.report.iterations = 0;
        self.report.status = match self.settings.pattern {
            PatternSearch::Continuation => self.search_by_continuation(t, h, x),
            PatternSearch::Homotopy => self.search_by_homotopy(t, h, x),
        };
        self.write_report(t, x);
        Ok(&self.report)
    }

    /// Checks the values of the user functions at the start of a step, and updates the scales.
    fn begin(&mut self, t: f64, h: f64, x: &[f64]) -> Result<(), FesdError> {
        self.first.clear();
        self.system.evaluate(t, x, &self.first, &mut self.point);
        self.system.check(t, &self.first, &self.point)?;
        if self.system.is_convex() {
            let guards = &self.point.guards;
            let least =
                (0..guards.len()).fold(0, |least, i| if guards[i] < guards[least] { i } else { least });
            self.first.push(least);
            self.system.evaluate(t, x, &self.first, &mut self.point);
            self.system.check(t, &self.first, &self.point)?;
        }
        let Self { system, first, point, scales, scale_memory, .. } = self;
        scales.begin(system, (t, h), x, first, point, scale_memory);
        if self.system.is_convex() {
            return Ok(());
        }
        let depth = |i: usize| relative(self.point.guards[i], self.scales.slack[i]);
        let worst =
            (0..self.point.guards.len()).fold(0, |worst, i| if depth(i) < depth(worst) { i } else { worst });
        if depth(worst) < -OUTSIDE * self.settings.tolerance {
            return Err(FesdError::Outside { t, index: worst, value: self.point.guards[worst] });
        }
        Ok(())
    }

    /// Computes the errors of all conditions. Returns `true` if all errors are within the tolerance.
    fn measure(&mut self, x: &[f64], h: f64) -> bool {
        let memory = &mut self.residual_memory;
        let Self { system, table, elements, scales, .. } = self;
        self.report.residual = measure(system, table, x, h, elements, scales, memory);
        self.report.residual.largest() <= self.settings.tolerance
    }

    /// Writes switches and lengths to the report, and the state at the end of the step to x.
    fn write_report(&mut self, t: f64, x: &mut [f64]) {
        let Self { report, elements, end, .. } = self;
        report.switches.clear();
        report.h_elements.clear();
        report.h_elements.extend(elements.iter().map(|element| element.h));
        if let Some(first) = elements.first()
            && (t - end.t).abs() <= SAME_TIME * first.h
            && end.x == x
            && end.active != first.active
        {
            let (before, after) = (end.active.clone(), first.active.clone());
            report.switches.push(Switch { t, before, after });
        }
        for pair in elements.windows(2) {
            if pair[0].active != pair[1].active {
                let (before, after) = (pair[0].active.clone(), pair[1].active.clone());
                report.switches.push(Switch { t: pair[1].t, before, after });
            }
        }
        let Some(last) = elements.last() else { return };
        x.copy_from_slice(last.end());
        end.t = last.t + last.h;
        end.x.clear();
        end.x.extend_from_slice(x);
        end.active.clear();
        end.active.extend_from_slice(&last.active);
    }
}
