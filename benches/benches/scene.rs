//! Scenes of bodies whose contacts are detected in each step: time per step, and its parts, which are
//! detection, assembly of the matrices, and solution of the one-step problems.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use siconos_examples::ExampleError;
use siconos_examples::scenes::box_stack::BoxStack;
use siconos_examples::scenes::rotating_drum::RotatingDrum;
use siconos_examples::scenes::sphere_column::SphereColumn;
use siconos_kernel::detection::{ContactSet, ContactSource, DetectionInput};
use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, Scene, SceneParts, Shape};

/// First part of the names of the benches.
const GROUP: &str = "scene";

/// Time step \[s\].
const H: f64 = 2e-3;

/// Tolerance of the contact problems. Beds of many bodies that flow take long to be solved to 1e-8.
const TOLERANCE: f64 = 1e-4;

/// Number of steps of a run.
const STEPS: usize = 5;

/// Returns spheres that fall into an open box with a square floor, from a loose lattice.
fn spheres_in_a_box(count: usize) -> Result<SceneParts, ExampleError> {
    let (radius, mut scene) = (0.05, Scene::new());
    let side = (count as f64).cbrt().ceil() as usize;
    let width = 2.2 * radius * side as f64;
    scene.add(Body::fixed(Shape::half_space([0.0, 0.0, 1.0])?))?;
    for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        let wall = Body::fixed(Shape::half_space([x, y, 0.0])?);
        scene.add(wall.at([-0.5 * width * x, -0.5 * width * y, 0.0]))?;
    }
    let ball = Shape::ball(radius)?;
    for k in 0..count {
        let place = [k % side, k / side % side, k / (side * side)];
        // Layers are shifted against each other, so the spheres do not balance on each other.
        let shift = 0.05 * radius * (place[2] % 3) as f64;
        let [x, y] = [place[0], place[1]].map(|i| 2.2 * radius * (i as f64 + 0.5) - 0.5 * width + shift);
        scene.add(Body::new(ball.clone()).at([x, y, radius * (1.0 + 2.05 * place[2] as f64)]))?;
    }
    Ok(scene.into_parts()?)
}

/// Benches a few steps after a scene has moved for some time.
fn bench_warm(
    criterion: &mut Criterion,
    id: &str,
    parts: &SceneParts,
    warm_up: usize,
) -> Result<(), ExampleError> {
    let steps = warm_up + STEPS;
    let grid = TimeDiscretisation::uniform(0.0, steps as f64 * H, H)?;
    let mut simulation =
        parts.simulation(grid).tolerance(TOLERANCE).on_non_convergence(OnNonConvergence::Continue).build()?;
    let mut state = simulation.initial_state(&parts.model)?;
    for _ in 0..warm_up {
        simulation.step(&parts.model, &mut state)?;
    }
    let mut group = criterion.benchmark_group(GROUP);
    group.sample_size(10).throughput(Throughput::Elements(STEPS as u64));
    let mut run = || {
        let mut own = state.clone();
        simulation.run(&parts.model, &mut own, |_, _| ()).map(|()| own.t)
    };
    group.bench_function(id, |bencher| bencher.iter(&mut run));
    for span in SPANS {
        group.bench_function(format!("{id}/{span}"), |bencher| {
            bencher.iter_custom(|count| time_in(span, || (0..count).try_for_each(|_| run().map(drop))));
        });
    }
    group.finish();
    Ok(())
}

/// Spans of a step, whose times are measured separately.
const SPANS: [&str; 3] = ["detection", "assembly", "solve"];

/// Measures the total time within one span.
struct SpanTimer {
    span: &'static str,
    times: Mutex<SpanTimes>,
}

#[derive(Default)]
struct SpanTimes {
    entered: Option<Instant>,
    total: Duration,
}

impl tracing::Subscriber for SpanTimer {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.is_span() && metadata.name() == self.span
    }

    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::Id {
        tracing::Id::from_u64(1)
    }

    fn record(&self, _: &tracing::Id, _: &tracing::span::Record<'_>) {}

    fn record_follows_from(&self, _: &tracing::Id, _: &tracing::Id) {}

    fn event(&self, _: &tracing::Event<'_>) {}

    fn enter(&self, _: &tracing::Id) {
        self.times.lock().expect("no panic").entered = Some(Instant::now());
    }

    fn exit(&self, _: &tracing::Id) {
        let mut times = self.times.lock().expect("no panic");
        if let Some(entered) = times.entered.take() {
            times.total += entered.elapsed();
        }
    }
}

/// Returns the time that `work` spends in a span.
fn time_in(span: &'static str, work: impl FnOnce() -> Result<(), SimulationError>) -> Duration {
    let timer = std::sync::Arc::new(SpanTimer { span, times: Mutex::default() });
    let dispatch = tracing::Dispatch::from(std::sync::Arc::clone(&timer));
    let done = tracing::dispatcher::with_default(&dispatch, work);
    assert!(done.is_ok(), "{done:?}");
    timer.times.lock().map_or(Duration::ZERO, |times| times.total)
}

/// Benches the detection of the contacts at the start of a scene.
fn bench_detection(criterion: &mut Criterion, id: &str, parts: &SceneParts) -> Result<(), ExampleError> {
    let state = State::new(&parts.model, 0.0);
    let mut source = parts.contacts.clone();
    let mut group = criterion.benchmark_group(GROUP);
    group.throughput(Throughput::Elements(1));
    group.bench_function(id, |bencher| {
        bencher.iter(|| {
            let mut found = ContactSet::default();
            source.detect(DetectionInput::new(&parts.model, &state, H), &mut found).map(|()| found.len())
        });
    });
    group.finish();
    Ok(())
}

/// Numbers of bodies.
const COUNTS: [usize; 3] = [100, 1000, 10_000];

fn all(criterion: &mut Criterion) -> Result<(), ExampleError> {
    for count in COUNTS {
        let parts = spheres_in_a_box(count)?;
        bench_detection(criterion, &format!("detection/{count}"), &parts)?;
        bench_warm(criterion, &format!("spheres_box/{count}"), &parts, 50)?;
    }
    for boxes in [10, 100, 1000, 10_000] {
        let (parts, _) = BoxStack { boxes, ..BoxStack::default() }.scene()?;
        bench_warm(criterion, &format!("box_stack/{boxes}"), &parts, 20)?;
    }
    for (count, (side, layers)) in COUNTS.into_iter().zip([(5, 4), (10, 10), (20, 25)]) {
        let (parts, _) = SphereColumn { side, layers, ..SphereColumn::default() }.scene()?;
        bench_warm(criterion, &format!("column/{count}"), &parts, 100)?;
    }
    for discs in COUNTS {
        // The discs fill the same area of the drum.
        let disc_radius = 0.2 / (discs as f64).sqrt();
        let drum = RotatingDrum { discs, disc_radius, omega: 1.5, mu: 0.3, ..RotatingDrum::default() };
        bench_warm(criterion, &format!("drum/{discs}"), &drum.scene()?.parts, 100)?;
    }
    Ok(())
}

fn benches(criterion: &mut Criterion) {
    if let Err(error) = all(criterion) {
        panic!("a model of the benches does not run: {error}");
    }
}

criterion_group!(group, benches);
criterion_main!(group);
