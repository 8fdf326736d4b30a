//! Balance of the kinetic energy in the reports of steps, compared with the work computed from states, with
//! closed forms, and with a published formula.

use ndarray::array;
use siconos_kernel::model::Joint;
use siconos_kernel::prelude::*;
use siconos_testkit::allocation::count_allocations;
use siconos_testkit::compare::worse;

use crate::common::grid;

const G: f64 = 9.81;

/// Returns the energy balances of the steps of a run.
fn balances(
    model: &NonSmoothDynamicalSystem,
    simulation: &mut TimeStepping,
) -> Result<Vec<EnergyBalance>, Error> {
    let mut state = simulation.initial_state(model)?;
    let mut all = Vec::new();
    simulation.run(model, &mut state, |report, _| all.push(*report.energy.expect("asked for")))?;
    Ok(all)
}

/// Creates a spinning ball that bounces, slides and rolls under an oblique weight, in multiples of SI units.
fn ball(mass: f64, length: f64, time: f64) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId), Error> {
    let force = mass * length / (time * time);
    let moments = [0.010, 0.008, 0.006].map(|moment| moment * mass * length * length);
    let ball = NewtonEuler::new(2.0 * mass, moments, [0.0, 0.0, 0.4 * length], Quaternion::IDENTITY)
        .with_twist([1.0, -0.5, 0.0].map(|v| v * length / time), [3.0, 20.0, -5.0].map(|omega| omega / time))
        .with_constant_external_force([0.3, 0.0, -G].map(|g| 2.0 * g * force));
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = model.add_system(ball)?;
    let floor =
        PointContact::of_ball_and_plane(ContactRows::Rolling, 0.1 * length, [0.0; 3], [0.0, 0.0, 1.0])?;
    let law = NewtonImpactFriction::in_space(0.6, 0.3)?.with_rolling(1e-3 * length)?;
    model.add_interaction([ball], floor, law)?;
    Ok((model, ball))
}

fn stepping(model: &NonSmoothDynamicalSystem, grid: TimeDiscretisation) -> Result<TimeStepping, Error> {
    TimeStepping::builder(model)
        .discretisation(grid)
        .newton(NewtonSettings { tolerance: 1e-13, ..NewtonSettings::default() })
        .energy_balance(true)
        .build()
}

#[test]
fn the_kinetic_energy_changes_by_the_works() -> Result<(), Error> {
    let (model, ball) = ball(1.0, 1.0, 1.0)?;
    let mut simulation = stepping(&model, grid(2.0, 1e-3))?;
    let mut state = simulation.initial_state(&model)?;
    let inertia = [2.0, 2.0, 2.0, 0.010, 0.008, 0.006];
    let kinetic = |v: &[f64]| v.iter().zip(inertia).map(|(v, m)| 0.5 * m * v * v).sum::<f64>();
    let (mut q, mut v) = (state.q(ball).to_vec(), state.v(ball).to_vec());
    let (mut worst, mut impacts, mut rolls, mut rubbed) = (0.0, 0, 0, 0.0);
    simulation.run(&model, &mut state, |report, state| {
        let energy = report.energy.expect("asked for");
        let (q_k, v_k) = (&q, &v);
        let of_weight = 2.0 * (0.3 * (state.q(ball)[0] - q_k[0]) - G * (state.q(ball)[2] - q_k[2]));
        let of_impulses: f64 =
            (0..6).map(|k| 0.5 * (state.v(ball)[k] + v_k[k]) * state.impulse(ball)[k]).sum();
        for (what, expected) in [
            (energy.kinetic, kinetic(state.v(ball))),
            (energy.change, kinetic(state.v(ball)) - kinetic(v_k)),
            (energy.forces, of_weight),
            (energy.reactions(), of_impulses),
            (energy.joints, 0.0),
            (energy.scheme, 0.0),
        ] {
            worst = worse(worst, (what - expected).abs());
        }
        impacts += usize::from(energy.normal < -1e-3);
        rolls += usize::from(energy.rolling < 0.0);
        rubbed -= energy.tangential;
        (q, v) = (state.q(ball).to_vec(), state.v(ball).to_vec());
    })?;
    assert!(impacts > 5 && rolls > 100, "{impacts} {rolls}");
    // The contact point initially slips at 1 m/s. Its effective mass is 1/(1/m + r^2/I) = 0.57 kg.
    assert!(rubbed > 0.28 && rubbed < 0.6, "{rubbed}");
    assert!(worst < 1e-12, "{worst}");
    Ok(())
}

