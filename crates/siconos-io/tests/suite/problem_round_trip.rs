//! A problem that is written and read again is the same, bit for bit, for every class, storage and format.

use std::fs;
use std::path::PathBuf;

use ndarray::{Array1, Array2, array};
use proptest::collection::vec;
use proptest::prelude::*;
use siconos_io::problem::{Problem, ProblemClass, ProblemFileErrorKind as Kind};
use siconos_linalg::{BlockCsr, Csc, Matrix};
use siconos_numerics::contact::{BodiesData, ContactData, ContactLawData};
use siconos_numerics::gmp::{GenericMechanicalProblem, MechanicalLaw};
use siconos_numerics::lcp::LinearComplementarityProblem;
use siconos_numerics::mlcp::{MixedLinearComplementarityProblem, MlcpRow};
use siconos_numerics::relay::BoxComplementarityProblem;

/// Any finite number, including subnormal and very large ones.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL,
        1 => Just(0.0),
        1 => Just(-0.0),
        2 => (-9..9_i32).prop_map(f64::from),
    ]
}

fn dense(rows: usize, columns: usize) -> impl Strategy<Value = Matrix> {
    vec(number(), rows * columns).prop_map(move |entries| {
        Array2::from_shape_vec((rows, columns), entries).expect("as many entries").into()
    })
}

fn sparse(rows: usize, columns: usize) -> impl Strategy<Value = Matrix> {
    // Each position at most once: repeated entries would be added and might overflow.
    vec(prop::option::weighted(0.3, number()), rows * columns).prop_map(move |entries| {
        let entries = entries.into_iter().enumerate();
        let entries = entries.filter_map(|(k, value)| Some((k / columns, k % columns, value?)));
        Csc::from_triplets(rows, columns, entries).expect("places inside").into()
    })
}

fn blocks(rows: usize, columns: usize) -> impl Strategy<Value = Matrix> {
    let partition = |n: usize| {
        vec(0..=n, 0..4).prop_map(move |mut cuts| {
            cuts.sort_unstable();
            let starts = std::iter::once(0).chain(cuts.iter().copied());
            let ends = cuts.iter().copied().chain([n]);
            starts.zip(ends).map(|(start, end)| end - start).collect::<Vec<_>>()
        })
    };
    (partition(rows), partition(columns)).prop_flat_map(|(rows, columns)| {
        let block = |(i, j), r, c| {
            prop::option::of(vec(number(), r * c)).prop_map(move |entries| {
                entries.map(|entries| (i, j, Array2::from_shape_vec((r, c), entries).expect("r x c entries")))
            })
        };
        let mut all = Vec::new();
        for (i, &r) in rows.iter().enumerate() {
            all.extend(columns.iter().enumerate().map(|(j, &c)| block((i, j), r, c)));
        }
        all.prop_map(move |blocks| {
            let blocks = blocks.into_iter().flatten().collect();
            BlockCsr::from_blocks(&rows, &columns, blocks).expect("blocks that fit").into()
        })
    })
}

fn matrix(rows: usize, columns: usize) -> impl Strategy<Value = Matrix> {
    prop_oneof![dense(rows, columns), sparse(rows, columns), blocks(rows, columns)]
}

fn linear() -> impl Strategy<Value = (Matrix, Array1<f64>)> {
    (0..6_usize).prop_flat_map(linear_of)
}

fn linear_of(n: usize) -> impl Strategy<Value = (Matrix, Array1<f64>)> {
    (matrix(n, n), numbers(n))
}

fn numbers(n: usize) -> impl Strategy<Value = Array1<f64>> {
    vec(number(), n).prop_map(Array1::from)
}

fn coefficients(n: usize) -> impl Strategy<Value = Vec<f64>> {
    vec(number().prop_map(f64::abs), n)
}

/// A law for some contacts; with rolling friction if `rolls` is `true`.
fn law(dimension: usize, rolls: bool, contacts: usize) -> impl Strategy<Value = ContactLawData> {
    (coefficients(contacts), coefficients(contacts)).prop_map(move |(mu, mu_rolling)| {
        if rolls {
            ContactLawData::rolling(dimension, mu, mu_rolling)
        } else {
            ContactLawData::coulomb(dimension, mu)
        }
    })
}

fn local(dimension: usize, rolls: bool) -> impl Strategy<Value = ContactData> {
    (0..4_usize).prop_flat_map(move |contacts| {
        (linear_of(dimension * contacts), law(dimension, rolls, contacts))
            .prop_map(|((w, q), law)| ContactData::new(w, q, law).expect("a good problem"))
    })
}

