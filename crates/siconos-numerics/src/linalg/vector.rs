//! Operations on slices that are written once.

use ndarray::ArrayView2;
use pulp::{Arch, Simd, WithSimd};

/// A square matrix over a slice that holds it row by row.
///
/// # Panics
///
/// When the slice has not `n` times `n` entries.
#[track_caller]
#[must_use]
pub fn square(entries: &[f64], n: usize) -> ArrayView2<'_, f64> {
    match ArrayView2::from_shape((n, n), entries) {
        Ok(view) => view,
        Err(_) => panic!("{} entries make no {n} x {n} matrix", entries.len()),
    }
}

/// Independent sums of a long scalar product: a chain of additions would wait for each one to end.
const LANES: usize = 32;

/// Vectors shorter than this are not worth asking which instructions the processor has.
const SHORT: usize = 48;

/// The scalar product $a^T b$ over the shorter of the two lengths.
#[inline]
#[must_use]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    if a.len().min(b.len()) < SHORT { Dot(a, b).lanes::<4>() } else { Arch::new().dispatch(Dot(a, b)) }
}

/// $y \leftarrow y + \alpha x$ over the shorter of the two lengths.
#[inline]
pub fn add_scaled(alpha: f64, x: &[f64], y: &mut [f64]) {
    let task = AddScaled(alpha, x, y);
    if task.1.len() < SHORT { task.run() } else { Arch::new().dispatch(task) }
}

/// One loop, compiled for each set of vector instructions; the widest that the processor has is taken at run time.
struct Dot<'a>(&'a [f64], &'a [f64]);

impl Dot<'_> {
    #[inline(always)]
    fn lanes<const N: usize>(self) -> f64 {
        let n = self.0.len().min(self.1.len());
        let (a, a_rest) = self.0[..n].as_chunks::<N>();
        let (b, b_rest) = self.1[..n].as_chunks::<N>();
        let mut sums = [0.0; N];
        for (a, b) in a.iter().zip(b) {
            for k in 0..N {
                sums[k] += a[k] * b[k];
            }
        }
        let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
        sums.iter().sum::<f64>() + rest
    }
}

impl WithSimd for Dot<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f64 {
        self.lanes::<LANES>()
    }
}

struct AddScaled<'a>(f64, &'a [f64], &'a mut [f64]);

impl AddScaled<'_> {
    #[inline(always)]
    fn run(self) {
        for (y, x) in self.2.iter_mut().zip(self.1) {
            *y += self.0 * x;
        }
    }
}

impl WithSimd for AddScaled<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        self.run();
    }
}

/// $y \leftarrow y + \sum_k \alpha_k v_k$, where `vector(k)` is $v_k$, at least as long as y. Four vectors at a time, so
/// that y is read and written a quarter as often.
#[inline]
pub(crate) fn add_combination<'a>(alpha: &[f64], vector: impl Fn(usize) -> &'a [f64], y: &mut [f64]) {
    let n = y.len();
    let (fours, rest) = alpha.as_chunks::<4>();
    for (k, alpha) in fours.iter().enumerate() {
        let task = AddFour(alpha, [0, 1, 2, 3].map(|l| &vector(4 * k + l)[..n]), y);
        if n < SHORT { task.run() } else { Arch::new().dispatch(task) }
    }
    for (k, alpha) in rest.iter().enumerate() {
        add_scaled(*alpha, &vector(4 * fours.len() + k)[..n], y);
    }
}

struct AddFour<'a>(&'a [f64; 4], [&'a [f64]; 4], &'a mut [f64]);

impl AddFour<'_> {
    #[inline(always)]
    fn run(self) {
        let (alpha, [a, b, c, d]) = (self.0, self.1);
        for ((((y, a), b), c), d) in self.2.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            *y += (alpha[0] * a + alpha[1] * b) + (alpha[2] * c + alpha[3] * d);
        }
    }
}

impl WithSimd for AddFour<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        self.run();
    }
}

/// The largest magnitude of the entries, 0 of none; a NaN is passed over.
#[inline]
pub(crate) fn largest_magnitude(x: &[f64]) -> f64 {
    let larger = |a: f64, x: f64| if x.abs() > a { x.abs() } else { a };
    let (chunks, rest) = x.as_chunks::<8>();
    let mut lanes = [0.0; 8];
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane = larger(*lane, *x);
        }
    }
    lanes.iter().chain(rest).fold(0.0, |a, &x| larger(a, x))
}

/// The Euclidean norm.
#[inline]
#[must_use]
pub fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}
