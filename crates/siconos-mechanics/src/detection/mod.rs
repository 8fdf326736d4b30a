//! Contacts of the bodies of a scene.

mod broad;
pub(crate) mod narrow;
pub(crate) mod placed;
pub(crate) mod ray;

use std::collections::BTreeMap;
use std::sync::Arc;

use siconos_kernel::State;
use siconos_kernel::detection::{
    ContactKey, ContactLaws, ContactSet, ContactSource, DetectedContact, DetectionError, DetectionInput,
    Material,
};
use siconos_kernel::engine::vector::length;
use siconos_kernel::model::{ContactPoints, DynamicalSystemId, NonSmoothLaw};

use self::broad::{BroadPhase, overlap};
use self::narrow::{Touch, touches};
use self::placed::PlacedShape;
use self::ray::{Hit, Ray};
use crate::motion::Motion;
use crate::pose::Pose;

use crate::shape::Shape;

/// Distance up to which contacts are reported even if the bodies do not approach each other, as a fraction of
/// the size of the smaller shape.
const MARGIN: f64 = 1.0 / 64.0;

/// Bounds of a shape that is not placed, which the broad phase ignores.
const NOWHERE: [[f64; 3]; 2] = [[f64::NAN; 3]; 2];

/// Error bound of gaps in units in the last place of the coordinates.
const ROUNDINGS: f64 = 16.0;

/// Shape of a body with its place in the body frame.
#[derive(Clone, Debug)]
pub(crate) struct Collider {
    /// Number of the body, in the order of insertion.
    pub(crate) body: u32,
    /// Index of the contactor of the body.
    pub(crate) contactor: u32,
    pub(crate) shape: Shape,
    /// Pose in the body frame, whose origin is the centre of mass.
    pub(crate) pose: Pose,
    pub(crate) material: Material,
    /// Groups to which the collider belongs, one bit each, and groups with which it can touch.
    pub(crate) groups: [u32; 2],
}

/// Body of the contacts.
#[derive(Clone, Debug)]
pub(crate) struct ColliderBody {
    /// `None` for a body without degrees of freedom.
    pub(crate) system: Option<DynamicalSystemId>,
    /// Pose at time 0 and motion of a body without degrees of freedom.
    pub(crate) motion: Motion,
}

/// Contacts of the bodies of a [`Scene`](crate::Scene), as a source for a simulation.
///
/// A contact is reported if its gap is at most 1/64 of the size of the smaller shape, plus the distance by
/// which the bodies can approach each other in the step.
#[derive(Clone, Debug)]
pub struct SceneContacts {
    /// Bodies by number; `None` for removed bodies.
    bodies: Vec<Option<ColliderBody>>,
    colliders: Vec<Collider>,
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
    found: Vec<Touch>,
}

