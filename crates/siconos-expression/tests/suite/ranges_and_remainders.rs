//! Functions that limit a number to a range, or reduce it to a range by multiples of another number.

use crate::model::{Banks, assert_same};
use crate::values::{SPECIAL, value};

#[test]
fn values_are_kept_in_a_range() {
    for (a, low) in SPECIAL.into_iter().flat_map(|a| SPECIAL.map(|low| (a, low))) {
        for high in SPECIAL {
            let mut slots = Banks::new();
            for (name, value) in [("y", a), ("z", low), ("k", high)] {
                slots.set(name, value);
            }
            let found = value("clamp(y, z, k)", &slots);
            let expected = if low <= high {
                a.clamp(low, high)
            } else if a < low {
                low
            } else if a > high {
                high
            } else {
                a
            };
            assert_same(found, expected, &format!("clamp({a}, {low}, {high})"));
        }
    }
}

#[test]
fn remainders_have_the_sign_of_one_operand() {
    for (a, b) in [(7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (-7.5, -2.0)] {
        let mut slots = Banks::new();
        slots.set("y", a);
        slots.set("z", b);
        let (of_dividend, of_divisor) = (value("y % z", &slots), value("mod(y, z)", &slots));
        assert_eq!((of_dividend.signum(), of_divisor.signum()), (a.signum(), b.signum()), "{a}, {b}");
        assert_eq!((of_dividend - a) % b, 0.0, "{a}, {b}");
        assert_eq!((of_divisor - a) % b, 0.0, "{a}, {b}");
    }
}
