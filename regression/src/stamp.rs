//! Date and version for reports and references.

use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// Date, version and commit, for reports and references.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Stamp {
    /// Universal time: `2026-03-31T23:59:58Z`.
    pub(crate) date: String,
    pub(crate) version: &'static str,
    /// Commit of the working tree, with `-dirty` if it has changes; `None` outside a repository.
    pub(crate) commit: Option<String>,
}

impl Stamp {
    pub(crate) fn now() -> Self {
        // For a wrong clock before 1970 the earliest date is used.
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Self { date: date(seconds), version: env!("CARGO_PKG_VERSION"), commit: commit() }
    }
}

impl std::fmt::Display for Stamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, version {}", self.date, self.version)?;
        match &self.commit {
            Some(commit) => write!(f, ", commit {commit}"),
            None => Ok(()),
        }
    }
}

fn commit() -> Option<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")))
        .args(["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"])
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}

/// Returns the date `seconds` after 1970 in the Gregorian calendar.
///
/// Years are counted from March, so that the leap day is the last day (H. Hinnant, `days_from_civil`).
fn date(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let since_march_0000 = days + 719_468;
    let (era, day_of_era) = (since_march_0000 / 146_097, since_march_0000 % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = 400 * era + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_of_known_moments() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(date(1_000_000_000), "2001-09-09T01:46:40Z");
        assert_eq!(date(1_709_251_199), "2024-02-29T23:59:59Z");
        assert_eq!(date(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
