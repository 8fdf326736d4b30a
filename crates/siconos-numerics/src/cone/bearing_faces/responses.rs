//! What the faces do to the point, and by that to each other.

use super::super::Inequalities;

/// A face that has got no response.
const NONE: usize = usize::MAX;

/// The responses W H_i^T of the faces that have been asked for.
#[derive(Debug, Default)]
pub(super) struct Responses {
    /// The H that they are of.
    rows: Inequalities,
    /// Where in the list below each row is.
    places: Vec<usize>,
    /// H_i W H_i^T.
    own: Vec<f64>,
    /// n numbers each.
    entries: Vec<f64>,
}

impl Responses {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.places.clear();
    }

    /// Goes over to a list of rows. Whether it is that of the last call, so that responses are kept.
    pub(super) fn begin(&mut self, rows: &Inequalities) -> bool {
        if self.places.len() == rows.len() && !rows.is_empty() && self.rows.has_rows_of(rows) {
            return true;
        }
        self.rows.copy_from(rows);
        self.places.clear();
        self.places.resize(rows.len(), NONE);
        self.own.clear();
        self.entries.clear();
        false
    }

    /// What a face does to itself, H_i W H_i^T; its response is found before, if it was not.
    pub(super) fn own(&mut self, rows: &Inequalities, respond: &dyn Fn(&mut [f64]), face: usize) -> f64 {
        if self.places[face] == NONE {
            self.places[face] = self.own.len();
            let start = self.entries.len();
            self.entries.resize(start + rows.dimension(), 0.0);
            let response = &mut self.entries[start..];
            rows.add_row(face, 1.0, response);
            respond(response);
            self.own.push(rows.product(face, response));
        }
        self.own[self.places[face]]
    }

    /// The response of a face that has been asked for.
    pub(super) fn of(&self, face: usize) -> &[f64] {
        let n = self.rows.dimension();
        &self.entries[self.places[face] * n..][..n]
    }

    /// What a face that has been asked for does to itself.
    pub(super) fn own_of(&self, face: usize) -> f64 {
        self.own[self.places[face]]
    }
}
