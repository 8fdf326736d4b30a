//! A solution over a grid: x continuous and linear between nodes, u constant in each step.

/// The functions that the values of a scheme make (Pang and Stewart 2008, section 7): $x^h$ is continuous and
/// linear between the nodes, $u^h$ is $u_{k+1}$ on $(t_k, t_{k+1}\]$.
///
/// ```
/// use siconos_sweeping::dvi::DviSolution;
///
/// let mut solution = DviSolution::new(0.0, &[1.0], 1);
/// solution.push(0.5, &[0.0], &[-2.0]);
/// assert_eq!((solution.x_at(0.25), solution.u_at(0.25)), (vec![0.5], vec![-2.0]));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DviSolution {
    states: usize,
    inputs: usize,
    t: Vec<f64>,
    x: Vec<f64>,
    u: Vec<f64>,
}

impl DviSolution {
    /// Begins at a time \[s\] and a state, with so many components of u.
    #[must_use]
    pub fn new(t: f64, x: &[f64], inputs: usize) -> Self {
        Self { states: x.len(), inputs, t: vec![t], x: x.to_vec(), u: Vec::new() }
    }

    /// Adds a step that ends at a time \[s\] and a state, with the u of the step. The times have to rise:
    /// values between nodes are found by them.
    ///
    /// # Panics
    ///
    /// When x or u has another length than before.
    #[track_caller]
    pub fn push(&mut self, t: f64, x: &[f64], u: &[f64]) {
        assert_eq!((x.len(), u.len()), (self.states, self.inputs), "lengths of x and u");
        self.t.push(t);
        self.x.extend_from_slice(x);
        self.u.extend_from_slice(u);
    }

    /// The number of steps.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.t.len() - 1
    }

    /// The number n of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.states
    }

    /// The number m of components of u.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The nodes \[s\], one more than there are steps.
    #[must_use]
    pub fn t(&self) -> &[f64] {
        &self.t
    }

    /// The state at node k.
    ///
    /// # Panics
    ///
    /// When there is no such node.
    #[track_caller]
    #[must_use]
    pub fn x(&self, k: usize) -> &[f64] {
        &self.x[k * self.states..(k + 1) * self.states]
    }

    /// The u of the step that ends at node k, from 1 on.
    ///
    /// # Panics
    ///
    /// When no step ends there.
    #[track_caller]
    #[must_use]
    pub fn u(&self, k: usize) -> &[f64] {
        assert!(k > 0, "no step ends at the first node");
        &self.u[(k - 1) * self.inputs..k * self.inputs]
    }

    /// The state at any time, that of the nearest end outside of the grid.
    #[must_use]
    pub fn x_at(&self, t: f64) -> Vec<f64> {
        let k = self.step_at(t);
        if k == 0 {
            return self.x(0).to_vec();
        }
        let (from, to) = (self.t[k - 1], self.t[k]);
        // A step of no length has the value at its end.
        let part = if to > from { ((t - from) / (to - from)).clamp(0.0, 1.0) } else { 1.0 };
        self.x(k - 1).iter().zip(self.x(k)).map(|(a, b)| a + part * (b - a)).collect()
    }

    /// The u at any time, that of the first step up to the first node and of the last one after the last;
    /// nothing where there is no step.
    #[must_use]
    pub fn u_at(&self, t: f64) -> Vec<f64> {
        match self.step_at(t) {
            0 => Vec::new(),
            k => self.u(k).to_vec(),
        }
    }

    /// All numbers: times, states, u.
    pub(super) fn numbers(&self) -> impl Iterator<Item = &f64> {
        self.t.iter().chain(&self.x).chain(&self.u)
    }

    /// The node at which the step ends that a time lies in, 0 where there is no step.
    fn step_at(&self, t: f64) -> usize {
        self.t.partition_point(|node| *node < t).max(1).min(self.steps())
    }
}
