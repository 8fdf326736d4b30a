//! Laws of one kind for all contacts, and what a measure needs to know of a law, written down apart from the
//! solvers.

use std::ops::Range;

use siconos_numerics::contact::ContactLawData;

use super::measure::length;

/// Coulomb friction with one coefficient for all contacts.
#[must_use]
pub fn coulomb(dimension: usize, contacts: usize, mu: f64) -> ContactLawData {
    ContactLawData::coulomb(dimension, vec![mu; contacts])
}

/// Rolling friction with one pair of coefficients for all contacts.
#[must_use]
pub fn rolling(dimension: usize, contacts: usize, mu: f64, mu_rolling: f64) -> ContactLawData {
    ContactLawData::rolling(dimension, vec![mu; contacts], vec![mu_rolling; contacts])
}

/// Second-order cones of the given numbers of components, all of one slope.
#[must_use]
pub fn cones(sizes: &[usize], tau: f64) -> ContactLawData {
    ContactLawData::cones(sizes, vec![tau; sizes.len()])
}

/// The bounds of a block: each a coefficient and the components that it bounds.
///
/// # Panics
///
/// For a law that is not known here.
#[must_use]
pub fn parts(law: &ContactLawData, i: usize) -> Vec<(f64, Range<usize>)> {
    let d = law.view().range(i).len();
    match law {
        ContactLawData::Coulomb { mu, .. } => vec![(mu[i], 1..d)],
        ContactLawData::SecondOrder { tau, .. } => vec![(tau[i], 1..d)],
        ContactLawData::Rolling { mu, mu_rolling, .. } => {
            let middle = 1 + (d - 1) / 2;
            vec![(mu[i], 1..middle), (mu_rolling[i], middle..d)]
        }
        other => panic!("a law that is not known here: {other:?}"),
    }
}

/// The shift $s(u)$ of a block.
#[must_use]
pub fn shift(law: &ContactLawData, i: usize, u: &[f64]) -> f64 {
    match law {
        ContactLawData::SecondOrder { .. } => 0.0,
        _ => parts(law, i).iter().map(|(mu, part)| mu * length(&u[part.clone()])).sum(),
    }
}

/// A name in a few words: the law, the blocks, the coefficients of the first.
#[must_use]
pub fn name_of_law(law: &ContactLawData) -> String {
    let kind = match law {
        ContactLawData::Coulomb { dimension, .. } => format!("coulomb{dimension}"),
        ContactLawData::Rolling { dimension, .. } => format!("rolling{dimension}"),
        _ => "cones".to_owned(),
    };
    let blocks = law.view().blocks();
    let coefficients = if blocks > 0 { parts(law, 0) } else { Vec::new() };
    let coefficients: Vec<String> = coefficients.iter().map(|(mu, _)| format!("{mu:.2}")).collect();
    format!("{kind} x {blocks} mu {}", coefficients.join(" "))
}
