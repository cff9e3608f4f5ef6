//! The log files: one a day, more on a day that writes much, the oldest removed first.

use std::{
    fmt,
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    str::FromStr,
};

use chrono::{NaiveDate, Utc};

/// A file has at most this part of all bytes: so much of the latest is there however much was just removed.
const SHARES: u64 = 16;

/// What is kept.
#[derive(Debug, Clone, Copy)]
pub struct FileLimits {
    pub days: usize,
    /// Of all files.
    pub bytes: u64,
}

/// A file's name, ordered by age: `morpion.2026-11-23.jsonl`, then `morpion.2026-11-23.1.jsonl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct FileName {
    day: NaiveDate,
    number: u32,
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number {
            0 => write!(f, "morpion.{}.jsonl", self.day),
            number => write!(f, "morpion.{}.{number}.jsonl", self.day),
        }
    }
}

impl FromStr for FileName {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        let rest = name.strip_prefix("morpion.").and_then(|name| name.strip_suffix(".jsonl")).ok_or(())?;
        let (day, number) = rest.split_once('.').unwrap_or((rest, "0"));
        Ok(Self { day: day.parse().map_err(drop)?, number: number.parse().map_err(drop)? })
    }
}

#[derive(Debug)]
struct OpenFile {
    name: FileName,
    file: File,
    length: u64,
}

/// Writes lines to the latest file.
#[derive(Debug)]
pub struct LogFiles {
    dir: PathBuf,
    limits: FileLimits,
    today: fn() -> NaiveDate,
    open: OpenFile,
}

impl LogFiles {
    /// Opens the latest file of a folder, which is created if it is missing.
    ///
    /// # Errors
    /// The folder cannot be used.
    pub fn open(dir: &Path, limits: FileLimits) -> io::Result<Self> {
        Self::open_with(dir, limits, || Utc::now().date_naive())
    }

    fn open_with(dir: &Path, limits: FileLimits, today: fn() -> NaiveDate) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
        let day = today();
        let latest = existing(dir)?.into_iter().map(|(name, _)| name).rfind(|name| name.day == day);
        let open = open(dir, latest.unwrap_or(FileName { day, number: 0 }))?;
        let files = Self { dir: dir.to_owned(), limits, today, open };
        files.remove_old()?;
        Ok(files)
    }

    fn share(&self) -> u64 {
        self.limits.bytes / SHARES
    }

    /// Begins another file, and makes room for it.
    fn roll(&mut self, day: NaiveDate) -> io::Result<()> {
        let last = existing(&self.dir)?.into_iter().map(|(name, _)| name).rfind(|name| name.day == day);
        let number = last.map_or(0, |last| last.number + 1);
        self.open = open(&self.dir, FileName { day, number })?;
        self.remove_old()
    }

    /// Removes the oldest files until the days and the bytes are within their limits, with room for the open file.
    fn remove_old(&self) -> io::Result<()> {
        let mut files = existing(&self.dir)?;
        files.retain(|(name, _)| *name != self.open.name);
        let mut left: u64 = files.iter().map(|(_, length)| length).sum::<u64>() + self.share().max(self.open.length);
        let mut days: Vec<NaiveDate> = files.iter().map(|(name, _)| name.day).chain([self.open.name.day]).collect();
        days.sort_unstable();
        days.dedup();
        let oldest = days[days.len().saturating_sub(self.limits.days)];
        for (name, length) in files {
            if name.day >= oldest && left <= self.limits.bytes {
                break;
            }
            fs::remove_file(self.dir.join(name.to_string()))?;
            left -= length;
        }
        Ok(())
    }
}

/// The log files of a folder with their lengths, the oldest first.
fn existing(dir: &Path) -> io::Result<Vec<(FileName, u64)>> {
    let mut files = vec![];
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if let Some(name) = entry.file_name().to_str().and_then(|name| name.parse().ok()) {
            files.push((name, entry.metadata()?.len()));
        }
    }
    files.sort_unstable();
    Ok(files)
}

fn open(dir: &Path, name: FileName) -> io::Result<OpenFile> {
    let file = OpenOptions::new().create(true).append(true).open(dir.join(name.to_string()))?;
    let length = file.metadata()?.len();
    Ok(OpenFile { name, file, length })
}

impl Write for LogFiles {
    /// Whole lines, which stay in one file.
    fn write(&mut self, lines: &[u8]) -> io::Result<usize> {
        let day = (self.today)();
        let length = lines.len() as u64;
        let is_full = self.open.length > 0 && self.open.length + length > self.share();
        if self.open.name.day != day || is_full {
            self.roll(day)?;
        }
        self.open.file.write_all(lines)?;
        self.open.length += length;
        Ok(lines.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.open.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: FileLimits = FileLimits { days: 3, bytes: 16_000 };

    fn today() -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, 23).unwrap()
    }

    fn names(dir: &Path) -> Vec<String> {
        existing(dir).unwrap().into_iter().map(|(name, _)| name.to_string()).collect()
    }

    fn total(dir: &Path) -> u64 {
        existing(dir).unwrap().iter().map(|(_, length)| length).sum()
    }

    #[test]
    fn what_is_written_past_the_limit_removes_the_oldest() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = LogFiles::open_with(folder.path(), LIMITS, today).unwrap();
        let mut most = 0;
        for number in 0..5_000 {
            writeln!(files, "{number:0>99}").unwrap();
            most = most.max(total(folder.path()));
        }
        assert!((12_000..=LIMITS.bytes).contains(&most), "{most}");
        let names = names(folder.path());
        assert_eq!(names.last().unwrap(), "morpion.2026-11-23.499.jsonl");
        let last = fs::read_to_string(folder.path().join(names.last().unwrap())).unwrap();
        assert!(last.ends_with("4999\n") && last.lines().all(|line| line.len() == 99), "lines stay whole");
        // It goes on there.
        let mut files = LogFiles::open_with(folder.path(), LIMITS, today).unwrap();
        writeln!(files, "again").unwrap();
        assert_eq!(self::names(folder.path()).last(), Some(&"morpion.2026-11-23.500.jsonl".to_owned()));
    }

    #[test]
    fn files_of_many_days_and_too_large_ones_go_and_strange_ones_stay() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["morpion.2026-11-19.jsonl", "morpion.2026-11-21.jsonl", "morpion.2026-11-21.1.jsonl", "notes.txt"]
        {
            fs::write(folder.path().join(name), "x".repeat(2_000)).unwrap();
        }
        fs::write(folder.path().join("morpion.2026-11-22.jsonl"), "x".repeat(9_500)).unwrap();
        LogFiles::open_with(folder.path(), LIMITS, today).unwrap();
        let expected = ["morpion.2026-11-21.jsonl", "morpion.2026-11-21.1.jsonl", "morpion.2026-11-22.jsonl"];
        assert_eq!(names(folder.path()), [&expected[..], &["morpion.2026-11-23.jsonl"]].concat());
        LogFiles::open_with(folder.path(), FileLimits { bytes: 12_000, ..LIMITS }, today).unwrap();
        assert_eq!(names(folder.path()), ["morpion.2026-11-22.jsonl", "morpion.2026-11-23.jsonl"]);
        assert!(folder.path().join("notes.txt").exists());
    }
}
