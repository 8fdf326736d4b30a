//! Contacts with friction, compared with closed forms, Coulomb's law and conservation laws.

use std::f64::consts::FRAC_PI_4;

use ndarray::{Array1, Array2, array};
use siconos_kernel::prelude::*;
use siconos_testkit::convergence::observed_order;

const G: f64 = 9.81;

fn simulation(model: &NonSmoothDynamicalSystem, t_end: f64, h: f64) -> TimeStepping {
    simulation_with(MoreauJean::default(), model, t_end, h)
}

fn simulation_with(scheme: MoreauJean, model: &NonSmoothDynamicalSystem, t_end: f64, h: f64) -> TimeStepping {
    let grid = TimeDiscretisation::uniform(0.0, t_end, h).unwrap();
    TimeStepping::builder(model).discretisation(grid).integrator(scheme).build().unwrap()
}

/// Creates a body on a slope that rises along the tangent, in space at 30 degrees to T1, so that gravity acts
/// at an angle to both tangents. Coordinates (N, T..).
fn block(
    dimension: usize,
    alpha: f64,
    mu: f64,
) -> (NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId) {
    let direction = downhill(dimension);
    let mut model = NonSmoothDynamicalSystem::new();
    let mass = 2.0;
    let block =
        LagrangianLinear::new(vec![0.0; dimension], vec![0.0; dimension], Array1::from_elem(dimension, mass))
            .with_external_force(move |_, f| {
                f[0] = -mass * G * alpha.cos();
                f[1..].iter_mut().zip(&direction).for_each(|(f, d)| *f = mass * G * alpha.sin() * d);
            });
    let block = model.add_system(block).unwrap();
    let law = if dimension == 2 {
        NewtonImpactFriction::in_plane(0.0, mu)
    } else {
        NewtonImpactFriction::in_space(0.0, mu)
    };
    let gap = LagrangianLinearRelation::new(Array2::eye(dimension));
    let slope = model.add_interaction([block], gap, law.unwrap()).unwrap();
    (model, block, slope)
}

fn downhill(dimension: usize) -> Vec<f64> {
    if dimension == 2 { vec![1.0] } else { vec![0.5, -0.75_f64.sqrt()] }
}

#[test]
fn a_block_sticks_on_a_slope_until_its_angle_exceeds_that_of_friction() {
    let mu = 0.5_f64;
    for dimension in [2, 3] {
        let critical = mu.atan();
        for (alpha, slides) in [(0.2, false), (critical - 1e-6, false), (critical + 1e-6, true), (1.0, true)]
        {
            let (model, block, slope) = block(dimension, alpha, mu);
            let mut simulation = simulation(&model, 1.0, 1e-2);
            let mut state = simulation.initial_state(&model).unwrap();
            while simulation.step(&model, &mut state).unwrap().is_some() {
                let lambda = state.lambda(slope, Level::Velocity);
                assert!((lambda[0] - 2.0 * G * 1e-2 * alpha.cos()).abs() < 1e-12, "it carries the weight");
            }
            // The motion from rest has constant acceleration, for which theta = 1/2 is exact.
            let a = if slides { G * (alpha.sin() - mu * alpha.cos()) } else { 0.0 };
            for (k, d) in downhill(dimension).iter().enumerate() {
                let (v, x) = (state.v(block)[k + 1], state.q(block)[k + 1]);
                assert!((v - a * d).abs() < 1e-9, "{dimension}, {alpha}: v = {v}, exactly {}", a * d);
                assert!((x - 0.5 * a * d).abs() < 1e-9, "{dimension}, {alpha}: x = {x}");
            }
        }
    }
}

/// A ball of radius 0.1 thrown along the ground without spin: q = (height, lateral, angle).
fn bowl(mu: f64) -> (NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId) {
    let (m, radius) = (3.0, 0.1);
    let mut model = NonSmoothDynamicalSystem::new();
    let ball =
        LagrangianLinear::new(vec![0.0; 3], vec![0.0, 2.0, 0.0], array![m, m, 0.4 * m * radius * radius])
            .with_external_force(move |_, f| f[0] = -m * G);
    let ball = model.add_system(ball).unwrap();
    let ground = LagrangianLinearRelation::new(array![[1.0, 0.0, 0.0], [0.0, 1.0, radius]]);
    let law = NewtonImpactFriction::in_plane(0.0, mu).unwrap();
    let ground = model.add_interaction([ball], ground, law).unwrap();
    (model, ball, ground)
}