impl SceneContacts {
    /// Creates contacts without bodies.
    pub(crate) fn new(
        laws: ContactLaws,
        mut excluded: Vec<[u32; 2]>,
        limit: usize,
        acceleration: f64,
    ) -> Self {
        excluded.sort_unstable();
        Self {
            bodies: Vec::new(),
            colliders: Vec::new(),
            laws,
            excluded,
            limit,
            acceleration,
            broad: BroadPhase::default(),
            placed: Vec::new(),
            bounds: Vec::new(),
            travel: Vec::new(),
            unbounded: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Adds a body with its colliders.
    pub(crate) fn add(&mut self, body: ColliderBody, colliders: Vec<Collider>) {
        self.bodies.push(Some(body));
        for collider in colliders {
            if collider.shape.is_unbounded() {
                self.unbounded.push(self.colliders.len() as u32);
            }
            self.placed.push(PlacedShape::new(&collider.shape, &Pose::IDENTITY));
            self.bounds.push(NOWHERE);
            self.travel.push(0.0);
            self.colliders.push(collider);
        }
    }

    /// Removes a body. Its colliders remain in the lists, at no place.
    pub(crate) fn remove(&mut self, body: u32) {
        self.bodies[body as usize] = None;
        for (index, _) in self.colliders.iter().enumerate().filter(|(_, own)| own.body == body) {
            self.broad.remove(index as u32);
            self.bounds[index] = NOWHERE;
        }
        let colliders = &self.colliders;
        self.unbounded.retain(|index| colliders[*index as usize].body != body);
    }

    /// Returns the numbers of bodies and colliders.
    pub(crate) fn count(&self) -> (usize, usize) {
        (self.bodies.len(), self.colliders.len())
    }

    /// Returns the body that was added when the numbers were `before`, and its colliders.
    pub(crate) fn since(&self, (bodies, colliders): (usize, usize)) -> (&ColliderBody, &[Collider]) {
        let body = self.bodies[bodies].as_ref().expect("a body that was added last");
        (body, &self.colliders[colliders..])
    }

    pub(crate) fn body(&self, number: u32) -> Option<&ColliderBody> {
        self.bodies.get(number as usize)?.as_ref()
    }

    pub(crate) fn exists(&self, number: u32) -> bool {
        self.body(number).is_some()
    }

    /// Returns the pose of a body.
    fn pose_of(body: &ColliderBody, state: &State) -> Pose {
        match body.system {
            Some(system) => Pose::of_coordinates(state.q(system)),
            None => body.motion.pose(state.t),
        }
    }

    /// Iterates over all colliders at the poses of a state, with their bodies.
    fn all_placed<'a>(&'a self, state: &'a State) -> impl Iterator<Item = (&'a Collider, PlacedShape)> {
        self.colliders.iter().filter_map(|collider| {
            let pose = Self::pose_of(self.body(collider.body)?, state).then(&collider.pose);
            Some((collider, PlacedShape::new(&collider.shape, &pose)))
        })
    }

    /// Returns the collider that a ray hits first.
    pub(crate) fn cast_ray<'a>(&'a self, state: &'a State, ray: Ray) -> Option<(&'a Collider, Hit)> {
        let hits = self.all_placed(state).filter_map(|(own, placed)| Some((own, ray.hit(&placed)?)));
        hits.min_by(|(_, a), (_, b)| a.distance.total_cmp(&b.distance))
    }

    /// Returns the closest points of two bodies.
    pub(crate) fn closest(&self, state: &State, a: u32, b: u32) -> Option<Touch> {
        let of = |body: u32| self.all_placed(state).filter(move |(own, _)| own.body == body);
        let others: Vec<_> = of(b).map(|(_, placed)| placed).collect();
        let mut found = Vec::new();
        for (_, own) in of(a) {
            others.iter().for_each(|other| touches(&own, other, f64::INFINITY, &mut found));
        }
        found.into_iter().min_by(|x, y| x.gap.total_cmp(&y.gap))
    }

    /// Returns the bodies that shapes overlap, with the depth of each overlap.
    pub(crate) fn overlaps<'s>(
        &self,
        state: &State,
        shapes: impl Iterator<Item = (&'s Shape, Pose)>,
    ) -> Vec<(u32, f64)> {
        let mut deepest: BTreeMap<u32, f64> = BTreeMap::new();
        let mut found = Vec::new();
        for (shape, pose) in shapes {
            let own = PlacedShape::new(shape, &pose);
            for (collider, other) in self.all_placed(state) {
                if !overlap(&own.bounds, &other.bounds) {
                    continue;
                }
                found.clear();
                touches(&own, &other, 0.0, &mut found);
                let depth = found.iter().map(|touch| -touch.gap).fold(0.0, f64::max);
                if depth > 0.0 {
                    let known = deepest.entry(collider.body).or_insert(0.0);
                    *known = known.max(depth);
                }
            }
        }
        deepest.into_iter().collect()
    }

    /// Returns the laws of the materials.
    #[must_use]
    pub fn contact_laws(&self) -> &ContactLaws {
        &self.laws
    }

    /// Moves all shapes to their poses at the beginning of a step.
    fn place(&mut self, input: DetectionInput<'_>) {
        let DetectionInput { state, h, .. } = input;
        for (index, collider) in self.colliders.iter().enumerate() {
            let Some(body) = self.body(collider.body) else { continue };
            let pose = Self::pose_of(body, state);
            let speed = match body.system {
                Some(system) => {
                    let v = state.v(system);
                    let (linear, angular) = match *v {
                        [x, y, omega] => ([x, y, 0.0], [0.0, 0.0, omega]),
                        _ => ([v[0], v[1], v[2]], [v[3], v[4], v[5]]),
                    };
                    let speed = length(linear) + 0.5 * h * self.acceleration;
                    let reach = collider.shape.reach() + length(collider.pose.position);
                    speed + length(angular) * reach
                }
                None => {
                    let reach = match collider.shape.is_unbounded() {
                        true => 0.0,
                        false => collider.shape.reach() + length(collider.pose.position),
                    };
                    body.motion.speed(reach)
                }
            };
            let placed = &mut self.placed[index];
            placed.place(&collider.shape, &pose.then(&collider.pose));
            self.travel[index] = h * speed;
            let around = self.travel[index] + MARGIN * placed.size;
            let [low, high] = placed.bounds;
            self.bounds[index] = [low.map(|x| x - around), high.map(|x| x + around)];
        }
    }

