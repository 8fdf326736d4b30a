//! Groups of an HDF5 file. Each error states the name of the dataset.

use hdf5::types::{FixedAscii, FixedUnicode, TypeDescriptor, VarLenAscii, VarLenUnicode};
use hdf5::{Dataset, File, Group, H5Type};

use super::{FclibError, FclibErrorKind as Kind};

/// Maximum ratio of the length of a dataset to its compressed length. The ratio of deflate is at most 1032.
const MOST_COMPRESSION: u64 = 1100;

/// Maximum length of a string \[bytes\]. Longer strings are truncated.
const LONGEST_TEXT: usize = 1 << 16;

/// Group of an HDF5 file and its path from the root.
pub(crate) struct Hdf5Group {
    group: Group,
    name: String,
}

impl Hdf5Group {
    pub(crate) fn root(file: &File) -> Result<Self, FclibError> {
        let group = file.group("/").map_err(|error| FclibError::of_library("", &error))?;
        Ok(Self { group, name: String::new() })
    }

    /// Returns the path of a member from the root of the file.
    pub(super) fn path(&self, member: &str) -> String {
        if self.name.is_empty() { member.to_owned() } else { format!("{}/{member}", self.name) }
    }

    pub(super) fn error(&self, member: &str, kind: Kind) -> FclibError {
        FclibError::at(self.path(member), kind)
    }

    pub(super) fn wrong_entry(
        &self,
        member: &str,
        index: usize,
        value: impl ToString,
        must_be: impl ToString,
    ) -> FclibError {
        let (value, must_be) = (value.to_string(), must_be.to_string());
        self.error(member, Kind::OutOfRange { index, value, must_be })
    }

    fn of_library(&self, member: &str) -> impl Fn(hdf5::Error) -> FclibError {
        let name = self.path(member);
        move |error| FclibError::of_library(name.clone(), &error)
    }

    pub(super) fn has(&self, member: &str) -> bool {
        self.group.link_exists(member)
    }

    pub(super) fn folder(&self, member: &str) -> Result<Self, FclibError> {
        if !self.has(member) {
            return Err(self.error(member, Kind::Missing));
        }
        let group = self.group.group(member).map_err(self.of_library(member))?;
        Ok(Self { group, name: self.path(member) })
    }

    fn dataset(&self, member: &str) -> Result<Dataset, FclibError> {
        if !self.has(member) {
            return Err(self.error(member, Kind::Missing));
        }
        self.group.dataset(member).map_err(self.of_library(member))
    }

    fn type_of(&self, member: &str, dataset: &Dataset) -> Result<TypeDescriptor, FclibError> {
        let descriptor = dataset.dtype().and_then(|dtype| dtype.to_descriptor());
        descriptor.map_err(self.of_library(member))
    }

    /// Returns a dataset. It must be a scalar or a vector, with entries of the expected type.
    fn vector(
        &self,
        member: &str,
        expected: &'static str,
        is_expected: fn(&TypeDescriptor) -> bool,
    ) -> Result<Dataset, FclibError> {
        let dataset = self.dataset(member)?;
        let descriptor = self.type_of(member, &dataset)?;
        let dimensions = dataset.get_shape().map_err(self.of_library(member))?.len();
        if is_expected(&descriptor) && dimensions <= 1 {
            return Ok(dataset);
        }
        let table =
            if dimensions > 1 { format!("an array with {dimensions} dimensions of ") } else { String::new() };
        Err(self.error(member, Kind::WrongType { expected, found: format!("{table}{descriptor}") }))
    }

    fn entries<T: H5Type>(&self, member: &str, dataset: &Dataset) -> Result<Vec<T>, FclibError> {
        self.check_length(member, dataset)?;
        dataset.read_raw().map_err(self.of_library(member))
    }

    /// Checks the length of a dataset before memory is allocated, because a file can declare any length.
    fn check_length(&self, member: &str, dataset: &Dataset) -> Result<(), FclibError> {
        let (announced, bytes) = (dataset.size(), dataset.storage_size());
        let size = dataset.dtype().map_err(self.of_library(member))?.size();
        if (announced as u64).saturating_mul(size as u64) > bytes.saturating_mul(MOST_COMPRESSION) {
            return Err(self.error(member, Kind::TooLarge { announced, bytes }));
        }
        Ok(())
    }

