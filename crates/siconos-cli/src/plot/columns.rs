//! Access to the columns of a trajectory by name.

use siconos_figure::kinds::Points;
use siconos_io::siconos_expression::{did_you_mean, nearest};
use siconos_io::trajectory::Table;

/// Columns of a trajectory.
#[derive(Clone, Copy)]
pub(super) struct Columns<'t> {
    table: &'t Table,
}

/// Maximum number of names listed in the error for an unknown column.
const MOST_LISTED: usize = 20;

impl<'t> Columns<'t> {
    pub(super) fn new(table: &'t Table) -> Self {
        Self { table }
    }

    pub(super) fn names(&self) -> &'t [String] {
        self.table.columns()
    }

    /// Returns the column with the time: the column `t`, or the first column.
    pub(super) fn time(&self) -> usize {
        self.table.column_index("t").unwrap_or(0)
    }

    pub(super) fn name(&self, column: usize) -> &'t str {
        &self.table.columns()[column]
    }

    /// Returns the index of a column. The error for an unknown column suggests the most similar name, or
    /// lists the names.
    pub(super) fn find(&self, name: &str) -> Result<usize, String> {
        let index = self.table.column_index(name);
        index.ok_or_else(|| {
            let names = self.names();
            let known = || names.iter().map(String::as_str);
            let hint = nearest(name, known()).map_or_else(
                || {
                    let more = if names.len() > MOST_LISTED { ", .." } else { "" };
                    let listed: Vec<_> = known().take(MOST_LISTED).collect();
                    format!("; the columns are {}{more}", listed.join(", "))
                },
                |near| did_you_mean(Some(&near)),
            );
            format!("there is no column `{name}`{hint}")
        })
    }

    /// Returns the indices of a list of columns, separated by commas. A comma in brackets is part of a name.
    pub(super) fn find_all(&self, list: &str) -> Result<Vec<usize>, String> {
        let mut depth = 0_i32;
        let names = list.split(|character| {
            depth += i32::from(character == '[') - i32::from(character == ']');
            character == ',' && depth <= 0
        });
        names.map(|name| self.find(name.trim())).collect()
    }

    /// Returns the axis label of a column: its name, with the unit if the table states it.
    pub(super) fn label(&self, column: usize) -> String {
        let name = self.name(column);
        let shown = if name == "t" && self.unit(column).is_some() { "time t" } else { name };
        with_unit(shown, self.unit(column).as_deref())
    }

    /// Returns the unit of a column if the table states it.
    pub(super) fn unit(&self, column: usize) -> Option<String> {
        let name = self.name(column);
        // Tables of earlier versions have this line.
        let is_time = name == "t" && self.table.provenance.iter().any(|line| line == "t in seconds");
        if is_time { Some("s".to_owned()) } else { self.table.unit(name) }
    }

    pub(super) fn values(&self, column: usize) -> Vec<f64> {
        self.table.rows().map(|row| row[column]).collect()
    }

    pub(super) fn points(&self, x: usize, y: usize) -> Points {
        self.table.rows().map(|row| (row[x], row[y])).collect()
    }
}

/// Returns a label of the form `x [m]`, or the label alone if there is no unit.
pub(super) fn with_unit(label: &str, unit: Option<&str>) -> String {
    unit.map_or_else(|| label.to_owned(), |unit| format!("{label} [{unit}]"))
}
