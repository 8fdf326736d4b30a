//! Random solutions of a contact law, with contacts that are open, stick, slide, roll, or just touch.

use ndarray::Array2;

use siconos_numerics::contact::ContactLawData;

use crate::contact::{nearest, parts};
use crate::random::RandomState;

/// Returns reactions and velocities that satisfy the law. The velocities have a magnitude of about 1 and the
/// reactions of about $1 / W_{ii}$. The contacts listed in `immovable` are open.
pub(super) fn draw(
    law: &ContactLawData,
    w: &Array2<f64>,
    immovable: &[usize],
    random: &mut RandomState,
) -> (Vec<f64>, Vec<f64>) {
    let (mut r, mut u) = (vec![0.0; law.view().size()], vec![0.0; law.view().size()]);
    for i in 0..law.view().blocks() {
        let range = law.view().range(i);
        let compliance = w[[range.start, range.start]];
        let impulse = if compliance > 0.0 { 1.0 / compliance } else { 1.0 };
        let (r, u) = (&mut r[range.clone()], &mut u[range]);
        if matches!(law, ContactLawData::SecondOrder { .. }) {
            draw_cone(law, i, impulse, r, u, random);
        } else {
            draw_contact(law, i, immovable.contains(&i), impulse, r, u, random);
        }
    }
    (r, u)
}

/// Draws the reaction and the velocity of a second-order cone by Moreau's decomposition of a random vector.
fn draw_cone(
    law: &ContactLawData,
    i: usize,
    impulse: f64,
    r: &mut [f64],
    u: &mut [f64],
    random: &mut RandomState,
) {
    let lift = f64::from(random.integer(-1, 1)) * 1.5;
    let mut x: Vec<f64> = r.iter().map(|_| random.standard_normal()).collect();
    x[0] += lift;
    let foot = nearest(&parts(law, i), &x);
    for k in 0..x.len() {
        r[k] = foot[k] * impulse;
        u[k] = foot[k] - x[k];
    }
}

fn draw_contact(
    law: &ContactLawData,
    i: usize,
    is_immovable: bool,
    impulse: f64,
    r: &mut [f64],
    u: &mut [f64],
    random: &mut RandomState,
) {
    let is_open = is_immovable || random.uniform() < 0.3;
    // In 3 % of the contacts, both the normal reaction and the normal velocity are 0.
    let size = if random.uniform() < 0.03 { 0.0 } else { random.standard_normal().abs() };
    if is_open {
        u[0] = size;
        for (mu, part) in parts(law, i) {
            let unit = rolling_unit(law, &part, mu);
            part.for_each(|k| u[k] = random.standard_normal() / unit);
        }
        return;
    }
    let parts: Vec<_> = parts(law, i)
        .into_iter()
        .map(|(mu, part)| (mu, part, mu.is_finite() && random.uniform() < 0.5))
        .collect();
    // The divisor keeps the tangential reaction of a sliding contact near magnitude 1 / W_ii for any
    // coefficient.
    let friction = parts.iter().find(|(_, _, slides)| *slides).map_or(0.0, |(mu, ..)| *mu);
    r[0] = impulse * size / (1.0 + friction);
    for (mu, part, slides) in parts {
        let unit = rolling_unit(law, &part, mu);
        let direction: Vec<f64> = part.clone().map(|_| random.standard_normal()).collect();
        let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
        let most = if mu.is_finite() { mu * r[0] } else { f64::INFINITY };
        // A sticking reaction is inside the disc. Its magnitude is limited, because mu can be very large or
        // infinite.
        let amount = if slides { -most } else { random.uniform() * most.min(unit * impulse * size.min(1.0)) };
        for (k, x) in part.zip(&direction) {
            r[k] = amount * (x / length);
            u[k] = if slides { x / unit } else { 0.0 };
        }
    }
}

/// Returns the length that converts the angular velocities of a rolling part to velocities. For a tangential
/// part it is 1.
fn rolling_unit(law: &ContactLawData, part: &std::ops::Range<usize>, mu: f64) -> f64 {
    match law {
        ContactLawData::Rolling { .. } if part.start > 1 && mu > 0.0 => {
            2.0_f64.powi(mu.log2().round() as i32)
        }
        _ => 1.0,
    }
}