    pub(super) fn integers(&self, member: &str) -> Result<Vec<i64>, FclibError> {
        let is_expected = |descriptor: &TypeDescriptor| {
            matches!(descriptor, TypeDescriptor::Integer(_) | TypeDescriptor::Unsigned(_))
        };
        self.entries(member, &self.vector(member, "whole numbers", is_expected)?)
    }

    /// Returns the integers of a dataset, which must be at least 0 and less than `end`.
    pub(super) fn indices(&self, member: &str, end: usize) -> Result<Vec<usize>, FclibError> {
        let convert = |(index, value): (usize, i64)| {
            let place = usize::try_from(value).ok().filter(|place| *place < end);
            place.ok_or_else(|| {
                self.wrong_entry(member, index, value, format_args!("nonnegative and below {end}"))
            })
        };
        self.integers(member)?.into_iter().enumerate().map(convert).collect()
    }

    /// Returns the integer in a dataset that must have exactly one entry.
    pub(super) fn integer(&self, member: &str) -> Result<i64, FclibError> {
        match self.integers(member)?[..] {
            [value] => Ok(value),
            ref other => Err(self.wrong_length(member, 1, "", other.len())),
        }
    }

    /// Returns the numbers of a dataset, which must all be finite.
    pub(super) fn numbers(&self, member: &str) -> Result<Vec<f64>, FclibError> {
        self.finite(member, self.entries(member, &self.floats(member)?)?)
    }

    /// Returns the numbers of a dataset, which can be infinite or NaN.
    pub(super) fn numbers_or_infinity(&self, member: &str) -> Result<Vec<f64>, FclibError> {
        self.entries(member, &self.floats(member)?)
    }

    /// Returns a dataset of numbers, which can be infinite or NaN and are read in slices.
    pub(crate) fn open_vector(&self, member: &str) -> Result<Hdf5Vector, FclibError> {
        let dataset = self.floats(member)?;
        self.check_length(member, &dataset)?;
        Ok(Hdf5Vector { dataset, name: self.path(member) })
    }

    /// Returns the numbers of a dataset, which must be `count` finite numbers. Entries without a value have
    /// the fill value of the file, usually zero.
    pub(super) fn numbers_or_zeros(
        &self,
        member: &str,
        count: usize,
        why: &str,
    ) -> Result<Vec<f64>, FclibError> {
        let dataset = self.floats(member)?;
        if dataset.size() != count {
            return Err(self.wrong_length(member, count, why, dataset.size()));
        }
        self.finite(member, dataset.read_raw().map_err(self.of_library(member))?)
    }

    fn floats(&self, member: &str) -> Result<Dataset, FclibError> {
        self.vector(member, "numbers", |descriptor| matches!(descriptor, TypeDescriptor::Float(_)))
    }

    fn finite(&self, member: &str, numbers: Vec<f64>) -> Result<Vec<f64>, FclibError> {
        match numbers.iter().position(|number| !number.is_finite()) {
            None => Ok(numbers),
            Some(index) => Err(self.wrong_entry(member, index, numbers[index], "finite")),
        }
    }

    pub(crate) fn wrong_length(&self, member: &str, expected: usize, why: &str, found: usize) -> FclibError {
        let expected = if why.is_empty() { expected.to_string() } else { format!("{expected} ({why})") };
        self.error(member, Kind::WrongLength { expected, found })
    }

    /// Returns the string in the dataset `member`, or an empty string if the dataset does not exist.
    pub(super) fn text(&self, member: &str) -> Result<String, FclibError> {
        if !self.has(member) {
            return Ok(String::new());
        }
        let dataset = self.dataset(member)?;
        let text = match self.type_of(member, &dataset)? {
            // The string is read to the heap, because it can be too large for the stack.
            TypeDescriptor::FixedAscii(_) => dataset
                .read_raw::<FixedAscii<LONGEST_TEXT>>()
                .map(|texts| texts.first().map(|t| lossy(t.as_bytes()))),
            TypeDescriptor::FixedUnicode(_) => dataset
                .read_raw::<FixedUnicode<LONGEST_TEXT>>()
                .map(|texts| texts.first().map(|t| lossy(t.as_bytes()))),
            TypeDescriptor::VarLenAscii => dataset.read_raw::<VarLenAscii>().map(|texts| {
                // HDF5 returns a null pointer for a string without a value.
                texts.first().filter(|text| !text.as_ptr().is_null()).map(|text| lossy(text.as_bytes()))
            }),
            TypeDescriptor::VarLenUnicode => dataset.read_raw::<VarLenUnicode>().map(|texts| {
                texts.first().filter(|text| !text.as_ptr().is_null()).map(|text| lossy(text.as_bytes()))
            }),
            other => {
                return Err(
                    self.error(member, Kind::WrongType { expected: "a string", found: other.to_string() })
                );
            }
        };
        Ok(text.map_err(self.of_library(member))?.unwrap_or_default())
    }

