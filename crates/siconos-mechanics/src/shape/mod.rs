//! Shapes of bodies.
//!
//! A shape consists of all points within a distance, its radius, of a core. The core is a point (ball, disc),
//! a segment (capsule), a convex polyhedron (cuboid, convex hull), a solid with a curved surface (cylinder,
//! cone, ellipsoid) or a convex polygon or segment in the plane. A half-space has no core. The core of a
//! solid inside a closed mesh consists of convex polyhedra.

mod error;
mod extent;
mod hull;
#[cfg(test)]
mod hull_tests;
mod mass;
pub(crate) mod mesh;
mod orientation;
mod polygon;
mod polyline;
pub(crate) mod polytope;
mod quickhull;
pub(crate) mod round;
mod round_ray;
pub(crate) mod solid;
mod spread;
mod surface;

use std::f64::consts::PI;
use std::sync::Arc;

pub use error::ShapeError;
use extent::Extent;
use hull::Hull;
pub use mass::MassProperties;
use mesh::Mesh;
pub(crate) use polygon::Polygon;
pub(crate) use polyline::Polyline;
use polytope::Polytope;
use round::{Round, RoundCore};
use siconos_kernel::engine::vector::unit;
use solid::Solid;
pub use solid::{Decomposition, DecompositionSettings};

/// Shape of a body: convex, except for surfaces of triangles and solids inside closed meshes. Copies share
/// their data.
///
/// ```
/// use siconos_mechanics::Shape;
///
/// let brick = Shape::cuboid([0.2, 0.1, 0.06])?;
/// let mass = brick.mass_properties(1800.0)?;
/// assert!((mass.mass - 2.16).abs() < 1e-12);
/// assert!(Shape::ball(-1.0).is_err());
/// # Ok::<(), siconos_mechanics::ShapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    core: Core,
    radius: f64,
    kind: &'static str,
}

/// Core of a shape.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Core {
    /// Half-space below the plane through the origin with this unit normal.
    HalfSpace([f64; 3]),
    Polytope(Arc<Polytope>),
    Polygon(Arc<Polygon>),
    Polyline(Arc<Polyline>),
    Round(Arc<RoundCore>),
    Mesh(Arc<Mesh>),
    Solid(Arc<Solid>),
}

impl Shape {
    fn new(kind: &'static str, core: Polytope, radius: f64) -> Self {
        Self { core: Core::Polytope(Arc::new(core)), radius, kind }
    }

    fn round(kind: &'static str, solid: Round) -> Self {
        Self { core: Core::Round(Arc::new(RoundCore::new(solid))), radius: 0.0, kind }
    }

    /// Creates a ball with the given radius \[m\], or a disc in the plane.
    ///
    /// # Errors
    ///
    /// If the radius is not positive and finite: [`ShapeError::Length`].
    pub fn ball(radius: f64) -> Result<Self, ShapeError> {
        check("ball", "radius", radius)?;
        Ok(Self::new("ball", Polytope::point(), radius))
    }

    /// Creates a capsule: all points within `radius` \[m\] of a segment along z, which has the given length
    /// \[m\] and is centred at the origin.
    ///
    /// # Errors
    ///
    /// As for [`ball`](Self::ball).
    pub fn capsule(length: f64, radius: f64) -> Result<Self, ShapeError> {
        check("capsule", "length", length)?;
        check("capsule", "radius", radius)?;
        Ok(Self::new("capsule", Polytope::segment(length), radius))
    }

    /// Creates a cuboid with the given side lengths \[m\] along x, y and z, centred at the origin.
    ///
    /// # Errors
    ///
    /// As for [`ball`](Self::ball).
    #[doc(alias = "box")]
    pub fn cuboid(sides: [f64; 3]) -> Result<Self, ShapeError> {
        sides.into_iter().try_for_each(|side| check("cuboid", "side length", side))?;
        Ok(Self::new("cuboid", Polytope::cuboid(sides), 0.0))
    }

    /// Creates the convex hull of points \[m\].
    ///
    /// # Errors
    ///
    /// If a coordinate is not finite, or if the points lie in a plane: [`ShapeError`].
    pub fn hull(points: &[[f64; 3]]) -> Result<Self, ShapeError> {
        Ok(Self::new("convex hull", Polytope::of_hull(Hull::of_points(points)?), 0.0))
    }

