//! Writer of the table of a system, relation or law, and of the list of parts that cannot be written.

pub(super) mod matrices;
mod names;
mod unwritten;

use serde::Serialize;
use serde::de::DeserializeOwned;
use siconos_kernel::model::dynamical_system::Jacobian;
use siconos_kernel::model::{Coefficient, Origin};
use siconos_kernel::ndarray::{Array1, Array2, ArrayView2};
use siconos_linalg::Matrix as KernelMatrix;

use super::origins::DERIVED;
use super::registry::{FUNCTION, SIZE};
use super::scopes::numbered;
use crate::document::{Key, Value};
use matrices::{matrix, stored, vector};
pub(super) use names::{Names, coordinate_count};
pub use unwritten::UnwrittenPart;
pub(super) use unwritten::{NO_KEY, NO_NAME};

/// Entries of a table, under the keys that the reader expects.
pub(super) struct TableWriter<'u> {
    object: String,
    table: Vec<(&'static str, Value<'static>)>,
    unwritten: &'u mut Vec<UnwrittenPart>,
}

/// A matrix in any of the kernel's storage formats.
pub(super) trait Matrix {
    fn dense(&self) -> Array2<f64>;

    /// Returns `true` if all entries are stored, including zeros.
    fn has_all_entries(&self) -> bool {
        true
    }
}

impl Matrix for KernelMatrix {
    fn dense(&self) -> Array2<f64> {
        self.view().to_dense()
    }

    fn has_all_entries(&self) -> bool {
        matches!(self, Self::Dense(_))
    }
}

impl Matrix for Array2<f64> {
    fn dense(&self) -> Array2<f64> {
        self.clone()
    }
}

const CLOSURE: &str = "is a function of unknown origin";
const REGISTERED: &str = "is a registered function, but a file can have only expressions here";
const BLOCKS: &str = "consists of blocks, but is read back as single entries";
const STORAGE: &str = "is not dense, but is read back as dense";
const DIFFERENCES: &str = "is computed by differences, but is derived from the expressions when read back";

impl<'u> TableWriter<'u> {
    pub(super) fn new(object: String, unwritten: &'u mut Vec<UnwrittenPart>) -> Self {
        Self { object, table: Vec::new(), unwritten }
    }

