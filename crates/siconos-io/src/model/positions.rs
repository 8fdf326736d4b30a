//! What positions are, vectors or directions of the plane, and how they move with velocities.

use siconos_expression::{Rate, Symbol};

use super::scopes::{FIRST, SECOND, symbol};

/// The space of the positions of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    /// As many velocities as coordinates, which are their derivatives.
    Vector,
    /// A cosine and a sine, and an angular velocity.
    Circle,
}

/// The positions of systems one after the other: the space of each, and how many coordinates it has.
#[derive(Clone, Debug)]
pub(super) struct Positions(Vec<(Space, usize)>);

/// How positions change, each with its rate.
type Motion = Vec<(Symbol, Rate)>;

impl Positions {
    pub(super) fn new(spaces: impl IntoIterator<Item = (Space, usize)>) -> Self {
        Self(spaces.into_iter().collect())
    }

    /// Whether velocities are the derivatives of positions.
    pub(super) fn are_vectors(&self) -> bool {
        self.0.iter().all(|(space, _)| *space == Space::Vector)
    }

    /// The motion at each velocity alone, where that is 1.
    pub(super) fn directions(&self) -> Vec<Motion> {
        let mut first = 0;
        let mut directions = Vec::new();
        for (space, count) in &self.0 {
            let own = |index: usize| symbol(FIRST, first + index);
            match space {
                Space::Vector => {
                    directions.extend((0..*count).map(|index| vec![(own(index), Rate::Number(1.0))]));
                }
                Space::Circle => directions.push(vec![
                    (own(0), Rate::Multiple(-1.0, own(1))),
                    (own(1), Rate::Multiple(1.0, own(0))),
                ]),
            }
            first += count;
        }
        directions
    }

    /// The motion at velocities that are the second argument of a function.
    pub(super) fn motion(&self) -> Motion {
        let (mut first, mut second) = (0, 0);
        let mut motion = Vec::new();
        for (space, count) in &self.0 {
            let (own, speed) =
                (|index: usize| symbol(FIRST, first + index), |index| symbol(SECOND, second + index));
            match space {
                Space::Vector => {
                    motion.extend((0..*count).map(|index| (own(index), Rate::Symbol(speed(index)))));
                    second += count;
                }
                Space::Circle => {
                    motion.push((own(0), Rate::Product(-1.0, [speed(0), own(1)])));
                    motion.push((own(1), Rate::Product(1.0, [speed(0), own(0)])));
                    second += 1;
                }
            }
            first += count;
        }
        motion
    }
}
