//! Blocks that rest on each other, face to face.

use siconos_kernel::model::ContactPoints;
use siconos_kernel::prelude::*;

/// Gravity \[m/s²\].
pub(super) const GRAVITY: f64 = 9.81;

/// Cuboid of uniform density.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Half lengths of the edges \[m\].
    pub(super) half: [f64; 3],
    /// Mass \[kg\].
    pub(super) mass: f64,
    /// Centre of mass \[m\].
    pub(super) centre: [f64; 3],
    /// Rotation about the y axis \[rad\].
    pub(super) angle: f64,
    /// Initial velocity \[m/s\].
    pub(super) velocity: [f64; 3],
}

impl Block {
    pub(super) fn new(half: [f64; 3], mass: f64, centre: [f64; 3]) -> Self {
        Self { half, mass, centre, angle: 0.0, velocity: [0.0; 3] }
    }

    fn orientation(&self) -> Quaternion {
        Quaternion::about([0.0, 1.0, 0.0], self.angle)
    }
}

/// Plane fixed in a block, or in the ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// The block, or `None` for the ground.
    pub(super) block: Option<usize>,
    /// Point of the plane, in the frame of the block \[m\].
    pub(super) point: [f64; 3],
    /// Outward normal of length 1, in the frame of the block.
    pub(super) normal: [f64; 3],
}

/// Ground at height 0.
pub(super) const GROUND: Face = Face { block: None, point: [0.0; 3], normal: [0.0, 0.0, 1.0] };

/// Contact of a point of a block with a face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) block: usize,
    /// Point in the frame of the block \[m\].
    pub(super) point: [f64; 3],
    pub(super) face: Face,
    /// Friction coefficient.
    pub(super) mu: f64,
}

/// Space of the contact forces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    /// Two contacts per face, friction along x.
    Plane,
    /// Four contacts per face.
    Space,
}

/// Blocks and their contacts.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub(super) space: Space,
    pub(super) blocks: Vec<Block>,
    pub(super) touches: Vec<Touch>,
}

/// Model of a scene.
pub(super) struct BuiltModel {
    pub(super) model: NonSmoothDynamicalSystem,
    pub(super) blocks: Vec<DynamicalSystemId>,
    pub(super) contacts: Vec<InteractionId>,
}

impl Scene {
    pub(super) fn new(space: Space) -> Self {
        Self { space, blocks: Vec::new(), touches: Vec::new() }
    }

    /// Adds a block and returns its index.
    pub(super) fn add(&mut self, block: Block) -> usize {
        self.blocks.push(block);
        self.blocks.len() - 1
    }

    /// Adds contacts of points of a block with a face.
    pub(super) fn touch(&mut self, block: usize, points: &[[f64; 3]], face: Face, mu: f64) {
        self.touches.extend(points.iter().map(|&point| Touch { block, point, face, mu }));
    }

    /// Returns the corners of the rectangle between two x coordinates, at a height z, in the frame of a
    /// block.
    pub(super) fn corners(&self, block: usize, [left, right]: [f64; 2], z: f64) -> Vec<[f64; 3]> {
        let depth = self.blocks[block].half[1];
        match self.space {
            Space::Plane => vec![[left, 0.0, z], [right, 0.0, z]],
            Space::Space => {
                vec![[left, -depth, z], [right, -depth, z], [right, depth, z], [left, depth, z]]
            }
        }
    }

    /// Adds contacts of the lower face of a block with another block, or with the ground.
    pub(super) fn rest_on(&mut self, block: usize, below: Option<usize>, mu: f64) {
        let half = self.blocks[block].half;
        let corners = self.corners(block, [-half[0], half[0]], -half[2]);
        let face = self.top_of(below);
        self.touch(block, &corners, face, mu);
    }

    /// Returns the upper face of a block, or the ground.
    pub(super) fn top_of(&self, block: Option<usize>) -> Face {
        let height = block.map_or(0.0, |block| self.blocks[block].half[2]);
        Face { block, point: [0.0, 0.0, height], normal: [0.0, 0.0, 1.0] }
    }

    /// Returns the total weight \[N\].
    pub(super) fn weight(&self) -> f64 {
        GRAVITY * self.blocks.iter().map(|block| block.mass).sum::<f64>()
    }

    /// Raises all blocks.
    pub(super) fn raised(mut self, by: f64) -> Self {
        self.blocks.iter_mut().for_each(|block| block.centre[2] += by);
        self
    }

    pub(super) fn build(&self, restitution: f64) -> Result<BuiltModel, Error> {
        let mut model = NonSmoothDynamicalSystem::new();
        let mut blocks = Vec::new();
        for block in &self.blocks {
            let inertia = Inertia::of_cuboid(block.mass, block.half.map(|half| 2.0 * half));
            let body = NewtonEuler::new(block.mass, inertia, block.centre, block.orientation())
                .with_twist(block.velocity, [0.0; 3])
                .with_constant_external_force([0.0, 0.0, -GRAVITY * block.mass]);
            blocks.push(model.add_system(body)?);
        }
        let mut contacts = Vec::new();
        for touch in &self.touches {
            let (rows, law) = match self.space {
                Space::Plane => (
                    ContactRows::InPlane { axis: [0.0, -1.0, 0.0] },
                    NewtonImpactFriction::in_plane(restitution, touch.mu)?,
                ),
                Space::Space => {
                    (ContactRows::Friction, NewtonImpactFriction::in_space(restitution, touch.mu)?)
                }
            };
            let systems = std::iter::once(touch.block).chain(touch.face.block).map(|block| blocks[block]);
            let systems: Vec<_> = systems.collect();
            contacts.push(model.add_interaction(systems, point_on_face(rows, *touch), law)?);
        }
        Ok(BuiltModel { model, blocks, contacts })
    }
}

/// Returns a contact of a point of the first body with a plane of the second body, or of the ground.
fn point_on_face(rows: ContactRows, touch: Touch) -> PointContact {
    let Touch { point, face, .. } = touch;
    PointContact::new(rows, move |_, q| {
        let first = placed(&q[..7], point);
        let (at, normal) = match face.block {
            None => (face.point, face.normal),
            Some(_) => {
                let below = &q[7..14];
                (placed(below, face.point), Quaternion::of_body(below).rotate(face.normal))
            }
        };
        let gap: f64 = (0..3).map(|k| normal[k] * (first[k] - at[k])).sum();
        let second = std::array::from_fn(|k| first[k] - gap * normal[k]);
        ContactPoints { first, second, normal }
    })
}

fn placed(q: &[f64], point: [f64; 3]) -> [f64; 3] {
    let turned = Quaternion::of_body(q).rotate(point);
    std::array::from_fn(|k| q[k] + turned[k])
}
