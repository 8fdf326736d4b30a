//! Performance ratios of the methods, and the performance profile ([`kinds::performance_profile`]).

use serde::Serialize;
use siconos_figure::{Figure, Panel, kinds};

use super::measured::{File, Outcome, Run};

/// Performance profile of one method.
#[derive(Debug, Serialize)]
pub(crate) struct Profile {
    pub(crate) method: &'static str,
    /// Time of the method divided by the best time, for each file that the method solves, in ascending order.
    pub(crate) ratios: Vec<f64>,
    /// Number of files on which the method was not skipped.
    pub(crate) tried: usize,
}

/// Width of the picture \[pixels\]. Its height is `AROUND` and one `LINE` for each entry of the legend.
const WIDTH: u32 = 900;
const LINE: u32 = 20;
const AROUND: u32 = 110;
const LEAST_HEIGHT: u32 = 480;
const MOST_HEIGHT: u32 = 2000;

/// Minimum time in the ratios \[s\]. Shorter times depend on the resolution of the clock.
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

/// Returns the picture. Its height depends on the number of methods in the legend.
pub(super) fn figure(profiles: &[Profile], files: usize) -> Figure {
    let named = |profile: &Profile| kinds::Profile {
        label: format!("{} ({} of {files})", profile.method, profile.ratios.len()),
        ratios: profile.ratios.clone(),
    };
    let panel = kinds::performance_profile(files, profiles.iter().map(named));
    let panel = Panel { y_label: "fraction of files solved within that factor".to_owned(), ..panel };
    let title = format!(
        "Performance profile over {files} {} (in brackets: files solved by each method)",
        if files == 1 { "file" } else { "files" }
    );
    let lines = u32::try_from(profiles.len()).unwrap_or(u32::MAX);
    let height = lines.saturating_mul(LINE).saturating_add(AROUND).clamp(LEAST_HEIGHT, MOST_HEIGHT);
    Figure::new(title, vec![panel]).with_size(WIDTH, height)
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
        // A method that fails is never the best, however fast it is.
        assert_eq!((&fast.ratios, fast.tried), (&vec![1.0, 1.0], 3));
        assert_eq!((&slow.ratios, slow.tried), (&vec![1.0, 1.0, 4.0], 4));
    }
}