    /// Creates a right prism whose base is a regular polygon with the given number of sides. Its axis is z,
    /// and the corners of the base lie on a circle with the given radius \[m\]; the first corner is on the
    /// x-axis.
    ///
    /// # Errors
    ///
    /// If there are fewer than 3 sides: [`ShapeError::FewCorners`]. Otherwise as for [`ball`](Self::ball).
    pub fn prism(sides: usize, radius: f64, length: f64) -> Result<Self, ShapeError> {
        check("prism", "radius", radius)?;
        check("prism", "length", length)?;
        if sides < 3 {
            return Err(ShapeError::FewCorners { corners: sides });
        }
        Ok(Self::new("prism", Polytope::prism(sides, radius, length), 0.0))
    }

    /// Creates a cylinder with the given radius and length \[m\]. Its axis is z, and its centre is the
    /// origin.
    ///
    /// A face that lies on another body touches it at points of its rim: at eight points that are fixed in
    /// the body, and at the lowest point if the face is tilted. A cylinder on its side touches at both ends
    /// of a line. The eight points form an octagon, so a standing cylinder tips at slopes that are up to 8 %
    /// below the exact value, depending on its rotation about its axis.
    ///
    /// ```
    /// use siconos_mechanics::Shape;
    ///
    /// let can = Shape::cylinder(0.033, 0.115)?.mass_properties(1000.0)?;
    /// assert!((can.inertia[2][2] - 0.5 * can.mass * 0.033 * 0.033).abs() < 1e-15);
    /// # Ok::<(), siconos_mechanics::ShapeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`ball`](Self::ball).
    pub fn cylinder(radius: f64, length: f64) -> Result<Self, ShapeError> {
        check("cylinder", "radius", radius)?;
        check("cylinder", "length", length)?;
        Ok(Self::round("cylinder", Round::Cylinder { radius, half: 0.5 * length }))
    }

    /// Creates a cone with the given radius of the base and height \[m\]. Its axis is z, and the origin is
    /// the centre of mass: the base is at z = -height / 4 and the apex at z = 3 height / 4. The base touches
    /// other bodies as the face of a [`cylinder`](Self::cylinder).
    ///
    /// ```
    /// use siconos_mechanics::Shape;
    ///
    /// let cone = Shape::cone(0.3, 0.4)?;
    /// assert_eq!(cone.mass_properties(1000.0)?.centre, [0.0; 3]);
    /// assert!((cone.reach() - 0.1_f64.hypot(0.3)).abs() < 1e-15);
    /// # Ok::<(), siconos_mechanics::ShapeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`ball`](Self::ball).
    pub fn cone(radius: f64, height: f64) -> Result<Self, ShapeError> {
        check("cone", "radius", radius)?;
        check("cone", "height", height)?;
        Ok(Self::round("cone", Round::Cone { radius, height }))
    }

    /// Creates an ellipsoid with the given semi-axes \[m\] along x, y and z, centred at the origin.
    ///
    /// ```
    /// use siconos_mechanics::Shape;
    ///
    /// let pebble = Shape::ellipsoid([0.03, 0.02, 0.01])?;
    /// assert_eq!(pebble.reach(), 0.03);
    /// assert!(Shape::ellipsoid([0.03, 0.0, 0.01]).is_err());
    /// # Ok::<(), siconos_mechanics::ShapeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`ball`](Self::ball).
    pub fn ellipsoid(semi_axes: [f64; 3]) -> Result<Self, ShapeError> {
        semi_axes.into_iter().try_for_each(|axis| check("ellipsoid", "semi-axis", axis))?;
        Ok(Self::round("ellipsoid", Round::Ellipsoid(semi_axes)))
    }

    /// Creates the half-space of all points x with $n \cdot x \le 0$, for the outward normal n of any length
    /// except 0. In the plane, it is a half-plane.
    ///
    /// # Errors
    ///
    /// If the normal has length 0 or is not finite: [`ShapeError::NoDirection`].
    #[doc(alias = "plane")]
    pub fn half_space(normal: [f64; 3]) -> Result<Self, ShapeError> {
        let what = "normal of a half-space";
        let normal = unit(normal).ok_or(ShapeError::NoDirection { what })?;
        Ok(Self { core: Core::HalfSpace(normal), radius: 0.0, kind: "half-space" })
    }

