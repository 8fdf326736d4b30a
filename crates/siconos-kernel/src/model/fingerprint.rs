//! Fingerprints for comparing models that were built in different processes.

use std::borrow::Cow;
use std::fmt;

use ndarray::ArrayView1;
use serde::{Deserialize, Serialize};
use siconos_linalg::MatrixRef;

use super::origin::Origin;
use super::parts::{Part, PartList};
use crate::model::PartDifference;

/// Names and contents of the parts of a system, relation or law.
///
/// A user function is represented by its presence and, if known, its origin. A matrix is represented by its
/// nonzero entries, regardless of its storage.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(Vec<(Cow<'static, str>, PartFingerprint)>);

/// Fingerprint of one part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PartFingerprint {
    /// Text, shown unchanged in messages.
    Word(Cow<'static, str>),
    Constant(Hash),
    /// Function of unknown origin.
    Function,
    Registered(String),
    Expressions(Hash),
}

impl Fingerprint {
    pub(super) fn of(parts: &PartList<'_>) -> Self {
        Self(parts.iter().map(|(name, part)| (name.into(), PartFingerprint::of(part))).collect())
    }

    /// Returns the name of the first part that differs from the recorded fingerprint, with the difference.
    /// Parts that exist only in `recorded` are considered last.
    pub fn first_difference(&self, recorded: &Self) -> Option<(String, PartDifference)> {
        let of_this = self.0.iter().find_map(|(name, print)| match recorded.get(name) {
            Some(other) if other == print => None,
            Some(other) => Some((name, print.difference(other))),
            None => Some((name, PartDifference::Added { what: print.noun() })),
        });
        let missing = || {
            let (name, print) = recorded.0.iter().find(|(name, _)| self.get(name).is_none())?;
            Some((name, PartDifference::Missing { what: print.noun() }))
        };
        of_this.or_else(missing).map(|(name, difference)| (name.to_string(), difference))
    }

    /// Returns the name of the first part that differs between the two objects, or that only one of them has.
    /// The origins of functions are not compared.
    pub(super) fn first_other_part(&self, other: &Self) -> Option<String> {
        let is_like = |print: &PartFingerprint, name: &str| {
            other.get(name).is_some_and(|other| other == print || print.is_function() && other.is_function())
        };
        let of_this = self.0.iter().find(|(name, print)| !is_like(print, name));
        let of_other = || other.0.iter().find(|(name, _)| self.get(name).is_none());
        of_this.or_else(of_other).map(|(name, _)| name.to_string())
    }

    fn get(&self, name: &str) -> Option<&PartFingerprint> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, print)| print)
    }
}

impl PartFingerprint {
    fn of(part: &Part<'_>) -> Self {
        match part {
            Part::Word(word) => Self::Word(word.clone()),
            Part::Vector(x) => Self::Constant(Hash::of_vector(x.view())),
            Part::Matrix(a) => Self::Constant(Hash::of_matrix(*a)),
            Part::Function(Origin::Unknown) => Self::Function,
            Part::Function(Origin::Registered(name)) => Self::Registered(name.to_string()),
            Part::Function(Origin::Expressions(text)) => {
                let mut hash = Hash::default();
                for list in [&text.arguments, &text.entries] {
                    hash.count(list.len());
                    list.iter().for_each(|word| hash.word(word));
                }
                Self::Expressions(hash)
            }
        }
    }

    fn is_function(&self) -> bool {
        matches!(self, Self::Function | Self::Registered(_) | Self::Expressions(_))
    }

    fn noun(&self) -> &'static str {
        match self {
            Self::Word(_) => "",
            Self::Constant(_) => "constant",
            Self::Function | Self::Registered(_) | Self::Expressions(_) => "function",
        }
    }

    /// Returns the difference from the recorded content.
    fn difference(&self, recorded: &Self) -> PartDifference {
        let (found, recorded) = (self.to_string(), recorded.to_string());
        if found == recorded {
            PartDifference::Content { what: self.noun() }
        } else {
            PartDifference::Other { found, recorded }
        }
    }
}

impl fmt::Display for PartFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => write!(f, "`{word}`"),
            Self::Constant(_) => f.write_str("a constant"),
            Self::Function => f.write_str("a function of unknown origin"),
            Self::Registered(name) => write!(f, "the registered function `{name}`"),
            Self::Expressions(_) => f.write_str("a function given by expressions"),
        }
    }
}