#[test]
fn a_bowled_ball_ends_rolling_with_five_sevenths_of_its_speed() {
    let mu = 0.2;
    let (model, ball, ground) = bowl(mu);
    // The ball slides until t = 2 v0 / (7 mu g), with the deceleration mu g.
    let rolls_at = 2.0 * 2.0 / (7.0 * mu * G);
    let h = 1e-3;
    let mut simulation = simulation(&model, 0.5, h);
    let mut state = simulation.initial_state(&model).unwrap();
    while simulation.step(&model, &mut state).unwrap().is_some() {
        let (v, sliding) = (state.v(ball)[1], state.y(ground, Level::Velocity)[1]);
        if state.t < rolls_at - h {
            assert!((v - (2.0 - mu * G * state.t)).abs() < 1e-10, "t = {}: {v}", state.t);
        } else if state.t > rolls_at + h {
            assert!(sliding.abs() < 1e-10 && (v - 10.0 / 7.0).abs() < 1e-10, "t = {}: {v}", state.t);
        }
    }
    assert!(state.t > rolls_at + 0.1);
}

#[test]
fn sliding_in_space_is_straight_and_ends_at_the_distance_of_the_closed_form() {
    // A body is thrown along a level floor at an angle to the tangents. It stops after v^2 / (2 mu g) on the
    // line of its velocity.
    let (mu, v0) = (0.3, 1.5_f64);
    let exact = v0 * v0 / (2.0 * mu * G);
    let steps = [8e-3, 4e-3, 2e-3, 1e-3, 5e-4];
    let errors: Vec<f64> = steps
        .iter()
        .map(|&h| {
            let (model, block, _) = block(3, 0.0, mu);
            let mut simulation = simulation(&model, 1.0, h);
            let mut state = simulation.initial_state(&model).unwrap();
            state.set_velocity(block, &[0.0, v0 * FRAC_PI_4.cos(), v0 * FRAC_PI_4.sin()]).unwrap();
            simulation.run(&model, &mut state, |_, _| ()).unwrap();
            let q = state.q(block);
            assert!((q[1] - q[2]).abs() < 1e-9, "straight");
            assert!(state.v(block).iter().all(|v| v.abs() < 1e-10), "at rest");
            (q[1].hypot(q[2]) - exact).abs()
        })
        .collect();
    println!("{errors:?}");
    // Only the last step, which ends at rest, is not exact: its error is a fraction of h times a speed below
    // mu g h.
    for (h, error) in steps.iter().zip(&errors) {
        assert!(*error <= 0.5 * mu * G * h * h, "h = {h}: {error}");
    }
}

