//! Contact source for the tests: balls and discs on a floor and against each other.

use std::sync::Arc;

use siconos_kernel::detection::{
    ContactKey, ContactSet, ContactSource, DetectedContact, DetectionError, DetectionInput,
};
use siconos_kernel::model::{ContactPoints, NonSmoothLaw};
use siconos_kernel::prelude::*;

/// Ball at a point of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ball {
    pub(super) body: DynamicalSystemId,
    pub(super) centre: [f64; 3],
    pub(super) radius: f64,
}

impl Ball {
    pub(super) fn centred(body: DynamicalSystemId, radius: f64) -> Self {
        Self { body, centre: [0.0; 3], radius }
    }

    fn position(&self, state: &State) -> [f64; 3] {
        match *state.q(self.body) {
            [x, y, z, w, a, b, c] => {
                let turned = Quaternion::of_parts(w, [a, b, c]).rotate(self.centre);
                [x + turned[0], y + turned[1], z + turned[2]]
            }
            [x, y, angle] => {
                let (sine, cosine) = angle.sin_cos();
                let [a, b, _] = self.centre;
                [x + cosine * a - sine * b, y + sine * a + cosine * b, 0.0]
            }
            _ => panic!("a body has 3 or 7 coordinates"),
        }
    }
}

/// Balls that touch each other and a floor through the origin, which moves with `speed`.
#[derive(Clone, Debug)]
pub(super) struct Balls {
    pub(super) balls: Vec<Ball>,
    pub(super) up: [f64; 3],
    pub(super) speed: [f64; 3],
    pub(super) law: Arc<NonSmoothLaw>,
    /// Gap below which contacts of bodies at rest are reported.
    pub(super) margin: f64,
    /// Error bound of gaps, in addition to rounding errors.
    pub(super) accuracy: f64,
    /// Time from which the detection fails.
    pub(super) fails_at: f64,
    /// `true` if contacts are reported in reverse order.
    pub(super) is_reversed: bool,
}

impl Balls {
    pub(super) fn new(law: impl Into<NonSmoothLaw>, balls: impl IntoIterator<Item = Ball>) -> Self {
        Self {
            balls: balls.into_iter().collect(),
            up: [0.0, 0.0, 1.0],
            speed: [0.0; 3],
            law: Arc::new(law.into()),
            margin: 0.05,
            accuracy: 0.0,
            fails_at: f64::INFINITY,
            is_reversed: false,
        }
    }

    fn contact(
        &self,
        index: usize,
        other: Option<usize>,
        (state, h): (&State, f64),
    ) -> Option<DetectedContact> {
        let ball = self.balls[index];
        let p = ball.position(state);
        let along = |x: [f64; 3], s: f64, n: [f64; 3]| [0, 1, 2].map(|i| x[i] + s * n[i]);
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let (normal, distance, radius) = match other.map(|other| self.balls[other]) {
            None => (self.up, dot(p, self.up), 0.0),
            Some(other) => {
                let apart = along(p, -1.0, other.position(state));
                let distance = dot(apart, apart).sqrt();
                (apart.map(|x| x / distance), distance, other.radius)
            }
        };
        let gap = distance - ball.radius - radius;
        let speed = |ball: &Ball| state.v(ball.body).iter().map(|v| v.abs()).sum::<f64>();
        let approach = speed(&ball) + other.map_or(0.0, |other| speed(&self.balls[other]));
        (gap < self.margin + h * approach).then(|| DetectedContact {
            key: ContactKey {
                bodies: [index as u32 + 1, other.map_or(0, |other| other as u32 + 1)],
                contactors: [0; 2],
                features: [0; 2],
            },
            first: ball.body,
            second: other.map(|other| self.balls[other].body),
            points: ContactPoints {
                first: along(p, -ball.radius, normal),
                second: along(p, radius - distance, normal),
                normal,
            },
            gap,
            radii: [ball.radius, radius],
            accuracy: self.accuracy + 4.0 * f64::EPSILON * (distance + ball.radius + radius),
            size: ball.radius,
            surface_velocity: if other.is_none() { self.speed } else { [0.0; 3] },
            law: Arc::clone(&self.law),
        })
    }
}

impl ContactSource for Balls {
    fn laws(&self) -> Vec<Arc<NonSmoothLaw>> {
        vec![Arc::clone(&self.law)]
    }

    fn detect(&mut self, input: DetectionInput<'_>, contacts: &mut ContactSet) -> Result<(), DetectionError> {
        if input.state.t >= self.fails_at {
            return Err(DetectionError::Source("out of order".to_owned()));
        }
        let (mut found, step) = (Vec::new(), (input.state, input.h));
        for index in 0..self.balls.len() {
            found.extend(self.contact(index, None, step));
            let others = (0..index).filter(|&other| self.balls[other].body != self.balls[index].body);
            found.extend(others.filter_map(|other| self.contact(index, Some(other), step)));
        }
        if self.is_reversed {
            found.reverse();
        }
        found.into_iter().for_each(|contact| contacts.push(contact));
        Ok(())
    }
}

/// Creates a ball of 1 kg that falls.
pub(super) fn falling_ball(radius: f64, at: [f64; 3], velocity: [f64; 3]) -> NewtonEuler {
    NewtonEuler::new(1.0, Inertia::of_ball(1.0, radius), at, Quaternion::IDENTITY)
        .with_twist(velocity, [0.0; 3])
        .with_constant_external_force([0.0, 0.0, -9.81])
}
