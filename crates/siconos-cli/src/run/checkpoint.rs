//! Snapshots of a run: their schedule, their path, and the resumption of a run from a snapshot.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use siconos_io::document::Override;
use siconos_io::model::{AnyModel, AnyRun};
use siconos_io::snapshot::{Recorded, Snapshot, SnapshotError, SnapshotLock};

use super::output::log_of;
use crate::answer::PROGRAM;
use crate::arguments::RunArguments;

/// Interval between two snapshots.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Every {
    Steps(usize),
    Time(Duration),
}

/// Schedule and storage of the snapshots of a run.
pub(super) struct Checkpoints<'r> {
    model: &'r AnyModel,
    overrides: &'r [Override],
    arguments: &'r RunArguments,
    every: Option<Every>,
    path: PathBuf,
    /// Lock on the path of the snapshots. A run that writes no files locks the path only when it is
    /// interrupted.
    claim: Option<SnapshotLock>,
    /// File that receives the rows, as given on the command line or in the snapshot.
    output: Option<PathBuf>,
    /// Steps since the last snapshot.
    steps: usize,
    since: Instant,
}

impl<'r> Checkpoints<'r> {
    pub(super) fn new(
        model: &'r AnyModel,
        overrides: &'r [Override],
        arguments: &'r RunArguments,
    ) -> Result<Self, String> {
        let every = arguments.checkpoint.as_deref().map(every).transpose()?;
        let path = arguments.resume.as_deref().map(newest).unwrap_or_else(|| {
            let beside = arguments.output.as_deref().unwrap_or(&arguments.file);
            let folder = if arguments.output.is_some() { beside.parent() } else { None };
            let name = beside.file_name().unwrap_or_default().to_string_lossy().into_owned();
            folder.unwrap_or(Path::new("")).join(name + ".snapshot")
        });
        // The folder must exist before files in it are looked up.
        arguments.output.as_deref().map_or(Ok(()), super::check_folder)?;
        let claim = claim(&path, every.is_some(), arguments)?;
        if claim.is_some() && arguments.resume.is_none() && !arguments.force && path.exists() {
            return Err(format!(
                "{}: there is a snapshot of an earlier run; use --resume to continue it, or --force to remove it and restart",
                path.display()
            ));
        }
        let output = arguments.output.clone();
        let (steps, since) = (0, Instant::now());
        Ok(Self { model, overrides, arguments, every, path, claim, output, steps, since })
    }

    /// Resumes from the snapshot given on the command line, if there is one.
    pub(super) fn resume(&mut self, run: &mut AnyRun) -> Result<Recorded, String> {
        let Some(path) = &self.arguments.resume else { return Ok(Recorded::default()) };
        let found = Snapshot::read(path).map_err(|error| error.to_string())?;
        if let Some(error) = found.instead_of {
            crate::complain(&format!("{error}; resuming from the previous snapshot"));
        }
        let snapshot = found.snapshot;
        snapshot
            .check_model((self.model.text(), self.model.name()), self.overrides)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        run.resume(&snapshot.state, &snapshot.recorded)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        self.output = output(&self.path, snapshot.output.as_deref(), self.output.take())?;
        Ok(snapshot.recorded)
    }

    /// Removes the snapshots of an earlier run, because the rows of this run are about to be replaced.
    pub(super) fn clear(&self) -> Result<(), String> {
        self.claim.as_ref().map_or(Ok(()), SnapshotLock::clear).map_err(|error| error.to_string())
    }

