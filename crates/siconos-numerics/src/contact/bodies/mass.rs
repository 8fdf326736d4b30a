//! Factorisation of the mass matrix. If the bodies are not coupled, each body is factorised separately.

use siconos_linalg::{Csc, DenseLu, MatrixRef, SingularMatrix, SparseLu, square};

use crate::contact::ContactLaw;

/// Factors of M. Each connected component of the pattern of M is factorised separately. If at least one
/// component is large, the whole matrix is factorised by sparse LU instead.
///
/// A rigid body forms one component of 3 or 6 degrees of freedom. If its axes are principal, each degree of
/// freedom forms its own component. An elastic body forms one component that contains all its nodes.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct Mass {
    m: Csc,
    /// For each row, its component and its index inside the component.
    place: Vec<(usize, usize)>,
    /// Index in `members` of the first row of each component. The last entry is the number of rows.
    starts: Vec<usize>,
    members: Vec<usize>,
    /// Diagonal entries of the components that have one row; 0 for other components.
    pivots: Vec<f64>,
    /// Index in `factors` of each component with more than one row. Factors are kept between solves to reuse
    /// their memory.
    factor_of: Vec<usize>,
    factors: Vec<DenseLu>,
    whole: SparseLu,
    is_whole: bool,
    block: Vec<f64>,
    roots: Vec<usize>,
    touched_components: Vec<usize>,
    /// Number of contact rows that act on each component, and the most recent contact that was counted.
    rows_on: Vec<(f64, usize)>,
}

/// Maximum number of rows of a component that is factorised as a dense matrix.
const LARGEST_BODY: usize = 64;

impl Mass {
    /// Factorises the matrix `m`.
    pub(in crate::contact) fn factor(&mut self, m: MatrixRef<'_>) -> Result<(), SingularMatrix> {
        self.m.copy_from(m, |_, _| false);
        self.find_components();
        self.is_whole = self.has_large_component();
        if self.is_whole {
            return self.whole.factor(&self.m);
        }
        self.pivots.clear();
        self.factor_of.clear();
        let mut count = 0;
        for component in 0..self.starts.len() - 1 {
            let members = &self.members[self.starts[component]..self.starts[component + 1]];
            let d = members.len();
            self.factor_of.push(count);
            self.pivots.push(0.0);
            if d == 1 {
                let pivot = self.m.get(members[0], members[0]);
                if pivot == 0.0 || !pivot.is_finite() {
                    return Err(SingularMatrix::Pivot { column: members[0], pivot });
                }
                self.pivots[component] = pivot;
                continue;
            }
            self.block.clear();
            self.block.resize(d * d, 0.0);
            for (k, &j) in members.iter().enumerate() {
                for (i, x) in self.m.column(j) {
                    // An entry that is stored as zero can be outside the component.
                    if self.place[i].0 == component {
                        self.block[self.place[i].1 * d + k] = x;
                    }
                }
            }
            if self.factors.len() == count {
                self.factors.push(DenseLu::default());
            }
            self.factors[count].factor(square(&self.block, d))?;
            count += 1;
        }
        Ok(())
    }

    /// Returns `true` if all components of M are small. Discards the factors.
    pub(in crate::contact) fn is_block_diagonal(&mut self, m: MatrixRef<'_>) -> bool {
        self.m.copy_from(m, |_, _| false);
        self.find_components();
        !self.has_large_component()
    }

    /// Estimates the number of entries in the blocks of $H^T M^{-1} H$, for the M that was analysed most
    /// recently. A body couples all contacts that act on it. A degree of freedom without coupling in M is a
    /// component of its own, so two contacts on the same body can share several components. The number of
    /// shared components is estimated as half the number of single-row components per contact; the other half
    /// belongs to the second body of the contact.
    pub(in crate::contact) fn entries_of_delassus(&mut self, h: &Csc, law: &ContactLaw<'_>) -> f64 {
        let Self { rows_on, place, starts, .. } = self;
        rows_on.clear();
        rows_on.resize(starts.len() - 1, (0.0, usize::MAX));
        let mut single = 0;
        for contact in 0..law.blocks() {
            let rows = law.range(contact);
            for (i, _) in rows.clone().flat_map(|j| h.column(j)) {
                let component = place[i].0;
                let (count, last) = &mut rows_on[component];
                if *last != contact {
                    (*count, *last) = (*count + rows.len() as f64, contact);
                    single += usize::from(starts[component + 1] - starts[component] == 1);
                }
            }
        }
        let repeated = (0.5 * single as f64 / law.blocks().max(1) as f64).max(1.0);
        let of_component = |((count, _), ends): (&(f64, usize), &[usize])| {
            count * count / if ends[1] - ends[0] == 1 { repeated } else { 1.0 }
        };
        rows_on.iter().zip(starts.windows(2)).map(of_component).sum()
    }

