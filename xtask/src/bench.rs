//! `bench`: the criterion benchmarks, and a table of their times compared with stored times.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::command;
use crate::error::Error;
use crate::setup;
use crate::terminal::{Tone, toned};
use crate::workspace;

/// Options of `bench`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Benching {
    /// `true` to stop sampling when a time is stable, and to draw no plots.
    pub(crate) quick: bool,
    /// Text that the names of the benchmarks to run contain.
    pub(crate) filter: Option<String>,
    /// Name under which the times are stored.
    pub(crate) save: Option<String>,
    /// Name of the stored times with which the new times are compared.
    pub(crate) against: Option<String>,
}

/// Name under which criterion stores the times of a run without a name.
const UNNAMED: &str = "new";

pub(crate) fn run(benching: &Benching) -> Result<(), Error> {
    setup::ensure()?;
    // The start is moved back, because some file systems store times in whole seconds.
    let start = SystemTime::now() - std::time::Duration::from_secs(1);
    let mut bench = command::cargo(["bench", "--package", "siconos-benches", "--"]);
    if benching.quick {
        bench.args(["--quick", "--noplot"]);
    }
    if let Some(name) = &benching.save {
        bench.args(["--save-baseline", name]);
    }
    bench.args(&benching.filter);
    command::run(&mut bench)?;
    let name = benching.save.as_deref().unwrap_or(UNNAMED);
    let figures = figures(&workspace::target().join("criterion"), name, start)?;
    print(&figures, benching.against.as_deref());
    Ok(())
}

/// Median time of one benchmark.
struct Figure {
    name: String,
    /// Folder with all stored times of the benchmark.
    folder: PathBuf,
    /// Median \[ns\].
    median: f64,
}

/// Returns the times stored under a name since a given time, sorted by benchmark.
fn figures(below: &Path, name: &str, since: SystemTime) -> Result<Vec<Figure>, Error> {
    let mut figures = Vec::new();
    for file in workspace::files_below(below, |_| false)? {
        let is_fresh = fs::metadata(&file).and_then(|it| it.modified()).is_ok_and(|time| time >= since);
        let Some(run) = file.parent().filter(|run| is_fresh && run.ends_with(name)) else { continue };
        if !file.ends_with("benchmark.json") {
            continue;
        }
        let text = fs::read_to_string(&file).map_err(Error::file("read", &file))?;
        let (Some(id), Some(folder)) = (between(&text, "\"full_id\":\"", "\""), run.parent()) else {
            continue;
        };
        if let Some(median) = median(run) {
            figures.push(Figure { name: id.to_owned(), folder: folder.to_owned(), median });
        }
    }
    figures.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(figures)
}

/// Returns the median \[ns\] from the estimates in a folder, or `None` if the folder contains none.
fn median(run: &Path) -> Option<f64> {
    let text = fs::read_to_string(run.join("estimates.json")).ok()?;
    let of_median = text.split_once("\"median\":")?.1;
    between(of_median, "\"point_estimate\":", ",")?.trim().parse().ok()
}

/// Returns the part of a text between two given texts.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    Some(text.split_once(before)?.1.split_once(after)?.0)
}

fn print(figures: &[Figure], against: Option<&str>) {
    let width = figures.iter().map(|figure| figure.name.len()).max().unwrap_or(0).max(9);
    match against {
        None => println!("\n{:<width$} {:>10}", "benchmark", "median"),
        Some(name) => println!("\n{:<width$} {:>10} {:>10} {:>8}", "benchmark", name, "now", "change"),
    }
    for Figure { name, folder, median: now } in figures {
        let Some(against) = against else {
            println!("{name:<width$} {:>10}", shown(*now));
            continue;
        };
        let before = median(&folder.join(against));
        let change = before.map_or_else(|| format!("{:>8}", "new"), |before| change(before, *now));
        let before = before.map_or_else(|| "-".to_owned(), shown);
        println!("{name:<width$} {before:>10} {:>10} {change}", shown(*now));
    }
}

/// Returns the change of a time in percent, coloured if it exceeds the noise of most machines.
fn change(before: f64, now: f64) -> String {
    let percent = 100.0 * (now / before - 1.0);
    let text = format!("{percent:>+7.1}%");
    match percent {
        percent if percent > 10.0 => toned(&text, Tone::Bad),
        percent if percent < -10.0 => toned(&text, Tone::Good),
        _ => text,
    }
}

/// Returns a time with three digits and its unit.
fn shown(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        t if t < 1e3 => (t, "ns"),
        t if t < 1e6 => (t / 1e3, "us"),
        t if t < 1e9 => (t / 1e6, "ms"),
        t => (t / 1e9, "s"),
    };
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::SystemTime;

    use super::{between, change, figures, shown};

    #[test]
    fn times_have_three_digits() {
        let expected = ["1.65 us", "35.0 us", "430 us", "5.70 ms", "2.00 s", "0.50 ns"];
        let found = [1650.0, 35_000.0, 430_000.0, 5.7e6, 2e9, 0.5].map(shown);
        assert_eq!(found, expected);
        assert_eq!(change(200.0, 198.0).trim(), "-1.0%");
    }

    #[test]
    fn figures_are_read_as_criterion_writes_them() {
        let folder = std::env::temp_dir().join(format!("siconos-bench-{}", std::process::id()));
        for (bench, name, median) in [("a_1", "new", 12.5), ("a_1", "before", 25.0), ("b", "old", 1.0)] {
            let run = folder.join(bench).join(name);
            fs::create_dir_all(&run).expect("a folder");
            let benchmark =
                format!(r#"{{"group_id":"x","full_id":"{}","title":"x"}}"#, bench.replace('_', "/"));
            fs::write(run.join("benchmark.json"), benchmark).expect("a file");
            let estimates = format!(
                r#"{{"mean":{{"point_estimate":1.0,"x":0}},"median":{{"confidence_interval":{{"upper_bound":9.0}},"point_estimate":{median},"standard_error":0.1}}}}"#
            );
            fs::write(run.join("estimates.json"), estimates).expect("a file");
        }
        let found = figures(&folder, "new", SystemTime::UNIX_EPOCH).expect("readable");
        let names: Vec<_> = found.iter().map(|figure| (&figure.name[..], figure.median)).collect();
        let before = super::median(&found[0].folder.join("before"));
        fs::remove_dir_all(&folder).expect("it is there");
        assert_eq!((names, before), (vec![("a/1", 12.5)], Some(25.0)));
        assert_eq!(between("a:1,", "a:", ","), Some("1"));
    }
}
