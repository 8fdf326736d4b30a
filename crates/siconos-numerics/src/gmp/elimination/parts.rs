//! Partition of a problem into its equalities and the other laws.

use siconos_linalg::Csc;

use crate::gmp::{GenericMechanicalProblem, MechanicalLaw};

/// Four blocks of M, with e for the unknowns of equalities and i for all other unknowns. The memory is reused
/// for the next problem.
#[derive(Debug, Default)]
pub(in crate::gmp) struct EqualityPartition {
    pub(super) equalities: Vec<usize>,
    pub(super) others: Vec<usize>,
    /// The laws of the other unknowns.
    pub(in crate::gmp) laws: Vec<MechanicalLaw>,
    pub(super) ee: Csc,
    pub(super) ei: Csc,
    pub(super) ie: Csc,
    pub(super) ii: Csc,
    whole: Csc,
    /// Index of each unknown in `equalities` or in `others`.
    place: Vec<usize>,
    is_equality: Vec<bool>,
}

impl EqualityPartition {
    pub(super) fn cut(&mut self, problem: &GenericMechanicalProblem) {
        self.list(problem);
        self.whole.copy_from(problem.m(), |_, _| false);
        let Self { equalities, others, ee, ei, ie, ii, whole, place, is_equality, .. } = self;
        for (columns, of_e, of_i) in [(&*equalities, ee, ie), (&*others, ei, ii)] {
            of_e.begin(equalities.len());
            of_i.begin(others.len());
            for &j in columns {
                for (i, value) in whole.column(j) {
                    let part = if is_equality[i] { &mut *of_e } else { &mut *of_i };
                    part.push(place[i], value);
                }
                of_e.close_column();
                of_i.close_column();
            }
        }
    }

    fn list(&mut self, problem: &GenericMechanicalProblem) {
        self.equalities.clear();
        self.others.clear();
        self.laws.clear();
        self.place.clear();
        self.is_equality.clear();
        for (block, law) in problem.laws().iter().enumerate() {
            let is_equality = matches!(law, MechanicalLaw::Equality { .. });
            if !is_equality {
                self.laws.push(law.clone());
            }
            let list = if is_equality { &mut self.equalities } else { &mut self.others };
            for unknown in problem.range(block) {
                self.place.push(list.len());
                self.is_equality.push(is_equality);
                list.push(unknown);
            }
        }
    }

    /// Copies to `into` the entries of `x` that belong to equalities.
    pub(super) fn of_equalities(&self, x: &[f64], into: &mut Vec<f64>) {
        into.clear();
        into.extend(self.equalities.iter().map(|&i| x[i]));
    }

    /// Returns a copy of the entries of `x` that belong to other laws.
    pub(in crate::gmp) fn of_others(&self, x: &[f64]) -> Vec<f64> {
        self.others.iter().map(|&i| x[i]).collect()
    }
}
