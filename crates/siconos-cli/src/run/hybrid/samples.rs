//! A trajectory as points in time: the instants of events twice, before and after them.

use siconos_io::trajectory::Table;
use siconos_kernel::Side;
use siconos_kernel::hybrid::{HybridError, HybridSolution, Trajectory, VariableType};

/// So many parts of a step make a curve of a polynomial.
const PARTS: usize = 8;

/// A trajectory with more instants than this is drawn as it is: its steps are shorter than what can be seen.
const MANY: usize = 5000;

/// Names of variables, and their values at times.
pub(super) struct Samples {
    names: Vec<String>,
    /// Times with the values of all variables, in the order of the integration.
    rows: Vec<(f64, Vec<f64>)>,
    /// As the rows, with points within the steps.
    dense: Vec<(f64, Vec<f64>)>,
}

/// All variables with their types, continuous ones first.
pub(super) fn variables(solution: &HybridSolution) -> impl Iterator<Item = (&str, VariableType)> {
    let system = solution.system();
    let continuous = system.names().iter().map(|name| (name.as_str(), VariableType::Float));
    continuous.chain(system.discrete_variables())
}

impl Samples {
    /// The points at which the integration has stopped to look.
    pub(super) fn of(solution: &HybridSolution) -> Result<Self, HybridError> {
        let names: Vec<_> = variables(solution).map(|(name, _)| name.to_owned()).collect();
        let trajectory = solution.trajectory();
        let marks: Vec<f64> = trajectory.events().map(|mark| mark.t).collect();
        let times = trajectory.times();
        let parts = if times.len() > MANY { 1 } else { PARTS };
        let value = |t: f64, side: Side| read(&trajectory, names.len(), t, side);
        let (mut rows, mut dense) = (Vec::new(), Vec::new());
        let mut next_mark = 0;
        for (place, &t) in times.iter().enumerate() {
            if let Some(before) = place.checked_sub(1).map(|before| times[before]) {
                for part in 1..parts {
                    let within = before + (t - before) * part as f64 / parts as f64;
                    dense.push((within, value(within, Side::After)?));
                }
            }
            let is_mark = marks.get(next_mark) == Some(&t);
            next_mark += usize::from(is_mark);
            let sides = if is_mark { &[Side::Before, Side::After][..] } else { &[Side::After] };
            for side in sides {
                let values = value(t, *side)?;
                rows.push((t, values.clone()));
                dense.push((t, values));
            }
        }
        Ok(Self { names, rows, dense })
    }

    /// A table of the time and all variables, at the points at which the integration has stopped to look;
    /// their names have been checked.
    pub(super) fn table(&self, model: &str) -> Result<Table, String> {
        self.table_of(&self.rows, model)
    }

    /// As [`Samples::table`], with points within the steps.
    pub(super) fn dense_table(&self, model: &str) -> Result<Table, String> {
        self.table_of(&self.dense, model)
    }

    fn table_of(&self, rows: &[(f64, Vec<f64>)], model: &str) -> Result<Table, String> {
        let names = std::iter::once("t").chain(self.names.iter().map(String::as_str));
        let mut table = Table::with_capacity(names, rows.len());
        table.provenance =
            vec![format!("siconos-rs {}: {model}", env!("CARGO_PKG_VERSION")), "t in seconds".to_owned()];
        let mut row = Vec::new();
        for (t, values) in rows {
            row.clear();
            row.push(*t);
            row.extend_from_slice(values);
            table.push_row(&row).map_err(|error| error.to_string())?;
        }
        Ok(table)
    }
}

fn read(trajectory: &Trajectory<'_>, count: usize, t: f64, side: Side) -> Result<Vec<f64>, HybridError> {
    let mut values = vec![0.0; count];
    trajectory.write(t, side, &mut values)?;
    Ok(values)
}
