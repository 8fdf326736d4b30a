//! Contacts that are not coupled get the same colour.

use crate::linalg::{BlockCsr, Csc, MatrixRef};

/// The colours of the contacts of a matrix; the memory is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Colouring {
    /// The pairs of coupled contacts, the lower number first, packed in compressed rows both ways.
    first: Vec<usize>,
    neighbours: Vec<usize>,
    pairs: Vec<(usize, usize)>,
    colour_of: Vec<usize>,
    taken: Vec<usize>,
    /// Contacts by colour: `members[starts[c]..starts[c + 1]]`, in rising order.
    starts: Vec<usize>,
    members: Vec<usize>,
}

impl Colouring {
    /// Gives each contact, in order, the first colour that none of its neighbours has (Welsh and Powell
    /// 1967): at most one more than the largest number of neighbours. Two contacts are neighbours when either
    /// block that couples them is stored (in a dense matrix: is not zero).
    pub(super) fn prepare(&mut self, m: MatrixRef<'_>, d: usize) {
        let contacts = m.rows() / d;
        self.list_pairs(m, d);
        self.link(contacts);
        const NONE: usize = usize::MAX;
        self.colour_of.clear();
        self.colour_of.resize(contacts, NONE);
        self.taken.clear();
        let mut colours = 0;
        for contact in 0..contacts {
            for &other in &self.neighbours[self.first[contact]..self.first[contact + 1]] {
                if let Some(taken) = self.taken.get_mut(self.colour_of[other]) {
                    *taken = contact;
                }
            }
            let free = self.taken.iter().position(|&by| by != contact).unwrap_or(colours);
            if free == colours {
                colours += 1;
                self.taken.push(NONE);
            }
            self.colour_of[contact] = free;
        }
        self.starts.clear();
        self.starts.resize(colours + 1, 0);
        self.colour_of.iter().for_each(|&colour| self.starts[colour + 1] += 1);
        (0..colours).for_each(|colour| self.starts[colour + 1] += self.starts[colour]);
        self.members.clear();
        self.members.extend(0..contacts);
        // Stable: the contacts of a colour stay in order.
        let colour_of = &self.colour_of;
        self.members.sort_by_key(|&contact| colour_of[contact]);
    }

    /// The contacts of each colour.
    pub(super) fn colours(&self) -> impl Iterator<Item = &[usize]> {
        self.starts.windows(2).map(|pair| &self.members[pair[0]..pair[1]])
    }

    fn list_pairs(&mut self, m: MatrixRef<'_>, d: usize) {
        self.pairs.clear();
        match m {
            MatrixRef::Dense(a) => {
                for i in 0..a.nrows() {
                    for j in (0..a.ncols()).filter(|&j| a[[i, j]] != 0.0) {
                        self.push(i / d, j / d);
                    }
                }
            }
            MatrixRef::Diagonal(_) => {}
            MatrixRef::BlockCsr(a) => self.list_blocks(a, d),
            MatrixRef::Csc(a) => self.list_columns(a, d),
        }
        self.pairs.sort_unstable();
        self.pairs.dedup();
    }

    fn list_blocks(&mut self, a: &BlockCsr, d: usize) {
        for block_row in 0..a.block_rows() {
            let rows = a.block_row(block_row).rows();
            for (columns, _) in a.block_row(block_row).blocks() {
                // A block may cover more than one contact, or lie across two.
                for i in rows.start / d..rows.end.div_ceil(d) {
                    for j in columns.start / d..columns.end.div_ceil(d) {
                        self.push(i, j);
                    }
                }
            }
        }
    }

    fn list_columns(&mut self, a: &Csc, d: usize) {
        for j in 0..a.columns() {
            for (i, _) in a.column(j) {
                self.push(i / d, j / d);
            }
        }
    }

    fn push(&mut self, i: usize, j: usize) {
        let pair = (i.min(j), i.max(j));
        if i != j && self.pairs.last() != Some(&pair) {
            self.pairs.push(pair);
        }
    }

    /// The neighbours of each contact, from the pairs.
    fn link(&mut self, contacts: usize) {
        self.first.clear();
        self.first.resize(contacts + 1, 0);
        for &(i, j) in &self.pairs {
            self.first[i] += 1;
            self.first[j] += 1;
        }
        // Ends, from which each entry steps back to its start.
        let mut end = 0;
        for first in &mut self.first {
            end += *first;
            *first = end;
        }
        self.neighbours.clear();
        self.neighbours.resize(end, 0);
        for &(i, j) in &self.pairs {
            for (from, to) in [(i, j), (j, i)] {
                self.first[from] -= 1;
                self.neighbours[self.first[from]] = to;
            }
        }
    }
}