fn global(dimension: usize, rolls: bool) -> impl Strategy<Value = ContactData> {
    (0..4_usize, 0..6_usize).prop_flat_map(move |(contacts, freedoms)| {
        let n = dimension * contacts;
        (linear_of(freedoms), matrix(freedoms, n), numbers(n), law(dimension, rolls, contacts)).prop_map(
            |((m, f), h, w, law)| {
                ContactData::of_bodies(BodiesData { m, h, f, w }, law).expect("a good problem")
            },
        )
    })
}

fn second_order() -> impl Strategy<Value = ContactData> {
    vec(1..4_usize, 0..4).prop_flat_map(|sizes| {
        (linear_of(sizes.iter().sum()), coefficients(sizes.len())).prop_map(move |((m, q), tau)| {
            ContactData::new(m, q, ContactLawData::cones(&sizes, tau)).expect("a good problem")
        })
    })
}

/// Laws, including those that only JSON supports.
fn generic() -> impl Strategy<Value = GenericMechanicalProblem> {
    let relay = prop_oneof![Just(f64::INFINITY), number().prop_map(f64::abs)].prop_map(|bound| {
        MechanicalLaw::Relay { lower: vec![-bound, f64::NEG_INFINITY], upper: vec![bound, 1.0] }
    });
    let law = prop_oneof![
        (0..4_usize).prop_map(|size| MechanicalLaw::Equality { size }),
        (0..4_usize).prop_map(|size| MechanicalLaw::Complementarity { size }),
        number().prop_map(|mu| MechanicalLaw::Friction3 { mu: mu.abs() }),
        number().prop_map(|mu| MechanicalLaw::Friction2 { mu: mu.abs() }),
        number().prop_map(|mu| MechanicalLaw::Rolling3 { mu: mu.abs(), mu_rolling: 0.25 }),
        number().prop_map(|mu| MechanicalLaw::Rolling5 { mu: 0.5, mu_rolling: mu.abs() }),
        relay,
    ];
    vec(law, 0..4).prop_flat_map(|laws| {
        let sizes: Vec<usize> = laws.iter().map(MechanicalLaw::size).collect();
        let n = sizes.iter().sum();
        (vec(number(), n * n), numbers(n)).prop_map(move |(entries, q)| {
            let dense = Array2::from_shape_vec((n, n), entries).expect("n x n entries");
            let mut blocks = Vec::new();
            let mut first = 0;
            for (i, size) in sizes.iter().enumerate() {
                blocks.push((i, 0, dense.slice(ndarray::s![first..first + size, ..]).to_owned()));
                first += size;
            }
            let m = BlockCsr::from_blocks(&sizes, &[n], blocks).expect("they fit");
            GenericMechanicalProblem::new(m, q, laws.clone()).expect("a good problem")
        })
    })
}

fn problem() -> impl Strategy<Value = Problem> {
    let bound = || prop_oneof![3 => number(), 1 => Just(f64::INFINITY)];
    let row = prop_oneof![Just(MlcpRow::Equality), Just(MlcpRow::Complementarity)];
    prop_oneof![
        linear()
            .prop_map(|(m, q)| { LinearComplementarityProblem::new(m, q).expect("a good problem").into() }),
        (linear(), vec(row, 6)).prop_map(|((m, q), mut rows)| {
            rows.truncate(q.len());
            MixedLinearComplementarityProblem::new(m, q, rows).expect("a good problem").into()
        }),
        (linear(), vec((bound(), bound()), 6)).prop_map(|((m, q), bounds)| {
            // An infinite number denotes a missing bound.
            let lower = |(a, b): &(f64, f64)| {
                if a.is_infinite() { f64::NEG_INFINITY } else { a.min(*b) }
            };
            let n = q.len();
            let lower = bounds[..n].iter().map(lower).collect();
            let upper =
                bounds[..n].iter().map(|(a, b)| if a.is_infinite() { *b } else { a.max(*b) }).collect();
            BoxComplementarityProblem::new(m, q, lower, upper).expect("a good problem").into()
        }),
        local(2, false).prop_map(Problem::from),
        local(3, false).prop_map(Problem::from),
        global(2, false).prop_map(Problem::from),
        global(3, false).prop_map(Problem::from),
        local(3, true).prop_map(Problem::from),
        local(5, true).prop_map(Problem::from),
        global(3, true).prop_map(Problem::from),
        global(5, true).prop_map(Problem::from),
        second_order().prop_map(Problem::from),
        generic().prop_map(Problem::from),
    ]
}