    /// Creates a surface of triangles, for fixed and driven bodies. For a free body, see
    /// [`solid`](Self::solid). Triangles are indices of vertices \[m\],
    /// counterclockwise as seen from the outer side, where the surface touches other bodies. The surface need
    /// not be closed or convex.
    ///
    /// Edges and vertices between triangles of a plane, or at the bottom of a fold, make no contacts of their
    /// own: a ball rolls over them as over a plane. A contact at a convex edge has a normal between those of
    /// its triangles. An overlap with a triangle is ignored if a smaller displacement along the normal of
    /// another contact removes it. A triangle touches only bodies whose centre is on its outer side, and deep
    /// overlaps of curved solids with convex edges can be missed, so steps should be short enough for small
    /// overlaps.
    ///
    /// ```
    /// use siconos_mechanics::{Body, Scene, Shape};
    ///
    /// // A roof of two squares.
    /// let vertices =
    ///     [[-1.0, -1.0, 0.0], [0.0, -1.0, 0.5], [1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 1.0, 0.5], [1.0, 1.0, 0.0]];
    /// let triangles = [[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]];
    /// let roof = Shape::mesh(&vertices, &triangles)?;
    /// let mut scene = Scene::new();
    /// scene.add(Body::fixed(roof))?;
    /// scene.add(Body::new(Shape::ball(0.1)?).at([0.3, 0.0, 0.5]))?;
    /// # Ok::<(), siconos_mechanics::SceneError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a coordinate is not finite, an index has no vertex, a triangle has no area, or two triangles
    /// contain an edge in the same direction: [`ShapeError`].
    #[doc(alias = "trimesh")]
    pub fn mesh(vertices: &[[f64; 3]], triangles: &[[usize; 3]]) -> Result<Self, ShapeError> {
        let mesh = Mesh::new(vertices, triangles)?;
        Ok(Self { core: Core::Mesh(Arc::new(mesh)), radius: 0.0, kind: "triangle mesh" })
    }

    /// Creates the solid inside a closed mesh, for free, fixed and driven bodies, with the default
    /// [`DecompositionSettings`]. Triangles are indices of vertices \[m\], counterclockwise as seen from
    /// outside. `siconos_io::vtk::Surface::read_mesh` reads them from a file.
    ///
    /// Mass properties are integrals over the mesh. With the divergence theorem, the volume, the first moment
    /// and the second moments are sums over the triangles with the corners a, b and c, for example
    /// $V = \frac16 \sum a \cdot (b \times c)$. They are exact except for rounding errors, and do not depend
    /// on the pieces.
    ///
    /// Contacts use convex pieces, whose number and errors are in the [`Decomposition`]. A convex mesh has
    /// one piece, its hull. Other meshes are cut by planes, mostly through edges at which they are not
    /// convex, so unions of a few boxes have exact pieces. The faces at which pieces meet make no contacts: a
    /// body slides over a seam in a plane as over a single face.
    ///
    /// Machine parts need few cuts, and curved surfaces many. With n triangles and k pieces, about 70 k cuts
    /// are tried with a cost of n log n each. This takes milliseconds for a union of some boxes, and seconds
    /// for a torus of 500 triangles. Use a coarse mesh for contacts; copies of a shape share their data.
    ///
    /// ```
    /// use siconos_mechanics::{Body, Scene, Shape};
    ///
    /// // Prism with an L as its base.
    /// let base = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    /// let vertices: Vec<[f64; 3]> =
    ///     [0.0, 1.0].iter().flat_map(|z| base.iter().map(move |[x, y]| [*x, *y, *z])).collect();
    /// let mut triangles = Vec::new();
    /// for k in 1..5 {
    ///     triangles.extend([[0, k + 1, k], [6, 6 + k, 7 + k]]);
    /// }
    /// for k in 0..6 {
    ///     let next = (k + 1) % 6;
    ///     triangles.extend([[k, next, 6 + next], [k, 6 + next, 6 + k]]);
    /// }
    ///
    /// let solid = Shape::solid(&vertices, &triangles)?;
    /// assert!((solid.mass_properties(1000.0)?.mass - 4000.0).abs() < 1e-9);
    /// let decomposition = solid.decomposition().expect("a solid");
    /// assert_eq!((decomposition.pieces.len(), decomposition.error), (2, 0.0));
    /// let mut scene = Scene::new();
    /// scene.add(Body::new(solid))?;
    /// # Ok::<(), siconos_mechanics::SceneError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`solid_with`](Self::solid_with).
    #[doc(alias = "trimesh")]
    pub fn solid(vertices: &[[f64; 3]], triangles: &[[usize; 3]]) -> Result<Self, ShapeError> {
        Self::solid_with(vertices, triangles, DecompositionSettings::default())
    }

