//! Sweep in colour order. The contacts of a colour are solved in parallel on the available threads.

use super::colouring::Colouring;
use super::iteration::{SweepResult, Sweeper};
use super::local::{Local, LocalWorkspace};
use super::observed_law::relax;
use super::packed::PackedRows;
use crate::contact::scales::BlockScale;
use crate::contact::violation::violation_square;
use crate::contact::{ContactLaw, DelassusProblem};

/// Number of contacts in a piece. A piece is solved and summed by one thread, so that sums do not depend on
/// the number of threads. For fewer contacts, waking a thread takes longer than solving the contacts.
const PIECE: usize = 64;

/// Returns `true` if a colour with this number of contacts is distributed over the threads.
pub(super) fn is_worth_sharing(contacts: usize) -> bool {
    contacts >= 2 * PIECE
}

/// Returns how many times the list of contacts of a colour is halved. This gives two to four shares per
/// thread, so that fast threads can take over shares from slow threads.
pub(super) fn splits(threads: usize) -> u32 {
    threads.next_power_of_two().ilog2() + 1
}

/// Data of all contacts, in colour order.
#[derive(Debug, Default)]
pub(super) struct PackedContacts {
    /// Coefficients of friction, or slopes of the cones.
    first: Vec<f64>,
    /// Coefficients of rolling friction.
    second: Vec<f64>,
    q: Vec<f64>,
    r: Vec<f64>,
    scales: Vec<BlockScale>,
    pieces: Vec<Piece>,
}

/// Results of a sweep over one piece of a colour, and workspace to solve its contacts.
#[derive(Clone, Debug, Default)]
struct Piece {
    /// Sum of the squares of the changes of the reactions.
    change: f64,
    /// Sum of the squares of the violations of the law.
    estimate: f64,
    memory: LocalWorkspace,
}

impl PackedContacts {
    /// Copies the data of the contacts and the initial guess `r`, in colour order.
    pub(super) fn take(
        &mut self,
        problem: &DelassusProblem<'_>,
        scales: &[BlockScale],
        colouring: &Colouring,
        r: &[f64],
    ) {
        let (law, members) = (problem.law(), colouring.members());
        let (first, second) = match law {
            ContactLaw::Coulomb { mu, .. } => (mu, &[][..]),
            ContactLaw::Rolling { mu, mu_rolling, .. } => (mu, mu_rolling),
            ContactLaw::SecondOrder { tau, .. } => (tau, &[][..]),
        };
        for (target, source) in [(&mut self.first, first), (&mut self.second, second)] {
            target.clear();
            target.extend(members.iter().filter_map(|&contact| source.get(contact)));
        }
        self.scales.clear();
        self.scales.extend(members.iter().map(|&contact| scales[contact]));
        for (target, source) in [(&mut self.q, problem.q()), (&mut self.r, r)] {
            target.clear();
            members.iter().for_each(|&contact| target.extend_from_slice(&source[law.range(contact)]));
        }
        self.pieces.resize_with(colouring.largest().div_ceil(PIECE), Piece::default);
    }

    /// Returns the sweeps over these contacts. The argument of `solver` is the law with its parameters in
    /// colour order. `solver` returns the local solver, one stored value per contact, and the relaxation
    /// factor.
    pub(super) fn sweeps<'a, const D: usize>(
        &'a mut self,
        law: ContactLaw<'a>,
        rows: &'a PackedRows,
        colouring: &'a Colouring,
        splits: u32,
        solver: impl FnOnce(ContactLaw<'a>) -> ((Local<'a>, &'a mut [f64]), f64),
    ) -> ColouredSweeps<'a, D> {
        let Self { first, second, q, r, scales, pieces } = self;
        let law = match law {
            ContactLaw::Coulomb { dimension, .. } => ContactLaw::Coulomb { dimension, mu: first },
            ContactLaw::Rolling { dimension, .. } => {
                ContactLaw::Rolling { dimension, mu: first, mu_rolling: second }
            }
            // All cones have the same size, so `starts` is valid for any order.
            ContactLaw::SecondOrder { starts, .. } => ContactLaw::SecondOrder { starts, tau: first },
        };
        let ((local, states), relaxation) = solver(law);
        let contacts = Contacts { rows, law, q, scales, local, relaxation, estimates: false };
        ColouredSweeps { contacts, colouring, splits, r, states, pieces }
    }
}

/// Sweeps of one solve.
pub(super) struct ColouredSweeps<'a, const D: usize> {
    contacts: Contacts<'a>,
    colouring: &'a Colouring,
    /// Number of times that the list of contacts of a colour is halved.
    splits: u32,
    /// Reactions in colour order.
    r: &'a mut [f64],
    states: &'a mut [f64],
    pieces: &'a mut [Piece],
}

