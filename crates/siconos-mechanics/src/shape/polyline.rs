//! Chains of segments in the plane.

use super::extent::Extent;
use super::{Polygon, ShapeError, check_finite};

/// Sine of the largest angle by which a normal can leave the normals of a vertex, because of rounding errors.
const ROUNDING: f64 = 1e-9;

/// Chain of segments. A vertex between two segments touches other bodies only if it protrudes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Polyline {
    pub(crate) pieces: Vec<Polygon>,
    /// `true` if the last segment ends where the first begins.
    is_closed: bool,
    /// Lengths before a rotation or translation.
    pub(crate) extent: Extent,
}

impl Polyline {
    pub(crate) fn new(points: &[[f64; 2]]) -> Result<Self, ShapeError> {
        check_finite("polyline", points)?;
        if let Some(index) = points.windows(2).position(|pair| pair[0] == pair[1]) {
            return Err(ShapeError::RepeatedPoint { index });
        }
        let pieces = points.windows(2).map(|pair| Polygon::segment("polyline", [pair[0], pair[1]]));
        let pieces = pieces.collect::<Result<Vec<_>, _>>()?;
        if pieces.is_empty() {
            return Err(ShapeError::FewPoints { points: points.len() });
        }
        let extent = Extent::of(points.iter().map(|[x, y]| [*x, *y, 0.0]));
        Ok(Self { pieces, is_closed: points.first() == points.last(), extent })
    }

    /// Sets the chain to a rotated and translated chain with the same number of segments.
    pub(crate) fn move_from(&mut self, from: &Self, sine: f64, cosine: f64, by: [f64; 2]) {
        for (own, piece) in self.pieces.iter_mut().zip(&from.pieces) {
            own.move_from(piece, sine, cosine, by);
        }
    }

    /// Returns the number of the vertex at an end of a segment: 0 is its begin, 1 its end.
    pub(crate) fn vertex(&self, piece: usize, end: u32) -> u32 {
        let number = piece as u32 + end;
        if self.is_closed && number as usize == self.pieces.len() { 0 } else { number }
    }

    /// Returns `true` if an end of a segment touches other bodies with a unit normal. The normals of an end
    /// that continues in a neighbour are between the normals of both segments.
    pub(crate) fn is_exposed(&self, piece: usize, end: u32, [x, y, _]: [f64; 3]) -> bool {
        let Some(neighbour) = self.neighbour(piece, end) else { return true };
        // Component of the normal along a segment.
        let along = |piece: usize| {
            let [a, b] = self.pieces[piece].normals()[0];
            a * y - b * x
        };
        let [before, after] = if end == 0 { [neighbour, piece] } else { [piece, neighbour] };
        along(before) >= -ROUNDING && along(after) <= ROUNDING
    }

    fn neighbour(&self, piece: usize, end: u32) -> Option<usize> {
        let last = self.pieces.len() - 1;
        match (piece, end) {
            (0, 0) => self.is_closed.then_some(last),
            (_, 0) => Some(piece - 1),
            (_, _) if piece == last => self.is_closed.then_some(0),
            (_, _) => Some(piece + 1),
        }
    }
}
