//! Solids with curved surfaces: cylinders, cones and ellipsoids.

use std::f64::consts::PI;

use super::MassProperties;
use super::polytope::Polytope;

/// Solid with a curved surface, with principal axes along the coordinate axes and the centre of mass at the
/// origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Round {
    /// Cylinder about the z-axis, between -half and half.
    Cylinder { radius: f64, half: f64 },
    /// Cone about the z-axis, with the apex at three quarters of the height.
    Cone { radius: f64, height: f64 },
    /// Ellipsoid with these semi-axes.
    Ellipsoid([f64; 3]),
}

/// Solid with the points of its rims.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RoundCore {
    pub(crate) solid: Round,
    /// Flat faces, whose vertices are eight points of the rim. An ellipsoid has none.
    pub(crate) caps: Polytope,
}

/// Part of a solid that is close to its support plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Facing {
    /// Flat face, by its index.
    Cap(usize),
    /// Straight line of the curved surface.
    Line([[f64; 3]; 2]),
    /// Point of the rim of the face with this index.
    Rim(u32),
    Apex,
    /// Point of a surface that is curved in all directions.
    Curved,
}

/// Smooth branch of the support function of a solid. The support function is the largest of all branches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Branch {
    /// Gradient: the point of the solid.
    pub(crate) point: [f64; 3],
    /// Second derivatives.
    pub(crate) hessian: [[f64; 3]; 3],
}

/// Sine of the largest angle between a face or line and a plane that it touches at several points.
const NEARLY_PARALLEL: f64 = 0.1;

/// Number of points of a rim.
const AZIMUTHS: u32 = 8;

impl Round {
    /// Returns the point that is farthest along a direction.
    pub(crate) fn farthest(&self, direction: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = direction;
        match *self {
            Self::Cylinder { radius, half } => on_circle(radius, direction, half.copysign(z)),
            Self::Cone { radius, height } => {
                let across = (x * x + y * y).sqrt();
                if height * z > radius * across {
                    [0.0, 0.0, 0.75 * height]
                } else {
                    on_circle(radius, direction, -0.25 * height)
                }
            }
            Self::Ellipsoid(axes) => {
                let stretched = [0, 1, 2].map(|i| axes[i] * direction[i]);
                let size = stretched.iter().map(|x| x * x).sum::<f64>().sqrt();
                if size > 0.0 { [0, 1, 2].map(|i| axes[i] * (stretched[i] / size)) } else { [0.0; 3] }
            }
        }
    }

    /// Returns the branches of the support function at a unit vector.
    pub(crate) fn branches(&self, direction: [f64; 3]) -> [Option<Branch>; 2] {
        match *self {
            Self::Cylinder { radius, half } => [half, -half].map(|level| of_rim(radius, direction, level)),
            Self::Cone { radius, height } => {
                let apex = Branch { point: [0.0, 0.0, 0.75 * height], hessian: [[0.0; 3]; 3] };
                [Some(apex), of_rim(radius, direction, -0.25 * height)]
            }
            Self::Ellipsoid(axes) => {
                let point = self.farthest(direction);
                let support = (0..3).map(|i| point[i] * direction[i]).sum::<f64>();
                let entry = |i: usize, j: usize| {
                    let square = if i == j { axes[i] * axes[i] } else { 0.0 };
                    (square - point[i] * point[j]) / support
                };
                [Some(Branch { point, hessian: [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j))) }), None]
            }
        }
    }

    /// Returns the part of the surface that is close to the support plane with an outward unit normal.
    pub(crate) fn facing(&self, outward: [f64; 3]) -> Facing {
        let [x, y, z] = outward;
        let across = (x * x + y * y).sqrt();
        let is_level = across <= NEARLY_PARALLEL;
        match *self {
            Self::Cylinder { radius, half } => {
                let face = usize::from(z < 0.0);
                if is_level {
                    Facing::Cap(face)
                } else if z.abs() <= NEARLY_PARALLEL {
                    Facing::Line([-half, half].map(|height| on_circle(radius, outward, height)))
                } else {
                    Facing::Rim(face as u32)
                }
            }
            Self::Cone { radius, height } => {
                let line = (radius * radius + height * height).sqrt();
                let slope = height * z - radius * across;
                if is_level && z < 0.0 {
                    Facing::Cap(0)
                } else if slope.abs() <= NEARLY_PARALLEL * line && across > 0.0 {
                    let foot = on_circle(radius, outward, -0.25 * height);
                    Facing::Line([foot, [0.0, 0.0, 0.75 * height]])
                } else if slope > 0.0 {
                    Facing::Apex
                } else {
                    Facing::Rim(0)
                }
            }
            Self::Ellipsoid(_) => Facing::Curved,
        }
    }

    /// Returns the largest distance of a point from the origin.
    pub(crate) fn reach(&self) -> f64 {
        let hypotenuse = |a: f64, b: f64| (a * a + b * b).sqrt();
        match *self {
            Self::Cylinder { radius, half } => hypotenuse(radius, half),
            Self::Cone { radius, height } => (0.75 * height).max(hypotenuse(radius, 0.25 * height)),
            Self::Ellipsoid([a, b, c]) => a.max(b).max(c),
        }
    }

    pub(crate) fn mass_properties(&self, density: f64) -> MassProperties {
        match *self {
            Self::Cylinder { radius: r, half } => {
                let l = 2.0 * half;
                let mass = density * PI * r * r * l;
                let across = mass * (3.0 * r * r + l * l) / 12.0;
                MassProperties::principal(mass, [across, across, 0.5 * mass * r * r])
            }
            Self::Cone { radius: r, height: h } => {
                let mass = density * PI * r * r * h / 3.0;
                let across = mass * (0.15 * r * r + 0.0375 * h * h);
                MassProperties::principal(mass, [across, across, 0.3 * mass * r * r])
            }
            Self::Ellipsoid([a, b, c]) => {
                let mass = density * 4.0 / 3.0 * PI * a * b * c;
                let about = |x: f64, y: f64| 0.2 * mass * (x * x + y * y);
                MassProperties::principal(mass, [about(b, c), about(c, a), about(a, b)])
            }
        }
    }

    /// Returns the flat faces with eight points of each rim: the upper face first.
    fn caps(&self) -> Polytope {
        let (radius, levels) = match *self {
            Self::Cylinder { radius, half } => (radius, vec![half, -half]),
            Self::Cone { radius, height } => (radius, vec![-0.25 * height]),
            Self::Ellipsoid(_) => (0.0, Vec::new()),
        };
        let azimuth = |k: u32| {
            let (sine, cosine) = (2.0 * PI * f64::from(k) / f64::from(AZIMUTHS)).sin_cos();
            [cosine, sine, 0.0]
        };
        let points =
            levels.iter().flat_map(|level| (0..AZIMUTHS).map(move |k| on_circle(radius, azimuth(k), *level)));
        let faces = levels.iter().zip(0..).map(|(level, index)| {
            let mut corners: Vec<u32> = (0..AZIMUTHS).map(|k| AZIMUTHS * index + k).collect();
            // Counterclockwise as seen from outside.
            if *level < 0.0 {
                corners.reverse();
            }
            ([0.0, 0.0, 1.0_f64.copysign(*level)], corners)
        });
        let mut caps = Polytope::of_faces(points.collect(), faces.collect());
        caps.faces.iter_mut().for_each(|face| face.is_disc = true);
        caps
    }
}

