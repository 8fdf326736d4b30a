//! Test whether OpenBLAS can be linked, by linking a program that calls it.
//!
//! pkg-config may list a library that is missing, or may miss a library that is installed. The test is
//! therefore a probe: `probe/openblas.rs` is compiled and run. A stamp file in the target folder records a
//! successful probe. It contains all data on which the result depends (compiler, answer of pkg-config,
//! library file with its size and date), so that a removed or replaced OpenBLAS is probed again.

use std::env;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::UNIX_EPOCH;

use crate::command;
use crate::error::Error;
use crate::workspace;

/// Linkable OpenBLAS.
pub(crate) struct OpenBlas {
    /// Version from pkg-config, or `None` without pkg-config.
    pub(crate) version: Option<String>,
}

/// Reason why OpenBLAS cannot be used.
#[derive(Debug)]
pub(crate) enum Unusable {
    /// The probe does not link. `complaint` is the message of the linker.
    DoesNotLink { complaint: String },
    /// The probe links, but fails when it runs.
    DoesNotRun { complaint: String },
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DoesNotLink { complaint } => {
                write!(f, "a program that calls it does not link ({complaint})")
            }
            Self::DoesNotRun { complaint } => {
                write!(f, "a program that calls it links but fails ({complaint})")
            }
        }
    }
}

/// Queries pkg-config, reads the stamp and, if the stamp is out of date, runs the probe. The inner error
/// means that OpenBLAS is missing or broken.
pub(crate) fn find() -> Result<Result<OpenBlas, Unusable>, Error> {
    let version = pkg_config("--modversion");
    let flags = link_flags();
    let fingerprint = fingerprint(version.as_deref(), &flags);
    let stamp = folder().join("openblas.stamp");
    let known = fingerprint.is_some() && fs::read_to_string(&stamp).ok() == fingerprint;
    if !known {
        if let Err(unusable) = probe(&flags)? {
            return Ok(Err(unusable));
        }
        if let Some(fingerprint) = fingerprint {
            fs::write(&stamp, fingerprint).map_err(Error::file("write", &stamp))?;
        }
    }
    Ok(Ok(OpenBlas { version }))
}

/// Returns the folder of the probe and the stamp.
fn folder() -> PathBuf {
    workspace::target().join("xtask")
}

/// Queries pkg-config about OpenBLAS.
fn pkg_config(question: &str) -> Option<String> {
    let program = env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into());
    command::answer(Command::new(program).args([question, "openblas"])).filter(|answer| !answer.is_empty())
}

/// Returns the linker flags that openblas-src will use: the flags of pkg-config or, without pkg-config, the
/// bare name and, on macOS, the folder of brew.
fn link_flags() -> Vec<String> {
    if let Some(flags) = pkg_config("--libs") {
        return flags.split_whitespace().map(str::to_owned).collect();
    }
    let mut flags = Vec::new();
    if cfg!(target_os = "macos")
        && let Some(prefix) = command::answer(Command::new("brew").args(["--prefix", "openblas"]))
    {
        flags.push(format!("-L{prefix}/lib"));
    }
    flags.push("-lopenblas".to_owned());
    flags
}

/// Returns the data on which a successful probe depends, or `None` if the library file is unknown. In this
/// case, every call runs the probe.
fn fingerprint(version: Option<&str>, flags: &[String]) -> Option<String> {
    let compiler = command::answer(rustc().arg("-vV"))?;
    let library = library_file(flags)?;
    let facts = fs::metadata(&library).ok()?;
    let changed = facts.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_secs();
    Some(format!(
        "{compiler}\nopenblas {}\nflags {}\nlibrary {} of {} bytes, changed {changed}\n",
        version.unwrap_or("unknown"),
        flags.join(" "),
        library.display(),
        facts.len(),
    ))
}

/// Returns the file of `-lopenblas`, in the folders of the flags or, without such folders, in the folders of
/// the C compiler. Symbolic links are followed, because Debian's alternatives system uses two of them.
fn library_file(flags: &[String]) -> Option<PathBuf> {
    let names = ["libopenblas.so", "libopenblas.dylib", "libopenblas.a"];
    let in_flags = flags.iter().filter_map(|flag| flag.strip_prefix("-L")).find_map(|folder| {
        names.iter().map(|name| Path::new(folder).join(name)).find(|candidate| candidate.exists())
    });
    let of_compiler = || {
        names.iter().find_map(|name| {
            let answer = command::answer(Command::new("cc").arg(format!("-print-file-name={name}")))?;
            // The compiler returns the bare name if it does not find the file.
            Some(PathBuf::from(answer)).filter(|path| path.is_absolute())
        })
    };
    in_flags.or_else(of_compiler)?.canonicalize().ok()
}

/// Compiles, links and runs the probe in a separate folder, because another xtask may do so at the same time.
fn probe(flags: &[String]) -> Result<Result<(), Unusable>, Error> {
    let folder = folder().join(format!("probe-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(Error::file("create", &folder))?;
    let verdict = probe_in(&folder, flags);
    fs::remove_dir_all(&folder).map_err(Error::file("remove", &folder))?;
    verdict
}

fn probe_in(folder: &Path, flags: &[String]) -> Result<Result<(), Unusable>, Error> {
    let program = folder.join(format!("openblas{}", env::consts::EXE_SUFFIX));
    let mut compile = rustc();
    compile.args(["--edition", "2024", "--crate-name", "openblas_probe", "-o"]).arg(&program);
    compile.arg(workspace::root().join("xtask/probe/openblas.rs"));
    for flag in flags {
        match (flag.strip_prefix("-L"), flag.strip_prefix("-l")) {
            (Some(folder), _) => compile.arg(format!("-Lnative={folder}")),
            (None, Some(library)) => compile.arg(format!("-l{library}")),
            (None, None) => compile.arg(format!("-Clink-arg={flag}")),
        };
    }
    let compiled = output(&mut compile)?;
    if !compiled.status.success() {
        let complaint = complaint(&String::from_utf8_lossy(&compiled.stderr));
        return Ok(Err(Unusable::DoesNotLink { complaint }));
    }
    let ran = output(&mut Command::new(&program))?;
    if !ran.status.success() {
        let complaint = format!("{}, {}", ran.status, String::from_utf8_lossy(&ran.stderr).trim());
        return Ok(Err(Unusable::DoesNotRun { complaint }));
    }
    Ok(Ok(()))
}

fn output(command: &mut Command) -> Result<std::process::Output, Error> {
    command.output().map_err(|source| Error::Start { line: command::line(command), source })
}

fn rustc() -> Command {
    Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// Returns the line in which the linker states the reason; rustc prints the whole command line around it.
fn complaint(stderr: &str) -> String {
    let says_why = |line: &&str| {
        ["unable to find", "cannot find", "not found", "undefined"].iter().any(|words| line.contains(words))
    };
    let line = stderr.lines().find(says_why).or_else(|| stderr.lines().next()).unwrap_or("no message");
    line.trim().trim_start_matches("= note: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::complaint;

    #[test]
    fn the_complaint_is_the_linkers_line() {
        let stderr = "error: linking with `cc` failed\n  = note: \"cc\" \"-m64\"\n  = note: rust-lld: error: unable to find library -lopenblas\n";
        assert_eq!(complaint(stderr), "rust-lld: error: unable to find library -lopenblas");
        assert_eq!(complaint("error: no such option\n"), "error: no such option");
        assert_eq!(complaint(""), "no message");
    }
}
