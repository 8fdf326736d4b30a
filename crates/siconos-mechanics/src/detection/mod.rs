//! Contacts of the bodies of a scene.

pub(crate) mod bodies;
mod broad;
pub(crate) mod narrow;
pub(crate) mod placed;
pub(crate) mod queries;
pub(crate) mod ray;
mod sides;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use siconos_kernel::detection::{
    ContactKey, ContactLaws, ContactSet, ContactSource, DetectedContact, DetectionError, DetectionInput,
};
use siconos_kernel::engine::vector::length;
use siconos_kernel::model::{ContactPoints, NonSmoothLaw};
use siconos_kernel::{ContactState, State};

use self::bodies::{Bodies, Collider, Mobility};
use self::broad::BroadPhase;
use self::narrow::{Touch, touches};
use self::placed::PlacedShape;
use self::sides::two_sided_touches;
use crate::pose::Pose;

/// Distance up to which contacts are reported even if the bodies do not approach each other, as a fraction of
/// the size of the smaller shape.
const MARGIN: f64 = 1.0 / 64.0;

/// Depth of an overlap that is a rounding error of the given poses, as a fraction of the size of the smaller
/// shape.
pub(crate) const TOUCHING: f64 = 1e-6;

/// Bounds of a shape that is not placed, which the broad phase ignores.
const NOWHERE: [[f64; 3]; 2] = [[f64::NAN; 3]; 2];

/// Error bound of gaps in units in the last place of the coordinates.
const ROUNDINGS: f64 = 16.0;

/// Contacts of the bodies of a [`Scene`](crate::Scene), as a source for a simulation.
///
/// A contact is reported if its gap is at most 1/64 of the size of the smaller shape, plus the distance by
/// which the bodies can approach each other in the step.
#[derive(Clone, Debug)]
pub struct SceneContacts {
    /// Number of the scene in this process. Copies have the same number.
    scene: u64,
    pub(crate) bodies: Bodies,
    laws: ContactLaws,
    /// Pairs of bodies that do not touch, ordered.
    excluded: Vec<[u32; 2]>,
    /// Maximum number of contacts.
    limit: usize,
    /// Largest acceleration of a free body \[m/s2\].
    acceleration: f64,
    broad: BroadPhase,
    placed: Vec<PlacedShape>,
    bounds: Vec<[[f64; 3]; 2]>,
    /// Distance by which each collider can move in the step.
    travel: Vec<f64>,
    unbounded: Vec<u32>,
    /// Pairs of colliders that can touch in the step.
    pairs: Vec<Pair>,
    workers: Vec<Worker>,
}

/// Two colliders that can touch.
#[derive(Clone, Copy, Debug)]
struct Pair {
    /// Indices of the colliders; the first one belongs to a free body.
    colliders: [usize; 2],
    /// Distance by which they can approach each other in addition to their travel.
    turn: f64,
}

/// Contacts of consecutive pairs, which one thread computes.
#[derive(Clone, Debug, Default)]
struct Worker {
    touches: Vec<Touch>,
    contacts: Vec<DetectedContact>,
}

/// Number of workers for each thread. Some pairs take much longer than others.
const WORKERS_PER_THREAD: usize = 4;

impl SceneContacts {
    /// Creates contacts without bodies.
    pub(crate) fn new(
        laws: ContactLaws,
        mut excluded: Vec<[u32; 2]>,
        limit: usize,
        acceleration: f64,
    ) -> Self {
        static SCENES: AtomicU64 = AtomicU64::new(0);
        excluded.sort_unstable();
        Self {
            scene: SCENES.fetch_add(1, Ordering::Relaxed),
            bodies: Bodies::default(),
            laws,
            excluded,
            limit,
            acceleration,
            broad: BroadPhase::default(),
            placed: Vec::new(),
            bounds: Vec::new(),
            travel: Vec::new(),
            unbounded: Vec::new(),
            pairs: Vec::new(),
            workers: Vec::new(),
        }
    }

    /// Returns `true` if both have the bodies of the same scene.
    pub(crate) fn has_bodies_of(&self, other: &Self) -> bool {
        let numbers = |own: &Self| (own.scene, own.bodies.count(), own.bodies.gone());
        numbers(self) == numbers(other)
    }

    /// Adds a body with its colliders.
    pub(crate) fn add(&mut self, mobility: Mobility, colliders: Vec<Collider>) {
        self.bodies.add(mobility, colliders);
        self.take_in_colliders();
    }

