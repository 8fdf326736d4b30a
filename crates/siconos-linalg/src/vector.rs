//! Vector operations on slices.

use ndarray::{Array1, ArrayView2};

/// Returns a view of a slice that holds an `n x n` matrix row by row.
///
/// # Panics
///
/// If the slice does not have `n * n` entries.
#[track_caller]
#[must_use]
pub fn square(entries: &[f64], n: usize) -> ArrayView2<'_, f64> {
    match ArrayView2::from_shape((n, n), entries) {
        Ok(view) => view,
        Err(_) => panic!("{} entries do not form a {n} x {n} matrix", entries.len()),
    }
}

/// Returns the inner product $a^T b$ over the shorter of the two lengths.
#[inline]
#[must_use]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    with_wide_registers(
        a.len().min(b.len()),
        #[inline(always)]
        || inlined::dot(a, b),
    )
}

/// Computes $y \leftarrow y + \alpha x$ over the shorter of the two lengths.
#[inline]
pub fn add_scaled(alpha: f64, x: &[f64], y: &mut [f64]) {
    with_wide_registers(
        y.len(),
        #[inline(always)]
        || inlined::add_scaled(alpha, x, y),
    );
}

/// Returns the Euclidean norm.
#[inline]
#[must_use]
pub fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// Returns the index of the first entry that is not finite, or `None` if all are finite.
#[inline]
#[must_use]
pub fn first_non_finite(x: &[f64]) -> Option<usize> {
    if are_finite(x) { None } else { x.iter().position(|x| !x.is_finite()) }
}

/// Returns `true` if all entries are finite. The loop has no early exit, so that it can be vectorised.
#[inline]
pub fn are_finite(x: &[f64]) -> bool {
    x.iter().fold(true, |all, x| all & x.is_finite())
}

/// Returns `true` if two vectors are equal. The loop has no early exit, so that it can be vectorised.
pub fn are_equal(x: &[f64], y: &[f64]) -> bool {
    x.len() == y.len()
        && with_wide_registers(
            x.len(),
            #[inline(always)]
            || x.iter().zip(y).fold(true, |all, (x, y)| all & (x == y)),
        )
}

/// Minimum number of entries for which wide registers save more time than the additional call costs.
const FEWEST_FOR_WIDE_REGISTERS: usize = 24;

/// Runs a loop over vectors of the given length. If the vectors are long enough, the loop uses the widest
/// registers of the machine.
///
/// If the loop has explicit partial sums, the results are bit-identical for registers of all widths.
/// Functions of [`inlined`] that the closure calls are compiled for the wide registers only if the closure is
/// marked `#[inline(always)]` and its loops are `for` loops. Otherwise the compiler may leave the closure, or
/// a `for_each`, `extend` or `map` in it, as a separate function for narrow registers.
#[inline]
pub fn with_wide_registers<R>(length: usize, work: impl FnOnce() -> R) -> R {
    if length < FEWEST_FOR_WIDE_REGISTERS { work() } else { pulp::Arch::new().dispatch(work) }
}

/// Loops that are inlined into the calling function and compiled for its register width.
pub mod inlined {
    /// Number of independent partial sums, which the processor adds in parallel.
    const LANES: usize = 8;

    /// Number of partial sums of a long inner product. With fewer sums, each addition would wait for the
    /// previous one.
    const MANY_LANES: usize = 32;

    /// Returns the inner product, see [`dot`](super::dot).
    #[inline(always)]
    pub fn dot(a: &[f64], b: &[f64]) -> f64 {
        let n = a.len().min(b.len());
        if n < LANES {
            a.iter().zip(b).map(|(x, y)| x * y).sum()
        } else if n < 2 * MANY_LANES {
            sum_of_products::<LANES>(&a[..n], &b[..n])
        } else {
            sum_of_products::<MANY_LANES>(&a[..n], &b[..n])
        }
    }

    /// Returns $|a|^T |b|$ over the shorter of the two lengths.
    #[inline(always)]
    pub(crate) fn absolute_dot(a: &[f64], b: &[f64]) -> f64 {
        let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
        let mut sums = [0.0; LANES];
        for (a, b) in a.iter().zip(b) {
            for lane in 0..LANES {
                sums[lane] += (a[lane] * b[lane]).abs();
            }
        }
        let rest: f64 = a_rest.iter().zip(b_rest).map(|(x, y)| (x * y).abs()).sum();
        sums.iter().sum::<f64>() + rest
    }