/// 64-bit FNV-1a hash (Fowler, Noll and Vo) of values and strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct Hash(u64);

// Stored as text, because many JSON readers convert numbers to doubles.
impl From<Hash> for String {
    fn from(hash: Hash) -> Self {
        format!("{:016x}", hash.0)
    }
}

impl TryFrom<String> for Hash {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        u64::from_str_radix(&text, 16).map(Self)
    }
}

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn of_vector(x: ArrayView1<'_, f64>) -> Self {
        let mut hash = Self::default();
        hash.count(x.len());
        x.iter().for_each(|x| hash.number(*x));
        hash
    }

    fn of_matrix(a: MatrixRef<'_>) -> Self {
        let mut hash = Self::default();
        hash.count(a.rows());
        hash.count(a.columns());
        // The sum over the entries does not depend on their order.
        let mut sum = 0_u64;
        a.for_each_entry(|i, j, x| {
            if x != 0.0 {
                let mut entry = Self::default();
                entry.count(i);
                entry.count(j);
                entry.number(x);
                sum = sum.wrapping_add(entry.0);
            }
        });
        hash.bytes(&sum.to_le_bytes());
        hash
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn word(&mut self, word: &str) {
        self.bytes(word.as_bytes());
        self.bytes(&[0xff]);
    }

    fn count(&mut self, count: usize) {
        self.bytes(&(count as u64).to_le_bytes());
    }

    fn number(&mut self, x: f64) {
        // 0.0 and -0.0 are equal.
        self.bytes(&(x + 0.0).to_bits().to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;
    use siconos_linalg::{Csc, Matrix};

    use super::*;

    fn of(a: impl Into<Matrix>) -> Hash {
        Hash::of_matrix(a.into().view())
    }

    #[test]
    fn a_matrix_counts_by_its_entries_whatever_its_storage() {
        let dense = array![[2.0, 0.0], [0.0, 3.0]];
        let sparse = Csc::from_matrix(Matrix::from(dense.clone()).view());
        assert_eq!(of(dense.clone()), of(array![2.0, 3.0]));
        assert_eq!(of(dense.clone()), of(sparse));
        for other in [
            array![[3.0, 0.0], [0.0, 2.0]],
            array![[2.0, 1e-300], [0.0, 3.0]],
            array![[0.0, 2.0], [3.0, 0.0]],
        ] {
            assert_ne!(of(dense.clone()), of(other));
        }
        assert_ne!(of(array![[1.0, 0.0]]), of(array![[1.0], [0.0]]));
    }

    #[test]
    fn a_hash_is_written_as_text_and_read_again() {
        let hash = Hash(0x00ab_cdef_0123_4567);
        assert_eq!(String::from(hash), "00abcdef01234567");
        assert_eq!(Hash::try_from(String::from(hash)), Ok(hash));
        assert!(Hash::try_from("no number".to_owned()).is_err());
    }

    #[test]
    fn the_first_difference_is_named_and_what_only_the_record_has_comes_last() {
        let print = |parts: &[(&'static str, PartFingerprint)]| {
            Fingerprint(parts.iter().map(|(name, print)| ((*name).into(), print.clone())).collect())
        };
        let word = |word: &'static str| PartFingerprint::Word(word.into());
        let one = print(&[
            ("kind", word("a")),
            ("M", PartFingerprint::Constant(Hash(1))),
            ("K", PartFingerprint::Function),
        ]);
        let difference = |other: &[(&'static str, PartFingerprint)]| one.first_difference(&print(other));
        let name = |name: &str, difference| Some((name.to_owned(), difference));
        assert_eq!(one.first_difference(&one), None);
        assert_eq!(
            difference(&[("kind", word("b"))]),
            name("kind", PartDifference::Other { found: "`a`".to_owned(), recorded: "`b`".to_owned() })
        );
        assert_eq!(
            difference(&[("kind", word("a")), ("M", PartFingerprint::Constant(Hash(2)))]),
            name("M", PartDifference::Content { what: "constant" })
        );
        assert_eq!(
            difference(&[("kind", word("a")), ("M", PartFingerprint::Constant(Hash(1)))]),
            name("K", PartDifference::Added { what: "function" })
        );
        let more: Vec<_> = [&one.0[..], &[("x".into(), PartFingerprint::Constant(Hash(1)))][..]].concat();
        assert_eq!(
            one.first_difference(&Fingerprint(more)),
            name("x", PartDifference::Missing { what: "constant" })
        );
    }
}
