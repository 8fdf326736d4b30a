//! Errors of shapes.

/// Shape that cannot be created, or that has no mass properties.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A length is zero, negative, NaN or infinite.
    #[error("the {what} of {} {shape} is {value}; it must be positive and finite", article(.shape))]
    Length {
        /// Name of the shape.
        shape: &'static str,
        /// Name of the length.
        what: &'static str,
        /// Value of the length.
        value: f64,
    },
    /// A coordinate is NaN or infinite.
    #[error("point {index} of a {shape} contains {value}; all coordinates must be finite")]
    NotFinite {
        /// Name of the shape.
        shape: &'static str,
        /// Index of the point.
        index: usize,
        /// Value of the coordinate.
        value: f64,
    },
    /// A direction has length 0, or is not finite.
    #[error("the {what} has no direction; its length must be positive and finite")]
    NoDirection {
        /// Name of the direction.
        what: &'static str,
    },
    /// The origin of a ray is NaN or infinite.
    #[error("the origin of a ray contains {value}; all coordinates must be finite")]
    RayOrigin {
        /// Value of the coordinate.
        value: f64,
    },
    /// The points of a hull are too few, or lie in a plane.
    #[error("a convex hull needs at least 4 points that do not lie in a plane; got {points} points{}",
        if *.points < 4 { "" } else { " in a plane" })]
    FlatHull {
        /// Number of points.
        points: usize,
    },
    /// The convex hull of the points cannot be computed.
    #[error("the convex hull of {points} points cannot be computed: {why}")]
    Hull {
        /// Number of points.
        points: usize,
        /// Reason.
        why: String,
    },
    /// A polygon is not convex, or its corners are not in counterclockwise order.
    #[error(
        "corner {corner} of a polygon turns to the right or not at all; corners must be in counterclockwise order, \
         without straight angles"
    )]
    NotConvex {
        /// Index of the corner.
        corner: usize,
    },
    /// A polygon has fewer than three corners.
    #[error("a polygon needs at least 3 corners; got {corners}")]
    FewCorners {
        /// Number of corners.
        corners: usize,
    },
    /// A shape without volume has no mass properties.
    #[error("a {shape} has no volume, so no mass properties follow from a density")]
    NoVolume {
        /// Name of the shape.
        shape: &'static str,
    },
}

/// Returns the indefinite article of the name of a shape.
fn article(name: &str) -> &'static str {
    if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}