    /// Creates the solid inside a closed mesh as [`solid`](Self::solid), with other settings.
    ///
    /// ```
    /// use siconos_mechanics::{DecompositionSettings, Shape, ShapeError};
    ///
    /// let vertices = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let triangles = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// let settings = DecompositionSettings { resolution: 0.0, ..DecompositionSettings::default() };
    /// let solid = Shape::solid_with(&vertices, &triangles, settings)?;
    /// assert_eq!(solid.decomposition().expect("a solid").pieces, [Shape::hull(&vertices)?]);
    /// let error = Shape::solid_with(&vertices, &triangles[1..], settings).unwrap_err();
    /// assert!(matches!(error, ShapeError::OpenMesh { .. }));
    /// # Ok::<(), ShapeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// - [`ShapeError`] as for a [`mesh`](Self::mesh);
    /// - [`ShapeError::OpenMesh`], if an edge belongs to one triangle only;
    /// - [`ShapeError::SelfIntersection`], if two triangles intersect;
    /// - [`ShapeError::InvertedMesh`], if the volume of a surface is not positive;
    /// - [`ShapeError::NestedMesh`], if a surface is inside another one and does not bound a void;
    /// - [`ShapeError::Resolution`], if the resolution is negative or not finite;
    /// - [`ShapeError::NotConvexPieces`], if the maximum number of pieces is too small for the resolution;
    ///   the error contains the resolution that they reach;
    /// - [`ShapeError::ManyParts`], if the mesh has more separate parts than the maximum number of pieces;
    /// - [`ShapeError::NotCovered`], if the pieces do not cover the mesh, because it has parts thinner than
    ///   about 1e-10 of its size.
    ///
    /// Triangles intersect if they overlap by more than 1e-6 of the [`size`](Self::size), also if they have a
    /// common vertex. Parts of a mesh may touch. Triangles in a plane, within 1e-11 of the size, intersect if
    /// their areas overlap and their normals are equal, or if they have a common edge, at which the surface
    /// is then folded.
    pub fn solid_with(
        vertices: &[[f64; 3]],
        triangles: &[[usize; 3]],
        settings: DecompositionSettings,
    ) -> Result<Self, ShapeError> {
        let solid = Solid::new(vertices, triangles, settings)?;
        Ok(Self { core: Core::Solid(Arc::new(solid)), radius: 0.0, kind: "solid" })
    }

    /// Returns the convex pieces of a [`solid`](Self::solid); `None` for other shapes.
    #[must_use]
    pub fn decomposition(&self) -> Option<&Decomposition> {
        match &self.core {
            Core::Solid(solid) => Some(&solid.decomposition),
            _ => None,
        }
    }

