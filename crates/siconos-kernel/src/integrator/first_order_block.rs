//! The systems of a block, and what is evaluated of all of them.

use std::ops::Range;

use ndarray::Array2;

use crate::model::dynamical_system::FirstOrderScratch;
use crate::model::{At, DynamicalSystem, FirstOrderLinear, FirstOrderNonlinear, NonSmoothDynamicalSystem};
use crate::nonsmooth_problem::SystemEntry;

/// A first-order system of either kind.
#[derive(Clone, Copy)]
pub(super) enum FirstOrderSystem<'a> {
    Linear(&'a FirstOrderLinear),
    Nonlinear(&'a FirstOrderNonlinear),
}

impl<'a> FirstOrderSystem<'a> {
    fn of(system: &'a DynamicalSystem) -> Option<Self> {
        match system {
            DynamicalSystem::FirstOrderLinear(system) => Some(Self::Linear(system)),
            DynamicalSystem::FirstOrderNonlinear(system) => Some(Self::Nonlinear(system)),
            DynamicalSystem::Lagrangian(_) | DynamicalSystem::LagrangianLinear(_) => None,
        }
    }
}

/// The systems of a block.
#[derive(Clone, Copy)]
pub(crate) struct BlockSystems<'a> {
    pub(crate) model: &'a NonSmoothDynamicalSystem,
    pub(crate) entries: &'a [SystemEntry],
}

impl<'a> BlockSystems<'a> {
    pub(super) fn iter(self) -> impl Iterator<Item = FirstOrderSystem<'a>> {
        self.entries
            .iter()
            .filter_map(move |entry| self.model.system(entry.id).ok().and_then(FirstOrderSystem::of))
    }
}

/// The work of one system of a block.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Its states in the block.
    pub(super) place: Range<usize>,
    pub(super) scratch: FirstOrderScratch,
    pub(super) source: Vec<f64>,
}

/// Writes f of all systems of a block.
pub(super) fn field(
    systems: BlockSystems<'_>,
    parts: &mut [Part],
    (at, a): (At<'_>, &Array2<f64>),
    x: &[f64],
    rate: &[f64],
    out: &mut [f64],
) {
    for (system, part) in systems.iter().zip(parts) {
        let place = part.place.clone();
        let (x, out) = (&x[place.clone()], &mut out[place.clone()]);
        match system {
            FirstOrderSystem::Linear(system) => {
                for (row, out) in out.iter_mut().enumerate() {
                    let row = a.row(place.start + row);
                    *out = row.iter().skip(place.start).zip(x).map(|(a, x)| a * x).sum();
                }
                system.add_source(at, &mut part.source, out);
            }
            FirstOrderSystem::Nonlinear(system) => {
                system.field_into(at, x, &rate[place], &mut part.scratch, out);
            }
        }
    }
}

/// Adds the sources of linear systems.
pub(super) fn add_sources(systems: BlockSystems<'_>, parts: &mut [Part], at: At<'_>, out: &mut [f64]) {
    for (system, part) in systems.iter().zip(parts) {
        if let FirstOrderSystem::Linear(system) = system {
            system.add_source(at, &mut part.source, &mut out[part.place.clone()]);
        }
    }
}
