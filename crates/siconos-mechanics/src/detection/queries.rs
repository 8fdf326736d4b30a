//! Queries about the bodies of a scene: rays, closest points, overlaps.

use std::collections::BTreeMap;

use siconos_kernel::State;
use siconos_kernel::engine::vector::{cross, difference, length};

use super::bodies::{Collider, Groups, Mobility};
use super::narrow::{Touch, touches};
use super::placed::PlacedShape;
use super::ray::{Hit, Ray};
use super::{SceneContacts, TOUCHING};
use crate::pose::Pose;
use crate::shape::Shape;

/// Shape of a body that is not in the scene.
pub(crate) struct Guest<'a> {
    pub(crate) shape: &'a Shape,
    /// Pose in the inertial frame.
    pub(crate) pose: Pose,
    pub(crate) groups: Groups,
}

impl SceneContacts {
    /// Iterates over all colliders with their poses.
    fn posed<'a>(&'a self, state: &'a State) -> impl Iterator<Item = (&'a Collider, Pose)> {
        self.bodies.iter().flat_map(move |(number, _)| self.posed_of(state, number))
    }

    /// Iterates over the colliders of a body with their poses.
    fn posed_of(&self, state: &State, number: u32) -> impl Iterator<Item = (&Collider, Pose)> {
        let body = self.bodies.get(number).map(|body| (body.mobility.pose(state), body.colliders.clone()));
        body.into_iter().flat_map(move |(pose, colliders)| {
            self.bodies.colliders()[colliders].iter().map(move |own| (own, pose.then(&own.pose)))
        })
    }

    /// Returns the collider that a ray hits first.
    pub(crate) fn cast_ray<'a>(&'a self, state: &'a State, ray: Ray) -> Option<(&'a Collider, Hit)> {
        let is_near = |(own, pose): &(&Collider, Pose)| {
            let off = cross(difference(pose.position, ray.origin), ray.direction);
            length(off) <= own.shape.reach() * (1.0 + TOUCHING)
        };
        let hits = self
            .posed(state)
            .filter(is_near)
            .filter_map(|(own, pose)| Some((own, ray.hit(&PlacedShape::new(&own.shape, &pose))?)));
        hits.min_by(|(_, a), (_, b)| a.distance.total_cmp(&b.distance))
    }

    /// Returns the closest points of two bodies.
    pub(crate) fn closest(&self, state: &State, a: u32, b: u32) -> Option<Touch> {
        let placed = |body| self.posed_of(state, body).map(|(own, pose)| PlacedShape::new(&own.shape, &pose));
        let others: Vec<_> = placed(b).collect();
        let mut found = Vec::new();
        for own in placed(a) {
            others.iter().for_each(|other| touches(&own, other, f64::INFINITY, &mut found));
        }
        found.into_iter().min_by(|x, y| x.gap.total_cmp(&y.gap))
    }

    /// Returns the bodies that the shapes of another body overlap, with the depth of each overlap. `is_free`
    /// states whether that body has degrees of freedom; bodies that can never touch do not overlap.
    pub(crate) fn overlaps<'s>(
        &self,
        state: &State,
        guests: impl Iterator<Item = Guest<'s>>,
        is_free: bool,
    ) -> BTreeMap<u32, f64> {
        let mut deepest = BTreeMap::new();
        let mut found = Vec::new();
        for Guest { shape, pose, groups } in guests {
            let own = PlacedShape::new(shape, &pose);
            for (collider, at) in self.posed(state) {
                let apart = length(difference(pose.position, at.position));
                let can_touch =
                    collider.groups.meet(groups) && (is_free || self.bodies.is_free(collider.body));
                if !can_touch || apart > shape.reach() + collider.shape.reach() {
                    continue;
                }
                found.clear();
                let other = PlacedShape::new(&collider.shape, &at);
                touches(&own, &other, 0.0, &mut found);
                let depth = found.iter().map(|touch| -touch.gap).fold(0.0, f64::max);
                if depth > TOUCHING * own.size.min(other.size) {
                    let known = deepest.entry(collider.body).or_insert(0.0);
                    *known = f64::max(*known, depth);
                }
            }
        }
        deepest
    }

    /// Returns the degrees of freedom of a body, if it exists.
    pub(crate) fn mobility(&self, number: u32) -> Option<&Mobility> {
        Some(&self.bodies.get(number)?.mobility)
    }
}