    /// Returns the path of the file that receives the rows, if there is one.
    pub(super) fn output(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// Counts a step, and returns `true` if a snapshot is due after it.
    pub(super) fn is_due(&mut self) -> bool {
        self.steps += 1;
        match self.every {
            None => false,
            Some(Every::Steps(steps)) => self.steps >= steps,
            Some(Every::Time(time)) => self.since.elapsed() >= time,
        }
    }

    /// Takes a snapshot.
    pub(super) fn save(&mut self, run: &AnyRun) -> Result<(), String> {
        (self.steps, self.since) = (0, Instant::now());
        let (state, recorded) = run.record().map_err(|error| error.to_string())?;
        let snapshot = Snapshot {
            program: PROGRAM.to_owned(),
            host: host(),
            model_name: self.model.name().to_owned(),
            model: self.model.text().to_owned(),
            overrides: self.overrides.to_vec(),
            state,
            recorded,
            output: self.output.as_deref().map(whole_path),
        };
        let claim = self.claim.take().map_or_else(|| SnapshotLock::new(&self.path), Ok);
        let claim = self.claim.insert(claim.map_err(|error| error.to_string())?);
        claim.write(&snapshot).map_err(|error| error.to_string())
    }

    /// Returns the command that resumes the run.
    pub(super) fn command(&self) -> String {
        let mut words = vec!["siconos-rs".to_owned(), "run".to_owned(), quoted(&self.arguments.file)];
        for set in &self.arguments.set {
            words.extend(["--set".to_owned(), quoted(Path::new(set))]);
        }
        words.extend(self.arguments.to.map(|to| format!("--to {to:?}")));
        for (option, path) in [
            ("--output", self.output.as_deref()),
            ("--plot", self.arguments.plot.as_deref()),
            ("--checkpoint", self.arguments.checkpoint.as_deref().map(Path::new)),
            ("--resume", Some(&*self.path)),
        ] {
            words.extend(path.map(|path| format!("{option} {}", quoted(path))));
        }
        words.join(" ")
    }
}

/// Locks the path of the snapshots if the run writes files or is resumed.
fn claim(path: &Path, is_due: bool, arguments: &RunArguments) -> Result<Option<SnapshotLock>, String> {
    let writes = is_due || arguments.output.is_some();
    if !writes && arguments.resume.is_none() {
        return Ok(None);
    }
    match SnapshotLock::new(path) {
        Ok(claim) => Ok(Some(claim)),
        // A run without output can resume from a folder that is not writable.
        Err(SnapshotError::Io { .. }) if !writes => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// Returns the path of the newest snapshot of a run. `path` can be the path of the newest or of the previous
/// snapshot.
fn newest(path: &Path) -> PathBuf {
    let newest = path.with_extension("");
    let is_before = path.extension().is_some_and(|ending| ending == "before")
        && newest.extension().is_some_and(|ending| ending == "snapshot");
    if is_before { newest } else { path.to_owned() }
}

/// Returns the absolute path.
fn whole_path(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

/// Returns the file that receives the rows of a run resumed from the snapshot at `path`: the file next to the
/// snapshot that has the matching name, because both files may have been moved. If there is no such file, it
/// is the file named in the snapshot.
fn output(path: &Path, kept: Option<&str>, asked: Option<PathBuf>) -> Result<Option<PathBuf>, String> {
    let snapshot = path.display();
    let Some(kept) = kept.map(PathBuf::from) else {
        return match asked {
            None => Ok(None),
            Some(asked) => Err(format!(
                "{snapshot}: the run of the snapshot has no output, so it cannot be continued in `{}`",
                asked.display()
            )),
        };
    };
    let has_its_name =
        path.extension().is_some_and(|ending| ending == "snapshot") && path.file_stem() == kept.file_name();
    let beside = has_its_name.then(|| path.with_extension(""));
    let is_own =
        |asked: &Path| is_same(asked, &kept) || beside.as_deref().is_some_and(|own| is_same(asked, own));
    let found = beside.as_deref().filter(|own| own.exists() || log_of(own).exists() || !kept.exists());
    let kept = found.unwrap_or(&kept).to_owned();
    match asked {
        Some(asked) if !is_own(&asked) => Err(format!(
            "{snapshot}: the output of the run of the snapshot is `{}`, not `{}`",
            kept.display(),
            asked.display()
        )),
        asked => Ok(Some(asked.unwrap_or(kept))),
    }
}

/// Returns `true` if two paths name the same file. The file need not exist.
fn is_same(a: &Path, b: &Path) -> bool {
    let whole = |path: &Path| {
        let path = std::path::absolute(path).ok()?;
        let folder = path.parent()?.canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    a == b || whole(a).is_some_and(|a| whole(b) == Some(a))
}

/// Parses a number of steps, or a number of seconds followed by `s`.
fn every(text: &str) -> Result<Every, String> {
    let wrong = || {
        format!(
            "--checkpoint is `{text}`; it must be a number of steps, such as 1000, or of seconds, such as 60s"
        )
    };
    if let Some(seconds) = text.strip_suffix('s') {
        let seconds: f64 = seconds.trim().parse().map_err(|_| wrong())?;
        let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
        return time.map(Every::Time).ok_or_else(wrong);
    }
    let steps: usize = text.trim().parse().map_err(|_| wrong())?;
    if steps > 0 { Ok(Every::Steps(steps)) } else { Err(wrong()) }
}

/// Quotes a word for a shell.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-/=+,:".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Returns the name of the machine, if it is known.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim();
    if name.is_empty() { "unknown".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapshots_come_after_steps_or_seconds() {
        assert_eq!(every("1000"), Ok(Every::Steps(1000)));
        assert_eq!(every("0.5s"), Ok(Every::Time(Duration::from_millis(500))));
        for text in ["", "0", "-1", "0s", "-1s", "nans", "x", "1m"] {
            assert!(every(text).is_err(), "{text}");
        }
    }

    #[test]
    fn words_with_blanks_are_quoted() {
        assert_eq!(quoted(Path::new("a/b-1.toml")), "a/b-1.toml");
        assert_eq!(quoted(Path::new("a b's")), r"'a b'\''s'");
    }
}
