//! Largest separation of two convex sets over all normals.
//!
//! The separation along a unit normal is the distance of the support planes of both sets. Its largest value
//! is the distance of sets that do not overlap, and minus the depth of an overlap. The closest points give
//! the normal only if their distance is large compared with rounding errors. Therefore the sets are moved
//! apart along the last normal, and the direction of their closest points is the next normal. The separation
//! increases in each iteration, and the normal with the largest separation is a fixed point.

use siconos_kernel::engine::vector::{add, difference, dot, length, scaled, unit};

use super::closest::Simplex;
use super::support::{SupportMap, Translated};
use super::{ROUNDING, newton};

/// Normal with the largest separation.
pub(super) struct Nearest {
    /// Unit vector from the second set to the first.
    pub(super) normal: [f64; 3],
    /// Separation along the normal; negative if the sets overlap.
    pub(super) separation: f64,
    /// Point of each set.
    pub(super) points: [[f64; 3]; 2],
    pub(super) simplex: Simplex,
    /// Bound on the error of the distance after the sets were moved apart.
    error: f64,
}

/// Distance of sets that are moved apart, as a fraction of the size.
const CLEARANCE: f64 = 1.0 / 1024.0;

/// Size of the smaller set below which the clearance does not decrease, as a fraction of the larger size.
const SMALL: f64 = 1.0 / 32.0;

/// Maximum number of iterations.
const MOST_ITERATIONS: usize = 40;

/// Maximum number of Newton steps.
const MOST_STEPS: usize = 8;

/// Tolerances of distances for the result and for the comparison of starting normals, as fractions of the
/// size.
const EXACT: f64 = 1e-14;
const COARSE: f64 = 1e-10;

/// Largest error of a distance that is not computed again, as a fraction of the size.
const ACCURATE: f64 = 1e-11;

/// Multiples of the clearance of the last iterations.
const FACTORS: [f64; 4] = [1.0, 1.0 / 16.0, 4.0, 1.0 / 256.0];

/// Depth of an overlap below which one normal is enough, as a fraction of the size.
const TOUCHING: f64 = 1e-10;

/// Number of starting normals from which an overlap is maximised.
const STARTS: usize = 16;

/// Iterations from each starting normal.
const TRIALS: usize = 8;

/// Multiple of the smallest depth up to which the first iterate from a starting normal is improved.
const PROMISING: f64 = 4.0;

/// Cosine of the largest angle between iterates that lead to one local maximum.
const SAME: f64 = 1.0 - 1e-10;

/// Depth up to which all first iterates are improved, as a fraction of the size.
const SHALLOW: f64 = 1.0 / 32.0;

/// Cosine of the smallest angle between two starting normals.
const DISTINCT: f64 = 0.95;

/// Pair of convex sets.
pub(super) struct Pair<'a> {
    pub(super) sets: [&'a dyn SupportMap; 2],
    pub(super) sizes: [f64; 2],
}

