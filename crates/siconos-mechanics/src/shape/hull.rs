//! Convex hulls of points, with faces of any number of corners.

use super::quickhull::triangles;
use super::spread::thickness;
use super::surface::{Outline, Surface};
use super::{ShapeError, check_finite};

/// Convex hull: vertices and faces.
#[derive(Clone, Debug)]
pub(crate) struct Hull {
    pub(crate) vertices: Vec<[f64; 3]>,
    pub(crate) faces: Vec<Outline>,
}

/// Maximum distance of a vertex from the plane of a face that contains it, as a fraction of the thickness.
const FLAT: f64 = 1e-10;

/// Rounding error of coordinates, as a fraction of the largest coordinate.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

impl Hull {
    /// Computes the hull of points.
    pub(crate) fn of_points(points: &[[f64; 3]]) -> Result<Self, ShapeError> {
        check_finite("convex hull", points)?;
        let flat = || ShapeError::FlatHull { points: points.len() };
        let largest = points.iter().flatten().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        let (rounding, thickness) = (ROUNDING * largest, thickness(points));
        if thickness <= rounding {
            return Err(flat());
        }
        let triangles = triangles(points).ok_or_else(flat)?;
        let tolerance = rounding.max(FLAT * thickness);
        let faces = Surface::new(points, &triangles, tolerance).and_then(|surface| surface.faces());
        let hull = faces.map(|faces| Self { vertices: points.to_vec(), faces }.without_unused());
        hull.filter(|own| own.faces.len() > 3).ok_or_else(|| ShapeError::Hull {
            points: points.len(),
            why: "some faces are thinner than the rounding errors of the points".to_owned(),
        })
    }

    /// Removes vertices that belong to no face.
    fn without_unused(mut self) -> Self {
        let mut new = vec![None; self.vertices.len()];
        let mut kept = Vec::new();
        for corner in self.faces.iter_mut().flat_map(|(_, corners)| corners) {
            let old = *corner as usize;
            *corner = *new[old].get_or_insert_with(|| {
                kept.push(self.vertices[old]);
                kept.len() as u32 - 1
            });
        }
        Self { vertices: kept, ..self }
    }
}
