//! Checks of the assumptions under which the theory of differential variational inequalities applies.

mod finding;
mod functions;
mod growth;
mod monotony;
mod samples;

pub use finding::{Assumption, Finding};

use std::fmt;

use ndarray::ArrayView2;

use self::samples::Samples;
use super::{Dvi, DviError, DviSolution};
use siconos_kernel::engine::{check_finite, check_number, check_positive, check_shape};

/// Domain of the samples, and further data for the checks.
#[derive(Clone, Copy, Debug)]
pub struct DviData<'a> {
    /// Time interval \[s\].
    pub time: (f64, f64),
    /// Centre of the sampled states, n entries.
    pub center: &'a [f64],
    /// Half-widths of the box of sampled states, n entries. Must be positive.
    pub radius: &'a [f64],
    /// Half-width of the box of sampled u, which is centred at 0. Default: 1. Must be positive.
    pub input_radius: f64,
    /// Number of samples. Default: 64. Must be at least 2.
    pub samples: usize,
    /// Matrix E, e x m, such that $F(u) = \Psi(E u)$ with a Lipschitz continuous $\Psi$.
    pub e: Option<ArrayView2<'a, f64>>,
    /// Solution from which the constant c of $\lVert E (u_{k+1} - u_k) \rVert \le c h$ is estimated.
    pub run: Option<&'a DviSolution>,
}

impl<'a> DviData<'a> {
    /// Creates the data from a time interval and a box of states. The other fields have their defaults.
    #[must_use]
    pub fn new(time: (f64, f64), center: &'a [f64], radius: &'a [f64]) -> Self {
        Self { time, center, radius, input_radius: 1.0, samples: 64, e: None, run: None }
    }

    fn check(&self, dvi: &Dvi) -> Result<(), DviError> {
        let (n, m) = (dvi.states(), dvi.inputs());
        let (t0, t_end) = self.time;
        check_number("time", t0, f64::is_finite, "finite")?;
        check_number("time", t_end, |t_end| t_end.is_finite() && t_end > t0, "finite and after the first")?;
        check_shape("center", (n, 1), (self.center.len(), 1))?;
        check_shape("radius", (n, 1), (self.radius.len(), 1))?;
        check_finite("center", self.center)?;
        self.radius.iter().try_for_each(|radius| check_positive("radius", *radius))?;
        check_positive("input_radius", self.input_radius)?;
        check_number("samples", self.samples as f64, |samples| samples >= 2.0, "at least 2")?;
        if let Some(e) = self.e {
            check_shape("E", (e.nrows(), m), e.dim())?;
            check_finite("E", e)?;
        }
        if let Some(run) = self.run {
            check_shape("run", (n, m), (run.states(), run.inputs()))?;
        }
        Ok(())
    }
}

/// Conclusion from the findings on all assumptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DviConclusion {
    /// All required assumptions are proved, including F(u) = D u with a nonnegative definite D. If the steps
    /// are small enough, each step has a solution. As the step length goes to 0, a subsequence of x converges
    /// uniformly and a subsequence of u converges weakly, and each limit is a weak solution.
    WeakSolutions,
    /// No required assumption is refuted, but at least one was only sampled or not checked.
    Open,
    /// A required assumption is refuted, so the theory does not apply. This does not prove divergence. If D =
    /// 0 and C B = 0, however, the limit of u is not a function, although
    /// [each step can have a solution](super::DviStepper).
    NotCovered,
}

