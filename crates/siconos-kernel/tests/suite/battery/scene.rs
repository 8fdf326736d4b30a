//! Model that is written in SI units and built in any units. The dimensions of matrix entries follow from the
//! dimensions of the rows and columns.

use std::ops::Range;

use ndarray::Array2;
use siconos_kernel::model::{DynamicalSystem, NonSmoothLaw, Relation};
use siconos_kernel::prelude::*;

use super::units::{Dimension, ENERGY, FREQUENCY, TIME, Units};

/// System and the dimensions of its coordinates (for a first-order system, of x).
pub(crate) struct SystemEntry {
    pub(crate) id: DynamicalSystemId,
    pub(crate) coordinates: Vec<Dimension>,
}

/// Interaction and the dimensions of y and of lambda (a force, or the multiplier of a first-order system).
pub(crate) struct InteractionEntry {
    pub(crate) id: InteractionId,
    pub(crate) rows: Vec<Dimension>,
    pub(crate) multipliers: Vec<Dimension>,
}

/// Index ranges of the systems and interactions of one part of a model.
#[derive(Clone, Debug)]
pub(crate) struct PartPlace {
    pub(crate) systems: Range<usize>,
    pub(crate) interactions: Range<usize>,
}

/// Time-dependent force or source: constant + amplitude sin(frequency t), per component.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wave {
    pub(crate) constant: f64,
    pub(crate) amplitude: f64,
    pub(crate) frequency: f64,
}

impl Wave {
    pub(crate) fn constant(constant: f64) -> Self {
        Self { constant, ..Self::default() }
    }
}

/// Linear Lagrangian system, in SI units.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinearBody {
    pub(crate) coordinates: Vec<Dimension>,
    pub(crate) q0: Vec<f64>,
    pub(crate) v0: Vec<f64>,
    pub(crate) mass: Array2<f64>,
    pub(crate) stiffness: Option<Array2<f64>>,
    pub(crate) damping: Option<Array2<f64>>,
    pub(crate) force: Vec<Wave>,
}

/// Linear relation of Lagrangian systems, in SI units.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinearRows {
    pub(crate) rows: Vec<Dimension>,
    pub(crate) h: Array2<f64>,
    pub(crate) offset: Vec<f64>,
    pub(crate) compliance: Option<Array2<f64>>,
}

/// Linear first-order system, in SI units.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinearFlow {
    pub(crate) states: Vec<Dimension>,
    pub(crate) x0: Vec<f64>,
    pub(crate) a: Array2<f64>,
    pub(crate) source: Vec<Wave>,
}

/// Linear relation of first-order systems, in SI units.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlowRows {
    pub(crate) rows: Vec<Dimension>,
    pub(crate) multipliers: Vec<Dimension>,
    pub(crate) c: Array2<f64>,
    pub(crate) b: Array2<f64>,
    pub(crate) d: Option<Array2<f64>>,
    pub(crate) e: Vec<f64>,
}

/// Model under construction.
pub(crate) struct Scene {
    pub(crate) model: NonSmoothDynamicalSystem,
    pub(crate) units: Units,
    pub(crate) systems: Vec<SystemEntry>,
    pub(crate) interactions: Vec<InteractionEntry>,
    pub(crate) parts: Vec<PartPlace>,
}

impl Scene {
    pub(crate) fn new(units: Units) -> Self {
        let mut model = NonSmoothDynamicalSystem::new();
        model.set_time_scale(units.of(1.0, TIME)).expect("a second in any unit");
        Self { model, units, systems: Vec::new(), interactions: Vec::new(), parts: Vec::new() }
    }

    /// Registers the systems and interactions that `build` adds as one part.
    pub(crate) fn part(&mut self, build: impl FnOnce(&mut Self)) {
        let (systems, interactions) = (self.systems.len(), self.interactions.len());
        build(self);
        let (systems, interactions) = (systems..self.systems.len(), interactions..self.interactions.len());
        self.parts.push(PartPlace { systems, interactions });
    }

    pub(crate) fn of(&self, value: f64, dimension: Dimension) -> f64 {
        self.units.of(value, dimension)
    }

    /// Converts a matrix from SI units to the units of the scene. `entry` returns the dimension of an entry.
    fn matrix(&self, m: &Array2<f64>, entry: impl Fn(usize, usize) -> Dimension) -> Array2<f64> {
        Array2::from_shape_fn(m.dim(), |(i, j)| self.of(m[[i, j]], entry(i, j)))
    }