    pub(super) fn create_folder(&self, member: &str) -> Result<Self, FclibError> {
        let group = self.group.create_group(member).map_err(self.of_library(member))?;
        Ok(Self { group, name: self.path(member) })
    }

    pub(super) fn write<T: H5Type>(&self, member: &str, entries: &[T]) -> Result<(), FclibError> {
        let created = self.group.new_dataset_builder().with_data(entries).create(member);
        created.map(|_| ()).map_err(self.of_library(member))
    }

    /// Creates a vector of `length` numbers, which are written in slices.
    pub(crate) fn create_vector(&self, member: &str, length: usize) -> Result<Hdf5Vector, FclibError> {
        let created = self.group.new_dataset::<f64>().shape(length).create(member);
        Ok(Hdf5Vector { dataset: created.map_err(self.of_library(member))?, name: self.path(member) })
    }

    /// Writes sizes or indices, which are 32-bit integers in this format.
    pub(super) fn write_sizes(&self, member: &str, sizes: &[usize]) -> Result<(), FclibError> {
        let convert = |(index, &size): (usize, &usize)| {
            i32::try_from(size)
                .map_err(|_| self.wrong_entry(member, index, size, format_args!("at most {}", i32::MAX)))
        };
        let sizes: Vec<i32> = sizes.iter().enumerate().map(convert).collect::<Result<_, _>>()?;
        self.write(member, &sizes)
    }

    /// Writes a string of fixed length that ends with a zero byte, as C programs expect.
    pub(super) fn write_text(&self, member: &str, text: &str) -> Result<(), FclibError> {
        let mut cut = String::new();
        for c in text.chars().filter(|c| *c != '\0') {
            if cut.len() + c.len_utf8() >= LONGEST_TEXT {
                break;
            }
            cut.push(c);
        }
        let value = cut.parse::<FixedUnicode<LONGEST_TEXT>>();
        let value = value.map_err(|error| self.error(member, Kind::Hdf5 { message: error.to_string() }))?;
        let kind = TypeDescriptor::FixedUnicode(cut.len() + 1);
        let dataset = self.group.new_dataset_builder().empty_as(&kind).shape(()).create(member);
        dataset.and_then(|dataset| dataset.write_scalar(&value)).map_err(self.of_library(member))
    }
}

/// Dataset with a vector of numbers.
pub(crate) struct Hdf5Vector {
    dataset: Dataset,
    name: String,
}

impl Hdf5Vector {
    /// Returns the number of entries.
    pub(crate) fn len(&self) -> usize {
        self.dataset.size()
    }

    /// Returns `count` entries, of which the first has the index `first`.
    pub(crate) fn read(&self, first: usize, count: usize) -> Result<Vec<f64>, FclibError> {
        let read = match self.dataset.is_scalar() {
            true => self.dataset.read_raw(),
            false => self.dataset.read_slice_1d(first..first + count).map(|slice| slice.to_vec()),
        };
        read.map_err(|error| FclibError::of_library(&*self.name, &error))
    }

    /// Writes a slice whose first number has the index `first`.
    pub(crate) fn write(&self, first: usize, numbers: &[f64]) -> Result<(), FclibError> {
        let written = self.dataset.write_slice(numbers, first..first + numbers.len());
        written.map_err(|error| FclibError::of_library(&*self.name, &error))
    }
}

/// Decodes a string of unknown encoding. Invalid bytes are replaced.
fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).trim_end_matches('\0').to_owned()
}
