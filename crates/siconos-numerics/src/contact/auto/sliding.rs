//! Counts of closed and sliding contacts at a point.

use siconos_linalg::norm;

use crate::contact::ContactLaw;

/// Fraction of the friction limit above which a contact counts as sliding. The sweeps put sliding contacts at
/// the limit, up to rounding.
const AT_LIMIT: f64 = 1.0 - 1e-9;

/// Counts of the closed contacts and of the closed contacts that slide.
#[derive(Clone, Copy, Debug, Default)]
struct Pressing {
    all: usize,
    sliding: usize,
}

impl Pressing {
    /// Counts the closed contacts at `r`. A contact at the friction limit slides.
    fn at(law: &ContactLaw<'_>, r: &[f64]) -> Self {
        let mut pressing = Self::default();
        for block in 0..law.blocks() {
            let r = &r[law.range(block)];
            if r[0] > 0.0 && law.has_shift() {
                // Rolling moments, which follow the tangential reactions, are ignored: small moments do not
                // hold a body.
                let cone = law.cone(block);
                let tangential = &cone.parts()[0];
                let limit = tangential.coefficient * r[0];
                let is_at_limit = limit > 0.0 && norm(&r[tangential.range.clone()]) >= AT_LIMIT * limit;
                pressing.all += 1;
                pressing.sliding += usize::from(is_at_limit);
            }
        }
        pressing
    }
}

/// Returns `true` if more than half of the closed contacts slide.
pub(super) fn most_slide(law: &ContactLaw<'_>, r: &[f64]) -> bool {
    let Pressing { all, sliding } = Pressing::at(law, r);
    2 * sliding > all
}

/// Returns `true` if friction appears to hold most bodies: at least seven eighths of all contacts are closed,
/// and at most half of the closed contacts slide.
pub(super) fn most_hold(law: &ContactLaw<'_>, r: &[f64]) -> bool {
    let Pressing { all, sliding } = Pressing::at(law, r);
    8 * all >= 7 * law.blocks() && 2 * sliding <= all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_at_the_limit_of_friction_are_counted() {
        let (mu, mu_rolling) = ([0.5, 0.5, 0.5], [0.25, 0.25, 0.25]);
        let law = ContactLaw::Coulomb { dimension: 2, mu: &mu };
        assert!(most_slide(&law, &[1.0, 0.5, 2.0, -1.0, 2.0, 0.0]));
        // One of two closed contacts slides, and the third contact is open.
        assert!(!most_slide(&law, &[1.0, 0.5, 2.0, 0.5, 0.0, 0.0]));
        assert!(!most_slide(&law, &[0.0; 6]));
        // Rolling friction: two of three contacts slide at the first point, and one at the second.
        let law = ContactLaw::Rolling { dimension: 3, mu: &mu, mu_rolling: &mu_rolling };
        assert!(most_slide(&law, &[1.0, 0.5, 0.25, 2.0, 1.0, -0.5, 4.0, 0.0, 0.0]));
        assert!(!most_slide(&law, &[1.0, 0.5, 0.25, 2.0, 0.0, -0.5, 4.0, 0.0, 0.0]));
        // All contacts are closed, and one slides.
        let law = ContactLaw::Coulomb { dimension: 2, mu: &mu };
        assert!(most_hold(&law, &[1.0, 0.5, 2.0, 0.5, 1.0, 0.0]));
        assert!(!most_hold(&law, &[1.0, 0.5, 2.0, 0.5, 0.0, 0.0]));
        assert!(!most_hold(&law, &[1.0, 0.5, 2.0, -1.0, 1.0, 0.0]));
        // Without friction, and for cones without a shift, no contact counts as sliding.
        let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.0; 3] };
        assert!(!most_slide(&law, &[1.0, 0.0, 2.0, 0.0, 2.0, 0.0]));
        let law = ContactLaw::SecondOrder { starts: &[0, 2, 4, 6], tau: &mu };
        assert!(!most_slide(&law, &[1.0, 0.5, 2.0, -1.0, 2.0, 0.0]));
    }
}
