//! Tests of tolerances, infinities, NaN and shapes.

use siconos_io::trajectory::Table;

use super::{Comparison, Incomparable, Side, Tolerance, compare};
use crate::manifest::Column;

fn table(columns: &[&str], rows: &[&[f64]]) -> Table {
    let mut table = Table::new(columns.iter().copied());
    for row in rows {
        table.push_row(row).expect("rows are as wide as the table");
    }
    table
}

fn column(name: &str, reference_column: &str, absolute: f64, relative: f64) -> Column {
    Column {
        name: name.to_owned(),
        reference_column: reference_column.to_owned(),
        tolerance: Tolerance { absolute, relative },
        reason: String::new(),
    }
}

/// Compares the column `q` of two tables with the times 0, 1, ..
fn compare_q(
    values: &[f64],
    references: &[f64],
    absolute: f64,
    relative: f64,
) -> Result<Comparison, Incomparable> {
    let filled = |name: &str, values: &[f64]| {
        let mut table = Table::new(["t", name]);
        for (k, &value) in values.iter().enumerate() {
            table.push_row(&[k as f64, value]).expect("two numbers");
        }
        table
    };
    compare(&filled("q", values), &filled("c1", references), &[column("q", "c1", absolute, relative)], None)
}

#[test]
fn the_tolerance_is_mixed() -> Result<(), Incomparable> {
    let passes = |a, b, absolute, relative| {
        compare_q(&[a], &[b], absolute, relative).map(|comparison| comparison.first_offence.is_none())
    };
    assert!(passes(1.0, 1.0, 0.0, 0.0)?);
    assert!(!passes(1.0, 1.0 + f64::EPSILON, 0.0, 0.0)?);
    assert!(passes(1.0, 1.5, 0.5, 0.0)?);
    assert!(passes(1000.0, 1001.0, 0.0, 1e-3)? && !passes(1000.0, 1002.0, 0.0, 1e-3)?);
    assert!(passes(-1000.0, -1001.5, 0.5, 1e-3)? && !passes(-1000.0, 1000.0, 0.5, 1e-3)?);
    Ok(())
}

#[test]
fn the_first_offending_row_is_named() -> Result<(), Incomparable> {
    let comparison = compare_q(&[0.0, 1.0, 2.5, 4.0, 3.0], &[0.0, 1.25, 2.0, 3.0, 3.0], 0.25, 0.0)?;
    let offence = comparison.first_offence.expect("row 2 is off");
    assert_eq!((offence.row, offence.time, offence.column.as_str()), (2, Some(2.0), "q"));
    assert_eq!((offence.value, offence.reference), (2.5, 2.0));
    assert_eq!((offence.difference, offence.allowed), (0.5, 0.25));
    let outcome = &comparison.columns[0];
    assert_eq!((outcome.max_difference, outcome.row, outcome.max_ratio), (1.0, 3, 4.0));
    Ok(())
}

#[test]
fn of_one_row_the_worst_column_is_named() -> Result<(), Incomparable> {
    let result = table(&["q", "v"], &[&[0.0, 0.0], &[1.0, 3.0], &[9.0, 9.0]]);
    let reference = table(&["q", "v"], &[&[0.0, 0.0], &[0.0, 0.0], &[0.0, 0.0]]);
    let columns = [column("q", "q", 0.5, 0.0), column("v", "v", 0.5, 0.0)];
    let comparison = compare(&result, &reference, &columns, None)?;
    let offence = comparison.first_offence.expect("row 1 is off");
    assert_eq!((offence.row, offence.time, offence.column.as_str()), (1, None, "v"));
    let only_first = compare(&result, &reference, &columns, Some(0..1))?;
    assert_eq!((only_first.rows, only_first.first_offence), (0..1, None));
    Ok(())
}

#[test]
fn a_tolerance_of_zero_divides_nothing() -> Result<(), Incomparable> {
    let same = compare_q(&[1.0, 2.0], &[1.0, 2.0], 0.0, 0.0)?;
    assert_eq!((same.columns[0].max_difference, same.columns[0].max_ratio), (0.0, 0.0));
    let other = compare_q(&[1.0, 2.0], &[1.0, 2.5], 0.0, 0.0)?;
    assert_eq!(other.columns[0].max_ratio, f64::INFINITY);
    Ok(())
}

#[test]
fn infinities_match_only_themselves() -> Result<(), Incomparable> {
    let inf = f64::INFINITY;
    assert!(compare_q(&[inf, -inf], &[inf, -inf], 0.0, 0.0)?.first_offence.is_none());
    assert!(compare_q(&[inf], &[-inf], 1.0, 1.0)?.first_offence.is_some());
    assert!(compare_q(&[inf], &[1.0], 1.0, 1.0)?.first_offence.is_some());
    Ok(())
}

#[test]
fn a_nan_is_never_the_same() {
    let nan = f64::NAN;
    for (values, references, side) in [
        ([0.0, nan], [0.0, 0.0], Side::Result),
        ([0.0, 0.0], [0.0, nan], Side::Reference),
        ([0.0, nan], [0.0, nan], Side::Result),
    ] {
        let error = compare_q(&values, &references, 1.0, 1.0).expect_err("a NaN");
        assert!(
            matches!(error, Incomparable::NotANumber { side: found, row: 1, .. } if found == side),
            "{error}"
        );
    }
    // A NaN in other columns and rows is rejected as well.
    let result = table(&["q", "other"], &[&[0.0, 0.0], &[0.0, nan]]);
    let reference = table(&["q"], &[&[0.0], &[0.0]]);
    assert!(compare(&result, &reference, &[column("q", "q", 0.0, 0.0)], Some(0..1)).is_err());
}

#[test]
fn tables_of_another_shape_are_refused() {
    let count = compare_q(&[0.0; 3], &[0.0; 4], 0.0, 0.0);
    assert_eq!(count, Err(Incomparable::RowCount { result: 3, reference: 4 }));
    assert_eq!(compare_q(&[], &[], 0.0, 0.0), Err(Incomparable::NoRow));
    let q = table(&["q"], &[&[0.0]]);
    let columns = [column("q", "q", 0.0, 0.0)];
    assert_eq!(compare(&q, &q, &columns, Some(0..2)), Err(Incomparable::Rows { rows: 0..2, available: 1 }));
    let missing = compare(&q, &q, &[column("v", "q", 0.0, 0.0)], None);
    assert!(matches!(missing, Err(Incomparable::NoColumn { side: Side::Result, .. })));
    let missing = compare(&q, &q, &[column("q", "c1", 0.0, 0.0)], None);
    assert!(matches!(missing, Err(Incomparable::NoColumn { side: Side::Reference, .. })));
}
