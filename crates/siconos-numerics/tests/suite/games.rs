//! Polymatrix games, for which Lemke's method finds an equilibrium in theory: all of them must be solved.

use siconos_numerics::Solver;
use siconos_numerics::lcp::{Auto, Lcp, LcpProblem, Lemke};
use siconos_testkit::lcp::games::{Opponents, PolymatrixGame};
use siconos_testkit::random::RandomState;

/// Draws games of 3 to 10 players in both forms. Half of the games have 4 strategies per player, the others 2
/// to 5.
fn games(count: u32) -> impl Iterator<Item = (u32, PolymatrixGame)> {
    (0..count).map(|seed| {
        let mut random = RandomState::new(seed);
        let players = 3 + seed as usize / 4 % 8;
        let few = |random: &mut RandomState| 2 + random.word() as usize % 4;
        let strategies = (0..players).map(|_| if seed % 2 == 0 { 4 } else { few(&mut random) }).collect();
        let opponents = if seed / 2 % 2 == 0 { Opponents::OtherTeam } else { Opponents::All };
        (seed, PolymatrixGame::random(strategies, opponents, &mut random))
    })
}

/// Returns the numbers of the unsolved games with the reasons.
fn missed(solver: &mut dyn Solver<Class = Lcp>, count: u32) -> Vec<String> {
    let mut missed = Vec::new();
    for (seed, game) in games(count) {
        let (m, q) = game.problem();
        let (mut z, mut w) = (vec![0.0; q.len()], vec![0.0; q.len()]);
        let start = std::time::Instant::now();
        let info = solver.solve(&LcpProblem::new(&m, &q).unwrap(), &mut z, &mut w).unwrap();
        let regret = game.regret(&z);
        if !info.status.is_success() || regret.is_nan() || regret > 1e-9 {
            missed.push(format!(
                "game {seed} of {} players: {info:?}, regret {regret:e}, {:?}",
                game.strategies.len(),
                start.elapsed()
            ));
        }
    }
    missed
}

#[test]
#[ignore = "the whole battery: cargo xtask battery"]
fn battery_of_games_by_lemke() {
    let start = std::time::Instant::now();
    let missed = missed(&mut Lemke::default(), 2000);
    println!("2000 games by Lemke: {} missed, {:?}", missed.len(), start.elapsed());
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn a_tenth_of_the_games() {
    for solver in [&mut Lemke::default() as &mut dyn Solver<Class = Lcp>, &mut Auto::default()] {
        let missed = missed(solver, 200);
        assert!(missed.is_empty(), "{}: {missed:#?}", solver.name());
    }
}
