//! Configuration spaces of systems (vector spaces, or directions in the plane), and the rates of positions
//! that follow from velocities.

use siconos_expression::{Rate, Symbol};

use super::scopes::{FIRST, SECOND, symbol};

/// Configuration space of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    /// Coordinates whose derivatives are the velocities.
    Vector,
    /// Direction in the plane: a cosine and a sine, with one angular velocity.
    Circle,
}

/// Layout of the positions of several systems, one system after the other: the space and the number of
/// coordinates of each system.
#[derive(Clone, Debug)]
pub(super) struct Positions(Vec<(Space, usize)>);

/// Coordinates with their rates.
type Motion = Vec<(Symbol, Rate)>;

impl Positions {
    pub(super) fn new(spaces: impl IntoIterator<Item = (Space, usize)>) -> Self {
        Self(spaces.into_iter().collect())
    }

    /// Returns `true` if all velocities are the derivatives of the positions.
    pub(super) fn are_vectors(&self) -> bool {
        self.0.iter().all(|(space, _)| *space == Space::Vector)
    }

    /// Returns one entry for each velocity: the rates of the coordinates if this velocity is 1 and all other
    /// velocities are 0.
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

    /// Returns the rates of all coordinates, in terms of the velocities in the second argument of a function.
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
