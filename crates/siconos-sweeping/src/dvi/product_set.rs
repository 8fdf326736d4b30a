//! Set K of lambda, defined by the nonsmooth laws of a model.

use ndarray::Array2;
use siconos_numerics::cone::{ConvexSet, Interval, Polyhedron, SecondOrderCone};

use super::{DviError, DviSet};
use siconos_kernel::ModelError;
use siconos_kernel::model::{At, InteractionId, NonSmoothDynamicalSystem, NonSmoothLaw};

/// Convex set that contains the components of lambda of one block of a law.
enum Part {
    Bounds(Vec<f64>, Vec<f64>),
    Polyhedron(Polyhedron),
    Cone(SecondOrderCone, usize),
}

impl Part {
    fn size(&self) -> usize {
        match self {
            Self::Bounds(lower, _) => lower.len(),
            Self::Polyhedron(polyhedron) => polyhedron.dimension(),
            Self::Cone(_, size) => *size,
        }
    }

    fn project(&self, lambda: &mut [f64]) {
        match self {
            Self::Bounds(lower, upper) => {
                // Creating the interval does not fail, because the law has checked its bounds.
                if let Ok(interval) = Interval::new(lower, upper) {
                    interval.project(lambda);
                }
            }
            Self::Polyhedron(polyhedron) => polyhedron.project(lambda),
            Self::Cone(cone, _) => cone.project(lambda),
        }
    }
}

/// Returns K, the product of the sets of all blocks, as the simplest type of set that represents it.
pub(super) fn set_of(model: &NonSmoothDynamicalSystem) -> Result<DviSet, DviError> {
    let mut parts = Vec::new();
    for (interaction, it) in model.interactions().iter() {
        for _ in 0..it.size() / it.law().size().max(1) {
            parts.extend(parts_of(interaction, it.law(), model.at(0.0))?);
        }
    }
    let size: usize = parts.iter().map(Part::size).sum();
    if size == 0 {
        return Err(DviError::NoInteraction);
    }
    if parts.iter().any(|part| matches!(part, Part::Cone(..))) {
        return Ok(by_projection(parts));
    }
    if parts.iter().any(|part| matches!(part, Part::Polyhedron(_))) {
        return Ok(DviSet::Polyhedron(by_inequalities(&parts, size)?));
    }
    let (mut lower, mut upper) = (Vec::with_capacity(size), Vec::with_capacity(size));
    for part in parts {
        if let Part::Bounds(l, u) = part {
            lower.extend(l);
            upper.extend(u);
        }
    }
    let is_orthant = lower.iter().all(|l| *l == 0.0) && upper.iter().all(|u| *u == f64::INFINITY);
    Ok(if is_orthant { DviSet::Orthant } else { DviSet::Box { lower, upper } })
}

fn parts_of(interaction: InteractionId, law: &NonSmoothLaw, at: At<'_>) -> Result<Vec<Part>, DviError> {
    let refuse = |why| DviError::Interaction { interaction, why };
    let size = law.size();
    let bounds = |l: f64, u: f64| Part::Bounds(vec![l; size], vec![u; size]);
    let part = match law {
        NonSmoothLaw::Complementarity(_) => bounds(0.0, f64::INFINITY),
        NonSmoothLaw::Equality(_) => bounds(f64::NEG_INFINITY, f64::INFINITY),
        NonSmoothLaw::MixedComplementarity(mixed) => {
            let mut lower = vec![f64::NEG_INFINITY; mixed.equalities()];
            lower.resize(size, 0.0);
            Part::Bounds(lower, vec![f64::INFINITY; size])
        }
        NonSmoothLaw::Relay(relay) if relay.depends_on_time() => {
            return Err(refuse(
                "the bounds of its relay depend on time, but K must be constant; simulate the model by time-stepping, \
                 or use Dvi::new with the unknown v in [0, 1], where lambda = l(t) + (u(t) - l(t)) v",
            ));
        }
        NonSmoothLaw::Relay(relay) => {
            let (mut lower, mut upper) = (vec![0.0; size], vec![0.0; size]);
            relay.bounds_into(at, &mut lower, &mut upper)?;
            Part::Bounds(lower, upper)
        }
        NonSmoothLaw::NormalCone(cone) => Part::Polyhedron(cone.polyhedron().clone()),
        NonSmoothLaw::Cone(law) => return law.cones().iter().map(|size| cone(*size)).collect(),
        _ => return Err(refuse("its law is not an inclusion of lambda in a fixed convex set")),
    };
    Ok(vec![part])
}

/// Returns the set of a cone, which is a half-line if the cone has one component.
fn cone(size: usize) -> Result<Part, DviError> {
    if size == 1 {
        return Ok(Part::Bounds(vec![0.0], vec![f64::INFINITY]));
    }
    Ok(Part::Cone(SecondOrderCone::new(size, 1.0).map_err(ModelError::from)?, size))
}

fn by_projection(parts: Vec<Part>) -> DviSet {
    DviSet::projection(move |lambda| {
        let mut rest = lambda;
        for part in &parts {
            let (own, others) = std::mem::take(&mut rest).split_at_mut(part.size());
            part.project(own);
            rest = others;
        }
    })
}

/// Returns the product of the parts as a polyhedron. Its rows are the inequalities of the polyhedra, followed
/// by the finite lower bounds and the finite upper bounds.
fn by_inequalities(parts: &[Part], size: usize) -> Result<Polyhedron, ModelError> {
    // Each row is stored with the index of the first component to which it applies.
    let (mut rows, mut lower, mut upper) = (Vec::new(), Vec::new(), Vec::new());
    let mut first = 0;
    for part in parts {
        match part {
            Part::Polyhedron(polyhedron) => {
                let inequalities = polyhedron.k().iter().enumerate();
                rows.extend(inequalities.map(|(i, k)| (first, polyhedron.h().row(i).to_vec(), *k)));
            }
            Part::Bounds(l, u) => {
                lower.extend(l.iter().enumerate().map(|(j, l)| (first + j, vec![1.0], *l)));
                upper.extend(u.iter().enumerate().map(|(j, u)| (first + j, vec![-1.0], -u)));
            }
            Part::Cone(..) => {}
        }
        first += part.size();
    }
    rows.extend(lower.into_iter().chain(upper).filter(|(_, _, k)| k.is_finite()));
    let (mut h, mut k) = (Array2::zeros((rows.len(), size)), Vec::with_capacity(rows.len()));
    for (i, (first, row, value)) in rows.into_iter().enumerate() {
        for (j, entry) in row.into_iter().enumerate() {
            h[[i, first + j]] = entry;
        }
        k.push(value);
    }
    Ok(Polyhedron::new(h, k)?)
}
