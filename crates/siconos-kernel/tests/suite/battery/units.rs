//! Units that differ from SI units by powers of two, and the dimensions of all quantities of a model.
//!
//! A model is written in SI units, each number with its dimension. In units that differ by powers of two,
//! every number is multiplied by a power of two, which is exact. If a program adds only numbers of equal
//! dimension, all its operations commute with the scaling, and the motion has to be the same to the last bit.

use std::ops::{Div, Mul};

/// Exponents of kilogram, metre, second and ampere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dimension {
    kg: i32,
    m: i32,
    s: i32,
    a: i32,
}

impl Dimension {
    const fn new(kg: i32, m: i32, s: i32, a: i32) -> Self {
        Self { kg, m, s, a }
    }
}

/// Dimension of angles, ratios and coefficients.
pub(crate) const NUMBER: Dimension = Dimension::new(0, 0, 0, 0);
pub(crate) const ANGLE: Dimension = NUMBER;
pub(crate) const MASS: Dimension = Dimension::new(1, 0, 0, 0);
pub(crate) const LENGTH: Dimension = Dimension::new(0, 1, 0, 0);
pub(crate) const TIME: Dimension = Dimension::new(0, 0, 1, 0);
pub(crate) const CURRENT: Dimension = Dimension::new(0, 0, 0, 1);
pub(crate) const VOLTAGE: Dimension = Dimension::new(1, 2, -3, -1);
pub(crate) const ENERGY: Dimension = Dimension::new(1, 2, -2, 0);
pub(crate) const FREQUENCY: Dimension = Dimension::new(0, 0, -1, 0);
pub(crate) const VELOCITY: Dimension = Dimension::new(0, 1, -1, 0);
pub(crate) const ACCELERATION: Dimension = Dimension::new(0, 1, -2, 0);

impl Mul for Dimension {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::new(self.kg + other.kg, self.m + other.m, self.s + other.s, self.a + other.a)
    }
}

impl Div for Dimension {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        Self::new(self.kg - other.kg, self.m - other.m, self.s - other.s, self.a - other.a)
    }
}

/// Units in which one SI unit is 2^k, with an exponent k for each of kilogram, metre, second and ampere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Units {
    pub(crate) kg: i32,
    pub(crate) m: i32,
    pub(crate) s: i32,
    pub(crate) a: i32,
}

impl Units {
    /// Converts a number from SI units to these units.
    pub(crate) fn of(self, value: f64, dimension: Dimension) -> f64 {
        value * self.factor(dimension)
    }

    /// Converts a number from these units to SI units.
    pub(crate) fn to_si(self, value: f64, dimension: Dimension) -> f64 {
        value / self.factor(dimension)
    }

    /// Converts numbers from SI units to these units, each with its dimension.
    pub(crate) fn vector(self, values: &[f64], dimensions: &[Dimension]) -> Vec<f64> {
        assert_eq!(values.len(), dimensions.len(), "a number and a dimension each");
        values.iter().zip(dimensions).map(|(&value, &dimension)| self.of(value, dimension)).collect()
    }

    fn factor(self, dimension: Dimension) -> f64 {
        let power =
            self.kg * dimension.kg + self.m * dimension.m + self.s * dimension.s + self.a * dimension.a;
        assert!(power.abs() < 500, "2^{power} leaves no room for products");
        2.0_f64.powi(power)
    }
}

#[test]
fn factors_are_powers_of_two_and_come_back() {
    let units = Units { kg: 3, m: -7, s: 2, a: 5 };
    assert_eq!(units.of(1.0, ENERGY), 2.0_f64.powi(3 - 14 - 4));
    assert_eq!(units.of(1.0, VOLTAGE * CURRENT * TIME), units.of(1.0, ENERGY));
    assert_eq!(units.to_si(units.of(0.1, VOLTAGE), VOLTAGE), 0.1);
    assert_eq!(units.of(0.3, LENGTH / TIME / TIME), units.of(0.3, ACCELERATION));
}
