//! Single arrays: a header, which is a Python dictionary, followed by the numbers.

use std::io::Read;

use super::NumpyError;

const MARK: &[u8] = b"\x93NUMPY";

/// Alignment of the first number in a file \[bytes\].
const ALIGNMENT: usize = 64;

/// Returns the header of a vector of doubles. The numbers follow in little-endian order.
pub(crate) fn vector_header(length: usize) -> Vec<u8> {
    let mut text = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({length},), }}");
    // The mark, two bytes for the version, two for the length, and a final line end.
    let before = MARK.len() + 4;
    let whole = (before + text.len() + 1).next_multiple_of(ALIGNMENT);
    text.extend(std::iter::repeat_n(' ', whole - before - text.len() - 1));
    text.push('\n');
    let mut header = MARK.to_vec();
    header.extend([1, 0]);
    // The header is at most twice as long as the alignment, so its length fits into two bytes.
    header.extend((text.len() as u16).to_le_bytes());
    header.extend(text.into_bytes());
    header
}

/// Reads the shape and the numbers, row by row. Floating-point numbers and integers of any size are read.
#[cfg(any(test, feature = "model"))]
pub(crate) fn array_of(bytes: &[u8]) -> Result<(Vec<usize>, Vec<f64>), NumpyError> {
    let mut array = ArrayReader::new(bytes, bytes.len() as u64)?;
    let mut numbers = Vec::new();
    array.read(array.left, &mut numbers)?;
    Ok((array.shape, numbers))
}

/// Reader of an array, from its first number to its last.
pub(crate) struct ArrayReader<R> {
    reader: R,
    shape: Vec<usize>,
    element: Element,
    /// Number of entries that have not been read.
    left: usize,
}

/// Maximum number of bytes that are read at once. It limits the memory for a header that declares a wrong
/// length.
const PIECE: usize = 1 << 16;

/// Maximum number of letters of a header in a message.
const SHOWN: usize = 200;

impl<R: Read> ArrayReader<R> {
    /// Reads the header of an array of `size` bytes, including the header.
    pub(crate) fn new(mut reader: R, size: u64) -> Result<Self, NumpyError> {
        let mut next = |count: u64| -> Result<Vec<u8>, NumpyError> {
            let mut bytes = Vec::new();
            reader.by_ref().take(count).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        if next(MARK.len() as u64)? != MARK {
            return Err("not a NumPy array: it does not begin with the magic bytes".into());
        }
        let cut = "it ends within its header";
        let version = next(2)?;
        let width = match version.first() {
            Some(1) => 2,
            Some(2 | 3) => 4,
            Some(version) => {
                return Err(
                    format!("it has format version {version}; this program reads versions 1 to 3").into()
                );
            }
            None => return Err(cut.into()),
        };
        let length = next(width)?;
        if version.len() < 2 || (length.len() as u64) < width {
            return Err(cut.into());
        }
        let length = length.iter().rev().fold(0, |length, byte| (length << 8) | u64::from(*byte));
        if length > size {
            return Err(cut.into());
        }
        let text = next(length)?;
        if (text.len() as u64) < length {
            return Err(cut.into());
        }
        let before = MARK.len() as u64 + 2 + width + length;
        let text = str::from_utf8(&text).map_err(|_| "its header is not text")?;
        let header = Header::parse(text).ok_or_else(|| {
            let shown: String = text.chars().take(SHOWN).collect();
            format!(
                "its header is {shown:?}; expected a dictionary with `descr`, `fortran_order` and `shape` of an array of \
                 plain numbers"
            )
        })?;
        if header.is_by_columns && header.shape.iter().filter(|length| **length > 1).count() > 1 {
            return Err(
                "its numbers are in Fortran order; use numpy.ascontiguousarray to convert them to C order"
                    .into(),
            );
        }
        let element = Element::of(header.element)
            .ok_or_else(|| format!("its numbers have type {:?}; expected real numbers", header.element))?;
        let count = header.shape.iter().try_fold(1_usize, |count, length| count.checked_mul(*length));
        let declared = count.and_then(|count| count.checked_mul(element.size));
        let found = size.saturating_sub(before);
        match count.filter(|_| declared.is_some_and(|declared| declared as u64 == found)) {
            Some(left) => Ok(Self { reader, shape: header.shape, element, left }),
            None => {
                let shape = header.shape;
                Err(format!("its shape is {shape:?}, but the file has {found} bytes of data").into())
            }
        }
    }

    pub(crate) fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the number of entries that have not been read.
    pub(crate) fn left(&self) -> usize {
        self.left
    }

    pub(crate) fn reader(&mut self) -> &mut R {
        &mut self.reader
    }

    /// Replaces the content of `numbers` by the next `count` entries.
    pub(crate) fn read(&mut self, count: usize, numbers: &mut Vec<f64>) -> Result<(), NumpyError> {
        let Self { reader, element, .. } = self;
        numbers.clear();
        let mut bytes = vec![0; PIECE.min(count * element.size)];
        while numbers.len() < count {
            let piece = bytes.len().min((count - numbers.len()) * element.size);
            let piece = &mut bytes[..piece - piece % element.size];
            reader.read_exact(piece)?;
            numbers.extend(piece.chunks_exact(element.size).map(|bytes| element.number(bytes)));
        }
        self.left -= count;
        Ok(())
    }
}

struct Header<'t> {
    element: &'t str,
    is_by_columns: bool,
    shape: Vec<usize>,
}

