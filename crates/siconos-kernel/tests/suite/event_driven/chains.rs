//! Random chains of beads on a floor with simultaneous contacts: all runs finish, and no event is missed.

use ndarray::array;
use siconos_kernel::model::InteractionId;
use siconos_kernel::prelude::*;
use siconos_testkit::random::RandomState;

use crate::event_driven::common::simulation;

const G: f64 = 9.81;

struct Chain {
    model: NonSmoothDynamicalSystem,
    bodies: Vec<DynamicalSystemId>,
    masses: Vec<f64>,
    contacts: Vec<InteractionId>,
    restitution: f64,
}

/// Creates 2 to 5 beads above each other over a floor. Many of them are in contact.
fn chain(seed: u32) -> Chain {
    let mut random = RandomState::new(seed);
    let restitution = [0.0, 0.5, 1.0][seed as usize % 3];
    let n = random.integer(2, 5) as usize;
    let mut model = NonSmoothDynamicalSystem::new();
    let (mut bodies, mut masses, mut contacts) = (Vec::new(), Vec::new(), Vec::new());
    let mut q = if random.uniform() < 0.3 { 0.0 } else { random.between(0.05, 0.5) };
    let v = random.between(-1.0, 1.0);
    let together = random.uniform() < 0.5;
    for _ in 0..n {
        let m = if random.uniform() < 0.5 { 1.0 } else { random.between(0.3, 3.0) };
        let v = if together { v } else { random.between(-1.0, 1.0) };
        let body = LagrangianLinear::new(vec![q], vec![v], array![m]);
        bodies.push(model.add_system(body.with_external_force(move |_t, f| f[0] = -m * G)).unwrap());
        masses.push(m);
        q += if random.uniform() < 0.5 { 0.0 } else { random.between(0.01, 0.3) };
    }
    let law = NewtonImpact::new(restitution).unwrap();
    contacts
        .push(model.add_interaction([bodies[0]], LagrangianLinearRelation::new(array![[1.0]]), law).unwrap());
    for pair in bodies.windows(2) {
        let gap = LagrangianLinearRelation::new(array![[-1.0, 1.0]]);
        contacts.push(model.add_interaction([pair[0], pair[1]], gap, law).unwrap());
    }
    Chain { model, bodies, masses, contacts, restitution }
}

impl Chain {
    fn energy(&self, state: &State) -> f64 {
        let of = |(id, m): (&DynamicalSystemId, &f64)| {
            let (q, v) = (state.q(*id)[0], state.v(*id)[0]);
            m * (0.5 * v * v + G * q)
        };
        self.bodies.iter().zip(&self.masses).map(of).sum()
    }

    /// Simulates the chain. Returns the states at the points of a grid of 0.05 s, the time of the first
    /// accumulation, the events, and the smallest gap.
    fn run(&self, t_end: f64, h: f64) -> Account {
        let mut sim = simulation(&self.model, t_end, h);
        let mut state = sim.initial_state(&self.model).unwrap();
        let mut account = Account { lowest: 0.0, accumulation: f64::INFINITY, ..Account::default() };
        let start = self.energy(&state);
        let mut last = start;
        sim.run(&self.model, &mut state, |report, state| {
            account.events += 1;
            account.impacts += usize::from(!report.impacts.is_empty());
            if report.accumulation.is_some() {
                account.accumulation = account.accumulation.min(report.t);
            }
            let now = self.energy(state);
            assert!(now <= last + 1e-9 * start.abs().max(1.0), "t = {}: energy {last} to {now}", state.t);
            last = now;
            for contact in &self.contacts {
                account.lowest = account.lowest.min(state.y(*contact, Level::Position)[0]);
            }
            let point = (state.t / 0.05).round();
            if (state.t - 0.05 * point).abs() < 1e-12 {
                let all =
                    |of: &dyn Fn(DynamicalSystemId) -> f64| self.bodies.iter().map(|id| of(*id)).collect();
                account.points.push((state.t, all(&|id| state.q(id)[0]), all(&|id| state.v(id)[0])));
            }
        })
        .unwrap();
        account.ratio = last / start;
        account
    }
}

#[derive(Debug, Default)]
struct Account {
    points: Vec<(f64, Vec<f64>, Vec<f64>)>,
    accumulation: f64,
    events: usize,
    impacts: usize,
    lowest: f64,
    ratio: f64,
}

#[test]
fn two_hundred_random_chains() {
    let (mut events, mut impacts, mut compared, mut most) = (0, 0, 0, 0);
    for seed in 0..200 {
        let chain = chain(seed);
        let account = chain.run(1.0, 0.05);
        assert!(account.lowest > -1e-10, "chain {seed}: gap {:e}", account.lowest);
        if chain.restitution == 1.0 {
            assert!((account.ratio - 1.0).abs() < 1e-7, "chain {seed}: energy {}", account.ratio);
        }
        let finer = chain.run(1.0, 0.025);
        assert_eq!((account.points.len(), finer.points.len()), (20, 20), "chain {seed}");
        let until = account.accumulation.min(finer.accumulation);
        for (a, b) in account.points.iter().zip(&finer.points).take_while(|(a, _)| a.0 < until) {
            compared += 1;
            for (a, b) in a.1.iter().zip(&b.1) {
                assert!((a - b).abs() < 1e-6, "chain {seed}, before t = {until}: {a} {b}");
            }
        }
        events += account.events;
        impacts += account.impacts;
        most = most.max(account.events);
    }
    println!(
        "200 chains: {events} events, {impacts} with impacts, at most {most}, {compared} points compared"
    );
    assert!(impacts > 1000, "{impacts}");
    assert!(compared > 1000, "{compared}");
}
