//! A contact problem over second-order cones, all of one shape.

use super::super::GlobalProblem;
use crate::contact::ContactLaw;
use crate::linalg::{Csc, MatrixRef};

/// The problem with rows scaled so that each cone is $K = \lbrace (x_0, \bar x) : \lVert \bar x \rVert \le
/// x_0 \rbrace$, its own dual.
///
/// A contact with the coefficient $\mu$ has the rows $(u_N, \mu u_T)$ and the reaction $(r_N, r_T / \mu)$;
/// with $\mu = 0$ the row $u_N$ alone. The cone of rolling friction is the intersection of two that share
/// $r_N$: its rows are $(u_N - t, \mu u_T)$ and $(t, \mu_r \omega)$ with one more unknown t, which has no
/// mass. In these rows the shift of a cone is the length of its other rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Cones {
    m: Csc,
    h: Csc,
    b: Csc,
    f: Vec<f64>,
    w: Vec<f64>,
    starts: Vec<usize>,
    tau: Vec<f64>,
    rows: Vec<Row>,
    has_shift: bool,
}

/// A row: a contact unknown times a factor, or an unknown t alone.
#[derive(Clone, Copy, Debug)]
struct Row {
    unknown: Option<usize>,
    factor: f64,
}

impl Cones {
    /// Takes a problem whose coefficients are finite.
    pub(super) fn prepare(&mut self, problem: &GlobalProblem<'_>) {
        let law = problem.law();
        self.has_shift = law.has_shift();
        self.h.copy_from(problem.h(), |_, _| false);
        self.rows.clear();
        self.starts.clear();
        self.starts.push(0);
        let n = problem.degrees_of_freedom();
        let pairs = self.list_rows(&law);
        self.b.begin(n + pairs.len() / 2);
        let Self { b, h, rows, starts, .. } = self;
        let mut extras = pairs.iter().enumerate().map(|(k, head)| (*head, n + k / 2, k % 2 == 0)).peekable();
        for (place, row) in rows.iter().enumerate() {
            let entries = row.unknown.into_iter().flat_map(|j| h.column(j));
            entries.for_each(|(i, x)| b.push(i, row.factor * x));
            if let Some((_, extra, is_first)) = extras.next_if(|(head, ..)| *head == place) {
                b.push(extra, if is_first { -1.0 } else { 1.0 });
            }
            b.close_column();
        }
        self.tau.clear();
        self.tau.resize(starts.len() - 1, 1.0);
        self.w.clear();
        self.w.extend(rows.iter().map(|row| row.unknown.map_or(0.0, |j| row.factor * problem.w()[j])));
        self.f.clear();
        self.f.extend_from_slice(problem.f());
        self.f.resize(n + pairs.len() / 2, 0.0);
        self.copy_masses(problem.m(), pairs.len() / 2);
    }

    /// Lists the rows; returns the heads of the cones of rolling friction, two for each contact.
    fn list_rows(&mut self, law: &ContactLaw<'_>) -> Vec<usize> {
        let mut heads = Vec::new();
        for block in 0..law.blocks() {
            let (cone, first) = (law.cone(block), law.range(block).start);
            // A part with the coefficient 0 bears no reaction, and asks nothing of the velocity.
            let bears = |part: &&crate::cone::Part| part.coefficient > 0.0 && !part.range.is_empty();
            let count = cone.parts().iter().filter(bears).count();
            for (k, part) in cone.parts().iter().filter(bears).enumerate() {
                if count == 2 {
                    heads.push(self.rows.len());
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
        heads
    }

    fn copy_masses(&mut self, m: MatrixRef<'_>, extras: usize) {
        self.h.copy_from(m, |_, _| false);
        let Self { m, h: given, .. } = self;
        m.begin(given.rows() + extras);
        for j in 0..given.columns() {
            given.column(j).for_each(|(i, x)| m.push(i, x));
            m.close_column();
        }
        (0..extras).for_each(|_| m.close_column());
    }

    /// The problem in these rows, without a shift.
    pub(super) fn program(&self) -> GlobalProblem<'_> {
        let law = ContactLaw::SecondOrder { starts: &self.starts, tau: &self.tau };
        GlobalProblem::of_checked((&self.m).into(), (&self.b).into(), &self.f, &self.w, law)
    }

    /// Where each cone begins, and the number of rows.
    pub(super) fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// Whether the velocities of the law are shifted.
    pub(super) fn has_shift(&self) -> bool {
        self.has_shift
    }

    /// Writes the reactions of the contacts.
    pub(super) fn write_reactions(&self, x: &[f64], r: &mut [f64]) {
        r.fill(0.0);
        for (row, x) in self.rows.iter().zip(x) {
            if let Some(unknown) = row.unknown {
                r[unknown] = row.factor * x;
            }
        }
    }
}
