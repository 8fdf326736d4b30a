//! Rigid bodies: a bouncing ball, a free body, a chain of joints, a box that slides on its corners.

mod common;

use criterion::{Criterion, criterion_group, criterion_main};
use siconos_examples::ExampleError;
use siconos_examples::free_body_flip::FreeBody;
use siconos_examples::newton_euler_ball::NewtonEulerBall;
use siconos_kernel::model::{
    ContactBall, ContactRows, ContactSurface, Inertia, Joint, NewtonEuler, NewtonImpactFriction,
    PointContact, Quaternion,
};
use siconos_kernel::prelude::*;

use self::common::Runs;

/// Returns a chain of rods of 1 m with spherical joints. The first joint is fixed in space, and the chain is
/// released in a horizontal position.
fn chain(links: usize) -> Result<(NonSmoothDynamicalSystem, TimeStepping), ExampleError> {
    let rod = |k: usize| {
        NewtonEuler::new(
            1.0,
            [1e-3, 1.0 / 12.0, 1.0 / 12.0],
            [k as f64 + 0.5, 0.0, 0.0],
            Quaternion::IDENTITY,
        )
        .with_constant_external_force([0.0, 0.0, -9.81])
    };
    let mut model = NonSmoothDynamicalSystem::new();
    let mut last = None;
    for k in 0..links {
        let (own, point) = (rod(k), [k as f64, 0.0, 0.0]);
        let joint = match k {
            0 => Joint::spherical(&own, point)?,
            _ => Joint::spherical((&rod(k - 1), &own), point)?,
        };
        let condition = joint.condition()?;
        let id = model.add_system(own)?;
        model.add_interaction(last.into_iter().chain([id]), joint, condition)?;
        last = Some(id);
    }
    let grid = TimeDiscretisation::uniform(0.0, 0.1, 1e-3)?;
    let simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
    Ok((model, simulation))
}

/// Returns boxes that slide on a floor. Each box has eight corners, of which four touch.
fn boxes(count: usize) -> Result<(NonSmoothDynamicalSystem, TimeStepping), ExampleError> {
    let edges = [0.4, 0.3, 0.2];
    let floor = ContactSurface::Plane { point: [0.0; 3], normal: [0.0, 0.0, 1.0] };
    let mut model = NonSmoothDynamicalSystem::new();
    for k in 0..count {
        let own =
            NewtonEuler::new(1.0, Inertia::of_cuboid(1.0, edges), [k as f64, 0.0, 0.1], Quaternion::IDENTITY)
                .with_twist([0.0, 3.0, 0.0], [0.0; 3])
                .with_constant_external_force([0.0, 0.0, -9.81]);
        let id = model.add_system(own)?;
        let corners = PointContact::at_rest(ContactRows::Friction, ContactBall::corners(edges), floor)?;
        model.add_interaction([id], corners, NewtonImpactFriction::in_space(0.0, 0.3)?)?;
    }
    let grid = TimeDiscretisation::uniform(0.0, 0.1, 1e-3)?;
    let simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
    Ok((model, simulation))
}

fn all(criterion: &mut Criterion) -> Result<(), ExampleError> {
    let mut runs = Runs { criterion, group: "bodies" };
    let ball = NewtonEulerBall::default();
    let (model, ..) = ball.model()?;
    runs.bench("ball", &model, ball.simulation(&model)?)?;
    let body = FreeBody::default();
    let (model, _) = body.model()?;
    runs.bench("free", &model, body.simulation(&model)?)?;
    for links in [10, 100] {
        let (model, simulation) = chain(links)?;
        runs.bench(&format!("chain/{links}"), &model, simulation)?;
    }
    for count in [1, 10, 100] {
        let (model, simulation) = boxes(count)?;
        runs.bench(&format!("boxes/{count}"), &model, simulation)?;
    }
    Ok(())
}

fn benches(criterion: &mut Criterion) {
    if let Err(error) = all(criterion) {
        panic!("a model of the benches does not run: {error}");
    }
}

criterion_group!(group, benches);
criterion_main!(group);