    /// Returns the table.
    pub(super) fn table(self) -> Value<'static> {
        Value::of_table(self.table)
    }

    pub(super) fn put(&mut self, key: &Key, value: Value<'static>) {
        self.table.push((key.name, value));
    }

    /// Adds a part to the list of parts that cannot be written.
    pub(super) fn leave(&mut self, part: impl Into<String>, reason: &'static str) {
        self.unwritten.push(UnwrittenPart { object: self.object.clone(), part: part.into(), reason });
    }

    pub(super) fn number(&mut self, key: &Key, number: f64) {
        self.put(key, Value::of_number(number));
    }

    pub(super) fn vector(&mut self, key: &Key, entries: &[f64]) {
        self.put(key, vector(entries.iter().map(|entry| Value::of_number(*entry)).collect()));
    }

    /// Writes a vector, unless all entries are 0, which is the default.
    pub(super) fn vector_but_zero(&mut self, key: &Key, entries: &[f64]) {
        if entries.iter().any(|entry| entry.to_bits() != 0) {
            self.vector(key, entries);
        }
    }

    /// Writes the names of coordinates, unless they are the default names.
    pub(super) fn coordinates(&mut self, key: &Key, word: &str, names: Option<&[String]>) {
        if let Some(names) = names.filter(|names| *names != numbered(word, names.len())) {
            self.put(key, Value::of_array(names.iter().map(Value::of_text)));
        }
    }

    pub(super) fn matrix(&mut self, key: &Key, own: ArrayView2<'_, f64>) {
        self.put(key, numbers(own));
    }

    /// Writes a matrix in its storage format, so that a reader creates the same format.
    pub(super) fn stored(&mut self, key: &Key, own: &KernelMatrix) {
        if matches!(own, KernelMatrix::BlockCsr(_)) {
            self.leave(format!("the storage of `{}`", key.name), BLOCKS);
        }
        self.put(key, stored(own));
    }

    /// Writes settings, unless they are the defaults.
    pub(super) fn settings<T: Serialize + DeserializeOwned + PartialEq>(
        &mut self,
        key: &Key,
        own: &T,
        usual: Option<&T>,
    ) {
        if usual == Some(own) {
            return;
        }
        match Value::of_settings(own, usual) {
            Some(value) => self.put(key, value.short()),
            None => self.leave(format!("`{}`", key.name), "cannot be written as settings"),
        }
    }

    /// Returns the expressions of a function as texts. Returns `None` if the function is the derivative of
    /// another function. If the function has no expressions, returns `None` and lists it as unwritten.
    pub(super) fn texts<'o>(&mut self, name: &str, origin: &'o Origin) -> Option<&'o [String]> {
        match origin {
            Origin::Expressions(expressions) => return Some(&expressions.entries),
            Origin::Registered(known) if **known == *DERIVED => (),
            Origin::Registered(_) => self.leave(name, REGISTERED),
            Origin::Unknown => self.leave(name, CLOSURE),
        }
        None
    }

    /// Writes the expressions of a vector function, or its name in a registry.
    pub(super) fn expressions(&mut self, key: &Key, name: &str, origin: &Origin) {
        self.expressions_of_size(key, name, origin, None);
    }

    /// Writes the expressions of a vector function, or its name in a registry. `size` is the number of values
    /// of a registered function, if the reader needs it.
    pub(super) fn expressions_of_size(
        &mut self,
        key: &Key,
        name: &str,
        origin: &Origin,
        size: Option<usize>,
    ) {
        if let Some(value) = self.vector_value(name, origin, size) {
            self.put(key, value);
        }
    }

    /// Returns a vector function as a value. If the function has neither expressions nor a name in a
    /// registry, lists it as unwritten and returns `None`.
    pub(super) fn vector_value(
        &mut self,
        name: &str,
        origin: &Origin,
        size: Option<usize>,
    ) -> Option<Value<'static>> {
        if let Some(name) = registered_name(origin) {
            return Some(registered(name, size));
        }
        let texts = self.texts(name, origin)?;
        Some(vector(texts.iter().map(|text| Value::of_entry(text)).collect()))
    }

    /// Writes expressions and numbers.
    pub(super) fn entries(&mut self, key: &Key, texts: &[String]) {
        self.put(key, vector(texts.iter().map(|text| Value::of_entry(text)).collect()));
    }

    /// Writes a vector that is constant or a function.
    pub(super) fn coefficient(&mut self, key: &Key, name: &str, own: Option<Coefficient<'_, Array1<f64>>>) {
        match own {
            Some(Coefficient::Constant(own)) => self.vector(key, &own.to_vec()),
            Some(Coefficient::Function(origin)) => self.expressions(key, name, origin),
            None => (),
        }
    }

    /// Writes a matrix of this shape that is constant or a function.
    pub(super) fn matrix_coefficient<M: Matrix>(
        &mut self,
        key: &Key,
        name: &str,
        shape: (usize, usize),
        own: Option<Coefficient<'_, M>>,
    ) {
        if let Some(value) = own.and_then(|own| self.matrix_value(name, shape, own)) {
            self.put(key, value);
        }
    }

    /// Returns a matrix as a value. If the matrix is a function that has neither expressions nor a name in a
    /// registry, lists it as unwritten and returns `None`.
    pub(super) fn matrix_value<M: Matrix>(
        &mut self,
        name: &str,
        shape: (usize, usize),
        own: Coefficient<'_, M>,
    ) -> Option<Value<'static>> {
        match own {
            Coefficient::Constant(own) => {
                if !own.has_all_entries() {
                    self.leave(format!("the storage of {name}"), STORAGE);
                }
                Some(numbers(own.dense().view()))
            }
            Coefficient::Function(origin) => match registered_name(origin) {
                Some(own) => Some(registered(own, None)),
                None => self.matrix_texts(name, shape, origin),
            },
        }
    }

    fn matrix_texts(&mut self, name: &str, shape: (usize, usize), origin: &Origin) -> Option<Value<'static>> {
        let texts = self.texts(name, origin)?;
        if texts.len() != shape.0 * shape.1 {
            self.leave(name, "has a different number of expressions than entries");
            return None;
        }
        Some(matrix(shape, texts.iter().map(|text| Value::of_entry(text)).collect()))
    }

    /// Returns a derivative that must have its own key in the file. Returns `None` if a reader computes the
    /// derivative from the expressions of the function or takes it from a registry.
    pub(super) fn derivative(
        &mut self,
        name: &str,
        size: usize,
        own: &Jacobian,
        of: &Origin,
    ) -> Option<Value<'static>> {
        match own {
            Jacobian::Zero => None,
            Jacobian::Constant(own) => Some(numbers(own.view())),
            Jacobian::Function(own) => self.matrix_texts(name, (size, size), own.origin()),
            // A reader also takes the derivative from the registry or computes finite differences.
            Jacobian::FiniteDifference if is_registered(of) => None,
            Jacobian::FiniteDifference | Jacobian::FiniteDifferenceWithStep(_) => {
                self.leave(name, DIFFERENCES);
                None
            }
        }
    }

    /// Lists a derivative of a relation as unwritten, unless a reader computes it from the expressions.
    pub(super) fn derived(&mut self, name: &str, origin: Option<&Origin>) {
        match origin {
            Some(Origin::Registered(known)) if **known == *DERIVED => (),
            Some(Origin::Unknown) => self.leave(name, CLOSURE),
            Some(_) => self.leave(name, "is given, but is derived from the expressions when read back"),
            None => self.leave(name, DIFFERENCES),
        }
    }
}

/// Returns a reference to a registered function. The size is omitted if it is `None` or 1.
pub(super) fn registered(name: &str, size: Option<usize>) -> Value<'static> {
    let size = size.filter(|size| *size != 1).map(|size| (SIZE, Value::of_count(size)));
    Value::of_table([(FUNCTION, Value::of_text(name))].into_iter().chain(size))
}

/// Returns the name of a function in a registry, or `None` if it is not registered.
pub(super) fn registered_name(origin: &Origin) -> Option<&str> {
    match origin {
        Origin::Registered(name) if **name != *DERIVED => Some(name),
        _ => None,
    }
}

/// Returns `true` if a function is taken from a registry.
pub(super) fn is_registered(origin: &Origin) -> bool {
    registered_name(origin).is_some()
}

/// Returns a matrix of numbers as a value.
pub(super) fn numbers(own: ArrayView2<'_, f64>) -> Value<'static> {
    matrix(own.dim(), own.iter().map(|entry| Value::of_number(*entry)).collect())
}