impl<'t> Header<'t> {
    /// Reads a header `{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }`, with the keys in any
    /// order.
    fn parse(text: &'t str) -> Option<Self> {
        let mut rest = text.trim().strip_prefix('{')?.strip_suffix('}')?.trim();
        let (mut element, mut is_by_columns, mut shape) = (None, None, None);
        while !rest.is_empty() {
            let (key, behind) = quoted(rest)?;
            let value = behind.trim_start().strip_prefix(':')?.trim_start();
            let behind = match key {
                "descr" => {
                    let (found, behind) = quoted(value)?;
                    element = Some(found);
                    behind
                }
                "fortran_order" => {
                    let (found, behind) = match value.strip_prefix("True") {
                        Some(behind) => (true, behind),
                        None => (false, value.strip_prefix("False")?),
                    };
                    is_by_columns = Some(found);
                    behind
                }
                "shape" => {
                    let (inside, behind) = value.strip_prefix('(')?.split_once(')')?;
                    let lengths = inside.split(',').map(str::trim).filter(|length| !length.is_empty());
                    shape = Some(lengths.map(|length| length.parse().ok()).collect::<Option<_>>()?);
                    behind
                }
                _ => return None,
            };
            let behind = behind.trim_start();
            rest = match behind.strip_prefix(',') {
                Some(behind) => behind.trim_start(),
                None if behind.is_empty() => behind,
                None => return None,
            };
        }
        Some(Self { element: element?, is_by_columns: is_by_columns?, shape: shape? })
    }
}

/// Splits `text` after the quoted string at its start; returns `None` if `text` does not start with a quoted
/// string.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|quote| ['\'', '"'].contains(quote))?;
    text[1..].split_once(quote)
}

/// Type of the numbers in a file.
struct Element {
    is_big_endian: bool,
    kind: u8,
    /// Size of a number \[bytes\].
    size: usize,
}

impl Element {
    fn of(text: &str) -> Option<Self> {
        let (is_big_endian, kind) = match text.as_bytes().split_first_chunk::<2>()?.0 {
            [b'>', kind] => (true, *kind),
            [b'<' | b'|' | b'=', kind] => (false, *kind),
            _ => return None,
        };
        let size = text.get(2..)?.parse().ok()?;
        let sizes: &[usize] = match kind {
            b'f' => &[4, 8],
            b'i' | b'u' => &[1, 2, 4, 8],
            _ => return None,
        };
        sizes.contains(&size).then_some(Self { is_big_endian, kind, size })
    }

