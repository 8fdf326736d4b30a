//! Convex sets: projections are compared with the variational inequality of the nearest point, with closed
//! forms and with each other. Invalid sets are refused.

use ndarray::{Array2, array};
use siconos_numerics::cone::{
    Ball, ConvexSet, ConvexSetError, DykstraSettings, Ellipsoid, HalfSpace, Intersection, Interval, Orthant,
    Polyhedron, PolyhedronProjection, SecondOrderCone, Simplex, TransformedSet,
};
use siconos_numerics::{ProblemError, Status};
use siconos_testkit::compare::assert_close;
use siconos_testkit::random::RandomState;

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn projected(set: &dyn ConvexSet, x: &[f64]) -> Vec<f64> {
    let mut x = x.to_vec();
    set.project(&mut x);
    x
}

fn vector(random: &mut RandomState, n: usize, size: f64) -> Vec<f64> {
    (0..n).map(|_| random.between(-size, size)).collect()
}

/// Checks a projection. The point p is the nearest point to x if and only if (x - p) . (y - p) <= 0 for all
/// points y of the set. A projection does not increase distances.
#[track_caller]
fn assert_projection(name: &str, set: &dyn ConvexSet, n: usize, size: f64) {
    let mut random = RandomState::new(18);
    for _ in 0..1000 {
        let (x, z) = (vector(&mut random, n, size), vector(&mut random, n, size));
        let (p, y) = (projected(set, &x), projected(set, &z));
        let (normal, way) = (difference(&x, &p), difference(&y, &p));
        let product = dot(&normal, &way);
        let scale = size * size;
        assert!(product <= 1e-12 * scale, "{name}: {product:e} at {x:?} and {z:?}");
        let (apart, before) = (dot(&way, &way).sqrt(), dot(&difference(&x, &z), &difference(&x, &z)).sqrt());
        assert!(apart <= before + 1e-13 * size, "{name}: {apart} from {before}");
        // The relative error at a corner of nearly parallel faces is larger than the error at its faces.
        assert_close(name, &projected(set, &p), &p, 1e-11 * size, 0.0);
        assert!((set.distance(&x) - dot(&normal, &normal).sqrt()).abs() <= 1e-12 * size, "{name}");
        assert!(set.normality(&p, &normal) <= 1e-11 * size, "{name}: {:e}", set.normality(&p, &normal));
    }
}

fn pentagon() -> Polyhedron {
    let angles = (0..5).map(|k| 0.3 + f64::from(k) * std::f64::consts::TAU / 5.0);
    let rows: Vec<f64> = angles.flat_map(|angle| [-angle.cos(), -angle.sin()]).collect();
    Polyhedron::new(Array2::from_shape_vec((5, 2), rows).unwrap(), vec![-1.0; 5]).unwrap()
}

/// Returns twelve inequalities in five unknowns around a point.
fn polytope() -> Polyhedron {
    let mut random = RandomState::new(7);
    let h = Array2::from_shape_fn((12, 5), |_| random.between(-1.0, 1.0));
    let k: Vec<f64> = (0..12).map(|_| random.between(-2.0, -0.1)).collect();
    Polyhedron::new(h, k).unwrap()
}