/// Returns the numbers of a problem, bit for bit; `==` does not distinguish -0 from 0.
fn bits(problem: &Problem) -> String {
    format!("{problem:?}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn through_dat(problem in problem()) {
        let mut text = Vec::new();
        match problem.to_dat(&mut text) {
            Ok(()) => {}
            // Only JSON supports some of the laws.
            Err(error) => {
                prop_assert!(matches!(error.kind, Kind::UnsupportedStorage { .. }), "{error}");
                prop_assert_eq!(problem.class(), ProblemClass::Gmp);
                return Ok(());
            }
        }
        let read = Problem::from_dat(text.as_slice(), Some(problem.class())).expect("it was written so");
        prop_assert_eq!(bits(&read), bits(&problem));
    }

    #[test]
    fn through_json(problem in problem()) {
        let mut text = Vec::new();
        problem.to_json(&mut text).expect("there is memory");
        let read = Problem::from_json(text.as_slice()).expect("it was written so");
        prop_assert_eq!(bits(&read), bits(&problem));
    }
}

#[test]
fn through_files() {
    let problem: Problem = BoxComplementarityProblem::new(
        array![[2.0, 0.1], [1.0 / 3.0, -4e-300]],
        array![1.0, f64::MAX],
        array![f64::NEG_INFINITY, -1.0],
        array![0.5, f64::INFINITY],
    )
    .expect("a good problem")
    .into();
    for name in ["trip.dat", "trip.dat.gz", "trip.json", "trip.json.gz"] {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        problem.write(&path).expect("a scratch file");
        let compressed = fs::read(&path).expect("it was written").starts_with(&[0x1f, 0x8b]);
        assert_eq!(compressed, name.ends_with(".gz"));
        assert_eq!(
            Problem::read(&path, Some(ProblemClass::Relay)).expect("it was written so"),
            problem,
            "{name}"
        );
    }
    assert!(Problem::read(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("trip.json"), None).is_ok());
}

#[test]
fn a_dense_matrix_is_written_column_by_column() {
    let problem: Problem =
        LinearComplementarityProblem::new(array![[1.0, 2.0], [3.0, 4.5]], array![-1.0, 1e300])
            .expect("good")
            .into();
    let mut text = Vec::new();
    problem.to_dat(&mut text).expect("there is memory");
    assert_eq!(String::from_utf8_lossy(&text), "2\n0\n2\n2\n2 2\n1.0 3.0\n2.0 4.5\n-1.0 1e300\n");
}

#[test]
fn a_diagonal_needs_json() {
    let problem: Problem =
        LinearComplementarityProblem::new(array![1.0, 2.0], array![-1.0, 3.0]).expect("good").into();
    let refused = problem.to_dat(Vec::new()).expect_err("no such storage");
    assert!(matches!(refused.kind, Kind::UnsupportedStorage { .. }), "{refused}");
    let mut text = Vec::new();
    problem.to_json(&mut text).expect("there is memory");
    let expected = "{\"class\":\"lcp\",\"m\":{\"diagonal\":[1.0,2.0]},\"q\":[-1.0,3.0]}\n";
    assert_eq!(String::from_utf8_lossy(&text), expected);
    assert_eq!(Problem::from_json(text.as_slice()).expect("it was written so"), problem);
}

#[test]
fn every_order_of_sparse_text() {
    let expected = Csc::from_triplets(2, 2, [(0, 1, 4.0), (1, 1, 5.0)]).expect("inside");
    let columns = "2 v 2-by-2, nzmax: 2 nnz: 2, 1-norm: 9 col 0 : locations 0 to -1 col 1 : locations 0 to 1 0 : 4 1 : 5";
    let rows = "3 v 2-by-2, nzmax: 2 nnz: 2 row 0 : locations 0 to 0 1 : 4 row 1 : locations 1 to 1 1 : 5";
    let triplets = "1 some version triplet: 2-by-2, nzmax: 7 nnz: 2 1 1 : 5 0 1 4";
    for text in [columns, rows, triplets] {
        let problem = Problem::from_dat(format!("2 2 2 2 {text} -1 -2").as_bytes(), Some(ProblemClass::Lcp));
        let Ok(Problem::Lcp(problem)) = problem else { panic!("{text}: {problem:?}") };
        assert_eq!(
            problem,
            LinearComplementarityProblem::new(expected.clone(), array![-1.0, -2.0]).expect("good")
        );
    }
}

#[test]
fn both_forms_of_a_mixed_problem() {
    let head = "1 2"; // n, m
    let with_matrix = format!("1 0 {head} 0 1 3 0 1  0 3 3 3 3  1 4 7  2 5 8  3 6 9  -1 -2 -3");
    let with_blocks = format!("0 1 {head}  1  5 6 8 9  2 3  4 7  -1  -2 -3");
    let read = |text: &str| Problem::from_dat(text.as_bytes(), None).expect("a good one");
    let m = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
    let rows = vec![MlcpRow::Equality, MlcpRow::Complementarity, MlcpRow::Complementarity];
    let expected = MixedLinearComplementarityProblem::new(m, array![-1.0, -2.0, -3.0], rows).expect("good");
    assert_eq!(read(&with_matrix), expected.clone().into());
    assert_eq!(read(&with_blocks), expected.into());
}

