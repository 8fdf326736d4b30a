//! Cells that connect points.

/// Cells of one kind. Each cell is a list of indices of points.
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
    /// Indices of the points of all cells, one cell after the other.
    points: Vec<usize>,
    /// End of each cell in `points`.
    ends: Vec<usize>,
}

impl Cells {
    /// Adds a cell that connects the points with the given indices, counted from 0.
    pub fn push(&mut self, points: impl IntoIterator<Item = usize>) {
        self.points.extend(points);
        self.ends.push(self.points.len());
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns `true` if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the indices of the points of each cell.
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
