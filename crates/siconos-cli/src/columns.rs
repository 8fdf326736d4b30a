//! Layout of tables on a terminal.

use std::io::{self, Write};

/// Writes lines of cells. Each column is as wide as its widest cell. A column is right-aligned if its entry
/// in `to_the_right` is `true`.
pub(crate) fn write<const N: usize>(
    writer: &mut dyn Write,
    lines: &[[String; N]],
    to_the_right: [bool; N],
) -> io::Result<()> {
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    for line in lines {
        let padded = line.iter().zip(widths).zip(to_the_right);
        let cells = padded.map(|((cell, width), to_the_right)| match to_the_right {
            true => format!("{cell:>width$}  "),
            false => format!("{cell:width$}  "),
        });
        writeln!(writer, "{}", cells.collect::<String>().trim_end())?;
    }
    Ok(())
}