/// Creates three cubes on top of each other on the floor, with four contacts per face: 36 rows and 18 degrees
/// of freedom. Coordinates q = (x, y, z, rx, ry, rz) with small rotations and the height z.
fn stack(mu: f64) -> (NonSmoothDynamicalSystem, Vec<DynamicalSystemId>, Vec<InteractionId>) {
    let (half, mut model) = (0.5, NonSmoothDynamicalSystem::new());
    let masses = [4.0, 1.0, 10.0];
    let blocks: Vec<_> = masses
        .iter()
        .enumerate()
        .map(|(i, &m)| {
            let inertia = m * 4.0 * half * half / 6.0;
            let mass = array![m, m, m, inertia, inertia, inertia];
            let start = vec![0.0, 0.0, half * (2 * i + 1) as f64, 0.0, 0.0, 0.0];
            model
                .add_system(
                    LagrangianLinear::new(start, vec![0.0; 6], mass)
                        .with_external_force(move |_, f| f[2] = -m * G),
                )
                .unwrap()
        })
        .collect();
    // Rows (z, x, y) of the velocity v + omega x c of the corner at c.
    let rows = |c: [f64; 3]| {
        [
            [0.0, 0.0, 1.0, c[1], -c[0], 0.0],
            [1.0, 0.0, 0.0, 0.0, c[2], -c[1]],
            [0.0, 1.0, 0.0, -c[2], 0.0, c[0]],
        ]
    };
    let law = NewtonImpactFriction::in_space(0.0, mu).unwrap();
    let mut faces = Vec::new();
    for i in 0..blocks.len() {
        let columns = if i == 0 { 6 } else { 12 };
        let mut jacobian = Array2::zeros((12, columns));
        for (corner, (x, y)) in
            [(half, half), (-half, half), (-half, -half), (half, -half)].into_iter().enumerate()
        {
            let (upper, lower) = (rows([x, y, -half]), rows([x, y, half]));
            for k in 0..3 {
                for j in 0..6 {
                    jacobian[[3 * corner + k, columns - 6 + j]] = upper[k][j];
                    if i > 0 {
                        jacobian[[3 * corner + k, j]] = -lower[k][j];
                    }
                }
            }
        }
        let mut offset = Array1::zeros(12);
        offset.iter_mut().step_by(3).for_each(|b| *b = if i == 0 { -half } else { -2.0 * half });
        let relation = LagrangianLinearRelation::new(jacobian).with_offset(offset);
        let systems = if i == 0 { vec![blocks[0]] } else { vec![blocks[i - 1], blocks[i]] };
        faces.push(model.add_interaction(systems, relation, law).unwrap());
    }
    (model, blocks, faces)
}

#[test]
fn a_hyperstatic_stack_stays_at_rest_and_every_face_carries_what_is_above_it() {
    let (model, blocks, faces) = stack(0.4);
    let h = 5e-3;
    // Without a threshold, a gap of 1e-17 would open a contact for a step.
    let scheme = MoreauJean { activation_threshold: Some(1e-6), ..MoreauJean::default() };
    let mut simulation = simulation_with(scheme, &model, 1.0, h);
    let mut state = simulation.initial_state(&model).unwrap();
    let mut iterations = 0;
    while let Some(report) = simulation.step(&model, &mut state).unwrap() {
        assert_eq!(report.active.len(), 12);
        iterations = iterations.max(report.solve.iterations);
        assert!(report.solve.status.is_success());
        for (face, above) in faces.iter().zip([15.0, 11.0, 10.0]) {
            let lambda = state.lambda(*face, Level::Velocity);
            let carried: f64 = lambda.iter().step_by(3).sum();
            assert!((carried - above * G * h).abs() < 1e-6 * above * G * h, "t = {}: {carried}", state.t);
        }
    }
    println!("at most {iterations} iterations");
    for (i, block) in blocks.iter().enumerate() {
        let (q, v) = (state.q(*block), state.v(*block));
        assert!(v.iter().all(|v| v.abs() < 1e-7), "block {i}: {v:?}");
        assert!(q[0].hypot(q[1]) < 1e-6 && (q[2] - 0.5 - i as f64).abs() < 1e-6, "block {i}: {q:?}");
    }
}

#[test]
fn a_pushed_stack_obeys_coulombs_law_and_never_gains_energy() {
    // The middle block is pushed so hard that it slides on the lowest one. The uppermost block on it is
    // thrown to the side.
    let (model, blocks, faces) = stack(0.4);
    // With e = 0 and theta = 1, the change of energy is the loss of a plastic impact and the work of
    // friction, and neither is positive (Acary 2013, "Energy conservation and dissipation properties of
    // time-integration methods for nonsmooth elastodynamics with contact").
    let mut simulation = simulation_with(MoreauJean::new(1.0).unwrap(), &model, 1.5, 5e-3);
    let mut state = simulation.initial_state(&model).unwrap();
    state.set_velocity(blocks[1], &[6.0, 2.0, 0.0, 0.0, 0.0, 1.0]).unwrap();
    let masses = [4.0, 1.0, 10.0];
    let energy = |state: &State| -> f64 {
        let of = |(block, m): (&DynamicalSystemId, f64)| {
            let (q, v) = (state.q(*block), state.v(*block));
            let kinetic: f64 =
                v[..3].iter().map(|v| v * v).sum::<f64>() + v[3..].iter().map(|w| w * w).sum::<f64>() / 6.0;
            m * (0.5 * kinetic + G * q[2])
        };
        blocks.iter().zip(masses).map(of).sum()
    };
    let (mut before, mut sliding, mut sticking) = (energy(&state), 0, 0);
    let scale = before;
    while simulation.step(&model, &mut state).unwrap().is_some() {
        let now = energy(&state);
        assert!(now <= before + 1e-9 * scale, "t = {}: {before} to {now}", state.t);
        before = now;
        for face in &faces {
            let (u, lambda) = (state.y(*face, Level::Velocity), state.lambda(*face, Level::Velocity));
            for (u, r) in u.chunks_exact(3).zip(lambda.chunks_exact(3)).filter(|(_, r)| r[0] > 0.0) {
                match coulomb(u, r, 0.4, 1e-6) {
                    Contact::Slides => sliding += 1,
                    Contact::Sticks => sticking += 1,
                }
            }
        }
    }
    println!("{sliding} times sliding, {sticking} times sticking");
    assert!(sliding > 100 && sticking > 100);
    assert!(state.v(blocks[1])[0].abs() < 0.5, "friction has braked it");
}