    /// Appends entries for the last colliders.
    fn take_in_colliders(&mut self) {
        for (index, collider) in self.bodies.colliders().iter().enumerate().skip(self.placed.len()) {
            if collider.shape.is_unbounded() {
                self.unbounded.push(index as u32);
            }
            self.placed.push(PlacedShape::new(&collider.shape, &Pose::IDENTITY));
            self.bounds.push(NOWHERE);
            self.travel.push(0.0);
        }
    }

    /// Removes a body. The memory of its colliders is freed after more removals.
    pub(crate) fn remove(&mut self, number: u32) {
        let removed = self.bodies.remove(number);
        self.unbounded.retain(|&index| !removed.contains(&(index as usize)));
        for index in removed {
            self.broad.remove(index as u32);
            self.bounds[index] = NOWHERE;
        }
        if self.bodies.compact() {
            self.broad = BroadPhase::default();
            self.placed.clear();
            self.bounds.clear();
            self.travel.clear();
            self.unbounded.clear();
            self.take_in_colliders();
        }
    }

    /// Returns the laws of the materials.
    #[must_use]
    pub fn contact_laws(&self) -> &ContactLaws {
        &self.laws
    }

    /// Moves all shapes to their poses at the beginning of a step of length `h`.
    fn place(&mut self, state: &State, h: f64) {
        let fall = 0.5 * h * self.acceleration;
        for (_, body) in self.bodies.iter() {
            let is_fixed = body.mobility.is_fixed();
            let pose = body.mobility.pose(state);
            for index in body.colliders.clone() {
                if is_fixed && self.bounds[index][0][0].is_finite() {
                    continue;
                }
                let collider = &self.bodies.colliders()[index];
                let placed = &mut self.placed[index];
                placed.place(&collider.shape, &pose.then(&collider.pose));
                self.travel[index] = h * body.mobility.speed(collider, state, fall);
                let around = self.travel[index] + MARGIN * placed.size;
                let [low, high] = placed.bounds;
                self.bounds[index] = [low.map(|x| x - around), high.map(|x| x + around)];
            }
        }
    }

    /// Returns the distance by which the rotation of an unbounded collider can move it towards another one.
    fn turn(&self, plane: usize, other: usize, input: DetectionInput<'_>) -> f64 {
        let body = self.bodies.get(self.bodies.colliders()[plane].body);
        let Some(Mobility::Driven { motion, .. }) = body.map(|body| &body.mobility) else { return 0.0 };
        if motion.omega == [0.0; 3] {
            return 0.0;
        }
        let origin = body.map_or([0.0; 3], |body| body.mobility.pose(input.state).position);
        let [low, high] = self.bounds[other];
        let farthest = [0, 1, 2].map(|axis| {
            let [below, above] = [low, high].map(|bound| (bound[axis] - origin[axis]).abs());
            below.max(above)
        });
        input.h * length(motion.omega) * length(farthest)
    }

    /// Returns `true` if two colliders can touch.
    fn may_touch(&self, a: u32, b: u32) -> bool {
        let [own, other] = [a, b].map(|index| &self.bodies.colliders()[index as usize]);
        let bodies = [own.body.min(other.body), own.body.max(other.body)];
        own.body != other.body
            && own.groups.meet(other.groups)
            && bodies.iter().any(|body| self.bodies.is_free(*body))
            && bodies.iter().all(|body| self.bodies.exists(*body))
            && self.excluded.binary_search(&bodies).is_err()
    }

    /// Lists the pairs of colliders that can touch in the step.
    fn list_pairs(&mut self, input: DetectionInput<'_>) {
        let (mut broad, mut pairs) = (std::mem::take(&mut self.broad), std::mem::take(&mut self.pairs));
        pairs.clear();
        let near = broad.pairs(&self.bounds).iter().copied();
        pairs.extend(near.filter_map(|[a, b]| self.pair([a, b], |_| 0.0)));
        for &plane in &self.unbounded {
            let turn = |other| self.turn(plane as usize, other, input);
            pairs.extend((0..self.placed.len() as u32).filter_map(|index| self.pair([index, plane], turn)));
        }
        // The contacts between two sleeping bodies do not change.
        let is_asleep = |index: usize| {
            let mobility = self.mobility(self.bodies.colliders()[index].body);
            mobility.and_then(Mobility::system).is_some_and(|system| input.state.is_asleep(system))
        };
        pairs.retain(|pair| !pair.colliders.iter().all(|index| is_asleep(*index)));
        (self.broad, self.pairs) = (broad, pairs);
    }

    /// Returns the pair of two colliders if they can touch. `turn` returns the additional approach of the
    /// first collider.
    fn pair(&self, [a, b]: [u32; 2], turn: impl Fn(usize) -> f64) -> Option<Pair> {
        if !self.may_touch(a, b) {
            return None;
        }
        let colliders = match self.bodies.is_free(self.bodies.colliders()[a as usize].body) {
            true => [a, b],
            false => [b, a],
        };
        Some(Pair { colliders: colliders.map(|index| index as usize), turn: turn(a as usize) })
    }

