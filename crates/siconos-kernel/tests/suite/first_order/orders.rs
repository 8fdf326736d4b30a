//! Observed orders of convergence of the schemes for first-order systems, each on the class of solutions for
//! which it is designed.

use siconos_kernel::prelude::*;
use siconos_testkit::convergence::{observed_order, steps};
use siconos_testkit::exact::{LinearModel, PushedPoint, Rlcd, SoftStop, StaircaseTank};

/// t, x and lambda after each step. The value of lambda belongs to t_k + gamma h.
type Motion = Vec<(f64, Vec<f64>, f64)>;

type OfTime = fn(f64) -> f64;

/// Simulates a complementarity system with one multiplier. `source` is added to x', `offset` to y.
fn simulate(
    model: &LinearModel,
    (source, offset): (OfTime, OfTime),
    integrator: Integrator,
    (h, t_end): (f64, f64),
) -> Motion {
    let LinearModel { a, b, c, d, x0 } = model.clone();
    let mut of = NonSmoothDynamicalSystem::new();
    let system = FirstOrderLinear::new(x0, a).with_source_function(move |at, b| b[0] = source(at.t));
    let system = of.add_system(system).unwrap();
    let relation =
        FirstOrderLinearRelation::new(c, b).with_d(d).with_offset_function(move |at, e| e[0] = offset(at.t));
    let id = of.add_interaction([system], relation, ComplementarityCondition::new(1).unwrap()).unwrap();
    let mut simulation = TimeStepping::builder(&of)
        .discretisation(TimeDiscretisation::uniform(0.0, t_end, h).unwrap())
        .integrator(integrator)
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&of).unwrap();
    let mut motion = Vec::new();
    simulation
        .run(&of, &mut state, |_, state| {
            motion.push((state.t, state.x(system).to_vec(), state.lambda(id, Level::Position)[0]));
        })
        .unwrap();
    motion
}

fn none(_: f64) -> f64 {
    0.0
}

/// Returns the order of convergence: the slope of the line through the errors for five step lengths.
fn order(coarsest: f64, finest: f64, error: impl Fn(f64) -> f64) -> f64 {
    let sizes = steps(5, coarsest, finest);
    let errors: Vec<_> = sizes.iter().map(|&h| error(h)).collect();
    let fit = observed_order(&sizes, &errors);
    println!("order {:.3}, scatter {:.2}, {errors:?}", fit.order, fit.scatter);
    assert!(fit.scatter < 2.0, "{errors:?} are not on a line");
    fit.order
}

/// Returns the order of convergence for errors that depend on the position of a jump within its step. Each
/// error is a mean over several step lengths near h.
fn mean_order(coarsest: f64, finest: f64, error: impl Fn(f64) -> f64) -> f64 {
    order(coarsest, finest, |h| (0..7).map(|k| error(h * (1.0 + 0.0137 * f64::from(k)))).sum::<f64>() / 7.0)
}

fn max(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |m: f64, x| if x.is_nan() { x } else { m.max(x.abs()) })
}

#[test]
fn theta_gamma_is_of_order_two_on_continuously_differentiable_solutions() {
    let body = SoftStop::default();
    let scheme: Integrator = ThetaGamma { theta: 0.5, gamma: 0.5 }.into();
    let run = |h| simulate(&body.model(), (none, none), scheme, (h, 1.5 * body.period()));
    let of_x = order(2e-2, 1e-3, |h| {
        max(run(h).iter().flat_map(|(t, x, _)| [x[0] - body.state(*t)[0], x[1] - body.state(*t)[1]]))
    });
    assert!((1.9..2.1).contains(&of_x), "{of_x}");
    let middle = order(2e-2, 1e-3, |h| max(run(h).iter().map(|(t, _, l)| l - body.lambda(t - 0.5 * h))));
    assert!((1.9..2.1).contains(&middle), "{middle}");
    // Compared with the exact multiplier at the end of the step, the values are shifted by half a step.
    let end = order(2e-2, 1e-3, |h| max(run(h).iter().map(|(t, _, l)| l - body.lambda(*t))));
    assert!((0.9..1.1).contains(&end), "{end}");
}

#[test]
fn a_multiplier_at_the_ends_of_the_steps_rings() {
    let body = SoftStop::default();
    let h = 1e-3;
    let motion = simulate(
        &body.model(),
        (none, none),
        ThetaGamma { theta: 0.5, gamma: 0.5 }.into(),
        (h, 1.9 * body.period()),
    );
    // The multiplier at the end of the step follows from lambda_{k+1/2} = (lambda_k + lambda_{k+1}) / 2 with
    // lambda(0) = 0.
    let mut lambda = 0.0;
    let mut ends = Vec::new();
    for (_, _, middle) in &motion {
        lambda = 2.0 * middle - lambda;
        ends.push(lambda);
    }
    let error = max(motion.iter().map(|(t, _, l)| l - body.lambda(t - 0.5 * h)));
    // After the body has left the stop, in the second period, the remaining error is not damped.
    let free = |t: f64| t > body.period() + 0.1 && t < body.period() + 3.0;
    let left: Vec<_> = motion.iter().zip(&ends).filter(|((t, ..), _)| free(*t)).map(|(_, l)| *l).collect();
    assert!(left.len() > 2000);
    assert!(left.windows(2).all(|pair| pair[0] == -pair[1]), "it changes its sign from step to step");
    assert!(left[0].abs() > 3.0 * error, "{:e} rings, the error at k + 1/2 is {error:e}", left[0]);
}