    /// Creates the surface z(x, y) over a grid, for fixed and driven bodies, as a [`mesh`](Self::mesh).
    /// `heights` contains one row \[m\] for each y, in increasing order; `spacing` is the distance of the
    /// columns and of the rows \[m\]. The origin is the middle of the grid at z = 0. The outer side is above.
    ///
    /// ```
    /// use siconos_mechanics::Shape;
    ///
    /// let wave: Vec<Vec<f64>> =
    ///     (0..20).map(|_| (0..40).map(|i| 0.1 * (0.3 * f64::from(i)).sin()).collect()).collect();
    /// let terrain = Shape::height_field(&wave, [0.25, 0.25])?;
    /// assert!((terrain.reach() - 4.875_f64.hypot(2.375)).abs() < 0.01);
    /// # Ok::<(), siconos_mechanics::ShapeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there are fewer than two rows or columns, if the rows have different lengths, if a height is not
    /// finite, or if a distance is not positive: [`ShapeError`].
    #[doc(alias = "heightmap")]
    pub fn height_field(heights: &[Vec<f64>], spacing: [f64; 2]) -> Result<Self, ShapeError> {
        spacing.into_iter().try_for_each(|distance| check("height field", "spacing", distance))?;
        let columns = heights.first().map_or(0, Vec::len);
        if let Some(row) = heights.iter().position(|row| row.len() != columns) {
            return Err(ShapeError::Grid { rows: heights.len(), columns, row, length: heights[row].len() });
        }
        if heights.len() < 2 || columns < 2 {
            return Err(ShapeError::Grid { rows: heights.len(), columns, row: 0, length: columns });
        }
        let place = |index: usize, count: usize, distance: f64| {
            distance * (index as f64 - 0.5 * (count as f64 - 1.0))
        };
        let vertices: Vec<[f64; 3]> = heights
            .iter()
            .enumerate()
            .flat_map(|(j, row)| {
                let y = place(j, heights.len(), spacing[1]);
                row.iter().enumerate().map(move |(i, z)| [place(i, columns, spacing[0]), y, *z])
            })
            .collect();
        let at = |i: usize, j: usize| j * columns + i;
        let triangles: Vec<[usize; 3]> = (0..heights.len() - 1)
            .flat_map(|j| (0..columns - 1).map(move |i| (i, j)))
            .flat_map(|(i, j)| {
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                [[a, b, c], [a, c, d]]
            })
            .collect();
        Ok(Self { kind: "height field", ..Self::mesh(&vertices, &triangles)? })
    }

    /// Creates a convex polygon in the plane. The corners \[m\] are in counterclockwise order.
    ///
    /// # Errors
    ///
    /// If there are fewer than 3 corners, or if the polygon is not convex: [`ShapeError`].
    pub fn polygon(corners: &[[f64; 2]]) -> Result<Self, ShapeError> {
        Ok(Self { core: Core::Polygon(Arc::new(Polygon::new(corners)?)), radius: 0.0, kind: "polygon" })
    }

    /// Creates a rectangle in the plane with the given side lengths \[m\], centred at the origin.
    ///
    /// # Errors
    ///
    /// As for [`ball`](Self::ball).
    pub fn rectangle([a, b]: [f64; 2]) -> Result<Self, ShapeError> {
        check("rectangle", "side length", a)?;
        check("rectangle", "side length", b)?;
        let (x, y) = (0.5 * a, 0.5 * b);
        Self::polygon(&[[-x, -y], [x, -y], [x, y], [-x, y]])
    }

    /// Creates the segment between two points \[m\] in the plane: a thin wall with two sides.
    ///
    /// Another body touches the side on which it is: the normal of a contact is the direction from the
    /// closest point of the segment to a body that is apart. A body that overlaps the segment is pushed to
    /// the side on which it was in the last step; at the start, to the side from which it overlaps less,
    /// which for a disc is the side of its centre. Thin bodies that lie on each other at the start have no
    /// side, so leave a gap between them.
    ///
    /// The ends of a segment touch other bodies, also if another segment continues there. Use a
    /// [`polyline`](Self::polyline) for walls of several segments.
    ///
    /// A segment has no area. A free body that consists of segments needs a mass, see
    /// [`Body::with_mass`](crate::Body::with_mass), and has the moment of inertia of thin rods.
    ///
    /// ```
    /// use siconos_mechanics::{Body, Scene, Shape};
    ///
    /// let mut scene = Scene::planar();
    /// scene.add(Body::fixed(Shape::segment([-1.0, 0.0], [1.0, 0.0])?))?;
    /// scene.add(Body::new(Shape::segment([-0.2, 0.0], [0.2, 0.0])?).with_mass(0.3).at([0.0, 0.5, 0.0]))?;
    /// # Ok::<(), siconos_mechanics::SceneError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a coordinate is not finite, or if the points coincide: [`ShapeError`].
    #[doc(alias = "line")]
    #[doc(alias = "edge")]
    pub fn segment(a: [f64; 2], b: [f64; 2]) -> Result<Self, ShapeError> {
        let segment = Polygon::segment("segment", [a, b])?;
        Ok(Self { core: Core::Polygon(Arc::new(segment)), radius: 0.0, kind: "segment" })
    }

