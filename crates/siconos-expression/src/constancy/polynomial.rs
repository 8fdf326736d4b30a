//! Polynomials in several unknowns. Terms that are only rounding errors are removed.

use std::collections::BTreeMap;

/// Index of an unknown.
pub(super) type Atom = usize;

/// Product of unknowns: indices and exponents, in ascending order of the indices.
type Monomial = Vec<(Atom, u32)>;

/// Terms of a polynomial, each with the bit pattern of its coefficient.
pub(super) type Key = Vec<(Monomial, u64)>;

/// Maximum number of terms of a polynomial.
const MOST_TERMS: usize = 1000;

/// A sum counts as zero if it is at most this fraction of the sum of the magnitudes of its summands. One
/// rounding error is half of `EPSILON`.
const CANCELLED: f64 = 4.0 * f64::EPSILON;

/// Coefficient of a term.
#[derive(Clone, Copy, Debug)]
struct Factor {
    value: f64,
    /// Sum of the magnitudes of the summands of `value`.
    scale: f64,
}

impl Factor {
    /// Creates the coefficient of a product or quotient. Returns `None` if the value is not a normal number,
    /// for example because it has underflowed and lost accuracy.
    fn normal(value: f64, scale: f64) -> Option<Self> {
        value.is_normal().then_some(Self { value, scale })
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Polynomial {
    terms: BTreeMap<Monomial, Factor>,
}

impl Polynomial {
    pub(super) fn number(value: f64) -> Option<Self> {
        let mut number = Self::default();
        number.add(Monomial::new(), Factor { value, scale: value.abs() })?;
        Some(number)
    }

    pub(super) fn atom(atom: Atom) -> Self {
        Self { terms: BTreeMap::from([(vec![(atom, 1)], Factor { value: 1.0, scale: 1.0 })]) }
    }

    /// Returns the value of a constant polynomial, or `None` if the polynomial contains an unknown.
    pub(super) fn as_number(&self) -> Option<f64> {
        match self.terms.first_key_value() {
            None => Some(0.0),
            Some((monomial, factor)) if monomial.is_empty() && self.terms.len() == 1 => Some(factor.value),
            Some(_) => None,
        }
    }

    /// Iterates over all unknowns, with repetitions.
    pub(super) fn atoms(&self) -> impl Iterator<Item = Atom> {
        self.terms.keys().flatten().map(|(atom, _)| *atom)
    }

    pub(super) fn key(&self) -> Key {
        self.terms.iter().map(|(monomial, factor)| (monomial.clone(), factor.value.to_bits())).collect()
    }

    pub(super) fn negated(mut self) -> Self {
        for factor in self.terms.values_mut() {
            factor.value = -factor.value;
        }
        self
    }

    pub(super) fn plus(self, other: Self) -> Option<Self> {
        // The shorter polynomial is added to the longer one.
        let swap = self.terms.len() < other.terms.len();
        let (mut long, short) = if swap { (other, self) } else { (self, other) };
        for (monomial, factor) in short.terms {
            long.add(monomial, factor)?;
        }
        Some(long)
    }

    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        if self.terms.len().saturating_mul(other.terms.len()) > MOST_TERMS {
            return None;
        }
        let mut product = Self::default();
        for (monomial_a, a) in &self.terms {
            for (monomial_b, b) in &other.terms {
                let factor = Factor::normal(a.value * b.value, a.scale * b.scale)?;
                product.add(multiplied(monomial_a, monomial_b)?, factor)?;
            }
        }
        Some(product)
    }

    pub(super) fn over(self, divisor: f64) -> Option<Self> {
        let mut quotient = Self::default();
        for (monomial, Factor { value, scale }) in self.terms {
            quotient.add(monomial, Factor::normal(value / divisor, scale / divisor.abs())?)?;
        }
        Some(quotient)
    }

    /// Adds a term. Returns `None` if the polynomial has too many terms or a coefficient is not finite.
    fn add(&mut self, monomial: Monomial, factor: Factor) -> Option<()> {
        let sum = match self.terms.get(&monomial) {
            None => factor,
            Some(before) => Factor { value: before.value + factor.value, scale: before.scale + factor.scale },
        };
        // If the scale were infinite, every sum would count as zero.
        if !sum.value.is_finite() || !sum.scale.is_finite() {
            return None;
        }
        if sum.value.abs() <= CANCELLED * sum.scale {
            self.terms.remove(&monomial);
        } else {
            self.terms.insert(monomial, sum);
        }
        (self.terms.len() <= MOST_TERMS).then_some(())
    }
}

/// Returns the product of two monomials, or `None` if an exponent overflows.
fn multiplied(a: &Monomial, b: &Monomial) -> Option<Monomial> {
    let mut exponents: BTreeMap<Atom, u32> = a.iter().copied().collect();
    for (atom, exponent) in b {
        let sum = exponents.entry(*atom).or_insert(0);
        *sum = sum.checked_add(*exponent)?;
    }
    Some(exponents.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::{MOST_TERMS, Polynomial};

    #[test]
    fn terms_cancel_to_roundings() {
        let tenths = |n: f64| Polynomial::atom(0).times(&Polynomial::number(n / 10.0)?);
        let sum = tenths(1.0).and_then(|sum| sum.plus(tenths(2.0)?)?.plus(tenths(3.0)?.negated()));
        assert_eq!(sum.expect("few terms").as_number(), Some(0.0));
    }

    #[test]
    fn there_is_no_answer_beyond_the_range_of_doubles() {
        for size in [1e-200, 1e200] {
            let number = Polynomial::number(size).expect("finite");
            assert!(number.times(&number).is_none());
        }
        assert!(Polynomial::number(f64::NAN).is_none());
        assert!(Polynomial::atom(0).over(0.0).is_none());
    }

    #[test]
    fn there_is_a_limit() {
        let sum = |terms: usize| {
            (0..terms).try_fold(Polynomial::default(), |sum, atom| sum.plus(Polynomial::atom(atom)))
        };
        assert!(sum(MOST_TERMS).is_some());
        assert!(sum(MOST_TERMS + 1).is_none());
        let many = sum(40).expect("few terms");
        assert!(many.times(&many).is_none());
    }
}
