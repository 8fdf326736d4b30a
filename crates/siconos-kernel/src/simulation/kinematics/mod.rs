//! Local variables of Lagrangian interactions: Jacobians, gaps, and gap velocities at a position and time.

mod nonlinear;
mod placed_contact;

use siconos_linalg::dot;

use self::nonlinear::{Nonlinear, gather, positions};
pub(super) use self::placed_contact::PlacedContact;
use crate::index::{Dofs, RowIndex, Table, TypedIndex};
use crate::integrator::ROUNDINGS;
use crate::model::relation::ConvectiveScratch;
use crate::model::{At, LagrangianLinearRelation, NonSmoothDynamicalSystem, Relation};
use crate::nonsmooth_problem::{
    Coefficients, ImposedVariables, InteractionEntry, InteractionIndex, Moves, Row, RowEntry, Tables,
    UnitaryEntry,
};
use crate::threads::Threads;

/// Maximum number of directions in which a contact moves; the other rows of a contact are rotations.
const DIRECTIONS: usize = 3;

/// Jacobians and partial time derivatives of h at their last evaluation, with the workspace of the
/// evaluation.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinematics {
    /// Rows of all Jacobians, one after the other.
    pub(super) jacobian: Vec<f64>,
    /// Rows along which multipliers act, in the layout of the Jacobians. Empty if all multipliers act along
    /// the rows of the Jacobians, that is, if no joint or spring reacts along rows evaluated at the midpoint
    /// of the step, and no relation has a separate input.
    reaction: Vec<f64>,
    /// `true` if joints react along rows evaluated at the midpoint of the step.
    joints_react_in_middle: bool,
    /// Partial derivative of h with respect to time, per component of y.
    pub(super) time_derivative: Vec<f64>,
    /// Largest sum of the magnitudes of the entries of a row, over the Jacobians of linear relations.
    largest_row: f64,
    /// Offset b of linear relations, per component of y.
    offset: Vec<f64>,
    /// Magnitude of the configuration for each degree of freedom, from which the rounding errors of gaps are
    /// computed. Empty if all configurations form vector spaces.
    magnitudes: Vec<f64>,
    /// Nonlinear relation of each interaction; `None` if the relation is linear.
    nonlinear: Table<InteractionEntry, Option<Box<Nonlinear>>>,
    /// Indices of the interactions with a nonlinear relation.
    places: Vec<InteractionIndex>,
    /// Indices of the joints that hold a common point of two bodies.
    pointed: Vec<InteractionIndex>,
    /// Detected contacts of the step, in the order of their entries, which follow the entries of the model.
    pub(super) detected: Vec<PlacedContact>,
}

/// Time, positions, velocities and multipliers at which outputs are evaluated.
#[derive(Clone, Copy)]
pub(super) struct Motion<'a> {
    pub(super) at: At<'a>,
    pub(super) q: &'a [f64],
    pub(super) v: &'a [f64],
    /// Multipliers at position level.
    pub(super) lambda: &'a [f64],
}

/// Positions of all systems at a time.
#[derive(Clone, Copy)]
pub(super) struct Configuration<'a> {
    pub(super) at: At<'a>,
    pub(super) q: &'a [f64],
}

impl Kinematics {
    /// Creates the workspace for the interactions of a model.
    pub(super) fn new(
        tables: &Tables,
        model: &NonSmoothDynamicalSystem,
        joints_react_in_middle: bool,
    ) -> Self {
        let mut kinematics = Self { joints_react_in_middle, ..Self::default() };
        kinematics.extend(tables, model);
        kinematics
    }

