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
    /// A polyline has fewer than two points.
    #[error("a polyline needs at least 2 points; got {points}")]
    FewPoints {
        /// Number of points.
        points: usize,
    },
    /// Consecutive points of a polyline coincide.
    #[error("points {index} and {} of a polyline coincide; remove one", .index + 1)]
    RepeatedPoint {
        /// Index of the first point.
        index: usize,
    },
    /// A polygon has fewer than three corners.
    #[error("a polygon needs at least 3 corners; got {corners}")]
    FewCorners {
        /// Number of corners.
        corners: usize,
    },
    /// A mesh has no triangles, or too many.
    #[error(
        "a triangle mesh has {triangles} triangles and {vertices} vertices; it needs 1 to 1073741823 of both"
    )]
    MeshSize {
        /// Number of triangles.
        triangles: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// A triangle of a mesh has an index without a vertex.
    #[error("triangle {triangle} of a mesh contains vertex {index}, but there are {vertices} vertices")]
    MeshIndex {
        /// Index of the triangle.
        triangle: usize,
        /// Index of the vertex.
        index: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// A triangle of a mesh has no area.
    #[error("triangle {triangle} of a mesh has no area; remove it")]
    FlatTriangle {
        /// Index of the triangle.
        triangle: usize,
    },
    /// Two triangles of a mesh contain an edge in the same direction.
    #[error(
        "triangles {} and {} of a mesh contain an edge in the same direction; all triangles must be counterclockwise \
         as seen from the outer side, and at most two can share an edge",
        .triangles[0], .triangles[1]
    )]
    MeshOrientation {
        /// Indices of the triangles.
        triangles: [usize; 2],
    },
    /// An edge of the mesh of a solid belongs to one triangle only.
    #[error(
        "the mesh of a solid is open: edge {}-{} belongs to triangle {triangle} only; each edge must belong to two \
         triangles, so close the mesh or merge equal vertices",
        .ends[0], .ends[1]
    )]
    OpenMesh {
        /// Index of the triangle.
        triangle: usize,
        /// Indices of the vertices of the edge.
        ends: [usize; 2],
    },
    /// Two triangles of the mesh of a solid intersect each other.
    #[error(
        "triangles {} and {} of the mesh of a solid intersect; move their vertices apart, unite parts that overlap, \
         or create one shape for each part",
        .triangles[0], .triangles[1]
    )]
    SelfIntersection {
        /// Indices of the triangles.
        triangles: [usize; 2],
    },
    /// A surface of the mesh of a solid has a negative volume or none.
    #[error(
        "the surface with triangle {triangle} of the mesh of a solid has the volume {volume:e}; it must be positive, \
         so exchange two corners of all its triangles if they are clockwise as seen from outside"
    )]
    InvertedMesh {
        /// Index of the first triangle of the surface.
        triangle: usize,
        /// Volume \[m3\].
        volume: f64,
    },
    /// A surface of the mesh of a solid is inside another surface.
    #[error(
        "the surface with triangle {triangle} of the mesh of a solid is inside another surface of it; if it is a \
         void, exchange two corners of all its triangles, otherwise remove it"
    )]
    NestedMesh {
        /// Index of the first triangle of the inner surface.
        triangle: usize,
    },
    /// The resolution of a decomposition is negative, NaN or infinite.
    #[error("the resolution of a decomposition is {resolution}; it must be 0 or positive, and finite")]
    Resolution {
        /// Resolution.
        resolution: f64,
    },
    /// A mesh is not the union of a limited number of convex pieces within the resolution.
    #[error(
        "{limit} convex pieces protrude from the mesh by up to {error:.3e}, but the resolution is {resolution:.3e}; \
         increase `resolution` in the settings to {}, increase `most_pieces`, or use a simpler mesh",
        rounded_up(*.fraction)
    )]
    NotConvexPieces {
        /// Maximum number of pieces.
        limit: usize,
        /// Requested resolution \[m\].
        resolution: f64,
        /// Bound on the distance of the pieces from the mesh \[m\].
        error: f64,
        /// Bound on the distance of the pieces from the mesh, as a fraction of the size of the mesh. With
        /// this resolution, the same number of pieces is usually enough.
        fraction: f64,
    },
    /// A mesh has more separate parts than the maximum number of pieces.
    #[error(
        "the mesh of a solid has {parts} separate parts; increase `most_pieces` in the settings, which is {limit}"
    )]
    ManyParts {
        /// Number of separate parts.
        parts: usize,
        /// Maximum number of pieces.
        limit: usize,
    },
    /// The convex pieces of a mesh do not cover its surface, because parts of it are too thin.
    #[error(
        "the convex pieces of a mesh do not cover it within the resolution {resolution:e}; decrease the \
         resolution, or remove its thinnest parts"
    )]
    NotCovered {
        /// Requested resolution \[m\].
        resolution: f64,
    },
    /// A height field is not a grid.
    #[error(
        "row {row} of a height field of {rows} rows has {length} columns, but the first has {columns}; there must be at \
         least 2 rows and 2 columns, and all rows must have equal lengths"
    )]
    Grid {
        /// Number of rows.
        rows: usize,
        /// Number of columns of the first row.
        columns: usize,
        /// Index of the row.
        row: usize,
        /// Number of its columns.
        length: usize,
    },
    /// A shape without volume has no mass properties.
    #[error("a {shape} has no volume, so no mass properties follow from a density")]
    NoVolume {
        /// Name of the shape.
        shape: &'static str,
    },
}

/// Returns a positive number that exceeds another one by at most 1 %, with few digits.
fn rounded_up(x: f64) -> String {
    let unit = 10.0_f64.powf(x.log10().floor() - 2.0);
    format!("{:.2e}", (x / unit).ceil() * unit)
}

/// Returns the indefinite article of the name of a shape.
fn article(name: &str) -> &'static str {
    if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}