impl Pair<'_> {
    /// Returns the normal with the largest separation; `None` if the separation exceeds `around`.
    pub(super) fn nearest(&self, around: f64) -> Option<Nearest> {
        let ([a, b], [small, large]) = (self.relative(), self.ordered_sizes());
        let clearance = CLEARANCE * small.max(SMALL * large);
        let centres = difference(a.centre(), b.centre());
        let start = if dot(centres, centres) > 0.0 { centres } else { [0.0, 0.0, 1.0] };
        let direct =
            Simplex::closest_to_origin(&a, &b, start, EXACT * large).and_then(|simplex| self.direct(simplex));
        let best = match direct {
            Some(own) if own.separation > around => return None,
            Some(own) if own.separation >= clearance && own.error <= ACCURATE * large => own,
            // The separation of sets that are apart has no local maxima.
            Some(own) if own.separation > 0.0 => self.improved(own, clearance, MOST_ITERATIONS, EXACT),
            _ => self.deepest(start, clearance)?,
        };
        Some(self.aligned(self.refined(best))).filter(|best| best.separation <= around)
    }

    /// Returns the largest separation of sets that overlap, from several starting normals.
    fn deepest(&self, centres: [f64; 3], clearance: f64) -> Option<Nearest> {
        let large = self.ordered_sizes()[1];
        let mut trials: Vec<Nearest> = Vec::with_capacity(STARTS);
        for normal in self.starts(centres) {
            let Some(trial) = self.next(normal, clearance, COARSE) else { continue };
            // An overlap has no positive separation, so other normals have hardly a larger one.
            if trial.separation > -TOUCHING * large {
                return Some(self.improved(trial, clearance, MOST_ITERATIONS, EXACT));
            }
            trials.push(trial);
        }
        trials.sort_by(|a, b| b.separation.total_cmp(&a.separation));
        let deepest = PROMISING * trials.first()?.separation.min(-SHALLOW * large);
        let mut improved: Vec<[f64; 3]> = Vec::with_capacity(STARTS);
        let mut best: Option<Nearest> = None;
        for trial in trials.into_iter().filter(|trial| trial.separation >= deepest) {
            if improved.iter().any(|own| dot(*own, trial.normal) > SAME) {
                continue;
            }
            improved.push(trial.normal);
            let own = self.refined(self.improved(trial, clearance, TRIALS, COARSE));
            improved.push(own.normal);
            let is_larger = |best: &Nearest| own.separation > best.separation + ROUNDING * large;
            if best.as_ref().is_none_or(is_larger) {
                best = Some(own);
            }
        }
        best.map(|best| self.improved(best, clearance, MOST_ITERATIONS, EXACT))
    }

    /// Returns the sets relative to the centre of the second set.
    fn relative(&self) -> [Translated<'_>; 2] {
        let origin = self.sets[1].centre();
        self.sets.map(|set| Translated { set, origin, by: [0.0; 3] })
    }

    fn ordered_sizes(&self) -> [f64; 2] {
        let [a, b] = self.sizes;
        [a.min(b), a.max(b)]
    }

    fn separation(&self, normal: [f64; 3]) -> f64 {
        let [a, b] = self.relative();
        let ends = [a.farthest(scaled(-1.0, normal)), b.farthest(normal)];
        dot(normal, difference(ends[0].point, ends[1].point))
    }

    /// Returns the normal of closest points.
    fn direct(&self, simplex: Simplex) -> Option<Nearest> {
        let points = simplex.points();
        let apart = difference(points[0], points[1]);
        let normal = unit(apart)?;
        let separation = self.separation(normal);
        Some(Nearest { normal, separation, points, simplex, error: length(apart) - separation })
    }

    /// Returns the direction of the closest points after the first set is moved along a normal.
    fn next(&self, normal: [f64; 3], clearance: f64, tolerance: f64) -> Option<Nearest> {
        let [a, b] = self.relative();
        let by = scaled((clearance - self.separation(normal)).max(0.0), normal);
        let moved = Translated { by, ..a };
        let tolerance = tolerance * self.ordered_sizes()[1];
        let simplex = Simplex::closest_to_origin(&moved, &b, normal, tolerance)?;
        let [p, q] = simplex.points();
        let apart = difference(p, q);
        let next = unit(apart)?;
        let separation = self.separation(next);
        let error = length(apart) - dot(next, by) - separation;
        Some(Nearest { normal: next, separation, points: [difference(p, by), q], simplex, error })
    }

    /// Iterates until the separation does not increase. The closest points are computed with rounding errors
    /// that depend on the clearance, so the last normals are computed with several clearances.
    fn improved(&self, mut best: Nearest, clearance: f64, most: usize, tolerance: f64) -> Nearest {
        let large = self.ordered_sizes()[1];
        let mut factors = FACTORS.into_iter();
        let Some(mut factor) = factors.next() else { return best };
        let mut normal = best.normal;
        for _ in 0..most {
            let Some(next) = self.next(normal, factor * clearance, tolerance) else { break };
            let gain = next.separation - best.separation;
            let accuracy = ACCURATE.max(tolerance) * large;
            let is_accurate = next.error <= accuracy;
            if gain > 0.0 {
                normal = self.extrapolated(best.normal, &next);
                best = next;
            }
            if gain <= accuracy {
                if is_accurate || tolerance > EXACT {
                    break;
                }
                let Some(other) = factors.next() else { break };
                factor = other;
            }
        }
        best
    }

    /// Continues a change of the normal as long as the separation increases. Without this step, the iteration
    /// is slow if the separation hardly depends on the normal.
    fn extrapolated(&self, from: [f64; 3], next: &Nearest) -> [f64; 3] {
        let change = difference(next.normal, from);
        let (mut normal, mut separation, mut step) = (next.normal, next.separation, 1.0);
        while step * dot(change, change).sqrt() < 1.0 {
            let Some(farther) = unit(add(next.normal, scaled(step, change))) else { break };
            let own = self.separation(farther);
            if own <= separation {
                break;
            }
            (normal, separation, step) = (farther, own, 2.0 * step);
        }
        normal
    }

    /// Improves the normal with Newton steps.
    fn refined(&self, mut best: Nearest) -> Nearest {
        let ([a, b], large) = (self.relative(), self.ordered_sizes()[1]);
        for _ in 0..MOST_STEPS {
            let from = best.separation;
            newton::steps([&a, &b], best.normal, large, |step| {
                let separation = self.separation(step.normal);
                if separation > best.separation {
                    best = Nearest { normal: step.normal, separation, points: step.points, ..best };
                }
            });
            if best.separation - from <= EXACT * large {
                break;
            }
        }
        best
    }

    /// Returns the starting normals with the largest separations.
    fn starts(&self, centres: [f64; 3]) -> Vec<[f64; 3]> {
        let mut all: Vec<[f64; 3]> = unit(centres).into_iter().collect();
        for (set, sign) in self.sets.into_iter().zip([-1.0, 1.0]) {
            all.extend(set.faces().iter().map(|face| scaled(sign, face.normal)));
            all.extend(set.frame().into_iter().flat_map(around));
        }
        let mut rated: Vec<(f64, [f64; 3])> = all.into_iter().map(|n| (self.separation(n), n)).collect();
        rated.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut chosen: Vec<[f64; 3]> = Vec::new();
        for (_, normal) in rated {
            if chosen.len() < STARTS && chosen.iter().all(|own| dot(*own, normal) < DISTINCT) {
                chosen.push(normal);
            }
        }
        chosen
    }

    /// Replaces the normal by the normal of a face that has the same separation except for rounding.
    fn aligned(&self, mut best: Nearest) -> Nearest {
        let large = self.ordered_sizes()[1];
        let [a, b] = self.sets;
        for (set, sign) in [(b, 1.0), (a, -1.0)] {
            let along = |normal: [f64; 3]| sign * dot(best.normal, normal);
            let faces = set.faces().iter().map(|face| face.normal);
            let Some(normal) = faces.max_by(|x, y| along(*x).total_cmp(&along(*y))) else { continue };
            if along(normal) < 0.999 {
                continue;
            }
            let normal = scaled(sign, normal);
            let separation = self.separation(normal);
            if separation >= best.separation - ROUNDING * large {
                (best.normal, best.separation) = (normal, separation);
                break;
            }
        }
        // The points of the result are in the inertial frame.
        let p = add(best.points[0], b.centre());
        best.points = [p, add(p, scaled(-best.separation, best.normal))];
        best
    }
}

/// Returns unit vectors in all directions: the axes of a frame, and the diagonals between two and three axes.
fn around([a, b, c]: [[f64; 3]; 3]) -> impl Iterator<Item = [f64; 3]> {
    let sign = |digit: u32| f64::from(digit % 3) - 1.0;
    (0..27_u32).filter_map(move |k| {
        unit(add(scaled(sign(k), a), add(scaled(sign(k / 3), b), scaled(sign(k / 9), c))))
    })
}
