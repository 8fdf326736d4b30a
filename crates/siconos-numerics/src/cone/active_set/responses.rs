//! Responses W H_i^T of the point to the multipliers of the rows.

use super::super::Inequalities;

/// Index used for a row whose response has not been computed.
const NONE: usize = usize::MAX;

/// Responses W H_i^T of the rows for which they were requested.
#[derive(Debug, Default)]
pub(super) struct Responses {
    /// Rows H for which the responses were computed.
    rows: Inequalities,
    /// Index of each row in `own` and `entries`, or `NONE`.
    places: Vec<usize>,
    /// Self-responses H_i W H_i^T.
    own: Vec<f64>,
    /// Responses, stored consecutively, with n entries each.
    entries: Vec<f64>,
}

impl Responses {
    /// Discards all responses.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.places.clear();
    }

    /// Prepares the responses for new rows. Responses are kept if H has not changed. Returns `true` if they
    /// are kept.
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

    /// Returns the self-response H_i W H_i^T of a row. The response of the row is computed if it is not
    /// stored yet.
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

    /// Returns the response of a row. The response must have been requested by [`own`](Self::own).
    pub(super) fn of(&self, face: usize) -> &[f64] {
        let n = self.rows.dimension();
        &self.entries[self.places[face] * n..][..n]
    }

    /// Returns the self-response of a row. The response must have been requested by [`own`](Self::own).
    pub(super) fn own_of(&self, face: usize) -> f64 {
        self.own[self.places[face]]
    }
}
