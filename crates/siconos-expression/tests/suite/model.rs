//! Names used by the tests.

use siconos_expression::{Name, Role, Scope, Symbol, ValueKind};

/// Slots of [`scope`].
pub(crate) const TIME: u32 = 0;
pub(crate) const STATE: u32 = 1;
pub(crate) const PARAMETERS: u32 = 2;
pub(crate) const DISCRETE: u32 = 3;
pub(crate) const PREVIOUS_STATE: u32 = 4;
pub(crate) const PREVIOUS_DISCRETE: u32 = 5;
pub(crate) const TEMPORARIES: u32 = 6;

const NAMES: [(&str, u32, ValueKind, Role); 14] = [
    ("t", TIME, ValueKind::Real, Role::Independent),
    ("y", STATE, ValueKind::Real, Role::State),
    ("y'", STATE, ValueKind::Real, Role::Derivative),
    ("y''", STATE, ValueKind::Real, Role::HighestDerivative),
    ("z", STATE, ValueKind::Real, Role::State),
    ("force", STATE, ValueKind::Real, Role::Algebraic),
    ("k", PARAMETERS, ValueKind::Real, Role::Parameter),
    ("mu", PARAMETERS, ValueKind::Real, Role::Parameter),
    ("input", PARAMETERS, ValueKind::Real, Role::Fixed("an input")),
    ("count", DISCRETE, ValueKind::Integer, Role::Discrete),
    ("level", DISCRETE, ValueKind::Real, Role::Discrete),
    ("on", DISCRETE, ValueKind::Boolean, Role::Discrete),
    ("armed", DISCRETE, ValueKind::Boolean, Role::Required),
    ("open", DISCRETE, ValueKind::Boolean, Role::Discrete),
];

/// A scope outside events. The names of each slot have successive indices.
pub(crate) fn scope() -> Scope {
    let mut scope = Scope::new();
    let mut next = [0; 4];
    for (name, slot, kind, role) in NAMES {
        let index = &mut next[slot as usize];
        scope.declare(name, Name { symbol: Symbol { slot, index: *index }, kind, role }).expect("a new name");
        *index += 1;
    }
    scope
}

/// A scope of events, with previous values and temporaries.
pub(crate) fn event_scope() -> Scope {
    scope()
        .with_previous(STATE, PREVIOUS_STATE)
        .with_previous(DISCRETE, PREVIOUS_DISCRETE)
        .with_temporaries(TEMPORARIES)
}

pub(crate) fn symbol(name: &str) -> Symbol {
    scope().get(name).expect("a declared name").symbol
}

/// Values for all slots, with the required lengths.
#[derive(Clone, Debug)]
pub(crate) struct Banks(pub(crate) [Vec<f64>; 7]);

impl Banks {
    pub(crate) fn new() -> Self {
        Self([
            vec![0.75],
            vec![0.5, -1.25, 2.0, 3.5, -0.125],
            vec![1.5, 5.0, 0.25],
            vec![3.0, -2.5, 1.0, 0.0, 1.0],
            vec![0.25, 1.0, -1.0, 3.5, 0.5],
            vec![2.0, -2.5, 0.0, 0.0, 1.0],
            vec![0.0; 4],
        ])
    }

    pub(crate) fn set(&mut self, name: &str, value: f64) {
        let Symbol { slot, index } = symbol(name);
        self.0[slot as usize][index as usize] = value;
    }

    pub(crate) fn slices(&self) -> [&[f64]; 7] {
        std::array::from_fn(|slot| self.0[slot].as_slice())
    }
}

/// Checks that two numbers have equal bits. All NaN are treated as equal, because their bits are not
/// specified.
#[track_caller]
pub(crate) fn assert_same(found: f64, expected: f64, what: &str) {
    let is_same = found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan());
    assert!(is_same, "{what}: {found:?} instead of {expected:?}");
}