#[test]
fn works_have_the_unit_of_energy_to_the_last_bit() -> Result<(), Error> {
    let of = |mass: f64, length: f64, time: f64| {
        let (model, _) = ball(mass, length, time)?;
        let h = time / 1024.0;
        balances(&model, &mut stepping(&model, TimeDiscretisation::uniform(0.0, time, h)?)?)
    };
    let (own, other) = (of(1.0, 1.0, 1.0)?, of(1024.0, 0.25, 64.0)?);
    let unit = 1024.0 * 0.25 * 0.25 / (64.0 * 64.0);
    assert_eq!(own.len(), 1024);
    for (own, other) in own.iter().zip(&other) {
        for (own, other) in [
            (own.kinetic, other.kinetic),
            (own.forces, other.forces),
            (own.normal, other.normal),
            (own.tangential, other.tangential),
            (own.rolling, other.rolling),
            (own.scheme, other.scheme),
        ] {
            assert_eq!((own * unit).to_bits(), other.to_bits());
        }
    }
    Ok(())
}

#[test]
fn measuring_allocates_nothing_and_changes_no_bit() -> Result<(), Error> {
    let (model, body) = ball(1.0, 1.0, 1.0)?;
    let grid = || grid(1.0, 1e-3);
    let mut measured = stepping(&model, grid())?;
    let newton = NewtonSettings { tolerance: 1e-13, ..NewtonSettings::default() };
    let mut plain = TimeStepping::builder(&model).discretisation(grid()).newton(newton).build()?;
    let (mut own, mut other) = (measured.initial_state(&model)?, plain.initial_state(&model)?);
    for k in 0..1000 {
        let allocations = count_allocations(|| {
            measured.step(&model, &mut own).expect("a step");
        });
        // The first problem with a contact allocates memory.
        assert!(k < 500 || allocations == 0, "step {k}: {allocations}");
        assert!(plain.step(&model, &mut other)?.is_some_and(|report| report.energy.is_none()));
        assert_eq!((own.q(body), own.v(body)), (other.q(body), other.v(body)), "step {k}");
    }
    Ok(())
}

/// For a linear oscillator, the energy loss of the scheme is (theta - 1/2) (|v_{k+1} - v_k|_M^2 + |q_{k+1} -
/// q_k|_K^2): Acary 2016, without contacts.
#[test]
fn the_loss_of_the_scheme_is_the_published_one() -> Result<(), Error> {
    let (m, k) = (array![[2.0, 0.3], [0.3, 1.0]], array![[50.0, -20.0], [-20.0, 30.0]]);
    for theta in [0.5, 0.6, 1.0] {
        let mut model = NonSmoothDynamicalSystem::new();
        let system = LagrangianLinear::new(vec![0.3, -0.1], vec![1.0, 2.0], m.clone());
        let system = model.add_system(system.with_stiffness(k.clone()))?;
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(grid(2.0, 0.01))
            .integrator(MoreauJean::new(theta)?)
            .energy_balance(true)
            .build()?;
        let mut state = simulation.initial_state(&model)?;
        let read = |state: &State| {
            (array![state.q(system)[0], state.q(system)[1]], array![state.v(system)[0], state.v(system)[1]])
        };
        let (mut before, mut worst, mut lost) = (read(&state), 0.0, 0.0);
        simulation.run(&model, &mut state, |report, state| {
            let now = read(state);
            let (dq, dv) = (&now.0 - &before.0, &now.1 - &before.1);
            let expected = (0.5 - theta) * (dv.dot(&m.dot(&dv)) + dq.dot(&k.dot(&dq)));
            let energy = report.energy.expect("asked for");
            let potential = |q: &ndarray::Array1<f64>| 0.5 * q.dot(&k.dot(q));
            let of_spring = potential(&before.0) - potential(&now.0);
            worst = worse(worst, (energy.scheme - expected).abs());
            worst = worse(worst, (energy.forces - of_spring).abs());
            lost -= energy.scheme;
            before = now;
        })?;
        assert!(worst < 1e-13, "{worst}");
        assert!(theta == 0.5 || lost > 0.1, "{lost}");
    }
    Ok(())
}

