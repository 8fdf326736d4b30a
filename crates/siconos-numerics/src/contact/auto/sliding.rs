//! Numbers of closed and of sliding contacts.

use siconos_linalg::norm;

use crate::contact::ContactLaw;

/// A contact is counted as sliding if its tangential reaction is at least this fraction of the friction
/// limit. Sweeps produce sliding contacts at the limit, within rounding errors.
const AT_LIMIT: f64 = 1.0 - 1e-9;

/// Number of closed contacts, and number of those that slide.
#[derive(Clone, Copy, Debug, Default)]
struct Pressing {
    all: usize,
    sliding: usize,
}

impl Pressing {
    /// Counts the closed and the sliding contacts for the reactions `r`. A contact at the friction limit
    /// slides.
    fn at(law: &ContactLaw<'_>, r: &[f64]) -> Self {
        let mut pressing = Self::default();
        for block in 0..law.blocks() {
            let r = &r[law.range(block)];
            if r[0] > 0.0 && law.has_shift() {
                // Rolling moments are ignored, because small moments do not hold a body in place.
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

/// Returns `true` if most bodies appear to be at rest due to friction. The condition is that at least seven
/// eighths of all contacts are closed, and at most half of the closed contacts slide.
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
        // Rolling friction: with the first reactions, two of three contacts slide; with the second, one
        // slides.
        let law = ContactLaw::Rolling { dimension: 3, mu: &mu, mu_rolling: &mu_rolling };
        assert!(most_slide(&law, &[1.0, 0.5, 0.25, 2.0, 1.0, -0.5, 4.0, 0.0, 0.0]));
        assert!(!most_slide(&law, &[1.0, 0.5, 0.25, 2.0, 0.0, -0.5, 4.0, 0.0, 0.0]));
        // All contacts are closed, and one slides.
        let law = ContactLaw::Coulomb { dimension: 2, mu: &mu };
        assert!(most_hold(&law, &[1.0, 0.5, 2.0, 0.5, 1.0, 0.0]));
        assert!(!most_hold(&law, &[1.0, 0.5, 2.0, 0.5, 0.0, 0.0]));
        assert!(!most_hold(&law, &[1.0, 0.5, 2.0, -1.0, 1.0, 0.0]));
        // Without friction, and for cones without a shift, no contact is counted as sliding.
        let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.0; 3] };
        assert!(!most_slide(&law, &[1.0, 0.0, 2.0, 0.0, 2.0, 0.0]));
        let law = ContactLaw::SecondOrder { starts: &[0, 2, 4, 6], tau: &mu };
        assert!(!most_slide(&law, &[1.0, 0.5, 2.0, -1.0, 2.0, 0.0]));
    }
}