#[test]
fn projections_are_nearest_points() {
    let size = 4.0;
    assert_projection("orthant", &Orthant, 4, size);
    let bounds = Interval::new(&[-1.0, 0.0, f64::NEG_INFINITY], &[0.5, 0.0, 2.0]).unwrap();
    assert_projection("interval", &bounds, 3, size);
    let half_space = HalfSpace::new(vec![1.0, -2.0, 0.5], 1.5).unwrap();
    assert_projection("half-space", &half_space, 3, size);
    assert_projection("ball", &Ball::new(vec![1.0, -1.0, 0.5], 1.25).unwrap(), 3, size);
    let q = array![[2.0, 0.5, 0.0], [0.5, 1.0, -0.3], [0.0, -0.3, 0.7]];
    assert_projection("ellipsoid", &Ellipsoid::new(vec![0.5, 0.0, -1.0], q.view()).unwrap(), 3, size);
    let needle = Ellipsoid::new(vec![0.0; 2], array![[1e6, 0.0], [0.0, 0.25]].view()).unwrap();
    assert_projection("needle", &needle, 2, size);
    assert_projection("simplex", &Simplex::new(1.5).unwrap(), 6, size);
    assert_projection("cone", &SecondOrderCone::new(4, 0.6).unwrap(), 4, size);
    assert_projection("pentagon", &pentagon(), 2, size);
    assert_projection("polytope", &polytope(), 5, size);
    let angle = 0.7_f64;
    let turn = array![[angle.cos(), -angle.sin()], [angle.sin(), angle.cos()]];
    let moved = TransformedSet::new(pentagon(), 2).rotated(turn.view()).unwrap().scaled(1.5).unwrap();
    assert_projection("moved", &moved.shifted(&[1.0, -0.5]).unwrap(), 2, size);
}

/// A projection of NaN must be NaN. With max(NaN, 0), which is 0, it would be a number.
#[test]
fn what_is_no_number_stays_none() {
    let bounds = Interval::new(&[-1.0, 0.0], &[0.5, 0.0]).unwrap();
    let turned = TransformedSet::new(pentagon(), 2).rotated(array![[0.0, -1.0], [1.0, 0.0]].view()).unwrap();
    let mut both = Intersection::default();
    both.add(pentagon());
    both.add(HalfSpace::new(vec![1.0, 0.0], 0.0).unwrap());
    let sets: [(&str, &dyn ConvexSet); 10] = [
        ("orthant", &Orthant),
        ("interval", &bounds),
        ("half-space", &HalfSpace::new(vec![1.0, -2.0], 1.5).unwrap()),
        ("ball", &Ball::new(vec![1.0, -1.0], 1.25).unwrap()),
        ("ellipsoid", &Ellipsoid::new(vec![0.5, 0.0], array![[2.0, 0.5], [0.5, 1.0]].view()).unwrap()),
        ("simplex", &Simplex::new(1.5).unwrap()),
        ("cone", &SecondOrderCone::new(2, 0.6).unwrap()),
        ("pentagon", &pentagon()),
        ("moved", &turned),
        ("intersection", &both),
    ];
    for (name, set) in sets {
        for x in [[f64::NAN, 0.1], [0.1, f64::NAN], [-9.0, f64::NAN], [f64::NAN; 2]] {
            let nearest = projected(set, &x);
            assert!(nearest.iter().any(|x| x.is_nan()), "{name}: {nearest:?} for {x:?}");
        }
    }
    let refused = both.project_reported(&mut [0.0, f64::NAN]).unwrap_err();
    assert!(matches!(refused, ConvexSetError::Problem(ProblemError::NotFinite { what: "x", index: 1, .. })));
}

#[test]
fn a_moved_set_is_the_set_of_moved_points() {
    let angle = -2.0_f64;
    let turn = array![[angle.cos(), -angle.sin()], [angle.sin(), angle.cos()]];
    let set = TransformedSet::new(Interval::new(&[-1.0, -0.5], &[1.0, 0.5]).unwrap(), 2);
    let moved = set.shifted(&[0.5, 2.0]).unwrap().rotated(turn.view()).unwrap().scaled(3.0).unwrap();
    // The corner (1, 1/2) is shifted, rotated and scaled in this order.
    let corner = [1.5, 2.5];
    let image = [
        3.0 * (turn[[0, 0]] * corner[0] + turn[[0, 1]] * corner[1]),
        3.0 * (turn[[1, 0]] * corner[0] + turn[[1, 1]] * corner[1]),
    ];
    assert_close("corner", &projected(&moved, &image), &image, 1e-14, 0.0);
    let beyond: Vec<f64> = (0..2).map(|i| image[i] + 0.1 * (turn[[i, 0]] + turn[[i, 1]])).collect();
    assert_close("beyond", &projected(&moved, &beyond), &image, 1e-13, 0.0);
}

