//! The methods of one class, with all that the command line needs of them in one table.

use siconos_io::problem::ProblemClass;
use siconos_numerics::contact::{ContactMethod, ContactSolver, GlobalContactMethod, GlobalContactSolver};
use siconos_numerics::gmp::{GmpMethod, GmpSolver};
use siconos_numerics::lcp::{LcpMethod, LcpSolver};
use siconos_numerics::method::MethodDescription;
use siconos_numerics::mlcp::{MlcpMethod, MlcpSolver};
use siconos_numerics::relay::{RelayMethod, RelaySolver};
use siconos_numerics::{Attempt, SettingsError, SolveInfo, SolverError};

use crate::task::{Errors, Names, Point, Task};

/// What is asked of a method; what is left out is the method's own.
pub(crate) struct Choice {
    /// For messages.
    pub(crate) class: ProblemClass,
    pub(crate) method: Option<String>,
    pub(crate) tolerance: Option<f64>,
    pub(crate) max_iterations: Option<usize>,
}

/// The methods `M` of a class, and the functions to choose one and make its solver `S`.
pub(crate) struct Family<M, S: ?Sized> {
    all: fn() -> Vec<M>,
    description: fn(&M) -> MethodDescription,
    set_tolerance: fn(&mut M, f64),
    set_max_iterations: fn(&mut M, usize),
    build: fn(&M) -> Result<Box<S>, SettingsError>,
    tolerance: fn(&S) -> f64,
    trace: fn(&S) -> &[Attempt],
}

pub(crate) const LCP: Family<LcpMethod, dyn LcpSolver> = Family {
    all: LcpMethod::all,
    description: LcpMethod::description,
    set_tolerance: LcpMethod::set_tolerance,
    set_max_iterations: LcpMethod::set_max_iterations,
    build: LcpMethod::build,
    tolerance: |solver| solver.tolerance(),
    trace: |solver| solver.trace(),
};

pub(crate) const MLCP: Family<MlcpMethod, dyn MlcpSolver> = Family {
    all: MlcpMethod::all,
    description: MlcpMethod::description,
    set_tolerance: MlcpMethod::set_tolerance,
    set_max_iterations: MlcpMethod::set_max_iterations,
    build: MlcpMethod::build,
    tolerance: |solver| solver.tolerance(),
    trace: |solver| solver.trace(),
};

pub(crate) const RELAY: Family<RelayMethod, dyn RelaySolver> = Family {
    all: RelayMethod::all,
    description: RelayMethod::description,
    set_tolerance: RelayMethod::set_tolerance,
    set_max_iterations: RelayMethod::set_max_iterations,
    build: RelayMethod::build,
    tolerance: |solver| solver.tolerance(),
    trace: |solver| solver.trace(),
};

pub(crate) const CONTACT: Family<ContactMethod, dyn ContactSolver> = Family {
    all: ContactMethod::all,
    description: ContactMethod::description,
    set_tolerance: ContactMethod::set_tolerance,
    set_max_iterations: ContactMethod::set_max_iterations,
    build: ContactMethod::build,
    tolerance: |solver| solver.tolerance(),
    trace: |solver| solver.trace(),
};

pub(crate) const GLOBAL: Family<GlobalContactMethod, dyn GlobalContactSolver> = Family {
    all: GlobalContactMethod::all,
    description: GlobalContactMethod::description,
    set_tolerance: GlobalContactMethod::set_tolerance,
    set_max_iterations: GlobalContactMethod::set_max_iterations,
    build: GlobalContactMethod::build,
    tolerance: |solver| solver.tolerance(),
    trace: |solver| solver.trace(),
};

pub(crate) const GMP: Family<GmpMethod, dyn GmpSolver> = Family {
    all: GmpMethod::all,
    description: GmpMethod::description,
    set_tolerance: GmpMethod::set_tolerance,
    set_max_iterations: GmpMethod::set_max_iterations,
    build: GmpMethod::build,
    tolerance: |solver| solver.tolerance(),
    trace: |solver| solver.trace(),
};

impl<M: Default, S: ?Sized> Family<M, S> {
    pub(crate) fn descriptions(&self) -> Vec<MethodDescription> {
        (self.all)().iter().map(self.description).collect()
    }

    /// That of the method that is taken when none is named.
    pub(crate) fn default(&self) -> MethodDescription {
        (self.description)(&M::default())
    }

    /// The task to `solve` with the method that is asked for, or the default one.
    pub(crate) fn task<'a>(
        &self,
        choice: &Choice,
        names: Names,
        start: Point,
        solve: impl Fn(&mut S, &mut Point) -> Result<SolveInfo, SolverError> + 'a,
        measure: impl Fn(&mut Point) -> Errors + 'a,
    ) -> Result<Task<'a>, String>
    where
        S: 'a,
    {
        let mut method = match &choice.method {
            None => M::default(),
            Some(name) => self.find(choice.class, name)?,
        };
        choice.tolerance.into_iter().for_each(|tolerance| (self.set_tolerance)(&mut method, tolerance));
        choice.max_iterations.into_iter().for_each(|most| (self.set_max_iterations)(&mut method, most));
        let mut solver = (self.build)(&method).map_err(|error| error.to_string())?;
        let trace = self.trace;
        Ok(Task {
            method: (self.description)(&method).name,
            tolerance: (self.tolerance)(&solver),
            names,
            start,
            solve: Box::new(move |point| (solve(&mut solver, point), trace(&solver).to_vec())),
            measure: Box::new(measure),
            no_solution: None,
        })
    }

    fn find(&self, class: ProblemClass, name: &str) -> Result<M, String> {
        let known = self.descriptions();
        let found = (self.all)().into_iter().zip(&known).find(|(_, known)| known.name == name);
        found.map(|(method, _)| method).ok_or_else(|| {
            let names: Vec<_> = known.iter().map(|known| known.name).collect();
            format!("there is no method `{name}` for class {class}; the methods are {}", names.join(", "))
        })
    }
}
