//! Finite elements with switch detection: nonsmooth systems to high order, without a search for events.

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
use self::system::Point;
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

/// Finite elements with switch detection (FESD): Radau IIA methods of s stages whose order, 2 s - 1, survives
/// switches.
///
/// A step of length h is divided into elements whose lengths are unknowns. All stages and lengths satisfy
/// together, for the [system](FesdSystem) $\dot x = f_0 + \sum_i w_i b_i$, $s_i = g_i - \mu$:
///
/// - the equations of Runge and Kutta in each element;
/// - complementarity at each stage, $0 \le w_i \perp s_i \ge 0$;
/// - cross complementarity: a weight that is not 0 at one stage of an element has no slack at any other, nor
///   at its left end, where slacks are those of the right end of the element before. Sets of weights can so
///   change only between elements, and where they change a slack or a weight is 0: that determines the
///   lengths;
/// - step equilibration: neighbours without a switch between them are equally long; all lengths add up to h.
///
/// [`FesdResidual`] measures all of them; a step has converged when its largest entry is at most the
/// tolerance. Without a switch a step is plain Radau on equal elements. Where a weight goes to 0, a state
/// leaves a surface: its last stage is 0 there, which meets the conditions (they leave a range); the weights
/// are of order s, and so is the time of leaving, while the state keeps its order, since its rate does not
/// jump.
///
/// **How.** The elements of a step in one set are solved one after the other; with all signs right the step
/// is done. Otherwise the pattern, which sets act in which elements, is found by continuation from switch to
/// switch, or by a homotopy in a smoothed complementarity condition, as in the papers: [`PatternSearch`] says
/// how they compare. Newton's method on the square system of the pattern then solves for the whole step at
/// once, lengths included. A dip of a slack below 0 between two stages is found, however short, where the
/// polynomial of the element has it deeper than the tolerance and has no other dip within a sixteenth of the
/// element; the homotopy looks at the stages alone where a step has a switch.
///
/// Where several motions are possible, as from a surface that repels on both sides, the step takes one: that
/// with the fewest modes, and of those the one with the lowest numbers.
///
/// ```
/// use siconos_sweeping::fesd::{Fesd, FesdSettings, FilippovSystem};
///
/// // x' = 1/2 - Sgn x from 1: reaches 0 at t = 2 and stays there, a quarter of the time below.
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
    point: Point,
    continuation: Continuation,
    homotopy: Homotopy,
    polish: Polish,
    elements: Vec<Element>,
    residual_memory: ResidualMemory,
    report: FesdReport,
    /// The least guard where a step begins, of a Filippov system.
    first: Vec<usize>,
    end: End,
}

/// Where the last step has ended, and in which set.
#[derive(Debug, Default)]
struct End {
    t: f64,
    x: Vec<f64>,
    active: Vec<usize>,
}

/// A state is outside a set where a constraint is violated by so many tolerances.
const OUTSIDE: f64 = 1e3;

/// A step goes on from the one before where the times differ by no more than this part of an element.
const SAME_TIME: f64 = 1e-6;

impl Fesd {
    /// The method of s = 1 to 4 stages for a [`FilippovSystem`] or a [`SweepingSystem`].
    ///
    /// # Errors
    ///
    /// [`FesdError::Settings`]: another number of stages, a setting outside its range.
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
            point: Point::default(),
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

    /// The elements of the last step.
    #[must_use]
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// The weights at the end of the last step, m: theta of a Filippov system, lambda of a sweeping process;
    /// none before the first step.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        self.elements.last().map_or(&[], |element| element.weights_at(self.table.stages() - 1))
    }

    /// Takes a step from t to t + h \[s\]: x is the state, before and after. Where no solution is found,
    /// which the status says, it is the state as far as the motion was followed.
    ///
    /// # Errors
    ///
    /// [`FesdError`]: h not above 0; a time or a state that is not finite; functions of the user that give no
    /// numbers at the start; a state outside the set of a sweeping process. The state is then as it was.
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

    /// Checks the functions where a step begins, and takes in their sizes.
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

    /// Measures all conditions of the elements; whether they hold.
    fn measure(&mut self, x: &[f64], h: f64) -> bool {
        let memory = &mut self.residual_memory;
        let Self { system, table, elements, scales, .. } = self;
        self.report.residual = measure(system, table, x, h, elements, scales, memory);
        self.report.residual.largest() <= self.settings.tolerance
    }

    /// Writes switches and lengths to the report, and the state at the end to x.
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