/// Findings on the assumptions under which the scheme of [`DviStepper`](super::DviStepper) converges (Pang
/// and Stewart 2008, section 7). Each assumption is proved from matrices, refuted by a witness, only sampled,
/// or not checked. Samples never prove an assumption, however many there are.
///
/// The steps have bounded solutions if one of two conditions holds. Either the solution sets of the
/// inequality are nonempty, convex and of linear growth; or F is monotone and
/// $u \mapsto G(t, \cdot) \circ (r + B u)$ is strongly monotone. For G = C x, the latter condition means that
/// C B is positive definite. Limits are weak solutions if F(u) = D u with a nonnegative definite D, or if
/// $F(u) = \Psi(E u)$ with $\lVert E (u_{k+1} - u_k) \rVert \le c h$.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::analysis::LinearSystem;
/// use siconos_sweeping::dvi::{Dvi, DviConclusion, DviData, DviReport, DviSet};
///
/// let rc = LinearSystem::new(array![[-1.0]], array![[1.0]], array![[1.0]], array![[0.0]])?;
/// let dvi = Dvi::affine(&rc, DviSet::Orthant)?;
/// let report = DviReport::of(&dvi, &DviData::new((0.0, 1.0), &[0.0], &[1.0]))?;
/// assert!(report.strongly_monotone.finding.is_proved());
/// assert_eq!(report.conclusion(), DviConclusion::WeakSolutions);
/// println!("{report}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DviReport {
    /// f is Lipschitz continuous in x.
    pub lipschitz_f: Assumption,
    /// G is Lipschitz continuous in x.
    pub lipschitz_g: Assumption,
    /// f and G are Lipschitz continuous in t.
    pub lipschitz_in_time: Assumption,
    /// B is bounded and continuous.
    pub bounded_input: Assumption,
    /// K is closed and convex.
    pub convex_set: Assumption,
    /// F is continuous.
    pub continuous_map: Assumption,
    /// The solution sets of the inequality are nonempty, convex and of linear growth.
    pub growth: Assumption,
    /// F is monotone.
    pub monotone_map: Assumption,
    /// The map from u to G(t, r + B u) is strongly monotone.
    pub strongly_monotone: Assumption,
    /// F(u) = D u with D nonnegative definite.
    pub nonnegative_d: Assumption,
    /// F(u) = Psi(E u), and the change of E u in a step is at most c h.
    pub small_changes: Assumption,
}

impl DviReport {
    /// Checks all assumptions.
    ///
    /// # Errors
    ///
    /// If the data have the wrong size or are not finite ([`DviError::Model`], [`DviError::Settings`]), or if
    /// a spectrum cannot be computed ([`DviError::Analysis`]).
    pub fn of(dvi: &Dvi, data: &DviData<'_>) -> Result<Self, DviError> {
        data.check(dvi)?;
        let samples = Samples::new(dvi, data);
        Ok(Self {
            lipschitz_f: functions::lipschitz("f is Lipschitz continuous in x", dvi.f(), &samples),
            lipschitz_g: functions::lipschitz("G is Lipschitz continuous in x", dvi.g(), &samples),
            lipschitz_in_time: functions::lipschitz_in_time(dvi, &samples),
            bounded_input: functions::bounded_input(dvi.b(), &samples),
            convex_set: monotony::convex_set(dvi.set(), &samples),
            continuous_map: monotony::continuous_map(dvi.map(), &samples),
            growth: growth::growth(dvi, &samples)?,
            monotone_map: monotony::monotone_map(dvi.map(), &samples)?,
            strongly_monotone: monotony::strongly_monotone(dvi, &samples)?,
            nonnegative_d: monotony::nonnegative_d(dvi.map())?,
            small_changes: monotony::small_changes(data),
        })
    }

    /// Returns the assumptions in the order of Pang and Stewart.
    #[must_use]
    pub fn assumptions(&self) -> [&Assumption; 11] {
        [
            &self.lipschitz_f,
            &self.lipschitz_g,
            &self.lipschitz_in_time,
            &self.bounded_input,
            &self.convex_set,
            &self.continuous_map,
            &self.growth,
            &self.monotone_map,
            &self.strongly_monotone,
            &self.nonnegative_d,
            &self.small_changes,
        ]
    }

    /// Returns the conclusion from the findings on all assumptions.
    #[must_use]
    pub fn conclusion(&self) -> DviConclusion {
        let proved = |list: &[&Assumption]| list.iter().all(|it| it.finding.is_proved());
        let refuted = |list: &[&Assumption]| list.iter().any(|it| it.finding.is_refuted());
        let always = &self.assumptions()[..6];
        let by_growth = [&self.growth];
        let by_monotony = [&self.monotone_map, &self.strongly_monotone];
        let exist = proved(&by_growth) || proved(&by_monotony);
        if proved(always) && exist && self.nonnegative_d.finding.is_proved() {
            return DviConclusion::WeakSolutions;
        }
        let none_exist = refuted(&by_growth) && refuted(&by_monotony);
        let is_measured = matches!(self.small_changes.finding, Finding::Sampled { .. });
        let no_limit = self.nonnegative_d.finding.is_refuted() && !is_measured;
        if refuted(always) || none_exist || no_limit {
            DviConclusion::NotCovered
        } else {
            DviConclusion::Open
        }
    }
}

impl fmt::Display for DviReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for assumption in self.assumptions() {
            writeln!(f, "{assumption}")?;
        }
        f.write_str(match self.conclusion() {
            DviConclusion::WeakSolutions => {
                "x converges uniformly along a subsequence, u weakly, and the limits are weak solutions."
            }
            DviConclusion::Open => "no required assumption is refuted, but not all are proved.",
            DviConclusion::NotCovered => "the theory does not cover this problem.",
        })
    }
}
