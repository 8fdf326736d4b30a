//! What can be compared of two models that were built in different processes.

use std::fmt;

use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};
use siconos_numerics::linalg::{Matrix, MatrixRef};

/// A number made of the kind, the sizes and the constants of a system or interaction: FNV-1a over 64 bits
/// (Fowler, Noll and Vo).
///
/// Functions of the user cannot be compared. Whether there is one, or a constant in its place, counts.
/// Initial states do not, nor do parameters. A matrix counts by its entries that are not zero, whatever its
/// storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Fingerprint(u64);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

// As text, since many readers of JSON take a number for a double.
impl From<Fingerprint> for String {
    fn from(fingerprint: Fingerprint) -> Self {
        fingerprint.to_string()
    }
}

impl TryFrom<String> for Fingerprint {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        u64::from_str_radix(&text, 16).map(Self)
    }
}

impl Fingerprint {
    /// Of something of this kind.
    pub(super) fn of(kind: &str) -> Self {
        let mut new = Self(0xcbf2_9ce4_8422_2325);
        new.name(kind);
        new
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// A word, which says what comes next.
    pub(super) fn name(&mut self, name: &str) {
        self.bytes(name.as_bytes());
        self.bytes(&[0xff]);
    }

    pub(super) fn count(&mut self, count: usize) {
        self.bytes(&(count as u64).to_le_bytes());
    }

    pub(super) fn number(&mut self, x: f64) {
        // Both zeros are one number.
        self.bytes(&(x + 0.0).to_bits().to_le_bytes());
    }

    pub(super) fn vector<'a>(&mut self, x: impl IntoIterator<Item = &'a f64>) {
        let mut length = 0;
        for x in x {
            self.number(*x);
            length += 1;
        }
        self.count(length);
    }

    pub(super) fn dense(&mut self, a: ArrayView2<'_, f64>) {
        self.matrix_ref(MatrixRef::Dense(a));
    }

    pub(super) fn matrix(&mut self, a: &Matrix) {
        self.matrix_ref(a.view());
    }

    fn matrix_ref(&mut self, a: MatrixRef<'_>) {
        self.name("matrix");
        self.count(a.rows());
        self.count(a.columns());
        // A sum over the entries does not ask for their order.
        let mut sum = 0_u64;
        a.for_each_entry(|i, j, x| {
            if x != 0.0 {
                let mut entry = Self::of("entry");
                entry.count(i);
                entry.count(j);
                entry.number(x);
                sum = sum.wrapping_add(entry.0);
            }
        });
        self.bytes(&sum.to_le_bytes());
    }

    /// A function of the user, of which only this is known.
    pub(super) fn function(&mut self) {
        self.name("function");
    }

    /// What may be there or not.
    pub(super) fn option<T>(&mut self, what: Option<T>, of: impl FnOnce(&mut Self, T)) {
        match what {
            None => self.name("none"),
            Some(what) => {
                self.name("some");
                of(self, what);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;
    use siconos_numerics::linalg::Csc;

    use super::*;

    fn of(a: impl Into<Matrix>) -> Fingerprint {
        let mut new = Fingerprint::of("test");
        new.matrix(&a.into());
        new
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
    fn it_is_written_as_text_and_read_again() {
        let fingerprint = Fingerprint(0x00ab_cdef_0123_4567);
        assert_eq!(String::from(fingerprint), "00abcdef01234567");
        assert_eq!(Fingerprint::try_from(String::from(fingerprint)), Ok(fingerprint));
        assert!(Fingerprint::try_from("no number".to_owned()).is_err());
    }
}