#[derive(Debug, PartialEq)]
enum Contact {
    Sticks,
    Slides,
}

/// Checks the law of a closed contact without restitution, up to a fraction `small` of the size of its data.
fn coulomb(u: &[f64], r: &[f64], mu: f64, small: f64) -> Contact {
    let length = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (slip, force) = (length(&u[1..]), length(&r[1..]));
    let (of_u, of_r) = (small * (1.0 + length(u)), small * (1.0 + length(r)));
    assert!(u[0] >= -of_u && r[0] >= 0.0, "u {u:?}, r {r:?}");
    assert!(u[0] * r[0] <= of_u * of_r / small, "complementarity: u {u:?}, r {r:?}");
    assert!(force <= mu * r[0] + of_r, "the cone: u {u:?}, r {r:?}");
    if slip <= 10.0 * of_u {
        return Contact::Sticks;
    }
    assert!((force - mu * r[0]).abs() <= of_r, "it slides with all its friction: u {u:?}, r {r:?}");
    let dot: f64 = u[1..].iter().zip(&r[1..]).map(|(u, r)| u * r).sum();
    assert!(dot <= -slip * force + small * (1.0 + slip * force), "against the motion: u {u:?}, r {r:?}");
    Contact::Slides
}

/// Creates a disc that is dropped with spin, as in `Ball2D` but with a tangential restitution.
fn spinning(e_n: f64, e_t: f64, mu: f64) -> (NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId) {
    let mut model = NonSmoothDynamicalSystem::new();
    let disk = LagrangianLinear::new(vec![1.0, 0.0, 0.0], vec![0.0, 0.3, 2.0], array![1.0, 1.0, 0.125])
        .with_external_force(|_, f| f[0] = -G);
    let disk = model.add_system(disk).unwrap();
    let floor = LagrangianLinearRelation::new(array![[1.0, 0.0, 0.0], [0.0, 1.0, -0.5]])
        .with_offset(array![-0.5, 0.0]);
    let law = NewtonImpactFriction::in_plane(e_n, mu).unwrap().with_tangential_restitution(e_t).unwrap();
    let floor = model.add_interaction([disk], floor, law).unwrap();
    (model, disk, floor)
}

#[test]
fn restitution_acts_along_the_normal_and_the_tangent() {
    for (e_n, e_t) in [(0.9, 0.0), (0.5, 0.6), (0.7, -0.4), (1.0, 1.0)] {
        let (model, _, floor) = spinning(e_n, e_t, 10.0);
        let mut simulation = simulation(&model, 1.0, 1e-3);
        let mut state = simulation.initial_state(&model).unwrap();
        let (mut before, mut impacts) = ([0.0_f64; 2], 0);
        while simulation.step(&model, &mut state).unwrap().is_some() {
            let after = state.y(floor, Level::Velocity);
            // With this friction coefficient, every impact sticks, and both restitutions apply.
            if state.lambda(floor, Level::Velocity)[0] > 0.0 {
                impacts += 1;
                // The solver accepts velocities that violate the law by 1e-8 of the free velocity,
                // restitution included.
                let allowed = 2e-8 * (before[0].abs() + before[1].abs() + G * 1e-3);
                assert!((after[0] + e_n * before[0]).abs() <= allowed, "normal: {before:?} to {after:?}");
                assert!((after[1] + e_t * before[1]).abs() <= allowed, "tangent: {before:?} to {after:?}");
            }
            before = [after[0], after[1]];
        }
        assert!(impacts > 0);
    }
}