    /// Computes the contacts of pairs.
    fn touch(&self, pairs: &[Pair], state: &State, worker: &mut Worker) -> Result<(), DetectionError> {
        worker.contacts.clear();
        pairs.iter().try_for_each(|pair| self.touch_pair(*pair, state, worker))
    }

    fn touch_pair(&self, pair: Pair, state: &State, worker: &mut Worker) -> Result<(), DetectionError> {
        let [a, b] = pair.colliders;
        let (own, other) = (&self.bodies.colliders()[a], &self.bodies.colliders()[b]);
        let (placed, against) = (&self.placed[a], &self.placed[b]);
        let size = placed.size.min(against.size);
        let reach = MARGIN * size + self.travel[a] + self.travel[b] + pair.turn;
        let Worker { touches: found, contacts } = worker;
        found.clear();
        if placed.has_two_sides() || against.has_two_sides() {
            let pair = ([own.body, other.body], [own.contactor, other.contactor]);
            two_sided_touches([placed, against], contacts_of_pair(state, pair), reach, found);
        } else {
            touches(placed, against, reach, found);
        }
        if found.is_empty() {
            return Ok(());
        }
        let law = self.laws.of(own.material, other.material)?;
        let (Some(body), Some(obstacle)) = (self.bodies.get(own.body), self.bodies.get(other.body)) else {
            return Ok(());
        };
        let Mobility::Free { system: first, .. } = body.mobility else { return Ok(()) };
        for Touch { points, normal, gap, features } in found.drain(..) {
            let [p, q] = points;
            self.check_count(contacts.len() + 1)?;
            let coordinates = p.iter().chain(&q).fold(size, |largest, x| largest.max(x.abs()));
            contacts.push(DetectedContact {
                key: ContactKey {
                    bodies: [own.body, other.body],
                    contactors: [own.contactor, other.contactor],
                    features,
                },
                first,
                second: obstacle.mobility.system(),
                points: ContactPoints { first: p, second: q, normal },
                gap,
                radii: [placed.radius, against.radius],
                accuracy: ROUNDINGS * f64::EPSILON * coordinates,
                size,
                surface_velocity: match &obstacle.mobility {
                    Mobility::Free { .. } => [0.0; 3],
                    Mobility::Driven { motion, .. } => {
                        let origin = obstacle.mobility.pose(state).position;
                        motion.velocity_at(origin, q, normal)
                    }
                },
                law: Arc::clone(law),
            });
        }
        Ok(())
    }

    /// Returns an error if there are more contacts than the limit.
    fn check_count(&self, contacts: usize) -> Result<(), DetectionError> {
        if contacts > self.limit {
            return Err(DetectionError::TooMany { limit: self.limit });
        }
        Ok(())
    }
}

/// Returns the contacts of two contactors in the last step.
fn contacts_of_pair(state: &State, pair: ([u32; 2], [u32; 2])) -> &[ContactState] {
    let all = state.contacts();
    let of = |contact: &ContactState| (contact.key.bodies, contact.key.contactors);
    let first = all.partition_point(|contact| of(contact) < pair);
    &all[first..first + all[first..].partition_point(|contact| of(contact) == pair)]
}

impl ContactSource for SceneContacts {
    fn laws(&self) -> Vec<Arc<NonSmoothLaw>> {
        self.laws.iter().map(Arc::clone).collect()
    }

    fn detect(&mut self, input: DetectionInput<'_>, contacts: &mut ContactSet) -> Result<(), DetectionError> {
        let DetectionInput { state, h, threads, .. } = input;
        self.place(state, h);
        self.list_pairs(input);
        let mut workers = std::mem::take(&mut self.workers);
        let done = match threads.count() {
            // Without a list of pieces, no memory is allocated.
            1 => {
                workers.resize_with(1, Worker::default);
                self.touch(&self.pairs, state, &mut workers[0])
            }
            count => {
                workers.resize_with(WORKERS_PER_THREAD * count, Worker::default);
                let pairs = self.pairs.chunks(self.pairs.len().div_ceil(workers.len()).max(1));
                let pieces = pairs.chain(std::iter::repeat(&[][..])).zip(&mut workers).collect();
                threads.share(pieces, |(pairs, worker)| self.touch(pairs, state, worker))
            }
        };
        let found = workers.iter_mut().flat_map(|worker| worker.contacts.drain(..));
        found.for_each(|contact| contacts.push(contact));
        self.workers = workers;
        done?;
        self.check_count(contacts.len())
    }
}
