//! Initial active set, and refinement of the solution.

use siconos_linalg::add_scaled;

use super::super::Inequalities;
use super::PolyhedronActiveSet;
use super::exchange::INDEPENDENT;

/// A correction of the multipliers is rejected if it exceeds this fraction of the multipliers.
const SMALL: f64 = 1e-4;

/// Number of updates of the inverse after which it is recomputed.
const MOST_UPDATES: usize = 100;

impl PolyhedronActiveSet {
    /// Starts with the rows that were active after the previous call or, if there were none, with the rows
    /// that the unconstrained point violates. Removes rows until all multipliers are nonnegative, and
    /// replaces x by the solution for the remaining rows.
    pub(super) fn start(&mut self, rows: &Inequalities, respond: &dyn Fn(&mut [f64]), x: &mut [f64]) {
        if !self.responses.begin(rows) || self.updates > MOST_UPDATES {
            self.choose(rows, respond, x);
        }
        self.write_lacks(rows, x);
        self.inverse.apply(&self.column, &mut self.forces);
        while let Some(place) = self.most_negative() {
            // Compute the multipliers without this row.
            self.inverse.copy_column(place, &mut self.row);
            let factor = self.forces[place] / self.row[place];
            add_scaled(-factor, &self.row, &mut self.forces);
            self.take_out(place);
        }
        for (face, force) in self.bearing.iter().zip(&self.forces) {
            add_scaled(*force, self.responses.of(*face), x);
        }
        self.refine(rows, x);
    }

    /// Corrects the multipliers. The correction removes the gaps that rounding errors have left in the active
    /// rows.
    pub(super) fn refine(&mut self, rows: &Inequalities, x: &mut [f64]) {
        self.write_lacks(rows, x);
        self.inverse.apply(&self.column, &mut self.changes);
        // Squares, scaled by the self-responses of the rows, are compared, because the last digit of a square
        // root depends on the units.
        let largest = |values: &[f64]| {
            let sizes = self.bearing.iter().zip(values);
            let sizes = sizes.map(|(face, value)| value * value * self.responses.own_of(*face));
            sizes.fold(0.0, |largest: f64, size| if size <= largest { largest } else { size })
        };
        let (correction, force) = (largest(&self.changes), largest(&self.forces));
        if correction.is_nan() || correction > SMALL * SMALL * force {
            return;
        }
        for ((face, force), change) in self.bearing.iter().zip(&mut self.forces).zip(&self.changes) {
            let corrected = (*force + change).max(0.0);
            add_scaled(corrected - *force, self.responses.of(*face), x);
            *force = corrected;
        }
    }

    /// Selects the initial active rows, and computes the inverse of their matrix.
    fn choose(&mut self, rows: &Inequalities, respond: &dyn Fn(&mut [f64]), x: &[f64]) {
        let most = rows.dimension().min(rows.len());
        self.inverse.reset(most);
        self.updates = 0;
        self.bearing.clear();
        self.forces.clear();
        let labels = rows.labels().iter().enumerate();
        let kept = labels.filter(|(_, label)| self.kept.binary_search(label).is_ok());
        self.bearing.extend(kept.map(|(face, _)| face));
        if self.bearing.is_empty() {
            self.bearing.extend((0..rows.len()).filter(|face| rows.gap(*face, x) < 0.0));
        }
        // More than `most` rows are linearly dependent. In that case, start without active rows, so that the
        // search adds the most violated rows first.
        if self.bearing.len() > most {
            self.bearing.clear();
        }
        for face in &self.bearing {
            self.responses.own(rows, respond, *face);
        }
        if !self.bearing.is_empty() && !self.invert(rows) {
            self.choose_one_by_one(rows);
        }
    }

    /// Computes the inverse of the matrix of the selected rows. Returns `false` if the rows are linearly
    /// dependent.
    fn invert(&mut self, rows: &Inequalities) -> bool {
        let Self { responses, bearing, row: block, inverse, .. } = self;
        block.clear();
        for row in &*bearing {
            block.extend(bearing.iter().map(|column| rows.product(*row, responses.of(*column))));
        }
        // Each diagonal entry of the inverse is the reciprocal of the self-response that remains after all
        // other rows have been eliminated.
        inverse.set_inverse_of(block, bearing.len()).is_ok()
            && bearing.iter().enumerate().all(|(place, face)| {
                let left = inverse.row(place)[place] * responses.own_of(*face);
                left > 0.0 && left < 1.0 / INDEPENDENT
            })
    }

    /// Removes the selected rows that depend on previous rows of the selection.
    fn choose_one_by_one(&mut self, rows: &Inequalities) {
        self.inverse.reset(rows.dimension().min(rows.len()));
        let mut chosen = std::mem::take(&mut self.dependent);
        chosen.clear();
        chosen.append(&mut self.bearing);
        for face in chosen.drain(..) {
            let rate = self.find_way(rows, face);
            let is_free = self.bearing.len() < rows.dimension();
            if is_free && rate > INDEPENDENT * self.responses.own_of(face) {
                self.take_in(rows, face, rate);
            }
        }
        self.dependent = chosen;
    }

    /// Writes the negative gap of each active row to `column`.
    fn write_lacks(&mut self, rows: &Inequalities, x: &[f64]) {
        self.column.clear();
        self.column.extend(self.bearing.iter().map(|face| -rows.gap(*face, x)));
    }

    /// Returns the position of the most negative multiplier, or `None` if all are nonnegative. A NaN is
    /// treated as negative. The multipliers are scaled by the self-responses of their rows.
    fn most_negative(&self) -> Option<usize> {
        let mut most: Option<(usize, f64)> = None;
        for (place, (face, force)) in self.bearing.iter().zip(&self.forces).enumerate() {
            let size = force * force * self.responses.own_of(*face);
            if (*force < 0.0 || force.is_nan()) && most.is_none_or(|(_, largest)| size > largest) {
                most = Some((place, size));
            }
        }
        most.map(|(place, _)| place)
    }
}