/// A motor on a hinge lifts a rod of 1 kg from the hanging to a nearly horizontal position. The work of the
/// motor equals the gain in potential energy.
#[test]
fn a_motor_puts_in_what_the_rod_gains() -> Result<(), Error> {
    let (half, rate) = (0.5, 1.0);
    let weight = [0.0, 0.0, -G];
    let run = |h: f64| -> Result<(f64, f64), Error> {
        let rod =
            NewtonEuler::new(1.0, [1.0 / 12.0, 1.0 / 12.0, 1e-4], [0.0, 0.0, -half], Quaternion::IDENTITY)
                .with_twist([-rate * half, 0.0, 0.0], [0.0, rate, 0.0])
                .with_constant_external_force(weight);
        let hinge = Joint::revolute(&rod, [0.0; 3], [0.0, 1.0, 0.0])?;
        let angle = hinge.angle().expect("a hinge turns");
        let motor = angle.prescribed(move |at| rate * at.t, move |_| rate);
        let mut model = NonSmoothDynamicalSystem::new();
        let rod = model.add_system(rod)?;
        let condition = hinge.condition()?;
        model.add_interaction([rod], hinge, condition)?;
        model.add_interaction([rod], motor, EqualityCondition::new(1)?)?;
        let all = balances(&model, &mut stepping(&model, grid(1.5, h))?)?;
        let of_motor: f64 = all.iter().map(|energy| energy.joints).sum();
        let of_scheme: f64 = all.iter().map(|energy| energy.scheme.abs()).sum();
        let lifted = G * half * (1.0 - f64::cos(1.5 * rate));
        Ok(((of_motor - lifted).abs(), of_scheme))
    };
    let ((coarse, of_scheme), (fine, _)) = (run(0.01)?, run(0.005)?);
    assert!(of_scheme < 1e-12, "{of_scheme}");
    assert!(coarse < 1e-3 && fine < 0.27 * coarse, "{coarse} {fine}");
    Ok(())
}

/// Two links with a position-dependent mass matrix. The residual of the balance converges to zero with order
/// 1, since the scheme evaluates M(q) at the end of the step. If gyroscopic forces counted as work, the
/// residual would be as large as the work of the other forces.
#[test]
fn the_forces_of_a_changing_mass_do_no_work() -> Result<(), Error> {
    let run = |h: f64| -> Result<(f64, f64), Error> {
        let system = Lagrangian::of_mass_function(vec![1.0, -0.5], vec![0.0, 1.0], |_p, q, out| {
            let coupling = 0.5 * (q[0] - q[1]).cos();
            out.assign(&array![[1.5, coupling], [coupling, 0.7]]);
        })
        .with_gyroscopic_force(
            |_p, q, v, f| {
                let s = 0.5 * (q[0] - q[1]).sin();
                (f[0], f[1]) = (s * v[1] * v[1], -s * v[0] * v[0]);
            },
            Jacobian::FiniteDifference,
            Jacobian::FiniteDifference,
        )
        .with_internal_force(
            |_at, q, _v, f| (f[0], f[1]) = (9.0 * q[0].sin(), 4.0 * q[1].sin()),
            Jacobian::FiniteDifference,
            Jacobian::Zero,
        );
        let mut model = NonSmoothDynamicalSystem::new();
        let id = model.add_system(system)?;
        let all = balances(&model, &mut stepping(&model, grid(2.0, h))?)?;
        let start = model.system(id).expect("it is there");
        let (mut energy, mut worst) =
            (start.kinetic_energy(&Parameters::default(), start.q0(), start.v0()), 0.0);
        for step in &all {
            energy += step.change;
            worst = worse(worst, (energy - step.kinetic).abs());
        }
        assert!(worst < 1e-12, "{worst}");
        Ok((all.iter().map(|step| step.scheme.abs()).sum(), all.iter().map(|step| step.forces.abs()).sum()))
    };
    let ((coarse, size), (fine, _)) = (run(0.01)?, run(0.005)?);
    assert!(coarse < 0.02 * size && fine < 0.53 * coarse, "{coarse} {fine} of {size}");
    Ok(())
}

#[test]
fn the_balance_follows_a_model_that_changes_and_is_refused_where_it_has_no_meaning() -> Result<(), Error> {
    let mass = |v: f64| LagrangianLinear::new(vec![0.0], vec![v], array![2.0]);
    let mut model = NonSmoothDynamicalSystem::new();
    model.add_system(mass(1.0))?;
    let mut simulation = stepping(&model, grid(1.0, 0.1))?;
    let mut state = simulation.initial_state(&model)?;
    let mut kinetic = |model: &NonSmoothDynamicalSystem, state: &mut State| -> Result<f64, Error> {
        let report = simulation.step(model, state)?.expect("a step");
        Ok(report.energy.expect("asked for").kinetic)
    };
    assert_eq!(kinetic(&model, &mut state)?, 1.0);
    let second = model.add_system(mass(3.0))?;
    model.add_system(FirstOrderLinearTi::new(vec![1.0], array![[-1.0]]))?;
    assert_eq!(kinetic(&model, &mut state)?, 10.0);
    model.remove_system(second)?;
    assert_eq!(kinetic(&model, &mut state)?, 1.0);

    let of_other = TimeStepping::builder(&model)
        .discretisation(grid(1.0, 0.1))
        .integrator(D1MinusLinear::default())
        .energy_balance(true)
        .build();
    let error = of_other.expect_err("the works of forces are not known").to_string();
    assert!(error.contains("D1MinusLinear") && error.contains("the energy balance"), "{error}");
    Ok(())
}
