//! Every method of every class stops on cancellation and reports its result.
//!
//! The tolerance cannot be reached and the number of iterations is unlimited, so that a loop that does not
//! check the token runs until the test times out.

use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use ndarray::{Array1, Array2, ArrayViewMut2, Axis, concatenate};
use siconos_linalg::Matrix;
use siconos_numerics::avi::{Avi, AviMethod, AviProblem};
use siconos_numerics::cone::{Interval, Orthant};
use siconos_numerics::contact::{Contact, ContactMethod, ProximalPoint, VelocityProximalPoint};
use siconos_numerics::gmp::{GenericMechanicalProblem, Gmp, GmpMethod, MechanicalLaw};
use siconos_numerics::lcp::{Lcp, LcpMethod, LcpProblem};
use siconos_numerics::mcp::{Mcp, McpMethod, McpProblem};
use siconos_numerics::method::{BoxedSolver, Class};
use siconos_numerics::mlcp::{Mlcp, MlcpMethod, MlcpProblem};
use siconos_numerics::ncp::{DifferentiableMap, FromFunctions, Ncp, NcpMethod};
use siconos_numerics::qp::{Qp, QpMethod, QpProblem};
use siconos_numerics::relay::{Relay, RelayMethod, RelayProblem};
use siconos_numerics::vi::{BoxVi, BoxViMethod, BoxViProblem, Vi, ViMethod, ViProblem};
use siconos_numerics::{CancellationToken, Method, SolveInfo, Solver, SolverError, Status};
use siconos_testkit::contact::{discs, spheres_global, tower, tower_global};
use siconos_testkit::lcp::generated;
use siconos_testkit::{mlcp, relay};

/// Time limit for a method to stop after cancellation.
const PATIENCE: Duration = Duration::from_secs(30);

/// Report of a solve, and the error of its point.
type Ended = Result<(SolveInfo, f64), SolverError>;

/// Function that creates a problem of a class and solves it from zero.
type Solve<C> = fn(&mut dyn Solver<Class = C>) -> Ended;

fn solve<C: Class>(solver: &mut dyn Solver<Class = C>, problem: &C::Problem<'_>) -> Ended {
    let (n, m) = C::sizes(problem);
    let (mut z, mut w) = (vec![0.0; n], vec![0.0; m]);
    let info = solver.solve(problem, &mut z, &mut w)?;
    Ok((info, C::error_of_point(problem, &z, &mut w)))
}

/// Solves with a token that is cancelled after a given time, or before the start for `None`.
fn watched<C: Class>(
    mut solver: BoxedSolver<C>,
    work: Solve<C>,
    after: Option<Duration>,
) -> (Ended, Arc<CancellationToken>) {
    let name = solver.name();
    let token = Arc::new(CancellationToken::default());
    if after.is_none() {
        token.cancel();
    }
    let (sender, receiver) = mpsc::channel();
    let of_thread = Arc::clone(&token);
    thread::spawn(move || sender.send(of_thread.run(|| work(&mut *solver))));
    let early = receiver.recv_timeout(after.unwrap_or_default());
    token.cancel();
    let asked = Instant::now();
    let ended = early.or_else(|_| receiver.recv_timeout(PATIENCE));
    let ended = ended.unwrap_or_else(|_| panic!("{name}: still at work after {:?}", asked.elapsed()));
    (ended, token)
}

fn check<M: Method>(work: Solve<M::Class>) {
    check_to::<M>(0.0, work);
}

/// Checks that reported errors agree with the errors of the points up to `rounding`.
fn check_to<M: Method>(rounding: f64, work: Solve<M::Class>) {
    for mut method in M::all() {
        let name = method.name();
        method.set_tolerance(f64::MIN_POSITIVE);
        method.set_max_iterations(usize::MAX);
        for after in [None, Some(Duration::from_millis(10))] {
            let (ended, token) = watched(method.build().expect("valid settings"), work, after);
            let case = format!("{}, {name}, {after:?}: {ended:?}", std::any::type_name::<M::Class>());
            let Ok((info, error)) = ended else { continue };
            // A cancelled search proves no statement about the problem.
            let claims = [Status::NoSolution, Status::RayTermination];
            assert!(!claims.contains(&info.status), "{case}");
            assert!((info.error - error).abs() <= rounding, "{case}");
            // Only completed iterations are counted.
            let told = token.iterations();
            assert!(info.iterations < 10_000_000 && told < 10_000_000, "{case}, {told}");
            let cut = [Status::MaxIterations, Status::EffortSpent, Status::NotFound];
            let is_early = after.is_none() && !info.status.is_success();
            assert!(!is_early || (info.iterations <= 150 && cut.contains(&info.status)), "{case}");
        }
    }
}

fn matrix(n: usize) -> (Array2<f64>, Vec<f64>) {
    let known = generated::nonsymmetric_definite(n, 7);
    (known.m, known.q)
}

#[test]
fn lcp_ends() {
    fn work<const N: usize>(solver: &mut dyn Solver<Class = Lcp>) -> Ended {
        let known = generated::hyperstatic(N, 3);
        solve(solver, &LcpProblem::new(&known.m, &known.q)?)
    }
    check::<LcpMethod>(work::<18>);
    check::<LcpMethod>(work::<80>);
}

#[test]
fn mlcp_ends() {
    fn work<const N: usize>(solver: &mut dyn Solver<Class = Mlcp>) -> Ended {
        let known = mlcp::saddle_point(N, 3);
        solve(solver, &MlcpProblem::new(&known.m, &known.q, &known.rows)?)
    }
    check::<MlcpMethod>(work::<18>);
    check::<MlcpMethod>(work::<80>);
}

