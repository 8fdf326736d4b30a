//! Order of the contacts in a sweep. Frozen contacts are omitted.

use super::settings::{Freezing, SweepOrder};

/// Contacts of the next sweep, and counters that determine which contacts are frozen.
#[derive(Clone, Debug, Default)]
pub(super) struct Schedule {
    /// All contacts in the order of the next sweep.
    all: Vec<usize>,
    /// Contacts that are not frozen, in the order of the next sweep.
    awake: Vec<usize>,
    /// Number of successive sweeps in which each contact did not change.
    quiet: Vec<usize>,
    /// Number of further sweeps for which each contact stays frozen.
    asleep: Vec<usize>,
    random: Xorshift,
    order: SweepOrder,
    freezes: bool,
}

impl Schedule {
    /// Starts a solve of a problem with `contacts` contacts.
    pub(super) fn begin(&mut self, contacts: usize, order: SweepOrder, freezing: Option<Freezing>) {
        (self.order, self.freezes) = (order, freezing.is_some());
        self.all.clear();
        self.all.extend(0..contacts);
        for counts in [&mut self.quiet, &mut self.asleep] {
            counts.clear();
            counts.resize(contacts, 0);
        }
        if let SweepOrder::ShuffledOnce { seed } | SweepOrder::Shuffled { seed } = order {
            self.random = Xorshift::new(seed);
            self.random.shuffle(&mut self.all);
        }
    }

    /// Prepares the sweep with index `sweep`. `freezing` must be the setting that was passed to
    /// [`begin`](Self::begin).
    pub(super) fn next(&mut self, sweep: usize, freezing: Option<Freezing>) {
        match self.order {
            SweepOrder::Symmetric if sweep > 0 => self.all.reverse(),
            SweepOrder::Shuffled { .. } if sweep > 0 => self.random.shuffle(&mut self.all),
            _ => {}
        }
        if let Some(Freezing { after, sweeps }) = freezing {
            self.awake.clear();
            for &contact in &self.all {
                if self.asleep[contact] > 0 {
                    self.asleep[contact] -= 1;
                    continue;
                }
                if self.quiet[contact] >= after {
                    (self.quiet[contact], self.asleep[contact]) = (0, sweeps - 1);
                    continue;
                }
                self.awake.push(contact);
            }
        }
    }

    /// Records whether a contact that the sweep visited has changed.
    pub(super) fn note(&mut self, contact: usize, changed: bool) {
        self.quiet[contact] = if changed { 0 } else { self.quiet[contact] + 1 };
    }

    /// Takes the contacts of the sweep out of the schedule, in the order of the sweep. `None` means all
    /// contacts in ascending order. After the sweep, the contacts must be passed to
    /// [`give_back`](Self::give_back).
    pub(super) fn take(&mut self) -> Option<Vec<usize>> {
        match (self.freezes, self.order) {
            (true, _) => Some(std::mem::take(&mut self.awake)),
            (false, SweepOrder::Forward) => None,
            (false, _) => Some(std::mem::take(&mut self.all)),
        }
    }

    /// Takes back the contacts after the sweep. Returns `true` if the sweep visited all contacts.
    pub(super) fn give_back(&mut self, order: Option<Vec<usize>>) -> bool {
        let Some(order) = order else { return true };
        let visited = order.len();
        *(if self.freezes { &mut self.awake } else { &mut self.all }) = order;
        visited == self.quiet.len()
    }
}

/// Random number generator xorshift64*, whose results are identical on every machine (Vigna 2016, "An
/// experimental exploration of Marsaglia's xorshift generators, scrambled").
#[derive(Clone, Copy, Debug, Default)]
struct Xorshift(u64);

impl Xorshift {
    fn new(seed: u64) -> Self {
        // One step of splitmix64 makes the states for small seeds differ in many bits. A state of 0 would
        // never change.
        let mut x = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Self((x ^ (x >> 31)).max(1))
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Shuffles `x` (Fisher-Yates).
    fn shuffle(&mut self, x: &mut [usize]) {
        for i in (1..x.len()).rev() {
            // A multiplication and a shift scale the random number to the range without a division. The bias
            // is negligible.
            let j = (u128::from(self.next()) * (i as u128 + 1)) >> 64;
            x.swap(i, j as usize);
        }
    }
}
