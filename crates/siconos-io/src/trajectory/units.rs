//! Units of the columns of a table, as a line of its provenance.

use std::collections::BTreeMap;

use super::Table;

/// Start of the line of the provenance with the units, which are a JSON object.
const UNITS: &str = "units: ";

impl Table {
    /// Returns the unit of the column named `name`, such as `m/s`, or `None` if the table does not state it.
    ///
    /// ```
    /// use siconos_io::trajectory::Table;
    ///
    /// let mut table = Table::new(["t", "q"]);
    /// table.set_units([("t", "s"), ("q", "m")]);
    /// assert_eq!(table.unit("q").as_deref(), Some("m"));
    /// assert_eq!(table.provenance, [r#"units: {"q":"m","t":"s"}"#]);
    /// ```
    #[must_use]
    pub fn unit(&self, name: &str) -> Option<String> {
        let line = self.provenance.iter().find_map(|line| line.strip_prefix(UNITS))?;
        let mut units: BTreeMap<String, String> = serde_json::from_str(line).ok()?;
        units.remove(name)
    }

    /// Sets the units of the columns, given as pairs of name and unit. They replace all units that the table
    /// had, and are a line of [`provenance`](Self::provenance). Empty units are ignored.
    pub fn set_units<'n>(&mut self, units: impl IntoIterator<Item = (&'n str, &'n str)>) {
        self.provenance.retain(|line| !line.starts_with(UNITS));
        let units: BTreeMap<_, _> = units.into_iter().filter(|(_, unit)| !unit.is_empty()).collect();
        // A map of texts can always be written as JSON.
        if let Some(line) = (!units.is_empty()).then(|| serde_json::to_string(&units).ok()).flatten() {
            self.provenance.push(format!("{UNITS}{line}"));
        }
    }
}
