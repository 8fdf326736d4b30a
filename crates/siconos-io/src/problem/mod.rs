//! Files with the data of one complementarity or contact problem.
//!
//! | class | unknowns | `.dat`: tokens in this order |
//! | --- | --- | --- |
//! | `lcp` | w = M z + q, 0 <= w perp z >= 0 | `n`, the matrix M, `q[n]` |
//! | `mlcp` | as `lcp`, with additional rows where w = 0 and z is free | `s1 s2 n m`, see below |
//! | `relay` | w = M z + q, lower <= z <= upper, -w in the normal cone | `n`, the matrix M, `q[n]`, `lower[n]`, `upper[n]` |
//! | `fc2d`, `fc3d` | contacts with friction, u = W r + q | `dimension` (2 or 3), `nc`, the matrix W, `q[dimension nc]`, `mu[nc]` |
//! | `gfc2d`, `gfc3d` | contacts with friction in global form, M v = H r + f, u = H^T v + w | `dimension`, `nc`, the matrices M and H, `f`, `w[dimension nc]`, `mu[nc]` |
//! | `rolling` | contacts with rolling friction, u = W r + q | `dimension` (3 in the plane, 5 in space), `nc`, the matrix W, `q[dimension nc]`, `mu[nc]`, `mu_rolling[nc]` |
//! | `grolling` | contacts with rolling friction in global form, M v = H r + f, u = H^T v + w | `dimension` (3 or 5), `nc`, the matrices M and H, `f`, `w[dimension nc]`, `mu[nc]`, `mu_rolling[nc]` |
//! | `soclcp` | w = M z + q, z in K, w in K*, w perp z, where K is a product of second-order cones | `n`, `nc`, the matrix M, `q[n]`, `starts[nc + 1]`, `tau[nc]` |
//! | `gmp` | w = M z + q, a law for each block | the matrix M in sparse blocks, `q[n]`, and for each block row 0 (complementarity), 2 (equality) or 4 and mu (friction in space) |
//!
//! Files with the extension `.hdf5` are FCLIB files, see `siconos_io::fclib`; they require the cargo feature
//! `hdf5`.
//!
//! # The `.dat` format
//!
//! This is the format of Siconos: tokens separated by white space, including line breaks. Text after the last
//! token of a problem is ignored, because many files end with a remark.
//!
//! A matrix starts with `storage rows columns`. The remaining tokens depend on the storage:
//!
//! - 0, dense: `rows columns` again, then the entries **column by column**. It is read as [`Matrix::Dense`].
//! - 1, sparse blocks: the numbers of blocks, block rows and block columns; the last row of each block row
//!   and the last column of each block column, counted from 1; the lengths of the next two lists; the index
//!   of the first block of each block row, followed by the number of blocks; the block column of each block;
//!   then each block, which consists of its index and its entries column by column. It is read as
//!   [`Matrix::BlockCsr`].
//! - 2, sparse text as printed by CSparse: 1 (triplets), 2 (columns) or 3 (rows), a line with a version, a
//!   header `m-by-n, nzmax: a nnz: b, 1-norm: c`, and the entries with their indices. It is read as
//!   [`Matrix::Csc`].
//!
//! A mixed problem starts with `s1 s2 n m` for n equalities and m complementarities. The flags s1 and s2
//! state in which forms the matrix follows; if both are 1, both forms follow. If s1 is 1: the index of the
//! first row of each block of rows, with n + m at the end of the list; 0 (equality) or 1 (complementarity)
//! for each block; the matrix M; and q. If s2 is 1: `A[n n] B[m m] C[n m] D[m n] a[n] b[m]`, each row by row,
//! for M = `[[A, C], [D, B]]`. If both forms are given, they must agree up to the precision of printed
//! numbers, and M is used.
//!
//! A mixed problem can have more equalities than free unknowns. M then has more rows than columns, with the
//! complementarities last. The reader makes M square by adding free unknowns with zero columns after the n
//! free unknowns of the file.
//!
//! A `.dat` file does not state its class. [`Problem::from_dat`] takes the class as an argument. If it is
//! `None`, the class is the only one whose grammar matches the file. A relay problem also matches the grammar
//! of a linear complementarity problem, with the bounds as a remark. It is therefore
//! [ambiguous](ProblemFileErrorKind::Ambiguous), and the class must be given. The class must also be given
//! for rolling friction in the plane, which can also be read as friction in space. There is one exception: a
//! single 0 or 1 after a problem with a single contact is read as the flag that Siconos writes, not as a
//! coefficient of rolling friction.
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
//! Dense matrices are lists of rows. The other storage formats are `diagonal`, `block_csr` and `csc`, with
//! the arrays of [`BlockCsr`](siconos_linalg::BlockCsr) and [`Csc`](siconos_linalg::Csc). A bound that is
//! `null` is infinite. A mixed problem has `rows`, a list of `"equality"` and `"complementarity"`. The other
//! classes have these fields, in addition to `class`:
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
//! The friction coefficient of a contact that cannot slip is infinite. It is written as `inf` in `.dat` and
//! as `"inf"` in JSON.
//!
//! Numbers are written with the fewest digits that determine the double. A problem that is written and read
//! again is therefore identical bit for bit, in both formats.
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
pub use error::{ProblemFileError, ProblemFileErrorKind, TextPosition};