#[test]
fn dykstra_finds_what_the_dual_problem_finds() {
    let settings = DykstraSettings { tolerance: 1e-13, ..DykstraSettings::default() };
    for (set, n) in [(pentagon(), 2), (polytope(), 5)] {
        let mut planes = Intersection::default().with_settings(settings).unwrap();
        for (row, k) in set.h().rows().into_iter().zip(set.k()) {
            planes.add(HalfSpace::new(row.to_vec(), *k).unwrap());
        }
        let mut random = RandomState::new(3);
        for _ in 0..50 {
            let x = vector(&mut random, n, 4.0);
            let mut nearest = x.clone();
            let info = planes.project_reported(&mut nearest).unwrap();
            assert_eq!(info.status, Status::Converged, "{info:?}");
            assert_close("nearest", &nearest, &projected(&set, &x), 1e-8, 0.0);
        }
    }
}

#[test]
fn dykstra_says_when_sets_do_not_meet() {
    let settings = DykstraSettings { max_cycles: 500, ..DykstraSettings::default() };
    let mut apart = Intersection::default().with_settings(settings).unwrap();
    assert_eq!(apart.project_reported(&mut [0.0]).unwrap_err(), ConvexSetError::NoSet);
    apart.add(Ball::new(vec![0.0, 0.0], 1.0).unwrap());
    apart.add(Ball::new(vec![3.0, 0.0], 1.0).unwrap());
    let info = apart.project_reported(&mut [0.5, 2.0]).unwrap();
    assert_eq!((info.status, info.iterations), (Status::MaxIterations, 500));
}

#[test]
fn an_empty_polyhedron_is_proved_to_be_and_leaves_points_alone() {
    let empty = Polyhedron::new(array![[1.0, 1.0], [-1.0, 0.0], [0.0, -2.0]], vec![2.0, -0.5, -1.0]).unwrap();
    let proof = empty.emptiness().expect("x_1 + x_2 >= 2 with both at most 1/2");
    let sum: Vec<f64> = (0..2).map(|j| (0..3).map(|i| proof[i] * empty.h()[[i, j]]).sum()).collect();
    assert_close("H^T y", &sum, &[0.0; 2], 1e-12, 0.0);
    assert!(proof.iter().all(|y| *y >= 0.0) && dot(&proof, empty.k()) > 0.0, "{proof:?}");
    let info = PolyhedronProjection::new(&empty).project(&mut [3.0, 4.0]).unwrap();
    assert!(!info.status.is_success(), "{info:?}");
    assert_eq!(projected(&empty, &[3.0, 4.0]), [3.0, 4.0]);
    assert!(pentagon().emptiness().is_none() && polytope().emptiness().is_none());
    assert!(pentagon().is_bounded() && !Polyhedron::new(array![[1.0, 2.0]], vec![0.0]).unwrap().is_bounded());
}

/// In the metric of P, P (x - y) at the nearest point y is a combination of the rows.
#[test]
fn a_metric_turns_the_normals() {
    let p = array![[3.0, 1.0], [1.0, 2.0]];
    let set = pentagon();
    let mut projection = PolyhedronProjection::new(&set).with_metric(p.view()).unwrap();
    let mut random = RandomState::new(5);
    for _ in 0..200 {
        let y = vector(&mut random, 2, 4.0);
        let mut x = y.clone();
        assert!(projection.project(&mut x).unwrap().status.is_success());
        let way = difference(&x, &y);
        let l = projection.multipliers();
        for i in 0..2 {
            let force: f64 = (0..5).map(|k| set.h()[[k, i]] * l[k]).sum();
            assert!((p[[i, 0]] * way[0] + p[[i, 1]] * way[1] - force).abs() < 1e-12);
        }
        for ((row, k), l) in set.h().rows().into_iter().zip(set.k()).zip(l) {
            let gap = row[0] * x[0] + row[1] * x[1] - k;
            assert!(gap > -1e-12 && *l >= 0.0 && gap * l < 1e-11, "{gap} {l}");
        }
    }
}