    /// Creates a chain of segments between consecutive points \[m\] in the plane, for fixed and driven
    /// bodies: walls, chutes, hoppers and terrain. It is closed if the last point equals the first. The sides
    /// are those of [`segment`](Self::segment).
    ///
    /// A vertex between two segments touches other bodies only on the side on which it protrudes, with a
    /// normal between the normals of its segments. A body therefore slides over the vertices of a straight
    /// chain as over a single segment. The end of a free segment, which has no thickness, can pass through a
    /// vertex; use a [`stadium`](Self::stadium) for thin bodies that touch a polyline.
    ///
    /// ```
    /// use siconos_mechanics::{Body, Scene, Shape};
    ///
    /// // A ball in a hopper.
    /// let hopper = Shape::polyline(&[[-1.0, 1.0], [-0.1, 0.0], [0.1, 0.0], [1.0, 1.0]])?;
    /// let mut scene = Scene::planar();
    /// scene.add(Body::fixed(hopper))?;
    /// scene.add(Body::new(Shape::ball(0.1)?).at([0.3, 0.8, 0.0]))?;
    /// # Ok::<(), siconos_mechanics::SceneError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there are fewer than two points, if a coordinate is not finite, or if consecutive points coincide:
    /// [`ShapeError`].
    #[doc(alias = "chain")]
    pub fn polyline(points: &[[f64; 2]]) -> Result<Self, ShapeError> {
        Ok(Self { core: Core::Polyline(Arc::new(Polyline::new(points)?)), radius: 0.0, kind: "polyline" })
    }

    /// Creates a stadium in the plane: all points within `radius` \[m\] of the segment between two points
    /// \[m\].
    ///
    /// ```
    /// use siconos_mechanics::Shape;
    ///
    /// let pill = Shape::stadium([-0.3, 0.0], [0.3, 0.0], 0.1)?;
    /// let mass = pill.planar_mass_properties(1000.0)?.mass;
    /// assert!((mass - 1000.0 * (0.12 + 0.01 * std::f64::consts::PI)).abs() < 1e-12);
    /// # Ok::<(), siconos_mechanics::ShapeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`segment`](Self::segment). If the radius is not positive and finite: [`ShapeError::Length`].
    #[doc(alias = "capsule")]
    pub fn stadium(a: [f64; 2], b: [f64; 2], radius: f64) -> Result<Self, ShapeError> {
        check("stadium", "radius", radius)?;
        let segment = Polygon::segment("stadium", [a, b])?;
        Ok(Self { core: Core::Polygon(Arc::new(segment)), radius, kind: "stadium" })
    }

    /// Returns the name of the kind of shape.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// Returns `true` if the shape has infinite extent.
    #[must_use]
    pub fn is_unbounded(&self) -> bool {
        matches!(self.core, Core::HalfSpace(_))
    }

    /// Returns the mass properties of a solid with a constant density \[kg/m3\]. A ball in the plane counts
    /// as a ball; use [`planar_mass_properties`](Self::planar_mass_properties) for discs.
    ///
    /// # Errors
    ///
    /// If the shape is a half-space or a polygon: [`ShapeError::NoVolume`].
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError> {
        let core = match &self.core {
            Core::Polytope(core) => core,
            Core::Round(core) => return Ok(core.solid.mass_properties(density)),
            Core::Solid(solid) => return Ok(solid.mass_properties(density)),
            Core::HalfSpace(_) | Core::Polygon(_) | Core::Polyline(_) | Core::Mesh(_) => {
                return Err(ShapeError::NoVolume { shape: self.kind });
            }
        };
        let r = self.radius;
        Ok(match core.vertices[..] {
            [_] => {
                let mass = density * 4.0 / 3.0 * PI * r.powi(3);
                MassProperties::principal(mass, [0.4 * mass * r * r; 3])
            }
            [[.., low], [.., high]] => {
                let l = high - low;
                let (middle, ends) = (density * PI * r * r * l, density * 4.0 / 3.0 * PI * r.powi(3));
                let along = 0.5 * middle * r * r + 0.4 * ends * r * r;
                let across = middle * (3.0 * r * r + l * l) / 12.0
                    + ends * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
                MassProperties::principal(middle + ends, [across, across, along])
            }
            _ => MassProperties::of_polyhedron(density, core),
        })
    }

