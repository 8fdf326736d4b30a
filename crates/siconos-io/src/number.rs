//! Parser of numbers, including spellings that Rust does not parse.

/// Reads a number in one of these spellings:
///
/// - decimal, with or without sign, point and exponent: `1`, `-.5`, `1e-3`;
/// - Fortran: `1.0D-03`, and `1.0-103`, which omits the letter because the exponent has three digits;
/// - not finite, as written by C, C++, NumPy and Rust, in any case and with any sign: `nan`, `nan(0x8000)`,
///   `-nan(ind)`, `inf`, `infinity`;
/// - not finite, as written by old C libraries: `1.#QNAN`, `1.#SNAN`, `1.#IND`, `1.#INF`, followed by any
///   digits.
///
/// A number too large for a double is read as infinite; [`overflows`] distinguishes it from a written
/// infinity.
pub(crate) fn parse_number(text: &str) -> Option<f64> {
    text.parse().ok().or_else(|| of_fortran(text)).or_else(|| not_finite(text))
}

/// Returns `true` if the number in `text` is finite but too large, so that it was read as infinite.
pub(crate) fn overflows(text: &str, number: f64) -> bool {
    number.is_infinite() && !text.contains(['i', 'I'])
}

/// Reads `1.0D-03` or `1.0-103`.
fn of_fortran(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let length = unsigned.find(|c: char| !(c.is_ascii_digit() || c == '.'))?;
    let (mantissa, exponent) = text.split_at(text.len() - unsigned.len() + length);
    let exponent = match exponent.strip_prefix(['d', 'D', 'q', 'Q']) {
        Some(exponent) => exponent,
        None if exponent.starts_with(['+', '-']) => exponent,
        None => return None,
    };
    format!("{mantissa}e{exponent}").parse().ok()
}

fn not_finite(text: &str) -> Option<f64> {
    let lower = text.to_ascii_lowercase();
    let (sign, unsigned) = match lower.strip_prefix('-') {
        Some(unsigned) => (-1.0, unsigned),
        None => (1.0, lower.strip_prefix('+').unwrap_or(&lower)),
    };
    if let Some(payload) = unsigned.strip_prefix("nan") {
        let inside = payload.strip_prefix('(')?.strip_suffix(')')?;
        let is_word = inside.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        return is_word.then_some(f64::NAN);
    }
    let word = unsigned.strip_prefix("1.#")?.trim_end_matches(|c: char| c.is_ascii_digit());
    match word {
        "inf" => Some(sign * f64::INFINITY),
        "qnan" | "snan" | "nan" | "ind" => Some(f64::NAN),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{overflows, parse_number};

    #[test]
    fn decimal_and_fortran() {
        for (text, number) in [
            ("1", 1.0),
            ("-.5", -0.5),
            ("+2.", 2.0),
            ("1e-3", 1e-3),
            ("1.5D-03", 1.5e-3),
            ("-1.5d+03", -1.5e3),
            ("1.25-103", 1.25e-103),
            ("-1.25+103", -1.25e103),
            ("3q2", 300.0),
        ] {
            assert_eq!(parse_number(text), Some(number), "{text}");
        }
    }

    #[test]
    fn not_finite() {
        for text in
            ["nan", "NaN", "-nan", "-nan(ind)", "nan(0x8000000000000)", "1.#QNAN", "-1.#IND00", "1.#SNAN0"]
        {
            assert!(parse_number(text).is_some_and(f64::is_nan), "{text}");
        }
        for text in ["inf", "+Inf", "INFINITY", "1.#INF", "1.#INF00"] {
            assert_eq!(parse_number(text), Some(f64::INFINITY), "{text}");
            assert!(!overflows(text, f64::INFINITY));
        }
        assert_eq!(parse_number("-1.#INF"), Some(f64::NEG_INFINITY));
        assert!(overflows("1e999", parse_number("1e999").unwrap_or_default()));
        assert!(overflows("1D999", parse_number("1D999").unwrap_or_default()));
    }

    #[test]
    fn what_is_no_number() {
        for text in [
            "", "-", ".", "1.2.3", "1e", "1d", "D5", "1-", "1--3", "nan(", "nan(a b)", "nano", "1.#J", "1,5",
            "0x10", "é1",
        ] {
            assert_eq!(parse_number(text).map(f64::to_bits), None, "{text}");
        }
    }
}
