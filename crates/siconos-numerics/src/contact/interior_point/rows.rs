//! Rows of a contact problem, transformed so that all cones are standard second-order cones.

use std::ops::Range;

use crate::cone::Part;
use crate::contact::ContactLaw;

/// Rows in which each cone is $K = \lbrace (x_0, \bar x) : \lVert \bar x \rVert \le x_0 \rbrace$. This cone
/// is its own dual.
///
/// A contact with $\mu > 0$ has the rows $(u_N, \mu u_T)$ and the reaction $(r_N, r_T / \mu)$. A contact with
/// $\mu = 0$ has only the row $u_N$. The cone of rolling friction is the intersection of two cones that share
/// $r_N$. Its rows are $(u_N - t, \mu u_T)$ and $(t, \mu_r \omega)$ with one additional unknown t. In these
/// rows, the shift of a cone is the norm of all its rows except the one at index 0.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct ConeRows {
    starts: Vec<usize>,
    tau: Vec<f64>,
    rows: Vec<Row>,
    heads: Vec<usize>,
    has_shift: bool,
}

/// Row of a cone. It is a contact unknown times a factor, or only the additional unknown t.
#[derive(Clone, Copy, Debug)]
pub(in crate::contact) struct Row {
    pub(in crate::contact) unknown: Option<usize>,
    pub(in crate::contact) factor: f64,
}

impl ConeRows {
    /// Computes the rows for a law with finite coefficients.
    pub(in crate::contact) fn prepare(&mut self, law: &ContactLaw<'_>) {
        self.has_shift = law.has_shift();
        for list in [&mut self.starts, &mut self.heads] {
            list.clear();
        }
        self.rows.clear();
        self.starts.push(0);
        for block in 0..law.blocks() {
            let (cone, first) = (law.cone(block), law.range(block).start);
            // Components with the coefficient 0 have no reaction, and their velocity is not restricted.
            let bears = |part: &&Part| part.coefficient > 0.0 && !part.range.is_empty();
            let count = cone.parts().iter().filter(bears).count();
            for (k, part) in cone.parts().iter().filter(bears).enumerate() {
                if count == 2 {
                    self.heads.push(self.rows.len());
                }
                self.rows.push(Row { unknown: (k == 0).then_some(first), factor: 1.0 });
                let others = part.range.clone();
                self.rows.extend(others.map(|k| Row { unknown: Some(first + k), factor: part.coefficient }));
                self.starts.push(self.rows.len());
            }
            if count == 0 {
                self.rows.push(Row { unknown: Some(first), factor: 1.0 });
                self.starts.push(self.rows.len());
            }
        }
        self.tau.clear();
        self.tau.resize(self.starts.len() - 1, 1.0);
    }

    /// Returns all rows.
    pub(in crate::contact) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns the number of cones.
    pub(in crate::contact) fn cones(&self) -> usize {
        self.tau.len()
    }

    /// Returns the indices of the rows of a cone.
    pub(in crate::contact) fn range(&self, cone: usize) -> Range<usize> {
        self.starts[cone]..self.starts[cone + 1]
    }

    /// Returns the indices of the rows $u_N - t$ and t of each contact with two cones.
    pub(in crate::contact) fn heads(&self) -> &[usize] {
        &self.heads
    }

    /// Returns `true` if the contact law has a shift.
    pub(in crate::contact) fn has_shift(&self) -> bool {
        self.has_shift
    }

    /// Returns the law of the transformed rows: standard second-order cones without a shift.
    pub(in crate::contact) fn law(&self) -> ContactLaw<'_> {
        ContactLaw::SecondOrder { starts: &self.starts, tau: &self.tau }
    }

    /// Converts the reactions `x` of the rows to reactions of the contacts, and writes them to `r`.
    pub(in crate::contact) fn write_reactions(&self, x: &[f64], r: &mut [f64]) {
        r.fill(0.0);
        for (row, x) in self.rows.iter().zip(x) {
            if let Some(unknown) = row.unknown {
                r[unknown] = row.factor * x;
            }
        }
    }
}
