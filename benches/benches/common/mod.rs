//! Shared code of the time-stepping benches.

use criterion::{Criterion, Throughput};
use siconos_examples::ExampleError;
use siconos_kernel::prelude::*;

/// Group of benches, each a run from the initial state to the end; `elem/s` counts steps.
pub(crate) struct Runs<'a> {
    pub(crate) criterion: &'a mut Criterion,
    pub(crate) group: &'static str,
}

impl Runs<'_> {
    pub(crate) fn bench(
        &mut self,
        id: &str,
        model: &NonSmoothDynamicalSystem,
        mut simulation: TimeStepping,
    ) -> Result<(), ExampleError> {
        let initial = simulation.initial_state(model)?;
        let steps = simulation.discretisation().steps() as u64;
        let mut group = self.criterion.benchmark_group(self.group);
        group.throughput(Throughput::Elements(steps));
        group.bench_function(id, |bencher| {
            bencher.iter(|| {
                let mut state = initial.clone();
                simulation.run(model, &mut state, |_, _| ()).map(|()| state.t)
            });
        });
        group.finish();
        Ok(())
    }
}