    /// Returns the mass properties of a planar shape with a constant density per area \[kg/m2\]. The moment
    /// of inertia is the third diagonal entry of the inertia matrix.
    ///
    /// # Errors
    ///
    /// If the shape is not a polygon, disc or stadium: [`ShapeError::NoVolume`].
    pub fn planar_mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError> {
        match &self.core {
            _ if self.is_thin() => Err(ShapeError::NoVolume { shape: self.kind }),
            Core::Polygon(polygon) => Ok(match polygon.ends() {
                Some(ends) => Polygon::stadium_mass_properties(ends, self.radius, density),
                None => polygon.mass_properties(density),
            }),
            Core::Polytope(core) if matches!(core.vertices[..], [_]) => {
                let mass = density * PI * self.radius * self.radius;
                Ok(MassProperties::principal(mass, [0.0, 0.0, 0.5 * mass * self.radius * self.radius]))
            }
            _ => Err(ShapeError::NoVolume { shape: self.kind }),
        }
    }

    /// Returns `true` for a segment, which has no area.
    pub(crate) fn is_thin(&self) -> bool {
        matches!(&self.core, Core::Polygon(polygon) if self.radius == 0.0 && polygon.ends().is_some())
    }

    /// Returns the mass properties of a segment with a constant mass per length \[kg/m\]; `None` for other
    /// shapes.
    pub(crate) fn rod_mass_properties(&self, density: f64) -> Option<MassProperties> {
        let Core::Polygon(polygon) = &self.core else { return None };
        let ends = polygon.ends().filter(|_| self.is_thin())?;
        Some(Polygon::stadium_mass_properties(ends, 0.0, density))
    }

    pub(crate) fn core(&self) -> &Core {
        &self.core
    }

    pub(crate) fn radius(&self) -> f64 {
        self.radius
    }

    /// Returns the largest distance of a point of the shape from the origin \[m\]; infinite for a half-space.
    #[must_use]
    pub fn reach(&self) -> f64 {
        self.extent().reach + self.radius
    }

    /// Returns the largest distance of a point of the shape from the middle of its bounds \[m\]; infinite for
    /// a half-space. Unlike [`reach`](Self::reach), it does not depend on the origin.
    ///
    /// ```
    /// use siconos_mechanics::Shape;
    ///
    /// let corners = [[8.0, 0.0], [10.0, 0.0], [10.0, 2.0], [8.0, 2.0]];
    /// let square = Shape::polygon(&corners)?;
    /// assert!((square.size() - 2.0_f64.sqrt()).abs() < 1e-15);
    /// assert!((square.reach() - 104.0_f64.sqrt()).abs() < 1e-14);
    /// # Ok::<(), siconos_mechanics::ShapeError>(())
    /// ```
    #[must_use]
    pub fn size(&self) -> f64 {
        self.extent().size + self.radius
    }

    /// Returns the lengths of the core.
    fn extent(&self) -> Extent {
        let equal = |length: f64| Extent { size: length, reach: length };
        match &self.core {
            Core::HalfSpace(_) => equal(f64::INFINITY),
            Core::Polytope(core) => core.extent,
            Core::Round(core) => equal(core.solid.reach()),
            Core::Polygon(polygon) => polygon.extent(),
            Core::Polyline(line) => line.extent,
            Core::Mesh(mesh) => mesh.extent,
            Core::Solid(solid) => solid.extent,
        }
    }
}

/// Checks that a length is positive and finite.
fn check(shape: &'static str, what: &'static str, value: f64) -> Result<(), ShapeError> {
    if value > 0.0 && value.is_finite() { Ok(()) } else { Err(ShapeError::Length { shape, what, value }) }
}

/// Checks that all coordinates of points are finite.
fn check_finite<const N: usize>(shape: &'static str, points: &[[f64; N]]) -> Result<(), ShapeError> {
    for (index, point) in points.iter().enumerate() {
        if let Some(&value) = point.iter().find(|x| !x.is_finite()) {
            return Err(ShapeError::NotFinite { shape, index, value });
        }
    }
    Ok(())
}