impl RoundCore {
    pub(crate) fn new(solid: Round) -> Self {
        Self { solid, caps: solid.caps() }
    }
}

/// Returns the support function of a circle about the z-axis; `None` along the axis, where it is not smooth.
fn of_rim(radius: f64, direction: [f64; 3], height: f64) -> Option<Branch> {
    let [x, y, _] = direction;
    let across = (x * x + y * y).sqrt();
    let tangent = [-y / across, x / across, 0.0];
    let hessian = tangent.map(|a| tangent.map(|b| radius / across * a * b));
    (across > 0.0).then(|| Branch { point: on_circle(radius, direction, height), hessian })
}

/// Returns the point of a circle about the z-axis that is farthest along a direction; its centre if the
/// direction is the axis.
fn on_circle(radius: f64, [x, y, _]: [f64; 3], height: f64) -> [f64; 3] {
    let across = (x * x + y * y).sqrt();
    if across > 0.0 { [radius * (x / across), radius * (y / across), height] } else { [0.0, 0.0, height] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;

    fn of_ring(points: impl Fn(f64) -> Vec<[f64; 3]>) -> MassProperties {
        let all: Vec<[f64; 3]> = (0..256).flat_map(|k| points(2.0 * PI * f64::from(k) / 256.0)).collect();
        Shape::hull(&all).unwrap().mass_properties(3.0).unwrap()
    }

    fn assert_close(own: &MassProperties, expected: &MassProperties) {
        let relative = 1e-3;
        assert!((own.mass / expected.mass - 1.0).abs() < relative);
        for i in 0..3 {
            assert!((own.inertia[i][i] / expected.inertia[i][i] - 1.0).abs() < relative, "{i}");
            assert!(own.centre[i] == 0.0 && expected.centre[i].abs() < relative);
        }
    }

    /// Polyhedra with many faces have nearly the same mass properties.
    #[test]
    fn mass_properties_are_the_limits_of_polyhedra() {
        let ring = |r: f64, angle: f64, z: f64| [r * angle.cos(), r * angle.sin(), z];
        let cylinder = Shape::cylinder(0.4, 1.2).unwrap().mass_properties(3.0).unwrap();
        assert_close(&cylinder, &of_ring(|angle| vec![ring(0.4, angle, 0.6), ring(0.4, angle, -0.6)]));
        let cone = Shape::cone(0.4, 1.2).unwrap().mass_properties(3.0).unwrap();
        assert_close(&cone, &of_ring(|angle| vec![ring(0.4, angle, -0.3), [0.0, 0.0, 0.9]]));
        let ellipsoid = Shape::ellipsoid([0.3; 3]).unwrap().mass_properties(3.0).unwrap();
        assert_close(&ellipsoid, &Shape::ball(0.3).unwrap().mass_properties(3.0).unwrap());
        let MassProperties { mass, inertia, .. } =
            Shape::ellipsoid([1.0, 2.0, 3.0]).unwrap().mass_properties(1.0).unwrap();
        assert!((mass - 8.0 * PI).abs() < 1e-12);
        assert!((0..3).all(|i| (inertia[i][i] / mass - [2.6, 2.0, 1.0][i]).abs() < 1e-14));
    }

    #[test]
    fn lengths_must_be_positive() {
        let message = |shape: Result<Shape, crate::ShapeError>| shape.unwrap_err().to_string();
        assert!(message(Shape::cylinder(0.0, 1.0)).contains("the radius of a cylinder is 0"));
        assert!(message(Shape::cylinder(1.0, f64::NAN)).contains("the length of a cylinder is NaN"));
        assert!(message(Shape::cone(1.0, -2.0)).contains("the height of a cone is -2"));
        assert!(message(Shape::ellipsoid([1.0, 1.0, f64::INFINITY])).contains("semi-axis of an ellipsoid"));
    }
}