    #[inline(always)]
    fn sum_of_products<const N: usize>(a: &[f64], b: &[f64]) -> f64 {
        let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<N>(), b.as_chunks::<N>());
        let mut sums = [0.0; N];
        for (a, b) in a.iter().zip(b) {
            for lane in 0..N {
                sums[lane] += a[lane] * b[lane];
            }
        }
        let rest: f64 = a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum();
        sums.iter().sum::<f64>() + rest
    }

    /// Adds a multiple of a vector, see [`add_scaled`](super::add_scaled).
    #[inline(always)]
    pub fn add_scaled(alpha: f64, x: &[f64], y: &mut [f64]) {
        for (y, x) in y.iter_mut().zip(x) {
            *y += alpha * x;
        }
    }

    /// Computes $y \leftarrow y + \sum_k \alpha_k v_k$, where `vector(k)` is $v_k$, at least as long as y.
    /// Four vectors are added at a time, so that y is read and written a quarter as often.
    #[inline(always)]
    pub fn add_combination<'a>(alpha: &[f64], vector: impl Fn(usize) -> &'a [f64], y: &mut [f64]) {
        let n = y.len();
        let (fours, rest) = alpha.as_chunks::<4>();
        for (k, alpha) in fours.iter().enumerate() {
            let of = |l: usize| &vector(4 * k + l)[..n];
            let (a, b, c, d) = (of(0), of(1), of(2), of(3));
            for i in 0..n {
                y[i] += (alpha[0] * a[i] + alpha[1] * b[i]) + (alpha[2] * c[i] + alpha[3] * d[i]);
            }
        }
        for (k, alpha) in rest.iter().enumerate() {
            add_scaled(*alpha, &vector(4 * fours.len() + k)[..n], y);
        }
    }

    /// Returns the largest magnitude of the entries, or 0 if there are none. A NaN is ignored.
    #[inline(always)]
    pub fn largest_magnitude(x: &[f64]) -> f64 {
        let larger = |a: f64, x: f64| if x.abs() > a { x.abs() } else { a };
        if x.len() < LANES {
            return x.iter().fold(0.0, |a, &x| larger(a, x));
        }
        let (chunks, rest) = x.as_chunks::<LANES>();
        let mut lanes = [0.0; LANES];
        for chunk in chunks {
            for lane in 0..LANES {
                lanes[lane] = larger(lanes[lane], chunk[lane]);
            }
        }
        lanes.iter().chain(rest).fold(0.0, |a, &x| larger(a, x))
    }
}

/// Copies an array to contiguous storage.
pub fn contiguous(a: Array1<f64>) -> Array1<f64> {
    a.into_iter().collect()
}

/// Returns the entries of an array returned by [`contiguous`].
pub fn slice(a: &Array1<f64>) -> &[f64] {
    a.as_slice().unwrap_or_default()
}

/// Returns entry i of a vector with entries between 1 and 2. The vector is unlikely to be orthogonal to a
/// given vector, for example to a null vector of a matrix.
pub fn in_general_position(i: usize) -> f64 {
    const GOLDEN_RATIO: f64 = 0.618_033_988_749_894_8;
    1.0 + (i as f64 * GOLDEN_RATIO).fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudorandom number between -1 and 1.
    fn entry(i: usize) -> f64 {
        (i as f64 * 0.618_033_988_749_895).fract() * 2.0 - 1.0
    }

    #[test]
    fn wide_registers_change_no_bit() {
        for n in 0..200 {
            let (a, b): (Vec<f64>, Vec<f64>) = (0..n).map(|i| (entry(i), entry(3 * i + 1))).unzip();
            assert_eq!(dot(&a, &b).to_bits(), inlined::dot(&a, &b).to_bits(), "{n}");
            let (mut wide, mut narrow) = (b.clone(), b.clone());
            add_scaled(0.3, &a, &mut wide);
            inlined::add_scaled(0.3, &a, &mut narrow);
            assert!(wide.iter().zip(&narrow).all(|(x, y)| x.to_bits() == y.to_bits()), "{n}");
        }
    }

    #[test]
    fn one_entry_that_is_not_finite_is_seen() {
        for n in [1, 7, 8, 33] {
            let finite: Vec<f64> = (0..n).map(entry).collect();
            assert!(are_finite(&finite));
            for (i, x) in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY].into_iter().enumerate() {
                let mut other = finite.clone();
                other[(5 * i) % n] = x;
                assert_eq!(first_non_finite(&other), Some((5 * i) % n), "{n}, {x}");
            }
        }
        assert!(are_finite(&[]) && are_finite(&[f64::MAX, f64::MIN]));
    }
}
