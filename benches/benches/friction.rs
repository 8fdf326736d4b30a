//! Methods for contact with friction, selected by name, on the reference files and on a pile of spheres:
//! `friction/method/problem` to an error of 1e-4, and `friction/method/problem@1e-8`. The automatic choice is
//! timed on boxes, towers, walls, chains and piles at rest, to 1e-8: `friction/auto/structure`.
//!
//! The reference files are read from `$SICONOS_REFERENCE`, or from `shared/reference` next to the workspace.
//! Without these files only the piles are timed. Every solve starts at r = 0 with a solver whose workspace
//! has been allocated by a first solve. If the first solve fails or takes too long, the bench is reported and
//! skipped. With `--quick` only the small problems are timed.

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use siconos_io::problem::{Problem, ProblemClass};
use siconos_linalg::{BlockCsr, Matrix};
use siconos_numerics::contact::{Auto, Contact, ContactLaw, ContactMethod, ContactProblem, OperatorData};
use siconos_numerics::{Method, Solver};
use siconos_testkit::contact::at_rest;
use siconos_testkit::reference;

/// Short name of a method in the names of its benches, and the name by which it is selected.
const METHODS: [(&str, &str); 4] = [
    ("nsgs", "nonsmooth-gauss-seidel"),
    ("coloured", "coloured-gauss-seidel"),
    ("cpg", "conjugate-projected-gradient"),
    ("plane_lemke", "plane-lemke"),
];
const SPACE: [&str; 7] = [
    "NESpheres_10_1.dat",
    "OneObject-i1028-138.hdf5.dat",
    "Confeti-ex03-Fc3D-SBM.dat",
    "BoxesStack1-i100000-32.hdf5.dat",
    "Capsules-i100-889.dat",
    "Capsules-i122-1617.dat",
    "Rover1039.dat",
];
const PLANE: [&str; 3] = [
    "FrictionContactProblem00031.dat",
    "FrictionContactProblem00237.dat",
    "FC2D_SliderCrankLagrangian00000.dat",
];
const TOLERANCES: [(f64, &str); 2] = [(1e-4, ""), (1e-8, "@1e-8")];

/// Time of a solve above which it is not repeated.
const LONGEST: Duration = Duration::from_secs(2);
const LARGEST_QUICK: usize = 200;

fn is_quick() -> bool {
    std::env::args().any(|argument| argument == "--quick")
}

fn friction(criterion: &mut Criterion) {
    let mut problems: Vec<(String, Pile)> = Vec::new();
    for (class, files) in [(ProblemClass::Fc3d, &SPACE[..]), (ProblemClass::Fc2d, &PLANE[..])] {
        problems.extend(files.iter().filter_map(|file| reference(class, file)));
    }
    problems.extend([3, 8].map(|side| (format!("pile_{side}"), pile(side))));
    let mut auto = Auto::default();
    for structure in at_rest().iter().filter(|structure| !is_quick() || structure.q.len() <= LARGEST_QUICK) {
        bench(criterion, "auto", &structure.name, &structure.view(), &mut auto);
    }
    for (short, name) in METHODS {
        let Some(mut method) = ContactMethod::from_name(name) else {
            println!("friction/{short}: left out, there is no such method");
            continue;
        };
        for (problem_name, pile) in
            problems.iter().filter(|(_, pile)| !is_quick() || pile.q.len() <= LARGEST_QUICK)
        {
            for (tolerance, suffix) in TOLERANCES {
                method.set_tolerance(tolerance);
                let mut solver = method.build().expect("the default settings are valid");
                bench(criterion, short, &format!("{problem_name}{suffix}"), &pile.view(), solver.as_mut());
            }
        }
    }
}

/// Benches solves from r = 0, unless the first solve fails or takes too long.
fn bench(
    criterion: &mut Criterion,
    method: &str,
    name: &str,
    problem: &ContactProblem<'_>,
    solver: &mut dyn Solver<Class = Contact>,
) {
    let id = format!("friction/{method}/{name}");
    let mut filters = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).peekable();
    if solver.supports(problem).is_err()
        || filters.peek().is_some() && !filters.any(|filter| id.contains(&filter))
    {
        return;
    }
    let (mut r, mut u) = (vec![0.0; problem.size()], vec![0.0; problem.size()]);
    let begin = Instant::now();
    let first = solver.solve(problem, &mut r, &mut u);
    let took = begin.elapsed();
    match first {
        Ok(info) if !info.status.is_success() => {
            return println!("{id}: left out, {} with the error {:.1e}", info.status, info.error);
        }
        Ok(_) if took > LONGEST => return println!("{id}: left out, it takes {:.1} s", took.as_secs_f64()),
        Ok(info) => println!("{id}: {} iterations, error {:.1e}", info.iterations, info.error),
        Err(error) => return println!("{id}: left out, {error}"),
    }
    let mut group = criterion.benchmark_group(format!("friction/{method}"));
    group.sample_size(10).measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(300));
    group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
        bencher.iter(|| {
            r.fill(0.0);
            solver.solve(problem, &mut r, &mut u)
        });
    });
    group.finish();
}

/// Contact problem with all its data.
struct Pile {
    w: Matrix,
    q: Vec<f64>,
    mu: Vec<f64>,
}

