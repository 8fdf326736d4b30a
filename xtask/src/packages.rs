//! System packages: the package manager of this machine, the names of the packages, and their installation.
//!
//! An installation is announced with its command and its reason before it runs. The package manager runs
//! without prompts, and `sudo` is used only if it needs no password. Otherwise, or with `--no-install` or
//! `SICONOS_NO_INSTALL=1`, the caller receives the reason and the command to type.

use std::env;
use std::fmt;
use std::fs;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::command;
use crate::error::Error;

/// Software that a system package provides.
#[derive(Clone, Copy)]
pub(crate) enum Need {
    /// OpenBLAS with its link files, and the pkg-config that finds them.
    OpenBlas,
    /// HDF5 with its headers.
    Hdf5,
    /// The files that draw formulas in a browser.
    Katex,
}

impl Need {
    fn name(self) -> &'static str {
        match self {
            Self::OpenBlas => "OpenBLAS",
            Self::Hdf5 => "HDF5",
            Self::Katex => "KaTeX",
        }
    }

    fn purpose(self) -> &'static str {
        match self {
            Self::OpenBlas => "it factorises large dense matrices",
            Self::Hdf5 => "it reads and writes the problem files of FCLIB; everything else works without it",
            Self::Katex => "it draws the formulas of the documentation; without it they stay plain text",
        }
    }
}

/// `true` if `--no-install` was given.
static FORBIDDEN: AtomicBool = AtomicBool::new(false);

/// Forbids every installation by this process.
pub(crate) fn forbid() {
    FORBIDDEN.store(true, Ordering::Relaxed);
}

fn is_forbidden() -> bool {
    FORBIDDEN.load(Ordering::Relaxed) || env::var_os("SICONOS_NO_INSTALL").is_some_and(|value| value == "1")
}

/// Supported package manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manager {
    Apt,
    Dnf,
    Pacman,
    Brew,
}

/// Reason why nothing was installed.
#[derive(Debug)]
pub(crate) enum Refusal {
    Forbidden,
    NoManager,
    NoPackage(Manager),
    NotRoot(Manager),
    Failed(Box<Error>),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forbidden => write!(f, "--no-install or SICONOS_NO_INSTALL=1 forbids it"),
            Self::NoManager => write!(f, "no supported package manager is on the PATH"),
            Self::NoPackage(manager) => write!(f, "{} has no package for it", manager.program()),
            Self::NotRoot(manager) => {
                write!(f, "{} requires root, and `sudo` requires a password or is missing", manager.program())
            }
            Self::Failed(error) => write!(f, "{error}"),
        }
    }
}

impl Manager {
    const ALL: [Self; 4] = [Self::Apt, Self::Dnf, Self::Pacman, Self::Brew];

    /// Returns the first manager on the PATH.
    fn of_this_machine() -> Option<Self> {
        Self::ALL.into_iter().find(|manager| on_path(manager.program()))
    }

    fn program(self) -> &'static str {
        match self {
            Self::Apt => "apt-get",
            Self::Dnf => "dnf",
            Self::Pacman => "pacman",
            Self::Brew => "brew",
        }
    }

    /// Returns the packages to install, or an empty list if the manager has no package for `need`.
    fn packages(self, need: Need) -> &'static [&'static str] {
        match (need, self) {
            (Need::OpenBlas, Self::Apt) => &["libopenblas-dev", "pkg-config"],
            (Need::OpenBlas, Self::Dnf) => &["openblas-devel", "pkgconf-pkg-config"],
            (Need::OpenBlas, Self::Pacman) => &["openblas", "pkgconf"],
            // On macOS openblas-src also requires libomp from brew.
            (Need::OpenBlas, Self::Brew) => &["openblas", "libomp", "pkgconf"],
            (Need::Hdf5, Self::Apt) => &["libhdf5-dev", "pkg-config"],
            (Need::Hdf5, Self::Dnf) => &["hdf5-devel", "pkgconf-pkg-config"],
            (Need::Hdf5, Self::Pacman) => &["hdf5", "pkgconf"],
            (Need::Hdf5, Self::Brew) => &["hdf5", "pkgconf"],
            (Need::Katex, Self::Apt) => &["libjs-katex"],
            (Need::Katex, Self::Dnf | Self::Pacman | Self::Brew) => &[],
        }
    }

    fn install_words(self) -> &'static [&'static str] {
        match self {
            // This option waits for another installation instead of failing.
            Self::Apt => {
                &["--yes", "--no-install-recommends", "--option", "DPkg::Lock::Timeout=120", "install"]
            }
            Self::Dnf => &["install", "--assumeyes"],
            Self::Pacman => &["--sync", "--needed", "--noconfirm"],
            Self::Brew => &["install"],
        }
    }

    /// Returns the command to type for this manager, or `None` if it has no package for `need`.
    fn typed(self, need: Need) -> Option<String> {
        let packages = self.packages(need);
        if packages.is_empty() {
            return None;
        }
        let install = if self == Self::Pacman { "-S" } else { "install" };
        // brew refuses to run as root; the others require root.
        let sudo = if self == Self::Brew || is_root() { "" } else { "sudo " };
        let command = format!("{sudo}{} {install} {}", self.program(), packages.join(" "));
        if self == Self::Apt && !apt_has_lists() {
            return Some(format!("{sudo}apt-get update && {command}"));
        }
        Some(command)
    }
}