    /// Adds new interactions, and writes H and b of the new linear relations. The values of existing
    /// interactions do not change.
    pub(super) fn extend(&mut self, tables: &Tables, model: &NonSmoothDynamicalSystem) {
        self.jacobian.resize(tables.jacobian_len, 0.0);
        self.time_derivative.resize(tables.rows.len(), 0.0);
        self.offset.resize(tables.rows.len(), 0.0);
        self.magnitudes.resize(if tables.has_spaces { tables.dofs } else { 0 }, 0.0);
        let mut acts_apart = !self.reaction.is_empty();
        for (place, entry) in tables.interactions.entries().skip(self.nonlinear.len()) {
            self.nonlinear.push(None);
            let known = entry.interaction_in(model).filter(|_| !entry.is_first_order());
            // An interaction that was added and removed since the last call is not evaluated.
            let Some(interaction) = known.filter(|_| !entry.is_gone()) else { continue };
            if let Relation::LagrangianLinear(relation) = interaction.relation() {
                self.write_linear(tables, place, relation);
                continue;
            }
            let Some(constraint) = interaction.relation().constraint() else { continue };
            let positions = tables.incidences_of(place).iter().map(|at| at.positions.len()).sum();
            self.nonlinear[place] = Some(Box::new(Nonlinear::new(interaction, constraint, positions)));
            self.places.push(place);
            if self.nonlinear[place].as_ref().is_some_and(|own| own.common_point.is_some()) {
                self.pointed.push(place);
            }
            acts_apart |= self.acts_apart(tables, place);
        }
        if acts_apart {
            self.copy_reactions();
        }
    }

    /// Resizes the arrays to the rows of the tables, which include the rows of detected contacts.
    pub(super) fn fit_rows(&mut self, tables: &Tables) {
        self.jacobian.resize(tables.jacobian_len, 0.0);
        self.time_derivative.resize(tables.rows.len(), 0.0);
        self.offset.resize(tables.rows.len(), 0.0);
        if !self.reaction.is_empty() {
            self.reaction.resize(tables.jacobian_len, 0.0);
        }
    }

    /// Evaluates the Jacobian of a detected contact, given by its order, at a position. Its multipliers act
    /// along the rows of the Jacobian.
    pub(super) fn differentiate_detected(&mut self, tables: &Tables, order: usize, q: &[f64]) {
        let entry = &tables.detected()[order];
        let to = (&mut self.jacobian[..], &mut self.time_derivative[..]);
        self.detected[order].differentiate(tables, entry, q, to);
        let own = entry.jacobian.range();
        if !self.reaction.is_empty() {
            self.reaction[own.clone()].copy_from_slice(&self.jacobian[own]);
        }
    }