impl Pile {
    fn view(&self) -> ContactProblem<'_> {
        let law = ContactLaw::Coulomb { dimension: self.q.len() / self.mu.len(), mu: &self.mu };
        ContactProblem::new(&self.w, &self.q, law).expect("the data fit")
    }
}

/// Returns the problem in a reference file, or `None` if the folder does not exist on this machine.
fn reference(class: ProblemClass, file: &str) -> Option<(String, Pile)> {
    let path = reference::at_hand()?.join(class.to_string()).join(file);
    let problem = path.is_file().then(|| Problem::read(&path, Some(class)))?;
    let problem = problem.inspect_err(|error| println!("{error}")).ok()?;
    let Problem::Contact(problem) = problem else { return None };
    let ContactLaw::Coulomb { mu, .. } = problem.law() else { return None };
    let OperatorData::Delassus(w) = problem.operator() else { return None };
    let pile = Pile { w: w.clone(), q: problem.q().to_vec(), mu: mu.to_vec() };
    Some((file.split('.').next().unwrap_or(file).to_owned(), pile))
}

/// One side of a contact: the body, and 3 rows of coefficients of its 6 velocities.
type Side = (usize, [[f64; 6]; 3]);

/// Returns a cube of spheres on the ground, with `side` spheres along each edge. Each sphere touches its
/// neighbours. The contact directions are slightly rotated, so that the pile is not symmetric. The matrix has
/// about 11 blocks per row.
fn pile(side: usize) -> Pile {
    const RADIUS: f64 = 0.5;
    const MASS: f64 = 1.0;
    const INERTIA: f64 = 0.4 * MASS * RADIUS * RADIUS;
    const FALL: f64 = 9.81 * 5e-3;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut askew = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5) * 0.4
    };
    let number = |x: usize, y: usize, z: usize| (z * side + y) * side + x;
    let mut contacts: Vec<Vec<Side>> = Vec::new();
    for z in 0..side {
        for y in 0..side {
            for x in 0..side {
                let body = number(x, y, z);
                let mut touch = |axis: usize, other: Option<usize>| {
                    let mut n = [askew(), askew(), askew()];
                    n[axis] += 1.0;
                    let rows = frame(n);
                    // The normal points to the body. The other body has the opposite sign.
                    let mut sides = vec![(body, side_of(rows, RADIUS, 1.0))];
                    sides.extend(other.map(|other| (other, side_of(rows, RADIUS, -1.0))));
                    contacts.push(sides);
                };
                if x > 0 {
                    touch(0, Some(number(x - 1, y, z)));
                }
                if y > 0 {
                    touch(1, Some(number(x, y - 1, z)));
                }
                touch(2, (z > 0).then(|| number(x, y, z - 1)));
            }
        }
    }
    let mut of_body: Vec<Vec<usize>> = vec![Vec::new(); side * side * side];
    for (contact, sides) in contacts.iter().enumerate() {
        sides.iter().for_each(|(body, _)| of_body[*body].push(contact));
    }
    let mut w = BlockCsr::default();
    w.begin(std::iter::repeat_n(3, contacts.len()));
    for sides in &contacts {
        w.push_block_row(3);
        let mut others: Vec<usize> =
            sides.iter().flat_map(|(body, _)| of_body[*body].iter().copied()).collect();
        others.sort_unstable();
        others.dedup();
        for other in others {
            let block = w.push_block(other);
            for (body, a) in sides {
                for (_, b) in contacts[other].iter().filter(|(other, _)| other == body) {
                    for (entry, k) in block.iter_mut().zip(0..9) {
                        let (a, b) = (a[k / 3], b[k % 3]);
                        let linear: f64 = (0..3).map(|l| a[l] * b[l]).sum();
                        let angular: f64 = (3..6).map(|l| a[l] * b[l]).sum();
                        *entry += linear / MASS + angular / INERTIA;
                    }
                }
            }
        }
    }
    let q = contacts
        .iter()
        .flat_map(|sides| (0..3).map(move |k| sides.iter().map(|(_, rows)| -FALL * rows[k][2]).sum()))
        .collect();
    let mu = vec![0.5; contacts.len()];
    Pile { w: w.into(), q, mu }
}

/// Returns the normal and two tangents as rows.
fn frame(n: [f64; 3]) -> [[f64; 3]; 3] {
    let unit = |x: [f64; 3]| x.map(|v| v / x.iter().map(|x| x * x).sum::<f64>().sqrt());
    let n = unit(n);
    let least = (0..3).min_by(|&i, &j| n[i].abs().total_cmp(&n[j].abs())).unwrap_or(0);
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    let t = unit(cross(n, axis));
    [n, t, cross(n, t)]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Returns the velocity of the contact point along the given directions, as a function of the velocities of a
/// sphere.
fn side_of(rows: [[f64; 3]; 3], radius: f64, sign: f64) -> [[f64; 6]; 3] {
    let arm = rows[0].map(|n| -sign * radius * n);
    rows.map(|d| {
        let turn = cross(arm, d);
        [d[0], d[1], d[2], turn[0], turn[1], turn[2]].map(|x| sign * x)
    })
}

criterion_group!(group, friction);
criterion_main!(group);
