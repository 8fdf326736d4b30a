//! Colouring of the contacts, in which no two contacts of one colour are coupled.

/// Colours of the contacts for one pattern of W. The pattern is stored and compared with the next pattern, so
/// that equal patterns are coloured only once.
#[derive(Clone, Debug, Default)]
pub(super) struct Colouring {
    /// Index of the first block of each contact, in the pattern that was coloured.
    firsts: Vec<usize>,
    /// Contact of each block, in the pattern that was coloured.
    columns: Vec<usize>,
    /// Offsets of the lists of neighbours with smaller indices, one list per contact.
    lower_firsts: Vec<usize>,
    lower: Vec<usize>,
    colour_of: Vec<usize>,
    taken: Vec<usize>,
    /// Position in `members` of the first contact of each colour. Colour c consists of the contacts
    /// `members[starts[c]..starts[c + 1]]`, in ascending order.
    starts: Vec<usize>,
    members: Vec<usize>,
    /// Position of each contact in `members`.
    places: Vec<usize>,
}

/// Index that means "no contact" or "no colour".
const NONE: usize = usize::MAX;

impl Colouring {
    /// Gives each contact, in ascending order, the lowest colour that none of its neighbours has (Welsh and
    /// Powell 1967). Two contacts are neighbours if at least one of the two blocks that couple them is
    /// stored. The number of colours is at most one more than the largest number of neighbours of a contact.
    /// Returns `true` if the pattern differs from the previous pattern; otherwise the colours are kept.
    pub(super) fn prepare(&mut self, firsts: &[usize], columns: &[usize]) -> bool {
        if self.firsts == firsts && self.columns == columns {
            return false;
        }
        self.firsts.clear();
        self.firsts.extend_from_slice(firsts);
        self.columns.clear();
        self.columns.extend_from_slice(columns);
        self.link();
        let colours = self.colour();
        self.sort_by_colour(colours);
        true
    }

    /// Returns the contacts sorted by colour.
    pub(super) fn members(&self) -> &[usize] {
        &self.members
    }

    /// Returns the position of a contact in [`members`](Self::members).
    pub(super) fn place(&self, contact: usize) -> usize {
        self.places[contact]
    }

    /// Returns the positions in `members` at which the colours start. The last entry is the number of
    /// contacts.
    pub(super) fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// Returns the number of contacts in the largest colour.
    pub(super) fn largest(&self) -> usize {
        self.starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0)
    }

    /// For each contact, lists the neighbours with smaller indices. A neighbour is listed if either of the
    /// two coupling blocks is stored.
    fn link(&mut self) {
        let contacts = self.firsts.len().saturating_sub(1);
        self.lower_firsts.clear();
        self.lower_firsts.resize(contacts + 1, 0);
        for_each_pair(&self.firsts, &self.columns, |_, later| self.lower_firsts[later] += 1);
        // Each entry is initially the end of a list. The loop below decrements it once per neighbour, so that
        // it becomes the start of the list.
        let mut end = 0;
        for first in &mut self.lower_firsts {
            end += *first;
            *first = end;
        }
        self.lower.clear();
        self.lower.resize(end, 0);
        for_each_pair(&self.firsts, &self.columns, |earlier, later| {
            self.lower_firsts[later] -= 1;
            self.lower[self.lower_firsts[later]] = earlier;
        });
    }

    /// Chooses the colours and returns their number.
    fn colour(&mut self) -> usize {
        self.colour_of.clear();
        self.taken.clear();
        for (contact, ends) in self.lower_firsts.windows(2).enumerate() {
            for &earlier in &self.lower[ends[0]..ends[1]] {
                self.taken[self.colour_of[earlier]] = contact;
            }
            let free = self.taken.iter().position(|&by| by != contact).unwrap_or(self.taken.len());
            if free == self.taken.len() {
                self.taken.push(NONE);
            }
            self.colour_of.push(free);
        }
        self.taken.len()
    }

    /// Sorts the contacts by colour. The contacts of one colour stay in ascending order.
    fn sort_by_colour(&mut self, colours: usize) {
        self.starts.clear();
        self.starts.resize(colours + 1, 0);
        self.colour_of.iter().for_each(|&colour| self.starts[colour + 1] += 1);
        (0..colours).for_each(|colour| self.starts[colour + 1] += self.starts[colour]);
        // Position for the next contact of each colour.
        self.taken.clear();
        self.taken.extend_from_slice(&self.starts);
        self.members.clear();
        self.members.resize(self.colour_of.len(), 0);
        self.places.clear();
        for (contact, &colour) in self.colour_of.iter().enumerate() {
            let place = self.taken[colour];
            self.taken[colour] += 1;
            self.members[place] = contact;
            self.places.push(place);
        }
    }
}

/// Calls `visit` with the two contacts of each off-diagonal block, the smaller index first. A pair is visited
/// twice if both coupling blocks are stored.
fn for_each_pair(firsts: &[usize], columns: &[usize], mut visit: impl FnMut(usize, usize)) {
    for (i, ends) in firsts.windows(2).enumerate() {
        for &j in columns[ends[0]..ends[1]].iter().filter(|&&j| j != i) {
            visit(i.min(j), i.max(j));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_contacts_of_a_colour_are_coupled_from_either_side() {
        // Row 1 couples contacts 0 and 1, and contacts 1 and 2. Row 0 couples contacts 0 and 3. Each coupling
        // is stored in one row only.
        let (firsts, columns) = ([0, 2, 5, 6, 7], [0, 3, 0, 1, 2, 2, 3]);
        let mut colouring = Colouring::default();
        assert!(colouring.prepare(&firsts, &columns));
        assert_eq!((colouring.members(), colouring.starts()), (&[0, 2, 1, 3][..], &[0, 2, 4][..]));
        assert!((0..4).all(|contact| colouring.members()[colouring.place(contact)] == contact));
        assert!(!colouring.prepare(&firsts, &columns), "the same pattern is coloured again");
        // Test a pattern with another block, a pattern with fewer contacts, and then the original pattern
        // again.
        assert!(colouring.prepare(&firsts, &[0, 2, 0, 1, 2, 2, 3]));
        assert_eq!(colouring.members(), [0, 3, 1, 2]);
        assert!(colouring.prepare(&[0, 1], &[0]));
        assert_eq!((colouring.members(), colouring.largest()), (&[0][..], 1));
        assert!(colouring.prepare(&firsts, &columns));
        assert_eq!(colouring.members(), [0, 2, 1, 3]);
    }
}
