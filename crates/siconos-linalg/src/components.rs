//! Connected components of the graph of a square matrix: sets of unknowns such that no entry couples unknowns
//! of two different sets.
//!
//! Each component is an independent problem, whose units are unrelated to the units of the others.

use std::ops::Range;

use super::MatrixRef;

/// Components of n nodes, found by joining pairs (union-find with path halving).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Components {
    /// Parent of each node in a forest in which the root of each tree is its smallest node. After
    /// [`number`](Self::number), index of the component of each node.
    labels: Vec<usize>,
    count: usize,
}

impl Components {
    /// Finds the components of a square matrix.
    pub fn find(&mut self, m: MatrixRef<'_>) {
        self.begin(m.rows());
        self.join_coupled(m, |i| i);
        self.number();
    }

    /// Joins the nodes that are coupled by a nonzero entry. `node` returns the node of a row, and of the
    /// column with the same index.
    pub fn join_coupled(&mut self, m: MatrixRef<'_>, node: impl Fn(usize) -> usize) {
        match m {
            MatrixRef::Dense(m) => {
                for (i, row) in m.rows().into_iter().enumerate() {
                    if self.count <= 1 {
                        break;
                    }
                    let entries = row.into_iter().enumerate().filter(|(_, x)| **x != 0.0);
                    entries.for_each(|(j, _)| self.join(node(i), node(j)));
                }
            }
            MatrixRef::Diagonal(_) => {}
            MatrixRef::BlockCsr(m) => {
                for row in (0..m.block_rows()).map(|row| m.block_row(row)) {
                    let rows = row.rows();
                    for (columns, block) in row.blocks().filter(|(_, block)| !block.is_empty()) {
                        let is_of_one = |range: &Range<usize>| node(range.start) == node(range.end - 1);
                        if is_of_one(&rows) && is_of_one(&columns) {
                            if block.iter().any(|x| *x != 0.0) {
                                self.join(node(rows.start), node(columns.start));
                            }
                            continue;
                        }
                        let entries = block.indexed_iter().filter(|(_, x)| **x != 0.0);
                        entries
                            .for_each(|((i, j), _)| self.join(node(rows.start + i), node(columns.start + j)));
                    }
                }
            }
            MatrixRef::Csc(m) => {
                for j in 0..m.columns() {
                    let entries = m.column(j).filter(|(_, x)| *x != 0.0);
                    entries.for_each(|(i, _)| self.join(node(i), node(j)));
                }
            }
        }
    }

    /// Restarts with `n` separate nodes.
    pub fn begin(&mut self, n: usize) {
        self.labels.clear();
        self.labels.extend(0..n);
        self.count = n;
    }

    /// Joins the components of two nodes.
    #[inline]
    pub fn join(&mut self, i: usize, j: usize) {
        let (i, j) = (self.root(i), self.root(j));
        if i != j {
            self.labels[i.max(j)] = i.min(j);
            self.count -= 1;
        }
    }

    #[inline]
    fn root(&mut self, mut i: usize) -> usize {
        while self.labels[i] != i {
            self.labels[i] = self.labels[self.labels[i]];
            i = self.labels[i];
        }
        i
    }

    /// Assigns consecutive indices to the components, in the order of their smallest nodes. Nodes must not be
    /// joined afterwards.
    pub fn number(&mut self) {
        let mut next = 0;
        for i in 0..self.labels.len() {
            // Parents have smaller indices, so their components are already numbered.
            self.labels[i] = if self.labels[i] == i {
                next += 1;
                next - 1
            } else {
                self.labels[self.labels[i]]
            };
        }
    }

    /// Returns the index of the component of each node.
    pub fn labels(&self) -> &[usize] {
        &self.labels
    }

    /// Returns the number of components.
    pub fn count(&self) -> usize {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, Array2, array};

    use super::*;
    use crate::{BlockCsr, Csc};

    fn labels(m: MatrixRef<'_>) -> Vec<usize> {
        let mut components = Components::default();
        components.find(m);
        assert_eq!(components.count(), components.labels().iter().max().map_or(0, |last| last + 1));
        components.labels().to_vec()
    }

    #[test]
    fn entries_on_either_side_of_the_diagonal_couple() {
        let m = array![
            [1.0, 0.0, 0.0, 2.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 3.0, 1e-300, 1.0],
        ];
        let expected = [0, 1, 0, 0, 0];
        assert_eq!(labels((&m).into()), expected);
        assert_eq!(labels((&Csc::from_matrix((&m).into())).into()), expected);
        let block = |rows: Range<usize>| m.slice(ndarray::s![rows, ..]).to_owned();
        let blocks = BlockCsr::from_blocks(&[2, 3], &[5], vec![(0, 0, block(0..2)), (1, 0, block(2..5))]);
        assert_eq!(labels((&blocks.unwrap()).into()), expected);
        assert_eq!(labels((&Array2::from_diag(&Array1::ones(3))).into()), [0, 1, 2]);
        assert!(labels((&Array2::zeros((0, 0))).into()).is_empty());
    }

    #[test]
    fn a_chain_in_any_order_is_one_component() {
        let n = 97;
        let m = Array2::from_shape_fn((n, n), |(i, j)| f64::from(u8::from(j == (i + 31) % n)));
        assert_eq!(labels((&m).into()), vec![0; n]);
    }
}
