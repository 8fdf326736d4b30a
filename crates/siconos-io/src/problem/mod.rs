//! Problems: the data of one complementarity or contact problem, in files.
//!
//! | class | unknowns | `.dat`: tokens in this order |
//! | --- | --- | --- |
//! | `lcp` | w = M z + q, 0 <= w perp z >= 0 | `n`, the matrix M, `q[n]` |
//! | `mlcp` | the same, and rows with w = 0 and z free | `s1 s2 n m`, see below |
//! | `relay` | w = M z + q, lower <= z <= upper, -w in the normal cone | `n`, the matrix M, `q[n]`, `lower[n]`, `upper[n]` |
//! | `fc2d`, `fc3d` | contacts with friction, u = W r + q | `dimension` (2 or 3), `nc`, the matrix W, `q[dimension nc]`, `mu[nc]` |
//! | `gfc2d`, `gfc3d` | the same in global form, M v = H r + f, u = H^T v + w | `dimension`, `nc`, the matrices M and H, `f`, `w[dimension nc]`, `mu[nc]` |
//! | `rolling` | contacts with rolling friction, u = W r + q | `dimension` (3 in the plane, 5 in space), `nc`, the matrix W, `q[dimension nc]`, `mu[nc]`, `mu_rolling[nc]` |
//! | `grolling` | the same in global form, M v = H r + f, u = H^T v + w | `dimension` (3 or 5), `nc`, the matrices M and H, `f`, `w[dimension nc]`, `mu[nc]`, `mu_rolling[nc]` |
//! | `soclcp` | w = M z + q, K* contains w perp z in K, a product of second-order cones | `n`, `nc`, the matrix M, `q[n]`, `starts[nc + 1]`, `tau[nc]` |
//! | `gmp` | w = M z + q, a law for each block | the matrix M in sparse blocks, `q[n]`, and for each block row 0 (complementarity), 2 (equality) or 4 and mu (friction in space) |
//!
//! Files that end in `.hdf5` are those of FCLIB, see `siconos_io::fclib`; the cargo feature `hdf5` has to be
//! on.
//!
//! # The `.dat` format
//!
//! It is that of Siconos: tokens separated by white space, in which line breaks mean nothing. What comes
//! after the last token is ignored, since many files end with a remark.
//!
//! A matrix begins with `storage rows columns`. What follows depends on the storage:
//!
//! - 0, dense: `rows columns` once more, then the entries **column by column**. It becomes [`Matrix::Dense`].
//! - 1, sparse blocks: the numbers of blocks, block rows and block columns; the last row of each block row
//!   and the last column of each block column, counted from 1; the lengths of the next two lists; the first
//!   block of each block row with the number of blocks at the end; the block column of each block; then each
//!   block, its number and its entries column by column. It becomes [`Matrix::BlockCsr`].
//! - 2, sparse text as CSparse prints it: 1 (triplets), 2 (columns) or 3 (rows), a line with a version, a
//!   header `m-by-n, nzmax: a nnz: b, 1-norm: c`, and the entries with their places. It becomes
//!   [`Matrix::Csc`].
//!
//! A mixed problem begins with `s1 s2 n m` for n equalities and m complementarities. When s1 is 1, there
//! follow the starts of blocks of rows with n + m at the end, 0 (equality) or 1 (complementarity) for each
//! block, the matrix M and q. When s2 is 1, there follow `A[n n] B[m m] C[n m] D[m n] a[n] b[m]`, each row by
//! row, for M = `[[A, C], [D, B]]`. Where both are given they have to agree up to the digits of a printed
//! number, and M is taken.
//!
//! A mixed problem may have more equalities than free unknowns: then M has more rows than columns, with the
//! complementarities last, and free unknowns with zero columns are put behind the n others to make it square.
//!
//! A file does not say of which class it is. [`Problem::from_dat`] can be told; otherwise it takes the class
//! whose grammar fits. A relay problem begins as a linear complementarity problem whose bounds would be a
//! remark, so that this is [ambiguous](ProblemFileErrorKind::Ambiguous), and one has to say. The same holds
//! for rolling friction in the plane, which begins as friction in space; only a lone 0 or 1 behind a single
//! contact is taken for the flag that Siconos writes.
//!
//! # The `.json` format
//!
//! ```
//! use siconos_io::problem::{Problem, ProblemClass};
//!
//! let text = r#"{
//!     "class": "relay",
//!     "m": {"dense": [[2, 1], [1, 2]]},
//!     "q": [-5, -6],
//!     "lower": [0, 0],
//!     "upper": [0.5, null]
//! }"#;
//! let problem = Problem::from_json(text.as_bytes())?;
//! assert_eq!((problem.class(), problem.size()), (ProblemClass::Relay, 2));
//!
//! let mut file = Vec::new();
//! problem.to_json(&mut file)?;
//! assert_eq!(Problem::from_json(file.as_slice())?, problem);
//! # Ok::<(), siconos_io::problem::ProblemFileError>(())
//! ```
//!
//! The rows of a dense matrix are rows; the other storages are `diagonal`, `block_csr` and `csc`, with the
//! arrays of [`BlockCsr`](siconos_linalg::BlockCsr) and [`Csc`](siconos_linalg::Csc). A
//! bound that is `null` is infinite. A mixed problem has `rows`, a list of `"equality"` and
//! `"complementarity"`. The other classes have these fields, beside `class`:
//!
//! | class | fields |
//! | --- | --- |
//! | `fc2d`, `fc3d` | `w`, `q`, `mu` |
//! | `gfc2d`, `gfc3d` | `m`, `h`, `f`, `w` (a vector), `mu` |
//! | `rolling` | `dimension` (3 or 5), `w`, `q`, `mu`, `mu_rolling` |
//! | `grolling` | `dimension` (3 or 5), `m`, `h`, `f`, `w` (a vector), `mu`, `mu_rolling` |
//! | `soclcp` | `m`, `q`, `starts`, `tau` |
//! | `gmp` | `m`, `q`, `laws`: a list of `{"equality": {"size": 2}}`, `{"complementarity": {"size": 1}}`, `{"relay": {"lower": [0], "upper": [null]}}`, `{"friction2": {"mu": 0.3}}`, `{"friction3": {"mu": 0.3}}` |
//!
//! A coefficient of friction that is infinite (contacts that do not slip) is `inf` in `.dat` and `"inf"` in
//! JSON.
//!
//! Numbers are written with as few digits as determine them, so a problem that was written and read again is
//! the same bit for bit in both formats.
//!
//! [`Matrix::Dense`]: siconos_linalg::Matrix::Dense
//! [`Matrix::BlockCsr`]: siconos_linalg::Matrix::BlockCsr
//! [`Matrix::Csc`]: siconos_linalg::Matrix::Csc

mod contact_dat;
mod dat;
mod error;
mod file;
mod gmp_dat;
mod json;
mod json_coefficients;
mod json_contact;
mod json_gmp;
mod json_matrix;
mod matrix_reader;
mod matrix_writer;
mod mlcp_dat;
mod sparse_reader;
mod tokens;

pub use crate::problem_class::{Problem, ProblemClass, UnknownClass};
pub use error::{Place, ProblemFileError, ProblemFileErrorKind};