#[test]
fn relay_ends() {
    fn work<const N: usize>(solver: &mut dyn Solver<Class = Relay>) -> Ended {
        let known = relay::semidefinite(N, 3);
        solve(solver, &RelayProblem::new(&known.m, &known.q, &known.lower, &known.upper)?)
    }
    check::<RelayMethod>(work::<14>);
    check::<RelayMethod>(work::<80>);
}

#[test]
fn avi_ends() {
    fn work<const N: usize>(solver: &mut dyn Solver<Class = Avi>) -> Ended {
        let (m, q) = matrix(N);
        let h =
            concatenate(Axis(0), &[Array2::eye(N).view(), (-Array2::<f64>::eye(N)).view()]).expect("fits");
        solve(solver, &AviProblem::new(&m, &q, h.view(), &vec![-1.0; 2 * N])?)
    }
    check::<AviMethod>(work::<30>);
}

#[test]
fn vi_ends() {
    fn work(solver: &mut dyn Solver<Class = Vi>) -> Ended {
        let (m, q) = matrix(30);
        let map = |z: &[f64], f: &mut [f64]| affine(&m, &q, z, f);
        solve(solver, &ViProblem::new(30, &map, &Orthant))
    }
    check::<ViMethod>(work);
}

fn affine(m: &Array2<f64>, q: &[f64], z: &[f64], f: &mut [f64]) {
    for ((f, row), q) in f.iter_mut().zip(m.rows()).zip(q) {
        *f = q + row.iter().zip(z).map(|(m, z)| m * z).sum::<f64>();
    }
}

#[test]
fn maps_end() {
    /// Calls a function with an affine map plus a cubic spring in each unknown.
    fn with_map<T>(work: impl FnOnce(&dyn DifferentiableMap) -> T) -> T {
        let (m, q) = matrix(30);
        let value = |z: &[f64], f: &mut [f64]| {
            affine(&m, &q, z, f);
            f.iter_mut().zip(z).for_each(|(f, z)| *f += z * z * z);
        };
        let jacobian = |z: &[f64], mut j: ArrayViewMut2<'_, f64>| {
            j.assign(&m);
            j.diag_mut().iter_mut().zip(z).for_each(|(j, z)| *j += 3.0 * z * z);
        };
        work(&FromFunctions::new(30, value, jacobian))
    }
    fn ncp(solver: &mut dyn Solver<Class = Ncp>) -> Ended {
        with_map(|map| solve(solver, map))
    }
    fn mcp(solver: &mut dyn Solver<Class = Mcp>) -> Ended {
        with_map(|map| solve(solver, &McpProblem::new(map, 10)?))
    }
    fn box_vi(solver: &mut dyn Solver<Class = BoxVi>) -> Ended {
        with_map(|map| solve(solver, &BoxViProblem::new(map, &[-1.0; 30], &[0.5; 30])?))
    }
    check::<NcpMethod>(ncp);
    check::<McpMethod>(mcp);
    check::<BoxViMethod>(box_vi);
}

#[test]
fn qp_ends() {
    fn linear(solver: &mut dyn Solver<Class = Qp>) -> Ended {
        let known = generated::hyperstatic(60, 3);
        let identity = Matrix::from(Array1::ones(60));
        solve(solver, &QpProblem::linear(&known.m, &known.q, &identity, &[-1.0; 60], &[0.5; 60])?)
    }
    fn on_set(solver: &mut dyn Solver<Class = Qp>) -> Ended {
        let known = generated::hyperstatic(60, 3);
        let (lower, upper) = ([-1.0; 60], [0.5; 60]);
        let bounds = Interval::new(&lower, &upper)?;
        solve(solver, &QpProblem::on_set(&known.m, &known.q, &bounds)?)
    }
    check::<QpMethod>(linear);
    check::<QpMethod>(on_set);
}

#[test]
fn contact_ends() {
    fn in_space(solver: &mut dyn Solver<Class = Contact>) -> Ended {
        solve(solver, &tower(6, 0.7, 3).view())
    }
    fn in_plane(solver: &mut dyn Solver<Class = Contact>) -> Ended {
        solve(solver, &discs(40, 0.7, 3).view())
    }
    fn of_bodies(solver: &mut dyn Solver<Class = Contact>) -> Ended {
        solve(solver, &spheres_global(40, 0.7, 3).data().view())
    }
    check::<ContactMethod>(in_space);
    check::<ContactMethod>(in_plane);
    // Methods that form W from the bodies have other rounding errors.
    check_to::<ContactMethod>(1e-13, of_bodies);
}

#[test]
fn gmp_ends() {
    fn work(solver: &mut dyn Solver<Class = Gmp>) -> Ended {
        let known = tower(6, 0.7, 3);
        let laws = vec![MechanicalLaw::Friction3 { mu: 0.7 }; known.q.len() / 3];
        solve(solver, &GenericMechanicalProblem::new(known.w, known.q.into(), laws)?)
    }
    check::<GmpMethod>(work);
}

/// The inner Newton iterations of the proximal point method are not counted as iterations.
#[test]
fn what_an_inner_loop_counts_is_not_told() {
    let pile = tower_global(12, 0.4, 1).data();
    for solver in [
        &mut ProximalPoint::default() as &mut dyn Solver<Class = Contact>,
        &mut VelocityProximalPoint::default(),
    ] {
        let token = Arc::new(CancellationToken::default());
        let (info, _) = token.run(|| solve(solver, &pile.view())).expect("the data fit");
        assert!(info.status.is_success(), "{info:?}");
        // Each iteration is reported at its start, and the last one is not completed.
        assert_eq!(token.iterations() + 1, info.iterations, "{info:?}");
    }
}