    /// Returns `true` if a body has degrees of freedom.
    fn is_free(&self, body: u32) -> bool {
        self.body(body).is_some_and(|body| body.system.is_some())
    }

    /// Returns `true` if two colliders can touch.
    fn may_touch(&self, a: u32, b: u32) -> bool {
        let [own, other] = [a, b].map(|index| &self.colliders[index as usize]);
        let ([first, mask], [second, other_mask]) = (own.groups, other.groups);
        let bodies = [own.body.min(other.body), own.body.max(other.body)];
        own.body != other.body
            && first & other_mask != 0
            && second & mask != 0
            && bodies.iter().any(|body| self.is_free(*body))
            && bodies.iter().all(|body| self.exists(*body))
            && self.excluded.binary_search(&bodies).is_err()
    }

    /// Appends the contacts of two colliders.
    fn add_pair(&mut self, a: u32, b: u32, t: f64, contacts: &mut ContactSet) -> Result<(), DetectionError> {
        // The first body has degrees of freedom.
        let is_first = self.is_free(self.colliders[a as usize].body);
        let [a, b] = if is_first { [a, b] } else { [b, a] }.map(|index| index as usize);
        let (own, other) = (&self.colliders[a], &self.colliders[b]);
        let (placed, against) = (&self.placed[a], &self.placed[b]);
        let size = placed.size.min(against.size);
        let reach = MARGIN * size + self.travel[a] + self.travel[b];
        self.found.clear();
        touches(placed, against, reach, &mut self.found);
        if self.found.is_empty() {
            return Ok(());
        }
        let law = self.laws.of(own.material, other.material)?;
        let (Some(body), Some(obstacle)) =
            (self.bodies[own.body as usize].as_ref(), self.bodies[other.body as usize].as_ref())
        else {
            return Ok(());
        };
        let Some(first) = body.system else { return Ok(()) };
        for Touch { points, normal, gap, features } in self.found.drain(..) {
            let [p, q] = points;
            if contacts.len() >= self.limit {
                return Err(DetectionError::TooMany { limit: self.limit });
            }
            let coordinates = p.iter().chain(&q).fold(size, |largest, x| largest.max(x.abs()));
            contacts.push(DetectedContact {
                key: ContactKey {
                    bodies: [own.body, other.body],
                    contactors: [own.contactor, other.contactor],
                    features,
                },
                first,
                second: obstacle.system,
                points: ContactPoints { first: p, second: q, normal },
                gap,
                radii: [placed.radius, against.radius],
                accuracy: ROUNDINGS * f64::EPSILON * coordinates,
                size,
                surface_velocity: match obstacle.system {
                    Some(_) => [0.0; 3],
                    None => obstacle.motion.velocity(t, q),
                },
                law: Arc::clone(law),
            });
        }
        Ok(())
    }
}

impl ContactSource for SceneContacts {
    fn laws(&self) -> Vec<Arc<NonSmoothLaw>> {
        self.laws.iter().map(Arc::clone).collect()
    }

    fn detect(&mut self, input: DetectionInput<'_>, contacts: &mut ContactSet) -> Result<(), DetectionError> {
        self.place(input);
        let mut broad = std::mem::take(&mut self.broad);
        let pairs = broad.pairs(&self.bounds);
        let mut done = Ok(());
        for &[a, b] in pairs {
            if done.is_ok() && self.may_touch(a, b) {
                done = self.add_pair(a, b, input.state.t, contacts);
            }
        }
        self.broad = broad;
        done?;
        for k in 0..self.unbounded.len() {
            let plane = self.unbounded[k];
            for index in 0..self.colliders.len() as u32 {
                if self.may_touch(index, plane) {
                    self.add_pair(index, plane, input.state.t, contacts)?;
                }
            }
        }
        Ok(())
    }
}
