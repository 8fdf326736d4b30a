//! Layout of the unknowns and equations of all steps, and sparsity pattern of their Jacobian.

use ndarray::ArrayView2;
use siconos_linalg::Csc;
use siconos_numerics::ProblemError;

use super::super::Dvi;
use super::conditions::Boundary;

/// Layout of the unknowns and equations. The unknowns are $x_0, v_1, x_1, v_2, x_2, ..$, where v is u
/// followed by the multipliers of the inequalities. The equations are, for each step, the equations of motion
/// and the equations of the variational inequality (the law), followed by the boundary conditions of the
/// whole problem. The Jacobian is block bidiagonal with a border.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Layout {
    /// Number of states.
    pub(super) n: usize,
    /// Number of components of u.
    pub(super) m: usize,
    /// Number of inequalities with a multiplier.
    pub(super) p: usize,
    pub(super) steps: usize,
}

impl Layout {
    pub(in super::super) fn new(dvi: &Dvi, steps: usize) -> Self {
        Self { n: dvi.states(), m: dvi.inputs(), p: dvi.set().inequalities(), steps }
    }

    /// Returns the number of unknowns of a step: u, the multipliers, and x.
    pub(super) fn period(&self) -> usize {
        self.m + self.p + self.n
    }

    pub(in super::super) fn size(&self) -> usize {
        self.n + self.steps * self.period()
    }

    /// Returns the index of the first component of x at node k.
    pub(in super::super) fn x(&self, k: usize) -> usize {
        k * self.period()
    }

    /// Returns the index of the first component of u in the step that ends at node k.
    pub(in super::super) fn u(&self, k: usize) -> usize {
        self.n + (k - 1) * self.period()
    }

    /// Returns the index of the first equation of motion of the step that ends at node k.
    pub(super) fn motion(&self, k: usize) -> usize {
        (k - 1) * self.period()
    }

    /// Returns the index of the first equation of the variational inequality of the step that ends at node k.
    pub(super) fn law(&self, k: usize) -> usize {
        self.motion(k) + self.n
    }

    /// Returns the index of the first boundary condition.
    pub(super) fn boundary(&self) -> usize {
        self.steps * self.period()
    }
}

/// Sparsity pattern of the blocks of a step: the positions of the nonzero derivatives.
#[derive(Clone, Debug)]
pub(super) struct Stencil {
    /// Positions (row, column) of the nonzero derivatives of the equations of motion with respect to x. The
    /// positions are the same for both nodes of the step.
    pub(super) motion_x: Vec<(usize, usize)>,
    /// Positions of the nonzero derivatives of the equations of motion with respect to u.
    pub(super) motion_u: Vec<(usize, usize)>,
    /// Positions of the nonzero derivatives of the variational inequality with respect to v.
    pub(super) law_v: Vec<(usize, usize)>,
    /// Positions of the nonzero derivatives of the variational inequality with respect to x.
    pub(super) law_x: Vec<(usize, usize)>,
    /// Positions of the nonzero derivatives of the boundary conditions with respect to $x_0$ and to $x_N$.
    pub(super) ends: [Vec<(usize, usize)>; 2],
}

/// Returns the positions of the nonzeros of a constant matrix, or all positions if `constant` is `None`.
fn places(constant: Option<ArrayView2<'_, f64>>, shape: (usize, usize)) -> Vec<(usize, usize)> {
    let all = (0..shape.0).flat_map(|i| (0..shape.1).map(move |j| (i, j)));
    all.filter(|place| constant.is_none_or(|matrix| matrix[*place] != 0.0)).collect()
}

impl Stencil {
    /// Creates the pattern. `law_is_full` is `true` if a row of the variational inequality can depend on all
    /// components of u.
    pub(super) fn new(dvi: &Dvi, layout: Layout, boundary: &Boundary, law_is_full: bool) -> Self {
        let Layout { n, m, p, .. } = layout;
        let constant_input = dvi.b().is_constant();
        let mut motion_x = places(dvi.f().matrix().filter(|_| constant_input).map(|a| a.view()), (n, n));
        let mut law_v = places(dvi.map().matrix().filter(|_| !law_is_full).map(|d| d.view()), (m, m));
        for (list, size) in [(&mut motion_x, n), (&mut law_v, m)] {
            list.extend((0..size).map(|i| (i, i)));
        }
        if let Some(polyhedron) = dvi.set().polyhedron() {
            for (i, j) in places(Some(polyhedron.h()), (p, m)) {
                law_v.extend([(j, m + i), (m + i, j)]);
            }
            law_v.extend((m..m + p).map(|i| (i, i)));
        }
        for list in [&mut motion_x, &mut law_v] {
            list.sort_unstable();
            list.dedup();
        }
        let law_x = places(dvi.g().matrix().filter(|_| !law_is_full).map(|c| c.view()), (m, n));
        let ends = [&boundary.m, &boundary.n].map(|matrix| places(Some(matrix.view()), (n, n)));
        Self { motion_x, motion_u: places(dvi.b().matrix().map(|b| b.view()), (n, m)), law_v, law_x, ends }
    }

    /// Calls `visit` with the row and column of every position. The order never changes.
    fn for_each(&self, layout: Layout, mut visit: impl FnMut(usize, usize)) {
        let mut block = |list: &[(usize, usize)], row: usize, column: usize| {
            list.iter().for_each(|(i, j)| visit(row + i, column + j));
        };
        for k in 1..=layout.steps {
            block(&self.motion_x, layout.motion(k), layout.x(k - 1));
            block(&self.motion_u, layout.motion(k), layout.u(k));
            block(&self.motion_x, layout.motion(k), layout.x(k));
            block(&self.law_v, layout.law(k), layout.u(k));
            block(&self.law_x, layout.law(k), layout.x(k));
        }
        block(&self.ends[0], layout.boundary(), layout.x(0));
        block(&self.ends[1], layout.boundary(), layout.x(layout.steps));
    }
}

/// Bordered matrix. Each Newton step rewrites its entries in the order of the [stencil](Stencil).
#[derive(Clone, Debug)]
pub(super) struct BorderedMatrix {
    pub(super) matrix: Csc,
    /// For each entry of the stencil, the index of its value in the matrix.
    slots: Vec<usize>,
    next: usize,
}

impl BorderedMatrix {
    pub(super) fn new(layout: Layout, stencil: &Stencil) -> Result<Self, ProblemError> {
        let mut entries = Vec::new();
        stencil.for_each(layout, |i, j| entries.push((i, j, entries.len() as f64)));
        let mut slots = vec![0; entries.len()];
        let matrix = Csc::from_triplets(layout.size(), layout.size(), entries)?;
        for (slot, number) in matrix.values().iter().enumerate() {
            slots[*number as usize] = slot;
        }
        Ok(Self { matrix, slots, next: 0 })
    }

    /// Restarts writing at the first entry of the stencil.
    pub(super) fn begin(&mut self) {
        self.next = 0;
    }

    /// Writes the next entries of the stencil.
    pub(super) fn write(&mut self, list: &[(usize, usize)], entry: impl Fn(usize, usize) -> f64) {
        let values = self.matrix.values_mut();
        for (slot, (i, j)) in self.slots[self.next..].iter().zip(list) {
            values[*slot] = entry(*i, *j);
        }
        self.next += list.len();
    }
}
