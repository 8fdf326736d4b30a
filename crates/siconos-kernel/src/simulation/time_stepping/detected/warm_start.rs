//! Assignment of the contacts of the previous step to the contacts of a step, for initial guesses.

use std::ops::Range;

use crate::detection::DetectedContact;
use crate::model::{difference, length};
use crate::state::ContactState;

/// Maximum distance of contacts that are assigned to each other although their features differ, as a fraction
/// of the size of the smaller shape.
const REACH: f64 = 0.25;

/// For each contact of a step, the index of the contact of the previous step whose impulse it takes.
#[derive(Clone, Debug, Default)]
pub(super) struct WarmStart {
    starts: Vec<Option<usize>>,
    candidates: Vec<Candidate>,
}

/// Two contacts of the same pair of contactors, without a partner of the same key.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    distance: f64,
    new: usize,
    old: usize,
}

impl WarmStart {
    /// Returns the assignment.
    pub(super) fn starts(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        self.starts.iter().copied()
    }

    /// Assigns contacts with the same key; then, within each pair of contactors, the nearest contacts first.
    /// Both lists are ordered by key.
    pub(super) fn assign(&mut self, new: &[DetectedContact], old: &[ContactState]) {
        self.starts.clear();
        let mut at = 0;
        for contact in new {
            at += old[at..].iter().take_while(|before| before.key < contact.key).count();
            let is_same = old.get(at).is_some_and(|before| before.key == contact.key);
            self.starts.push(is_same.then_some(at));
        }
        let (mut first_new, mut first_old) = (0, 0);
        for of_pair in new.chunk_by(|a, b| a.key.is_of_same_pair(&b.key)) {
            let key = &of_pair[0].key;
            let pair = (key.bodies, key.contactors);
            let own = |before: &&ContactState| (before.key.bodies, before.key.contactors) < pair;
            first_old += old[first_old..].iter().take_while(own).count();
            let same = |before: &&ContactState| before.key.is_of_same_pair(key);
            let end_old = first_old + old[first_old..].iter().take_while(same).count();
            let range = first_new..first_new + of_pair.len();
            let has_open = self.starts[range.clone()].contains(&None);
            if has_open && end_old > first_old {
                self.assign_nearest(new, range.clone(), old, first_old..end_old);
            }
            (first_new, first_old) = (range.end, end_old);
        }
    }

    fn assign_nearest(
        &mut self,
        new: &[DetectedContact],
        of_new: Range<usize>,
        old: &[ContactState],
        of_old: Range<usize>,
    ) {
        let Self { starts, candidates, .. } = self;
        candidates.clear();
        for i in of_new.clone().filter(|&i| starts[i].is_none()) {
            for j in of_old.clone().filter(|&j| !starts[of_new.clone()].contains(&Some(j))) {
                let distance = length(difference(new[i].points.first, old[j].points.first));
                if distance <= REACH * new[i].size {
                    candidates.push(Candidate { distance, new: i, old: j });
                }
            }
        }
        candidates.sort_unstable_by(|a, b| {
            a.distance.total_cmp(&b.distance).then(a.new.cmp(&b.new)).then(a.old.cmp(&b.old))
        });
        for &Candidate { new, old, .. } in &*candidates {
            if starts[new].is_none() && !starts[of_new.clone()].contains(&Some(old)) {
                starts[new] = Some(old);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::detection::ContactKey;
    use crate::model::{ContactPoints, NewtonImpact, NonSmoothDynamicalSystem, NonSmoothLaw};

    fn key(bodies: [u32; 2], feature: u32) -> ContactKey {
        ContactKey { bodies, contactors: [0; 2], features: [feature, 0] }
    }

    fn points(x: f64) -> ContactPoints {
        ContactPoints { first: [x, 0.0, 0.0], second: [x, 0.0, 0.0], normal: [0.0, 0.0, 1.0] }
    }

    /// Returns the assignment of contacts with the given keys and places.
    fn assigned(new: &[(ContactKey, f64)], old: &[(ContactKey, f64)]) -> Vec<Option<usize>> {
        let mut model = NonSmoothDynamicalSystem::new();
        let body = crate::model::LagrangianLinear::new(vec![0.0], vec![0.0], ndarray::array![1.0]);
        let first = model.add_system(body).expect("a bead");
        let law = Arc::new(NonSmoothLaw::from(NewtonImpact::new(0.0).expect("a law")));
        let new: Vec<_> = new
            .iter()
            .map(|&(key, x)| DetectedContact {
                key,
                first,
                second: None,
                points: points(x),
                gap: 0.0,
                radii: [0.0; 2],
                accuracy: 0.0,
                size: 1.0,
                surface_velocity: [0.0; 3],
                law: Arc::clone(&law),
            })
            .collect();
        let old: Vec<_> = old
            .iter()
            .map(|&(key, x)| ContactState {
                key,
                first,
                second: None,
                points: points(x),
                gap: 0.0,
                gap_at_end: 0.0,
                impulse: [0.0; 3],
                moment: [0.0; 3],
                velocity: [0.0; 3],
                reaction: [0.0; 3],
                age: 0,
            })
            .collect();
        let mut warm_start = WarmStart::default();
        warm_start.assign(&new, &old);
        warm_start.starts().collect()
    }

    #[test]
    fn contacts_are_assigned_by_key_and_then_by_distance() {
        let (a, b, c) = ([1, 0], [2, 0], [2, 1]);
        let old = [(key(a, 0), 0.0), (key(b, 1), 0.0), (key(b, 3), 0.2), (key(b, 7), 5.0)];
        // Equal keys, at any distance.
        assert_eq!(assigned(&old, &old), [Some(0), Some(1), Some(2), Some(3)]);
        assert_eq!(assigned(&[(key(b, 7), 0.0)], &old), [Some(3)]);
        // The nearest contact of the pair that has no partner of the same key.
        assert_eq!(assigned(&[(key(b, 1), 9.0), (key(b, 2), 0.01)], &old), [Some(1), Some(2)]);
        assert_eq!(assigned(&[(key(b, 2), 0.15), (key(b, 4), 0.19)], &old), [Some(1), Some(2)]);
        // Too far away, or another pair.
        assert_eq!(assigned(&[(key(b, 2), 1.0), (key(c, 1), 0.0)], &old), [None, None]);
        assert_eq!(assigned(&[(key(a, 1), 0.1)], &[]), [None]);
    }
}
