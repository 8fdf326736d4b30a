//! What joins points.

/// Cells of one kind, each a list of points.
///
/// ```
/// use siconos_io::vtk::Cells;
///
/// let mut polygons = Cells::default();
/// polygons.push([0, 1, 2]);
/// polygons.push([0, 2, 3, 4]);
/// assert_eq!(polygons.len(), 2);
/// assert!(polygons.iter().eq([&[0, 1, 2][..], &[0, 2, 3, 4]]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    /// The points of all cells, one cell behind the other.
    points: Vec<usize>,
    /// Where each ends.
    ends: Vec<usize>,
}

impl Cells {
    /// Adds a cell with these points, by their numbers from 0.
    pub fn push(&mut self, points: impl IntoIterator<Item = usize>) {
        self.points.extend(points);
        self.ends.push(self.points.len());
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The points of each cell.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[usize]> {
        (0..self.len()).map(|cell| {
            let begin = if cell == 0 { 0 } else { self.ends[cell - 1] };
            &self.points[begin..self.ends[cell]]
        })
    }

    pub(super) fn points(&self) -> &[usize] {
        &self.points
    }

    pub(super) fn ends(&self) -> &[usize] {
        &self.ends
    }
}