/// All sizes are multiplied by a power of two. The digits of the projection do not change.
#[test]
fn no_projection_has_a_unit() {
    let q = array![[2.0, 0.5], [0.5, 1.0]];
    for exponent in [-40, 40] {
        let unit = 2.0_f64.powi(exponent);
        let pentagon_of = |unit: f64| Polyhedron::new(pentagon().h().to_owned(), vec![-unit; 5]).unwrap();
        let pairs: [(Box<dyn ConvexSet>, Box<dyn ConvexSet>); 5] = [
            (Box::new(pentagon_of(1.0)), Box::new(pentagon_of(unit))),
            (
                Box::new(Ball::new(vec![1.0, 0.5], 0.7).unwrap()),
                Box::new(Ball::new(vec![unit, 0.5 * unit], 0.7 * unit).unwrap()),
            ),
            (
                Box::new(Ellipsoid::new(vec![1.0, 0.5], q.view()).unwrap()),
                Box::new(Ellipsoid::new(vec![unit, 0.5 * unit], (&q / unit / unit).view()).unwrap()),
            ),
            (Box::new(Simplex::new(1.5).unwrap()), Box::new(Simplex::new(1.5 * unit).unwrap())),
            (
                Box::new(HalfSpace::new(vec![1.0, -3.0], 0.5).unwrap()),
                Box::new(HalfSpace::new(vec![1.0, -3.0], 0.5 * unit).unwrap()),
            ),
        ];
        let mut random = RandomState::new(11);
        for _ in 0..100 {
            let x = vector(&mut random, 2, 4.0);
            let large: Vec<f64> = x.iter().map(|x| x * unit).collect();
            for (place, (set, moved)) in pairs.iter().enumerate() {
                let expected: Vec<f64> = projected(&**set, &x).iter().map(|x| x * unit).collect();
                assert_eq!(projected(&**moved, &large), expected, "set {place}, {x:?}");
            }
        }
    }
}

#[test]
fn bounds_that_move_start_from_the_last_multipliers() {
    let mut projection = PolyhedronProjection::new(&pentagon());
    let mut largest = 0;
    for step in 0..200 {
        let radius = 1.0 + 0.3 * (0.1 * f64::from(step)).sin();
        projection.k_mut().fill(-radius);
        let mut x = [3.0, 1.0];
        let info = projection.project(&mut x).unwrap();
        assert!(info.status.is_success());
        largest = if step > 0 { info.iterations.max(largest) } else { largest };
        let fresh = Polyhedron::new(pentagon().h().to_owned(), vec![-radius; 5]).unwrap();
        assert_close("nearest", &x, &projected(&fresh, &[3.0, 1.0]), 1e-13, 0.0);
    }
    assert!(largest <= 1, "{largest}");
    projection.move_both(|h, k| {
        h[[0, 0]] = -2.0;
        k[0] = 0.5;
    });
    let (h, k) = projection.inequalities();
    let fresh = Polyhedron::new(h.to_owned(), k.to_vec()).unwrap();
    let mut x = [3.0, 1.0];
    assert!(projection.project(&mut x).unwrap().status.is_success());
    assert_close("moved", &x, &projected(&fresh, &[3.0, 1.0]), 1e-13, 0.0);
}