/// Returns the command that installs `need` on this machine. If the manager is unknown, returns one line for
/// each manager that has a package.
pub(crate) fn typed_command(need: Need) -> String {
    let here = Manager::of_this_machine().and_then(|manager| manager.typed(need));
    here.unwrap_or_else(|| {
        let all: Vec<String> = Manager::ALL.iter().filter_map(|manager| manager.typed(need)).collect();
        all.join("\n")
    })
}

/// Announces the installation of `need` with its command and the reasons, and runs it.
pub(crate) fn install(need: Need, missing: &str) -> Result<(), Refusal> {
    let installation = plan(need)?;
    let name = need.name();
    eprintln!("{name} is missing: {missing}.");
    eprintln!("This program needs it: {}.", need.purpose());
    eprintln!(
        "It is installed now by the command below. To prevent this, interrupt the program and repeat it with"
    );
    eprintln!("`--no-install`.");
    eprintln!("    {}", typed_command(need));
    installation.carry_out()
}

/// Installation that is allowed and possible.
struct Installation {
    manager: Manager,
    packages: &'static [&'static str],
    sudo: bool,
}

/// Returns the installation of `need` on this machine, or the reason why it is not possible.
fn plan(need: Need) -> Result<Installation, Refusal> {
    if is_forbidden() {
        return Err(Refusal::Forbidden);
    }
    let manager = Manager::of_this_machine().ok_or(Refusal::NoManager)?;
    let packages = manager.packages(need);
    if packages.is_empty() {
        return Err(Refusal::NoPackage(manager));
    }
    let sudo = manager != Manager::Brew && !is_root();
    if sudo && command::answer(Command::new("sudo").args(["-n", "true"])).is_none() {
        return Err(Refusal::NotRoot(manager));
    }
    Ok(Installation { manager, packages, sudo })
}

impl Installation {
    fn carry_out(&self) -> Result<(), Refusal> {
        let install = [self.manager.install_words(), self.packages].concat();
        if self.manager == Manager::Apt {
            // apt requires the user to update the package lists, which may be missing or outdated.
            if apt_has_lists() && self.run(&install).is_ok() {
                return Ok(());
            }
            self.run(&["update"])?;
        }
        self.run(&install)
    }

    /// Runs the manager without prompts.
    fn run(&self, words: &[&str]) -> Result<(), Refusal> {
        let mut command = if self.sudo {
            // `env` is used, because sudo drops the environment variables of its caller.
            let mut command = Command::new("sudo");
            command.args(["-n", "env", "DEBIAN_FRONTEND=noninteractive", self.manager.program()]);
            command
        } else {
            let mut command = Command::new(self.manager.program());
            command.env("DEBIAN_FRONTEND", "noninteractive");
            command
        };
        command.args(words).stdin(Stdio::null());
        command::run(&mut command).map_err(|error| Refusal::Failed(Box::new(error)))
    }
}

/// Returns `true` if apt has package lists; a new container has none until `apt-get update`.
fn apt_has_lists() -> bool {
    let Ok(mut entries) = fs::read_dir("/var/lib/apt/lists") else {
        return false;
    };
    entries.any(|entry| entry.is_ok_and(|entry| entry.file_name().to_string_lossy().contains("_Packages")))
}

fn is_root() -> bool {
    command::answer(Command::new("id").arg("-u")).is_some_and(|id| id == "0")
}

fn on_path(program: &str) -> bool {
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}
