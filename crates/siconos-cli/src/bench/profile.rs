//! The performance profile of Dolan and Moré (2002, section 2).
//!
//! With t the time of a method s on a problem p, r = t / (least time of any method on p) is its performance
//! ratio, infinite where it does not solve p. The profile of s is the part of all problems whose ratio is at
//! most tau. At tau = 1 it is the part on which s is the fastest; where it levels off, the part that s solves
//! at all.

use serde::Serialize;

use super::measured::{File, Outcome, Run};

/// The profile of one method.
#[derive(Debug, Serialize)]
pub(crate) struct Profile {
    pub(crate) method: &'static str,
    /// The ratios of the files that it solves, in rising order.
    pub(crate) ratios: Vec<f64>,
    /// On how many files it was tried, that is not skipped.
    pub(crate) tried: usize,
}

/// Times below this say more of the clock than of the method.
const CLOCK: f64 = 1e-9;

pub(super) fn of(files: &[File], methods: &[&'static str], runs: &[Run]) -> Vec<Profile> {
    let mut best = vec![f64::INFINITY; files.len()];
    for run in runs {
        if let Some(seconds) = solved_in(run) {
            best[run.file] = best[run.file].min(seconds);
        }
    }
    let profile = |&method: &&'static str| {
        let of_method = || runs.iter().filter(|run| run.method == method);
        let ratio = |run: &Run| solved_in(run).map(|seconds| seconds / best[run.file]);
        let mut ratios: Vec<f64> = of_method().filter_map(ratio).collect();
        ratios.sort_by(f64::total_cmp);
        let tried = of_method().filter(|run| !matches!(run.outcome, Outcome::Skipped { .. })).count();
        Profile { method, ratios, tried }
    };
    methods.iter().map(profile).collect()
}

fn solved_in(run: &Run) -> Option<f64> {
    match run.outcome {
        Outcome::Measured { solved: true, seconds, .. } => Some(seconds.max(CLOCK)),
        _ => None,
    }
}

impl Profile {
    /// The corners of its curve of steps from 1 to `end`, over `files` files.
    pub(super) fn steps(&self, files: usize, end: f64) -> Vec<(f64, f64)> {
        let part = |count: usize| count as f64 / files.max(1) as f64;
        let at_once = self.ratios.partition_point(|ratio| *ratio <= 1.0);
        let mut steps = vec![(1.0, part(at_once))];
        for (before, ratio) in self.ratios.iter().enumerate().skip(at_once) {
            steps.extend([(*ratio, part(before)), (*ratio, part(before + 1))]);
        }
        steps.push((end, part(self.ratios.len())));
        steps
    }
}

#[cfg(test)]
mod tests {
    use siconos_io::problem::ProblemClass;
    use siconos_numerics::Status;

    use super::{File, Outcome, Run, of};

    #[test]
    fn a_profile_by_hand() {
        let file = |name: &str| File { name: name.to_owned(), class: ProblemClass::Lcp, n: 1 };
        let files = [file("a"), file("b"), file("c"), file("d")];
        let run = |file, method, seconds, solved| Run {
            file,
            method,
            outcome: Outcome::Measured {
                status: Status::Converged,
                solved,
                iterations: 1,
                error: Some(0.0),
                siconos_error: None,
                seconds,
            },
        };
        let skipped = Run { file: 2, method: "fast", outcome: Outcome::Skipped { note: String::new() } };
        let slow_limit = Run { file: 3, method: "slow", outcome: Outcome::TimeLimit };
        let runs = [
            run(0, "fast", 1.0, true),
            run(1, "fast", 0.1, false),
            skipped,
            run(3, "fast", 2.0, true),
            run(0, "slow", 4.0, true),
            run(1, "slow", 3.0, true),
            run(2, "slow", 1.0, true),
            slow_limit,
        ];
        let [fast, slow] = &of(&files, &["fast", "slow"], &runs)[..] else { panic!("two methods") };
        // A method that fails, however fast, is the best nowhere.
        assert_eq!((&fast.ratios, fast.tried), (&vec![1.0, 1.0], 3));
        assert_eq!((&slow.ratios, slow.tried), (&vec![1.0, 1.0, 4.0], 4));
        assert_eq!(fast.steps(4, 10.0), [(1.0, 0.5), (10.0, 0.5)]);
        assert_eq!(slow.steps(4, 10.0), [(1.0, 0.5), (4.0, 0.5), (4.0, 0.75), (10.0, 0.75)]);
    }
}