#[test]
fn the_fully_implicit_scheme_is_of_order_two_with_both_weights_at_one_half() {
    let body = SoftStop::default();
    for (theta_r, expected) in [(0.5, 2.0), (1.0, 1.0)] {
        let scheme = FullyImplicit { theta: 0.5, theta_r };
        let found = order(2e-2, 1e-3, |h| {
            let motion = simulate(&body.model(), (none, none), scheme.into(), (h, 1.5 * body.period()));
            max(motion.iter().flat_map(|(t, x, _)| [x[0] - body.state(*t)[0], x[1] - body.state(*t)[1]]))
        });
        assert!((found - expected).abs() < 0.15, "theta_r = {theta_r}: {found}");
    }
}

#[test]
fn the_other_schemes_are_of_order_one_on_continuously_differentiable_solutions() {
    let body = SoftStop::default();
    let circuit = Rlcd::default();
    let exact = circuit.solve(1e-3);
    let schemes: [Integrator; 4] = [
        EulerMoreau { theta: 1.0 }.into(),
        BackwardEuler.into(),
        MeasureEuler { theta: 1.0 }.into(),
        ZeroOrderHold::default().into(),
    ];
    for scheme in schemes {
        let found = order(2e-2, 1e-3, |h| {
            let motion = simulate(&body.model(), (none, none), scheme, (h, 1.5 * body.period()));
            max(motion.iter().map(|(t, x, _)| x[0] - body.state(*t)[0]))
        });
        assert!((0.8..1.25).contains(&found), "soft stop, {}: {found}", scheme.name());
        let found = order(1e-6, 1e-7, |h| {
            let motion = simulate(&circuit.model(), (none, none), scheme, (h, 5e-4));
            max(motion.iter().map(|(t, x, _)| x[0] - exact.state(*t)[0]))
        });
        assert!((0.8..1.25).contains(&found), "circuit, {}: {found}", scheme.name());
    }
}

#[test]
fn absolutely_continuous_solutions_to_order_one() {
    let point = PushedPoint::default();
    let exact = point.solve(2.5);
    fn push(t: f64) -> f64 {
        PushedPoint::default().input(t)
    }
    let schemes: [Integrator; 5] = [
        EulerMoreau { theta: 0.5 }.into(),
        BackwardEuler.into(),
        MeasureEuler { theta: 1.0 }.into(),
        ThetaGamma { theta: 0.5, gamma: 1.0 }.into(),
        ZeroOrderHold::default().into(),
    ];
    for scheme in schemes {
        let run = |h| simulate(&point.model(), (push, none), scheme, (h, 2.4));
        let of_x = order(1e-2, 5e-4, |h| max(run(h).iter().map(|(t, x, _)| x[0] - exact.state(*t)[0])));
        // The state is of order two where the force is integrated with order two.
        assert!((0.8..2.1).contains(&of_x), "{}: {of_x}", scheme.name());
        // Since lambda jumps, it converges in the mean, but not uniformly.
        let of_lambda = mean_order(2e-2, 2e-3, |h| {
            run(h).iter().map(|(t, _, l)| h * (l - exact.lambda(*t)[0]).abs()).sum()
        });
        assert!((0.8..1.2).contains(&of_lambda), "{}: {of_lambda}", scheme.name());
    }
}

/// Creates a tank with increasing and decreasing steps of the level, at times that are not on the grids.
fn tank() -> StaircaseTank {
    StaircaseTank::new(1.5, 2.0, vec![(0.0, 0.5), (0.71239, 1.9), (1.61803, 0.4), (2.23607, 2.3)])
}

#[test]
fn solutions_of_bounded_variation_to_order_one_in_the_mean() {
    fn below_level(t: f64) -> f64 {
        -tank().level(t)
    }
    let model = LinearModel {
        a: ndarray::array![[-1.5]],
        b: ndarray::array![[1.0]],
        c: ndarray::array![[1.0]],
        d: ndarray::array![[0.0]],
        x0: ndarray::array![2.0],
    };
    let tank = tank();
    for theta in [1.0, 0.5] {
        let run = |h| simulate(&model, (none, below_level), MeasureEuler { theta }.into(), (h, 2.9));
        let in_the_mean = mean_order(2e-2, 2e-3, |h| {
            // The exact solution is compared with a step function, at several times within each step.
            let samples = 16;
            let part = |k: usize| (k as f64 + 0.5) / samples as f64;
            let of_step = |(t, x, _): &(f64, Vec<f64>, f64)| {
                (0..samples).map(|k| (x[0] - tank.state(t - part(k) * h)).abs()).sum::<f64>()
            };
            run(h).iter().map(of_step).sum::<f64>() * h / samples as f64
        });
        assert!((0.85..1.15).contains(&in_the_mean), "theta = {theta}: {in_the_mean}");
        // The impulses converge to the exact ones with order one, although lambda is of size 1 / h.
        let motion = run(1e-4);
        for (k, at) in [(1, 0.71239), (3, 2.23607)] {
            let (.., lambda) = motion.iter().find(|(t, ..)| *t >= at).unwrap();
            assert!((lambda * 1e-4 - tank.impulse(k)).abs() < 1e-3, "{lambda:e}");
        }
    }
}
