//! Solution on a grid. x is continuous and piecewise linear; u is piecewise constant.

/// Solution as functions of time (Pang and Stewart 2008, section 7): $x^h$ is continuous and linear between
/// the nodes, and $u^h$ is $u_{k+1}$ on $(t_k, t_{k+1}\]$.
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
    /// Creates a solution that starts at time t \[s\] in the state x. `inputs` is the number of components of
    /// u.
    #[must_use]
    pub fn new(t: f64, x: &[f64], inputs: usize) -> Self {
        Self { states: x.len(), inputs, t: vec![t], x: x.to_vec(), u: Vec::new() }
    }

    /// Adds a step that ends at time t \[s\] in the state x, with the u of the step. t must be greater than
    /// the time of the previous node.
    ///
    /// # Panics
    ///
    /// If the length of x or u differs from the length in [`new`](Self::new).
    #[track_caller]
    pub fn push(&mut self, t: f64, x: &[f64], u: &[f64]) {
        assert_eq!((x.len(), u.len()), (self.states, self.inputs), "lengths of x and u");
        self.t.push(t);
        self.x.extend_from_slice(x);
        self.u.extend_from_slice(u);
    }

    /// Returns the number of steps.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.t.len() - 1
    }

    /// Returns n, the number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.states
    }

    /// Returns m, the number of components of u.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Returns the times of the nodes \[s\]. There is one more node than there are steps.
    #[must_use]
    pub fn t(&self) -> &[f64] {
        &self.t
    }

    /// Returns the state at node k.
    ///
    /// # Panics
    ///
    /// If node k does not exist.
    #[track_caller]
    #[must_use]
    pub fn x(&self, k: usize) -> &[f64] {
        &self.x[k * self.states..(k + 1) * self.states]
    }

    /// Returns the u of the step that ends at node k, for k from 1 on.
    ///
    /// # Panics
    ///
    /// If no step ends at node k.
    #[track_caller]
    #[must_use]
    pub fn u(&self, k: usize) -> &[f64] {
        assert!(k > 0, "no step ends at the first node");
        &self.u[(k - 1) * self.inputs..k * self.inputs]
    }

    /// Returns the state at time t. Outside the grid, returns the state at the nearest end of the grid.
    #[must_use]
    pub fn x_at(&self, t: f64) -> Vec<f64> {
        let k = self.step_at(t);
        if k == 0 {
            return self.x(0).to_vec();
        }
        let (from, to) = (self.t[k - 1], self.t[k]);
        // In a step of length 0, the state at its end is used.
        let part = if to > from { ((t - from) / (to - from)).clamp(0.0, 1.0) } else { 1.0 };
        self.x(k - 1).iter().zip(self.x(k)).map(|(a, b)| a + part * (b - a)).collect()
    }

    /// Returns u at time t: before the grid, the u of the first step, and after the grid, the u of the last
    /// step. The result is empty if the solution has no step.
    #[must_use]
    pub fn u_at(&self, t: f64) -> Vec<f64> {
        match self.step_at(t) {
            0 => Vec::new(),
            k => self.u(k).to_vec(),
        }
    }

    /// Iterates over all values: times, states and u.
    pub(super) fn numbers(&self) -> impl Iterator<Item = &f64> {
        self.t.iter().chain(&self.x).chain(&self.u)
    }

    /// Returns the index of the node at the end of the step that contains time t, or 0 if there is no step.
    fn step_at(&self, t: f64) -> usize {
        self.t.partition_point(|node| *node < t).max(1).min(self.steps())
    }
}
