//! Tables of detected contacts, with one row per contact and time.
//!
//! The number of contacts changes from step to step, so these tables are long: each row contains the time and
//! the numbers of both bodies. They are written and read as all other [tables](crate::trajectory), in memory
//! or row by row.

use siconos_kernel::detection::{ContactKey, ContactSet, DetectedContact};
use siconos_kernel::model::ContactPoints;
use siconos_kernel::state::{ContactState, State};

use crate::trajectory::Table;

/// Columns with their units.
///
/// | columns | contents |
/// | --- | --- |
/// | `t` | time at the end of the step |
/// | `body1`, `body2`, `contactor1`, `contactor2`, `feature1`, `feature2` | numbers in the [`ContactKey`] |
/// | `age` | number of previous steps in which the contact was detected without interruption |
/// | `x1`, `y1`, `z1`, `x2`, `y2`, `z2` | points of both bodies at the beginning of the step |
/// | `nx`, `ny`, `nz` | unit normal from the second body to the first |
/// | `gap`, `gap_end` | gap at the beginning of the step, as detected, and at its end |
/// | `px`, `py`, `pz`, `mx`, `my`, `mz` | impulse and moment impulse on the first body in the inertial frame |
/// | `pn`, `pt1`, `pt2` | impulse along the normal and the tangents |
/// | `un`, `ut1`, `ut2` | relative velocity at the end of the step, along the normal and the tangents |
pub const COLUMNS: [(&str, &str); 31] = [
    ("t", "s"),
    ("body1", ""),
    ("body2", ""),
    ("contactor1", ""),
    ("contactor2", ""),
    ("feature1", ""),
    ("feature2", ""),
    ("age", ""),
    ("x1", "m"),
    ("y1", "m"),
    ("z1", "m"),
    ("x2", "m"),
    ("y2", "m"),
    ("z2", "m"),
    ("nx", ""),
    ("ny", ""),
    ("nz", ""),
    ("gap", "m"),
    ("gap_end", "m"),
    ("px", "N s"),
    ("py", "N s"),
    ("pz", "N s"),
    ("mx", "N m s"),
    ("my", "N m s"),
    ("mz", "N m s"),
    ("pn", "N s"),
    ("pt1", "N s"),
    ("pt2", "N s"),
    ("un", "m/s"),
    ("ut1", "m/s"),
    ("ut2", "m/s"),
];

/// Creates an empty table with the [`COLUMNS`] and their units.
#[must_use]
pub fn table() -> Table {
    let mut table = Table::new(COLUMNS.map(|(name, _)| name));
    table.set_units(COLUMNS);
    table
}

/// Iterates over the rows of the contacts of the last step, in the order of their keys.
///
/// ```
/// use siconos_io::contacts;
/// use siconos_io::siconos_kernel::model::NonSmoothDynamicalSystem;
/// use siconos_io::siconos_kernel::state::State;
///
/// let model = NonSmoothDynamicalSystem::new();
/// let mut table = contacts::table();
/// // After each step:
/// let state = State::new(&model, 0.0);
/// for row in contacts::rows(&state) {
///     table.push_row(&row)?;
/// }
/// assert_eq!(table.unit("px").as_deref(), Some("N s"));
/// # Ok::<(), siconos_io::trajectory::TableError>(())
/// ```
pub fn rows(state: &State) -> impl ExactSizeIterator<Item = [f64; COLUMNS.len()]> + '_ {
    state.contacts().iter().map(|contact| {
        let ContactState { key, points, impulse, moment, reaction, velocity, .. } = contact;
        let vectors = [impulse, moment, reaction, velocity].into_iter().flatten().copied();
        let of_step = [contact.gap, contact.gap_at_end].into_iter().chain(vectors);
        row(state.t, *key, f64::from(contact.age), *points, of_step)
    })
}

/// Iterates over the rows of contacts that were detected at time `t` without a step, by
/// [`TimeStepping::detect`](siconos_kernel::simulation::TimeStepping::detect), for example at the end of a
/// run. Quantities of a step are NaN.
pub fn detected_rows(
    t: f64,
    contacts: &ContactSet,
) -> impl ExactSizeIterator<Item = [f64; COLUMNS.len()]> + '_ {
    contacts
        .as_slice()
        .iter()
        .map(move |DetectedContact { key, points, gap, .. }| row(t, *key, f64::NAN, *points, [*gap]))
}

/// Returns a row whose columns from `gap` on have the given values, as many as there are. The others are NaN.
fn row(
    t: f64,
    key: ContactKey,
    age: f64,
    points: ContactPoints,
    values: impl IntoIterator<Item = f64>,
) -> [f64; COLUMNS.len()] {
    let numbers = [key.bodies, key.contactors, key.features].into_iter().flatten().map(f64::from);
    let geometry = [points.first, points.second, points.normal].into_iter().flatten();
    let mut row = [f64::NAN; COLUMNS.len()];
    let all = [t].into_iter().chain(numbers).chain([age]).chain(geometry).chain(values);
    row.iter_mut().zip(all).for_each(|(entry, value)| *entry = value);
    row
}