impl<const D: usize> Sweeper for ColouredSweeps<'_, D> {
    fn sweep(&mut self, _number: usize, estimates: bool, _r: &mut [f64]) -> SweepResult {
        self.contacts.estimates = estimates;
        let mut swept = SweepResult { all: true, ..SweepResult::default() };
        for ends in self.colouring.starts().windows(2) {
            let (start, end) = (ends[0], ends[1]);
            let (earlier, rest) = self.r.split_at_mut(start * D);
            let (r, later) = rest.split_at_mut((end - start) * D);
            let pieces = &mut self.pieces[..(end - start).div_ceil(PIECE)];
            let share = ContactShare { first: start, r, states: &mut self.states[start..end], pieces };
            let splits = if is_worth_sharing(end - start) { self.splits } else { 0 };
            self.contacts.solve_share::<D>(share, (earlier, later), splits);
            for piece in &self.pieces[..(end - start).div_ceil(PIECE)] {
                swept.change += piece.change;
                swept.estimate += piece.estimate;
            }
        }
        swept.change = swept.change.sqrt();
        swept
    }

    fn show(&self, r: &mut [f64]) {
        for (&contact, source) in self.colouring.members().iter().zip(self.r.chunks_exact(D)) {
            r[contact * D..(contact + 1) * D].copy_from_slice(source);
        }
    }
}

/// Consecutive contacts of one colour, in colour order.
struct ContactShare<'a> {
    first: usize,
    r: &'a mut [f64],
    states: &'a mut [f64],
    pieces: &'a mut [Piece],
}

impl ContactShare<'_> {
    /// Splits the share into two shares, each of which consists of whole pieces.
    fn halve<const D: usize>(self) -> (Self, Self) {
        let pieces = self.pieces.len() / 2;
        let contacts = pieces * PIECE;
        let (r, later_r) = self.r.split_at_mut(contacts * D);
        let (states, later_states) = self.states.split_at_mut(contacts);
        let (pieces, later_pieces) = self.pieces.split_at_mut(pieces);
        let later =
            Self { first: self.first + contacts, r: later_r, states: later_states, pieces: later_pieces };
        (Self { first: self.first, r, states, pieces }, later)
    }
}

/// Data that all threads read.
#[derive(Clone, Copy)]
struct Contacts<'a> {
    rows: &'a PackedRows,
    law: ContactLaw<'a>,
    q: &'a [f64],
    scales: &'a [BlockScale],
    local: Local<'a>,
    relaxation: f64,
    /// `true` if the violations of the law are summed during the sweep.
    estimates: bool,
}

impl Contacts<'_> {
    /// Solves contacts of one colour. `others` holds the reactions of the earlier and of the later colours.
    fn solve_share<const D: usize>(&self, share: ContactShare<'_>, others: (&[f64], &[f64]), splits: u32) {
        if splits > 0 && share.pieces.len() > 1 {
            let (one, other) = share.halve::<D>();
            let solve = |share| self.solve_share::<D>(share, others, splits - 1);
            rayon::join(|| solve(one), || solve(other));
            return;
        }
        let ContactShare { first, r, states, pieces } = share;
        let parts = r.chunks_mut(PIECE * D).zip(states.chunks_mut(PIECE));
        for (number, (piece, (r, states))) in pieces.iter_mut().zip(parts).enumerate() {
            self.solve_piece::<D>(first + number * PIECE, piece, (r, states), others);
        }
    }

    #[inline]
    fn solve_piece<const D: usize>(
        &self,
        first: usize,
        piece: &mut Piece,
        (r, states): (&mut [f64], &mut [f64]),
        (earlier, later): (&[f64], &[f64]),
    ) {
        (piece.change, piece.estimate) = (0.0, 0.0);
        let each = r.as_chunks_mut::<D>().0.iter_mut().zip(states).zip(first..);
        for ((r, state), contact) in each {
            let old = *r;
            let rest = self.rows.product::<D>(contact, earlier, later);
            let diagonal = self.rows.diagonal::<D>(contact);
            let own = diagonal.mul_vector(&old);
            let q = &self.q[contact * D..(contact + 1) * D];
            let b: [f64; D] = std::array::from_fn(|k| q[k] + rest[k]);
            let w: [f64; D] = std::array::from_fn(|k| b[k] + own[k]);
            if self.estimates {
                piece.estimate += violation_square(&self.law, contact, self.scales[contact], &old, &w);
            }
            let memory = &mut piece.memory;
            let mut new = self.local.solve_fixed(contact, &diagonal, (&b, &w), &old, state, memory);
            relax(&self.law, contact, self.relaxation, &old, &mut new);
            piece.change += old.iter().zip(&new).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
            *r = new;
        }
    }
}