/// A file of Siconos with three rows and two unknowns: q has as many entries as there are unknowns, and b
/// contains the last ones.
#[test]
fn a_mixed_problem_with_more_equalities_than_free_unknowns() {
    let text = "1 1 1 1  0 1 2  0 1  0 3 2  3 2  1 -1 1  -1 -1 1  0 1  1 1 -1 1 0 -1";
    let read = |text: &str| Problem::from_dat(text.as_bytes(), Some(ProblemClass::Mlcp));
    let Problem::Mlcp(problem) = read(text).expect("a good problem") else { panic!("a mixed problem") };
    let problem = problem.view();
    let (equality, complementarity) = (MlcpRow::Equality, MlcpRow::Complementarity);
    assert_eq!(problem.rows(), [equality, equality, complementarity]);
    // z_0 = z_2, z_0 + z_2 = 1, w = z_0 + z_2 - 1, and z_1 has no effect.
    assert_eq!(problem.m().to_dense(), array![[1.0, 0.0, -1.0], [-1.0, 0.0, -1.0], [1.0, 0.0, 1.0]]);
    assert_eq!(problem.q(), [0.0, 1.0, -1.0]);

    // Without the four matrices, q must be complete, and errors mention it.
    let short = text.replace("1 1 1 1  0", "1 0 1 1  0").replace("0 1  1 1 -1 1 0 -1", "0 1");
    let error = read(&short).expect_err("two of three");
    assert!(error.to_string().contains("q, one for each row of M"), "{error}");
    assert!(read(&format!("{short} -1")).is_ok());
    for (find, replacement, expected) in [
        ("1 1 -1 1 0 -1", "1 7 -1 1 0 -1", "entry (0, 0) of B is 7"),
        (
            "0 3 2  3 2  1 -1 1  -1 -1 1",
            "0 5 2  5 2  1 1 1 1 1  1 1 1 1 1",
            "at most 4, twice the number of unknowns",
        ),
        ("0 1 2  0 1", "0 1 2  1 0", "it must be equalities first"),
    ] {
        let error = read(&text.replace(find, replacement)).expect_err(replacement);
        assert!(error.to_string().contains(expected), "{replacement}: {error}");
    }
}

/// Contacts that never slip: `inf` in text, `"inf"` in JSON.
#[test]
fn infinite_coefficients_of_friction() {
    let text = "3 1\n0 3 3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1 3 4\ninf\n";
    let Ok(Problem::Contact(problem)) = Problem::from_dat(text.as_bytes(), Some(ProblemClass::Fc3d)) else {
        panic!("a good problem")
    };
    assert_eq!(problem.law().mu(), Some(&[f64::INFINITY][..]));
    let problem = Problem::from(problem);
    let (mut dat, mut json) = (Vec::new(), Vec::new());
    problem.to_dat(&mut dat).and_then(|()| problem.to_json(&mut json)).expect("there is memory");
    assert!(String::from_utf8_lossy(&json).contains(r#""mu":["inf"]"#), "{}", String::from_utf8_lossy(&json));
    assert_eq!(Problem::from_dat(dat.as_slice(), Some(ProblemClass::Fc3d)).expect("written so"), problem);
    assert_eq!(Problem::from_json(json.as_slice()).expect("written so"), problem);

    let refused = |text: &str| Problem::from_dat(text.as_bytes(), Some(ProblemClass::Fc3d)).expect_err(text);
    assert!(refused(&text.replace("inf", "1e999")).to_string().contains("found `1e999`"));
    assert!(refused(&text.replace("inf", "-inf")).to_string().contains("nonnegative number or inf"));
    for word in [r#""Inf""#, "null", r#""nan""#] {
        let json = format!(
            r#"{{"class": "fc3d", "w": {{"diagonal": [1, 1, 1]}}, "q": [-1, 0, 0], "mu": [{word}]}}"#
        );
        let error = Problem::from_json(json.as_bytes()).expect_err(word);
        assert!(error.to_string().contains(r#"a number or "inf""#), "{word}: {error}");
    }
    // A half-space is not a second-order cone.
    let cones = "1 1\n0 1 1\n1 1\n1\n-1\n0 1\ninf\n";
    assert!(Problem::from_dat(cones.as_bytes(), Some(ProblemClass::Soclcp)).is_err());
}