    fn has_large_component(&self) -> bool {
        self.starts.windows(2).any(|pair| pair[1] - pair[0] > LARGEST_BODY)
    }

    /// Finds the connected components of the graph of nonzero entries, by union-find.
    fn find_components(&mut self) {
        let n = self.m.rows();
        let roots = &mut self.roots;
        roots.clear();
        roots.extend(0..n);
        for j in 0..n {
            for (i, _) in self.m.column(j).filter(|(_, x)| *x != 0.0) {
                let (a, b) = (root(roots, i), root(roots, j));
                // The smaller index becomes the root, so that components are numbered in the order of their
                // first rows.
                roots[a.max(b)] = a.min(b);
            }
        }
        self.place.clear();
        self.starts.clear();
        self.starts.push(0);
        for i in 0..n {
            let first = root(roots, i);
            let component = if first == i { self.starts.len() - 1 } else { self.place[first].0 };
            if first == i {
                self.starts.push(0);
            }
            self.place.push((component, self.starts[component + 1]));
            self.starts[component + 1] += 1;
        }
        for component in 1..self.starts.len() {
            self.starts[component] += self.starts[component - 1];
        }
        self.members.clear();
        self.members.resize(n, 0);
        for (i, &(component, k)) in self.place.iter().enumerate() {
            self.members[self.starts[component] + k] = i;
        }
    }

    /// Writes the diagonal of $H^T M^{-1} H$, computed body by body. Returns `false` if M was factorised as a
    /// whole, because each diagonal entry would then need a solve with the whole matrix. `y` and `touched`
    /// are workspace.
    pub(super) fn write_diagonal(
        &mut self,
        h: &Csc,
        y: &mut Vec<f64>,
        touched: &mut Vec<usize>,
        diagonal: &mut Vec<f64>,
    ) -> bool {
        if self.is_whole {
            return false;
        }
        y.clear();
        y.resize(h.rows(), 0.0);
        diagonal.clear();
        for column in 0..h.columns() {
            self.solve_sparse(h.column(column), y, touched);
            diagonal.push(h.column(column).map(|(k, x)| x * y[k]).sum());
            touched.iter().for_each(|&k| y[k] = 0.0);
        }
        true
    }

    /// Overwrites `x` with $M^{-1} x$.
    pub(in crate::contact) fn solve(&mut self, x: &mut [f64]) {
        if self.is_whole {
            self.whole.solve(x);
            return;
        }
        for component in 0..self.starts.len() - 1 {
            self.solve_component(component, x);
        }
    }

    fn solve_component(&mut self, component: usize, x: &mut [f64]) {
        let members = &self.members[self.starts[component]..self.starts[component + 1]];
        if let [only] = members {
            x[*only] /= self.pivots[component];
            return;
        }
        self.block.clear();
        self.block.extend(members.iter().map(|&i| x[i]));
        self.factors[self.factor_of[component]].solve(&mut self.block);
        members.iter().zip(&self.block).for_each(|(&i, y)| x[i] = *y);
    }

    /// Solves M x = b, where `entries` are the nonzero entries of b. `x` must be zero on entry, and holds the
    /// solution on return. The solution is zero outside the rows in `touched`.
    pub(in crate::contact) fn solve_sparse(
        &mut self,
        entries: impl Iterator<Item = (usize, f64)>,
        x: &mut [f64],
        touched: &mut Vec<usize>,
    ) {
        touched.clear();
        self.touched_components.clear();
        for (i, value) in entries {
            x[i] += value;
            if !self.is_whole {
                self.touched_components.push(self.place[i].0);
            }
        }
        if self.is_whole {
            self.whole.solve(x);
            touched.extend((0..x.len()).filter(|&i| x[i] != 0.0));
            return;
        }
        self.touched_components.sort_unstable();
        self.touched_components.dedup();
        for k in 0..self.touched_components.len() {
            let component = self.touched_components[k];
            self.solve_component(component, x);
            touched.extend_from_slice(&self.members[self.starts[component]..self.starts[component + 1]]);
        }
    }
}

/// Returns the root of row i in the union-find forest, and halves the path to the root.
fn root(roots: &mut [usize], mut i: usize) -> usize {
    while roots[i] != i {
        roots[i] = roots[roots[i]];
        i = roots[i];
    }
    i
}
