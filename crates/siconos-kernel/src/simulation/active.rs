//! Active unitary relations in the report of a step.

use std::fmt;

use crate::nonsmooth_problem::{Tables, UnitaryIndex, UnitaryRelation};

/// Unitary relations of a one-step problem, in the order of the model.
///
/// This is a view of the index set. Names are computed by [`iter`](Self::iter), so that reports of models
/// with many contacts do not build lists of names.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::prelude::*;
///
/// let mut model = NonSmoothDynamicalSystem::new();
/// let block = model.add_system(LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0])
///     .with_constant_external_force(vec![-9.81]))?;
/// let relation = LagrangianLinearRelation::new(array![[1.0]]);
/// let floor = model.add_interaction([block], relation, NewtonImpact::new(0.5)?)?;
/// let mut sim = TimeStepping::builder(&model)
///     .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 1e-3)?)
///     .build()?;
/// let mut state = sim.initial_state(&model)?;
/// let mut touching = Vec::new();
/// sim.run(&model, &mut state, |report, _| {
///     touching.extend(report.active.iter().filter_map(|unitary| unitary.relation.interaction()));
/// })?;
/// assert_eq!(touching, [floor; 1000]);
/// # Ok::<(), siconos_kernel::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ActiveRelations<'a> {
    tables: &'a Tables,
    members: &'a [UnitaryIndex],
}

impl<'a> ActiveRelations<'a> {
    pub(super) fn new(tables: &'a Tables, members: &'a [UnitaryIndex]) -> Self {
        Self { tables, members }
    }

    /// Returns the number of relations.
    #[must_use]
    pub fn len(self) -> usize {
        self.members.len()
    }

    /// Returns `true` if the set of relations is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.members.is_empty()
    }

    /// Iterates over the relations.
    pub fn iter(self) -> impl ExactSizeIterator<Item = UnitaryRelation> + DoubleEndedIterator + use<'a> {
        self.members.iter().map(move |&place| self.tables.name(&self.tables.unitary[place]))
    }
}

impl fmt::Debug for ActiveRelations<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