    /// Splits a list of interactions into interactions of the model and detected contacts. The latter are
    /// given by their order.
    fn split<'a>(
        &self,
        interactions: &'a [InteractionIndex],
    ) -> (&'a [InteractionIndex], impl Iterator<Item = usize> + use<'a>) {
        let declared = self.nonlinear.len();
        let (of_model, detected) =
            interactions.split_at(interactions.partition_point(|place| place.index() < declared));
        (of_model, detected.iter().map(move |place| place.index() - declared))
    }

    /// Updates the workspace after an interaction has been given a new law, which can make the interaction a
    /// joint.
    pub(super) fn take_joint(&mut self, tables: &Tables, place: InteractionIndex) {
        if self.acts_apart(tables, place) {
            self.copy_reactions();
        }
    }

    /// Returns `true` if the multipliers of an interaction act along rows that differ from the rows of its
    /// Jacobian.
    fn acts_apart(&self, tables: &Tables, place: InteractionIndex) -> bool {
        // If the interaction has no entry in `nonlinear` yet, `extend` adds it later.
        let known = self.nonlinear.get(place.index()).and_then(Option::as_ref);
        known.is_some_and(|own| {
            own.constraint.has_input()
                || self.joints_react_in_middle && is_joint(tables, &tables.interactions[place])
        })
    }

    /// Appends the Jacobians of new interactions to the reaction rows. Constant rows need no other update.
    fn copy_reactions(&mut self) {
        self.reaction.extend_from_slice(&self.jacobian[self.reaction.len()..]);
    }

    /// Updates the indices after the tables were compacted.
    pub(super) fn close_gaps(&mut self, moves: &Moves) {
        moves.jacobian.close(&mut self.jacobian);
        moves.jacobian.close(&mut self.reaction);
        moves.rows.close(&mut self.time_derivative);
        moves.rows.close(&mut self.offset);
        moves.interactions.close(&mut self.nonlinear);
        moves.interactions.rename(&mut self.places);
        moves.interactions.rename(&mut self.pointed);
    }

    fn write_linear(
        &mut self,
        tables: &Tables,
        place: InteractionIndex,
        relation: &LagrangianLinearRelation,
    ) {
        let entry = &tables.interactions[place];
        relation.rows_into(&mut self.jacobian[entry.jacobian.range()]);
        let offset = self.offset[entry.rows.range()].iter_mut();
        offset.zip(relation.offset().into_iter().flatten()).for_each(|(own, b)| *own = *b);
        for row in entry.rows_of_jacobian() {
            let size = self.jacobian[row].iter().map(|j| j.abs()).sum();
            self.largest_row = self.largest_row.max(size);
        }
    }

    /// Evaluates the partial time derivatives of h, and all Jacobians that are not constant, at the time and
    /// positions `here`.
    pub(super) fn evaluate(&mut self, tables: &Tables, threads: &Threads, here: Configuration<'_>) {
        let places = std::mem::take(&mut self.places);
        self.evaluate_some(tables, threads, &places, here);
        self.places = places;
    }

    /// Evaluates the Jacobians and the partial time derivatives of h of `interactions`.
    // Not inlined, because inlining this function and the next two would make a step of a linear model 7 %
    // slower.
    #[inline(never)]
    pub(super) fn evaluate_some(
        &mut self,
        tables: &Tables,
        threads: &Threads,
        interactions: &[InteractionIndex],
        Configuration { at, q }: Configuration<'_>,
    ) {
        let (interactions, detected) = self.split(interactions);
        detected.for_each(|order| self.differentiate_detected(tables, order, q));
        let Self { nonlinear, jacobian, time_derivative, .. } = self;
        let ranges = |place: InteractionIndex| {
            let entry = &tables.interactions[place];
            (!entry.is_gone()).then(|| [entry.jacobian.range(), entry.rows.range()])
        };
        threads.each(nonlinear, [jacobian, time_derivative], interactions, ranges, |place, own, to| {
            if let Some(nonlinear) = own {
                nonlinear.differentiate(tables.incidences_of(place), at, q, tables.time_scale, to);
            }
        });
    }

    /// Evaluates `interactions` at an iterate of a step: Jacobians and partial time derivatives of h at the
    /// end of the step, and the rows along which multipliers act. For joints, these rows are evaluated at the
    /// midpoint of the step.
    pub(super) fn evaluate_iterate(
        &mut self,
        tables: &Tables,
        threads: &Threads,
        interactions: &[InteractionIndex],
        end: Configuration<'_>,
        middle: Configuration<'_>,
    ) {
        self.evaluate_some(tables, threads, interactions, end);
        if self.reaction.is_empty() {
            return;
        }
        let Self { nonlinear, reaction, jacobian, joints_react_in_middle, .. } = self;
        let ranges = |place: InteractionIndex| {
            let entry = &tables.interactions[place];
            (!entry.is_gone()).then(|| [entry.jacobian.range()])
        };
        threads.each(nonlinear, [reaction], interactions, ranges, |place, own, [reaction]| {
            let Some(own) = own else { return };
            let (entry, incidences) = (&tables.interactions[place], tables.incidences_of(place));
            if *joints_react_in_middle && is_joint(tables, entry) {
                own.input_between(incidences, middle.at, middle.q, end.q, reaction);
            } else if own.constraint.has_input() {
                own.input(incidences, end.at, end.q, reaction);
            } else {
                reaction.copy_from_slice(&jacobian[entry.jacobian.range()]);
            }
        });
    }

    /// Returns the joints that hold a common point of two bodies, and the position of the point in the frame
    /// of each body.
    pub(super) fn common_points(&self) -> impl Iterator<Item = (InteractionIndex, [[f64; 3]; 2])> + '_ {
        let point_of =
            |&place: &InteractionIndex| Some((place, self.nonlinear[place].as_ref()?.common_point?));
        self.pointed.iter().filter_map(point_of)
    }

    /// Returns `true` if there is a joint that holds a common point of two bodies.
    #[inline(always)]
    pub(super) fn has_common_points(&self) -> bool {
        !self.pointed.is_empty()
    }

    /// Returns the coefficients of Lagrangian interactions.
    pub(super) fn coefficients(&self) -> Coefficients<'_> {
        Coefficients { reaction: &self.reaction, ..Coefficients::of_jacobian(&self.jacobian) }
    }

    /// Returns the row along which a multiplier acts.
    #[inline(always)]
    pub(super) fn acting_row<'a>(&'a self, tables: &'a Tables, at: RowIndex) -> Row<'a> {
        let (acting, ..) = self.coefficients().of(tables.kind(tables.rows[at].kind), 1.0);
        tables.row(acting, at)
    }

    /// Writes the outputs y (including $D \lambda$ of compliant contacts) and their time derivatives to `y`
    /// and `y_dot`, with the Jacobians of the last evaluation. Skips first-order interactions.
    #[inline]
    pub(super) fn outputs(
        &mut self,
        tables: &Tables,
        threads: &Threads,
        motion: Motion<'_>,
        (y, y_dot): (&mut [f64], &mut [f64]),
    ) {
        if !tables.has_positions() {
            return;
        }
        if !self.places.is_empty() {
            self.evaluate_outputs(tables, threads, motion, y);
        }
        for (contact, entry) in self.detected.iter().zip(tables.detected()) {
            y[entry.rows.start().index()] = contact.gap_at(tables, motion.at, motion.q);
        }
        let write = |(first, y, y_dot): (usize, &mut [f64], &mut [f64])| {
            let rows = tables.rows.entries().skip(first);
            rows.zip(y).zip(y_dot).for_each(|(((at, entry), y), y_dot)| {
                self.write_output(tables, at, entry, motion, (y, y_dot));
            });
        };
        if threads.count() == 1 {
            return write((0, y, y_dot));
        }
        let pieces = threads.cut(y).zip(threads.cut(y_dot));
        threads.share_all(pieces.map(|((first, y), (_, y_dot))| (first, y, y_dot)).collect(), write);
    }

    #[inline(never)]
    fn evaluate_outputs(&mut self, tables: &Tables, threads: &Threads, motion: Motion<'_>, y: &mut [f64]) {
        let ranges = |place: InteractionIndex| {
            let entry = &tables.interactions[place];
            (!entry.is_gone()).then(|| [entry.rows.range()])
        };
        threads.each(&mut self.nonlinear, [y], &self.places, ranges, |place, own, [y]| {
            if let Some(nonlinear) = own {
                nonlinear.evaluate(tables.incidences_of(place), motion, y);
            }
        });
    }

    /// Writes y and its time derivative of one Lagrangian interaction to `y` and `y_dot`. Skips removed
    /// interactions.
    #[inline(never)]
    pub(super) fn output(
        &mut self,
        tables: &Tables,
        place: InteractionIndex,
        motion: Motion<'_>,
        (y, y_dot): (&mut [f64], &mut [f64]),
    ) {
        match self.nonlinear.get_mut(place.index()) {
            Some(Some(nonlinear)) => {
                let y = &mut y[tables.interactions[place].rows.range()];
                nonlinear.evaluate(tables.incidences_of(place), motion, y);
            }
            Some(None) => {}
            None => {
                let contact = &self.detected[place.index() - self.nonlinear.len()];
                let gap = contact.gap_at(tables, motion.at, motion.q);
                y[tables.interactions[place].rows.start().index()] = gap;
            }
        }
        for row in tables.interactions[place].rows.iter() {
            let to = (&mut y[row.index()], &mut y_dot[row.index()]);
            self.write_output(tables, row, &tables.rows[row], motion, to);
        }
    }

    /// Implements [`output`](Self::output) for one row. For nonlinear relations, y must have been written.
    // Inlined, because this function is called for every row in every step.
    #[inline(always)]
    fn write_output(
        &self,
        tables: &Tables,
        at: RowIndex,
        entry: &RowEntry,
        motion: Motion<'_>,
        (y, y_dot): (&mut f64, &mut f64),
    ) {
        let (kind, row) = (tables.kind(entry.kind), at.index());
        if let ImposedVariables::Nothing | ImposedVariables::States(_) = kind.holds {
            return;
        }
        let j = tables.row(&self.jacobian, at);
        if entry.constant {
            // The relation is linear: y = H q + b.
            let (j_q, j_v) = j.times_motion(motion.q, motion.v);
            (*y, *y_dot) = (j_q + self.offset[row], j_v + self.time_derivative[row]);
        } else {
            *y_dot = j.times(motion.v) + self.time_derivative[row];
        }
        if let ImposedVariables::Positions { .. } = kind.holds {
            *y += tables.interactions[entry.interaction].compliant_part(at, motion.lambda);
        }
    }

    /// Writes the second time derivative of y of one interaction to `out`, without the term that contains the
    /// acceleration.
    pub(super) fn convective(
        &mut self,
        tables: &Tables,
        place: InteractionIndex,
        at: At<'_>,
        (q, v): (&[f64], &[f64]),
        scratch: &mut ConvectiveScratch,
        out: &mut [f64],
    ) {
        let Some(own) = self.nonlinear[place].as_deref_mut() else { return out.fill(0.0) };
        let incidences = tables.incidences_of(place);
        let q = gather(incidences, positions, q, &mut own.q);
        let v = gather(incidences, |at| at.dofs.range(), v, &mut own.v);
        own.constraint.convective_into(at, &own.space, (q, v), tables.time_scale, scratch, out);
    }

    /// Returns $J v + \partial_t h$ of one component.
    #[inline(always)]
    pub(super) fn velocity(&self, tables: &Tables, at: RowIndex, v: &[f64]) -> f64 {
        self.row(tables, at).times(v) + self.time_derivative[at.index()]
    }

    /// Returns the sum of the magnitudes of the terms of [`velocity`](Self::velocity).
    pub(super) fn velocity_scale(&self, tables: &Tables, at: RowIndex, v: &[f64]) -> f64 {
        self.row(tables, at).magnitude(v) + self.time_derivative[at.index()].abs()
    }

    /// Computes the magnitudes of configurations that do not form a vector space. The rounding errors of gaps
    /// depend on these magnitudes.
    #[inline]
    pub(super) fn measure(&mut self, tables: &Tables, q: &[f64]) {
        if tables.has_spaces {
            for entry in tables.systems.iter() {
                let out = &mut self.magnitudes[entry.dofs.range()];
                entry.space.magnitudes(&q[entry.positions.range()], out);
            }
        }
    }

    /// Returns the magnitude of a configuration for a degree of freedom, as last computed by
    /// [`measure`](Self::measure); `None` in a vector space.
    pub(super) fn magnitude(&self, dof: TypedIndex<Dofs>) -> Option<f64> {
        self.magnitudes.get(dof.index()).copied()
    }

    /// Returns the rounding error \[m\] of one component of y at a time and position, with the current
    /// Jacobian. [`measure`](Self::measure) must have been called for this position. A gap that is not larger
    /// than its rounding error cannot be distinguished from a closed gap.
    pub(super) fn gap_rounding(&self, tables: &Tables, at: RowIndex, t: f64, q: &[f64]) -> f64 {
        let of_position = self.row(tables, at).magnitude_at(q, &self.magnitudes);
        let size = self.time_derivative[at.index()].abs() * t.abs() + of_position;
        (ROUNDINGS * f64::EPSILON * size).max(self.accuracy(tables, at)).max(f64::MIN_POSITIVE)
    }

    /// Returns the error bound of the gap of a detected contact. For relations of the model, returns the
    /// error bound of the terms that do not follow from the Jacobian and the positions.
    fn accuracy(&self, tables: &Tables, at: RowIndex) -> f64 {
        let place = tables.rows[at].interaction;
        match place.index().checked_sub(self.nonlinear.len()) {
            Some(order) => self.detected.get(order).map_or(0.0, |contact| contact.accuracy),
            None => self.nonlinear[place].as_ref().map_or(0.0, |own| {
                let component = tables.interactions[place].rows.index_of(at);
                ROUNDINGS * f64::EPSILON * own.constraint.scale(component)
            }),
        }
    }

    /// Returns the rounding error of a gap after a step of length `h`. It is
    /// [`gap_rounding`](Self::gap_rounding) plus the rounding error of the displacement, which dominates if
    /// the positions are near the origin of coordinates. `v` is the velocity that reactions must cancel if a
    /// contact is at rest.
    pub(super) fn moved_gap_rounding(
        &self,
        tables: &Tables,
        at: RowIndex,
        t: f64,
        q: &[f64],
        v: &[f64],
        h: f64,
    ) -> f64 {
        let of_motion = h * self.row(tables, at).magnitude(v);
        self.gap_rounding(tables, at, t, q) + ROUNDINGS * f64::EPSILON * of_motion
    }

    /// Returns the change of the velocity of a contact \[m/s\] over a step without reactions, from `v` to
    /// `v_free`: the sum of the magnitudes of its terms. For a detected contact, these are the changes of
    /// translations and rotations; for a declared contact, the terms of the direction with the largest sum.
    ///
    /// The normal component alone would be too small. For example, balls that carry the weight of others
    /// press their neighbours in horizontal directions, in which gravity causes no velocity.
    pub(super) fn fall(&self, tables: &Tables, contact: &UnitaryEntry, (v, v_free): (&[f64], &[f64])) -> f64 {
        let normal = self.row(tables, contact.first_row());
        if tables.interactions[contact.interaction].is_detected() {
            return normal.magnitude_of_change_of_bodies(v, v_free);
        }
        let rows = contact.rows.iter().take(DIRECTIONS).map(|at| self.row(tables, at));
        rows.map(|row| row.magnitude_of_change(v, v_free)).fold(0.0, f64::max)
    }

    /// Returns an upper bound of the [`fall`](Self::fall) of rows with constant Jacobians.
    #[inline]
    pub(super) fn largest_fall(&self, (v, v_free): (&[f64], &[f64])) -> f64 {
        let squares = v.iter().zip(v_free).map(|(v, free)| (free - v).powi(2));
        // The factor 2 covers rounding errors. Squares that underflow count as the smallest positive number.
        2.0 * self.largest_row * squares.sum::<f64>().max(f64::MIN_POSITIVE).sqrt()
    }

    /// Returns an upper bound of the square of [`moved_gap_rounding`](Self::moved_gap_rounding) for constant
    /// Jacobians.
    pub(super) fn largest_squared_rounding(&self, q: &[f64], v: &[f64], h: f64) -> f64 {
        // A norm is at least the largest entry. The factor 2 covers the sum of two terms and the rounding
        // errors of this expression. A gap with a square that underflows counts as small, and is examined.
        (2.0 * ROUNDINGS * f64::EPSILON * self.largest_row).powi(2) * (dot(q, q) + h * h * dot(v, v))
    }

    /// Returns one row of the Jacobian of an interaction.
    #[inline(always)]
    pub(super) fn row<'a>(&'a self, tables: &'a Tables, at: RowIndex) -> Row<'a> {
        tables.row(&self.jacobian, at)
    }
}

/// Returns `true` for joints and springs, which react along rows evaluated at the midpoint of the step.
fn is_joint(tables: &Tables, entry: &InteractionEntry) -> bool {
    tables.kind(entry.kind).reacts_in_middle()
}