#[test]
fn friction_vanishes_with_mu() {
    let (model, disk, _) = spinning(0.8, 0.0, 0.0);
    let mut with = simulation(&model, 3.0, 1e-3);
    let mut state = with.initial_state(&model).unwrap();
    with.run(&model, &mut state, |_, _| ()).unwrap();
    assert_eq!(state.v(disk)[1..], [0.3, 2.0], "nothing acts along the floor");

    let mut model = NonSmoothDynamicalSystem::new();
    let ball = LagrangianLinear::new(vec![0.5], vec![0.0], array![1.0]).with_external_force(|_, f| f[0] = -G);
    let ball = model.add_system(ball).unwrap();
    model
        .add_interaction(
            [ball],
            LagrangianLinearRelation::new(array![[1.0]]),
            NewtonImpact::new(0.8).unwrap(),
        )
        .unwrap();
    let mut without = simulation(&model, 3.0, 1e-3);
    let mut alone = without.initial_state(&model).unwrap();
    without.run(&model, &mut alone, |_, _| ()).unwrap();
    assert!(
        (state.q(disk)[0] - 0.5 - alone.q(ball)[0]).abs() < 1e-10,
        "the height is that of the impact law"
    );
}

#[test]
fn a_nonlinear_body_slides_along_a_nonlinear_guide() {
    // A bead in a bowl y = x^2 / 2. The gap is measured along the height, and the tangent along the bowl is
    // scaled to unit length. The bead swings and comes to rest inside the friction cone, where |slope| <= mu.
    let mu = 0.1;
    let mut ends = Vec::new();
    let steps = [4e-3, 2e-3, 1e-3, 5e-4];
    for h in steps {
        let mut model = NonSmoothDynamicalSystem::new();
        let bead = LagrangianLinear::new(vec![1.0, 0.5], vec![0.0; 2], array![1.0, 1.0])
            .with_external_force(|_, f| f[1] = -G);
        let bead = model.add_system(bead).unwrap();
        let bowl = LagrangianScleronomousRelation::new(2, |_, q, y| {
            y[0] = q[1] - 0.5 * q[0] * q[0];
            y[1] = q[0];
        })
        .with_jacobian(|_, q, j| {
            let length = (1.0 + q[0] * q[0]).sqrt();
            (j[[0, 0]], j[[0, 1]]) = (-q[0] / length, 1.0 / length);
            (j[[1, 0]], j[[1, 1]]) = (1.0 / length, q[0] / length);
        });
        let law = NewtonImpactFriction::in_plane(0.0, mu).unwrap();
        let bowl = model.add_interaction([bead], bowl, law).unwrap();
        let mut simulation = simulation(&model, 8.0, h);
        let mut state = simulation.initial_state(&model).unwrap();
        let mut turned = 0;
        let mut before = 0.0_f64;
        while simulation.step(&model, &mut state).unwrap().is_some() {
            let v = state.v(bead)[0];
            turned += usize::from(v * before < 0.0);
            before = v;
            let (u, r) = (state.y(bowl, Level::Velocity), state.lambda(bowl, Level::Velocity));
            if r[0] > 0.0 {
                coulomb(u, r, mu, 1e-5);
            }
        }
        assert!(turned >= 2, "it swings: {turned}");
        assert!(state.q(bead)[0].abs() <= mu + 1e-2 && state.v(bead)[0].abs() < 1e-9, "{:?}", state.q(bead));
        ends.push(state.q(bead)[0]);
    }
    let errors: Vec<f64> = ends[..3].iter().map(|end| (end - ends[3]).abs()).collect();
    println!("{ends:?}");
    assert!(observed_order(&steps[..3], &errors).order > 0.5, "{errors:?}");
}