#[test]
fn what_is_no_set() {
    let zero = ConvexSetError::ZeroRow { what: "a", row: 0 };
    assert_eq!(HalfSpace::new(vec![0.0, 0.0], 1.0), Err(zero));
    assert!(matches!(
        HalfSpace::new(vec![1.0], f64::NAN),
        Err(ConvexSetError::Problem(ProblemError::NotFinite { .. }))
    ));
    for radius in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            Ball::new(vec![0.0], radius),
            Err(ConvexSetError::NotPositive { what: "radius", .. })
        ));
        assert!(matches!(Simplex::new(radius), Err(ConvexSetError::NotPositive { .. })));
        assert!(matches!(SecondOrderCone::new(3, radius), Err(ConvexSetError::NotPositive { .. })));
        assert!(TransformedSet::new(Orthant, 2).scaled(radius).is_err());
    }
    assert!(SecondOrderCone::new(0, 1.0).is_err());
    for q in [array![[1.0, 0.5], [0.4, 1.0]], array![[1.0, 2.0], [2.0, 1.0]], array![[1.0, 0.0], [0.0, 0.0]]]
    {
        let error = Ellipsoid::new(vec![0.0; 2], q.view()).unwrap_err();
        assert!(matches!(error, ConvexSetError::NotPositiveDefinite { what: "Q", .. }), "{error}");
        let projection = PolyhedronProjection::new(&pentagon()).with_metric(q.view());
        assert!(matches!(projection.map(|_| ()), Err(ConvexSetError::NotPositiveDefinite { what: "P", .. })));
    }
    let nan = Ellipsoid::new(vec![0.0; 2], array![[1.0, f64::NAN], [f64::NAN, 1.0]].view());
    assert!(matches!(nan, Err(ConvexSetError::Problem(ProblemError::NotFinite { what: "Q", index: 1, .. }))));
    let zero_row = Polyhedron::new(array![[1.0, 0.0], [0.0, 0.0]], vec![0.0, -1.0]).unwrap_err();
    assert_eq!(zero_row, ConvexSetError::ZeroRow { what: "H", row: 1 });
    assert!(zero_row.to_string().contains("row 1"), "{zero_row}");
    assert!(Polyhedron::new(array![[1.0]], vec![0.0, 1.0]).is_err());
    let skew = TransformedSet::new(Orthant, 2).rotated(array![[1.0, 0.1], [0.0, 1.0]].view()).unwrap_err();
    assert!(matches!(skew, ConvexSetError::NotOrthogonal { first: 0, second: 1, .. }), "{skew}");
    assert!(TransformedSet::new(Orthant, 2).shifted(&[1.0]).is_err());
    let larger = TransformedSet::new(Orthant, 2).rotated(Array2::eye(3).view()).unwrap_err();
    assert!(
        matches!(larger, ConvexSetError::Problem(ProblemError::WrongLength { what: "R", .. })),
        "{larger}"
    );
    assert!(
        Intersection::default()
            .with_settings(DykstraSettings { tolerance: 0.0, ..Default::default() })
            .is_err()
    );
}

/// Many more faces than unknowns. Many faces meet in one corner, and some occur twice.
#[test]
fn corners_where_many_faces_meet() {
    let mut random = RandomState::new(23);
    for (n, p) in [(2, 20), (3, 40), (6, 60), (10, 100), (20, 120)] {
        let corner = vector(&mut random, n, 1.0);
        let mut rows: Vec<Vec<f64>> = (0..p).map(|_| vector(&mut random, n, 1.0)).collect();
        rows.extend(rows.clone().into_iter().take(p / 2));
        // All faces contain the corner and are oriented so that a common direction points inside.
        let inside = vector(&mut random, n, 1.0);
        for row in &mut rows {
            if dot(row, &inside) < 0.0 {
                row.iter_mut().for_each(|entry| *entry = -*entry);
            }
        }
        let k: Vec<f64> = rows.iter().map(|row| dot(row, &corner)).collect();
        let h = Array2::from_shape_vec((rows.len(), n), rows.concat()).unwrap();
        let set = Polyhedron::new(h, k).unwrap();
        let mut projection = PolyhedronProjection::new(&set);
        for _ in 0..20 {
            let x = vector(&mut random, n, 4.0);
            let mut nearest = x.clone();
            let info = projection.project(&mut nearest).unwrap();
            assert!(info.status.is_success(), "{n} {p}: {info:?}");
            let normal = difference(&x, &nearest);
            assert!(set.normality(&nearest, &normal) < 1e-9, "{n} {p}");
            let h = set.h();
            let rows = h.rows().into_iter().zip(set.k());
            let gaps = rows.map(|(row, k)| dot(row.as_slice().unwrap(), &nearest) - k);
            assert!(gaps.fold(f64::INFINITY, f64::min) > -1e-10);
        }
    }
}
