//! Linear complementarity problems of the reference data.

use ndarray::Array2;
use siconos_testkit::reference;

use super::tokens::Tokens;

/// Returns M in dense storage and q of a file, or `None` without reference data. The tokens are n, M, q, and
/// remarks.
#[track_caller]
pub(crate) fn problem(file: &str) -> Option<(Array2<f64>, Vec<f64>)> {
    let path = reference::folder("lcp")?.join(file);
    let text = reference::text(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let read = |tokens: &mut Tokens<'_>| -> Result<(Array2<f64>, Vec<f64>), String> {
        let n = tokens.next()?;
        let m = tokens.matrix()?.view().to_dense();
        if m.dim() != (n, n) {
            return Err(format!("{n} unknowns, but a matrix of {:?}", m.dim()));
        }
        Ok((m, tokens.list(n)?))
    };
    Some(read(&mut Tokens::of(&text)).unwrap_or_else(|error| panic!("{file}: {error}")))
}
