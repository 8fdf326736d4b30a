//! Contact laws with equal coefficients for all contacts. The bounds of a law are implemented independently
//! of the solvers.

use std::ops::Range;

use siconos_numerics::contact::ContactLawData;

use super::measure::length;

/// Returns Coulomb friction with one coefficient for all contacts.
#[must_use]
pub fn coulomb(dimension: usize, contacts: usize, mu: f64) -> ContactLawData {
    ContactLawData::coulomb(dimension, vec![mu; contacts])
}

/// Returns rolling friction with one sliding and one rolling coefficient for all contacts.
#[must_use]
pub fn rolling(dimension: usize, contacts: usize, mu: f64, mu_rolling: f64) -> ContactLawData {
    ContactLawData::rolling(dimension, vec![mu; contacts], vec![mu_rolling; contacts])
}

/// Returns second-order cones with the given numbers of components and the same slope `tau`.
#[must_use]
pub fn cones(sizes: &[usize], tau: f64) -> ContactLawData {
    ContactLawData::cones(sizes, vec![tau; sizes.len()])
}

/// Returns the bounds of block `i`. Each consists of a coefficient and the range of the components whose norm
/// must not exceed the coefficient times the first component.
///
/// # Panics
///
/// If the law is not one of Coulomb friction, rolling friction and second-order cones.
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

/// Returns the shift $s(u)$ of block `i`, the sum of coefficient times norm over the bounded components of
/// the velocity. It is 0 for second-order cones.
#[must_use]
pub fn shift(law: &ContactLawData, i: usize, u: &[f64]) -> f64 {
    match law {
        ContactLawData::SecondOrder { .. } => 0.0,
        _ => parts(law, i).iter().map(|(mu, part)| mu * length(&u[part.clone()])).sum(),
    }
}

/// Returns a short name with the law, the number of blocks and the coefficients of the first block.
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