    /// Returns a function of time that adds waves with the given dimensions.
    pub(crate) fn waves(
        &self,
        waves: &[Wave],
        dimension: impl Fn(usize) -> Dimension,
    ) -> impl Fn(At<'_>, &mut [f64]) + Send + Sync + 'static {
        let waves: Vec<_> = waves
            .iter()
            .enumerate()
            .map(|(i, wave)| Wave {
                constant: self.of(wave.constant, dimension(i)),
                amplitude: self.of(wave.amplitude, dimension(i)),
                frequency: self.of(wave.frequency, FREQUENCY),
            })
            .collect();
        move |at, out| {
            for (out, wave) in out.iter_mut().zip(&waves) {
                *out = wave.constant + wave.amplitude * (wave.frequency * at.t).sin();
            }
        }
    }

    pub(crate) fn linear_body(&mut self, body: &LinearBody) -> DynamicalSystemId {
        let c = &body.coordinates;
        let q0 = self.units.vector(&body.q0, c);
        let v0 = self.units.vector(&body.v0, &c.iter().map(|&c| c / TIME).collect::<Vec<_>>());
        let stiffness = |i: usize, j: usize| ENERGY / (c[i] * c[j]);
        let mass = self.matrix(&body.mass, |i, j| stiffness(i, j) * TIME * TIME);
        let mut system = LagrangianLinear::new(q0, v0, mass);
        if let Some(k) = &body.stiffness {
            system = system.with_stiffness(self.matrix(k, stiffness));
        }
        if let Some(damping) = &body.damping {
            system = system.with_damping(self.matrix(damping, |i, j| stiffness(i, j) * TIME));
        }
        if !body.force.is_empty() {
            system = system.with_external_force(self.waves(&body.force, |i| ENERGY / c[i]));
        }
        self.system(c.clone(), system)
    }

    /// Adds a system with numbers that are already in the units of the scene.
    pub(crate) fn system(
        &mut self,
        coordinates: Vec<Dimension>,
        system: impl Into<DynamicalSystem>,
    ) -> DynamicalSystemId {
        let id = self.model.add_system(system).expect("the system of a family is well-formed");
        self.systems.push(SystemEntry { id, coordinates });
        id
    }

    pub(crate) fn linear_contact(
        &mut self,
        systems: &[DynamicalSystemId],
        rows: &LinearRows,
        law: impl Into<NonSmoothLaw>,
    ) -> InteractionId {
        let columns = self.coordinates(systems);
        let r = &rows.rows;
        let mut relation = LagrangianLinearRelation::new(self.matrix(&rows.h, |i, j| r[i] / columns[j]));
        if !rows.offset.is_empty() {
            relation = relation.with_offset(self.units.vector(&rows.offset, r));
        }
        if let Some(d) = &rows.compliance {
            relation = relation.with_compliance(self.matrix(d, |i, j| r[i] * r[j] / ENERGY));
        }
        self.contact(systems, r.clone(), relation, law)
    }

    /// Adds an interaction of Lagrangian systems with numbers that are already in the units of the scene.
    pub(crate) fn contact(
        &mut self,
        systems: &[DynamicalSystemId],
        rows: Vec<Dimension>,
        relation: impl Into<Relation>,
        law: impl Into<NonSmoothLaw>,
    ) -> InteractionId {
        let multipliers = rows.iter().map(|&row| ENERGY / row).collect();
        self.interaction(systems, rows, multipliers, (relation, law))
    }

    pub(crate) fn linear_flow(&mut self, flow: &LinearFlow) -> DynamicalSystemId {
        let x = &flow.states;
        let x0 = self.units.vector(&flow.x0, x);
        let a = self.matrix(&flow.a, |i, j| x[i] / (x[j] * TIME));
        if flow.source.is_empty() {
            return self.system(x.clone(), FirstOrderLinearTi::new(x0, a));
        }
        let source = self.waves(&flow.source, |i| x[i] / TIME);
        let system = FirstOrderLinear::new(x0, a).with_source_function(source);
        self.system(x.clone(), system)
    }

    pub(crate) fn linear_coupling(
        &mut self,
        systems: &[DynamicalSystemId],
        rows: &FlowRows,
        law: impl Into<NonSmoothLaw>,
    ) -> InteractionId {
        let x = self.coordinates(systems);
        let (y, lambda) = (&rows.rows, &rows.multipliers);
        let c = self.matrix(&rows.c, |i, j| y[i] / x[j]);
        let b = self.matrix(&rows.b, |i, j| x[i] / (lambda[j] * TIME));
        let mut relation = FirstOrderLinearRelation::new(c, b);
        if let Some(d) = &rows.d {
            relation = relation.with_d(self.matrix(d, |i, j| y[i] / lambda[j]));
        }
        if !rows.e.is_empty() {
            relation = relation.with_offset(self.units.vector(&rows.e, y));
        }
        self.interaction(systems, y.clone(), lambda.clone(), (relation, law))
    }

    pub(crate) fn interaction(
        &mut self,
        systems: &[DynamicalSystemId],
        rows: Vec<Dimension>,
        multipliers: Vec<Dimension>,
        (relation, law): (impl Into<Relation>, impl Into<NonSmoothLaw>),
    ) -> InteractionId {
        let added = self.model.add_interaction(systems.iter().copied(), relation, law);
        let id = added.expect("the interaction of a family is well-formed");
        self.interactions.push(InteractionEntry { id, rows, multipliers });
        id
    }

    /// Returns the dimensions of the coordinates of systems, in order.
    fn coordinates(&self, systems: &[DynamicalSystemId]) -> Vec<Dimension> {
        let of = |id: &DynamicalSystemId| {
            self.systems.iter().find(|entry| entry.id == *id).map_or(&[][..], |entry| &entry.coordinates)
        };
        systems.iter().flat_map(of).copied().collect()
    }
}
