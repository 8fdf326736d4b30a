use siconos_examples::event_systems::*;
use siconos_testkit::exact::*;
use crate::common::*;
#[test]
fn scratch() {
    let exact = RockingBlock::new(2.0, 0.25, 0.2, 0.85);
    let built = rocking_block(2.0, 0.25, 0.2, 0.85, Slenderness::Slender).unwrap();
    let mut sim = simulation(&built.model, 8.95, 0.01);
    let mut state = sim.initial_state(&built.model).unwrap();
    let r = run(&built.model, &mut sim, &mut state, |_| {});
    for (k, t) in r.impacts.iter().enumerate() { println!("{k} {t} {:e}", t-exact.impact_time(k as u32 + 1)); }
    println!("{:?} {:?}", r.accumulations, exact.accumulation_time());
}