    fn number(&self, bytes: &[u8]) -> f64 {
        // The bytes in little-endian order, followed by zeros.
        let mut wide = [0_u8; 8];
        for (place, byte) in bytes.iter().enumerate() {
            wide[if self.is_big_endian { bytes.len() - 1 - place } else { place }] = *byte;
        }
        let whole = u64::from_le_bytes(wide);
        match (self.kind, self.size) {
            (b'f', 8) => f64::from_bits(whole),
            (b'f', _) => f64::from(f32::from_bits(whole as u32)),
            (b'i', size) => {
                // Sign extension from the highest bit of the number.
                let unused = u64::BITS - 8 * size as u32;
                ((whole << unused).cast_signed() >> unused) as f64
            }
            _ => whole as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NumpyError, array_of, vector_header};

    fn file(header: &str, numbers: &[u8]) -> Vec<u8> {
        let length = (header.len() as u16).to_le_bytes();
        [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), numbers].concat()
    }

    #[test]
    fn a_vector_comes_back() {
        for numbers in [vec![], vec![0.1 + 0.2, -0.0, f64::INFINITY, 5e-324], vec![1.0; 1000]] {
            let mut bytes = vector_header(numbers.len());
            bytes.extend(numbers.iter().flat_map(|number: &f64| number.to_le_bytes()));
            assert_eq!((bytes.len() - 8 * numbers.len()) % 64, 0);
            let (shape, found) = array_of(&bytes).expect("it was written so");
            assert_eq!((shape, found), (vec![numbers.len()], numbers));
        }
    }

    #[test]
    fn numbers_of_other_types() {
        let header = |element: &str, length: usize| {
            format!("{{'shape': ({length},), 'fortran_order': True, \"descr\": '{element}'}}\n")
        };
        for (element, bytes, numbers) in [
            ("<f4", &[0, 0, 0xc0, 0xbf][..], &[-1.5][..]),
            (">f8", &[0x3f, 0xf0, 0, 0, 0, 0, 0, 0], &[1.0]),
            ("<i2", &[0xfe, 0xff, 3, 0], &[-2.0, 3.0]),
            (">i4", &[0xff, 0xff, 0xff, 0xff], &[-1.0]),
            ("|u1", &[255], &[255.0]),
            ("<i8", &[0xff; 8], &[-1.0]),
            ("<u8", &[0xff; 8], &[u64::MAX as f64]),
        ] {
            let found = array_of(&file(&header(element, numbers.len()), bytes)).expect(element);
            assert_eq!(found, (vec![numbers.len()], numbers.to_vec()), "{element}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let good = "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }";
        assert!(array_of(&file(good, &[0; 8])).is_ok());
        for (header, bytes, expected) in [
            (good, 7, "bytes of data"),
            (good, 9, "bytes of data"),
            (&*good.replace("(1,)", "(1000000000,)"), 8, "bytes of data"),
            (&good.replace("(1,)", "(9223372036854775807, 4)"), 8, "bytes of data"),
            (&good.replace("(1,)", "(99999999999999999999,)"), 8, "header is"),
            (&good.replace("(1,)", "(-1,)"), 8, "header is"),
            (&good.replace("'<f8'", "[('t', '<f8')]"), 8, "header is"),
            (&good.replace("<f8", "<c16"), 8, "type \"<c16\""),
            (&good.replace("<f8", "é8"), 8, "type"),
            (&good.replace("False, 'shape': (1,)", "True, 'shape': (2, 2)"), 32, "Fortran"),
            ("", 8, "header is"),
            ("{'descr': '<f8'}", 8, "header is"),
        ] {
            let Err(NumpyError::Form(message)) = array_of(&file(header, &vec![0; bytes])) else {
                panic!("{header}")
            };
            assert!(message.contains(expected), "{message}");
        }
        // A header that is longer than the file is not read.
        let long = [&b"\x93NUMPY\x02\x00"[..], &u32::MAX.to_le_bytes(), &[b'{'; 100]].concat();
        let Err(NumpyError::Form(message)) = array_of(&long) else { panic!("no array") };
        assert!(message.contains("ends within its header"), "{message}");
        let whole = file(good, &[0; 8]);
        for length in 0..whole.len() {
            assert!(array_of(&whole[..length]).is_err(), "{length} bytes");
        }
    }
}
